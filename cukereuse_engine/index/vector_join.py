"""All pairs of texts whose vectors are near: exact by blocks, or by HNSW where that would take too long.

HNSW works on the first 128 principal components, renormalised: three times less to read for each distance, and a
richer graph for the same time. What the projection costs at the threshold is measured on a sample, in every run.
hnswlib builds its graph on several threads in no fixed order, so two approximate runs may differ in a pair or so in
ten thousand. Every pair's score is the cosine of the vectors as given, also where HNSW found the pair, so the two ways
can differ in which pairs they find (HNSW: at least 99.9 %), never in a score. Memory is bounded by blocks.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.embedding_models.embedder import Vectors
from cukereuse_engine.index.graphs import hnswlib_available
from cukereuse_engine.index.pairs import Positions, ScoredPairs
from cukereuse_engine.processes import usable_cores
from cukereuse_engine.progress import SILENT, Progress

CosinesOf = Callable[[Positions, Positions], NDArray[np.float64]]
"""From n pairs of positions to the (n,) cosine of each."""
EXACT_UP_TO = 250_000
"""Number of texts beyond which `vector_join` uses HNSW by default. With 102,000 templates at `auto`'s threshold, where
texts have many neighbours, the products took 40 CPU seconds and the graphs 170."""
_BLOCK = 1024
"""Rows and columns of one product: 4 MB of float32."""
_MANY = 4000
"""Texts from which on the exact join takes all cores: below it takes a tenth of a second on one."""
_PAIRS_PER_BLOCK = 1 << 9
"""Pairs verified together: 2 × 0.8 MB of 384 float32. The server's worker gets each array of more than 1 MB from the
system, page by page, which took ten times as long as the products."""
_COMPONENTS = 128
"""At 80,000 step texts and cosine .82: recall .9997, in half the time that all 384 dimensions take."""
_M, _EF_CONSTRUCTION, _EF_SEARCH = 16, 80, 24
"""M below 16 loses one pair in a hundred, however much is searched."""
_CHOSEN_AT = 80_000
"""Texts at which the three were chosen."""
_FIRST_K, _GROWTH, _LARGEST_K = 8, 4, 2048
"""Rows that have more neighbours than the largest k are compared with all."""
_SAMPLE = 512
"""Rows compared with all, to see how far below the threshold the projection puts a pair."""
_SLACK_WITHOUT_SAMPLE = 0.06
"""Taken where the sample holds no pair."""
_CENTRES = 256
_ROWS_PER_QUERY = 4096
_ROUNDING = 1e-4
"""Candidates this far below the threshold are verified too; float32 sums in another order differ by about 1e-7."""


def vector_join(
    vectors: Vectors, threshold: float, progress: Progress = SILENT, *, approximate: bool | None = None
) -> ScoredPairs:
    """Pairs of rows of `(n, dim)` float32, L2-normalised, with cosine similarity of at least `threshold`.

    `approximate` None decides by the number of texts and by whether hnswlib is there. The exact join gives the same
    pairs in the same order every time; the approximate one up to the pairs that it misses.
    """
    if approximate is None:
        approximate = len(vectors) > EXACT_UP_TO and hnswlib_available()
    vectors = np.ascontiguousarray(vectors, np.float32)
    return (hnsw_join if approximate else exact_join)(vectors, threshold, progress)


def exact_join(
    vectors: Vectors, threshold: float, progress: Progress = SILENT, *, rows: tuple[int, int] | None = None
) -> ScoredPairs:
    """`vector_join` by products of blocks: `n**2 / 2` of them, bounded memory. `rows` from, up to: only the pairs that
    begin there, for whoever shares out the work."""
    n = len(vectors)
    first, last = (0, n) if rows is None else rows
    blocks: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []

    def near(i: int) -> list[tuple[NDArray[np.int32], NDArray[np.int32]]]:
        block = vectors[i : min(i + _BLOCK, last)]
        pairs, room = [], np.empty((len(block), min(_BLOCK, n - i)), np.float32)
        for j in range(i, n, _BLOCK):
            others = vectors[j : j + _BLOCK]
            a, b = _at_least(np.matmul(block, others.T, out=room[:, : len(others)]), threshold - _ROUNDING)
            if i == j:
                a, b = a[a < b], b[a < b]
            pairs.append(((a + i).astype(np.int32), (b + j).astype(np.int32)))
        return pairs

    threads = usable_cores() if rows is None and n >= _MANY else 1
    with (
        progress.stage("comparing vectors", (last - first) * (2 * n - first - last - 1) // 2, "pairs") as stage,
        ThreadPoolExecutor(threads, "vector join") as pool,
    ):
        try:
            for i, pairs in zip(range(first, last, _BLOCK), pool.map(near, range(first, last, _BLOCK)), strict=True):
                blocks += pairs
                size = min(_BLOCK, last - i)
                stage.advance(size * (n - i) - size * (size + 1) // 2)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return verified(vectors, blocks, threshold)


def hnsw_join(vectors: Vectors, threshold: float, progress: Progress = SILENT) -> ScoredPairs:
    """`vector_join` by asking an HNSW graph for each row's neighbours, and for more of them until the last one lies
    below the threshold. A pair is missed only when neither of its rows finds the other.
    """
    n = len(vectors)
    if n < 2:
        return ScoredPairs.empty()
    search = prepare(vectors, threshold)
    graph = search.graph(0, n, progress=progress)
    blocks: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
    with progress.stage("comparing vectors", n, "texts") as stage:
        for start in range(0, n, _ROWS_PER_QUERY):
            end = min(start + _ROWS_PER_QUERY, n)
            blocks += search.neighbours(graph, (0, n), (start, end))
            stage.advance(end - start)
    return verified(vectors, blocks, threshold)


@dataclass(frozen=True, slots=True, eq=False)
class HnswSearch:
    """What `hnsw_join` consists of, for whoever shares it out: graphs of ranges of `projected`, asked by ranges of it.
    Each range against itself and every later one gives the join, where a pair of two ranges is found from one end."""

    projected: Vectors
    """The rows on their first principal components, L2-normalised again, near ones together."""
    order: NDArray[np.int32]
    """`(n,)`: which row of the vectors each is."""
    near_enough: float
    """The similarity of projected rows from which they are candidates."""

    def graph(self, first: int, last: int, *, threads: int = -1, progress: Progress = SILENT) -> Any:
        """The hnswlib graph of these rows, with the position in the range as label."""
        import hnswlib

        graph = hnswlib.Index(space="ip", dim=self.projected.shape[1])
        construction = round(_EF_CONSTRUCTION * _effort(last - first) ** 0.5)
        graph.init_index(max_elements=last - first, M=_M, ef_construction=construction, random_seed=100)
        with progress.stage("indexing vectors", last - first, "texts") as stage:
            for start in range(first, last, _ROWS_PER_QUERY):
                part = self.projected[start : min(start + _ROWS_PER_QUERY, last)]
                graph.add_items(part, np.arange(start - first, start - first + len(part)), num_threads=threads)
                stage.advance(len(part))
        return graph

    def neighbours(
        self, graph: Any, indexed: tuple[int, int], rows: tuple[int, int], *, threads: int = -1
    ) -> list[tuple[NDArray[np.int32], NDArray[np.int32]]]:
        """Candidate pairs, as rows of the vectors with the smaller first, of the rows `asked` with those that `graph`
        indexes; many both ways."""
        within, queries = self.projected[slice(*indexed)], self.projected[slice(*rows)]
        pairs = []
        for query, label in _neighbours(graph, within, queries, self.near_enough, threads):
            a, b = self.order[query + rows[0]], self.order[label + indexed[0]]
            apart = a != b
            pairs.append((np.minimum(a, b)[apart], np.maximum(a, b)[apart]))
        return pairs


def prepare(vectors: Vectors, threshold: float) -> HnswSearch:
    """The facts about all vectors that graphs need."""
    projected = _project(vectors)
    near_enough = threshold - _slack(vectors, projected, threshold)
    order = _by_neighbourhood(projected)
    return HnswSearch(projected[order], order, near_enough)


def _by_neighbourhood(projected: Vectors) -> NDArray[np.int32]:
    """The rows in an order that keeps near ones together, `(n,)`. Added and asked in this order, they find the part
    of the graph that they need in the processor's cache: a quarter to a third less time, and the same recall."""
    centres = projected[:: max(1, len(projected) // _CENTRES)]
    nearest = [
        np.argmax(projected[start : start + _BLOCK] @ centres.T, axis=1) for start in range(0, len(projected), _BLOCK)
    ]
    return np.argsort(np.concatenate(nearest), kind="stable").astype(np.int32)


def _neighbours(
    graph: Any, indexed: Vectors, queries: Vectors, threshold: float, threads: int
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Positions in `queries` and in `indexed`, which `graph` holds, of candidates; a row is found by itself too."""
    pairs: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    rows = np.arange(len(queries))
    k = min(_FIRST_K, len(indexed))
    while len(rows) and k <= _LARGEST_K:
        graph.set_ef(max(round(_EF_SEARCH * _effort(len(indexed))), k + k // 2))
        try:
            labels, distances = graph.knn_query(queries[rows], k=k, num_threads=threads)
        except RuntimeError:  # the graph reaches fewer than k
            break
        near = 1 - distances >= threshold
        more = near[:, -1] & (k < len(indexed))
        near &= ~more[:, None]  # those rows are asked again, and give these neighbours again
        pairs.append((np.repeat(rows, k)[near.ravel()], labels.ravel()[near.ravel()].astype(np.int64)))
        rows = rows[more]
        k = min(k * _GROWTH, len(indexed))
    for start in range(0, len(rows), _BLOCK):
        part = rows[start : start + _BLOCK]
        for j in range(0, len(indexed), _BLOCK):
            a, b = _at_least(queries[part] @ indexed[j : j + _BLOCK].T, threshold)
            pairs.append((part[a], b + j))
    return pairs


def _effort(n: int) -> float:
    """The factor by which more is searched among more texts than those of the constants, so that recall stays."""
    return float(max(1.0, n / _CHOSEN_AT) ** 1.25)


def _project(vectors: Vectors) -> Vectors:
    """The rows on their first principal components (about the origin), L2-normalised again."""
    if vectors.shape[1] <= _COMPONENTS:
        return vectors
    every = max(1, len(vectors) // 20_000)
    sample = vectors[::every].astype(np.float64)
    _, axes = np.linalg.eigh(sample.T @ sample)  # eigenvalues ascend
    projected = vectors @ axes[:, -_COMPONENTS:].astype(np.float32)
    lengths = np.linalg.norm(projected, axis=1, keepdims=True)
    return np.ascontiguousarray(projected / np.maximum(lengths, 1e-12), np.float32)


def _slack(vectors: Vectors, projected: Vectors, threshold: float) -> float:
    """The distance below the threshold to search among projected rows, so that no pair above it is lost."""
    if projected is vectors:
        return _ROUNDING
    rows = np.arange(0, len(vectors), max(1, len(vectors) // _SAMPLE))
    lowest = np.inf
    for j in range(0, len(vectors), _BLOCK):
        a, b = _at_least(vectors[rows] @ vectors[j : j + _BLOCK].T, threshold)
        a, b = rows[a], b + j
        a, b = a[a != b], b[a != b]
        lowest = pairwise_cosine(projected, a, b).min(initial=lowest)
    if not np.isfinite(lowest):
        return _SLACK_WITHOUT_SAMPLE
    return max(_ROUNDING, threshold - lowest)


def _at_least(scores: NDArray[np.float32], threshold: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of the scores at or above the threshold; faster than `nonzero` on two dimensions."""
    flat = np.flatnonzero(scores >= threshold)
    return np.divmod(flat, scores.shape[1])


def verified(
    vectors: Vectors, candidates: list[tuple[NDArray[np.int32], NDArray[np.int32]]], threshold: float
) -> ScoredPairs:
    """The candidates (smaller row first) at or above the threshold, scored by one and the same sum however found."""
    if not candidates:
        return ScoredPairs.empty()
    a = np.concatenate([pair[0] for pair in candidates])
    b = np.concatenate([pair[1] for pair in candidates])
    pairs = np.unique(a.astype(np.int64) * len(vectors) + b)  # HNSW finds most from both ends
    a, b = (side.astype(np.int32) for side in np.divmod(pairs, len(vectors)))
    scores = pairwise_cosine(vectors, a, b)
    near = scores >= threshold
    return ScoredPairs.of(a[near], b[near], scores[near])


def pairwise_cosine(vectors: NDArray[np.float32], a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.float64]:
    """Cosine similarity of the rows `a[i]` and `b[i]`, which are L2-normalised."""
    cosine = np.empty(len(a))
    for start in range(0, len(a), _PAIRS_PER_BLOCK):
        part = slice(start, start + _PAIRS_PER_BLOCK)
        cosine[part] = np.einsum("ij,ij->i", vectors[a[part]], vectors[b[part]])
    return cosine


def cosines_by(embed: Callable[[Sequence[str]], Vectors], texts: Sequence[str]) -> CosinesOf:
    """From pairs of positions in `texts` to their cosines, each text embedded once."""

    def cosines(left: Positions, right: Positions) -> NDArray[np.float64]:
        distinct, places = np.unique((left, right), return_inverse=True)
        rows = embed([texts[position] for position in distinct.tolist()])
        return pairwise_cosine(rows, *places.reshape(2, -1).astype(np.int32))

    return cosines
