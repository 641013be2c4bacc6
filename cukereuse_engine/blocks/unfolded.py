"""What scenarios come to when they are run: the sequence of bound functions with their arguments, steps that only run
other steps replaced by these.

Reads feature files and sources, and knows nothing of what changed in them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from cukereuse_engine.blocks.composite import steps_run_by
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.definition import ExpressionKind, Match
from cukereuse_engine.refactor.check import passed
from cukereuse_engine.refactor.model import Bindings

Call = tuple[object, ...]
"""A function by its file, expression and name, and what it gets; or a step without one, by its text."""
_DEEPEST = 20
"""Steps that run steps that run steps."""


def unfolded(
    steps: Sequence[Step], glue: Bindings, source_of: Callable[[str], str], language: str
) -> dict[tuple[str, int], list[tuple[Call, ...]]]:
    """Scenario by name and number in the file, to what each of its Examples rows, or the one scenario, calls."""
    scenarios: dict[int, list[Step]] = {}
    for step in steps:
        scenarios.setdefault(step.scenario_line, []).append(step)
    found = {}
    for number, (_, group) in enumerate(sorted(scenarios.items())):
        ordered = sorted(group, key=lambda step: step.line)
        found[ordered[0].scenario, number] = [
            tuple(call for step in row for call in _calls(step, glue, source_of, language)) for row in _rows(ordered)
        ]
    return found


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


def _calls(
    step: Step, glue: Bindings, source_of: Callable[[str], str], language: str, depth: int = 0
) -> Iterator[Call]:
    matches = [match for bound in glue.bind(step).texts for match in bound.matches]
    if len(matches) == 1 and depth < _DEEPEST:
        definition = matches[0].definition
        arguments = matches[0].arguments
        values = [_as_passed(one.value, one.name, definition.kind) for one in arguments]
        names = [one.name for one in arguments]
        run = steps_run_by(definition, source_of(definition.path), names, values)
        if run is not None:
            text = f"# language: {language}\nFeature: x\nScenario: x\n{run}\n"
            for inner in read_text(step.path, text).steps:
                yield from _calls(replace(inner, tags=step.tags), glue, source_of, language, depth + 1)
            return
    yield _call(step, matches)


def _as_passed(value: str | None, name: str, kind: ExpressionKind) -> str:
    """`{string}` takes the quotes off."""
    if kind is ExpressionKind.CUCUMBER and name == "string" and value is not None and value[:1] in ("'", '"'):
        return value[1:-1]
    return value or ""


def _call(step: Step, matches: Sequence[Match]) -> Call:
    if not matches:
        return ("undefined", step.text, step.argument)
    functions = [match.definition for match in matches]
    named = ((one.path, one.expression, one.function_name) for one in functions)
    return (*zip(named, map(passed, matches), strict=True), step.argument)
