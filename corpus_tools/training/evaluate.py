"""Figures on repositories that training did not see: grouped folds, and their spread by bootstrap over groups."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from corpus_tools.training.rows import Rows
from cukereuse_engine.calibration import metrics

Predictor = Callable[[Rows], NDArray[np.float64]]
GRID = tuple(round(0.01 * i, 2) for i in range(1, 100))
_RESAMPLES = 300


def best_threshold(scores: NDArray[np.float64], same: NDArray[np.bool_]) -> float:
    return metrics.best_threshold(scores, same, GRID)


def held_out(
    rows: Rows, fit: Callable[[NDArray[np.bool_]], Predictor], folds: int = 8
) -> dict[str, float | list[float]]:
    """F1 overall and where templates differ, with weights and threshold from the other folds.

    `fit` takes the groups' training mask `(n,)` and gives what scores rows.
    """
    fold = metrics.group_folds(rows.group.tolist(), folds)
    scores, said = np.zeros(len(fold)), np.zeros(len(fold), np.bool_)
    for number in range(folds):
        inside = fold == number
        predicted = fit(~inside)(rows)
        scores[inside] = predicted[inside]
        said[inside] = predicted[inside] >= best_threshold(predicted[~inside], rows.same[~inside])
    differs = rows.differs
    low, high = _interval(rows, said)
    return {
        "pairs": len(fold),
        "pairs_differs": int(differs.sum()),
        "f1": round(metrics.Agreement.of(rows.same, said).f1, 4),
        "f1_differs": round(metrics.Agreement.of(rows.same[differs], said[differs]).f1, 4),
        "average_precision_differs": round(metrics.average_precision(scores[differs], rows.same[differs]), 4),
        "f1_interval": [round(low[0], 4), round(high[0], 4)],
        "f1_differs_interval": [round(low[1], 4), round(high[1], 4)],
        "calibration_error_differs": round(calibration_error(scores[differs], rows.same[differs]), 4),
    }


def _interval(rows: Rows, said: NDArray[np.bool_]) -> tuple[list[float], list[float]]:
    """2.5 and 97.5 percentiles of (F1, F1 where templates differ) over resampled groups."""
    names = np.unique(rows.group)
    counts = np.zeros((len(names), 2, 3))
    for i, name in enumerate(names):
        inside = rows.group == name
        for j, part in enumerate((inside, inside & rows.differs)):
            same, found = rows.same[part], said[part]
            counts[i, j] = np.count_nonzero(same & found), np.count_nonzero(same), np.count_nonzero(found)
    rng = np.random.default_rng(42)
    drawn = counts[rng.integers(0, len(names), (_RESAMPLES, len(names)))].sum(axis=1)
    f1 = 2 * drawn[:, :, 0] / np.maximum(drawn[:, :, 1] + drawn[:, :, 2], 1)
    low, high = np.percentile(f1, [2.5, 97.5], axis=0)
    return low.tolist(), high.tolist()


def calibration_error(scores: NDArray[np.float64], same: NDArray[np.bool_]) -> float:
    """Mean distance of the probability and what came true, over ten equal bands, weighted by their size."""
    band = np.minimum((scores * 10).astype(np.int64), 9)
    error = 0.0
    for number in range(10):
        inside = band == number
        if inside.any():
            error += inside.mean() * abs(float(scores[inside].mean()) - float(same[inside].mean()))
    return error
