"""All pairs of word sets whose Jaccard similarity reaches a threshold: complete, because its two filters lose nothing.

Prefix filter (Chaudhuri et al. 2006): with words ordered from the rarest on, sets of sizes p and q can reach t only if
their first `p - ceil(t * p) + 1` and `q - ceil(t * q) + 1` words share one. Bitmap filter (Sandes et al. 2020): with
words hashed to bits, two sets differ in at most as many bits as in words. Pairs that pass both are counted.
"""

from array import array
from collections.abc import Iterable, Sequence
from copy import copy
from itertools import chain
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.index.arrays import cumulate
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.progress import SILENT, Progress

_ROWS = 256
"""Sets compared with a whole posting list at once."""
_COLUMNS = 1 << 16
_BITS = 64
"""Number of bits of a set's bitmap."""
_PAIRS = 1 << 21
"""Possible pairs held at once, before they are counted."""


class _Sets:
    """Sets of words, with the data of the filters."""

    def __init__(self, bags: Sequence[frozenset[str]], threshold: float) -> None:
        self.threshold = threshold
        self.bags = bags
        self.sizes = np.fromiter(map(len, bags), np.int32, len(bags))
        # J >= t means that at most (1 - t) / (1 + t) of all words, counted in both sets, are in one set only.
        words = np.arange(2 * self.sizes.max(initial=0) + 1)
        self._allowed = np.minimum(words * ((1 - threshold) / (1 + threshold)) + 1e-6, _BITS).astype(np.uint8)
        """The number of bits that may differ, by the number of words in both sets."""
        self.bits = np.zeros(len(bags), np.uint64)
        self.prefixes: list[list[int]] = []
        """Numbers of the words in each set's prefix, the rarest word's first."""
        frequency: dict[str, int] = {}
        for bag in bags:
            for word in bag:
                frequency[word] = frequency.get(word, 0) + 1
        rank = {word: i for i, word in enumerate(sorted(frequency, key=lambda word: (frequency[word], word)))}
        for position, bag in enumerate(bags):
            ranks = sorted(rank[word] for word in bag)
            bits = 0
            for number in ranks:
                bits |= 1 << (number * 0x9E3779B1 >> 7) % _BITS
            self.bits[position] = bits
            self.prefixes.append(ranks[: len(ranks) - ceil(threshold * len(ranks) - 1e-9) + 1])

    def take(self, positions: NDArray[np.int32]) -> "_Sets":
        """Some of the sets, without their prefixes."""
        some = copy(self)
        some.bags = [self.bags[position] for position in positions.tolist()]
        some.sizes, some.bits, some.prefixes = self.sizes[positions], self.bits[positions], []
        return some

    def near(self, position: int, others: NDArray[np.int32]) -> list[int]:
        """The `others`, each once, that reach the threshold with the set at `position`."""
        bags, threshold = self.bags, self.threshold
        bag, size, near = bags[position], len(bags[position]), []
        for other in set(others[self.may_be_near(position, others)].tolist()):
            its = bags[other]
            shared = len(bag & its)
            if shared >= threshold * (size + len(its) - shared):
                near.append(other)
        return near

    def has_crowd(self, crowd: int) -> bool:
        """True if a set has so many near ones beside itself. Counts only if the filters leave enough."""
        words = np.fromiter(chain.from_iterable(self.prefixes), np.int64)
        before = cumulate(np.bincount(words)[words])
        ends = np.cumsum(np.fromiter(map(len, self.prefixes), np.int64))
        sharing = np.diff(before[ends], prepend=0)  # a word of the prefix, as often as they share one
        everything = np.arange(len(self.bags), dtype=np.int32)
        return any(
            np.count_nonzero(self.may_be_near(position, slice(None))) > crowd
            and len(self.near(position, everything)) > crowd
            for position in np.flatnonzero(sharing > crowd).tolist()
        )

    def may_be_near(self, rows: Any, columns: Any) -> NDArray[np.bool_]:
        """True for pairs of positions that the bitmaps let through; the two broadcast."""
        allowed = self._allowed.take(self.sizes[rows] + self.sizes[columns])
        return np.asarray(np.bitwise_count(self.bits[rows] ^ self.bits[columns]) <= allowed, np.bool_)


