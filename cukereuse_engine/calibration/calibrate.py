"""Evaluates every strategy on labelled pairs: at its default threshold, at the best one, and on unseen groups.

Recomputes every score; recorded ones are never read.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.process import cpdist

from cukereuse_engine.calibration import metrics
from cukereuse_engine.calibration.data import (
    BoundText,
    LabelledPairs,
    read_pairs,
    read_texts,
    rows_by_suite,
    suite_texts,
)
from cukereuse_engine.calibration.known import KnownShare, Share, adapted_scores
from cukereuse_engine.calibration.metrics import PairAgreement, Scores
from cukereuse_engine.embedding_models.embedder import Embedder
from cukereuse_engine.index.vector_cache import embed_cached
from cukereuse_engine.judging.parameters import shipped
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.strategies.table import EXACT, STRATEGIES, Measure, Strategy, VectorUse

GRID = tuple(round(0.50 + 0.01 * i, 2) for i in range(50))
"""The paper's thresholds: .50 to .99."""
PROBABILITY_GRID = tuple(round(0.01 * i, 2) for i in range(1, 100))
HYBRID_LEXICAL = (0.30, 0.95)
"""Indel similarities between which hybrid listens to the vectors (paper)."""


@dataclass(frozen=True, slots=True)
class StrategyReport:
    name: str
    default_threshold: float
    default: PairAgreement
    best_threshold: float
    best: PairAgreement
    held_out: PairAgreement
    known: KnownShare | None = None
    """Only for auto, and only if a share of the bindings was given."""

    def to_json(self) -> dict[str, Any]:
        result: dict[str, Any] = {
            "default": {"threshold": self.default_threshold, **asdict(self.default)},
            "best": {"threshold": self.best_threshold, **asdict(self.best)},
            "held_out": asdict(self.held_out),
        }
        if self.known is not None:
            result["default"] = self.known.default.to_json()
            result["adapted"] = self.known.adapted.to_json()
        return result


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    pairs: int
    folds: str
    """How pairs are held out together: `group`, or `stratified` if there are no groups."""
    strategies: tuple[StrategyReport, ...]
    model: str | None
    """None: there are no vectors, and no strategies that need them."""

    def to_json(self) -> dict[str, Any]:
        return {
            "pairs": self.pairs,
            "folds": self.folds,
            "model": self.model,
            "strategies": {strategy.name: strategy.to_json() for strategy in self.strategies},
        }


def calibrate(
    pairs_path: Path,
    *,
    embedder: Embedder | None = None,
    texts_path: Path | None = None,
    known: float | None = None,
    by: Share = "definition",
    seed: int = 42,
    progress: Progress = SILENT,
) -> CalibrationReport:
    """Read the pairs and measure every strategy; without `embedder`, those that need no vectors.

    `texts_path` contains the suites' bound texts: with it, auto knows all texts of a suite. `known` gives it the
    bindings of that share (0 to 1) of each suite's definitions or texts (`by`), drawn by `seed`; then auto is also
    measured on the pairs of which it knows neither side. Raises `CukereuseError` for files that can't be used.
    """
    pairs = read_pairs(pairs_path)
    texts = read_texts(texts_path) if texts_path is not None else {}
    return calibrate_pairs(pairs, embedder=embedder, texts=texts, known=known, by=by, seed=seed, progress=progress)


