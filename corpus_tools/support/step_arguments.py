"""The contents of a step's table or DocString, which steps themselves do not contain."""

from collections.abc import Sequence
from pathlib import Path

from gherkin.gherkin_line import GherkinLine

from cukereuse_engine.gherkin.broken.docstrings import fence_of
from cukereuse_engine.gherkin.decode import decode
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.tokens import cells_of


class StepArguments:
    """Reads each file once, and only if a step has an argument."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}

    def of(self, step: Step) -> tuple[str, ...] | None:
        """The kind, then the rows' cells or the DocString's lines as the author sees them: without indentation and
        padding. None for a step without argument."""
        if step.argument is None:
            return None
        if step.path not in self._lines:
            self._lines = {step.path: split_lines(decode(Path(step.path).read_bytes()).text)[0]}
        following = self._lines[step.path][step.line :]
        read = _table if step.argument == "table" else _docstring
        return (step.argument, *read(following))


def _table(lines: Sequence[str]) -> list[str]:
    rows = []
    for number, line in enumerate(lines):
        text = line.strip()
        if text.startswith("|"):
            rows.append("\x1f".join(cells_of(GherkinLine(line, number + 1))))
        elif text and not text.startswith("#"):
            break
    return rows


def _docstring(lines: Sequence[str]) -> list[str]:
    opening = next((number for number, line in enumerate(lines) if fence_of(line)), None)
    if opening is None:
        return []
    fence = fence_of(lines[opening])
    indent = len(lines[opening]) - len(lines[opening].lstrip())
    arguments = []
    for line in lines[opening + 1 :]:
        if line.strip() == fence:
            break
        arguments.append(line[min(indent, len(line) - len(line.lstrip())) :].rstrip())
    return arguments
