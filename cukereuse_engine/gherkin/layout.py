"""Formats a feature text: indentation by the kind of line, aligned tables, nothing else.

The contents stay the same: comments, blank lines, names, values of cells and of DocStrings. Only lines that are read as
Gherkin are formatted; skipped lines stay. Formatting twice gives the same as formatting once.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cukereuse_engine.gherkin.outline import TITLES, Mark, MarkKind, Outline, outline
from cukereuse_engine.gherkin.read import read_text

_CELL = re.compile(r"(?:\\.|[^\\|])*", re.DOTALL)
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*%?")
_SEPARATOR = re.compile(r":?-+:?")
_OF_SCENARIOS = frozenset({MarkKind.BACKGROUND, MarkKind.SCENARIO, MarkKind.OUTLINE})
_WIDE = frozenset("WF")
_LEAST_DASHES = 3
_CONFLICT = re.compile(r"(?:<{7}|={7}|>{7}|\|{7})(?:\s|\Z)")
_MARKDOWN = ".md"


@dataclass(frozen=True, slots=True)
class Style:
    unit: str = "  "
    """One level of indentation."""
    numbers_right: bool = False
    """Cells that hold a number are aligned to the right."""
    flat_scenarios: bool = False
    """Scenarios, rules and backgrounds begin in the column of their feature."""
    flat_arguments: bool = False
    """Tables and DocStrings begin in the column of their step."""


def laid_out(path: str, text: str, style: Style = Style()) -> list[str]:
    """The formatted lines of a text that is, or would be, in the file `path`, without their endings, in the order and
    number of `lines.split_lines`. A leading byte order mark is not counted."""
    layout = _Layout(path, text, style)
    new = layout.lines()
    before = _content_of(path, text)
    # in a damaged text, indentation has a meaning: a text that would be read differently stays as it is
    return new if not before.is_damaged or _content_of(path, "\n".join(new)) == before else layout.given


@dataclass(frozen=True, slots=True)
class _Content:
    """The contents of a text, line by line: the steps with their places, and what had to be skipped."""

    steps: list[tuple[object, ...]]
    errors: list[tuple[int, str]]
    docstrings: list[tuple[int, int]]

    @property
    def is_damaged(self) -> bool:
        return bool(self.errors)


def _content_of(path: str, text: str) -> _Content:
    file = read_text(path, text)
    return _Content(
        [
            (step.line, step.keyword, step.text, step.rule, step.scenario, step.argument, step.tags, step.examples)
            for step in file.steps
        ],
        [(error.line, error.message) for error in file.errors],
        [(mark.line, mark.end_line) for mark in outline(path, text).marks if mark.kind is MarkKind.DOCSTRING],
    )


def tables(path: str, text: str) -> list[range]:
    """The 1-based lines of each table: adjacent rows, including comments between them."""
    return [range(rows[0], rows[-1] + 1) for rows in _tables(outline(path, text))]


class _Layout:
    def __init__(self, path: str, text: str, style: Style) -> None:
        self._plan: Outline = outline(path, text)
        self._style = style
        self._markdown = path.lower().endswith(_MARKDOWN)
        self._new = [*self._plan.lines]

    @property
    def given(self) -> list[str]:
        """The lines as they are."""
        return [*self._plan.lines]

    def lines(self) -> list[str]:
        if self._has_open_docstring():
            return self._new
        levels = list(_levels(self._plan.marks, self._style))
        if not self._markdown:
            for mark, level in zip(self._plan.marks, levels, strict=True):
                self._indent(mark, self._style.unit * level)
            self._descriptions(levels)
        for rows in _tables(self._plan):
            self._align(rows)
        return self._new

    def _has_open_docstring(self) -> bool:
        """True if a DocString is never closed, so that only indentation tells how much of the file is its text; also if
        a line begins like a DocString and was not read as one."""
        marks = [mark for mark in self._plan.marks if mark.kind is MarkKind.DOCSTRING]
        if any(mark.end_line == mark.line or not _is_fence(self._plan.lines[mark.end_line - 1]) for mark in marks):
            return True
        inside = {number for mark in marks for number in range(mark.line, mark.end_line + 1)}
        return not self._markdown and any(
            number not in inside and _is_fence(line) for number, line in enumerate(self._plan.lines, 1)
        )

    def _indent(self, mark: Mark, indent: str) -> None:
        line = self._plan.lines[mark.line - 1]
        if mark.kind is MarkKind.LANGUAGE:
            return
        if mark.kind is MarkKind.DOCSTRING:
            self._docstring(mark, indent)
        elif mark.kind is MarkKind.STEP and mark.text:
            self._new[mark.line - 1] = f"{indent}{mark.keyword}{mark.text}".rstrip()
        elif mark.kind in TITLES and line.lstrip().startswith(f"{mark.keyword}:"):
            self._new[mark.line - 1] = f"{indent}{mark.keyword}: {mark.text}".rstrip()
        elif mark.kind is MarkKind.STEP:  # without its blank it would be no step
            self._new[mark.line - 1] = f"{indent}{line.lstrip()}"
        else:
            self._new[mark.line - 1] = f"{indent}{line.strip()}"

    def _docstring(self, mark: Mark, indent: str) -> None:
        """Indent a DocString: its text begins at the column of its fence."""
        depth = mark.column - 1
        inside = range(mark.line + 1, mark.end_line + 1)
        for number in (mark.line, *inside):
            line = self._plan.lines[number - 1]
            content = line[min(depth, len(line) - len(line.lstrip())) :]
            self._new[number - 1] = f"{indent}{content}" if content else ""
        for number in {mark.line, mark.end_line}:
            fence = self._new[number - 1]
            if _is_fence(fence):
                self._new[number - 1] = f"{indent}{fence.strip()}"

    def _descriptions(self, levels: Sequence[int]) -> None:
        """Move the free lines below a title together, so that the outermost is one level deeper than the title."""
        marks = self._plan.marks
        for at, mark in enumerate(marks):
            if mark.kind not in TITLES:
                continue
            end = marks[at + 1].line if at + 1 < len(marks) else len(self._plan.lines) + 1
            free = [number for number in range(mark.line + 1, end) if self._plan.lines[number - 1].strip()]
            free = [number for number in free if not _CONFLICT.match(self._plan.lines[number - 1])]
            margins = [len(line) - len(line.lstrip()) for line in (self._plan.lines[number - 1] for number in free)]
            indent = self._style.unit * (levels[at] + 1)
            for number in free:
                self._new[number - 1] = indent + self._plan.lines[number - 1][min(margins) :].rstrip()

    def _align(self, numbers: Sequence[int]) -> None:
        """Pad the cells of a column to its widest; a row may have fewer cells, and text after its last bar."""
        rows = [_cells(self._plan.lines[number - 1]) for number in numbers]
        widths: list[int] = []
        for cells, _ in rows:
            widths += [0] * (len(cells) - len(widths))
            for column, cell in enumerate(cells):
                dashes = self._markdown and _SEPARATOR.fullmatch(cell)
                widths[column] = max(widths[column], _LEAST_DASHES if dashes else _width(cell))
        first = self._new[numbers[0] - 1]
        indent = first[: len(first) - len(first.lstrip())]
        for number, (cells, rest) in zip(numbers, rows, strict=True):
            padded = "".join(f" {self._padded(cell, widths[column])} |" for column, cell in enumerate(cells))
            self._new[number - 1] = f"{indent}|{padded}{rest}"

    def _padded(self, cell: str, width: int) -> str:
        if self._markdown and _SEPARATOR.fullmatch(cell):
            dashes = "-" * (width - cell.count(":"))
            return f"{':' * cell.startswith(':')}{dashes}{':' * (len(cell) > 1 and cell.endswith(':'))}"
        missing = " " * (width - _width(cell))
        return missing + cell if self._style.numbers_right and _NUMBER.fullmatch(cell) else cell + missing


def _is_fence(line: str) -> bool:
    return line.strip().startswith(('"""', "```"))


