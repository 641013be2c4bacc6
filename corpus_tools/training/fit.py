"""Logistic regression by Newton's method: exact, deterministic, a few lines."""

import numpy as np
from numpy.typing import NDArray

from corpus_tools.training.rows import Rows
from cukereuse_engine.judging.parameters import Logistic, sigmoid

PENALTY = 3.0
"""L2 penalty on the standardised weights, against the sum of log losses."""
_STEPS = 50
_TOLERANCE = 1e-8


def logistic(rows: Rows, names: tuple[str, ...], weight: NDArray[np.float64] | None = None) -> Logistic:
    """Weights for `names`, from the rows whose templates differ. `weight` is `(n,)`, 1 where it is None."""
    columns = rows.columns()
    features = np.column_stack([columns[name] for name in names])[rows.differs]
    same = rows.same[rows.differs].astype(np.float64)
    importance = np.ones(len(same)) if weight is None else weight[rows.differs]
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
