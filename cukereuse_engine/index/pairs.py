"""The result of every join."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Positions = NDArray[np.int32]
"""(n,) places in a list of texts."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPairs:
    """Pairs of positions in one list of texts, each once.

    `a` and `b` are `(n,)` int32 with `a < b`, sorted by (a, b); `score` is `(n,)` float64, the similarity that the join
    measured (Indel or cosine; the producer says which).
    """

    a: Positions
    b: Positions
    score: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.a)

    @classmethod
    def empty(cls) -> "ScoredPairs":
        return cls(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float64))

    def subset(self, kept: NDArray[Any]) -> "ScoredPairs":
        return ScoredPairs(self.a[kept], self.b[kept], self.score[kept])

    @classmethod
    def of(cls, a: NDArray[Any], b: NDArray[Any], score: NDArray[Any]) -> "ScoredPairs":
        """Orient, sort and keep the first of equal pairs."""
        low, high = np.minimum(a, b).astype(np.int32), np.maximum(a, b).astype(np.int32)
        order = np.argsort(low.astype(np.int64) << 32 | high, kind="stable")  # much is sorted already
        low, high, scores = low[order], high[order], score[order].astype(np.float64)
        first = np.ones(len(low), bool)
        first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
        return cls(low[first], high[first], scores[first])

    @classmethod
    def together(cls, parts: "Sequence[ScoredPairs]") -> "ScoredPairs":
        """The pairs of several joins, each once, with the score of the first join that has it."""
        if not parts:
            return cls.empty()
        return cls.of(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("a", "b", "score")))
