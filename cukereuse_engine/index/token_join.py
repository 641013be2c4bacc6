"""All pairs of word sets whose Jaccard similarity reaches a threshold: complete, by two filters that lose nothing.

Prefix filter (Chaudhuri et al. 2006): with words ordered from the rarest on, sets of sizes p and q can reach t only if
their first `p - ceil(t * p) + 1` and `q - ceil(t * q) + 1` words share one. Bitmap filter (Sandes et al. 2020): words
hashed to bits, the bits in which two sets differ are never more than the words in which they do. What passes both is
counted.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.progress import SILENT, Progress

_ROWS = 256
"""Sets compared with a whole posting list at once."""
_COLUMNS = 1 << 16
_PAIRS = 1 << 21
"""Possible pairs held at once, before they are counted."""


class TokenJoin:
    """The join in parts: each word's posting list gives its own pairs, so that the work can be shared out."""

    def __init__(self, bags: Sequence[frozenset[str]], threshold: float) -> None:
        self.threshold = threshold
        self.bags = bags
        self._sizes = np.fromiter(map(len, bags), np.int32, len(bags))
        frequency: dict[str, int] = {}
        for bag in bags:
            for word in bag:
                frequency[word] = frequency.get(word, 0) + 1
        rank = {word: i for i, word in enumerate(sorted(frequency, key=lambda word: (frequency[word], word)))}
        self._bits = np.zeros(len(bags), np.uint64)
        postings: dict[int, list[int]] = {}
        for position, bag in enumerate(bags):
            ranks = sorted(rank[word] for word in bag)
            bits = 0
            for number in ranks:
                bits |= 1 << (number * 0x9E3779B1 >> 7) % 64
            self._bits[position] = bits
            for number in ranks[: len(ranks) - int(np.ceil(threshold * len(ranks) - 1e-9)) + 1]:
                postings.setdefault(number, []).append(position)
        self.postings = [
            np.array(postings[number], np.int32) for number in sorted(postings) if len(postings[number]) > 1
        ]
        """Positions of the sets that have a word in their prefix, for each word that has several, the rarest first."""

    def pairs(self, first: int, last: int, progress: Progress = SILENT) -> ScoredPairs:
        """What the posting lists from `first` up to `last` give; the parts together, each pair once, are the join."""
        possible: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
        counted, held = [ScoredPairs.empty()], 0
        with progress.stage("comparing words", last - first, "words") as stage:
            for posting in self.postings[first:last]:
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
        # J >= t means that at most (1 - t) / (1 + t) of all words, counted in both sets, are in one set only.
        allowed = (self._sizes[rows][:, None] + self._sizes[columns]) * ((1 - self.threshold) / (1 + self.threshold))
        differing = np.bitwise_count(self._bits[rows][:, None] ^ self._bits[columns])
        row, column = np.nonzero(differing <= allowed + 1e-6)
        later = row + start < column + left
        return rows[row[later]], columns[column[later]]

    def _counted(self, possible: Sequence[tuple[NDArray[np.int32], NDArray[np.int32]]]) -> ScoredPairs:
        a, b = (np.concatenate(side) for side in zip(*possible, strict=True))
        keys = np.unique(a.astype(np.int64) * len(self.bags) + b)  # two sets may share several words of their prefixes
        a, b = (side.astype(np.int32) for side in np.divmod(keys, len(self.bags)))
        bags = self.bags
        shared = np.fromiter(
            (len(bags[left] & bags[right]) for left, right in zip(a.tolist(), b.tolist(), strict=True)),
            np.int64,
            len(a),
        )
        score = shared / (self._sizes[a] + self._sizes[b] - shared)
        near = score >= self.threshold
        return ScoredPairs.of(a[near], b[near], score[near])


def token_join(bags: Sequence[frozenset[str]], threshold: float, progress: Progress = SILENT) -> ScoredPairs:
    """All pairs of sets of words with a Jaccard similarity >= `threshold`, above 0; an empty set has no partner."""
    join = TokenJoin(bags, threshold)
    return join.pairs(0, len(join.postings), progress)
