"""Finds the parameters of an expression, in each kind of expression.

Reads the expression as written: a rewrite keeps each parameter unchanged. Never compiles a pattern.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition

_QUOTES = "\"'`"
_CUCUMBER = re.compile(r"\\.|(\{([^{}\\]*)\})", re.DOTALL)
_PARSE = re.compile(r"\{\{|\}\}|(\{([^{}:]*)(?::[^{}]*)?\})")
_TURNIP = re.compile(r"(:(\w+))", re.ASCII)
_QUANTIFIER = re.compile(r"(?:[*+?]|\{\d+(?:,\d*)?\}|\{,\d+\})[?+]?")
_OPTIONAL = re.compile(r"[?*]|\{0?,")
_EMPTY_ALTERNATIVE = re.compile(r"\A\(\?:\||\|\)\Z")
_ENDING = re.compile(r"\(\?:\w+(?:\|\w+)+\)\??")
"""The endings of ordinal numbers."""
_GROUP_NAME = re.compile(r"\(\?(?:P?<([^=!>][^>]*)>|'([^']+)')")
_EITHER_BEFORE = re.compile(r"\[(?:\\?[\"'`]){2,}\]\Z")
_EITHER_AFTER = re.compile(r"\[(?:\\?[\"'`]){2,}\]")
_LEADING = re.compile(r"(?:\(\?[a-zA-Z]+\)|\^|\\A)*")
_TRAILING = re.compile(r"(?<!\\)(?:\\\\)*(\$|\\Z|\\z)\Z")


class UnwritableError(ValueError):
    """The expression can't be rewritten; the message says why."""


@dataclass(frozen=True, slots=True)
class ExpressionParameter:
    source: str
    """The source in the expression, without quotes around it."""
    name: str
    quote: str = ""
    """The quote on both sides in the expression, or empty."""
    captures: int = 1
    """Number of arguments that it captures: more than one if groups inside a group count."""
    start: int = 0
    """Code point offset of `source` in a regex."""
    stays: bool = False
    """True if it is optional, chooses between arguments and words, or is an ending of the argument before it
    (`(?:st|nd|rd|th)`): a rewrite keeps it, and a step keeps the words that it matches."""
    chooses: bool = False
    """True if it stays but is not optional: a step has one of its alternatives, with an argument or without."""
    is_group: bool = True
    """True for a single group or parameter, which a slot can stand for."""
    looks: bool = False
    """True for a lookahead or lookbehind, which belongs to the argument beside it."""
    either_quote: bool = False
    """True if `source` includes sets of quotes around the group; a step has one on each side: `['"](.*)['"]`."""

    @property
    def end(self) -> int:
        return self.start + len(self.source)


@dataclass(frozen=True, slots=True)
class ExpressionParameters:
    found: tuple[ExpressionParameter, ...]
    """Left to right."""
    prefix: str = ""
    """The beginning of a regex: anchors and inline flags."""
    suffix: str = ""


def parameters_of(definition: StepDefinition, *, nested: bool) -> ExpressionParameters:
    """The parameters of a definition's expression, left to right.

    `nested`: groups inside a captured group are arguments of their own. Raises `UnwritableError` for a regex whose
    groups depend on each other.
    """
    return _parameters(definition.expression, definition.kind, definition.flags, nested)


@lru_cache(maxsize=4096)
def _parameters(text: str, kind: ExpressionKind, flags: str, nested: bool) -> ExpressionParameters:
    match kind:
        case ExpressionKind.LITERAL:
            return ExpressionParameters(())
        case ExpressionKind.CUCUMBER:
            return ExpressionParameters(_by_pattern(_CUCUMBER, text))
        case ExpressionKind.PARSE | ExpressionKind.CFPARSE:
            return ExpressionParameters(_by_pattern(_PARSE, text))
        case ExpressionKind.TURNIP:
            return ExpressionParameters(_by_pattern(_TURNIP, text))
        case ExpressionKind.REGEX:
            return _regex(text, flags, nested=nested)


def _by_pattern(pattern: re.Pattern[str], text: str) -> tuple[ExpressionParameter, ...]:
    return tuple(
        ExpressionParameter(match.group(1), match.group(2), _quote_around(text, match.start(), match.end()))
        for match in pattern.finditer(text)
        if match.group(1) is not None
    )