def _levels(marks: Sequence[Mark], style: Style) -> Iterator[int]:
    """The level of each mark. Tags and comments have that of the next line."""
    own = list(_own_levels(marks, style))
    below: list[int] = []
    following: int | None = None
    for level in reversed(own):
        following = level if level is not None else following
        below.append(following if following is not None else -1)
    last = 0
    for level, of_next in zip(own, reversed(below), strict=True):
        last = level if level is not None else last
        yield last if of_next < 0 else of_next


def _own_levels(marks: Sequence[Mark], style: Style) -> Iterator[int | None]:
    inner = 0 if style.flat_scenarios else 1
    of_arguments = 1 if style.flat_arguments else 2
    outer = owner = inner
    for mark in marks:
        if mark.kind is MarkKind.FEATURE:
            outer = owner = inner
            yield 0
        elif mark.kind is MarkKind.RULE:
            outer = owner = inner + 1
            yield inner
        elif mark.kind in _OF_SCENARIOS:
            owner = outer
            yield outer
        elif mark.kind in (MarkKind.STEP, MarkKind.EXAMPLES):
            yield owner + 1
        elif mark.kind in (MarkKind.ROW, MarkKind.DOCSTRING):
            yield owner + of_arguments
        else:
            yield None


def _tables(plan: Outline) -> Iterator[list[int]]:
    """The line numbers of the rows of each table, including rows with more or fewer cells, which the reader skips,
    because every row counts while it is typed."""
    kinds = {number: mark.kind for mark in plan.marks for number in range(mark.line, mark.end_line + 1)}
    table: list[int] = []
    for number, line in enumerate(plan.lines, 1):
        kind = kinds.get(number)
        if kind is MarkKind.ROW or (table and kind is None and line.lstrip().startswith("|")):
            table.append(number)
        elif table and line.strip() and kind is not MarkKind.COMMENT:
            yield table
            table = []
    if table:
        yield table


def _cells(line: str) -> tuple[list[str], str]:
    """The cells of a row as written, trimmed, and the text after its last bar."""
    text = line.strip()
    cells: list[str] = []
    at = 1
    while True:
        match = _CELL.match(text, at)
        assert match is not None
        if match.end() >= len(text):
            rest = text[at:].strip()
            return cells, f" {rest}" if rest else ""
        cells.append(match.group().strip())
        at = match.end() + 1


def _width(text: str) -> int:
    """The number of columns in a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in _WIDE else 1
        for character in text
    )
