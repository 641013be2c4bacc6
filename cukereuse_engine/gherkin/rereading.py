"""A text that was read before and differs in a few lines: only the scenarios with these lines are read again.

A text is kept in sections: what stands before the first scenario, then each scenario, each rule's own lines. A section
counts lines and offsets from its own beginning, so that one that only moved is reused. What is read again is read by
the same parser and recovery, below the lines of the feature (and rule) that it belongs to; wherever that might differ
from reading the whole, the whole is read. `parse.parse` is the exact twin.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TypeVar

from cukereuse_engine.gherkin.builder import StepBuilder
from cukereuse_engine.gherkin.dialects import keywords
from cukereuse_engine.gherkin.docstrings import BEHAVE_FENCES, fence_of
from cukereuse_engine.gherkin.feature import (
    Comment,
    FeatureFile,
    PartedSteps,
    Parts,
    ReadError,
    Step,
    alike,
    alike_behind,
)
from cukereuse_engine.gherkin.flavour import Flavour, Syntax
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.marks import Kind, Mark, Recorder, whole_docstrings
from cukereuse_engine.gherkin.parse import build_lines
from cukereuse_engine.gherkin.records import BlockRecord, Note, moved_steps, steps_of
from cukereuse_engine.gherkin.recovery import CONFLICT, FENCES_OF, REFUSED
from cukereuse_engine.gherkin.titles import bad_title
from cukereuse_engine.gherkin.vanessa import opens_control

_T = TypeVar("_T")

_RECENT = 4
"""Readings that are kept: of the files that an editor asks about in turn."""
_MOST_DAMAGE = 4
"""Things skipped in scenarios that recovery read, up to which no DocString elsewhere is read otherwise for them: far
less than what an odd pair of fences costs (`docstrings`)."""
_SECTIONS = (Kind.RULE, Kind.SCENARIO, Kind.OUTLINE)
_HEADS = (Kind.FEATURE, Kind.RULE, Kind.BACKGROUND)


@dataclass(slots=True, eq=False)
class _Section:
    """Lines and offsets count from the section's first. Its steps are known by itself, or, as they are others where its
    file was recovered, by `when_recovered`."""

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
    """It may be read otherwise where another section is damaged, or is damaged and may reach into another."""
    recovered: bool = False
    """The official parser refuses it."""
    count: int = 0
    """Of its steps."""
    when_recovered: object = field(default_factory=object)
    made: "_Part | None" = None
    """Its steps as they were asked for last."""
    shown: tuple[int, tuple[Mark, ...]] | None = None
    """Lines before it when its marks were last asked for, and these."""

    def part(self, path: str, line: int, start: int, *, recovered: bool) -> "_Part":
        """Its steps where so many lines and code points stand before it; the same object, if they stood there last."""
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
        self, section: _Section, path: str, line: int, start: int, recovered: bool, before: "_Part | None" = None
    ) -> None:
        """`before`: the same steps elsewhere."""
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

    def __init__(self, path: str, sections: Sequence[_Section], begins: "Begins", *, recovered: bool) -> None:
        says = [section.when_recovered for section in sections] if recovered else sections
        super().__init__(says, [section.count for section in sections])
        self._path, self._sections, self._begins, self._recovered = path, sections, begins, recovered

    def make(self, number: int) -> _Part:
        line, start = self._begins.lines[number], self._begins.starts[number]
        return self._sections[number].part(self._path, line, start, recovered=self._recovered)


@dataclass(frozen=True, slots=True)
class Begins:
    """Where sections begin, and the last one ends: how many lines and code points stand before."""

    lines: list[int]
    starts: list[int]


@dataclass(frozen=True, slots=True)
class Reading:
    """One text."""

    text: str
    flavour: Flavour
    language: str
    sections: list[_Section]
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
        """What its lines are."""
        begins = self.begins().lines
        return tuple(
            mark for section, line in zip(self.sections, begins, strict=False) for mark in section.marks_at(line)
        )


_recent: deque[Reading] = deque(maxlen=_RECENT)


def reading_of(text: str, flavour: Flavour) -> Reading:
    """What a text without byte order mark holds. The readings asked for last are kept, and a text that is nearly one of
    theirs takes what is the same."""
    recent = tuple(_recent)
    for earlier in reversed(recent):
        if earlier.text == text and earlier.flavour == flavour:
            return earlier
    reading = None
    for earlier in reversed(recent):
        if reading is None and earlier.flavour == flavour and len(earlier.sections) > 1:
            reading = _read_again(earlier, text)
    reading = reading or _read(text, flavour)
    _recent.append(reading)
    return reading


# -- as a whole


def _read(text: str, flavour: Flavour) -> Reading:
    lines, starts = split_lines(text)
    builder, recovered = _built(lines, starts, flavour)
    ends = [*starts, len(text)]
    whole = Reading(text, flavour, builder.language, [])
    begins = list(dict.fromkeys([0, *_begins(builder.marks, lines, 0)]))
    if len(begins) > 1 and not _is_of_one_piece(whole, lines):
        parted = replace(whole, sections=list(_cut(builder, lines, ends, [*begins, len(lines)])))
        _find_damage(parted, range(len(begins)) if recovered else ())
        if parted.recovered == recovered and _is_sound(parted):
            return parted
        builder, recovered = _built(lines, starts, flavour)  # the records are cut up
    sections = list(_cut(builder, lines, ends, [0, len(lines)]))
    for section in sections:
        section.recovered = recovered
    return replace(whole, sections=sections)


def _built(lines: list[str], starts: list[int], flavour: Flavour) -> tuple[Recorder, bool]:
    builder, recovered = build_lines(lines, starts, Recorder, flavour=flavour)
    builder.record("utf-8")  # ends what is open
    builder.marks.sort(key=lambda mark: mark.line)
    return builder, recovered


def _is_of_one_piece(whole: Reading, lines: Iterable[str]) -> bool:
    """Whether what a line is may depend on lines far away."""
    return whole.flavour.syntax is Syntax.MARKDOWN or whole.language == "ru" or any(map(opens_control, lines))


def _begins(marks: Iterable[Mark], lines: Sequence[str], low: int) -> Iterator[int]:
    """Index of the first line of each section, from `low` on: tags, comments and blank lines above a title are its."""
    for mark in marks:
        if mark.kind in _SECTIONS:
            at = mark.line - 1
            while at > low and _goes_with_next(lines[at - 1]):
                at -= 1
            yield at
            low = mark.line


def _goes_with_next(line: str) -> bool:
    text = line.lstrip()
    return not text or text[0] in "#@"


def _find_damage(reading: Reading, numbers: Sequence[int]) -> None:
    """Which of these sections the official parser refuses: one that it refuses has a note."""
    begins = reading.begins().starts if numbers else []
    for number in numbers:
        section = reading.sections[number]
        if section.notes:
            own = _lines_of(reading, begins, number)
            lines = [*_above(reading, begins, number), *own]
            starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
            section.recovered = build_lines(lines, starts, StepBuilder, flavour=reading.flavour)[1]
            section.is_odd |= section.recovered and any(
                fence_of(line, FENCES_OF[reading.flavour.syntax]) for line in own
            )


def _above(reading: Reading, begins: Sequence[int], number: int) -> list[str]:
    """The lines below which a section is read by itself: the feature's own, and those of its rule."""
    if number == 0:
        return []
    rule = next((at for at in range(number - 1, 0, -1) if reading.sections[at].is_head), None)
    is_rule = reading.sections[number].is_head
    own = _lines_of(reading, begins, rule) if rule is not None and not is_rule else ()
    return [*_lines_of(reading, begins, 0), *own]