def calibrate_pairs(
    pairs: LabelledPairs,
    *,
    embedder: Embedder | None = None,
    texts: Mapping[str, Sequence[BoundText]] | None = None,
    known: float | None = None,
    by: Share = "definition",
    seed: int = 42,
    progress: Progress = SILENT,
) -> CalibrationReport:
    """As `calibrate`, for pairs in memory, such as a suite's own bindings."""
    suites = texts or {}
    grouped = pairs.group is not None and len(set(pairs.group)) > 1
    folds = (
        metrics.group_folds(pairs.group)
        if grouped and pairs.group is not None
        else metrics.stratified_folds(pairs.same, seed=seed)
    )
    share = adapted_scores(pairs, suites, known, by, seed) if known is not None else None
    reports = []
    for name, scores in strategy_scores(pairs, suites, embedder, progress).items():
        default = shipped().threshold if STRATEGIES[name].is_judged else STRATEGIES[name].threshold
        grid = grid_of(STRATEGIES[name])
        best = metrics.best_threshold(scores, pairs.same, grid)
        reports.append(
            StrategyReport(
                name=name,
                default_threshold=default,
                default=metrics.at(scores, pairs.same, default),
                best_threshold=best,
                best=metrics.at(scores, pairs.same, best),
                held_out=metrics.held_out(scores, pairs.same, folds, grid),
                known=share if STRATEGIES[name].is_judged else None,
            )
        )
    model = embedder.model_id if embedder is not None else None
    return CalibrationReport(len(pairs), "group" if grouped else "stratified", tuple(reports), model)


def grid_of(strategy: Strategy) -> tuple[float, ...]:
    """The thresholds worth trying."""
    if strategy.is_judged:
        return PROBABILITY_GRID
    return GRID if strategy.joins else (EXACT.threshold,)


def strategy_scores(
    pairs: LabelledPairs, suites: Mapping[str, Sequence[BoundText]], embedder: Embedder | None, progress: Progress
) -> dict[str, Scores]:
    """Strategy to its (n,) scores, each in the strategy's own unit; none that needs vectors without `embedder`."""
    measured = _Measured(pairs, suites, embedder, progress)
    return {
        row.name: score(measured)
        for measure, score in SCORES.items()
        for row in STRATEGIES.values()
        if row.measure is measure and (embedder is not None or measure.vectors is not VectorUse.NEEDED)
    }


@dataclass(frozen=True)
class _Measured:
    """The pairs, and what several strategies need of them."""

    pairs: LabelledPairs
    suites: Mapping[str, Sequence[BoundText]]
    embedder: Embedder | None
    progress: Progress

    def same_text(self) -> Scores:
        return np.array([a == b for a, b in zip(self.pairs.text_a, self.pairs.text_b, strict=True)], np.float64)

    @cached_property
    def indel(self) -> Scores:
        return np.asarray(cpdist(self.pairs.text_a, self.pairs.text_b, scorer=fuzz.ratio, dtype=np.float64) / 100.0)

    @cached_property
    def cosine(self) -> Scores:
        assert self.embedder is not None
        return _cosine(self.pairs, self.embedder, self.progress)

    def cosine_in_window(self) -> Scores:
        low, high = HYBRID_LEXICAL
        return np.where((self.indel >= low) & (self.indel <= high), self.cosine, -1.0)


SCORES: dict[Measure, Callable[[_Measured], Scores]] = {
    Measure.EQUALITY: _Measured.same_text,
    Measure.INDEL: lambda measured: measured.indel,
    Measure.COSINE: lambda measured: measured.cosine,
    Measure.COSINE_IN_WINDOW: _Measured.cosine_in_window,
    Measure.INTENT: lambda measured: text_scores(measured.pairs, measured.suites),
}
"""Measure to the scores of pairs, in the order of the report."""


def _cosine(pairs: LabelledPairs, embedder: Embedder, progress: Progress) -> Scores:
    texts = sorted({*pairs.text_a, *pairs.text_b})
    row = {text: i for i, text in enumerate(texts)}
    vectors = embed_cached(texts, embedder, progress=progress)
    left = vectors[[row[text] for text in pairs.text_a]]
    right = vectors[[row[text] for text in pairs.text_b]]
    return np.asarray(np.einsum("ij,ij->i", left, right, dtype=np.float64))


def text_scores(pairs: LabelledPairs, suites: Mapping[str, Sequence[BoundText]]) -> Scores:
    """(n,) `p_same_definition` by judges without bindings, one for each suite."""
    scores = np.empty(len(pairs))
    for suite, rows in rows_by_suite(pairs).items():
        texts, a, b = suite_texts(pairs, rows, suites.get(suite, ()))
        scores[rows] = TextJudge.for_suite(texts).probabilities(texts, a, b).p_same_definition
    return scores
