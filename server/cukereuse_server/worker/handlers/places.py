"""Places of steps, definitions and calls in the form of answers; and the step on a line."""

from pathlib import Path
from typing import TYPE_CHECKING

from cukereuse_engine.findings import finding as engine
from cukereuse_engine.gherkin.decode import decode
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.lines import line_at, split_lines
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_server.protocol.places import Place
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.view import View

if TYPE_CHECKING:
    from cukereuse_engine.refactor.step_call import StepCall

_FEW = 4
"""Number of lines that are looked up one by one before a text is split."""


class PlaceMaker:
    """Makes `Place`s for one answer; reads a closed file only if a line may contain more than ASCII."""

    def __init__(self, workspace: View) -> None:
        self._workspace = workspace
        self._lines: dict[str, list[str]] = {}
        self._looked_up = 0

    def of_step(self, step: Step) -> Place:
        return self.at(
            step.path, step.line, step.column, step.span.end_column, ascii=(step.keyword + step.text).isascii()
        )

    def of(self, place: engine.Place) -> Place:
        """The place of a finding; if it has several lines, the first."""
        if place.step is not None and place.end_line == place.line:
            return self.of_step(place.step)
        end = place.end_column if place.end_line == place.line else len(self.line(place.path, place.line)) + 1
        return self.at(place.path, place.line, place.column, end)

    def at(self, path: str, line: int, column: int, end_column: int, *, ascii: bool = False) -> Place:
        """`ascii`: true if the line is known to be ASCII."""
        text = "" if ascii else self.line(path, line)
        return Place(path, line, column, end_column, "" if text.isascii() else text)

    def line(self, path: str, line: int) -> str:
        if path not in self._lines and self._looked_up < _FEW:
            self._looked_up += 1
            text = self._text(path)
            place = line_at(text, line - 1) if line > 0 else None
            return text[slice(*place)] if place is not None else ""
        lines = self.lines(path)
        return lines[line - 1] if 0 < line <= len(lines) else ""

    def lines(self, path: str) -> list[str]:
        lines = self._lines.get(path)
        if lines is None:
            lines = self._lines[path] = split_lines(self._text(path))[0]
        return lines

    def _text(self, path: str) -> str:
        buffer = self._workspace.buffers.get(path)
        if buffer is not None:
            return buffer.text
        try:
            return decode(Path(path).read_bytes()).text
        except (OSError, ValueError):
            return ""


def step_on(workspace: View, path: str, line: int) -> tuple[SuiteState, Step, str] | None:
    """The step on a line, with its suite and the key of its template; None if there is no step with a text."""
    suite, step = workspace.suite_of(path), workspace.step_at(path, line)
    key = suite.key_of(step.text) if suite is not None and step is not None and step.text else None
    return (suite, step, key) if suite is not None and step is not None and key is not None else None


def place_of_definition(places: PlaceMaker, definition: StepDefinition) -> Place:
    """The place of the expression; if it has several lines, the first."""
    span = definition.literal
    end = span.end_column if span.end_line == span.line else len(places.line(definition.path, span.line)) + 1
    return places.at(definition.path, span.line, span.column, end)


def place_of_call(places: PlaceMaker, call: "StepCall") -> Place:
    return places.at(call.step.path, call.step.line, call.step.column, call.step.span.end_column)
