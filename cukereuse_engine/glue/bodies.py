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

_UNWRITTEN = frozenset(
    (
        *("PendingException", "PendingStepException", "StepIsPending", "ErrPending"),
        *("NotImplementedError", "NotImplementedException", "StepNotImplementedError"),
    )
)
"""What a body names that is still to be written."""
_UNWRITTEN_CALLS = frozenset(("pending", "skip", "todo", "unimplemented"))
"""The same where nothing, or `this`, stands before the call: `page.skip()` is a step of its own."""
_UNWRITTEN_METHOD = "Pending"
"""SpecFlow's: `_scenarioContext.Pending()`, but not `Status.Pending`."""
_UNWRITTEN_VALUES = frozenset(("pending", "skipped"))
"""The same as what a function returns: `return 'pending'`."""
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
_RECEIVERS = frozenset((".", ">", ":"))
"""Last signs of `.`, `->` and `::`."""

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
    fixtures = definition.framework == "pytest-bdd"
    body = body_tokens(text, definition.language, definition.expression if fixtures else None)
    return terms(body, definition.language, span.path) if _is_written(body) else frozenset()


def _is_written(body: tuple[Token, ...]) -> bool:
    for place, (text, kind) in enumerate(body):
        before = body[place - 1].text if place else "return"
        if kind is TokenKind.STRING and before == "return" and text.strip(_QUOTES) in _UNWRITTEN_VALUES:
            return False
        if kind is not TokenKind.NAME:
            continue
        called = [token.text for token in body[place + 1 : place + 2]] == ["("]
        received = before in _RECEIVERS and body[max(place - 2, 0)].text != "this"
        if text in _UNWRITTEN or (text in _UNWRITTEN_CALLS and not received) or (text == _UNWRITTEN_METHOD and called):
            return False
    return True


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
    """Whether a name is of the class around: `$this->page`, `this.check()`, or `check()` with nothing before it."""
    before = [token.text for token in body[max(place - 3, 0) : place]]
    if language == "php":
        return before == ["$this", "-", ">"]
    name = body[place].text
    if language not in _CLASSES or place + 1 == len(body) or body[place + 1].text != "(":
        return False
    if name.lower().startswith("assert") or (language == "kotlin" and name[0].isupper()):
        return False  # a static import, a constructor
    return before[-2:] == ["this", "."] or _RECEIVES.isdisjoint(before[-1:])


def _weight(found: frozenset[Term]) -> int:
    return sum(min(len(_WORD.findall(text)), _MOST_WORDS) for text, _ in found)


def body_tokens(function: str, language: str, expression: str | None = None) -> tuple[Token, ...]:
    """The tokens of a function's body. `language`: id of a language module. Parameters are one placeholder, as their
    names are the function's own; fixtures are not: what a pattern takes apart (`{ page }`), and what an `expression`,
    where there is one, does not name. Comments, docstrings, layout and semicolons are left out."""
    tokens = list(_tokens(function, language))
    start = _end_of_header([token.text for token in tokens], language)
    named = {
        token.text
        for token, inside in zip(tokens[:start], _inside_braces(tokens[:start]), strict=True)
        if token.kind is TokenKind.NAME and not inside
    }
    if expression is not None:
        named &= set(re.findall(r"\w+", expression))
    body = tokens[start:]
    before = ["", *(token.text for token in body)]
    return tuple(
        _PLACEHOLDER if token.text in named and sign not in _RECEIVERS else token
        for token, sign in zip(body, before, strict=False)
    )


def _inside_braces(header: list[Token]) -> Iterator[bool]:
    """Of each token, whether it stands in braces among the parameters; those around a lambda don't count."""
    parameters = braces = 0
    for token in header:
        parameters += (token.text == "(") - (token.text == ")")
        braces += ((token.text == "{") - (token.text == "}")) * (parameters > 0)
        yield braces > 0


def _tokens(function: str, language: str) -> Iterator[Token]:
    from pygments.lexers import get_lexer_by_name
    from pygments.token import Comment, Keyword, Name, Number, String, Text
    from pygments.token import is_token_subtype as within

    options = {"startinline": True} if language == "php" else {}
    string = ""
    for kind, text in get_lexer_by_name(language, **options).get_tokens(function):
        if within(kind, String.Doc):
            continue
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
    if language == "kotlin" and tokens[:1] == ["{"]:  # { name: Type -> … }, { … }
        found = next((at for at, text in enumerate(tokens[1:], 1) if text in ("{", "=", ">")), 0)
        return found + 1 if (tokens[found - 1], tokens[found]) in _ARROWS else 1
    ends = {"python": (":",), "kotlin": ("{", "=")}.get(language, ("{",))
    depth = 0
    for at, text in enumerate(tokens):
        depth += (text in _OPENING) - (text in _CLOSING)
        if depth == 0 and (text in ends or (language != "python" and (tokens[at - 1], text) in _ARROWS)):
            return at + 1
    return 0
