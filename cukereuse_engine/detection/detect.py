"""From the distinct texts of one suite to accepted pairs and clusters, by a strategy.

It is pure: the same texts, options, vectors and judge give the same clusters in the same order. Nothing here reads a
file, knows a step definition, or decides what is reported (`findings` does).
"""

from collections.abc import Sequence, Set

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.detection.auto import AutoSearch, Remember
from cukereuse_engine.detection.clusters import build_clusters
from cukereuse_engine.detection.judged import KINDS
from cukereuse_engine.detection.options import LOCAL, Detection, EmbedTexts, Joins, StrategyOptions
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.index.lexical_join import pairwise_indel
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.judging.judge import Judge, Kind
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.strategies.table import Measure, VectorUse, with_vectors
from cukereuse_engine.text.guards import differences, signature
from cukereuse_engine.text.step_text import StepText

_REWORDED = 0.80
"""Indel similarity from which a pair that was found by meaning counts as reworded: the paper's threshold for
near-exact."""


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
    remember: Remember | None = None,
) -> Detection:
    """Cluster the distinct `texts` of one suite.

    `judge` is needed by `auto`. `vectors` is needed by `semantic` and `hybrid`, which embed the texts as they are, and
    used by `auto`, which embeds masked texts: by `coarse` where it is given, whose cosines are right within
    `COARSE_MARGIN`, and only what that leaves open by `vectors`. `statements` are identities of texts that are code,
    not language: `auto` groups them by template and compares them no further. Raises `CukereuseError` when what a
    strategy needs is missing."""
    if options.row.vectors is VectorUse.NEEDED and vectors is None:
        without = with_vectors(VectorUse.UNUSED, VectorUse.USED)
        raise CukereuseError(
            f"the strategy {options.strategy} needs an embedding model, and there is none",
            f"Run `cukereuse model download`, or use one that needs none: {', '.join(sorted(without))}.",
        )
    if options.row.is_judged:
        if judge is None:
            raise CukereuseError(f"the strategy {options.strategy} needs a judge")
        search = AutoSearch(options, judge, vectors, coarse, progress, joins, remember)
        return search.detect(tuple(texts), statements)
    pairs = _measured_pairs([text.text for text in texts], options, vectors, progress, joins)
    if options.guards:
        joined = {*pairs.a.tolist(), *pairs.b.tolist()}
        signatures = {place: signature(texts[place].template.masked, options.languages) for place in joined}
        sides = ([signatures[place] for place in side.tolist()] for side in (pairs.a, pairs.b))
        barred = [any(differences(left, right).values()) for left, right in zip(*sides, strict=True)]
        pairs = pairs.subset(~np.array(barred, np.bool_))
    kinds = _kinds_of_pairs(texts, pairs)
    linkage = joins.linked(len(texts), pairs, options.linkage, progress)
    clusters = build_clusters(texts, linkage.labels, linkage.weakest, (pairs, kinds), options)
    return Detection(options, tuple(texts), clusters, pairs, kinds)


def _measured_pairs(
    texts: list[str], options: StrategyOptions, vectors: EmbedTexts | None, progress: Progress, joins: Joins
) -> ScoredPairs:
    """The pairs of a strategy without a judge."""
    match options.row.measure if texts else Measure.EQUALITY:
        case Measure.EQUALITY | Measure.INTENT:  # equal texts are already one; a judge finds its own pairs
            return ScoredPairs.empty()
        case Measure.INDEL:
            return joins.lexical(texts, options.effective_threshold, progress)
        case Measure.COSINE | Measure.COSINE_IN_WINDOW:
            assert vectors is not None  # `detect` has asked for them
            pairs = joins.vector(vectors(texts), options.effective_threshold, progress)
            if not options.row.has_window:
                return pairs
            lev = pairwise_indel(texts, pairs.a, pairs.b)
            return pairs.subset((lev >= options.lev_min) & (lev <= options.lev_max))


def _kinds_of_pairs(texts: Sequence[StepText], pairs: ScoredPairs) -> NDArray[np.int8]:
    """Parametric if the templates are equal, reworded if the wordings are near, else paraphrase."""
    numbers: dict[str, int] = {}
    template = np.array([numbers.setdefault(text.template.key, len(numbers)) for text in texts], np.int64)
    near = pairwise_indel([text.text for text in texts], pairs.a, pairs.b) >= _REWORDED
    kinds = np.where(near, KINDS.index(Kind.REWORDED), KINDS.index(Kind.PARAPHRASE))
    kinds[template[pairs.a] == template[pairs.b]] = KINDS.index(Kind.PARAMETRIC)
    return kinds.astype(np.int8)
