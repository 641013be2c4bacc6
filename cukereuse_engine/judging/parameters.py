"""The numbers that training gives: one small JSON file, shipped beside this module, readable by a person."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.features import Column, matrix

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

    def to_json(self) -> dict[str, Any]:
        return {
            "bias": round(self.bias, 5),
            "features": {
                name: {"mean": round(mean, 5), "scale": round(scale, 5), "weight": round(weight, 5)}
                for name, mean, scale, weight in zip(
                    self.names, self.mean.tolist(), self.scale.tolist(), self.weights.tolist(), strict=True
                )
            },
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Logistic":
        features = data["features"]
        column = {key: np.array([item[key] for item in features.values()]) for key in ("mean", "scale", "weight")}
        return cls(tuple(features), column["mean"], column["scale"], column["weight"], data["bias"])


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

    def to_json(self) -> dict[str, Any]:
        return {
            "bias": round(self.bias, 5),
            "features": list(self.names),
            "trees": [
                {"asked": features, "bounds": bounds, "log_odds": values}
                for features, bounds, values in zip(
                    self.asked.tolist(), self.bounds.tolist(), self.values.round(5).tolist(), strict=True
                )
            ],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Trees":
        trees = data["trees"]
        return cls(
            names=tuple(data["features"]),
            bias=data["bias"],
            asked=np.array([tree["asked"] for tree in trees], np.int64),
            bounds=np.array([tree["bounds"] for tree in trees], np.float64),
            values=np.array([tree["log_odds"] for tree in trees], np.float64),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Blend:
    """The mean of both: the regression is steady, the trees see what belongs together."""

    logistic: Logistic
    trees: Trees

    def logit(self, features: Mapping[str, Column]) -> Column:
        """`(n,)` log odds."""
        return np.asarray((self.logistic.logit(features) + self.trees.logit(features)) / 2.0, np.float64)

    def to_json(self) -> dict[str, Any]:
        return {"logistic": self.logistic.to_json(), "boosted": self.trees.to_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Blend":
        return cls(Logistic.from_json(data["logistic"]), Trees.from_json(data["boosted"]))


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

    def to_json(self) -> dict[str, Any]:
        return {
            "same_template": self.same_template,
            "threshold": self.threshold,
            "text": self.text.to_json(),
            "adapted": self.adapted.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Parameters":
        return cls(
            same_template=data["same_template"],
            threshold=data["threshold"],
            text=Logistic.from_json(data["text"]),
            adapted=Blend.from_json(data["adapted"]),
        )


@cache
def shipped() -> Parameters:
    """The parameters that ship with the package."""
    path = files("cukereuse_engine.judging") / "parameters.json"
    return Parameters.from_json(json.loads(path.read_text("utf-8")))


def sigmoid(logit: Column) -> Column:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logit, -40.0, 40.0))), np.float64)
