"""Silent drift: step definitions whose functions no longer do what their wordings say."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from cukereuse_engine.git import Commit
from cukereuse_engine.history.lineages import DefinitionVersion, Lineage


class DriftKind(StrEnum):
    COPY = "diverged-copy"
    """Definitions did the same at some commit, or all but the same, until one of them was changed alone."""
    HOLLOW = "hollow-step"
    """A step lost what it did, or checked, and got nothing instead."""
    IGNORED = "ignored-argument"
    """A step says a value that its function used once and does not use any more."""
    OTHER = "other-thing"
    """The wording still names what the function named once and names no more."""
    PLACES = "defined-differently"
    """Several places define one wording with nearly the same function; no history tells that they were one."""


Argument = int | str
"""Its place in the step or, where functions take them by name, its name."""


@dataclass(frozen=True, slots=True)
class Uses:
    """The steps in features that a definition serves."""

    steps: int = 0
    files: int = 0
    outcomes: int = 0
    """Steps after a Then."""
    text: str = ""
    """One of them."""
    suites: frozenset[str] = frozenset()
    """Folders of the suites that they are in."""
    repeated: frozenset[Argument] = frozenset()
    """The arguments whose value another step of the scenario passes to another definition, each time."""
    constant: frozenset[Argument] = frozenset()
    """The arguments that have the same value in many steps, in all that there are."""


@dataclass(frozen=True, slots=True)
class DriftSide:
    """A step definition at one point in time."""

    repository: str
    version: DefinitionVersion
    uses: Uses
    """The present uses."""


@dataclass(frozen=True, slots=True)
class Drift:
    kind: DriftKind
    sides: tuple[DriftSide, DriftSide]
    """The versions before and after, or the unchanged side and the changed one."""
    change: DefinitionVersion | None
    """The version that brought the drift, if a repository's history tells."""
    also: tuple[DriftSide, ...]
    """Other definitions that stayed with the first side, or that the same commit did the same to."""
    worth: float
    """How much the drift needs a look, from 0 to 1."""
    argument: str = ""
    """The name of the one that is not used any more."""

    @property
    def commit(self) -> Commit | None:
        return self.change.commit if self.change is not None else None

    @property
    def id(self) -> str:
        wordings = sorted(f"{side.version.path}\0{side.version.state.wording}" for side in self.sides)
        return hashlib.blake2b(
            "\0".join((self.kind, *wordings)).encode("utf-8", "surrogatepass"), digest_size=6
        ).hexdigest()


class SurveyedSuites(Protocol):
    """The facts about the repositories, beside their pasts, that drift needs."""

    def uses(self, repository: str, version: DefinitionVersion) -> Uses:
        """The uses of a present definition."""

    def code(self, repository: str, version: DefinitionVersion) -> str:
        """The source of its function."""

    def gained_neighbours(self, repository: str, version: DefinitionVersion) -> bool:
        """True if the commit that brought the version put other steps beside most of those that it serves."""

    def arguments(self, repository: str, version: DefinitionVersion) -> list[tuple[str, bool]]:
        """The names of the parameters that get its arguments, and true for those that its function ignores."""


@dataclass(frozen=True, slots=True)
class DriftSides:
    """Makes the sides of one repository's drifts."""

    repository: str
    suites: SurveyedSuites

    def __call__(self, lineage: Lineage, version: DefinitionVersion | None = None) -> DriftSide:
        """The present definition, or one of its versions."""
        return DriftSide(self.repository, version or lineage.now, self.suites.uses(self.repository, lineage.now))

    def code(self, version: DefinitionVersion) -> str:
        return self.suites.code(self.repository, version)

    def gained_neighbours(self, version: DefinitionVersion) -> bool:
        return self.suites.gained_neighbours(self.repository, version)

    def arguments(self, version: DefinitionVersion) -> list[tuple[str, bool]]:
        return self.suites.arguments(self.repository, version)


def by_function(lineages: Sequence[Lineage]) -> list[list[Lineage]]:
    """Groups of definitions with one function."""
    groups: dict[tuple[str, int, int], list[Lineage]] = defaultdict(list)
    for lineage in lineages:
        groups[lineage.now.path, lineage.now.state.start, lineage.now.state.end].append(lineage)
    return list(groups.values())


def much(steps: int) -> float:
    """Up to .1 for steps that are used much."""
    return 0.1 * steps / (steps + 5)


def together(drifts: Iterable[Drift]) -> list[Drift]:
    """The changes of many definitions by one commit, or between two suites, are reported once: by the one that is most
    worth looking at."""
    groups: dict[tuple[str, ...], list[Drift]] = defaultdict(list)
    for drift in drifts:
        where = [side.repository for side in drift.sides]
        if drift.commit is None:
            where += ["\0".join(sorted(side.uses.suites)) for side in drift.sides]
        groups[drift.kind, drift.commit.id if drift.commit is not None else "", *where].append(drift)
    return [_as_one(sorted(group, key=order)) for group in groups.values()]


def _as_one(group: Sequence[Drift]) -> Drift:
    first = group[0]
    told = {_place(side) for side in first.sides}
    also: dict[tuple[str, str, int, str], DriftSide] = {}
    for drift in group:
        for side in (drift.sides[1], *drift.also):
            if _place(side) not in told:
                also.setdefault(_place(side), side)
    return replace(first, also=tuple(also.values()))


def _place(side: DriftSide) -> tuple[str, str, int, str]:
    return side.repository, side.version.path, side.version.state.start, side.version.state.wording


def order(drift: Drift) -> tuple[float, str, str]:
    """Most worth looking at first."""
    return -drift.worth, drift.kind, drift.id
