"""Precision, recall, F1, average precision, thresholds and folds. NumPy only; the same result on every machine."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
Labels = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PairAgreement:
    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, same: Labels, predicted: Labels) -> "PairAgreement":
        """A figure whose denominator is 0 is 0."""
        both = int(np.count_nonzero(same & predicted))
        positives, reported = int(np.count_nonzero(same)), int(np.count_nonzero(predicted))
        precision = both / reported if reported else 0.0
        recall = both / positives if positives else 0.0
        return cls(precision, recall, 2 * both / (reported + positives) if reported + positives else 0.0)


def at(scores: Scores, same: Labels, threshold: float) -> PairAgreement:
    """Agreement if every score of at least `threshold` counts as the same."""
    return PairAgreement.of(same, scores >= threshold)


def best_threshold(scores: Scores, same: Labels, grid: Sequence[float]) -> float:
    """The threshold of the grid with the highest F1; the first of several."""
    figures = [at(scores, same, threshold).f1 for threshold in grid]
    return grid[int(np.argmax(figures))]


def average_precision(scores: Scores, same: Labels) -> float:
    """Mean over the positives of the precision at their score; equal scores count as one step."""
    order = np.argsort(-scores, kind="stable")
    ranked, hits = scores[order], np.cumsum(same[order])
    if not len(ranked) or hits[-1] == 0:
        return 0.0
    last = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    gained = np.diff(hits[last], prepend=0)
    return float(np.sum(gained * hits[last] / (last + 1)) / hits[-1])


def group_folds(groups: Sequence[str], count: int = 5) -> NDArray[np.int64]:
    """(n,) fold of each row, with each group in one fold. Largest groups first, each into the smallest fold."""
    names, sizes = np.unique(np.array(groups, dtype=object).astype(str), return_counts=True)
    filled = [0] * count
    fold_of = {}
    for index in np.lexsort((names, -sizes)).tolist():
        fold = filled.index(min(filled))
        fold_of[names[index]] = fold
        filled[fold] += int(sizes[index])
    return np.array([fold_of[group] for group in groups], np.int64)


def stratified_folds(same: Labels, count: int = 5, seed: int = 42) -> NDArray[np.int64]:
    """(n,) fold of each row, with positives and negatives spread evenly, in an order determined by `seed`."""
    folds = np.empty(len(same), np.int64)
    rng = np.random.default_rng(seed)
    for label in (False, True):
        rows = rng.permutation(np.flatnonzero(same == label))
        folds[rows] = np.arange(len(rows)) % count
    return folds


def held_out(scores: Scores, same: Labels, folds: NDArray[np.int64], grid: Sequence[float]) -> PairAgreement:
    """Agreement if each fold is judged by the best threshold of the others."""
    predicted = np.zeros(len(same), np.bool_)
    for fold in np.unique(folds):
        inside = folds == fold
        predicted[inside] = scores[inside] >= best_threshold(scores[~inside], same[~inside], grid)
    return PairAgreement.of(same, predicted)
