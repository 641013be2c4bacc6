"""The trained parameters of `p_same_definition`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.features import Column, matrix
from cukereuse_engine.storage.arrays import from_arrays, read_arrays

_PAIRS_AT_ONCE = 512
"""Pairs that pass one level of all trees at once: few calls for few pairs, little memory for many."""


@dataclass(frozen=True, slots=True, eq=False)
class Logistic:
    """Logistic regression over named, standardised features."""

    names: tuple[str, ...]
    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    weights: NDArray[np.float64]
    bias: float

    def logit(self, features: Mapping[str, Column]) -> Column:
        """`(n,)` log odds."""
        standardised = (matrix(features, self.names) - self.mean) / self.scale
        total = np.full(len(standardised), self.bias)
        for column, weight in zip(standardised.T, self.weights.tolist(), strict=True):
            total += column * weight  # a matrix product's last digit would depend on the pairs beside each
        return total


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Boosted decision trees, all of one depth: at each level a tree asks every pair the same question."""

    names: tuple[str, ...]
    bias: float
    asked: NDArray[np.int64]
    """(trees, depth) the feature to test."""
    bounds: NDArray[np.float64]
    """(trees, depth) the bound of that feature."""
    values: NDArray[np.float64]
    """(trees, 2 ** depth) log odds to add, by the answers as binary digits (1: above), the first level first."""

    def logit(self, features: Mapping[str, Column]) -> Column:
        """`(n,)` log odds."""
        columns = np.stack([features[name] for name in self.names])
        total = np.full(columns.shape[1], self.bias)
        trees, leaves = self.values.shape
        first_leaf = leaves * np.arange(trees)[:, None]
        for start in range(0, len(total), _PAIRS_AT_ONCE):
            part = columns[:, start : start + _PAIRS_AT_ONCE]
            leaf = np.zeros((trees, part.shape[1]), np.uint8)
            for level, bounds in zip(self.asked.T, self.bounds.T, strict=True):
                leaf = 2 * leaf + (part[level] > bounds[:, None])
            for log_odds in self.values.ravel()[first_leaf + leaf]:  # in this order: a sum's last digit depends on it
                total[start : start + _PAIRS_AT_ONCE] += log_odds
        return total


@dataclass(frozen=True, slots=True, eq=False)
class Blend:
    """The mean of both: the regression is stable, the trees see interactions."""

    logistic: Logistic
    trees: Trees

    def logit(self, features: Mapping[str, Column]) -> Column:
        """`(n,)` log odds."""
        return np.asarray((self.logistic.logit(features) + self.trees.logit(features)) / 2.0, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Parameters:
    same_template: float
    """Probability that one definition serves two texts of one template."""
    threshold: float
    """`p_same_definition` from which two texts count as one: the best F1 on groups held out in training."""
    text: Logistic
    """For different templates, without step definitions."""
    adapted: Blend
    """For different templates, with some of the suite's bindings."""


@cache
def shipped() -> Parameters:
    """The parameters that ship with the package."""
    return from_arrays(Parameters, read_arrays("cukereuse_engine.judging", "parameters.npz"))


def sigmoid(logit: Column) -> Column:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logit, -40.0, 40.0))), np.float64)
