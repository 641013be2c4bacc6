"""A text that was read before and differs in a few lines: only the scenarios with these lines are read again.

A text is kept in sections: what stands before the first scenario, then each scenario, each rule's own lines. A section
counts lines and offsets from its own beginning, so that one that only moved is reused. What is read again is read by
the same parser and recovery, below the lines of the feature (and rule) that it belongs to; wherever that might differ
from reading the whole, the whole is read. `parse.parse` is the exact twin.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TypeVar

from cukereuse_engine.gherkin.builder import StepBuilder
from cukereuse_engine.gherkin.dialects import keywords
from cukereuse_engine.gherkin.docstrings import BEHAVE_FENCES, fence_of
from cukereuse_engine.gherkin.feature import Comment, FeatureFile, PartedSteps, ReadError, Step
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


@dataclass(slots=True)
class _Section:
    """Lines and offsets count from the section's first."""

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
    made: "_Part | None" = None
    """Its steps as they were asked for last."""
    shown: tuple[int, tuple[Mark, ...]] | None = None
    """Lines before it when its marks were last asked for, and these."""

    def part(self, path: str, line: int, start: int, *, recovered: bool) -> "_Part":
        """Its steps where so many lines and code points stand before it; the same object, if they stood there last."""
        made = self.made
        if made is None or made.path != path or made.recovered != recovered:
            self.made = _Part(self, path, line, start, recovered, object())
        elif made.line != line or made.start != start:
            self.made = _Part(self, path, line, start, recovered, made.says, made)
        assert self.made is not None
        return self.made

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

    __slots__ = ("_before", "_count", "_steps", "line", "path", "recovered", "says", "section", "start")

    def __init__(
        self,
        section: _Section,
        path: str,
        line: int,
        start: int,
        recovered: bool,
        says: object,
        before: "_Part | None" = None,
    ) -> None:
        """`before`: the same steps elsewhere."""
        self.section, self.path, self.line, self.start, self.recovered = section, path, line, start, recovered
        self.says = says
        self._steps: tuple[Step, ...] | None = None
        self._count: int = before._count if before is not None else sum(len(block.steps) for block in section.blocks)
        self._before: _Part | None = before if before is None or before._steps is not None else before._before

    def __len__(self) -> int:
        return self._count

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


@dataclass(frozen=True, slots=True)
class Reading:
    """One text."""

    text: str
    flavour: Flavour
    language: str
    lines: list[str]
    starts: list[int]
    """As `lines.split_lines` gives them."""
    sections: list[_Section]
    """One where it is always read as a whole."""

    @property
    def recovered(self) -> bool:
        return any(section.recovered for section in self.sections)

    def feature_file(self, path: str, content_hash: str) -> FeatureFile:
        recovered = self.recovered
        parts: list[_Part] = []
        errors: list[ReadError] = []
        comments: list[Comment] = []
        line = start = 0
        for section in self.sections:
            parts.append(section.part(path, line, start, recovered=recovered))
            if section.notes:
                errors += (ReadError(path, note.line + line, note.column, note.message) for note in section.notes)
            if section.comments:
                comments += (Comment(number + line, text) for number, text in section.comments)
            line += section.lines
            start += section.characters
        steps = PartedSteps(parts)
        return FeatureFile(path, self.language, "utf-8", steps, tuple(errors), tuple(comments), content_hash, parts)

    def marks(self) -> tuple[Mark, ...]:
        """What its lines are."""
        begins = accumulate((section.lines for section in self.sections), initial=0)
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
    lines, starts = split_lines(text)
    reading = None
    for earlier in reversed(recent):
        if reading is None and earlier.flavour == flavour and len(earlier.sections) > 1:
            reading = _read_again(earlier, text, lines, starts)
    reading = reading or _read(text, flavour, lines, starts)
    _recent.append(reading)
    return reading


# -- as a whole


def _read(text: str, flavour: Flavour, lines: list[str], starts: list[int]) -> Reading:
    builder, recovered = _built(lines, starts, flavour)
    ends = [*starts, len(text)]
    whole = Reading(text, flavour, builder.language, lines, starts, [])
    begins = list(dict.fromkeys([0, *_begins(builder.marks, lines, 0)]))
    if len(begins) > 1 and not _is_of_one_piece(whole):
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


def _is_of_one_piece(whole: Reading) -> bool:
    """Whether what a line is may depend on lines far away."""
    return whole.flavour.syntax is Syntax.MARKDOWN or whole.language == "ru" or any(map(opens_control, whole.lines))


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


def _find_damage(reading: Reading, numbers: Iterable[int]) -> None:
    """Which of these sections the official parser refuses: one that it refuses has a note."""
    for number in numbers:
        section = reading.sections[number]
        if section.notes:
            own = _lines_of(reading, number)
            lines = [*_above(reading, number), *own]
            starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
            section.recovered = build_lines(lines, starts, StepBuilder, flavour=reading.flavour)[1]
            section.is_odd |= section.recovered and any(
                fence_of(line, FENCES_OF[reading.flavour.syntax]) for line in own
            )


