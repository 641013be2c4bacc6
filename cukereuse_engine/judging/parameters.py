"""The numbers that training gives for `p_same_definition`, and how learned numbers are kept in a file."""

import io
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.features import Column, matrix
from cukereuse_engine.storage import write_atomically

_Model = TypeVar("_Model")

_PAIRS_AT_ONCE = 512
"""Asked all questions of one level of the trees at once: few calls for a few pairs, little memory for many."""


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
    """(trees, depth) feature that is asked about."""
    bounds: NDArray[np.float64]
    """(trees, depth) whether the feature is above this."""
    values: NDArray[np.float64]
    """(trees, 2 ** depth) log odds to add, by the answers as binary digits, the first question's first."""

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
            for log_odds in self.values.ravel()[
                first_leaf + leaf
            ]:  # one after another: a sum's last digit depends on it
                total[start : start + _PAIRS_AT_ONCE] += log_odds
        return total


@dataclass(frozen=True, slots=True, eq=False)
class Blend:
    """The mean of both: the regression is steady, the trees see what belongs together."""

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
    """`p_same_definition` from which two texts are called one: where F1 was best on groups held out in training."""
    text: Logistic
    """Without step definitions, for templates that differ."""
    adapted: Blend
    """With some of the suite's bindings, for templates that differ."""


@cache
def shipped() -> Parameters:
    """The parameters that ship with the package."""
    return from_arrays(Parameters, read_arrays("parameters.npz"))


def to_arrays(model: Any, prefix: str = "") -> dict[str, NDArray[Any]]:
    """The fields of a dataclass, and of those within it, by name."""
    arrays: dict[str, NDArray[Any]] = {}
    for field in fields(model):
        value, name = getattr(model, field.name), f"{prefix}{field.name}"
        arrays |= to_arrays(value, f"{name}.") if is_dataclass(value) else {name: np.array(value)}
    return arrays


def from_arrays(cls: type[_Model], arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> _Model:
    """What `to_arrays` was given. Raises `KeyError` for arrays that are not there."""
    values: list[Any] = []
    for field in fields(cls):  # type: ignore[arg-type]
        name = f"{prefix}{field.name}"
        if is_dataclass(field.type):
            values.append(from_arrays(field.type, arrays, f"{name}."))  # type: ignore[arg-type]
        elif isinstance(arrays[name].flat[0] if arrays[name].size else "", str):
            values.append(tuple(map(str, arrays[name])))
        else:
            values.append(arrays[name] if arrays[name].ndim else float(arrays[name]))
    return cls(*values)


def read_arrays(name: str) -> dict[str, NDArray[Any]]:
    """Of a file that ships with the package."""
    with (files("cukereuse_engine.judging") / name).open("rb") as file:
        return dict(np.load(file, allow_pickle=False))


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """The same arrays give the same bytes."""
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **arrays)
    write_atomically(path, packed.getvalue())


def sigmoid(logit: Column) -> Column:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logit, -40.0, 40.0))), np.float64)
