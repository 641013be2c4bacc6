"""A step definition as something that matches texts.

Every kind of expression becomes one pattern of PyPI `regex`, which alone can be told to give up: a match that takes
longer than `TIMEOUT` seconds is none. Converters of the glue code are never called; only their patterns count.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import regex

from cukereuse_engine.glue import expressions, regexes
from cukereuse_engine.glue.definition import (
    Anchoring,
    BoundArgument,
    ExpressionKind,
    GlueError,
    Match,
    ParameterType,
    StepDefinition,
)
from cukereuse_engine.glue.fragments import Requirement, literal_requirement, requirement
from cukereuse_engine.glue.languages.base import dialect_of

TIMEOUT = 0.2
"""Seconds that one match may take: a thousand times what an honest pattern needs."""
MAX_TIMEOUTS = 3
"""After so many a definition matches nothing any more."""
_NESTED_ARGUMENTS = frozenset(
    {"cucumber-js", "cucumber-jvm", "cucumber-ruby", "cypress-cucumber-preprocessor", "playwright-bdd"}
)
"""Frameworks for which a group inside a captured group is no argument of its own."""


class UnsupportedExpressionError(ValueError):
    """A sound expression that has no spelling in the engine that matches here."""


@dataclass(slots=True, eq=False)
class Matcher:
    """One compiled definition. `match` is the truth, `requirement` what a prefilter may rely on."""

    definition: StepDefinition
    requirement: Requirement
    parameter_types: frozenset[str]
    """Names of custom parameter types that the expression refers to, known or not."""
    _find: Callable[[str], Any]
    """The pattern's `fullmatch`, `match` or `search`."""
    _groups: tuple[regexes.Group, ...]
    timeouts: int = 0
    failure: str = ""
    """What went wrong in a match, after which there are no more."""

    def match(self, text: str) -> Match | None:
        """The definition with the arguments that it takes from `text`, or None."""
        if self.timeouts >= MAX_TIMEOUTS or self.failure:
            return None
        try:
            matched = self._find(text)
            if matched is None:
                return None
            spans = (
                (group.name, matched.start(group.engine_name), matched.end(group.engine_name)) for group in self._groups
            )
            arguments = tuple(BoundArgument(a, b, text[a:b] if a >= 0 else None, name) for name, a, b in spans)
        except TimeoutError:
            self.timeouts += 1
            return None
        except Exception as error:  # whatever one definition does costs that definition alone
            self.failure = f"can't be matched: {_first_line(error)}"
            return None
        return Match(self.definition, arguments)

    @property
    def error(self) -> GlueError | None:
        """Why the definition is taken to match nothing more, if it is."""
        if self.timeouts >= MAX_TIMEOUTS:
            return _error(self.definition, "matching takes too long; the definition is taken to match nothing more")
        return _error(self.definition, self.failure) if self.failure else None


@dataclass(frozen=True, slots=True)
class Compiled:
    """A definition's matcher, or None, and what is wrong with the definition."""

    matcher: Matcher | None
    errors: tuple[GlueError, ...]


@dataclass(frozen=True, slots=True)
class _Pattern:
    """What depends on the expression alone, not on where it stands."""

    find: Callable[[str], Any]
    groups: tuple[regexes.Group, ...]
    requirement: Requirement
    parameter_types: frozenset[str]
    unknown: tuple[str, ...]
    """Parameter types that are defined nowhere; each matches anything."""


def compile_definition(definition: StepDefinition, types: Mapping[str, ParameterType]) -> Compiled:
    """Compile one definition. `types` are the custom parameter types in reach, by name. Never raises."""
    try:
        return _compile(definition, types)
    except UnsupportedExpressionError as error:
        message = f"this expression can't be checked here: {error}"
    except (expressions.BrokenExpressionError, regex.error) as error:
        message = f"broken expression: {_first_line(error)}"
    except Exception as error:  # whatever one definition does costs that definition alone
        message = f"broken expression: {type(error).__name__}: {_first_line(error)}"
    return Compiled(None, (_error(definition, message),))


def _compile(definition: StepDefinition, types: Mapping[str, ParameterType]) -> Compiled:
    named = expressions.parameter_names(definition.expression, definition.kind)
    custom = tuple((name, _patterns_of(types[name])) for name in sorted(named) if name in types and types[name].regexps)
    untold = frozenset(name for name in named if name in types and not types[name].regexps)
    pattern = _pattern(
        definition.expression,
        definition.kind,
        definition.language,
        definition.framework,
        definition.anchoring,
        definition.flags,
        custom,
        untold,
    )
    matcher = Matcher(definition, pattern.requirement, pattern.parameter_types, pattern.find, pattern.groups)
    errors = tuple(
        _error(definition, f"parameter type {{{name}}} is defined nowhere; it is taken to match anything")
        for name in pattern.unknown
    )
    return Compiled(matcher, errors)


def _error(definition: StepDefinition, message: str) -> GlueError:
    return GlueError(definition.path, definition.line, definition.literal.column, message)


