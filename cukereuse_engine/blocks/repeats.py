"""Closed repeats of many short sequences, by a suffix array.

A run of symbols is a *closed repeat* if it occurs at least twice and no longer run that contains it occurs as often
(Gusfield 1997, 7.12: maximal repeats). These are enough: every repeat is part of one. Time is O(n log l) for n symbols
in sequences of at most l; memory is a few arrays of n integers for each power of two up to l.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RunInterval:
    """All occurrences of one run, as a part of the suffix array."""

    length: int
    """In symbols."""
    first: int
    last: int
    """The position of the last one, inclusive."""

    @property
    def occurrences(self) -> int:
        return self.last - self.first + 1


class SymbolRuns:
    """Every run of symbols in some sequences, and its places. Positions count over all sequences one after another,
    each ended by a separator."""

    def __init__(self, sequences: Sequence[Sequence[int]]) -> None:
        """Symbols are integers from 0."""
        self.text = _Text.of(sequences)
        self._order, ranks = _suffix_array(self.text.symbols, max(map(len, sequences), default=0))
        self._common = np.minimum(_adjacent_common(self._order, ranks), self.text.left[self._order])
        before = self.text.before[self._order]
        self._changes = np.concatenate(([0], np.cumsum(before[1:] != before[:-1])))
        self._owners = self.text.owner[self._order]

    def closed(self, min_length: int, min_support: int) -> Iterator[RunInterval]:
        """The closed repeats of at least `min_length` symbols in at least `min_support` distinct sequences, in the
        order that their suffixes sort in."""
        for first, last, length in _intervals(self._common, min_length):
            if self._changes[last] == self._changes[first]:
                continue  # the symbol before it is the same everywhere: a longer run occurs as often
            inside = self._owners[first : last + 1]
            if len(inside) < min_support or inside.min() == inside.max():
                continue
            if min_support > 2 and len(np.unique(inside)) < min_support:
                continue
            yield RunInterval(length, first, last)

    def one(self, interval: RunInterval) -> int:
        """The position of one of its occurrences."""
        return int(self._order[interval.first])

    def occurrences(self, interval: RunInterval) -> Integers:
        """The positions of all occurrences, ascending."""
        return np.sort(self._order[interval.first : interval.last + 1])

    def everywhere(self, windows: Iterable[tuple[int, int]]) -> Iterator[RunInterval]:
        """Yields each run in some of the windows `(position, length)` once, with all its occurrences, by length and
        place in the suffix array."""
        by_length: dict[int, list[int]] = {}
        for position, length in windows:
            by_length.setdefault(length, []).append(position)
        place = np.empty(len(self._order), np.int64)
        place[self._order] = np.arange(len(self._order))
        for length, positions in sorted(by_length.items()):
            borders = np.append(np.flatnonzero(self._common < length), len(self._order))
            intervals = np.unique(np.searchsorted(borders, place[positions], "right"))
            for first, after in zip(borders[intervals - 1].tolist(), borders[intervals].tolist(), strict=True):
                yield RunInterval(length, first, after - 1)


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """The sequences one after another, each ended by a separator that occurs nowhere else."""

    symbols: Integers
    owner: Integers
    """The sequence to which a position belongs."""
    offset: Integers
    """The beginning of that sequence."""
    left: Integers
    """The number of symbols from a position to the end of its sequence, without the separator."""
    before: Integers
    """The symbol before a position; a different negative number for each sequence's first."""

    @classmethod
    def of(cls, sequences: Sequence[Sequence[int]]) -> "_Text":
        lengths = np.array([len(sequence) for sequence in sequences], np.int64)
        begins = np.concatenate(([0], np.cumsum(lengths + 1)))
        highest = max((max(sequence) for sequence in sequences if len(sequence)), default=-1)
        symbols = np.empty(begins[-1], np.int64)
        for number, sequence in enumerate(sequences):
            symbols[begins[number] : begins[number + 1] - 1] = sequence
            symbols[begins[number + 1] - 1] = highest + 1 + number
        owner = np.repeat(np.arange(len(sequences)), lengths + 1)
        offset = np.repeat(begins[:-1], lengths + 1)
        left = offset + lengths[owner] - np.arange(len(symbols)) if len(symbols) else symbols
        before = np.concatenate(([-1], symbols[:-1])) if len(symbols) else symbols
        before[begins[:-1][lengths >= 0]] = -1 - np.arange(len(sequences))
        return cls(symbols, owner, offset, left, before)


def _suffix_array(symbols: Integers, longest: int) -> tuple[Integers, list[NDArray[np.int32]]]:
    """Positions in the order of their suffixes, and the rank of each position by its first 1, 2, 4, … symbols (prefix
    doubling, Manber and Myers 1993). Separators make suffixes differ within `longest + 1` symbols."""
    _, first = np.unique(symbols, return_inverse=True)
    ranks = [first.astype(np.int32)]
    width = 1
    while True:
        rank = ranks[-1].astype(np.int64)
        if width > longest:
            return np.argsort(rank, kind="stable"), ranks
        following = np.full(len(rank), -1, np.int64)
        following[:-width] = rank[width:]
        _, doubled = np.unique(rank * (len(rank) + 1) + following + 1, return_inverse=True)
        ranks.append(doubled.astype(np.int32))
        width *= 2


def _adjacent_common(order: Integers, ranks: list[NDArray[np.int32]]) -> Integers:
    """`(n,)`: the number of symbols that each suffix, in `order`, shares with the one before it; 0 for the first."""
    common = np.zeros(len(order), np.int64)
    if len(order) < 2:
        return common
    here, there = order[1:].copy(), order[:-1].copy()
    shared = np.zeros(len(here), np.int64)
    n = len(order)
    for level in range(len(ranks) - 1, -1, -1):
        rank = ranks[level]
        inside = np.maximum(here, there) < n
        same = np.zeros(len(here), bool)
        same[inside] = rank[here[inside]] == rank[there[inside]]
        step = np.where(same, 1 << level, 0)
        here, there, shared = here + step, there + step, shared + step
    common[1:] = shared
    return common


def _intervals(common: Integers, least: int) -> Iterator[tuple[int, int, int]]:
    """The first and last position in the suffix array, and the length, of every maximal interval whose suffixes share
    at least `least` symbols (Abouelhoda, Kurtz and Ohlebusch 2004: lcp-intervals)."""
    stack: list[tuple[int, int]] = []  # length, first
    for position, length in enumerate(common.tolist()):
        first = position - 1
        while stack and stack[-1][0] > length:
            tall, first = stack.pop()
            yield first, position - 1, tall
        if length >= least and (not stack or stack[-1][0] < length):
            stack.append((length, first))
    while stack:
        tall, first = stack.pop()
        yield first, len(common) - 1, tall