def _above(reading: Reading, number: int) -> list[str]:
    """The lines below which a section is read by itself: the feature's own, and those of its rule."""
    if number == 0:
        return []
    rule = next((at for at in range(number - 1, 0, -1) if reading.sections[at].is_head), None)
    is_rule = reading.sections[number].is_head
    return [*_lines_of(reading, 0), *(_lines_of(reading, rule) if rule is not None and not is_rule else ())]


def _lines_of(reading: Reading, number: int) -> list[str]:
    begin = sum(section.lines for section in reading.sections[:number])
    return reading.lines[begin : begin + reading.sections[number].lines]


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


def _read_again(earlier: Reading, text: str, lines: list[str], starts: list[int]) -> Reading | None:
    """None where more than some scenarios changed, or the rest may be read otherwise for them."""
    change = _change(earlier, text, lines, starts)
    if change is None:
        return None
    reading = Reading(text, earlier.flavour, earlier.language, lines, starts, [])
    first, last = _touched(earlier, change)
    if not _replace_sections(reading, earlier, change, first, last) and not (
        first > 1 and _replace_sections(reading, earlier, change, first - 1, last)
    ):
        return None
    return reading if _is_sound(reading) else None


def _change(earlier: Reading, text: str, lines: list[str], starts: list[int]) -> _Change | None:
    """None where much differs."""
    before = [end - begin for begin, end in pairwise([*earlier.starts, len(earlier.text)])]
    after = [end - begin for begin, end in pairwise([*starts, len(text)])]
    above = min(_alike(earlier.lines, lines), _alike(before, after))
    most = min(len(lines), len(earlier.lines)) - above
    below = min(_alike(earlier.lines[::-1], lines[::-1]), _alike(before[::-1], after[::-1]), most)
    new = lines[above : len(lines) - below]
    if 2 * (len(earlier.lines) - above - below + len(new)) > len(lines) or any(map(opens_control, new)):
        return None
    return _Change(above, len(earlier.lines) - below, len(lines) - below)


def _alike(left: list[_T], right: list[_T]) -> int:
    """How many are the same from the beginning on."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _touched(earlier: Reading, change: _Change) -> tuple[int, int]:
    """The first and the last section to read again: with those beyond a border that changed, as lines may go over."""
    sections = earlier.sections
    begins = list(accumulate((section.lines for section in sections), initial=0))[:-1]
    first = bisect_right(begins, change.first) - 1
    if begins[first] == change.first and first > 0 and not sections[first - 1].is_head:
        first -= 1
    last = bisect_right(begins, min(change.end, len(earlier.lines) - 1)) - 1
    if last > first and begins[last] == change.end and sections[last].is_head:
        last -= 1
    return first, last


def _title_of(section: _Section) -> int:
    """Lines up to its title."""
    return next((mark.line for mark in section.marks if mark.kind in _SECTIONS), 0)


def _replace_sections(reading: Reading, earlier: Reading, change: _Change, first: int, last: int) -> bool:
    """Give `reading` all sections, those from `first` to `last` read again; false where these can't be read by
    themselves."""
    old = earlier.sections
    if any(section.is_head for section in old[first : last + 1]):
        return False
    begin = sum(section.lines for section in old[:first])
    end = begin + sum(section.lines for section in old[first : last + 1]) + change.new_end - change.end
    above = _above(earlier, first)
    # a description ends otherwise at a title than at the end: that of the section below is read along
    below = _title_of(old[last + 1]) if last + 1 < len(old) else 0
    lines = [*above, *reading.lines[begin : end + below]]
    starts = [*([0] * len(above)), *[*reading.starts, len(reading.text)][begin : end + below + 1]]
    builder, recovered = _built(lines, starts, earlier.flavour)
    until = len(lines) - below
    marks = [mark for mark in builder.marks if len(above) < mark.line]
    begins = list(_begins(marks, lines, len(above)))
    if begins[:1] != [len(above)] or any(mark.kind in _HEADS and mark.line <= until for mark in marks):
        return False
    if below and begins[-1] != until:
        return False
    title = next(mark.line for mark in marks if mark.kind in _SECTIONS)
    if any(len(above) < note.line <= title for note in builder.notes):  # it may go on what stands above
        return False
    new = list(_cut(builder, lines, starts, [*begins, len(lines)]))[: -1 if below else None]
    reading.sections[:] = [*old[:first], *new, *old[last + 1 :]]
    _find_damage(reading, range(first, first + len(new)) if recovered else ())
    damaged = any(section.recovered for section in new)
    before_head = last + 1 < len(old) and old[last + 1].is_head
    return damaged == recovered and not (damaged and before_head)