def _quote_around(text: str, start: int, end: int) -> str:
    """The quote on both sides of a parameter, escaped or not; empty if there is none."""
    before = text[start - 1 : start]
    after = text[end : end + 2].lstrip("\\")[:1]
    return before if before and before in _QUOTES and before == after else ""


@dataclass(slots=True)
class _Open:
    """An open parenthesis while a regex is read."""

    start: int
    captures: bool
    name: str
    inner: int = 0
    """Number of capturing groups inside."""
    outermost: int = 0
    """Number of these that are in no other capturing group."""
    bar: bool = False
    """True for alternatives and lookarounds."""
    looks: bool = False
    """True for a lookaround."""
    found: list[ExpressionParameter] = field(default_factory=list)
    """The parameters inside a group that does not capture."""


def is_extended(text: str, flags: str) -> bool:
    """True if white space in a regex does not count as text, and # begins a comment."""
    return "x" in flags or re.match(r"\(\?[a-zA-Z]*x", text) is not None


def _regex(text: str, flags: str, *, nested: bool) -> ExpressionParameters:
    groups, whole = _groups(text, flags, nested=nested)
    if whole and any(group.captures for group in groups):
        raise UnwritableError("the regex is an alternation of whole steps; split it into two step definitions first")
    leading, trailing = _LEADING.match(text), _TRAILING.search(text)
    prefix, suffix = leading.group() if leading else "", trailing.group(1) if trailing else ""
    while _begins_with_look(groups, len(prefix)):
        prefix += groups.pop(0).source
    ends = len(text) - len(suffix)
    while _ends_with_look(groups, ends):
        suffix = groups[-1].source + suffix
        ends = groups.pop().start
    groups = list(_with_looks(groups))
    optional = next((group.source for group in groups if not group.stays and not group.is_group), "")
    if optional:  # nobody knows where in the target its arguments would go
        raise UnwritableError(
            f"an argument in {optional} of the regex is optional; split it into two step definitions first"
        )
    return ExpressionParameters(tuple(_joined(groups, text)), prefix, suffix)


def _begins_with_look(groups: Sequence[ExpressionParameter], start: int) -> bool:
    return bool(groups) and groups[0].looks and groups[0].start == start and not _is_beside(groups[:2])


def _ends_with_look(groups: Sequence[ExpressionParameter], end: int) -> bool:
    return bool(groups) and groups[-1].looks and groups[-1].end == end and not _is_beside(groups[-2:])


def _groups(text: str, flags: str, *, nested: bool) -> tuple[list[ExpressionParameter], bool]:
    """The groups of a regex that are or contain parameters; and True if the whole regex is an alternation."""
    whole = _Open(0, False, "")
    stack = [whole]
    for char, at in _signs(text, is_extended(text, flags)):
        if char == "(":
            stack.append(_opened(text, at))
            if stack[-1].captures:
                _count(stack[1:])
        elif char == "|":
            stack[-1].bar = True
        elif len(stack) == 1:
            raise UnwritableError("the regex has an extra closing parenthesis; remove it first")
        else:
            closed = stack.pop()
            end = _after_quantifier(text, at + 1)
            if not any(opened.captures for opened in stack):
                stack[-1].found.extend(_closed(closed, text, end, nested=nested))
    if len(stack) > 1:
        raise UnwritableError("a parenthesis of the regex is not closed; close it first")
    return whole.found, whole.bar


def _signs(text: str, extended: bool) -> Iterator[tuple[str, int]]:
    """Each parenthesis and bar of a regex that is not literal, with its offset."""
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            at = _after_escape(text, at)
        elif char == "[":
            at = _after_set(text, at)
        elif extended and char == "#":
            at = (text.find("\n", at) + 1) or len(text)
        else:
            if char in "()|":
                yield char, at
            at += 1


def _is_beside(pair: Sequence[ExpressionParameter]) -> bool:
    """True if two parameters, one of which captures, are adjacent."""
    return len(pair) > 1 and pair[0].end == pair[1].start and any(parameter.captures for parameter in pair)


