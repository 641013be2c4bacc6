"""The two models that training fits, each deterministic and short: logistic regression by Newton's method, and boosted
trees with one question at each level.

Every group counts by the square root of its number of rows, so that no family of repositories decides alone.
"""

import numpy as np
from numpy.typing import NDArray

from corpus_tools.training.rows import Rows
from cukereuse_engine.judging.parameters import Blend, Logistic, Trees, sigmoid

Floats = NDArray[np.float64]

PENALTY = 3.0
"""L2 penalty on the standardised weights, against the sum of log losses."""
_STEPS = 50
_TOLERANCE = 1e-8

TREES = 120
DEPTH = 4
RATE = 0.1
"""Share of each tree's log odds that is added."""
LEAF_PENALTY = 10.0
"""L2 penalty on a leaf's log odds, against the sum of log losses."""
_BINS = 32
"""Quantiles of a feature between which a tree may ask."""


def blend(rows: Rows, names: tuple[str, ...]) -> Blend:
    return Blend(logistic(rows, names), boosted(rows, names))


def logistic(rows: Rows, names: tuple[str, ...]) -> Logistic:
    """Weights for `names`, from the rows whose templates differ."""
    features, same, importance = _prepared(rows, names)
    mean = features.mean(axis=0)
    scale = features.std(axis=0)
    scale[scale < 1e-9] = 1.0
    design = np.column_stack([(features - mean) / scale, np.ones(len(features))])
    penalty = np.append(np.full(len(names), PENALTY), 0.0)
    weights = np.zeros(len(names) + 1)
    for _ in range(_STEPS):
        probability = sigmoid(design @ weights)
        gradient = design.T @ (importance * (probability - same)) + penalty * weights
        curvature = importance * probability * (1.0 - probability)
        hessian = design.T @ (design * curvature[:, None]) + np.diag(penalty) + 1e-9 * np.eye(len(weights))
        step = np.linalg.solve(hessian, gradient)
        weights -= step
        if np.max(np.abs(step)) < _TOLERANCE:
            break
    return Logistic(names, mean, scale, weights[:-1], float(weights[-1]))


def boosted(rows: Rows, names: tuple[str, ...]) -> Trees:
    """Trees over `names`, from the rows whose templates differ."""
    return boosted_trees(*_prepared(rows, names), names, TREES, DEPTH, rate=RATE, penalty=LEAF_PENALTY)


def boosted_trees(
    features: Floats,
    same: Floats,
    importance: Floats,
    names: tuple[str, ...],
    count: int,
    depth: int,
    *,
    rate: float,
    penalty: float,
) -> Trees:
    """`count` trees for `(n, len(names))` features: gradient boosting with Newton steps, each level of a tree one
    question for all of its nodes (Friedman 2001; the symmetric trees of CatBoost)."""
    cuts = [np.unique(np.quantile(column, np.linspace(0, 1, _BINS + 1)[1:-1]).round(5)) for column in features.T]
    bins = [np.searchsorted(cut, column) for cut, column in zip(cuts, features.T, strict=True)]
    positive = float((importance * same).sum() / importance.sum())
    bias = float(np.log(positive / (1.0 - positive)))
    logit = np.full(len(same), bias)
    trees: list[list[tuple[int, float]]] = []
    values = []
    sizes = [len(cut) for cut in cuts]
    for _ in range(count):
        probability = sigmoid(logit)
        gradient = importance * (same - probability)
        curvature = importance * probability * (1.0 - probability)
        leaf = np.zeros(len(same), np.int64)
        tree = []
        for level in range(depth):
            feature, place = _question(bins, sizes, leaf, 1 << level, gradient, curvature, penalty)
            leaf = 2 * leaf + (bins[feature] > place)
            tree.append((feature, float(cuts[feature][place])))
        steps = rate * _sums(leaf, gradient, 1 << depth) / (_sums(leaf, curvature, 1 << depth) + penalty)
        logit += steps[leaf]
        trees.append(tree)
        values.append(steps)
    questions = np.array([[feature for feature, _ in tree] for tree in trees], np.int64)
    bounds = np.array([[bound for _, bound in tree] for tree in trees], np.float64)
    return Trees(names, bias, questions, bounds, np.array(values))


def _question(
    bins: list[NDArray[np.int64]],
    counts: list[int],
    leaf: NDArray[np.int64],
    leaves: int,
    gradient: Floats,
    curvature: Floats,
    penalty: float,
) -> tuple[int, int]:
    """The feature, and the bin up to which the answer is no, that lower the loss most over all leaves together."""
    best, question = -np.inf, (0, 0)
    for feature, (binned, count) in enumerate(zip(bins, counts, strict=True)):
        if not count:
            continue
        place = leaf * _BINS + binned
        below, below_curved = (
            _sums(place, values, leaves * _BINS).reshape(leaves, _BINS).cumsum(axis=1)
            for values in (gradient, curvature)
        )
        above, above_curved = below[:, -1:] - below, below_curved[:, -1:] - below_curved
        gain = below**2 / (below_curved + penalty) + above**2 / (above_curved + penalty)
        gains = gain.sum(axis=0)[:count] - (below[:, -1] ** 2 / (below_curved[:, -1] + penalty)).sum()
        if gains.max() > best:
            best, question = float(gains.max()), (feature, int(gains.argmax()))
    return question


def _sums(place: NDArray[np.int64], values: Floats, size: int) -> Floats:
    return np.asarray(np.bincount(place, values, size), np.float64)


def _prepared(rows: Rows, names: tuple[str, ...]) -> tuple[Floats, Floats, Floats]:
    """(n, names) features of the rows whose templates differ, their (n,) labels, and what each counts, 1 on average."""
    columns = rows.columns()
    features = np.column_stack([columns[name] for name in names])[rows.differs]
    _, group, sizes = np.unique(rows.group[rows.differs], return_inverse=True, return_counts=True)
    importance = 1.0 / np.sqrt(sizes[group])
    return features, rows.same[rows.differs].astype(np.float64), importance * (len(importance) / importance.sum())
