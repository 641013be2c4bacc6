"""Reads a text again that differs in a few lines: only the scenarios with these lines are read.

A text is kept in `sections`. Changed sections are read by the same parser and recovery, below the lines of the feature
(and rule) to which they belong. If the result might differ from reading the whole text, the whole is read.
`parse.parse` is the exact twin.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from cukereuse_engine.gherkin.broken.docstrings import fence_of
from cukereuse_engine.gherkin.broken.recovery import FENCES_OF, REFUSED
from cukereuse_engine.gherkin.builder import StepBuilder
from cukereuse_engine.gherkin.feature import alike, alike_behind
from cukereuse_engine.gherkin.flavour import Flavour, Syntax
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.marks import Mark, MarkKind, Recorder
from cukereuse_engine.gherkin.parse import build_lines
from cukereuse_engine.gherkin.sections import HEADS, Begins, Reading, Section, cut
from cukereuse_engine.gherkin.vanessa import opens_control

_RECENT = 4
"""Readings that are kept: of the files that an editor asks about in turn."""
_MOST_SKIPPED_PARTS = 4
"""Things skipped in scenarios that recovery read, up to which no DocString elsewhere is read otherwise for them: far
less than what an odd pair of fences costs (`docstrings`)."""
_SECTIONS = (MarkKind.RULE, MarkKind.SCENARIO, MarkKind.OUTLINE)

_recent: deque[Reading] = deque(maxlen=_RECENT)


def reading_of(text: str, flavour: Flavour) -> Reading:
    """The reading of a text without byte order mark. The last readings are kept, and a similar text takes over what is
    the same."""
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
        parted = replace(whole, sections=list(cut(builder, lines, ends, [*begins, len(lines)])))
        _find_damage(parted, range(len(begins)) if recovered else ())
        if parted.recovered == recovered and _is_sound(parted):
            return parted
        builder, recovered = _built(lines, starts, flavour)  # the records are cut up
    sections = list(cut(builder, lines, ends, [0, len(lines)]))
    for section in sections:
        section.recovered = recovered
    return replace(whole, sections=sections)


def _built(lines: list[str], starts: list[int], flavour: Flavour) -> tuple[Recorder, bool]:
    builder, recovered = build_lines(lines, starts, Recorder, flavour=flavour)
    builder.record("utf-8")  # ends what is still open
    builder.marks.sort(key=lambda mark: mark.line)
    return builder, recovered


def _is_of_one_piece(whole: Reading, lines: Iterable[str]) -> bool:
    """True if the meaning of a line may depend on lines far away."""
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
    """Record which of these sections the official parser refuses: they have a note."""
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
    """True if reading the whole text gives the same as reading its sections, although some are damaged."""
    damaged = [section for section in reading.sections if section.recovered]
    if not damaged:
        return True
    notes = [note for section in damaged for note in section.notes]
    return (
        len(notes) <= _MOST_SKIPPED_PARTS
        and not any(note.message.startswith(REFUSED) for note in notes)
        and not any(section.is_head for section in damaged)
        and not any(section.is_odd for section in reading.sections)
        # prose is repaired only beside damage
        and all(section.recovered or not section.notes for section in reading.sections)
    )


# -- only the changes


@dataclass(frozen=True, slots=True)
class _Change:
    """Lines that differ, endings included: index of the first, and of the first behind them then and now."""

    first: int
    end: int
    new_end: int


def _read_again(earlier: Reading, text: str) -> Reading | None:
    """The new reading; None if more than some scenarios changed, or if the rest may be read differently."""
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
    """The change, or None if much differs. Compares the sections that differ and one beside them on both sides, because
    a line ending at a border may have changed."""
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
    """The lines of a text from an offset on and up to so many code points before its end, each with its length
    including its ending."""
    part = text[start : len(text) - behind]
    lines, starts = split_lines(part)
    return list(zip(lines, (end - begin for begin, end in pairwise([*starts, len(part)])), strict=True))


def _touched(earlier: Reading, begins: Sequence[int], change: _Change) -> tuple[int, int]:
    """The first and the last section to read again, including those beyond a changed border, because lines may continue
    there. `begins`: the lines before each section, and all lines."""
    sections, begins = earlier.sections, begins[:-1]
    first = bisect_right(begins, change.first) - 1
    if begins[first] == change.first and first > 0 and not sections[first - 1].is_head:
        first -= 1
    last = bisect_right(begins, min(change.end, begins[-1] + sections[-1].lines - 1)) - 1
    if last > first and begins[last] == change.end and sections[last].is_head:
        last -= 1
    return first, last


def _title_of(section: Section) -> int:
    """The number of lines up to its title."""
    return next((mark.line for mark in section.marks if mark.kind in _SECTIONS), 0)


def _replace_sections(
    reading: Reading, earlier: Reading, begins: Begins, change: _Change, first: int, last: int
) -> bool:
    """Give `reading` all sections, with those from `first` to `last` read again; false if these can't be read by
    themselves."""
    old = earlier.sections
    if any(section.is_head for section in old[first : last + 1]):
        return False
    excerpt = _excerpt(reading, earlier, begins, change, first, last)
    builder, recovered = _built(excerpt.lines, excerpt.starts, earlier.flavour)
    new_begins = excerpt.sections_of(builder)
    if not new_begins:
        return False
    new = list(cut(builder, excerpt.lines, excerpt.starts, [*new_begins, len(excerpt.lines)]))
    new = new[: -1 if excerpt.below else None]
    reading.sections[:] = [*old[:first], *new, *old[last + 1 :]]
    _find_damage(reading, range(first, first + len(new)) if recovered else ())
    damaged = any(section.recovered for section in new)
    before_head = last + 1 < len(old) and old[last + 1].is_head
    return damaged == recovered and not (damaged and before_head)


@dataclass(frozen=True, slots=True)
class _Excerpt:
    """The lines of some sections, with the lines above and below with which they are read."""

    lines: list[str]
    starts: list[int]
    above: int
    """Number of lines that are read below: titles of what the sections are in."""
    below: int
    """Number of lines of the title below them: a description ends otherwise at a title than at the end."""

    def sections_of(self, builder: Recorder) -> list[int]:
        """The indices of the lines at which sections begin; empty if the lines can't be read by themselves."""
        marks = [mark for mark in builder.marks if self.above < mark.line]
        begins = list(_begins(marks, self.lines, self.above))
        until = len(self.lines) - self.below
        if begins[:1] != [self.above] or any(mark.kind in HEADS and mark.line <= until for mark in marks):
            return []
        if self.below and begins[-1] != until:
            return []
        title = next(mark.line for mark in marks if mark.kind in _SECTIONS)
        goes_on = any(self.above < note.line <= title for note in builder.notes)  # it may continue the line above
        return [] if goes_on else begins


def _excerpt(reading: Reading, earlier: Reading, begins: Begins, change: _Change, first: int, last: int) -> _Excerpt:
    """The excerpt of the present sections from `first` to `last`."""
    old = earlier.sections
    above = _above(earlier, begins.starts, first)
    below = _title_of(old[last + 1]) if last + 1 < len(old) else 0
    many = begins.lines[last + 1] - begins.lines[first] + change.new_end - change.end + below
    end = len(reading.text) - len(earlier.text) + begins.starts[min(last + 2, len(old))]
    own, offsets = split_lines(reading.text[begins.starts[first] : end])
    offsets.append(end - begins.starts[first])
    starts = [*([0] * len(above)), *offsets[: many + 1]]
    return _Excerpt([*above, *own[:many]], starts, len(above), below)