def _with_looks(groups: Iterable[ExpressionParameter]) -> Iterator[ExpressionParameter]:
    """Join each lookaround to the argument beside it. Raises `UnwritableError` for a lookaround among words, with which
    it would be lost."""
    waiting: list[ExpressionParameter] = []
    before: ExpressionParameter | None = None
    for group in groups:
        if group.looks:
            if before is not None and before.end == group.start and before.captures:
                before = replace(before, source=before.source + group.source)
            elif waiting and waiting[-1].end != group.start:
                raise _lost(waiting[-1])
            else:
                waiting.append(group)
            continue
        if before is not None:
            yield before
        if waiting and (waiting[-1].end != group.start or not group.captures):
            raise _lost(waiting[-1])
        looks = "".join(look.source for look in waiting)
        before = replace(group, source=looks + group.source, start=group.start - len(looks), is_group=group.is_group)
        waiting = []
    if before is not None:
        yield before
    if waiting:
        raise _lost(waiting[-1])


def _lost(look: ExpressionParameter) -> UnwritableError:
    return UnwritableError(
        f"{look.source} of the regex looks at words that would be removed; remove it from the regex first"
    )


def _closed(closed: _Open, text: str, end: int, *, nested: bool) -> list[ExpressionParameter]:
    """The parameters of a group outside any capture. An alternation or quantified group that contains arguments is one
    parameter, which is no group; it stays if it is optional or chooses."""
    source = text[closed.start : end]
    quantifier = source[source.rindex(")") + 1 :]
    optional = _OPTIONAL.match(quantifier) is not None
    if closed.captures:
        return [_capturing(closed, text, end, 1 + (closed.inner if nested else 0), optional=optional)]
    if not closed.inner and closed.looks:
        return [ExpressionParameter(source, "", "", 0, closed.start, is_group=False, looks=True)]
    if not closed.inner:
        stays = optional or _ENDING.fullmatch(source) is not None
        return [ExpressionParameter(source, "", "", 0, closed.start, True, is_group=False)] if stays else []
    if not closed.bar and not quantifier:
        return closed.found
    may_miss = optional or _EMPTY_ALTERNATIVE.search(source) is not None
    chooses = closed.bar and not closed.looks and not may_miss  # between words and an argument: `(?:I|"([^"]*)")`
    captures = closed.inner if nested else closed.outermost
    return [ExpressionParameter(source, "", "", captures, closed.start, may_miss or chooses, chooses, is_group=False)]


def _capturing(closed: _Open, text: str, end: int, captures: int, *, optional: bool) -> ExpressionParameter:
    before, after = _EITHER_BEFORE.search(text, 0, closed.start), _EITHER_AFTER.match(text, end)
    if before is not None and after is not None and not optional:
        source = text[before.start() : after.end()]
        return ExpressionParameter(source, closed.name, "", captures, before.start(), either_quote=True)
    quote = _quote_around(text, closed.start, end)
    return ExpressionParameter(text[closed.start : end], closed.name, quote, captures, closed.start, stays=optional)


def _joined(groups: Sequence[ExpressionParameter], text: str) -> Iterator[ExpressionParameter]:
    """Join adjacent parts that stay. A part without an argument stays only beside others, or as the ending of the
    argument before it."""
    before: ExpressionParameter | None = None
    for group in groups:
        beside = before is not None and not text[before.end : group.start].strip()
        if before is not None and beside and before.stays and before.captures and group.stays:
            source, captures = text[before.start : group.end], before.captures + group.captures
            chooses = before.chooses or group.chooses
            before = ExpressionParameter(source, "", "", captures, before.start, True, chooses, is_group=False)
        elif group.captures or (before is not None and before.end == group.start and _ENDING.fullmatch(group.source)):
            if before is not None:
                yield before
            before = group
    if before is not None:
        yield before


def _after_escape(text: str, at: int) -> int:
    following = text[at + 1 : at + 2]
    if following == "k" or (following.isdigit() and following != "0"):
        raise UnwritableError(
            "the regex has a backreference to one of its groups; split it into two step definitions first"
        )
    end = text.find("\\E", at) if following == "Q" else -1
    return end + 2 if end >= 0 else at + 2


def _count(stack: Sequence[_Open]) -> None:
    """Count one more capturing group in the groups around it."""
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
    return _Open(at, not text.startswith("(?", at), "", bar=looks_around, looks=looks_around)


def _after_set(text: str, at: int) -> int:
    """Offset after a set in brackets; nested sets (Java, Ruby) and POSIX classes included."""
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
    raise UnwritableError("a bracket of the regex is not closed; close it first")


def _after_quantifier(text: str, at: int) -> int:
    match = _QUANTIFIER.match(text, at)
    return match.end() if match else at
