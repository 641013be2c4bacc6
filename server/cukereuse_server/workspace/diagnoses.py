"""The reported findings of open files: kept while they stay the same, and moved with their lines.

Most keystrokes in a long file only move its findings. Making their messages again would be expensive, because each uses
the words of its step.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from itertools import chain

from msgspec.structs import replace

from cukereuse_engine.findings.finding import Finding
from cukereuse_server.protocol.diagnostics import Diagnosis, RelatedPlace
from cukereuse_server.protocol.places import Place
from cukereuse_server.workspace.moved import Shift, Trail
from cukereuse_server.workspace.standing import Standing

_FILES = 8
DiagnosesByFinding = dict[str, list[Diagnosis]]
"""Diagnoses by fingerprint of their finding."""


@dataclass(slots=True)
class _Entry:
    """The diagnoses of one owner's findings. It holds the owner, so that no other object takes its id."""

    owner: object
    diagnoses: DiagnosesByFinding
    stands_alone: bool


class Diagnoses:
    def __init__(self, trail: Trail) -> None:
        self._trail = trail
        self._files: OrderedDict[str, tuple[int, dict[int, _Entry]]] = OrderedDict()
        """The last edit of each file, by path, and the diagnoses as of then."""

    def forget(self) -> None:
        self._files.clear()

    def of(
        self,
        path: str,
        standing: Iterable[Standing],
        say: Callable[[Finding], list[Diagnosis]],
        without: Callable[[], Set[str]],
    ) -> list[Diagnosis]:
        """The current diagnoses of a file's findings. `say`: makes those of one finding; `without`: fingerprints of
        findings that are not shown."""
        entries = self._moved_along(path)
        now: dict[int, _Entry] = {}
        """Entries by the id of the owner, which several templates may share."""
        for group in standing:
            at = id(group.owner)
            kept = (now.get(at) or entries.get(at)) if group.owner is not None else None
            if kept is None:
                owner, findings = group.find()
                at = id(owner)
                diagnoses = {finding.fingerprint: say(finding) for finding in findings}
                kept = now.get(at) or _Entry(owner, diagnoses, group.stands_alone)
            now[at] = kept
        self._files[path] = self._trail.end, now
        if len(self._files) > _FILES:
            self._files.popitem(last=False)
        told: DiagnosesByFinding = {}
        alone: list[Diagnosis] = []
        for entry in now.values():
            if entry.stands_alone:
                alone += chain.from_iterable(entry.diagnoses.values())
            else:
                told |= entry.diagnoses
        silent = without()
        said = (diagnoses for fingerprint, diagnoses in told.items() if fingerprint not in silent)
        return [*chain.from_iterable(said), *alone]

    def _moved_along(self, path: str) -> dict[int, _Entry]:
        number, entries = self._files.pop(path, (0, {}))
        edits = self._trail.since(number)
        if edits is None:
            return {}
        for file, shift in edits:
            if shift is None:
                entries = {at: entry for at, entry in entries.items() if not _speaks_of(entry.diagnoses, file)}
            else:
                for entry in entries.values():
                    entry.diagnoses = {key: _moved(diagnoses, shift) for key, diagnoses in entry.diagnoses.items()}
        return entries


def _speaks_of(diagnoses_by_finding: DiagnosesByFinding, path: str) -> bool:
    diagnoses = [each for of_finding in diagnoses_by_finding.values() for each in of_finding]
    return any(
        place.path == path for each in diagnoses for place in (each.place, *(mention.place for mention in each.related))
    )


def _moved(diagnoses: list[Diagnosis], shift: Shift) -> list[Diagnosis]:
    """The diagnoses of one finding, moved; their related places are often shared."""
    moved = []
    before: tuple[RelatedPlace, ...] = ()
    related: tuple[RelatedPlace, ...] = ()
    for diagnosis in diagnoses:
        if diagnosis.related is not before:
            before = diagnosis.related
            related = _related(before, shift)
        place = _place(diagnosis.place, shift)
        is_same = place is diagnosis.place and related is before
        moved.append(diagnosis if is_same else replace(diagnosis, place=place, related=related))
    return moved


def _related(related: tuple[RelatedPlace, ...], shift: Shift) -> tuple[RelatedPlace, ...]:
    places = [_place(mention.place, shift) for mention in related]
    if all(place is mention.place for place, mention in zip(places, related, strict=True)):
        return related
    return tuple(RelatedPlace(place, mention.message) for place, mention in zip(places, related, strict=True))


def _place(place: Place, shift: Shift) -> Place:
    if place.line < shift.first or place.path != shift.path:
        return place
    return Place(place.path, place.line + shift.lines, place.column, place.end_column, place.line_text)
