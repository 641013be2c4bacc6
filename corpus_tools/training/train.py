"""Fit the judge's parameters and measure them on unseen groups."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus_tools.training import evaluate
from corpus_tools.training.fit import logistic
from corpus_tools.training.rows import Rows, Setting, build, joined
from cukereuse_engine.calibration.data import read_pairs, read_texts
from cukereuse_engine.judging.parameters import Logistic, Parameters, sigmoid
from cukereuse_engine.storage import write_atomically

TEXT_FEATURES = (
    "indel",
    "jaccard",
    "same_stems",
    "value_share",
    "value_both",
    "function_share",
    "middle",
    "one_sided",
    "guards",
    "order",
    "support",
)
ADAPTED_FEATURES = (
    "frame_rate",
    "frame_pairs",
    "begin_rate",
    "end_rate",
    "templates_per_definition",
    "multiple_share",
    "word_rate",
    "word_rate_least",
    "neighbours_agree",
    "neighbours_differ",
    "neighbours_shared",
    "coverage",
    "frame_rate_by_coverage",
    "word_rate_by_coverage",
    "neighbours_agree_by_coverage",
    "neighbours_differ_by_coverage",
    "neighbours_shared_by_coverage",
    "begin_rate_by_coverage",
    "end_rate_by_coverage",
)
NOTHING = Setting(0.0)
KNOWN = (
    Setting(0.02, "text"),
    Setting(0.1, "definition"),
    Setting(0.1, "text"),
    Setting(0.3, "definition"),
    Setting(0.3, "text"),
    Setting(0.5, "text"),
)
"""What the adapted weights are trained on together: from a handful of bound steps to half of a suite."""


@dataclass(frozen=True, slots=True)
class Training:
    parameters: Parameters
    figures: dict[str, Any]


def train(pairs_path: Path, texts_path: Path, seed: int = 2026) -> Training:
    """Parameters from all groups, and figures from folds that leave some out. Raises `CukereuseError` for files that
    can't be used.
    """
    pairs, suites = read_pairs(pairs_path), read_texts(texts_path)
    blank = _blank()
    nothing = build(pairs, suites, NOTHING, blank, seed)
    parts = {setting: build(pairs, suites, setting, blank, seed + i) for i, setting in enumerate(KNOWN, 1)}
    everything = joined(list(parts.values()))
    same_template = float(nothing.same[~nothing.differs].mean())
    text = logistic(nothing, TEXT_FEATURES)
    adapted = logistic(everything, TEXT_FEATURES + ADAPTED_FEATURES)
    threshold = evaluate.best_threshold(_scores(nothing, text, same_template), nothing.same)
    parameters = Parameters(round(same_template, 4), threshold, text, adapted)
    figures: dict[str, Any] = {"seed": seed, "groups": len(np.unique(nothing.group)), "nothing": {}}

    def fit_text(inside: NDArray[np.bool_]) -> evaluate.Predictor:
        model = logistic(_only(nothing, inside), TEXT_FEATURES)
        return lambda rows: _scores(rows, model, same_template)

    figures["nothing"] = evaluate.held_out(nothing, fit_text)
    for setting, rows in parts.items():
        figures[setting.name] = evaluate.held_out(rows, _fit_adapted(rows, everything, same_template))
        figures[setting.name]["without"] = evaluate.held_out(rows, _fit_without(rows, nothing, same_template))
    return Training(parameters, figures)


def _fit_adapted(rows: Rows, everything: Rows, same_template: float) -> Any:
    def fit(inside: NDArray[np.bool_]) -> evaluate.Predictor:
        seen = np.isin(everything.group, np.unique(rows.group[inside]))
        model = logistic(_only(everything, seen), TEXT_FEATURES + ADAPTED_FEATURES)
        return lambda judged: _scores(judged, model, same_template)

    return fit


def _fit_without(rows: Rows, nothing: Rows, same_template: float) -> Any:
    def fit(inside: NDArray[np.bool_]) -> evaluate.Predictor:
        seen = np.isin(nothing.group, np.unique(rows.group[inside]))
        model = logistic(_only(nothing, seen), TEXT_FEATURES)
        return lambda judged: _scores(judged, model, same_template)

    return fit


def _scores(rows: Rows, model: Logistic, same_template: float) -> NDArray[np.float64]:
    return np.where(rows.differs, sigmoid(model.logit(rows.columns())), same_template)


def _only(rows: Rows, inside: NDArray[np.bool_]) -> Rows:
    return Rows(rows.names, rows.features[inside], rows.same[inside], rows.differs[inside], rows.group[inside])


def _blank() -> Parameters:
    nothing = np.empty(0)
    empty = Logistic((), nothing, nothing, nothing, 0.0)
    return Parameters(1.0, 0.5, empty, empty)


def write(training: Training, out: Path) -> None:
    """The parameters to `out`, the figures beside it (`NAME.figures.json`)."""
    for path, data in ((out, training.parameters.to_json()), (out.with_suffix(".figures.json"), training.figures)):
        write_atomically(path, (json.dumps(data, indent=1) + "\n").encode())
