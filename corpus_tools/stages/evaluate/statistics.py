"""Intervals, folds and agreement between people. Every draw has a seed and gives the same result on every machine."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.calibration import metrics
from cukereuse_engine.calibration.metrics import Labels, PairAgreement, Scores
from cukereuse_engine.index.disjoint_sets import DisjointSets

RESAMPLES = 1_000
SEED = 42
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Kappa:
    kappa: float
    observed: float
    """Share of agreements."""
    expected: float
    """The share of agreements by chance."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The F1 of folds whose threshold was chosen on the others."""

    mean: float
    deviation: float
    """The standard deviation of the sample."""
    low: float
    high: float

    @classmethod
    def of(cls, scores: Scores, same: Labels, folds: NDArray[np.int64], grid: Sequence[float]) -> "HeldOut":
        f1 = []
        for fold in np.unique(folds):
            inside = folds == fold
            threshold = metrics.best_threshold(scores[~inside], same[~inside], grid)
            f1.append(metrics.at(scores[inside], same[inside], threshold).f1)
        return cls(float(np.mean(f1)), float(np.std(f1, ddof=1)) if len(f1) > 1 else 0.0, min(f1), max(f1))


def sweep_as_published(scores: Scores, same: Labels, grid: Sequence[float]) -> float:
    """The threshold of the paper's sweep: a later one wins if its F1 exceeds the best so far *rounded to four
    decimals*. `metrics.best_threshold` compares exactly; the two differ only minimally in F1."""
    best, rounded = grid[0], -1.0
    for threshold in grid:
        f1 = metrics.at(scores, same, threshold).f1
        if f1 > rounded:
            best, rounded = threshold, round(f1, 4)
    return best


def bootstrap(
    scores: Scores,
    same: Labels,
    threshold: float,
    rng: np.random.Generator,
    advance: Callable[[], None] = lambda: None,
) -> dict[str, Interval]:
    """95 % percentile intervals of precision, recall and F1 at a fixed threshold, from `RESAMPLES` resamples with
    replacement (paper, table 2: one generator of seed 42 for semantic, near-exact, hybrid, in that order)."""
    drawn: dict[str, list[float]] = {"precision": [], "recall": [], "f1": []}
    predicted = scores >= threshold
    for _ in range(RESAMPLES):
        rows = rng.integers(0, len(same), size=len(same))
        for name, value in asdict(PairAgreement.of(same[rows], predicted[rows])).items():
            drawn[name].append(value)
    advance()
    return {name: Interval(*(float(np.percentile(values, at)) for at in (2.5, 97.5))) for name, values in drawn.items()}


def published_folds(same: Labels) -> NDArray[np.int64]:
    """(n,) fold of each row in the paper's cross-validation: positives, then negatives, each shuffled by one Mersenne
    Twister of seed 42, and dealt in turn. (`metrics.stratified_folds` uses NumPy's generator.)"""
    generator = random.Random(SEED)
    folds = np.empty(len(same), np.int64)
    for label in (True, False):
        rows = np.flatnonzero(same == label).tolist()
        generator.shuffle(rows)
        for start in range(FOLDS):
            folds[rows[start::FOLDS]] = start
    return folds


def text_components(text_a: Sequence[str], text_b: Sequence[str]) -> list[str]:
    """A name for each pair, equal for pairs that share a text, directly or through others. Folds that keep these
    together never train on a text that they test."""
    components = DisjointSets[str]()
    for a, b in zip(text_a, text_b, strict=True):
        components.join(*sorted((components.root(a), components.root(b))))
    return [components.root(text) for text in text_a]


def cohen_kappa(first: Labels, second: Labels) -> Kappa:
    """Two raters (Cohen 1960). Kappa is 1 if chance alone gives full agreement."""
    observed = float(np.mean(first == second))
    p, q = float(np.mean(first)), float(np.mean(second))
    return _kappa(observed, p * q + (1 - p) * (1 - q))


def fleiss_kappa(ratings: NDArray[np.int64]) -> Kappa:
    """`(subjects, raters)` of categories; any number of raters, each of whom rated all subjects (Fleiss 1971)."""
    raters = ratings.shape[1]
    categories = np.unique(ratings)
    counts = np.stack([(ratings == category).sum(axis=1) for category in categories], axis=1)
    observed = float(np.mean((np.square(counts).sum(axis=1) - raters) / (raters * (raters - 1))))
    return _kappa(observed, float(np.square(counts.sum(axis=0) / counts.sum()).sum()))


def unanimous(ratings: NDArray[np.int64]) -> int:
    """The number of subjects on which all raters agree."""
    return int(np.count_nonzero((ratings == ratings[:, :1]).all(axis=1)))


def names_of_bands(bands: Sequence[str]) -> dict[str, int]:
    """Maps each band to its number of pairs, by name; pairs outside every band are left out."""
    return dict(sorted(Counter(band for band in bands if band).items()))


def _kappa(observed: float, expected: float) -> Kappa:
    return Kappa((observed - expected) / (1 - expected) if expected < 1 else 1.0, observed, expected)
