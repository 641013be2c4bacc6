"""Findings whose steps only moved: the same findings at other lines. Most keystrokes do no more to a file's findings,
and to search for them again is dear.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from cukereuse_engine.detection.model import Finding, Place, Subject
from cukereuse_engine.gherkin.feature import Examples, Step

_POSITIONS = ("span", "scenario_line", "examples")
_where = attrgetter("path", "line", "column")
_what = attrgetter(*(name for name in Step.__struct_fields__ if name not in _POSITIONS))

Steps = Mapping[str, Sequence[Step]]
"""Identity of each text to its steps, by path and line."""
Moves = Mapping[tuple[str, int, int], Step]
"""Path, line and column where a step stood to the step that it is now; those that stand where they stood left out."""


def moves(before: Steps, after: Steps) -> Moves | None:
    """What became of each step; None where anything but lines and columns differs, or other steps share a scenario."""
    if before.keys() != after.keys():
        return None
    moved_to: dict[tuple[str, int, int], Step] = {}
    scenarios: dict[tuple[str, int], int] = {}
    for identity, steps in before.items():
        now = after[identity]
        if len(steps) != len(now):
            return None
        for old, new in zip(steps, now, strict=True):
            if old is new:  # nothing in its file is another
                continue
            line = scenarios.setdefault((old.path, old.scenario_line), new.scenario_line)
            if line != new.scenario_line or not _is_the_same(old, new):
                return None
            moved_to[old.path, old.line, old.column] = new
    if len({(path, line) for (path, _), line in scenarios.items()}) != len(scenarios):
        return None
    return moved_to


def moved(findings: Iterable[Finding], moves: Moves) -> tuple[Finding, ...]:
    """The same findings where their steps are now."""
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
class Differing:
    """The steps of a file, then and now: those before `first` are the same, the last ones only moved."""

    first: int
    before: tuple[Step, ...]
    after: tuple[Step, ...]
    """What stands between, then and now."""


def differing(before: Sequence[Step], after: Sequence[Step]) -> Differing:
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
        if shares[0] != shares[1] or (here[0] == fixed) != (here[1] == fixed):  # with other steps in its scenario
            break
        scenario = here
        moved += 1
    return Differing(first, tuple(before[first : len(before) - moved]), tuple(after[first : len(after) - moved]))


def _is_the_same(old: Step, new: Step) -> bool:
    return _what(old) == _what(new) and list(map(_rows, old.examples)) == list(map(_rows, new.examples))


def _rows(table: Examples) -> object:
    return table.header, table.rows, table.tags