class TokenJoin:
    """The join by posting lists: each word's gives its own pairs, so that the work can be distributed."""

    def __init__(self, bags: Sequence[frozenset[str]], threshold: float) -> None:
        self._sets = sets = _Sets(bags, threshold)
        postings: dict[int, list[int]] = {}
        for position, prefix in enumerate(sets.prefixes):
            for number in prefix:
                postings.setdefault(number, []).append(position)
        self.postings = [
            np.array(postings[number], np.int32) for number in sorted(postings) if len(postings[number]) > 1
        ]
        """Positions of the sets that have a word in their prefix, for each word that has several, the rarest first."""
        sets.prefixes.clear()  # not needed any more

    def part(self, first: int, last: int) -> "tuple[NDArray[np.int32], TokenJoin]":
        """The posting lists from `first` up to `last`: the positions of their sets, and a join of these alone. The
        parts together, each pair once, are the join."""
        postings, part = self.postings[first:last], copy(self)
        own = np.unique(np.concatenate(postings))
        part._sets = self._sets.take(own)
        part.postings = [np.searchsorted(own, posting).astype(np.int32) for posting in postings]
        return own, part

    def pairs(self, progress: Progress = SILENT) -> ScoredPairs:
        """The pairs of sets that share a posting list."""
        possible: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
        counted, held = [ScoredPairs.empty()], 0
        with progress.stage("comparing words", len(self.postings), "words") as stage:
            for posting in self.postings:
                for start in range(0, len(posting) - 1, _ROWS):
                    for left in range(start, len(posting), _COLUMNS):
                        possible.append(self._possible(posting, start, left))
                        held += len(possible[-1][0])
                        if held > _PAIRS:
                            counted.append(self._counted(possible))
                            possible, held = [], 0
                stage.advance()
        if possible:
            counted.append(self._counted(possible))
        a, b, score = (np.concatenate([getattr(part, name) for part in counted]) for name in ("a", "b", "score"))
        return ScoredPairs.of(a, b, score)

    def _possible(
        self, posting: NDArray[np.int32], start: int, left: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Pairs of a posting list's rows from `start` with its columns from `left` that the bitmaps let through."""
        rows, columns = posting[start : start + _ROWS], posting[left : left + _COLUMNS]
        row, column = np.nonzero(self._sets.may_be_near(rows[:, None], columns))
        later = row + start < column + left
        return rows[row[later]], columns[column[later]]

    def _counted(self, possible: Sequence[tuple[NDArray[np.int32], NDArray[np.int32]]]) -> ScoredPairs:
        a, b = (np.concatenate(side) for side in zip(*possible, strict=True))
        bags, sizes = self._sets.bags, self._sets.sizes
        keys = np.unique(a.astype(np.int64) * len(bags) + b)  # two sets may share several words of their prefixes
        a, b = (side.astype(np.int32) for side in np.divmod(keys, len(bags)))
        shared = np.fromiter(
            (len(bags[left] & bags[right]) for left, right in zip(a.tolist(), b.tolist(), strict=True)),
            np.int64,
            len(a),
        )
        score = shared / (sizes[a] + sizes[b] - shared)
        near = score >= self._sets.threshold
        return ScoredPairs.of(a[near], b[near], score[near])


def token_join(bags: Sequence[frozenset[str]], threshold: float, progress: Progress = SILENT) -> ScoredPairs:
    """All pairs of word sets with a Jaccard similarity >= `threshold`, above 0; an empty set has no partner."""
    return TokenJoin(bags, threshold).pairs(progress)


class Crowds(NamedTuple):
    """The result of `find_crowds`: positions, each ascending."""

    left: NDArray[np.int64]
    """The sets that are left when crowds keep examples only."""
    examples: NDArray[np.int64]
    crowded: NDArray[np.int64]
    """Examples with a crowd around them; empty where all sets are left."""


def find_crowds(
    bags: Sequence[frozenset[str]], threshold: float, crowd: int, examples: int, order: Iterable[int]
) -> Crowds:
    """A set is an example unless `examples` earlier sets in this `order` are near it, with a Jaccard similarity >=
    `threshold`. It is left out if so many are, and if at least `crowd` sets that are no examples are near one of them.
    So a set that is left out has `examples` near ones that stay; if no set has `crowd` near ones, all stay.
    """
    everything, none = np.arange(len(bags)), np.arange(0)
    if len(bags) <= crowd:
        return Crowds(everything, none, none)
    sets = _Sets(bags, threshold)
    if not sets.has_crowd(crowd):
        return Crowds(everything, none, none)
    holding: dict[int, array[int]] = {}
    """Number of a word to the examples that have it in their prefix."""
    examples_of: dict[int, list[int]] = {}
    around = np.zeros(len(bags), np.int64)
    for position in order:
        postings = [holding[number] for number in sets.prefixes[position] if number in holding]
        near: list[int] = []
        if sum(map(len, postings)) >= examples:
            near = sets.near(position, np.concatenate([np.frombuffer(posting, np.int32) for posting in postings]))
        if len(near) >= examples:
            examples_of[position] = near
            around[near] += 1
        else:
            for number in sets.prefixes[position]:
                holding.setdefault(number, array("i")).append(position)
    gone = [position for position, near in examples_of.items() if around[near].max() >= crowd]
    return Crowds(
        np.setdiff1d(everything, gone),
        np.setdiff1d(everything, list(examples_of)),
        np.flatnonzero(around >= crowd),
    )