def _lines_of(reading: Reading, begins: Sequence[int], number: int) -> list[str]:
    """`begins`: offset of each section, and of the end."""
    return split_lines(reading.text[begins[number] : begins[number + 1]])[0]


def _is_sound(reading: Reading) -> bool:
    """Whether reading the whole gives what reading its sections gives, though some are damaged."""
    damaged = [section for section in reading.sections if section.recovered]
    if not damaged:
        return True
    notes = [note for section in damaged for note in section.notes]
    return (
        len(notes) <= _MOST_DAMAGE
        and not any(note.message.startswith(REFUSED) for note in notes)
        and not any(section.is_head for section in damaged)
        and not any(section.is_odd for section in reading.sections)
        # prose is repaired only beside damage
        and all(section.recovered or not section.notes for section in reading.sections)
    )


# -- sections


def _cut(builder: Recorder, lines: Sequence[str], starts: Sequence[int], begins: Sequence[int]) -> Iterator[_Section]:
    """What a builder has read, from the first of `begins` (indices of lines, that after the last line too) on; its
    records are made to count from their section. `starts`: of each line, and the end."""
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
        yield _Section(
            lines=end - begin,
            characters=starts[end] - starts[begin],
            is_head=begin == 0 or any(mark.kind in _HEADS for mark in whole),
            blocks=own_blocks,
            notes=[Note(note.line - begin, note.column, note.message) for note in own_notes],
            comments=[(number - begin, text) for number, text in own_comments],
            marks=whole,
            is_odd=_is_odd(own, whole, builder.language),
            count=sum(len(block.steps) for block in own_blocks),
        )