def _first_line(error: BaseException) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


def _patterns_of(parameter_type: ParameterType) -> tuple[str, ...]:
    """Raises `BrokenExpressionError` and its like, naming the type."""
    return tuple(_embedded(parameter_type, pattern) for pattern in parameter_type.regexps)


def _embedded(parameter_type: ParameterType, pattern: str) -> str:
    """Groups of a type are no arguments; those that something refers to get a name that nothing else has."""
    translated = regexes.translate(pattern, dialect_of(parameter_type.language))
    _refuse(translated, f"parameter type {parameter_type.name}: ")
    text = translated.text
    for group in translated.groups:
        opening = f"(?P<{group.engine_name}>"
        if re.search(rf"\(\?(?:P=|&|\(){group.engine_name}\)", text):
            name = re.sub(r"\W", "_", f"t_{parameter_type.name}_{group.number}")
            text = re.sub(rf"(?<=[<=&(]){group.engine_name}(?=[>)])", name, text)
        else:
            text = text.replace(opening, "(?:")
    return text


def _refuse(pattern: regexes.Pattern, prefix: str = "") -> None:
    if pattern.problem:
        kind = UnsupportedExpressionError if pattern.is_unsupported else expressions.BrokenExpressionError
        raise kind(prefix + pattern.problem)


@lru_cache(maxsize=20_000)
def _pattern(
    expression: str,
    kind: ExpressionKind,
    language: str,
    framework: str,
    anchoring: Anchoring,
    flags: str,
    custom: tuple[tuple[str, tuple[str, ...]], ...],
    untold: frozenset[str],
) -> _Pattern:
    if kind is ExpressionKind.LITERAL:
        find = _Find(regex.escape(expression, literal_spaces=True), _flags(flags, ""), Anchoring.FULL)
        needed = literal_requirement(expression) if expression.isascii() or "i" not in flags else Requirement()
        return _Pattern(find, (), needed, frozenset(), ())
    if kind is ExpressionKind.REGEX:
        own = regexes.translate(expression, dialect_of(language), flags)
        _refuse(own)
        captured = [group for group in own.groups if group.depth == 0 or framework not in _NESTED_ARGUMENTS]
        return _finish(own, tuple(captured), _flags(flags, language), anchoring, frozenset(), ())
    source = expressions.to_regex(expression, kind, dict(custom), untold, language)
    parts = regexes.translate(source.pattern, regexes.ENGINE)
    _refuse(parts)
    top = [group for group in parts.groups if group.depth == 0]
    names = source.names or tuple(group.name for group in top)
    named = tuple(regexes.Group(g.number, name, 0) for g, name in zip(top, names, strict=False))
    ignore_case = framework in ("behat", "pytest-bdd")
    # pytest-bdd calls `parse` with its default, which ignores case; behave asks for case
    compile_flags = int(regex.V0 | (regex.IGNORECASE if ignore_case else 0))
    # what is translated from other syntaxes is always a regex, but for what custom types bring along
    check = bool(custom)
    return _finish(parts, named, compile_flags, Anchoring.FULL, source.parameter_types, source.unknown, check=check)


def _flags(flags: str, language: str) -> int:
    value = regex.V0
    for letter, flag in (("i", regex.IGNORECASE), ("m", regex.MULTILINE), ("s", regex.DOTALL)):
        value |= flag if letter in flags else 0
    return int(value | (regex.MULTILINE if dialect_of(language).lines_always else 0))


def _finish(
    pattern: regexes.Pattern,
    captured: tuple[regexes.Group, ...],
    flags: int,
    anchoring: Anchoring,
    parameter_types: frozenset[str],
    unknown: tuple[str, ...],
    *,
    check: bool = True,
) -> _Pattern:
    find = _Find(pattern.text, flags, anchoring)
    if check:
        find.compile()
    needed = requirement(
        pattern.tokens,
        ignore_case=bool(flags & regex.IGNORECASE),
        starts=anchoring is not Anchoring.SEARCH,
        ends=anchoring is Anchoring.FULL,
    )
    return _Pattern(find, captured, needed, parameter_types, unknown)


class _Find:
    """A pattern that is compiled (half a millisecond) when it is first needed."""

    def __init__(self, pattern: str, flags: int, anchoring: Anchoring) -> None:
        self._pattern = pattern
        self._flags = flags
        self._anchoring = anchoring
        self._find: Callable[..., Any] | None = None

    def compile(self) -> Callable[..., Any]:
        """Raises `regex.error`."""
        compiled = regex.compile(self._pattern, self._flags)
        finders = {Anchoring.FULL: compiled.fullmatch, Anchoring.MATCH: compiled.match}
        self._find = finders.get(self._anchoring, compiled.search)
        return self._find

    def __call__(self, text: str) -> Any:
        """Raises `TimeoutError`."""
        return (self._find or self.compile())(text, timeout=TIMEOUT)
