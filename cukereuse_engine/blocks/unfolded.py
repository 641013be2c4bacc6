"""Finds what scenarios run: the sequence of bound functions with their arguments. Steps that only run other steps are
replaced by those.

Reads feature files and sources; it does not know what changed in them.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import cast

from msgspec.structs import replace

from cukereuse_engine.blocks.calling.functions import StepFunction, SuiteFunctions, style_of, taken_by
from cukereuse_engine.blocks.calling.kinds import kind_of
from cukereuse_engine.blocks.calling.read import FunctionCall, Given, calls_of
from cukereuse_engine.blocks.composite import may_run_steps, steps_run_by
from cukereuse_engine.functions.parameters import Parameter
from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.definition import ExpressionKind, Match, StepDefinition
from cukereuse_engine.refactor.call_style import ValueKind
from cukereuse_engine.refactor.passed_values import passed
from cukereuse_engine.refactor.rename_plan import Bindings

Call = tuple[object, ...]
"""A function, by its expressions and code, with its arguments; or a step without a function, by its text."""
_Scenarios = dict[tuple[str, int], list[tuple[Call, ...]]]
"""What `Unfolding.scenarios` gives for a file."""
_DEEPEST = 20
"""Maximum depth of steps that run other steps."""


class Unfolding:
    """Resolves the steps of suites with these step definitions to the calls that they make."""

    def __init__(self, glue: Bindings, source_of: Callable[[str], str]) -> None:
        self._glue = glue
        self.source_of = source_of
        self._suite = SuiteFunctions(source_of, glue.definitions)
        self._inner: dict[str, list[FunctionCall] | None] = {}
        """Maps a definition's id to the calls of its function, as many steps run it."""

    def scenarios(self, file: FeatureFile) -> _Scenarios:
        """Maps the name and number of a scenario in the file to the calls of each of its Examples rows or, without
        rows, to its own."""
        scenarios: dict[int, list[Step]] = {}
        for step in file.steps:
            scenarios.setdefault(step.scenario_line, []).append(step)
        calls = {}
        for number, (_, group) in enumerate(sorted(scenarios.items())):
            ordered = sorted(group, key=lambda step: step.line)
            calls[ordered[0].scenario, number] = [
                tuple(call for step in row for call in self.calls(step, file.language)) for row in _rows(ordered)
            ]
        return calls

    def may_run_others(self, definition: StepDefinition) -> bool:
        """False if the source alone shows that a definition runs no other steps, so no text need be bound for it.
        Syntax trees are not kept for long: ask for all definitions of one source together."""
        source = self._suite.of(definition.path)
        function = source.of(definition)
        calls = self._calls_of(function) if function is not None else None
        return calls is not None or may_run_steps(definition, source.data)

    def calls(self, step: Step, language: str, depth: int = 0) -> Iterator[Call]:
        """The calls of a step without Examples; `language`: its file's dialect."""
        matches = [match for bound in self._glue.bind(step).texts for match in bound.matches]
        if len(matches) != 1 or depth >= _DEEPEST:
            yield _unread(step, matches)
            return
        definition = matches[0].definition
        arguments = matches[0].arguments
        values = [_as_passed(argument.value, argument.name, definition.kind) for argument in arguments]
        names = [argument.name for argument in arguments]
        source = self._suite.of(definition.path)
        may_run = may_run_steps(definition, source.data)
        run = steps_run_by(definition, source.data, names, values) if may_run else None
        if run is not None:
            for inner in read_text(step.path, _as_feature(run, language)).steps:
                yield from self.calls(replace(inner, tags=step.tags), language, depth + 1)
            return
        function = source.of(definition)
        places = taken_by(function, matches[0]) if function is not None else None
        if function is None or places is None or step.argument is not None:
            yield _unread(step, matches)
            return
        given = {
            function.taken[at].name: Given(value, kind_of(definition, function.taken[at], number))
            for number, (at, value) in enumerate(zip(places, values, strict=True))
        }
        yield from self._run(function, given, depth)

    def _run(self, function: StepFunction, given: Mapping[str, Given], depth: int) -> Iterator[Call]:
        """The calls of a function with these arguments; `given`: by the names of its parameters."""
        inner = self._calls_of(function) if depth < _DEEPEST else None
        if inner is None:
            definitions = self._suite.of(function.definition.path).on_one_function(function)
            named = frozenset(
                (definition.path, definition.expression, definition.keyword_types) for definition in definitions
            )
            yield (
                named,
                function.code,
                tuple((parameter.name, _plain(given[parameter.name])) for parameter in function.taken),
            )
            return
        declared = {parameter.name: parameter for parameter in function.taken}
        for call in inner:
            values = {}
            for number, parameter in zip(call.function.numbers, call.function.taken, strict=True):
                value = call.given[number]
                if value.kind is None:
                    passed = given.get(value.value)
                    own = declared.get(value.value)
                    typed = style_of(function.definition).types
                    same = own is not None and (not typed or own.type == parameter.type)
                    values[parameter.name] = passed if passed is not None and same else Given(value.value, None)
                else:
                    values[parameter.name] = _as_type(value, parameter, call.function)
            yield from self._run(call.function, values, depth + 1)

    def _calls_of(self, function: StepFunction) -> "list[FunctionCall] | None":
        key = function.definition.id
        if key not in self._inner:
            self._inner[key] = calls_of(function, self._suite)
        return self._inner[key]


