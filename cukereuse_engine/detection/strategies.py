"""The strategies: from the distinct texts of one suite to accepted pairs and clusters.

They are pure: the same texts, options, vectors and judge give the same clusters in the same order. Nothing here reads a
file, knows a step definition, or decides what is reported (`findings` does).
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.detection.candidates import candidate_pairs
from cukereuse_engine.detection.canonical import canonical
from cukereuse_engine.detection.clusters import build_clusters
from cukereuse_engine.detection.judged import KINDS, Accepted, Candidates, judged_within
from cukereuse_engine.detection.options import (
    LOCAL,
    Detection,
    EmbedTexts,
    Joins,
    StrategyOptions,
)
from cukereuse_engine.embedding_models.embedder import COARSE_MARGIN
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.index.lexical_join import pairwise_indel
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.index.vector_join import pairwise_cosine
from cukereuse_engine.judging.judge import Judge, Kind
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.strategies import VectorUse, with_vectors
from cukereuse_engine.text import guards
from cukereuse_engine.text.step_text import StepText

_REWORDED = 0.80
"""Indel similarity from which a pair that was found by meaning counts as reworded: the paper's threshold for
near-exact."""

Answer = tuple[Accepted, int]
"""Pairs of templates, and how many templates were compared with no other (`candidates`)."""
Remember = Callable[[Sequence[str], Callable[[], Answer]], Answer]
"""From a question and a function that computes its answer to the answer: cached by the caller, who knows judge and
vectors by a fingerprint."""


def detect(
    texts: Sequence[StepText],
    options: StrategyOptions,
    *,
    judge: Judge | None = None,
    vectors: EmbedTexts | None = None,
    coarse: EmbedTexts | None = None,
    statements: Set[str] = frozenset(),
    progress: Progress = SILENT,
    joins: Joins = LOCAL,
    remember: "Remember | None" = None,
) -> Detection:
    """Cluster the distinct `texts` of one suite.

    `judge` is needed by `auto`. `vectors` is needed by `semantic` and `hybrid`, which embed the texts as they are, and
    used by `auto`, which embeds masked texts: by `coarse` where it is given, whose cosines are right within
    `COARSE_MARGIN`, and only what that leaves open by `vectors`. `statements` are identities of texts that are code,
    not language: `auto` groups them by template and compares them no further. Raises `CukereuseError` when what a
    strategy needs is missing.
    """
    if options.row.vectors is VectorUse.NEEDED and vectors is None:
        without = with_vectors(VectorUse.UNUSED, VectorUse.USED)
        raise CukereuseError(
            f"the strategy {options.strategy} needs an embedding model, and there is none",
            f"Run `cukereuse model download`, or use one that needs none: {', '.join(sorted(without))}.",
        )
    if options.row.is_judged:
        if judge is None:
            raise CukereuseError(f"the strategy {options.strategy} needs a judge")
        return _auto(tuple(texts), options, judge, (vectors, coarse), statements, progress, joins, remember)
    pairs = SEARCHES[options.strategy](PairSearch([text.text for text in texts], options, vectors, progress, joins))
    if options.guards:
        pairs = pairs.subset(~_barred(texts, pairs, options.languages))
    kinds = _kinds_of_pairs(texts, pairs)
    linkage = joins.linked(len(texts), pairs, options.linkage, progress)
    clusters = build_clusters(texts, linkage.labels, linkage.weakest, (pairs, kinds), options)
    return Detection.of(texts, clusters, (pairs, kinds, None), options)


@dataclass(frozen=True, slots=True, eq=False)
class PairSearch:
    """The input of a strategy without a judge: where it looks for pairs, and with what."""

    texts: list[str]
    options: StrategyOptions
    vectors: EmbedTexts | None
    progress: Progress
    joins: Joins

    def lexical(self) -> ScoredPairs:
        return self.joins.lexical(self.texts, self.options.effective_threshold, self.progress)

    def semantic(self) -> ScoredPairs:
        if self.vectors is None or not self.texts:
            return ScoredPairs.empty()
        return self.joins.vector(self.vectors(self.texts), self.options.effective_threshold, self.progress)

    def hybrid(self) -> ScoredPairs:
        pairs = self.semantic()
        lev = pairwise_indel(self.texts, pairs.a, pairs.b)
        return pairs.subset((lev >= self.options.lev_min) & (lev <= self.options.lev_max))


SEARCHES: dict[str, Callable[[PairSearch], ScoredPairs]] = {
    "exact": lambda _: ScoredPairs.empty(),  # equal texts are already one
    "near-exact": PairSearch.lexical,
    "semantic": PairSearch.semantic,
    "hybrid": PairSearch.hybrid,
}
"""Strategies without a judge, and how each finds its pairs."""


def _barred(texts: Sequence[StepText], pairs: ScoredPairs, languages: tuple[str, ...]) -> NDArray[np.bool_]:
    """Which pairs a guard keeps apart; the same verdict as `guards.differing_guards`."""
    if not len(pairs):
        return np.zeros(0, bool)
    sides = ([guards.signature(texts[i].text, languages) for i in side.tolist()] for side in (pairs.a, pairs.b))
    differing = guards.differences(*map(guards.columns, sides))
    return np.asarray(np.logical_or.reduce(list(differing.values())), np.bool_)


def _kinds_of_pairs(texts: Sequence[StepText], pairs: ScoredPairs) -> NDArray[np.int8]:
    """Parametric if the templates are equal, reworded if the wordings are near, else paraphrase."""
    numbers: dict[str, int] = {}
    template = np.array([numbers.setdefault(text.template.key, len(numbers)) for text in texts], np.int64)
    near = pairwise_indel([text.text for text in texts], pairs.a, pairs.b) >= _REWORDED
    kinds = np.where(near, KINDS.index(Kind.REWORDED), KINDS.index(Kind.PARAPHRASE))
    kinds[template[pairs.a] == template[pairs.b]] = KINDS.index(Kind.PARAMETRIC)
    return kinds.astype(np.int8)


def _auto(
    texts: tuple[StepText, ...],
    options: StrategyOptions,
    judge: Judge,
    vectors: tuple[EmbedTexts | None, EmbedTexts | None],
    statements: Set[str],
    progress: Progress,
    joins: Joins,
    remember: "Remember | None",
) -> Detection:
    """The nodes are templates; the judge sees the canonical text of each."""
    groups: dict[str, list[int]] = {}
    for position, text in enumerate(texts):
        groups.setdefault(text.template.key, []).append(position)
    position_of = {text.identity: position for position, text in enumerate(texts)}
    shown = [position_of[canonical(texts[i] for i in group).identity] for group in groups.values()]
    nodes = [texts[i] for i in shown]
    compared = [
        node for node, group in enumerate(groups.values()) if any(texts[i].identity not in statements for i in group)
    ]
    masked = [nodes[node].template.masked for node in compared]

    at = np.array(compared, np.int32)
    exact, coarse = vectors

    def embedded(rows: NDArray[np.int64]) -> NDArray[np.float32]:
        embed = coarse or exact
        assert embed is not None
        return embed([masked[row] for row in rows.tolist()])

    def cosines(left: NDArray[np.int32], right: NDArray[np.int32]) -> NDArray[np.float64]:
        assert exact is not None
        distinct, places = np.unique((left, right), return_inverse=True)
        rows = exact([nodes[node].template.masked for node in distinct.tolist()])
        return pairwise_cosine(rows, *places.reshape(2, -1).astype(np.int32))

    def judged() -> Answer:
        margin = COARSE_MARGIN if coarse is not None else 0.0
        found = candidate_pairs(masked, exact and embedded, options.languages, progress, joins, margin)
        candidates = at[found.a], at[found.b], found.cosine

        def ask(some: Candidates) -> Accepted:
            return joins.judged(nodes, some, judge, options.effective_threshold, progress)

        accepted = judged_within(ask, candidates, margin, cosines) if coarse is not None else ask(candidates)
        return accepted, found.uncompared

    key = [repr((options.effective_threshold, options.languages, compared)), *(node.text for node in nodes)]
    (accepted, kinds, cosine), uncompared = judged() if remember is None else remember(key, judged)
    linkage = joins.linked(len(nodes), accepted, options.linkage, progress)
    labels, weakest = np.empty(len(texts), np.int32), np.ones(len(texts))
    for node, group in enumerate(groups.values()):
        label = shown[linkage.labels[node]]
        labels[group] = label
        weakest[label] = linkage.weakest[linkage.labels[node]]
    place = np.array(shown, np.int32)
    left, right = place[accepted.a], place[accepted.b]
    low, high = np.minimum(left, right), np.maximum(left, right)
    order = np.lexsort((high, low))
    pairs, kinds = ScoredPairs(low[order], high[order], accepted.score[order]), kinds[order]
    clusters = build_clusters(texts, labels, weakest, (pairs, kinds), options)
    cosine = None if cosine is None else cosine[order]
    return Detection.of(texts, clusters, (pairs, kinds, cosine), options, uncompared)
