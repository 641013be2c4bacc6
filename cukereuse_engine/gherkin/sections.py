"""A text by sections: the part before the first scenario, then each scenario, and each rule's own lines.

A section counts lines and offsets from its own beginning, so that a section that only moved is reused.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TypeVar

from cukereuse_engine.gherkin.broken.docstrings import BEHAVE_FENCES
from cukereuse_engine.gherkin.broken.recovery import CONFLICT
from cukereuse_engine.gherkin.broken.titles import bad_title
from cukereuse_engine.gherkin.dialects import keywords
from cukereuse_engine.gherkin.feature import Comment, FeatureFile, PartedSteps, Parts, ReadError, Step
from cukereuse_engine.gherkin.flavour import Flavour
from cukereuse_engine.gherkin.marks import Mark, MarkKind, Recorder, whole_docstrings
from cukereuse_engine.gherkin.records import BlockRecord, Note, moved_steps, steps_of

_T = TypeVar("_T")

HEADS = (MarkKind.FEATURE, MarkKind.RULE, MarkKind.BACKGROUND)
"""Kinds of marks that make a section a head."""


@dataclass(slots=True, eq=False)
class Section:
    """Lines and offsets count from the section's first. Its steps are its own, or, if its file was recovered and they
    differ, those in `when_recovered`."""

    lines: int
    characters: int
    """Line endings included."""
    is_head: bool
    """A feature's or rule's own lines, up to its first scenario."""
    blocks: list[BlockRecord]
    notes: list[Note]
    comments: list[tuple[int, str]]
    marks: list[Mark]
    is_odd: bool
    """True if damage of another section may change its reading, or if its own damage may reach into another."""
    recovered: bool = False
    """The official parser refuses it."""
    count: int = 0
    """Number of its steps."""
    when_recovered: object = field(default_factory=object)
    made: "_Part | None" = None
    """Its steps, as they were last requested."""
    shown: tuple[int, tuple[Mark, ...]] | None = None
    """The number of lines before it when its marks were last requested, and these marks."""

    def part(self, path: str, line: int, start: int, *, recovered: bool) -> "_Part":
        """Its steps after so many lines and code points; the same object if they were there the last time."""
        made = self.made
        if made is None or made.path != path or made.recovered != recovered:
            made = self.made = _Part(self, path, line, start, recovered)
        elif made.line != line or made.start != start:
            made = self.made = _Part(self, path, line, start, recovered, made)
        return made

    def marks_at(self, line: int) -> tuple[Mark, ...]:
        if self.shown is None or self.shown[0] != line:
            moved = (
                Mark(mark.kind, mark.line + line, mark.column, mark.end_line + line, mark.keyword, mark.text)
                for mark in self.marks
            )
            self.shown = line, tuple(moved)
        return self.shown[1]


class _Part:
    """The steps of a section at one place: a `Part`."""

    __slots__ = ("_before", "_steps", "line", "path", "recovered", "section", "start")

    def __init__(
        self, section: Section, path: str, line: int, start: int, recovered: bool, before: "_Part | None" = None
    ) -> None:
        """`before`: the same steps in their earlier place."""
        self.section, self.path, self.line, self.start, self.recovered = section, path, line, start, recovered
        self._steps: tuple[Step, ...] | None = None
        self._before: _Part | None = before if before is None or before._steps is not None else before._before

    @property
    def steps(self) -> tuple[Step, ...]:
        if self._steps is None:
            before = self._before
            if before is not None and before._steps is not None:
                lines, characters = self.line - before.line, self.start - before.start
                moved = moved_steps(before._steps, lines=lines, characters=characters, recovered=self.recovered)
                self._steps = tuple(moved)
            else:
                self._steps = tuple(self._read())
            self._before = None
        return self._steps

    def _read(self) -> Iterator[Step]:
        shared: dict[str, str] = {}
        for block in self.section.blocks:
            yield from steps_of(
                block, self.path, recovered=self.recovered, share=shared.setdefault, line=self.line, start=self.start
            )


class _Sections(Parts):
    """The steps of a text by its sections."""

    def __init__(self, path: str, sections: Sequence[Section], begins: "Begins", *, recovered: bool) -> None:
        says = [section.when_recovered for section in sections] if recovered else sections
        super().__init__(says, [section.count for section in sections])
        self._path, self._sections, self._begins, self._recovered = path, sections, begins, recovered

    def make(self, number: int) -> _Part:
        line, start = self._begins.lines[number], self._begins.starts[number]
        return self._sections[number].part(self._path, line, start, recovered=self._recovered)


@dataclass(frozen=True, slots=True)
class Begins:
    """The beginnings of sections, and the end of the last one: the numbers of lines and code points before them."""

    lines: list[int]
    starts: list[int]


@dataclass(frozen=True, slots=True)
class Reading:
    """One text."""

    text: str
    flavour: Flavour
    language: str
    sections: list[Section]
    """One where it is always read as a whole."""

    def begins(self) -> Begins:
        return Begins(
            list(accumulate([section.lines for section in self.sections], initial=0)),
            list(accumulate([section.characters for section in self.sections], initial=0)),
        )

    @property
    def recovered(self) -> bool:
        return any(section.recovered for section in self.sections)

    def feature_file(self, path: str, content_hash: str) -> FeatureFile:
        errors: list[ReadError] = []
        comments: list[Comment] = []
        begins = self.begins()
        for number, section in enumerate(self.sections):
            if section.notes or section.comments:
                line = begins.lines[number]
                errors += (ReadError(path, note.line + line, note.column, note.message) for note in section.notes)
                comments += (Comment(at + line, text) for at, text in section.comments)
        parts = _Sections(path, self.sections, begins, recovered=self.recovered)
        steps = PartedSteps(parts)
        return FeatureFile(path, self.language, "utf-8", steps, tuple(errors), tuple(comments), content_hash, parts)

    def marks(self) -> tuple[Mark, ...]:
        """The kinds of its lines."""
        begins = self.begins().lines
        return tuple(
            mark for section, line in zip(self.sections, begins, strict=False) for mark in section.marks_at(line)
        )


def cut(builder: Recorder, lines: Sequence[str], starts: Sequence[int], begins: Sequence[int]) -> Iterator[Section]:
    """The sections of what a builder has read, from the first of `begins` (indices of lines, also of the one after the
    last); their records are changed to count from their section. `starts`: of each line, and the end."""
    blocks = _parts(builder.blocks, [block.line for block in builder.blocks], begins)
    notes = _parts(builder.notes, [note.line for note in builder.notes], begins)
    comments = _parts(builder.comments, [number for number, _ in builder.comments], begins)
    marks = _parts(builder.marks, [mark.line for mark in builder.marks], begins)
    for (begin, end), part in zip(pairwise(begins), zip(blocks, notes, comments, marks, strict=True), strict=True):
        own_blocks, own_notes, own_comments, own_marks = part
        for block in own_blocks:
            _move_block(block, begin, starts[begin])
        for mark in own_marks:
            mark.line -= begin
            mark.end_line -= begin
        own = lines[begin:end]
        whole = whole_docstrings(own_marks, own)
        yield Section(
            lines=end - begin,
            characters=starts[end] - starts[begin],
            is_head=begin == 0 or any(mark.kind in HEADS for mark in whole),
            blocks=own_blocks,
            notes=[Note(note.line - begin, note.column, note.message) for note in own_notes],
            comments=[(number - begin, text) for number, text in own_comments],
            marks=whole,
            is_odd=_is_odd(own, whole, builder.language),
            count=sum(len(block.steps) for block in own_blocks),
        )


def _parts(items: list[_T], lines: Sequence[int], begins: Sequence[int]) -> Iterator[list[_T]]:
    """The items of each section, by their (1-based) line."""
    low = bisect_right(lines, begins[0])
    for end in begins[1:]:
        high = bisect_right(lines, end, low)
        yield items[low:high]
        low = high


def _move_block(block: BlockRecord, lines: int, characters: int) -> None:
    block.line -= lines
    for table in block.examples:
        table.line -= lines
    for step in block.steps:
        step.line -= lines
        step.start -= characters


def _is_odd(lines: Sequence[str], marks: Iterable[Mark], language: str) -> bool:
    """True if lines of a DocString could be Gherkin, or some line is a sign of a merge conflict."""
    if any(line[:7] in _CONFLICT_SIGNS and CONFLICT.match(line) for line in lines):
        return True
    inside = (
        lines[at] for mark in marks if mark.kind is MarkKind.DOCSTRING for at in range(mark.line, mark.end_line - 1)
    )
    return any(_could_be_gherkin(line, language) for line in inside)


def _could_be_gherkin(line: str, language: str) -> bool:
    """True also after a list's dash, or if it is misspelt."""
    text = line.lstrip()
    words = text.lstrip(_BEFORE_WORDS)
    begins = _gherkin(language)
    return text.startswith(begins) or words.startswith(begins) or bad_title(words, language) is not None


@lru_cache
def _gherkin(language: str) -> tuple[str, ...]:
    """The beginnings of lines that are Gherkin."""
    dialect = keywords(language)
    return (*(word for word, _ in dialect.titles), *dialect.words, "*", "@", "|", "#", *BEHAVE_FENCES)


_BEFORE_WORDS = "".join(chr(code) for code in range(128) if not chr(code).isalnum())
_CONFLICT_SIGNS = {sign * 7 for sign in "<>=|"}
