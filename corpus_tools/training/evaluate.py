"""Figures on repositories that training did not see: grouped folds, and their spread by bootstrap over groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus_tools.training.rows import Rows
from cukereuse_engine.calibration import metrics

Scores = NDArray[np.float64]
GRID = tuple(round(0.01 * i, 2) for i in range(1, 100))
GIVEN = 0.001
"""F1 over all pairs that a threshold may cost for the sake of those whose templates differ."""
_RESAMPLES = 300


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """Groups of repositories that are left out together, the same for every setting."""

    count: int
    fold_of: Mapping[str, int]
    """Group to fold."""

    @classmethod
    def of(cls, groups: NDArray[np.str_], count: int) -> "CrossValidation":
        names = groups.tolist()
        return cls(count, dict(zip(names, metrics.group_folds(names, count).tolist(), strict=True)))

    def of_rows(self, rows: Rows) -> NDArray[np.int64]:
        """(n,) fold of each row."""
        return np.array([self.fold_of[group] for group in rows.group.tolist()], np.int64)

    def held_out(self, rows: Rows, scores: Sequence[Scores]) -> Scores:
        """(n,) scores of models that never saw the row's fold: `scores[i]` is of the model fitted without fold i."""
        return np.choose(self.of_rows(rows), scores)

    def thresholds(self, judged: Sequence[tuple[Rows, Scores]]) -> tuple[Scores, float]:
        """(count,) best threshold over all held-out scores but those of each fold, and that over all."""
        folds = [self.of_rows(rows) for rows, _ in judged]
        each = [
            best_threshold(
                [(rows.only(fold != i), scores[fold != i]) for fold, (rows, scores) in zip(folds, judged, strict=True)]
            )
            for i in range(self.count)
        ]
        return np.array(each), best_threshold(judged)


def best_threshold(judged: Sequence[tuple[Rows, Scores]]) -> float:
    """Threshold of the highest F1 where templates differ, among those whose F1 over all pairs is the highest except for
    `GIVEN`; both as means over the settings, the first of equals.

    F1 over all pairs hardly depends on the threshold, as most of what is the same has one template: where it alone
    decides, most of what is the same in other templates may be missed.
    """
    means = np.zeros((len(GRID), 2))
    for rows, scores in judged:
        for place, pairs in enumerate((np.ones(len(scores), np.bool_), rows.differs)):
            means[:, place] += [metrics.at(scores[pairs], rows.same[pairs], threshold).f1 for threshold in GRID]
    overall, differing = means[:, 0] / len(judged), means[:, 1] / len(judged)
    return GRID[int(np.argmax(np.where(overall >= overall.max() - GIVEN, differing, -1.0)))]


def figures(rows: Rows, scores: Scores, threshold: Scores) -> dict[str, Any]:
    """F1 overall and where templates differ, with `threshold` `(n,)` of each row."""
    predicted, differs = scores >= threshold, rows.differs
    low, high = _interval(rows, predicted)
    return {
        "pairs": len(predicted),
        "pairs_differs": int(differs.sum()),
        "f1": round(metrics.PairAgreement.of(rows.same, predicted).f1, 4),
        "f1_differs": round(metrics.PairAgreement.of(rows.same[differs], predicted[differs]).f1, 4),
        "average_precision_differs": round(metrics.average_precision(scores[differs], rows.same[differs]), 4),
        "f1_interval": [round(low[0], 4), round(high[0], 4)],
        "f1_differs_interval": [round(low[1], 4), round(high[1], 4)],
        "log_loss_differs": round(_log_loss(scores[differs], rows.same[differs]), 4),
        "calibration_error_differs": round(calibration_error(scores[differs], rows.same[differs]), 4),
    }


def by_language(rows: Rows, scores: Scores, threshold: Scores) -> dict[str, dict[str, Any]]:
    """Natural language to the number of its groups and their figures; one group has no spread."""
    languages = {}
    for code in np.unique(rows.language).tolist():
        inside = rows.language == code
        languages[code] = {
            "groups": len(np.unique(rows.group[inside])),
            **figures(rows.only(inside), scores[inside], threshold[inside]),
        }
    return languages


def _interval(rows: Rows, predicted: NDArray[np.bool_]) -> tuple[list[float], list[float]]:
    """2.5 and 97.5 percentiles of (F1, F1 where templates differ) over resampled groups."""
    names = np.unique(rows.group)
    counts = np.zeros((len(names), 2, 3))
    for i, name in enumerate(names):
        inside = rows.group == name
        for j, part in enumerate((inside, inside & rows.differs)):
            same, predicted_same = rows.same[part], predicted[part]
            counts[i, j] = (
                np.count_nonzero(same & predicted_same),
                np.count_nonzero(same),
                np.count_nonzero(predicted_same),
            )
    rng = np.random.default_rng(42)
    drawn = counts[rng.integers(0, len(names), (_RESAMPLES, len(names)))].sum(axis=1)
    f1 = 2 * drawn[:, :, 0] / np.maximum(drawn[:, :, 1] + drawn[:, :, 2], 1)
    low, high = np.percentile(f1, [2.5, 97.5], axis=0)
    return low.tolist(), high.tolist()


def _log_loss(scores: Scores, same: NDArray[np.bool_]) -> float:
    """Mean of minus the logarithm of the probability that was given to what came true."""
    given = np.where(same, scores, 1.0 - scores)
    return float(-np.log(np.maximum(given, 1e-9)).mean()) if len(given) else 0.0


def calibration_error(scores: NDArray[np.float64], same: NDArray[np.bool_]) -> float:
    """Mean distance of the probability and what came true, over ten equal bands, weighted by their size."""
    band = np.minimum((scores * 10).astype(np.int64), 9)
    error = 0.0
    for number in range(10):
        inside = band == number
        if inside.any():
            error += inside.mean() * abs(float(scores[inside].mean()) - float(same[inside].mean()))
    return error
