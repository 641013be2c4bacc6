"""Candidate search on Ray: each join in parts of similar size, whose results together are the pairs of the local join.

Joins of wordings and words are always exact. Vectors are compared exactly up to the number of texts from which the
local join uses HNSW too. Above that, each shard of the vectors has a graph, in which all later shards are searched, and
every pair found is verified with the vectors themselves.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus_tools.on_ray.cluster import RayCluster
from cukereuse_engine.index import vector_join
from cukereuse_engine.index.graphs import hnswlib_available
from cukereuse_engine.index.lexical_join import join_ranges, reach
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.index.token_join import TokenJoin
from cukereuse_engine.index.vector_join import EXACT_UP_TO, HnswSearch, exact_join, verified
from cukereuse_engine.judging.tagging import all_meaning_words
from cukereuse_engine.progress import Progress

_ROWS_PER_GRAPH = 50_000
_ROWS_PER_SEARCH = 10_000


def lexical(cluster: RayCluster, texts: Sequence[str], threshold: float, progress: Progress) -> ScoredPairs:
    """`lexical_join`: ranges of the texts by length, each with every longer one within reach."""
    order = np.array(sorted(range(len(texts)), key=lambda i: len(texts[i])), np.int32)
    ends = reach(np.array([len(texts[i]) for i in order.tolist()], np.int64), threshold)
    ranges = _ranges(len(texts), len(texts) // ceil(2 * cluster.parts**0.5) + 1)
    shared = [cluster.put([texts[i] for i in order[slice(*own)].tolist()]) for own in ranges]
    both = [(i, j) for i, own in enumerate(ranges) for j in range(i, len(ranges)) if ranges[j][0] < ends[own[1] - 1]]
    both.sort(key=lambda pair: pair[0] == pair[1])  # half as many comparisons
    tasks = [(shared[i], None if i == j else shared[j], threshold) for i, j in both]
    parts = []
    with progress.stage("comparing wordings", len(tasks), "parts") as stage:
        for number, pairs in cluster.results(_lexical, tasks, stage):
            place = np.concatenate([order[slice(*ranges[side])] for side in both[number]])
            parts.append(ScoredPairs(place[pairs.a], place[pairs.b], pairs.score))
    return ScoredPairs.together(parts)


def _lexical(shorter: list[str], longer: list[str] | None, threshold: float) -> ScoredPairs:
    return join_ranges(shorter, longer, threshold)


def meanings(
    cluster: RayCluster, masked: Sequence[str], languages: tuple[str, ...], progress: Progress
) -> list[frozenset[str]]:
    size = len(masked) // cluster.parts + 1
    tasks = [(list(masked[start:last]), languages) for start, last in _ranges(len(masked), size)]
    parts: list[list[frozenset[str]]] = [[] for _ in tasks]
    with progress.stage("reading words", len(tasks), "parts") as stage:
        for number, words in cluster.results(all_meaning_words, tasks, stage):
            parts[number] = words
    return [bag for part in parts for bag in part]


def words(cluster: RayCluster, bags: Sequence[frozenset[str]], threshold: float, progress: Progress) -> ScoredPairs:
    """`token_join`: groups of words, each with all sets that have them in their prefixes."""
    join = TokenJoin(bags, threshold)
    bounds = _bounds(np.array([float(len(posting)) ** 2 for posting in join.postings]), cluster.parts)
    places: list[NDArray[np.int32]] = []

    def tasks() -> Iterator[tuple[TokenJoin]]:
        for part in bounds:
            own, share = join.part(*part)
            places.append(own)
            yield (share,)

    parts = []
    with progress.stage("comparing words", len(bounds), "parts") as stage:
        for number, pairs in cluster.results(_words, tasks(), stage):
            own = places[number]
            parts.append(ScoredPairs(own[pairs.a], own[pairs.b], pairs.score))
    return ScoredPairs.together(parts)


def _words(join: TokenJoin) -> ScoredPairs:
    return join.pairs()


def vector(cluster: RayCluster, vectors: NDArray[np.float32], threshold: float, progress: Progress) -> ScoredPairs:
    """`vector_join` in parts."""
    vectors = np.ascontiguousarray(vectors, np.float32)
    if len(vectors) > EXACT_UP_TO and hnswlib_available():
        return vector_by_graphs(cluster, vectors, threshold, progress)
    bounds = _bounds(np.arange(len(vectors), 0, -1), cluster.parts)
    shared = cluster.put(vectors)
    with progress.stage("comparing vectors", len(bounds), "parts") as stage:
        tasks = [(shared, *part, threshold) for part in bounds]
        return ScoredPairs.together([pairs for _, pairs in cluster.results(_vector, tasks, stage)])


def _vector(vectors: NDArray[np.float32], start: int, last: int, threshold: float) -> ScoredPairs:
    return exact_join(vectors, threshold, rows=(start, last))


def vector_by_graphs(
    cluster: RayCluster, vectors: NDArray[np.float32], threshold: float, progress: Progress
) -> ScoredPairs:
    """`hnsw_join` in shards. A pair inside a shard may be found from both ends, one of two shards from one end only."""
    search = vector_join.prepare(vectors, threshold)
    shards = _ranges(len(vectors), _ROWS_PER_GRAPH)
    shared = cluster.put(search), cluster.put(vectors)
    with progress.stage("indexing vectors", len(shards), "graphs") as stage:
        graphs: list[Any] = [None] * len(shards)
        for number, graph in cluster.results(_graph, [(shared[0], *shard) for shard in shards], stage, fetch=False):
            graphs[number] = graph
    tasks = [
        (*shared, graphs[i], shards[i], rows, threshold)
        for i in range(len(shards))
        for rows in _ranges(len(vectors), _ROWS_PER_SEARCH, shards[i][0])
    ]
    with progress.stage("comparing vectors", len(tasks), "parts") as stage:
        return ScoredPairs.together([pairs for _, pairs in cluster.results(_search, tasks, stage)])


def _graph(search: HnswSearch, first: int, last: int) -> Any:
    return search.graph(first, last, threads=1)


def _search(
    search: HnswSearch,
    vectors: NDArray[np.float32],
    graph: Any,
    indexed: tuple[int, int],
    rows: tuple[int, int],
    threshold: float,
) -> ScoredPairs:
    return verified(vectors, search.neighbours(graph, indexed, rows, threads=1), threshold)


def _ranges(n: int, size: int, first: int = 0) -> list[tuple[int, int]]:
    return [(start, min(start + size, n)) for start in range(first, n, size)]


def _bounds(costs: NDArray[Any], parts: int) -> list[tuple[int, int]]:
    """Ranges of similar cost, last ones first: if costs ascend, the largest part is not the last to start."""
    total = np.cumsum(costs)
    wanted = np.linspace(0, total[-1] if len(total) else 0, parts + 1)[1:-1]
    cuts = [0, *np.searchsorted(total, wanted, side="right").tolist(), len(total)]
    return [(start, last) for start, last in pairwise(cuts) if last > start][::-1]
