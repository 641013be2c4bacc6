"""Where the parameters of an expression stand, in each kind of expression.

Reads the expression's own text, as written: a rewrite keeps each parameter to the letter. Never compiles a pattern.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from cukereuse_engine.glue.model import ExpressionKind, StepDefinition

_QUOTES = "\"'`"
_CUCUMBER = re.compile(r"\\.|(\{([^{}\\]*)\})", re.DOTALL)
_PARSE = re.compile(r"\{\{|\}\}|(\{([^{}:]*)(?::[^{}]*)?\})")
_TURNIP = re.compile(r"(:(\w+))")
_QUANTIFIER = re.compile(r"(?:[*+?]|\{\d+(?:,\d*)?\}|\{,\d+\})[?+]?")
_GROUP_NAME = re.compile(r"\(\?(?:P?<([^=!>][^>]*)>|'([^']+)')")
_LEADING = re.compile(r"(?:\(\?[a-zA-Z]+\)|\^|\\A)*")
_TRAILING = re.compile(r"(?<!\\)(?:\\\\)*(\$|\\Z|\\z)\Z")


class UnwritableError(ValueError):
    """The expression can't be rewritten; the message says why."""


@dataclass(frozen=True, slots=True)
class Parameter:
    source: str
    """As the expression writes it, without quotes around it."""
    name: str
    quote: str = ""
    """The quote that the expression writes on both sides, or empty."""
    captures: int = 1
    """Arguments that it gives: more than one where groups inside a group count."""


@dataclass(frozen=True, slots=True)
class Parameters:
    found: tuple[Parameter, ...]
    prefix: str = ""
    """What stands before everything: anchors and inline flags of a regex."""
    suffix: str = ""


def parameters_of(definition: StepDefinition, *, nested: bool) -> Parameters:
    """The parameters of a definition's expression, left to right.

    `nested`: groups inside a captured group are arguments of their own. Raises `UnwritableError` for a regex whose
    groups depend on each other or may take no part.
    """
    return _parameters(definition.expression, definition.kind, definition.flags, nested)


@lru_cache(maxsize=4096)
def _parameters(text: str, kind: ExpressionKind, flags: str, nested: bool) -> Parameters:
    match kind:
        case ExpressionKind.LITERAL:
            return Parameters(())
        case ExpressionKind.CUCUMBER:
            return Parameters(_by_pattern(_CUCUMBER, text))
        case ExpressionKind.PARSE | ExpressionKind.CFPARSE:
            return Parameters(_by_pattern(_PARSE, text))
        case ExpressionKind.TURNIP:
            return Parameters(_by_pattern(_TURNIP, text))
        case ExpressionKind.REGEX:
            return _regex(text, flags, nested=nested)


def _by_pattern(pattern: re.Pattern[str], text: str) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(match.group(1), match.group(2), _quote_around(text, match.start(), match.end()))
        for match in pattern.finditer(text)
        if match.group(1) is not None
    )


def _quote_around(text: str, start: int, end: int) -> str:
    """The quote on both sides, escaped or not, that does not belong to another parameter."""
    before = text[start - 1 : start]
    after = text[end : end + 2].lstrip("\\")[:1]
    return before if before and before in _QUOTES and before == after else ""


@dataclass(slots=True)
class _Open:
    start: int
    captures: bool
    name: str
    inner: int = 0
    """Capturing groups inside."""


def _regex(text: str, flags: str, *, nested: bool) -> Parameters:
    if "x" in flags or re.match(r"\(\?[a-z]*x", text):
        raise UnwritableError("the regex is written in extended mode")
    found: list[Parameter] = []
    stack: list[_Open] = []
    bar = False
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            following = text[at + 1 : at + 2]
            if following == "k" or (following.isdigit() and following != "0"):
                raise UnwritableError("the regex refers back to one of its groups")
            end = text.find("\\E", at) if following == "Q" else -1
            at = end + 2 if end >= 0 else at + 2
        elif char == "[":
            at = _after_set(text, at)
        elif char == "(":
            opened = _opened(text, at)
            if opened.captures and stack and not any(one.captures for one in stack):
                raise UnwritableError("a group of the regex stands inside (?:…)")
            for outer in stack:
                outer.inner += opened.captures
            stack.append(opened)
            at += 1
        elif char == ")":
            if not stack:
                raise UnwritableError("the regex has a parenthesis too many")
            closed = stack.pop()
            at = _after_quantifier(text, at + 1)
            if closed.captures and not stack:
                captures = 1 + (closed.inner if nested else 0)
                source = text[closed.start : at]
                found.append(Parameter(source, closed.name, _quote_around(text, closed.start, at), captures))
        else:
            bar = bar or (char == "|" and not stack)
            at += 1
    if stack:
        raise UnwritableError("a parenthesis of the regex is open")
    if bar and found:
        raise UnwritableError("the regex is an alternation of whole steps")
    leading = _LEADING.match(text)
    trailing = _TRAILING.search(text)
    return Parameters(tuple(found), leading.group() if leading else "", trailing.group(1) if trailing else "")


def _opened(text: str, at: int) -> _Open:
    named = _GROUP_NAME.match(text, at)
    if named:
        return _Open(at, True, named.group(1) or named.group(2))
    return _Open(at, not text.startswith("(?", at), "")


def _after_set(text: str, at: int) -> int:
    """Offset after a bracket expression; nested ones (Java, Ruby) and POSIX classes included."""
    depth = 0
    start = at
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif char == "[" and (at == start or text.startswith("[:", at) or depth == 0):
            depth += 1
        elif char == "]" and at > start + 1 and text[start + 1 : at] != "^":
            depth -= 1
            if not depth:
                return at + 1
        at += 1
    raise UnwritableError("a bracket of the regex is open")


def _after_quantifier(text: str, at: int) -> int:
    match = _QUANTIFIER.match(text, at)
    return match.end() if match else at
