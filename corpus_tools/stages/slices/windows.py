"""Windows of consecutive steps, by the definitions of "Mining Subscenario Refactoring Opportunities in
Behaviour-Driven Software Test Suites" (arXiv 2605.14568).

A *slice* is a window of 2 to 18 steps of one named scenario that is no Background, as a sequence of cluster ids; steps
without a cluster are left out, and scenarios of one name in one file are one. A *pattern* is what several slices say.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus_tools.stages.slices.steps import Integers, Numbers, numbered, paired, same_sequences, split
from cukereuse_engine.index.arrays import cumulate

LEAST, MOST = 2, 18
SCOPES = ("file", "repository", "owners")
"""RQ1: most scenarios of one file that hold it; RQ2: most files of one repository; RQ3: repositories. From 2 on."""

_GENERATED = 100
"""The number of scenarios with one structure, as in `blocks.mine`."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ClusterSequences:
    """Scenarios, each a sequence of cluster ids."""

    symbols: Integers
    """`(steps,)`, one scenario after another."""
    lengths: Integers
    """`(scenarios,)`"""
    files: Integers
    """`(scenarios,)`; numbers from 0."""
    repositories: Integers

    @classmethod
    def of(cls, repository: Numbers, path: Numbers, name: Numbers, cluster: Integers) -> "ClusterSequences":
        """Steps in order, without those of Backgrounds. Numbers below `1 << 32` stand for repository, path and name of
        the scenario (0: none); cluster is -1 for none. Scenarios are in the order of their first steps."""
        kept = np.flatnonzero((name > 0) & (cluster >= 0))
        file = numbered(paired(repository[kept], path[kept]))
        _, first, scenario = np.unique(paired(file, name[kept]), return_index=True, return_inverse=True)
        lengths = np.bincount(scenario, minlength=len(first))
        long_enough = np.flatnonzero(lengths >= LEAST)
        chosen = long_enough[np.argsort(first[long_enough])]
        place = np.full(len(first), len(chosen))
        place[chosen] = np.arange(len(chosen))
        order = np.argsort(place[scenario], kind="stable")[: lengths[chosen].sum()]
        _, repositories = np.unique(repository[kept[first[chosen]]], return_inverse=True)
        _, files = np.unique(file[first[chosen]], return_inverse=True)
        return cls(cluster[kept[order]], lengths[chosen], files, repositories)


@dataclass(frozen=True, slots=True)
class SliceFigures:
    scenarios: int
    slices: dict[int, int]
    """The number of slices by length."""
    distinct: int
    recurring: int
    """Patterns of at least two slices."""
    patterns: dict[str, int]
    """The number of patterns that recur in each scope."""
    scenario_share: dict[str, float]
    """The share of scenarios with a pattern that recurs in the scope, by scope."""
    scenario_share_of_pairs: dict[str, float]
    """The same for windows of two steps alone, which explain most of the shares."""
    worthy_patterns: dict[str, int]
    """The number of recurring patterns in each scope for which `is_worthy` is true."""
    worthy_scenario_share: dict[str, float]
    outlier_files: int
    """Files that look generated (`_Table.outliers`)."""
    outlier_windows: float
    """The share of the windows that are in such files."""
    saved: dict[str, int]
    """The steps saved if each recurring pattern were one step, by scope, with no step counted twice."""


def is_worthy(length: int, support: Integers, outlier_fraction: Floats) -> NDArray[np.bool_]:
    """For patterns of one length, the two conditions that agree with the labelled windows nearly as well as a model
    (`pool.RULES`): most of its places are in files that a person wrote, and it is no short run that occurs twice.
    `support`: `(patterns,)`, the number of slices of each."""
    worthy: NDArray[np.bool_] = (outlier_fraction <= 0.5) & ~((length <= 3) & (support == 2))
    return worthy


def figures(sequences: ClusterSequences) -> SliceFigures:
    """All figures; time and memory grow with the number of slices of one length, not of all lengths."""
    table = _Table(sequences)
    slices: dict[int, int] = {}
    distinct = recurring = 0
    patterns = dict.fromkeys(SCOPES, 0)
    holding = {scope: np.zeros(len(sequences.lengths), bool) for scope in SCOPES}
    of_pairs = dict.fromkeys(SCOPES, 0.0)
    worthy_patterns = dict.fromkeys(SCOPES, 0)
    worth_holding = {scope: np.zeros(len(sequences.lengths), bool) for scope in SCOPES}
    in_outliers = table.outliers()
    outlying = 0
    for length in range(LEAST, MOST + 1):
        starts, ids = table.windows(length)
        slices[length] = len(starts)
        if not len(starts):
            continue
        scenario = table.owner[starts]
        distinct += int(ids.max()) + 1
        support = np.bincount(ids)
        recurring += int((support > 1).sum())
        outlying += int(in_outliers[scenario].sum())
        worthy = is_worthy(length, support, np.bincount(ids, weights=in_outliers[scenario]) / support)
        for scope in SCOPES:
            recurs = table.recurs(ids, scenario, scope)
            patterns[scope] += int(recurs.sum())
            holding[scope][scenario[recurs[ids]]] = True
            worthy_patterns[scope] += int((recurs & worthy).sum())
            worth_holding[scope][scenario[(recurs & worthy)[ids]]] = True
            if length == LEAST:
                of_pairs[scope] = float(holding[scope].mean())
    return SliceFigures(
        scenarios=len(sequences.lengths),
        slices=slices,
        distinct=distinct,
        recurring=recurring,
        patterns=patterns,
        scenario_share=_shares(holding),
        scenario_share_of_pairs=of_pairs,
        worthy_patterns=worthy_patterns,
        worthy_scenario_share=_shares(worth_holding),
        outlier_files=len(np.unique(sequences.files[in_outliers])),
        outlier_windows=outlying / sum(slices.values()) if outlying else 0.0,
        saved={scope: _saved(table, scope) for scope in SCOPES},
    )


