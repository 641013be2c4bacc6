"""From an edge list to clusters: single and complete linkage.

Knows nothing of texts. A pair that is not in the list is below the threshold, so the list must be complete.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.progress import SILENT, Progress, Stage

_BATCH = 65536
"""Edges between two looks at whether to stop."""


@dataclass(frozen=True, slots=True, eq=False)
class Linkage:
    labels: NDArray[np.int32]
    """`(n,)`: the smallest member of each node's cluster."""
    weakest: NDArray[np.float64]
    """`(n,)`: for each label, the score of the last merge, which no other was below; 1.0 for one node."""


def link(n: int, pairs: ScoredPairs, method: str, progress: Progress = SILENT) -> Linkage:
    """Cluster nodes 0 to n-1 by `method` "single" or "complete". Raises `ValueError` for another method."""
    if method not in ("single", "complete"):
        raise ValueError(f"unknown linkage {method!r}")
    order = np.lexsort((pairs.b, pairs.a, -pairs.score))
    edges = _Edges(pairs.a[order], pairs.b[order], pairs.score[order])
    with progress.stage("grouping", len(pairs), "pairs") as stage:
        return (_single if method == "single" else _complete)(n, edges, stage)


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """The closest first; ties by position."""

    a: NDArray[np.int32]
    b: NDArray[np.int32]
    score: NDArray[np.float64]

    def batch(self, start: int) -> list[tuple[int, int, float]]:
        part = slice(start, start + _BATCH)
        return list(zip(self.a[part].tolist(), self.b[part].tolist(), self.score[part].tolist(), strict=True))


class _Clusters:
    """Members of each cluster; the larger takes in the smaller, so that a node moves at most log2(n) times."""

    def __init__(self, n: int) -> None:
        self.of = list(range(n))
        self.members: dict[int, list[int]] = {}
        self.weakest: dict[int, float] = {}

    def size(self, cluster: int) -> int:
        members = self.members.get(cluster)
        return len(members) if members else 1

    def merge(self, left: int, right: int, score: float) -> tuple[int, int]:
        """Returns the cluster that stays and the one that is gone."""
        if self.size(left) < self.size(right):
            left, right = right, left
        moved = self.members.pop(right, None) or [right]
        for node in moved:
            self.of[node] = left
        self.members.setdefault(left, [left]).extend(moved)
        self.weakest[left] = score
        return left, right

    def result(self) -> Linkage:
        labels = np.arange(len(self.of), dtype=np.int32)
        weakest = np.ones(len(self.of))
        for cluster, members in self.members.items():
            label = min(members)
            labels[members] = label
            weakest[label] = self.weakest[cluster]
        return Linkage(labels, weakest)


def _single(n: int, edges: _Edges, stage: Stage) -> Linkage:
    """Connected components; the last merge of each is the weakest edge of its maximum spanning tree."""
    clusters = _Clusters(n)
    of = clusters.of
    for start in range(0, len(edges.a), _BATCH):
        batch = edges.batch(start)
        for a, b, score in batch:
            if of[a] != of[b]:
                clusters.merge(of[a], of[b], score)
        stage.advance(len(batch))
    return clusters.result()


def _complete(n: int, edges: _Edges, stage: Stage) -> Linkage:
    """Agglomerative complete linkage: two clusters merge when the last of their cross pairs comes, in order of score.

    That is when their furthest pair is the closest among the furthest pairs of all clusters. Counting the cross pairs
    seen so far tells it without ever looking at a distance twice.
    """
    clusters = _Clusters(n)
    of = clusters.of
    seen: dict[int, dict[int, int]] = {}
    """Cluster to neighbouring cluster to the number of cross pairs seen; both ways."""
    for start in range(0, len(edges.a), _BATCH):
        batch = edges.batch(start)
        for a, b, score in batch:
            left, right = of[a], of[b]
            counts = seen.setdefault(left, {})
            count = counts.get(right, 0) + 1
            if count == clusters.size(left) * clusters.size(right):
                _absorb(seen, *clusters.merge(left, right, score))
            else:
                counts[right] = count
                seen.setdefault(right, {})[left] = count
        stage.advance(len(batch))
    return clusters.result()


def _absorb(seen: dict[int, dict[int, int]], stays: int, gone: int) -> None:
    kept = seen.setdefault(stays, {})
    kept.pop(gone, None)
    for neighbour, count in seen.pop(gone, {}).items():
        if neighbour != stays:
            total = kept.get(neighbour, 0) + count
            kept[neighbour] = total
            neighbours = seen[neighbour]
            del neighbours[gone]
            neighbours[stays] = total
