"""The search of the strategy `auto`: templates are compared, and a judge sees the canonical text of each."""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.detection.candidates import candidate_pairs
from cukereuse_engine.detection.canonical import canonical
from cukereuse_engine.detection.clusters import build_clusters
from cukereuse_engine.detection.judged import Accepted, Candidates, Judging, judged_within
from cukereuse_engine.detection.options import Detection, EmbedTexts, Joins, StrategyOptions
from cukereuse_engine.embedding_models.embedder import COARSE_MARGIN
from cukereuse_engine.grouped import grouped
from cukereuse_engine.index.linkage import Linkage
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.index.vector_join import cosines_by
from cukereuse_engine.judging.judge import Judge
from cukereuse_engine.progress import Progress
from cukereuse_engine.text.step_text import StepText

Answer = tuple[Accepted, int]
"""Pairs of templates, and how many templates were compared with no other (`candidates`)."""
Remember = Callable[[Sequence[str], Callable[[], Answer]], Answer]
"""From a question and a function that computes its answer to the answer: cached by the caller, who knows judge and
vectors by a fingerprint."""


@dataclass(frozen=True)
class TemplateNodes:
    """The templates of texts, as nodes: from the texts to the nodes, and back."""

    texts: tuple[StepText, ...]

    @cached_property
    def groups(self) -> tuple[list[int], ...]:
        """The positions of each node's texts."""
        return tuple(grouped((text.template.key, position) for position, text in enumerate(self.texts)).values())

    @cached_property
    def shown(self) -> NDArray[np.int32]:
        """(nodes,) Position of the canonical text of each."""
        position_of = {text.identity: position for position, text in enumerate(self.texts)}
        chosen = (canonical(self.texts[i] for i in group) for group in self.groups)
        return np.array([position_of[text.identity] for text in chosen], np.int32)

    @cached_property
    def nodes(self) -> list[StepText]:
        return [self.texts[position] for position in self.shown.tolist()]

    def but(self, statements: Set[str]) -> list[int]:
        """The nodes with a text whose identity is not among `statements`."""
        return [
            node
            for node, group in enumerate(self.groups)
            if any(self.texts[position].identity not in statements for position in group)
        ]

    def spread(self, linkage: Linkage) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """(texts,) The label of each, a position, and the weakest link of each label."""
        labels, weakest = np.empty(len(self.texts), np.int32), np.ones(len(self.texts))
        for node, group in enumerate(self.groups):
            label = self.shown[linkage.labels[node]]
            labels[group] = label
            weakest[label] = linkage.weakest[linkage.labels[node]]
        return labels, weakest

    def positions(self, accepted: Accepted) -> Accepted:
        """Pairs of nodes as pairs of positions, sorted."""
        pairs, kinds, cosine = accepted
        left, right = self.shown[pairs.a], self.shown[pairs.b]
        low, high = np.minimum(left, right), np.maximum(left, right)
        order = np.lexsort((high, low))
        sorted_pairs = ScoredPairs(low[order], high[order], pairs.score[order])
        return sorted_pairs, kinds[order], None if cosine is None else cosine[order]


@dataclass(frozen=True, slots=True, eq=False)
class AutoSearch:
    options: StrategyOptions
    judge: Judge
    exact: EmbedTexts | None
    coarse: EmbedTexts | None
    """Vectors whose cosines are right within `COARSE_MARGIN`; `exact` decides what these leave open."""
    progress: Progress
    joins: Joins
    remember: Remember | None

    def detect(self, texts: tuple[StepText, ...], statements: Set[str]) -> Detection:
        templates = TemplateNodes(texts)
        nodes, compared = templates.nodes, templates.but(statements)

        def judged() -> Answer:
            return self._judged(nodes, compared)

        key = [repr((self.options.effective_threshold, self.options.languages, compared)), *(n.text for n in nodes)]
        accepted, uncompared = judged() if self.remember is None else self.remember(key, judged)
        linkage = self.joins.linked(len(nodes), accepted[0], self.options.linkage, self.progress)
        labels, weakest = templates.spread(linkage)
        pairs, kinds, cosine = templates.positions(accepted)
        clusters = build_clusters(texts, labels, weakest, (pairs, kinds), self.options)
        return Detection(self.options, texts, clusters, pairs, kinds, cosine, uncompared)

    def _judged(self, nodes: Sequence[StepText], compared: Sequence[int]) -> Answer:
        """Pairs of `nodes` that the judge accepts, all among the `compared` ones."""
        masked = [nodes[node].template.masked for node in compared]
        margin = COARSE_MARGIN if self.coarse is not None else 0.0
        judging = Judging(nodes, self.judge, self.options.effective_threshold, self.progress)
        embed = self.coarse or self.exact

        def embedded(rows: NDArray[np.int64]) -> NDArray[np.float32]:
            assert embed is not None
            return embed([masked[row] for row in rows.tolist()])

        def ask(candidates: Candidates) -> Accepted:
            return self.joins.judged(judging, candidates)

        def accepted(candidates: Candidates) -> NDArray[np.int64]:
            return self.joins.accepted(judging, candidates)[0]

        vectors = self.exact and embedded
        near = candidate_pairs(masked, vectors, self.options.languages, self.progress, self.joins, margin)
        node_of = np.array(compared, np.int32)
        candidates = node_of[near.a], node_of[near.b], near.cosine
        if self.exact is None:
            return ask(candidates), near.uncompared
        exact = cosines_by(self.exact, [node.template.masked for node in nodes])
        return judged_within(ask, accepted, candidates, margin, exact), near.uncompared
