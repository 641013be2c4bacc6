"""The trees with which `p_one_intent` is learned."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.features import Column

WHOLE = 10_000
"""Votes of a leaf with only right pairs. Votes are integers, so that a sum is the same in any order."""
_PAIRS_AT_ONCE = 512
_LEVELS_AT_ONCE = 6


@dataclass(frozen=True, eq=False)
class Forest:
    """Extremely randomised trees (Geurts et al. 2006), all nodes in one table; a leaf asks nothing."""

    names: tuple[str, ...]
    roots: NDArray[np.int32]
    """(trees,) the first node of each tree."""
    asked: NDArray[np.int16]
    """(nodes,) the feature to test; -1 in a leaf."""
    bounds: NDArray[np.float32]
    """(nodes,) the bound of that feature."""
    above: NDArray[np.int32]
    """(nodes,) the node that follows if the feature is above the bound, otherwise the next one; a leaf itself."""
    votes: NDArray[np.uint16]
    """(nodes,) share of right pairs in a leaf, times `WHOLE`."""

    def logit(self, features: Mapping[str, Column]) -> Column:
        """`(n,)` log odds of the mean vote."""
        values = np.array([features[name] for name in self.names], np.float32)
        parts = range(0, values.shape[1], _PAIRS_AT_ONCE)
        total = np.concatenate([np.zeros(0), *(self._votes(values[:, at : at + _PAIRS_AT_ONCE]) for at in parts)])
        share = np.clip(total / (WHOLE * len(self.roots)), 1e-4, 1 - 1e-4)
        return np.asarray(np.log(share / (1.0 - share)), np.float64)

    @cached_property
    def _questions(self) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.int64]]:
        """(nodes,) the feature's offset in a table `_PAIRS_AT_ONCE` wide, and the bound, which nothing exceeds in a
        leaf; (2·nodes,) the next node for no and yes. NumPy looks these up fastest."""
        nodes, is_leaf = np.arange(len(self.asked)), self.asked < 0
        follows = np.stack([np.where(is_leaf, nodes, nodes + 1), self.above], 1).ravel()
        begins = np.maximum(self.asked, 0).astype(np.int64) * _PAIRS_AT_ONCE
        return begins, np.where(is_leaf, np.float32(np.inf), self.bounds), follows

    def _votes(self, values: NDArray[np.float32]) -> Column:
        """(n,) sum over the trees for `(features, n)`. Few paths are long, so pairs that have reached a leaf are
        removed from time to time."""
        begins, bounds, follows = self._questions
        count = values.shape[1]
        flat = np.pad(values, ((0, 0), (0, _PAIRS_AT_ONCE - count))).ravel()
        pair = np.tile(np.arange(count), len(self.roots))
        node = np.repeat(self.roots.astype(np.int64), count)
        sums = np.zeros(count)
        while len(node):
            for _ in range(_LEVELS_AT_ONCE):
                is_above = flat.take(begins.take(node) + pair) > bounds.take(node)
                node = follows.take(2 * node + is_above)
            arrived = self.asked.take(node) < 0
            sums += np.bincount(pair[arrived], self.votes[node[arrived]], count)
            node, pair = node[~arrived], pair[~arrived]
        return sums