def _parts(items: list[_T], lines: Sequence[int], begins: Sequence[int]) -> Iterator[list[_T]]:
    """Items by the section that their (1-based) line is in."""
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
    """Whether lines of a DocString could be Gherkin, or some line is a sign of a merge conflict."""
    if any(line[:7] in _CONFLICT_SIGNS and CONFLICT.match(line) for line in lines):
        return True
    inside = (lines[at] for mark in marks if mark.kind is Kind.DOCSTRING for at in range(mark.line, mark.end_line - 1))
    return any(_could_be_gherkin(line, language) for line in inside)


def _could_be_gherkin(line: str, language: str) -> bool:
    """Behind a list's dash too, or misspelt."""
    text = line.lstrip()
    words = text.lstrip(_BEFORE_WORDS)
    begins = _gherkin(language)
    return text.startswith(begins) or words.startswith(begins) or bad_title(words, language) is not None


@lru_cache
def _gherkin(language: str) -> tuple[str, ...]:
    """How lines begin that are Gherkin."""
    dialect = keywords(language)
    return (*(word for word, _ in dialect.titles), *dialect.words, "*", "@", "|", "#", *BEHAVE_FENCES)


_BEFORE_WORDS = "".join(chr(code) for code in range(128) if not chr(code).isalnum())
_CONFLICT_SIGNS = {sign * 7 for sign in "<>=|"}


# -- only what changed


@dataclass(frozen=True, slots=True)
class _Change:
    """Lines that differ, endings included: index of the first, and of the first behind them then and now."""

    first: int
    end: int
    new_end: int


def _read_again(earlier: Reading, text: str) -> Reading | None:
    """None where more than some scenarios changed, or the rest may be read otherwise for them."""
    begins = earlier.begins()
    change = _change(earlier, begins, text)
    if change is None:
        return None
    reading = Reading(text, earlier.flavour, earlier.language, [])
    first, last = _touched(earlier, begins.lines, change)
    if not _replace_sections(reading, earlier, begins, change, first, last) and not (
        first > 1 and _replace_sections(reading, earlier, begins, change, first - 1, last)
    ):
        return None
    return reading if _is_sound(reading) else None


