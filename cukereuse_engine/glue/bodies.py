"""What the functions of two step definitions have in common: two expressions over one function are one definition.

Two functions do the same to the same things if they name the same: what they call, the pages and fields that they act
on, their selectors and messages. The shape of the code tells less, as most step definitions are one call: over 400
pairs of definitions from 60 suites, judged blind, names told what to merge better than sequences of tokens (AUC .67
against .58). Nothing is parsed or run, so that half-written functions compare too. Tokens come from Pygments, which
knows all glue languages by the ids they have here.
"""

import re
from collections.abc import Callable, Iterator
from enum import Enum, auto
from pathlib import Path
from typing import NamedTuple

from cukereuse_engine.glue.model import SourceSpan, StepDefinition

UNWRITTEN = frozenset(
    (
        *("pending", "Pending", "skip", "todo", "unimplemented", "ErrPending", "StepIsPending", "PendingException"),
        *("PendingStepException", "NotImplementedError", "NotImplementedException", "StepNotImplementedError"),
    )
)
"""What a body names, or says in a string, that is still to be written: `pending`, `return 'pending'`."""
_MOST_WORDS = 4
"""A name or string counts as much as it has words, up to these: `click` is everywhere, `resendVerificationMail` isn't.
On the pairs above as good as how rare a name is in its suite, which would change with every edit of any function."""
_ARROWS = (("=", ">"), ("-", ">"))
_OPENING, _CLOSING = "([", ")]"
_QUOTES = "\"'`"
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_CLASSES = frozenset(("csharp", "java", "kotlin"))
"""Languages where a call is of the class's own method, unless one of these stands before it."""
_RECEIVES = frozenset((".", "?", ":", "new"))

Term = tuple[str, str | None]
"""A name or string, and the file that it belongs to: None where it means the same everywhere."""


class TokenKind(Enum):
    NAME = auto()
    STRING = auto()
    """Whole, whatever stands in it."""
    OTHER = auto()


class Token(NamedTuple):
    text: str
    kind: TokenKind = TokenKind.OTHER


_PLACEHOLDER = Token("\0")


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
        self._terms: dict[str, frozenset[Term] | None] = {}

    def similarity(self, one: StepDefinition, other: StepDefinition) -> float | None:
        """How much of what the two functions name both name, 0 to 1: the Jaccard similarity of their `terms`, each
        weighted by its words. None where that is not known: in two languages, without a function or its source, or
        where both are still to be written."""
        if one.language != other.language:
            return None
        mine, theirs = self._of(one), self._of(other)
        if mine is None or theirs is None or not (mine or theirs):
            return None
        return _weight(mine & theirs) / _weight(mine | theirs)

    def update(self, path: str, source: bytes | None) -> bool:
        """The source at `path` is another now; None: what `read` gives. Whether a function of it was compared."""
        self._sources.pop(path, None)
        if source is not None:
            self._sources[path] = source
        compared = [key for key in self._terms if key.startswith(f"{path}@")]
        for key in compared:
            del self._terms[key]
        return bool(compared)

    def _of(self, definition: StepDefinition) -> frozenset[Term] | None:
        """The function's terms, none where it is still to be written; None where it is not known. Of a function that
        stands elsewhere the name is."""
        span = definition.function
        if span is None:
            name = definition.function_name
            return frozenset({(name, definition.path)}) if _WORD.search(name) else None
        key = definition.function_id
        if key not in self._terms:
            if span.path not in self._sources:
                self._sources[span.path] = self._read(span.path)
            source = self._sources[span.path]
            self._terms[key] = None if source is None else _terms_of(definition, span, source)
        return self._terms[key]


def _terms_of(definition: StepDefinition, span: SourceSpan, source: bytes) -> frozenset[Term]:
    text = source[span.start_byte : span.end_byte].decode("utf-8", "replace")
    found = terms(body_tokens(text, definition.language), definition.language, span.path)
    written = UNWRITTEN.isdisjoint(name for name, _ in found)
    return found if written else frozenset()


def terms(body: tuple[Token, ...], language: str, path: str) -> frozenset[Term]:
    """The names and strings of a body. What belongs to the class that the function stands in is another thing in
    another file, so that it comes with its `path`."""
    found: set[Term] = set()
    for place, token in enumerate(body):
        if token.kind is TokenKind.NAME and _WORD.search(token.text):
            found.add((token.text, path if _is_own(body, place, language) else None))
        elif token.kind is TokenKind.STRING and _WORD.search(token.text):
            found.add((token.text.strip(_QUOTES), None))
    return frozenset(found)


def _is_own(body: tuple[Token, ...], place: int, language: str) -> bool:
    """Whether a name is of the class around: `$this->page`, or `check()` where nothing stands before it."""
    before = [token.text for token in body[max(place - 3, 0) : place]]
    if language == "php":
        return before == ["$this", "-", ">"]
    called = place + 1 < len(body) and body[place + 1].text == "("
    return language in _CLASSES and called and _RECEIVES.isdisjoint(before[-1:])


def _weight(found: frozenset[Term]) -> int:
    return sum(min(len(_WORD.findall(text)), _MOST_WORDS) for text, _ in found)


def body_tokens(function: str, language: str) -> tuple[Token, ...]:
    """The tokens of a function's body. `language`: id of a language module. Names of the header (parameters, their
    types, the function's own) are one placeholder wherever they stand; comments, layout and semicolons are left out."""
    tokens = list(_tokens(function, language))
    start = _end_of_header([token.text for token in tokens], language)
    named = {token.text for token in tokens[:start] if token.kind is TokenKind.NAME}
    return tuple(_PLACEHOLDER if token.text in named else token for token in tokens[start:])


def _tokens(function: str, language: str) -> Iterator[Token]:
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
            yield Token(string, TokenKind.STRING)
            string = ""
        if within(kind, Comment) or within(kind, Text):
            continue
        if within(kind, Name):
            yield Token(text.strip(), TokenKind.NAME)
        elif within(kind, Keyword) or within(kind, Number):
            yield Token(text.strip())
        else:
            yield from (Token(sign) for sign in text if not sign.isspace() and sign != ";")
    if string:
        yield Token(string, TokenKind.STRING)


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
