"""Answers for navigation: where a step or a step definition is used, what a step binds to, and its other wordings.

Reads a suite as it is and changes nothing. Lists are in the order of a scan: files by path, steps in order.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Set
from dataclasses import replace

from msgspec import structs

from cukereuse_engine.gherkin.feature import Examples, Step
from cukereuse_engine.gherkin.outline import MarkKind, Outline, outline
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.step_binding import StepBinding, expanded_texts
from cukereuse_engine.refactor.arguments import UnmappableError, masked_arguments
from cukereuse_engine.refactor.members import Arguments, member_of
from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.view import View

_BAR = re.compile(r"\\.|(\|)")


def steps_of_wording(suite: SuiteState, key: str) -> list[Step]:
    """Every step with this template."""
    return _in_order(suite, (step for text in suite.texts.members.get(key, ()) for step in suite.texts.steps(text)))


def other_wordings(suite: SuiteState, path: str, key: str) -> list[tuple[StepText, int]] | None:
    """Other wordings of the intent of a template in the file `path`, each with its number of steps, most used first.
    None while they are unknown."""
    return wordings_beside(suite, key) if suite.findings.is_known(path) else None


def wordings_beside(suite: SuiteState, key: str) -> list[tuple[StepText, int]]:
    """As `other_wordings`, for a template whose findings are known."""
    for cluster in suite.component(key).clusters:
        keys = dict.fromkeys(text.template.key for text in cluster.texts)
        if key in keys:
            wordings = [(suite.wording(other), suite.texts.occurrences(other)) for other in keys if other != key]
            return sorted(wordings, key=lambda pair: (-pair[1], pair[0].text))
    return []


def known_glue(suite: SuiteState) -> Glue | None:
    """The suite's glue, if it has any step definition."""
    return suite.glue if suite.glue is not None and suite.glue.definitions else None


def binding_of(suite: SuiteState, step: Step) -> StepBinding | None:
    """The binding of a step; None if no step definitions are known."""
    glue = known_glue(suite)
    return glue.bind(step) if glue is not None else None


def arguments_of_step(suite: SuiteState, step: Step) -> Arguments:
    """The arguments that its definition captures, if it is known, or else those that the mask finds."""
    glue = known_glue(suite)
    if glue is not None:
        try:
            captured = member_of(step, glue.bind).captured
        except UnmappableError:
            captured = None
        if captured is not None:
            return tuple(argument for argument in captured if argument.text)
    return masked_arguments(step.text)


def definitions_at(workspace: View, path: str, line: int) -> list[tuple[SuiteState, StepDefinition]]:
    """Step definitions whose expression is on a 1-based line of a source, each with every suite that reads it."""
    return [
        (suite, definition)
        for suite in workspace.suites.values()
        for definition in (suite.glue.definitions if suite.glue is not None else ())
        if definition.path == path and definition.literal.line <= line <= definition.literal.end_line
    ]


def definitions_in(workspace: View, path: str) -> list[StepDefinition]:
    """The present step definitions of a source, each once."""
    definitions = {
        definition.id: definition
        for suite in workspace.suites.values()
        for definition in (suite.glue.definitions if suite.glue is not None else ())
        if definition.path == path
    }
    return sorted(definitions.values(), key=lambda definition: definition.literal.start_byte)


def used_beside(workspace: View, suite: SuiteState, definition: StepDefinition) -> bool:
    """True if another suite that reads a definition's source uses it, or if that is not known yet."""
    return any(
        other is not suite
        and other.sources is not None
        and definition.path in other.sources
        and other.is_used(definition)
        for other in workspace.suites.values()
    )


def steps_of_definition(suite: SuiteState, definition: StepDefinition) -> list[Step]:
    """Every step that binds to a definition, through any Examples row."""
    glue = suite.glue
    if glue is None:
        return []
    bound: dict[Hashable, bool] = {}
    kept = []
    for step in _candidates(suite, glue.texts_of(definition.id)):
        role = (step.text, glue.role_of(step))
        if role not in bound:
            bound[role] = glue.binds_to(step, definition.id)
        if bound[role]:
            kept.append(step)
    return _in_order(suite, kept)


