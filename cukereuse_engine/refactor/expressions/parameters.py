"""Where the parameters of an expression stand, in each kind of expression.

Reads the expression's own text, as written: a rewrite keeps each parameter to the letter. Never compiles a pattern.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
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
    tail: str = ""
    """The end of a regex, before `suffix`, in which arguments may be missing: `(?: in "([^"]*)")?`. A rewrite keeps it,
    and a step keeps the words that it matches."""
    tail_captures: int = 0
    """Arguments that the tail gives, missing ones too."""


def parameters_of(definition: StepDefinition, *, nested: bool) -> Parameters:
    """The parameters of a definition's expression, left to right.

    `nested`: groups inside a captured group are arguments of their own. Raises `UnwritableError` for a regex whose
    groups depend on each other, or may take no part elsewhere than at its end.
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
    """A parenthesis that is read."""

    start: int
    captures: bool
    name: str
    inner: int = 0
    """Capturing groups inside."""
    outermost: int = 0
    """Those of them that stand in no other one."""
    optional: bool = False
    """What it holds may take no part: an alternation, something repeated, a look around."""
    found: list[Parameter] = field(default_factory=list)
    """Parameters inside of one that does not capture."""


def is_extended(text: str, flags: str) -> bool:
    """Whether white space in a regex is none of its text, and # begins a comment."""
    return "x" in flags or re.match(r"\(\?[a-zA-Z]*x", text) is not None


def _regex(text: str, flags: str, *, nested: bool) -> Parameters:
    found: list[Parameter] = []
    loose: list[_Loose] = []
    stack: list[_Open] = []
    bar = False
    at = 0
    extended = is_extended(text, flags)
    while at < len(text):
        char = text[at]
        if char == "\\":
            at = _after_escape(text, at)
        elif char == "[":
            at = _after_set(text, at)
        elif extended and char == "#":
            at = (text.find("\n", at) + 1) or len(text)
        elif char == "(":
            stack.append(_opened(text, at))
            if stack[-1].captures:
                _count(stack)
            at += 1
        elif char == ")":
            if not stack:
                raise UnwritableError("the regex has a parenthesis too many; mend it first")
            closed = stack.pop()
            end = _after_quantifier(text, at + 1)
            outer = stack[-1] if stack else None
            if closed.captures and not any(one.captures for one in stack):
                source = text[closed.start : end]
                captures = 1 + (closed.inner if nested else 0)
                parameter = Parameter(source, closed.name, _quote_around(text, closed.start, end), captures)
                (outer.found if outer is not None else found).append(parameter)
            elif closed.inner and not closed.captures:
                optional = closed.optional or end > at + 1
                if outer is not None:
                    outer.found += closed.found
                    outer.optional = outer.optional or optional
                elif optional:
                    captures = closed.inner if nested else closed.outermost
                    loose.append(_Loose(closed.start, end, captures, may_miss=text[at + 1 : end]))
                else:
                    found += closed.found
            elif outer is None and end > at + 1:
                loose.append(_Loose(closed.start, end, 0, may_miss=text[at + 1 : end]))
            at = end
        else:
            if char == "|" and stack:
                stack[-1].optional = True
            bar = bar or (char == "|" and not stack)
            at += 1
    if stack:
        raise UnwritableError("a parenthesis of the regex is open; mend it first")
    if bar and (found or any(one.captures for one in loose)):
        raise UnwritableError("the regex is an alternation of whole steps; make it two step definitions first")
    leading = _LEADING.match(text)
    trailing = _TRAILING.search(text)
    prefix, suffix = leading.group() if leading else "", trailing.group(1) if trailing else ""
    tail = _tail(text[: len(text) - len(suffix)], loose)
    return Parameters(tuple(found), prefix, suffix, tail, sum(one.captures for one in loose))


@dataclass(frozen=True, slots=True)
class _Loose:
    """A part that does not capture, and may take no part in a match."""

    start: int
    end: int
    captures: int
    """Capturing groups inside."""
    may_miss: str
    """Its quantifier."""


def _tail(text: str, loose: Sequence[_Loose]) -> str:
    """The end of a regex from the first part on in which an argument may be missing, if all of it may be missing.

    Raises `UnwritableError` where it may not: then nobody knows where in the target the argument would go.
    """
    holding = next((number for number, one in enumerate(loose) if one.captures), None)
    if holding is None:
        return ""
    first = loose[holding]
    at = first.start
    for one in loose[holding:]:
        if text[at : one.start].strip() or not re.match(r"[?*]|\{0?,", one.may_miss):
            break
        at = one.end
    if text[at:].strip():
        shown = text[first.start : first.end]
        raise UnwritableError(f"an argument in {shown} of the regex may be missing; make it two step definitions first")
    return text[first.start :]


def _after_escape(text: str, at: int) -> int:
    following = text[at + 1 : at + 2]
    if following == "k" or (following.isdigit() and following != "0"):
        raise UnwritableError("the regex refers back to one of its groups; make it two step definitions first")
    end = text.find("\\E", at) if following == "Q" else -1
    return end + 2 if end >= 0 else at + 2


def _count(stack: Sequence[_Open]) -> None:
    """One more capturing group is open."""
    inside = False
    for outer in reversed(stack[:-1]):
        outer.inner += 1
        outer.outermost += not inside
        inside = inside or outer.captures


def _opened(text: str, at: int) -> _Open:
    named = _GROUP_NAME.match(text, at)
    if named:
        return _Open(at, True, named.group(1) or named.group(2))
    looks_around = re.compile(r"\(\?(?:[=!]|<[=!])").match(text, at) is not None
    return _Open(at, not text.startswith("(?", at), "", optional=looks_around)


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
    raise UnwritableError("a bracket of the regex is open; mend it first")


def _after_quantifier(text: str, at: int) -> int:
    match = _QUANTIFIER.match(text, at)
    return match.end() if match else at