def difference(was: _Scenarios, now: _Scenarios) -> str:
    """The first difference between what scenarios of a file call before and after an edit; empty if there is none."""
    if was == now:
        return ""
    if was.keys() != now.keys():
        return "other scenarios would be read"
    name = next(key for key in was if was[key] != now[key])
    calls = [[call for row in rows[name] for call in row] for rows in (was, now)]
    before, after = next(pair for pair in zip_longest(*calls, fillvalue=()) if pair[0] != pair[1])
    if before and after and _named(before) == _named(after):
        return f"the scenario “{name[0]}” would run “{_named(after)}” with other arguments or in another way"
    return f"the scenario “{name[0]}” would run “{_named(after)}” instead of “{_named(before)}”"


def _named(call: Call) -> str:
    """The expression of a call's function, or the text of a step without one."""
    if not call:
        return "nothing"
    first = call[0]
    if isinstance(first, frozenset):
        return str(min(expression for _, expression, _ in first))
    return str(call[1] if first == "undefined" else cast("tuple[tuple[object, ...], ...]", first)[0][1])


def _as_feature(steps: str, language: str) -> str:
    from gherkin.dialect import DIALECTS

    words = cast("Mapping[str, list[str]]", DIALECTS[language])
    return f"# language: {language}\n{words['feature'][0]}: x\n{words['scenario'][0]}: x\n{steps}\n"


def _as_type(given: Given, parameter: Parameter, function: StepFunction) -> Given:
    """A literal for a typed parameter: an integer may become a decimal number."""
    definition = function.definition
    typed = style_of(definition).types.get(parameter.type) if parameter.type else None
    if typed is ValueKind.FLOAT and given.kind is ValueKind.INT:
        return Given(given.value, ValueKind.FLOAT)
    return given


def _plain(given: Given) -> tuple[object, object]:
    """A form that equal values share."""
    number = given.kind is ValueKind.FLOAT and re.fullmatch(r"-?\d*\.?\d+", given.value) is not None
    return (given.kind, float(given.value)) if number else (given.kind, given.value)


def _rows(steps: Sequence[Step]) -> Iterator[list[Step]]:
    tables = steps[0].examples
    if not tables:
        yield [replace(step, examples=()) for step in steps]
    for table in tables:
        for row in table.rows:
            values = dict(zip(table.header, row, strict=False))
            yield [replace(step, text=_filled(step.text, values), examples=()) for step in steps]


def _filled(text: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(f"<{name}>", value)
    return text


def _as_passed(value: str | None, name: str, kind: ExpressionKind) -> str:
    """The value as the function gets it: `{string}` removes the quotes."""
    if kind is ExpressionKind.CUCUMBER and name == "string" and value is not None and value[:1] in ("'", '"'):
        return value[1:-1]
    return value or ""


def _unread(step: Step, matches: Sequence[Match]) -> Call:
    if not matches:
        return ("undefined", step.text, step.argument)
    functions = [match.definition for match in matches]
    named = ((definition.path, definition.expression, definition.keyword_types) for definition in functions)
    return (*zip(named, map(passed, matches), strict=True), step.argument)
