"""A feature text by its lines: titles, steps, tags, tables, DocStrings, comments, with their places and contents.

For editors: symbols, folding, colours, and what may be written at a place. Reads as `parse` does, including recovery,
so that both always agree on what a line is. Never raises for a text.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from cukereuse_engine.gherkin.flavour import Flavour, flavour_of
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.marks import TITLES, Mark, MarkKind
from cukereuse_engine.gherkin.rereading import reading_of

__all__ = ["TITLES", "Mark", "MarkKind", "Outline", "outline"]


@dataclass(frozen=True, slots=True)
class Outline:
    language: str
    lines: tuple[str, ...]
    marks: tuple[Mark, ...]
    """Marks by line. Descriptions, and lines that are no Gherkin, have none."""

    def before(self, line: int) -> Mark | None:
        """The last title or step above a line: it decides what may follow."""
        last = None
        for mark in self.marks:
            if mark.line >= line:
                break
            if mark.kind in TITLES or mark.kind is MarkKind.STEP:
                last = mark
        return last

    def at(self, line: int) -> Mark | None:
        """The mark that contains a line."""
        return next((mark for mark in self.marks if mark.line <= line <= mark.end_line), None)

    def behind(self, at: int) -> Iterator[Mark]:
        """Yields the marks below `marks[at]`, as far as they are needed."""
        return map(self.marks.__getitem__, range(at + 1, len(self.marks)))

    def section_end(self, at: int) -> int:
        """Last line of what the title `marks[at]` opens; comments and tags above the next title belong to that."""
        end = self.marks[at].line
        level = _LEVELS[self.marks[at].kind]
        for mark in self.behind(at):
            if _LEVELS.get(mark.kind, _INNERMOST) <= level:
                break
            if mark.kind not in (MarkKind.TAGS, MarkKind.COMMENT):
                end = mark.end_line
        return end


_INNERMOST = 9
_LEVELS = {
    MarkKind.FEATURE: 0,
    MarkKind.RULE: 1,
    MarkKind.BACKGROUND: 2,
    MarkKind.SCENARIO: 2,
    MarkKind.OUTLINE: 2,
    MarkKind.EXAMPLES: 3,
    MarkKind.STEP: 3,
}


def outline(path: str, text: str) -> Outline:
    """The outline of a text that is, or would be, in the file `path`. Lines are those of `lines.split_lines`; a
    leading byte order mark is not counted."""
    return _outline(text.removeprefix("\ufeff"), flavour_of(path))


@lru_cache(maxsize=4)
def _outline(text: str, flavour: Flavour) -> Outline:
    reading = reading_of(text, flavour)
    return Outline(reading.language, tuple(split_lines(text)[0]), reading.marks())
