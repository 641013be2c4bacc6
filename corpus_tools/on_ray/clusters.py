"""Judging and linkage on Ray: pairs in parts, and connected components, which contain every cluster completely."""

from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corpus_tools.on_ray import joins
from corpus_tools.on_ray.cluster import RayCluster, held
from corpus_tools.stages.analyse.clusters import Find, find_members
from cukereuse_engine.detection.judged import Accepted, Candidates, accept_pairs, judge_pairs
from cukereuse_engine.detection.options import EmbedTexts, Joins, StrategyOptions
from cukereuse_engine.index.linkage import Linkage, link
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.judging.judge import Judge
from cukereuse_engine.progress import Progress
from cukereuse_engine.text.step_text import StepText

if TYPE_CHECKING:
    import pyarrow as pa

_PAIRS_PER_JUDGING = 200_000
_PAIRS_PER_LINKAGE = 200_000
"""The number of pairs below which they are linked here."""


def finding(cluster: RayCluster, coarse: EmbedTexts | None = None) -> Find:
    """`find_members` with the joins, the judge and the linkage on Ray."""

    def find(
        texts: Sequence[StepText],
        options: StrategyOptions,
        vectors: EmbedTexts | None,
        statements: Set[str],
        progress: Progress,
    ) -> "Iterator[pa.Table]":
        judging = Judging(cluster)
        on_ray = Joins(
            lexical=partial(joins.lexical, cluster),
            vector=partial(joins.vector, cluster),
            meanings=partial(joins.meanings, cluster, progress=progress),
            words=partial(joins.words, cluster),
            judged=judging.judged,
            accepted=judging.accepted,
            linked=partial(linked, cluster),
        )
        return find_members(texts, options, vectors, statements, progress, on_ray, coarse)

    return find


class Judging:
    """`judge_pairs` and `accept_pairs` in parts; every worker builds the judge once for both."""

    def __init__(self, cluster: RayCluster) -> None:
        self._cluster = cluster
        self._shared: tuple[object, list[Any]] = None, []
        """A judge, and the reference to its texts and itself."""

    def judged(
        self,
        nodes: Sequence[StepText],
        candidates: Candidates,
        judge: Judge,
        threshold: float,
        progress: Progress,
    ) -> Accepted:
        parts = self._parts(_judged, nodes, candidates, judge, threshold, progress)
        if not parts:
            return judge_pairs(nodes, candidates, judge, threshold)
        pairs = [part[0] for _, part in parts]
        return (
            ScoredPairs(*(np.concatenate([getattr(part, name) for part in pairs]) for name in ("a", "b", "score"))),
            np.concatenate([part[1] for _, part in parts]),
            None if candidates[2] is None else np.concatenate([part[2] for _, part in parts]),
        )

    def accepted(
        self,
        nodes: Sequence[StepText],
        candidates: Candidates,
        judge: Judge,
        threshold: float,
        progress: Progress,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        parts = self._parts(_accepted, nodes, candidates, judge, threshold, progress)
        if not parts:
            return accept_pairs(nodes, candidates, judge, threshold)
        kept = np.concatenate([part[0] + start for start, part in parts])
        return kept, np.concatenate([part[1] for _, part in parts])

    def _parts(
        self,
        function: Callable[..., Any],
        nodes: Sequence[StepText],
        candidates: Candidates,
        judge: Judge,
        threshold: float,
        progress: Progress,
    ) -> list[tuple[int, Any]]:
        """The position of each part's first pair, and the part's result."""
        if self._shared[0] is not judge:
            self._shared = judge, [self._cluster.put((list(nodes), judge))]
        a, b, cosine = candidates
        size = min(_PAIRS_PER_JUDGING, len(a) // self._cluster.workers + 1)
        starts = range(0, len(a), size)
        tasks = []
        for start in starts:
            part = slice(start, start + size)
            tasks.append((self._shared[1], (a[part], b[part], None if cosine is None else cosine[part]), threshold))
        with progress.stage("judging", len(tasks), "parts") as stage:
            results = dict(self._cluster.results(function, tasks, stage))
        return [(start, results[number]) for number, start in enumerate(starts)]


def _judged(shared: list[Any], candidates: Candidates, threshold: float) -> Accepted:
    nodes, judge = held("judge", shared)
    return judge_pairs(nodes, candidates, judge, threshold)


def _accepted(
    shared: list[Any], candidates: Candidates, threshold: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    nodes, judge = held("judge", shared)
    return accept_pairs(nodes, candidates, judge, threshold)


def linked(cluster: RayCluster, n: int, pairs: ScoredPairs, method: str, progress: Progress) -> Linkage:
    """`link`, for groups of connected components."""
    if len(pairs) < _PAIRS_PER_LINKAGE:
        return link(n, pairs, method, progress)
    tasks = [(pairs.a[part], pairs.b[part], pairs.score[part], method) for part in _components(n, pairs)]
    labels, weakest = np.arange(n, dtype=np.int32), np.ones(n)
    with progress.stage("grouping", len(tasks), "parts") as stage:
        for _, (nodes, found_labels, found_weakest) in cluster.results(_linked, tasks, stage):
            labels[nodes] = found_labels
            weakest[nodes] = found_weakest
    return Linkage(labels, weakest)


def _components(n: int, pairs: ScoredPairs) -> Iterator[NDArray[np.int64]]:
    """Positions of the pairs of whole components, in parts of similar size."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(pairs), np.int8), (pairs.a, pairs.b)), shape=(n, n))
    _, component = connected_components(graph, directed=False)
    of_pair = component[pairs.a]
    order = np.argsort(of_pair, kind="stable")
    first = np.flatnonzero(np.diff(of_pair[order], prepend=-1))  # for each component
    cuts = first[np.flatnonzero(np.diff(first // _PAIRS_PER_LINKAGE, prepend=-1))]
    yield from np.split(order, cuts[1:])


def _linked(
    a: NDArray[np.int32], b: NDArray[np.int32], score: NDArray[np.float64], method: str
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """The nodes of these pairs, and the results of `link` for them."""
    nodes, numbers = np.unique(np.concatenate([a, b]), return_inverse=True)
    left, right = numbers[: len(a)].astype(np.int32), numbers[len(a) :].astype(np.int32)
    linked = link(len(nodes), ScoredPairs(left, right, score), method)
    return nodes, nodes[linked.labels], linked.weakest