def _shares(holding: Mapping[str, NDArray[np.bool_]]) -> dict[str, float]:
    return {scope: float(which.mean()) if len(which) else 0.0 for scope, which in holding.items()}


def _saved(table: "_Table", scope: str) -> int:
    """A greedy cover, longest patterns first, so that pairs do not break long runs. A pattern needs two remaining
    places in scenarios that make it recur in this scope."""
    taken = np.zeros(len(table.symbols), bool)
    total = 0
    for length in range(MOST, LEAST - 1, -1):
        starts, ids = table.windows(length)
        if not len(starts):
            continue
        before = cumulate(taken.astype(np.int64))
        free = before[starts + length] == before[starts]
        starts, ids = starts[free], ids[free]
        if not len(starts):
            continue
        recurs = table.recurs(ids, table.owner[starts], scope)[ids]
        starts, ids = starts[recurs], ids[recurs]
        chosen = _side_by_side(starts, length)
        taken[starts[chosen][:, None] + np.arange(length)] = True
        saved = np.bincount(ids[chosen]) * (length - 1) - length
        total += int(saved[saved > 0].sum())
    return total


def _side_by_side(starts: Integers, length: int) -> Integers:
    """Positions of the ascending `starts` whose windows do not overlap: each is the first behind the one before."""
    chosen, after = [], 0
    for place, start in enumerate(starts.tolist()):
        if start >= after:
            chosen.append(place)
            after = start + length
    return np.array(chosen, np.int64)


class _Table:
    """All steps, one scenario after another."""

    def __init__(self, sequences: ClusterSequences) -> None:
        self.symbols, lengths = sequences.symbols, sequences.lengths
        self.owner = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
        places = np.arange(len(self.symbols), dtype=np.int32)
        self._left = np.repeat(np.cumsum(lengths, dtype=np.int32), lengths) - places
        self._alike = same_sequences(self.symbols, lengths)
        self._files, self._repositories = sequences.files, sequences.repositories
        self._repository_of_file = np.zeros(int(self._files.max(initial=-1)) + 1, np.int64)
        self._repository_of_file[self._files] = self._repositories
        self._ids: dict[int, Numbers] = {1: numbered(self.symbols)}

    def outliers(self) -> NDArray[np.bool_]:
        """`(scenarios,)`: true for scenarios in a file that looks generated: at least half of its scenarios have a
        structure that `_GENERATED` scenarios of the corpus share. The release does not explain its own flag."""
        alike = np.bincount(self._alike)[self._alike] >= _GENERATED
        shares = np.bincount(self._files, weights=alike) / np.maximum(np.bincount(self._files), 1)
        outlying: NDArray[np.bool_] = shares[self._files] >= 0.5
        return outlying

    def windows(self, length: int) -> tuple[Integers, Numbers]:
        """The beginnings of the windows of a length, and the number of each one's pattern, from 0."""
        starts = np.flatnonzero(self._left >= length)
        if not len(starts):
            return starts, starts.astype(np.int32)
        if length not in self._ids:
            before = np.zeros(len(self.symbols), np.int64)
            shorter, prefixes = self.windows(length - 1)
            before[shorter] = prefixes
            before = before[starts]
            before *= int(self._ids[1].max()) + 1
            before += self._ids[1][starts + length - 1]
            self._ids[length] = numbered(before)
        ids = self._ids[length]
        return starts, ids[starts] if length == 1 else ids

    def recurs(self, ids: Numbers, scenario: Numbers, scope: str) -> NDArray[np.bool_]:
        """`(patterns,)`: true for patterns that recur in this scope."""
        count = int(ids.max()) + 1
        often = np.bincount(ids, minlength=count)[ids] > 1
        ids, scenario = ids[often], scenario[often]
        recurring = np.zeros(count, bool)
        if scope == "owners":
            pattern, _ = _distinct(ids, self._repositories[scenario])
            return np.bincount(pattern, minlength=count) > 1
        if scope == "file":
            pattern, own = _distinct(ids, scenario)
            outer = self._files[own]
        else:
            pattern, file = _distinct(ids, self._files[scenario])
            outer = self._repository_of_file[file]
        keys, sizes = np.unique(paired(pattern, outer), return_counts=True)
        recurring[split(keys[sizes > 1])[0]] = True
        return recurring


def _distinct(left: NDArray[Any], right: NDArray[Any]) -> tuple[Integers, Integers]:
    """The pairs, each once."""
    return split(np.unique(paired(left, right)))
