"""How alike the functions of two step definitions are: two expressions over one body are most likely one definition.

Bodies are compared as sequences of tokens, as token-based clone detectors do (CCFinder: Kamiya, Kusumoto and Inoue,
2002): comments and layout go, and whatever the function's header names is one placeholder. Nothing is parsed or run, so
that half-written functions compare too. Tokens come from Pygments, which knows all glue languages by the ids they have
here.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from rapidfuzz.distance import Indel

from cukereuse_engine.glue.model import StepDefinition

LEAST_TOKENS = 4
"""A shorter body says nothing: `pass`, `pending`, `return 'pending'`."""
_PLACEHOLDER = "\0"
_ARROWS = (("=", ">"), ("-", ">"))
_OPENING, _CLOSING = "([", ")]"


def read_source(path: str) -> bytes | None:
    """What the disk holds; None for what can't be read."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError):
        return None


class Bodies:
    """The functions of step definitions; each source is read once."""

    def __init__(self, read: Callable[[str], bytes | None] = read_source) -> None:
        self._read = read
        self._sources: dict[str, bytes | None] = {}
        self._tokens: dict[str, tuple[str, ...]] = {}

    def similarity(self, one: StepDefinition, other: StepDefinition) -> float | None:
        """Indel similarity of the two bodies' tokens, 0 to 1. None where it would say nothing: in two languages,
        where a function or its source is not known, or is shorter than `LEAST_TOKENS`."""
        if one.language != other.language:
            return None
        mine, theirs = self._body(one), self._body(other)
        if min(len(mine), len(theirs)) < LEAST_TOKENS:
            return None
        return Indel.normalized_similarity(mine, theirs)

    def update(self, path: str, source: bytes | None) -> None:
        """The source at `path` is another now; None: what `read` gives."""
        self._sources.pop(path, None)
        if source is not None:
            self._sources[path] = source
        for key in [key for key in self._tokens if key.startswith(f"{path}@")]:
            del self._tokens[key]

    def _body(self, definition: StepDefinition) -> tuple[str, ...]:
        span = definition.function
        if span is None:
            return ()
        key = definition.function_id
        if key not in self._tokens:
            if span.path not in self._sources:
                self._sources[span.path] = self._read(span.path)
            source = self._sources[span.path] or b""
            text = source[span.start_byte : span.end_byte].decode("utf-8", "replace")
            self._tokens[key] = body_tokens(text, definition.language)
        return self._tokens[key]


def body_tokens(function: str, language: str) -> tuple[str, ...]:
    """The tokens of a function's body. `language`: id of a language module. Names of the header (parameters, their
    types, the function's own) are one placeholder wherever they stand; comments, layout and semicolons are left out."""
    tokens = list(_tokens(function, language))
    start = _end_of_header([text for text, _ in tokens], language)
    named = {text for text, is_name in tokens[:start] if is_name}
    return tuple(_PLACEHOLDER if text in named else text for text, _ in tokens[start:])


def _tokens(function: str, language: str) -> Iterator[tuple[str, bool]]:
    """Tokens with whether they are names. A string is one token, whatever stands in it."""
    from pygments.lexers import get_lexer_by_name
    from pygments.token import Comment, Keyword, Name, Number, String, Text
    from pygments.token import is_token_subtype as within

    options = {"startinline": True} if language == "php" else {}
    string = ""
    for kind, text in get_lexer_by_name(language, **options).get_tokens(function):
        if within(kind, String) and not within(kind, String.Affix):
            string += text
            continue
        if string:
            yield string, False
            string = ""
        if within(kind, Comment) or within(kind, Text):
            continue
        if within(kind, Name) or within(kind, Keyword) or within(kind, Number):
            yield text.strip(), within(kind, Name)
        else:
            yield from ((sign, False) for sign in text if not sign.isspace() and sign != ";")
    if string:
        yield string, False


def _end_of_header(tokens: list[str], language: str) -> int:
    """Index of the body's first token."""
    if language == "ruby":  # do |a, b| … end, { |a| … }
        bars = [at for at, text in enumerate(tokens) if text == "|"][:2]
        return bars[1] + 1 if len(bars) == 2 and bars[0] == 1 else min(1, len(tokens))
    end = ":" if language == "python" else "{"
    depth = 0
    for at, text in enumerate(tokens):
        depth += (text in _OPENING) - (text in _CLOSING)
        lambda_opens = at == 0 and language == "kotlin"  # { name: Type -> … }
        if depth == 0 and (
            (text == end and not lambda_opens) or (language != "python" and (tokens[at - 1], text) in _ARROWS)
        ):
            return at + 1
    return 0