def _candidates(suite: SuiteState, texts: Set[str]) -> Iterator[Step]:
    """Steps that have one of the texts, as they are written or by their Examples."""
    names = {normalise(text) for text in texts} | {f"{normalise(text)}:" for text in texts}  # behave drops a colon
    for text in names:
        if text in suite.texts.texts:
            yield from suite.texts.steps(text)
    for text in suite.texts.texts:
        if "<" in text and text not in names:
            for step in suite.texts.steps(text):
                if step.examples and not texts.isdisjoint(expanded_texts(step)):
                    yield step


def steps_like(suite: SuiteState, step: Step, key: str) -> list[Step]:
    """Every step that runs the same: those that bind to one of its step definitions or, if none is known, those of its
    wording."""
    binding = binding_of(suite, step)
    if binding is None or not binding.definitions:
        return steps_of_wording(suite, key)
    steps = [like for definition in binding.definitions for like in steps_of_definition(suite, definition)]
    return _in_order(suite, {(like.path, like.line): like for like in steps}.values())


def is_used_again(suite: SuiteState, step: Step, key: str) -> bool:
    """True if `steps_like` has more than the step itself; fast enough for many steps."""
    if suite.texts.occurrences(key) > 1:
        return True
    glue, binding = suite.glue, binding_of(suite, step)
    if (
        glue is None
        or binding is None
        or all(len(glue.texts_of(definition.id)) < 2 for definition in binding.definitions)
    ):
        return False
    return len(steps_like(suite, step, key)) > 1


def steps_of_row(workspace: View, path: str, line: int, column: int) -> list[Step]:
    """The steps that an Examples row fills, with its values: those that use the cell at `column`, or else all. For a
    table's header, the steps as they are written."""
    buffer, file = workspace.buffers.get(path), workspace.file(path)
    if buffer is None or file is None:
        return []
    plan = outline(path, buffer.text)
    title, row = _examples_row(plan, line)
    if not title:
        return []
    cell = sum(1 for match in _BAR.finditer(plan.lines[line - 1][: column - 1]) if match.group(1)) - 1
    name = _header_at(file.steps, title, cell)
    steps: list[Step] = []
    using: list[Step] = []
    for step in file.steps:
        examples = next((table for table in step.examples if table.line == title), None)
        if examples is not None and "<" in step.text:
            steps.append(step if row == 0 else _filled(step, examples, row - 1))
            using += [steps[-1]] if name and f"<{name}>" in step.text else []
    return using or steps


def _examples_row(plan: Outline, line: int) -> tuple[int, int]:
    """The line of the title of the Examples that a row is in, and its number there; 0 is the header. (0, 0) for a line
    that is no such row."""
    rows: list[int] = []
    title = 0
    for mark in plan.marks:
        if mark.line > line:
            break
        if mark.kind is MarkKind.ROW and title:
            rows.append(mark.line)
        elif mark.kind is MarkKind.EXAMPLES:
            title, rows = mark.line, []
        elif mark.kind is not MarkKind.COMMENT:
            title = 0
    return (title, rows.index(line)) if title and line in rows else (0, 0)


def _header_at(steps: Iterable[Step], title: int, cell: int) -> str:
    headers = (table.header for step in steps for table in step.examples if table.line == title)
    header = next(headers, ())
    return header[cell] if 0 <= cell < len(header) else ""


def _filled(step: Step, examples: Examples, row: int) -> Step:
    if row >= len(examples.rows):
        return step
    filled = structs.replace(step, examples=(_only(examples, row),))
    return structs.replace(step, text=expanded_texts(filled)[0], examples=())


def _only(examples: Examples, row: int) -> Examples:
    return replace(examples, rows=(examples.rows[row],))


def _in_order(suite: SuiteState, steps: Iterable[Step]) -> list[Step]:
    files = suite.texts.files
    return sorted(steps, key=lambda step: (files[step.path].sort_key, step.span.start))
