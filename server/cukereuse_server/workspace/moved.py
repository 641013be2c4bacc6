"""Findings whose steps have only moved: the same findings at other lines. Most keystrokes do no more to a file's
findings, and detecting them again would be expensive.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter

from cukereuse_engine.findings.finding import Finding, Place, Subject
from cukereuse_engine.gherkin.feature import NO_PARTS, Examples, FeatureFile, Part, Parts, Step

_POSITIONS = ("span", "scenario_line", "examples")
_EDITS = 500
"""The number of remembered edits: the findings shown in a file follow each."""
_where = attrgetter("path", "line", "column")
_what = attrgetter(*(name for name in Step.__struct_fields__ if name not in _POSITIONS))

Steps = Mapping[str, Sequence[Step]]
"""Maps the identity of each text to its steps, by path and line."""
Moves = Mapping[tuple[str, int, int], Step]
"""Maps the former path, line and column of a step to the present step; steps that did not move are left out."""


def moves(before: Steps, after: Steps) -> Moves | None:
    """The moves of steps; None if anything but lines and columns differs, or if other steps share a scenario."""
    if before.keys() != after.keys():
        return None
    moved_to: dict[tuple[str, int, int], Step] = {}
    scenarios: dict[tuple[str, int], int] = {}
    for identity, steps in before.items():
        now = after[identity]
        if len(steps) != len(now):
            return None
        for old, new in zip(steps, now, strict=True):
            if old is new:  # nothing in its file has changed
                continue
            line = scenarios.setdefault((old.path, old.scenario_line), new.scenario_line)
            if line != new.scenario_line or not _is_the_same(old, new):
                return None
            moved_to[old.path, old.line, old.column] = new
    if len({(path, line) for (path, _), line in scenarios.items()}) != len(scenarios):
        return None
    return moved_to


def moved(findings: Iterable[Finding], moves: Moves) -> tuple[Finding, ...]:
    """The findings at the present places of their steps."""
    return tuple(_moved_finding(finding, moves) for finding in findings) if moves else tuple(findings)


def _moved_finding(finding: Finding, moves: Moves) -> Finding:
    others = tuple(_moved_subject(other, moves) for other in finding.others)
    preferred = _moved_subject(finding.preferred, moves) if finding.preferred is not None else None
    return replace(finding, others=others, preferred=preferred)


def _moved_subject(subject: Subject, moves: Moves) -> Subject:
    now = [moves.get(_where(place)) for place in subject.places]
    if not any(now):
        return subject
    places = (
        Place.of_step(step) if step is not None else place for step, place in zip(now, subject.places, strict=True)
    )
    return replace(subject, places=tuple(sorted(places, key=_where)))


@dataclass(frozen=True, slots=True)
class Shift:
    """The steps of a file from a line on are so many lines further down; they are otherwise unchanged."""

    path: str
    first: int
    lines: int


class Trail:
    """The moves of a suite's steps, edit by edit, as far back as this saves time."""

    def __init__(self) -> None:
        self._first = 0
        self._edits: list[tuple[str, Shift | None]] = []

    @property
    def end(self) -> int:
        """The number of the next edit."""
        return self._first + len(self._edits)

    def add(self, path: str, shift: Shift | None) -> None:
        if shift is None or shift.lines:
            self._edits.append((path, shift))
        if len(self._edits) > 2 * _EDITS:
            del self._edits[:_EDITS]
            self._first += _EDITS

    def since(self, number: int) -> list[tuple[str, Shift | None]] | None:
        """The edits since a number, each with its file; None if they are forgotten."""
        return self._edits[number - self._first :] if number >= self._first else None


@dataclass(frozen=True, slots=True)
class Differing:
    """A file before and after an edit. Its first steps are the same, and the last ones have only moved."""

    before: tuple[Step, ...]
    after: tuple[Step, ...]
    """The steps in between, before and after."""
    moved: tuple[Step, ...]
    """The steps that only moved, as they are now; without those of unchanged parts."""
    parts: Parts
    """The parts of the present file."""
    gone: Sequence[object]
    come: Mapping[object, Part]
    """The parts that differ before and after."""
    moved_parts: Sequence[object]
    """The contents of parts that only moved."""
    shift: Shift | None
    """The common shift; None if steps moved by different numbers of lines."""


def differing(path: str, before: FeatureFile | None, after: FeatureFile | None) -> Differing:
    """Compare two readings; parts that they share are skipped. A file without parts counts as one part."""
    old, new = parts_of(before), parts_of(after)
    above, below = old.shared(new)
    ends = len(old) - below, len(new) - below
    gone, come = old[above : ends[0]], new[above : ends[1]]
    steps = [tuple(chain.from_iterable(part.steps for part in parts)) for parts in (gone, come)]
    first, count = _alike(*steps)
    until = [len(own) - count for own in steps]
    moved = list(zip(steps[0][until[0] :], steps[1][until[1] :], strict=True))
    lines = {now.line - then.line for then, now in moved}
    if below:  # all of them by the same distance
        lines.add(new[ends[1]].line - old[ends[0]].line)
    is_one = len(lines) < 2 and all(then.column == now.column for then, now in moved)
    start = min((then.line for then, _ in moved), default=old[ends[0]].line + 1 if below else 0)
    return Differing(
        before=steps[0][first : until[0]],
        after=steps[1][first : until[1]],
        moved=tuple(now for _, now in moved),
        parts=new,
        gone=old.says[above : ends[0]],
        come=dict(zip(new.says[above : ends[1]], come, strict=True)),
        moved_parts=new.says[ends[1] :],
        shift=Shift(path, start, lines.pop() if lines else 0) if is_one else None,
    )


class _Whole(Parts):
    """All steps of a file, as one part."""

    line = 0

    def __init__(self, steps: Sequence[Step]) -> None:
        super().__init__([id(steps)], [len(steps)])  # as long as the file is known
        self.steps = tuple(steps)

    def make(self, number: int) -> Part:
        del number
        return self


def parts_of(file: FeatureFile | None) -> Parts:
    """The parts of a file; one if it has none."""
    if file is None:
        return NO_PARTS
    return file.parts if file.parts is not None else _Whole(file.steps)


def _alike(before: Sequence[Step], after: Sequence[Step]) -> tuple[int, int]:
    """The number of equal steps at the beginning, and the number of steps at the end that have only moved."""
    least = min(len(before), len(after))
    pairs = enumerate(zip(before, after, strict=False))
    first = next((at for at, (old, new) in pairs if old is not new and old != new), least)
    moved = 0
    fixed = before[first - 1].scenario_line if first else 0
    scenario = (0, 0)
    for old, new in zip(reversed(before), reversed(after), strict=False):
        if moved == least - first or not (old is new or _is_the_same(old, new)):
            break
        here = old.scenario_line, new.scenario_line
        shares = [own == other for own, other in zip(here, scenario, strict=True)]
        if shares[0] != shares[1] or (here[0] == fixed) != (here[1] == fixed):  # a step whose scenario has other steps
            break
        scenario = here
        moved += 1
    return first, moved


def _is_the_same(old: Step, new: Step) -> bool:
    return _what(old) == _what(new) and list(map(_rows, old.examples)) == list(map(_rows, new.examples))


def _rows(table: Examples) -> object:
    return table.header, table.rows, table.tags
