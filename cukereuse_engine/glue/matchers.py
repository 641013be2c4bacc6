"""A step definition in a form that matches texts.

Every kind of expression becomes a pattern of PyPI `regex`, the only engine with a time limit: a match that takes longer
than `TIMEOUT` seconds counts as none. Converters of the glue code are never called; only their patterns count."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import regex

from cukereuse_engine.glue import expressions, regexes
from cukereuse_engine.glue.definition import BoundArgument, GlueError, Match, ParameterType, StepDefinition
from cukereuse_engine.glue.fragments import Requirement
from cukereuse_engine.glue.languages.base import dialect_of, expression_dialect_of, refusal
from cukereuse_engine.glue.patterns import (
    PatternQuestion,
    UnsupportedExpressionError,
    pattern_of,
    refuse,
    remember,
)
from cukereuse_engine.glue.regexes import dialects
from cukereuse_engine.storage.blob_store import Blobs

CANT_BE_CHECKED = "this expression can't be checked here"
_OTHERS_ALLOW = ("unknown property", "cannot refer to an open group", "ambiguous group reference", "multiple repeat")
"""Complaints of this engine and Python's that other engines do not have."""
MAX_TIMEOUTS = 3
"""Number of timeouts after which a definition matches nothing more."""


@dataclass(slots=True, eq=False)
class Matcher:
    """One compiled definition. `match` decides; a prefilter may rely on `requirement`."""

    definition: StepDefinition
    requirement: Requirement
    parameter_types: frozenset[str]
    """Names of custom parameter types that the expression refers to, known or not."""
    _find: Callable[[str], Any]
    """The pattern's `fullmatch`, `match` or `search`."""
    _groups: tuple[regexes.Group, ...]
    assumes: bool = False
    """True if a parameter type is assumed to match anything, because its pattern is unknown."""
    timeouts: int = 0
    failure: str = ""
    """The error of a match, after which nothing more is matched."""

    def match(self, text: str) -> Match | None:
        """The definition with the arguments that it captures from `text`, or None."""
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
        except Exception as error:  # whatever goes wrong affects only this definition
            self.failure = f"can't be matched: {_first_line(error)}"
            return None
        return Match(self.definition, arguments)

    @property
    def error(self) -> GlueError | None:
        """The error after which the definition is assumed to match nothing more, or None."""
        if self.timeouts >= MAX_TIMEOUTS:
            message = "matching takes too long; this definition is ignored from here on"
            return _error(self.definition, message, untold=True)
        return _error(self.definition, self.failure, untold=True) if self.failure else None


@dataclass(frozen=True, slots=True)
class Compiled:
    """The matcher of a definition, or None, with the definition's errors."""

    matcher: Matcher | None
    errors: tuple[GlueError, ...]


def compile_definition(
    definition: StepDefinition, types: Mapping[str, ParameterType], question: PatternQuestion | None = None
) -> Compiled:
    """Compile one definition. `types` are the custom parameter types in reach, by name; `question` is known where
    `prepare` found it. Never raises."""
    try:
        return _compile(definition, question or question_of(definition, types))
    except UnsupportedExpressionError as error:
        untold, message = True, f"{CANT_BE_CHECKED}: {error}"
    except (expressions.BrokenExpressionError, regex.error) as error:
        is_own = dialect_of(definition.language) is dialects.PYTHON
        untold = not is_own and any(complaint in str(error) for complaint in _OTHERS_ALLOW)
        message = f"{CANT_BE_CHECKED if untold else 'broken expression'}: {_first_line(error)}"
    except Exception as error:  # whatever goes wrong affects only this definition
        untold, message = True, f"broken expression: {type(error).__name__}: {_first_line(error)}"
    return Compiled(None, (_error(definition, message, untold=untold),))


def _compile(definition: StepDefinition, question: PatternQuestion) -> Compiled:
    pattern = pattern_of(question)
    assumes = bool(pattern.unknown or question.untold)
    matcher = Matcher(definition, pattern.requirement, pattern.parameter_types, pattern.find, pattern.groups, assumes)
    errors = tuple(
        _error(definition, f"parameter type {{{name}}} is not defined; it is assumed to match anything")
        for name in pattern.unknown
        if name not in _types_taken(definition)
    )
    refused = refusal(definition)
    return Compiled(matcher, (*errors, _error(definition, refused)) if refused else errors)


def _types_taken(definition: StepDefinition) -> frozenset[str]:
    """The enumerations that step definitions of Reqnroll take, by both names."""
    extended = expression_dialect_of(definition.language).parameter_types.extended
    taken = [parameter.rstrip("?") for parameter in definition.parameters or ()] if extended else []
    return frozenset([*taken, *(name.rpartition(".")[2] for name in taken)])


def prepare(
    definitions: Mapping[int, StepDefinition], types: Mapping[str, ParameterType], cache: Blobs
) -> dict[int, PatternQuestion]:
    """Before many definitions are compiled: read what the cache has about their expressions, and write what is new.
    Returns the question asked for each definition, by its key; definitions that name a broken type have none."""
    questions = {}
    for key, definition in definitions.items():
        try:
            questions[key] = question_of(definition, types)
        except Exception:
            continue
    remember(questions.values(), cache)
    return questions


def question_of(definition: StepDefinition, types: Mapping[str, ParameterType]) -> PatternQuestion:
    """The question about a pattern. Raises `BrokenExpressionError` and the like, naming a parameter type."""
    named = expressions.parameter_names(
        definition.expression, definition.kind, expression_dialect_of(definition.language)
    )
    return PatternQuestion(
        definition.expression,
        definition.kind,
        definition.language,
        definition.framework,
        definition.anchoring,
        definition.flags,
        tuple((name, _patterns_of(types[name])) for name in sorted(named) if name in types and types[name].regexps),
        frozenset(name for name in named if name in types and not types[name].regexps),
    )


def _error(definition: StepDefinition, message: str, *, untold: bool = False) -> GlueError:
    return GlueError(definition.path, definition.line, definition.literal.column, message, untold)


def _first_line(error: BaseException) -> str:
    """The first line of a regex's error, without its position, which counts in the translated pattern."""
    message = error.msg if isinstance(error, regex.error) else str(error)
    return next((line.strip() for line in message.splitlines() if line.strip()), type(error).__name__)


def _patterns_of(parameter_type: ParameterType) -> tuple[str, ...]:
    """The patterns of a type. Raises `BrokenExpressionError` and the like, naming the type."""
    return tuple(_embedded(parameter_type, pattern) for pattern in parameter_type.regexps)


def _embedded(parameter_type: ParameterType, pattern: str) -> str:
    """A type's pattern inside another pattern: its groups capture nothing, or get a unique name if referred to."""
    translated = regexes.translate(pattern, dialect_of(parameter_type.language))
    refuse(translated, f"parameter type {parameter_type.name}: ")
    text = translated.text
    for group in translated.groups:
        opening = f"(?P<{group.engine_name}>"
        if re.search(rf"\(\?(?:P=|&|\(){group.engine_name}\)", text):
            name = re.sub(r"\W", "_", f"t_{parameter_type.name}_{group.number}")
            text = re.sub(rf"(?<=[<=&(]){group.engine_name}(?=[>)])", name, text)
        else:
            text = text.replace(opening, "(?:")
    return text
