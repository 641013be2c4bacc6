"""Fit the judge's parameters and measure them on unseen groups."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from corpus_tools.training import evaluate
from corpus_tools.training.fit import blend, logistic
from corpus_tools.training.pair_files import LabelledBindings, read
from corpus_tools.training.rows import KnownBindings, Rows, build, joined
from cukereuse_engine.judging.parameters import Blend, Logistic, Parameters, Trees, sigmoid
from cukereuse_engine.storage import write_atomically
from cukereuse_engine.storage.arrays import to_arrays, write_arrays

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
    "filler_slots",
    "filler_values",
    "filler_variety",
    "filler_single",
    "both_single",
    "slots_differ",
    "frame_length",
)
ADAPTED_FEATURES = (
    *TEXT_FEATURES,
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
NOTHING = KnownBindings()
KNOWN = (
    KnownBindings(0.02, "text"),
    KnownBindings(0.1, "definition"),
    KnownBindings(0.1, "text"),
    KnownBindings(0.3, "definition"),
    KnownBindings(0.3, "text"),
    KnownBindings(0.5, "text"),
)
"""The shares of bindings on which the adapted weights are trained together: from a handful to half of a suite."""
HANDFUL = (KnownBindings(texts=4), KnownBindings(texts=10), KnownBindings(texts=30))
"""Only measured: the first bound steps of a suite must make nothing worse."""


FOLDS = 8


@dataclass(frozen=True, slots=True)
class Training:
    parameters: Parameters
    figures: dict[str, Any]


def train(folders: Sequence[Path], unseen: Sequence[Path] = (), seed: int = 2026) -> Training:
    """Parameters from all groups, and figures from folds that leave some out, and from `unseen` folders, from which
    nothing is learnt. Raises `CukereuseError` for files that can't be used."""
    bindings = read(folders)
    rows_of = _rows(bindings, seed)
    nothing = rows_of[NOTHING]
    everything = joined([rows_of[setting] for setting in KNOWN])
    same_template = float(nothing.same[~nothing.differs].mean())
    folds = evaluate.CrossValidation.of(nothing.group, FOLDS)
    texts, adapted = [], []
    for number in range(FOLDS):
        texts.append(logistic(nothing.only(folds.of_rows(nothing) != number), TEXT_FEATURES))
        adapted.append(blend(everything.only(folds.of_rows(everything) != number), ADAPTED_FEATURES))

    def held_out(rows: Rows, models: Sequence[Logistic | Blend]) -> evaluate.Scores:
        return folds.held_out(rows, [_scores(rows, model, same_template) for model in models])

    judged = {setting: held_out(rows, texts if setting is NOTHING else adapted) for setting, rows in rows_of.items()}
    thresholds, threshold = folds.thresholds([(rows_of[setting], judged[setting]) for setting in (NOTHING, *KNOWN)])
    parameters = Parameters(
        same_template=round(same_template, 4),
        threshold=threshold,
        text=logistic(nothing, TEXT_FEATURES),
        adapted=blend(everything, ADAPTED_FEATURES),
    )
    figures: dict[str, Any] = {"seed": seed, "groups": len(np.unique(nothing.group)), "folds": FOLDS}
    for setting, rows in rows_of.items():
        limit = thresholds[folds.of_rows(rows)]
        figures[setting.name] = _figures(rows, judged[setting], limit)
        if setting is not NOTHING:
            figures[setting.name]["without"] = evaluate.figures(rows, held_out(rows, texts), limit)
    if unseen:
        figures["unseen"] = _measured(parameters, _rows(read(unseen, but=bindings), seed))
    return Training(parameters, figures)


def _rows(bindings: LabelledBindings, seed: int) -> dict[KnownBindings, Rows]:
    blank = _blank()
    return {
        setting: build(bindings.pairs, bindings.suites, setting, blank, seed + i)
        for i, setting in enumerate((NOTHING, *KNOWN, *HANDFUL))
    }


def _scores(rows: Rows, model: Logistic | Blend, same_template: float) -> evaluate.Scores:
    return np.where(rows.differs, sigmoid(model.logit(rows.columns())), same_template)


def _figures(rows: Rows, scores: evaluate.Scores, limit: evaluate.Scores) -> dict[str, Any]:
    report = evaluate.figures(rows, scores, limit)
    return {**report, "languages": evaluate.by_language(rows, scores, limit)}


def _measured(parameters: Parameters, rows_of: Mapping[KnownBindings, Rows]) -> dict[str, Any]:
    """Figures of the parameters as they are, at their own threshold."""
    figures: dict[str, Any] = {"groups": len(np.unique(rows_of[NOTHING].group))}
    for setting, rows in rows_of.items():
        limit = np.full(len(rows.same), parameters.threshold)
        text = _scores(rows, parameters.text, parameters.same_template)
        if setting is NOTHING:
            figures[setting.name] = _figures(rows, text, limit)
        else:
            adapted = _scores(rows, parameters.adapted, parameters.same_template)
            figures[setting.name] = _figures(rows, adapted, limit)
            figures[setting.name]["without"] = evaluate.figures(rows, text, limit)
    return figures


def _blank() -> Parameters:
    nothing = np.empty(0)
    empty = Logistic((), nothing, nothing, nothing, 0.0)
    return Parameters(
        1.0, 0.5, empty, Blend(empty, Trees((), 0.0, np.empty((0, 0), np.int64), np.empty((0, 0)), np.empty((0, 0))))
    )


def write(training: Training, out: Path, figures: Path | None = None) -> None:
    """The parameters to `out`, the figures to `figures`, or beside them (`NAME.figures.json`)."""
    arrays = to_arrays(training.parameters)
    write_arrays(out, {name: array.round(5) if array.dtype.kind == "f" else array for name, array in arrays.items()})
    write_atomically(figures or out.with_suffix(".figures.json"), f"{readable(training.figures)}\n".encode())


def readable(data: Mapping[str, Any]) -> str:
    """JSON with one line for each list of numbers or names, and for each innermost object: a row of figures, a tree."""
    text = re.sub(r"\[[^][{}]+\]", _in_one_line, json.dumps(data, indent=1))
    return re.sub(r"\{[^{}]+\}", _in_one_line, text)


def _in_one_line(match: re.Match[str]) -> str:
    line = " ".join(match[0].split())
    return f"{line[0]}{line[1:-1].strip()}{line[-1]}"
