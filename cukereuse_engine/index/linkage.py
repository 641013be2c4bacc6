"""From a list of edges to clusters, by single or complete linkage. Knows nothing of texts.

A pair that is not in the list counts as below the threshold, so the list must be complete.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.progress import SILENT, Progress, Stage

_BATCH = 65536
"""Number of edges between two checks for cancellation."""


@dataclass(frozen=True, slots=True, eq=False)
class Linkage:
    labels: NDArray[np.int32]
    """`(n,)`: the smallest member of each node's cluster."""
    weakest: NDArray[np.float64]
    """`(n,)`: for each label, the score of the last merge, which is the lowest; 1.0 for one node."""


def link(n: int, pairs: ScoredPairs, method: str, progress: Progress = SILENT) -> Linkage:
    """Cluster nodes 0 to n-1 by `method` "single" or "complete". Raises `ValueError` for another method."""
    if method not in ("single", "complete"):
        raise ValueError(f"unknown linkage {method!r}")
    clusters = _Clusters(n)
    with progress.stage("grouping", len(pairs), "pairs") as stage:
        (_single if method == "single" else _complete)(clusters, _edges(pairs, stage))
    return clusters.result()


def _edges(pairs: ScoredPairs, stage: Stage) -> Iterator[tuple[int, int, float]]:
    """The edges, closest first; ties by position."""
    order = np.lexsort((pairs.b, pairs.a, -pairs.score))
    for start in range(0, len(order), _BATCH):
        part = order[start : start + _BATCH]
        yield from zip(pairs.a[part].tolist(), pairs.b[part].tolist(), pairs.score[part].tolist(), strict=True)
        stage.advance(len(part))


class _Clusters:
    """The members of each cluster. The larger cluster takes in the smaller one, so that a node moves at most log2(n)
    times."""

    def __init__(self, n: int) -> None:
        self.of = list(range(n))
        self.members: dict[int, list[int]] = {}
        self.weakest: dict[int, float] = {}

    def size(self, cluster: int) -> int:
        members = self.members.get(cluster)
        return len(members) if members else 1

    def merge(self, left: int, right: int, score: float) -> tuple[int, int]:
        """Returns the cluster that stays and the one that disappears."""
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


def _single(clusters: _Clusters, edges: Iterable[tuple[int, int, float]]) -> None:
    """Connected components; the last merge of each is the weakest edge of its maximum spanning tree."""
    of = clusters.of
    for a, b, score in edges:
        if of[a] != of[b]:
            clusters.merge(of[a], of[b], score)


def _complete(clusters: _Clusters, edges: Iterable[tuple[int, int, float]]) -> None:
    """Agglomerative complete linkage: two clusters merge at the last of their cross pairs, in order of score.

    Then their furthest pair is the closest among the furthest pairs of all clusters. Counting the cross pairs so far
    shows this without looking at any distance twice.
    """
    of = clusters.of
    seen: dict[int, dict[int, int]] = {}
    """Cluster to neighbouring cluster to the number of cross pairs seen; both ways."""
    for a, b, score in edges:
        left, right = of[a], of[b]
        counts = seen.setdefault(left, {})
        count = counts.get(right, 0) + 1
        if count == clusters.size(left) * clusters.size(right):
            _absorb(seen, *clusters.merge(left, right, score))
        else:
            counts[right] = count
            seen.setdefault(right, {})[left] = count


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
