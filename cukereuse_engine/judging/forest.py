"""Trees that vote: what `p_one_intent` is learned with."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.features import Column, matrix

WHOLE = 10_000
"""Votes of a leaf whose pairs are all right. Votes are whole numbers, so that a sum is the same in any order."""
_PAIRS_AT_ONCE = 512
_LEVELS_AT_ONCE = 6


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Extremely randomised trees (Geurts et al. 2006), all nodes in one table; a leaf asks nothing."""

    names: tuple[str, ...]
    roots: NDArray[np.int32]
    """(trees,) its first node."""
    asked: NDArray[np.int16]
    """(nodes,) feature that is asked about; -1 in a leaf."""
    bounds: NDArray[np.float32]
    """(nodes,) whether the feature is above this."""
    above: NDArray[np.int32]
    """(nodes,) node that follows if it is, the next one else; after a leaf the leaf."""
    votes: NDArray[np.uint16]
    """(nodes,) share of what is right in a leaf, of `WHOLE`."""

    def logit(self, features: Mapping[str, Column]) -> Column:
        """`(n,)` log odds of the mean vote."""
        values = matrix(features, self.names).astype(np.float32)
        total = np.zeros(len(values), np.int64)
        for start in range(0, len(values), _PAIRS_AT_ONCE):
            total[start : start + _PAIRS_AT_ONCE] = self._votes(values[start : start + _PAIRS_AT_ONCE])
        share = np.clip(total / (WHOLE * len(self.roots)), 1e-4, 1 - 1e-4)
        return np.asarray(np.log(share / (1.0 - share)), np.float64)

    def _votes(self, values: NDArray[np.float32]) -> NDArray[np.int64]:
        """(n,) sum over the trees. Of all ways down a few are long, so that what has come to a leaf is put away now
        and then."""
        count, width = values.shape
        flat = values.ravel()
        row = np.tile(np.arange(count) * width, len(self.roots))
        node = np.repeat(self.roots, count)
        sums = np.zeros(count)
        while len(node):
            for _ in range(_LEVELS_AT_ONCE):
                features = self.asked[node]
                below = node + (features >= 0)
                node = np.where(flat[row + features] > self.bounds[node], self.above[node], below)
            arrived = self.asked[node] < 0
            sums += np.bincount(row[arrived] // width, self.votes[node[arrived]], count)
            node, row = node[~arrived], row[~arrived]
        return sums.astype(np.int64)
