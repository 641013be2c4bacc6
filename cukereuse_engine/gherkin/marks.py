"""The kind of each line of a feature text, beside its steps: recorded while a builder makes records.

Never decides what a line is: its token tells.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from cukereuse_engine.gherkin.broken.docstrings import MARKDOWN_FENCES, fence_of
from cukereuse_engine.gherkin.builder import StepBuilder
from cukereuse_engine.gherkin.tokens import LineToken


class MarkKind(StrEnum):
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


TITLES = frozenset(
    {MarkKind.FEATURE, MarkKind.RULE, MarkKind.BACKGROUND, MarkKind.SCENARIO, MarkKind.OUTLINE, MarkKind.EXAMPLES}
)
_KINDS = {
    "FeatureLine": MarkKind.FEATURE,
    "RuleLine": MarkKind.RULE,
    "BackgroundLine": MarkKind.BACKGROUND,
    "ScenarioLine": MarkKind.SCENARIO,
    "ExamplesLine": MarkKind.EXAMPLES,
    "StepLine": MarkKind.STEP,
    "TagLine": MarkKind.TAGS,
    "TableRow": MarkKind.ROW,
    "DocStringSeparator": MarkKind.DOCSTRING,
    "Comment": MarkKind.COMMENT,
    "Language": MarkKind.LANGUAGE,
}


@dataclass(slots=True)
class Mark:
    """One line that is Gherkin, or the lines of one DocString."""

    kind: MarkKind
    line: int
    """1-based."""
    column: int
    """1-based code points: of the keyword, or of the first character."""
    end_line: int
    """That of a DocString's last line; else `line`."""
    keyword: str = ""
    """The keyword as written: "Given ", "Scenario"; without the colon of a title."""
    text: str = ""
    """The text of a step; the name of a title."""


class Recorder(StepBuilder):
    """Records marks beside what it builds."""

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
        if kind in TITLES or kind is MarkKind.STEP:
            mark.keyword, mark.text = token.matched_keyword or "", token.matched_text  # Markdown's title needs none
            mark.column = token.location["column"] or indent + 1
        mark.column = min(mark.column, len(self._lines[line - 1]) + 1)
        if kind is MarkKind.SCENARIO:
            self._scenario = mark
            if self._block is not None and self._block.is_outline:
                mark.kind = MarkKind.OUTLINE
        elif kind is MarkKind.EXAMPLES and self._scenario is not None:
            self._scenario.kind = MarkKind.OUTLINE
        elif kind in (MarkKind.FEATURE, MarkKind.RULE, MarkKind.BACKGROUND):
            self._scenario = None
        self.marks.append(mark)


def whole_docstrings(marks: Sequence[Mark], lines: Sequence[str]) -> list[Mark]:
    """The marks with both separators of a DocString as one. Recovery reports only the first: the DocString ends at its
    fence, or where something else begins."""
    whole: list[Mark] = []
    opened: Mark | None = None
    for mark in sorted(marks, key=lambda mark: mark.line):
        if mark.kind is MarkKind.DOCSTRING and opened is not None and _closes(opened, mark.line, lines):
            opened.end_line = mark.line
            opened = None
            continue
        if opened is not None:
            opened.end_line = _end_of_docstring(opened, mark.line, lines)
            opened = None
        whole.append(mark)
        if mark.kind is MarkKind.DOCSTRING:
            opened = mark
    if opened is not None:
        opened.end_line = _end_of_docstring(opened, len(lines) + 1, lines)
    return whole


def _closes(opened: Mark, line: int, lines: Sequence[str]) -> bool:
    fence = fence_of(lines[opened.line - 1], MARKDOWN_FENCES) or lines[opened.line - 1].strip()[:3]
    return lines[line - 1].strip().startswith(fence)


def _end_of_docstring(opened: Mark, before: int, lines: Sequence[str]) -> int:
    inside = range(opened.line + 1, before)
    return next((line for line in inside if _closes(opened, line, lines)), max(before - 1, opened.line))
