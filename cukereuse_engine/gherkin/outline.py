"""A feature text by its lines: titles, steps, tags, tables, DocStrings, comments, where they stand and what they hold.

For what an editor shows of the text itself: symbols, folding, colours, and what may be written at a place. Reads as
`parse` does, recovery included, so that both always agree on what a line is. Never raises for a text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from cukereuse_engine.gherkin.builder import StepBuilder
from cukereuse_engine.gherkin.docstrings import fence_of
from cukereuse_engine.gherkin.flavour import Flavour, flavour_of
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.parse import build
from cukereuse_engine.gherkin.records import FileRecord
from cukereuse_engine.gherkin.tokens import LineToken


class Kind(StrEnum):
    FEATURE = "feature"
    RULE = "rule"
    BACKGROUND = "background"
    SCENARIO = "scenario"
    OUTLINE = "outline"
    """A scenario with a keyword for outlines, or with Examples."""
    EXAMPLES = "examples"
    STEP = "step"
    TAGS = "tags"
    ROW = "row"
    DOCSTRING = "docstring"
    COMMENT = "comment"
    LANGUAGE = "language"


TITLES = frozenset({Kind.FEATURE, Kind.RULE, Kind.BACKGROUND, Kind.SCENARIO, Kind.OUTLINE, Kind.EXAMPLES})
_KINDS = {
    "FeatureLine": Kind.FEATURE,
    "RuleLine": Kind.RULE,
    "BackgroundLine": Kind.BACKGROUND,
    "ScenarioLine": Kind.SCENARIO,
    "ExamplesLine": Kind.EXAMPLES,
    "StepLine": Kind.STEP,
    "TagLine": Kind.TAGS,
    "TableRow": Kind.ROW,
    "DocStringSeparator": Kind.DOCSTRING,
    "Comment": Kind.COMMENT,
    "Language": Kind.LANGUAGE,
}


@dataclass(slots=True)
class Mark:
    """One line that is Gherkin, or the lines of one DocString."""

    kind: Kind
    line: int
    """1-based."""
    column: int
    """1-based code points: of the keyword, or of the first character."""
    end_line: int
    """That of a DocString's last line; else `line`."""
    keyword: str = ""
    """As written: "Given ", "Scenario"; of titles without the colon."""
    text: str = ""
    """Of a step; the name of a title."""


@dataclass(frozen=True, slots=True)
class Outline:
    language: str
    lines: tuple[str, ...]
    marks: tuple[Mark, ...]
    """By line. Lines that are no Gherkin, and descriptions, are none."""

    def before(self, line: int) -> Mark | None:
        """The last title or step above a line: what decides what may stand there."""
        last = None
        for mark in self.marks:
            if mark.line >= line:
                break
            if mark.kind in TITLES or mark.kind is Kind.STEP:
                last = mark
        return last

    def at(self, line: int) -> Mark | None:
        """What a line is, or is a part of."""
        return next((mark for mark in self.marks if mark.line <= line <= mark.end_line), None)

    def section_end(self, at: int) -> int:
        """Last line of what the title `marks[at]` opens; comments and tags above the next title belong to that."""
        end = self.marks[at].line
        level = _LEVELS[self.marks[at].kind]
        for mark in self.marks[at + 1 :]:
            if _LEVELS.get(mark.kind, _INNERMOST) <= level:
                break
            if mark.kind not in (Kind.TAGS, Kind.COMMENT):
                end = mark.end_line
        return end


_INNERMOST = 9
_LEVELS = {
    Kind.FEATURE: 0,
    Kind.RULE: 1,
    Kind.BACKGROUND: 2,
    Kind.SCENARIO: 2,
    Kind.OUTLINE: 2,
    Kind.EXAMPLES: 3,
    Kind.STEP: 3,
}


def outline(path: str, text: str) -> Outline:
    """The outline of a text that is, or would be, in the file `path`. Lines are those of `lines.split_lines`; a
    leading byte order mark is not counted."""
    return _outline(text.removeprefix("\ufeff"), flavour_of(path))


@lru_cache(maxsize=4)
def _outline(text: str, flavour: Flavour) -> Outline:
    recorder, _ = _recorded(text, flavour)
    lines = split_lines(text)[0]
    marks = _whole_docstrings(recorder.marks, lines)
    return Outline(recorder.language, tuple(lines), tuple(marks))


def parse_once(text: str, encoding: str, *, flavour: Flavour) -> FileRecord:
    """As `parse.parse`, for texts whose outline is asked for too: both come from one reading."""
    recorder, recovered = _recorded(text, flavour)
    return recorder.record(encoding, recovered=recovered)


@lru_cache(maxsize=4)
def _recorded(text: str, flavour: Flavour) -> "tuple[_Recorder, bool]":
    return build(text, _Recorder, flavour=flavour)


class _Recorder(StepBuilder):
    """Keeps what it is told beside what it builds."""

    def reset(self) -> None:
        super().reset()
        self.marks: list[Mark] = []
        self._scenario: Mark | None = None

    def build(self, token: LineToken) -> None:
        super().build(token)
        kind = _KINDS.get(token.matched_type or "")
        if kind is None:
            return
        line = token.location["line"]
        indent = token.line.indent
        mark = Mark(kind, line, indent + 1, line)
        if kind in TITLES or kind is Kind.STEP:
            mark.keyword, mark.text = token.matched_keyword or "", token.matched_text  # Markdown's title needs none
            mark.column = token.location["column"] or indent + 1
        mark.column = min(mark.column, len(self._lines[line - 1]) + 1)
        if kind is Kind.SCENARIO:
            self._scenario = mark
            if self._block is not None and self._block.is_outline:
                mark.kind = Kind.OUTLINE
        elif kind is Kind.EXAMPLES and self._scenario is not None:
            self._scenario.kind = Kind.OUTLINE
        elif kind in (Kind.FEATURE, Kind.RULE, Kind.BACKGROUND):
            self._scenario = None
        self.marks.append(mark)


def _whole_docstrings(marks: Sequence[Mark], lines: Sequence[str]) -> list[Mark]:
    """Both separators as one mark. Recovery tells of the first one only: the DocString ends at its fence, or where
    something else begins."""
    whole: list[Mark] = []
    opened: Mark | None = None
    for mark in sorted(marks, key=lambda mark: mark.line):
        if mark.kind is Kind.DOCSTRING and opened is not None and _closes(opened, mark, lines):
            opened.end_line = mark.line
            opened = None
            continue
        if opened is not None:
            opened.end_line = _end_of_docstring(opened, mark.line, lines)
            opened = None
        whole.append(mark)
        if mark.kind is Kind.DOCSTRING:
            opened = mark
    if opened is not None:
        opened.end_line = _end_of_docstring(opened, len(lines) + 1, lines)
    return whole


def _closes(opened: Mark, mark: Mark, lines: Sequence[str]) -> bool:
    return _fence(opened, lines) == lines[mark.line - 1].strip()


def _end_of_docstring(opened: Mark, before: int, lines: Sequence[str]) -> int:
    fence = _fence(opened, lines)
    inside = range(before - 1, opened.line, -1)
    return next((number for number in inside if lines[number - 1].strip() == fence), max(before - 1, opened.line))


def _fence(opened: Mark, lines: Sequence[str]) -> str:
    line = lines[opened.line - 1]
    return fence_of(line, markdown=True) or line.strip()[:3]
