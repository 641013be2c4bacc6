"""Judging and linkage on Ray: pairs in parts, and connected components, which contain every cluster completely."""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corpus_tools.on_ray import joins
from corpus_tools.on_ray.cluster import RayCluster, held
from corpus_tools.on_ray.shared_suite import SharedSuite, TemplateReading, read_templates
from corpus_tools.stages.analyse.clusters import Find, find_members
from corpus_tools.support.suite_judge import SuiteJudge
from cukereuse_engine.detection.judged import Accepted, Candidates, Judging, accept_pairs, kinds_of, taken
from cukereuse_engine.detection.options import EmbedTexts, Joins, StrategyOptions
from cukereuse_engine.index.crowds import crowds_of
from cukereuse_engine.index.linkage import Linkage, link
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.index.token_join import Crowds
from cukereuse_engine.progress import Progress
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import Template

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
        judges = Judges(cluster)
        on_ray = Joins(
            lexical=partial(joins.lexical, cluster),
            vector=partial(joins.vector, cluster),
            meanings=partial(joins.meanings, cluster, progress=progress),
            words=partial(joins.words, cluster),
            crowds=judges.crowds,
            judged=judges.judged,
            accepted=judges.accepted,
            linked=partial(linked, cluster),
        )
        return find_members(texts, options, vectors, statements, progress, on_ray, coarse, judges.of)

    return find


class Judges:
    """`judge_pairs` and `accept_pairs` in parts: what there is to know of a suite is read in slices and shared by the
    workers, and each part brings the templates of its own pairs."""

    def __init__(self, cluster: RayCluster) -> None:
        self._cluster = cluster
        self._judge = SuiteJudge((), ())
        self._readings: list[Callable[[], TemplateReading]] = []
        self._suite: list[Any] = []
        """The reference to what the judge knows, once it is needed."""

    def of(self, texts: Sequence[StepText], languages: tuple[str, ...]) -> SuiteJudge:
        """The judge of these texts, from then on."""
        self._judge, self._suite = SuiteJudge.of(texts, languages), []
        return self._judge

    def crowds(self, masked: Sequence[str], meanings: Sequence[frozenset[str]]) -> Crowds:
        """`crowds_of`, here; meanwhile the workers read the judge's templates."""
        suite, size = self._judge.masked, len(self._judge.masked) // self._cluster.parts + 1
        self._readings = [
            self._cluster.aside(read_templates, suite[start : start + size], self._judge.languages)
            for start in range(0, len(suite), size)
        ]
        return crowds_of(masked, meanings)

    def judged(self, judging: Judging, candidates: Candidates) -> Accepted:
        kept, score, kinds = self._asked(_judged, judging, candidates)
        a, b, cosine = taken(candidates, kept)
        return ScoredPairs(a, b, score), kinds, cosine

    def accepted(self, judging: Judging, candidates: Candidates) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        kept, score = self._asked(_accepted, judging, candidates)
        return kept, score

    def _asked(self, function: Callable[..., Any], judging: Judging, candidates: Candidates) -> list[NDArray[Any]]:
        """The columns that `function` gives for all candidates: first the positions of those that are accepted."""
        judge = self._judge
        if not self._suite:
            suite = SharedSuite.of(judge.languages, [reading() for reading in self._readings])
            self._suite, self._readings = [self._cluster.put(suite)], []
        row_of = {masked.lower(): row for row, masked in enumerate(judge.masked)}
        rows = np.array([row_of[node.template.key] for node in judging.nodes], np.int64)
        size = min(_PAIRS_PER_JUDGING, len(candidates[0]) // self._cluster.workers + 1)
        starts = range(0, max(len(candidates[0]), 1), size)
        tasks = (
            (self._suite, PartOfPairs.of(judging, taken(candidates, slice(start, start + size)), rows, judge.masked))
            for start in starts
        )
        with judging.progress.stage("judging", len(starts), "parts") as stage:
            results = dict(self._cluster.results(function, tasks, stage))
        placed = ((results[part][0] + start, *results[part][1:]) for part, start in enumerate(starts))
        return [np.concatenate(column) for column in zip(*placed, strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class PartOfPairs:
    """Some pairs, with the nodes that they are of."""

    rows: NDArray[np.int64]
    """The row of each node's template in the suite."""
    masked: list[str]
    """The texts of these templates."""
    nodes: list[str]
    """Their own masked texts, which may differ in case."""
    roles: list[int]
    candidates: Candidates
    threshold: float

    @classmethod
    def of(
        cls, judging: Judging, candidates: Candidates, rows: NDArray[np.int64], masked: Sequence[str]
    ) -> "PartOfPairs":
        """`rows`: of all nodes; `masked`: of all templates."""
        a, b, cosine = candidates
        place = np.zeros(len(judging.nodes), np.int32)
        place[a] = place[b] = 1
        own = np.flatnonzero(place)
        place[own] = np.arange(len(own))
        nodes = [judging.nodes[node] for node in own.tolist()]
        return cls(
            rows[own],
            [masked[row] for row in rows[own].tolist()],
            [node.template.masked for node in nodes],
            [node.roles for node in nodes],
            (place[a], place[b], cosine),
            judging.threshold,
        )

    def judging(self, suite: SharedSuite) -> Judging:
        both = zip(self.nodes, self.roles, strict=True)
        nodes = [StepText(masked, "", Template(masked, masked), 0, roles) for masked, roles in both]
        return Judging(nodes, suite.judge(self.rows, self.masked), self.threshold)


def _judged(shared: list[Any], part: PartOfPairs) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int8]]:
    judging = part.judging(held("judge", shared))
    kept, score = accept_pairs(judging, part.candidates)
    return kept, score, kinds_of(judging, taken(part.candidates, kept))


def _accepted(shared: list[Any], part: PartOfPairs) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    return accept_pairs(part.judging(held("judge", shared)), part.candidates)


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
