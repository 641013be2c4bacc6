"""Windows of consecutive steps, by the definitions of "Mining Subscenario Refactoring Opportunities in
Behaviour-Driven Software Test Suites" (arXiv 2605.14568).

A *slice* is a window of 2 to 18 steps of one named scenario that is no Background, as a sequence of cluster ids. A
*pattern* is what several slices say.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus_tools.stages.slices.patterns import Patterns
from corpus_tools.stages.slices.sequences import LEAST, ClusterSequences
from corpus_tools.stages.slices.steps import Integers, Numbers, numbered, paired, split, sums_of
from corpus_tools.support.spilled import Spilled

MOST = 18
LENGTHS = range(LEAST, MOST + 1)
SCOPES = ("file", "repository", "owners")
"""RQ1: most scenarios of one file that hold it; RQ2: most files of one repository; RQ3: repositories. From 2 on."""

_GENERATED = 100
"""The number of scenarios with one structure, as in `blocks.mine`."""

_SCENARIOS, _PLACES = 1 << 17, 1 << 20
"""Looked at together."""

Floats = NDArray[np.float64]


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
    """All figures. Holds the slices of one bucket of one length at a time, and some bytes of each step."""
    table = _Table(sequences)
    slices = {length: table.count(length) for length in LENGTHS}
    outlying = sum(table.count(length, outlying=True) for length in LENGTHS)
    distinct = recurring = 0
    patterns, worthy_patterns = (dict.fromkeys(SCOPES, 0) for _ in range(2))
    holding, worth_holding = ({scope: np.zeros(len(sequences.lengths), bool) for scope in SCOPES} for _ in range(2))
    of_pairs: dict[str, float] = {}
    for length in LENGTHS:
        distinct += slices[length]
        for starts, ids in table.patterns.of(length):
            scenario = table.owner[starts]
            support = np.bincount(ids)
            distinct -= len(starts) - len(support)
            recurring += len(support)
            worthy = is_worthy(length, support, np.bincount(ids, weights=table.outlying[scenario]) / support)
            for scope in SCOPES:
                recurs = table.recurs(ids, scenario, scope)
                patterns[scope] += int(recurs.sum())
                holding[scope][scenario[recurs[ids]]] = True
                worthy_patterns[scope] += int((recurs & worthy).sum())
                worth_holding[scope][scenario[(recurs & worthy)[ids]]] = True
        of_pairs = of_pairs or _shares(holding)
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
        outlier_files=len(np.unique(sequences.files[table.outlying])),
        outlier_windows=outlying / max(sum(slices.values()), 1),
        saved={scope: _saved(table, scope) for scope in SCOPES},
    )


def _shares(holding: Mapping[str, NDArray[np.bool_]]) -> dict[str, float]:
    return {scope: float(which.mean()) if len(which) else 0.0 for scope, which in holding.items()}


_FREE, _WANTED, _TAKEN, _BEGINS = range(4)
"""Of a step: no window, a window from here on is a candidate, it is in a chosen window, one of this length begins."""


def _saved(table: "_Table", scope: str) -> int:
    """A greedy cover, longest patterns first, so that pairs do not break long runs. A pattern needs two remaining
    places in scenarios that make it recur in this scope."""
    state = np.full(len(table.owner), _FREE, np.uint8)
    total = 0
    for length in reversed(LENGTHS):
        # What is taken is at least as long as a window: it is free if both of its ends are.
        for starts, ids in table.patterns.of(length):
            free = (state[starts] < _TAKEN) & (state[starts + length - 1] < _TAKEN)
            starts, ids = starts[free], ids[free]
            if len(starts):
                state[starts[table.recurs(ids, table.owner[starts], scope)[ids]]] = _WANTED
        _side_by_side(state, length)
        for starts, ids in table.patterns.of(length):
            saved = np.bincount(ids[state[starts] == _BEGINS]) * (length - 1) - length
            total += int(saved[saved > 0].sum())
        state[state == _BEGINS] = _TAKEN
    return total


def _side_by_side(state: NDArray[np.uint8], length: int) -> None:
    """Take the first window that is wanted, then always the first one behind it. Nothing is wanted any more then."""
    for first in range(0, len(state), _PLACES):
        starts = np.flatnonzero(state[first : first + _PLACES] == _WANTED) + first
        state[starts] = _FREE
        behind, place, chosen = np.searchsorted(starts, starts + length).tolist(), 0, []
        while place < len(starts):
            chosen.append(place)
            place = behind[place]
        if chosen:
            taken = starts[chosen]
            state[taken[:, None] + np.arange(length)] = _TAKEN  # also behind this part, where others were wanted
            state[taken] = _BEGINS


class _Table:
    """All steps, one scenario after another."""

    def __init__(self, sequences: ClusterSequences) -> None:
        self._lengths, self._files, self._repositories = sequences.lengths, sequences.files, sequences.repositories
        self._repository_of_file = np.zeros(int(self._files.max(initial=-1)) + 1, np.int32)
        self._repository_of_file[self._files] = self._repositories
        owner, left = Spilled(np.int32), Spilled(np.uint8)
        for first in range(0, len(self._lengths), _SCENARIOS):
            lengths = self._lengths[first : first + _SCENARIOS]
            owner.append(np.repeat(np.arange(first, first + len(lengths)), lengths))
            left.append(np.minimum(np.repeat(np.cumsum(lengths), lengths) - np.arange(lengths.sum()), MOST))
        self.owner = owner.whole()
        """`(steps,)`: the scenario of each."""
        self.outlying = self._outlying(sequences.symbols)
        self.patterns = Patterns(sequences.symbols, left.whole(), MOST)

    def _outlying(self, symbols: Numbers) -> NDArray[np.bool_]:
        """`(scenarios,)`: true for scenarios in a file that looks generated: at least half of its scenarios have a
        structure that `_GENERATED` scenarios of the corpus share. The release does not explain its own flag."""
        structure = numbered(sums_of(symbols, self._lengths))
        alike = np.bincount(structure)[structure] >= _GENERATED
        shares = np.bincount(self._files, weights=alike) / np.maximum(np.bincount(self._files), 1)
        outlying: NDArray[np.bool_] = shares[self._files] >= 0.5
        return outlying

    def count(self, length: int, *, outlying: bool = False) -> int:
        """The number of windows of a length, in all scenarios or in outlying ones."""
        lengths = self._lengths[self.outlying] if outlying else self._lengths
        return int(np.maximum(lengths.astype(np.int64) - length + 1, 0).sum())

    def recurs(self, ids: Numbers, scenario: Numbers, scope: str) -> NDArray[np.bool_]:
        """`(patterns,)`: true for patterns that recur in this scope."""
        count = int(ids.max()) + 1
        if scope == "owners":
            pattern, _ = _distinct(ids, self._repositories[scenario])
            return np.bincount(pattern, minlength=count) > 1
        if scope == "file":
            pattern, own = _distinct(ids, scenario)
            outer = self._files[own]
        else:
            pattern, file = _distinct(ids, self._files[scenario])
            outer = self._repository_of_file[file]
        recurring = np.zeros(count, bool)
        keys, sizes = np.unique(paired(pattern, outer), return_counts=True)
        recurring[split(keys[sizes > 1])[0]] = True
        return recurring


def _distinct(left: NDArray[Any], right: NDArray[Any]) -> tuple[Integers, Integers]:
    """The pairs, each once."""
    return split(np.unique(paired(left, right)))