def _change(earlier: Reading, begins: Begins, text: str) -> _Change | None:
    """None where much differs. Lines are compared in the sections that differ, and one beside them on both sides: a
    line ending may have become another at a border."""
    above = alike(earlier.text, text)
    below = alike_behind(earlier.text, text, above)
    first = max(0, bisect_right(begins.starts, above) - 3)
    end = min(bisect_left(begins.starts, len(earlier.text) - below) + 1, len(earlier.sections))
    start, behind = begins.starts[first], len(earlier.text) - begins.starts[end]
    old, new = _whole_lines(earlier.text, start, behind), _whole_lines(text, start, behind)
    above = alike(old, new)
    below = alike_behind(old, new, above)
    typed = [line for line, _ in new[above : len(new) - below]]
    total = begins.lines[-1] - len(old) + len(new)
    if 2 * (len(old) - above - below + len(typed)) > total or any(map(opens_control, typed)):
        return None
    line = begins.lines[first]
    return _Change(line + above, line + len(old) - below, line + len(new) - below)


def _whole_lines(text: str, start: int, behind: int) -> list[tuple[str, int]]:
    """Lines of a text from an offset on and up to so many code points before its end, each with its length with its
    ending."""
    part = text[start : len(text) - behind]
    lines, starts = split_lines(part)
    return list(zip(lines, (end - begin for begin, end in pairwise([*starts, len(part)])), strict=True))


def _touched(earlier: Reading, begins: Sequence[int], change: _Change) -> tuple[int, int]:
    """The first and the last section to read again: with those beyond a border that changed, as lines may go over.
    `begins`: the lines before each section, and all."""
    sections, begins = earlier.sections, begins[:-1]
    first = bisect_right(begins, change.first) - 1
    if begins[first] == change.first and first > 0 and not sections[first - 1].is_head:
        first -= 1
    last = bisect_right(begins, min(change.end, begins[-1] + sections[-1].lines - 1)) - 1
    if last > first and begins[last] == change.end and sections[last].is_head:
        last -= 1
    return first, last


def _title_of(section: _Section) -> int:
    """Lines up to its title."""
    return next((mark.line for mark in section.marks if mark.kind in _SECTIONS), 0)


def _replace_sections(
    reading: Reading, earlier: Reading, begins: Begins, change: _Change, first: int, last: int
) -> bool:
    """Give `reading` all sections, those from `first` to `last` read again; false where these can't be read by
    themselves."""
    old = earlier.sections
    if any(section.is_head for section in old[first : last + 1]):
        return False
    above = _above(earlier, begins.starts, first)
    # a description ends otherwise at a title than at the end: that of the section below is read along
    below = _title_of(old[last + 1]) if last + 1 < len(old) else 0
    many = begins.lines[last + 1] - begins.lines[first] + change.new_end - change.end + below
    end = len(reading.text) - len(earlier.text) + begins.starts[min(last + 2, len(old))]
    own, offsets = split_lines(reading.text[begins.starts[first] : end])
    offsets.append(end - begins.starts[first])
    lines = [*above, *own[:many]]
    starts = [*([0] * len(above)), *offsets[: many + 1]]
    builder, recovered = _built(lines, starts, earlier.flavour)
    until = len(lines) - below
    marks = [mark for mark in builder.marks if len(above) < mark.line]
    new_begins = list(_begins(marks, lines, len(above)))
    if new_begins[:1] != [len(above)] or any(mark.kind in _HEADS and mark.line <= until for mark in marks):
        return False
    if below and new_begins[-1] != until:
        return False
    title = next(mark.line for mark in marks if mark.kind in _SECTIONS)
    if any(len(above) < note.line <= title for note in builder.notes):  # it may go on what stands above
        return False
    new = list(_cut(builder, lines, starts, [*new_begins, len(lines)]))[: -1 if below else None]
    reading.sections[:] = [*old[:first], *new, *old[last + 1 :]]
    _find_damage(reading, range(first, first + len(new)) if recovered else ())
    damaged = any(section.recovered for section in new)
    before_head = last + 1 < len(old) and old[last + 1].is_head
    return damaged == recovered and not (damaged and before_head)
