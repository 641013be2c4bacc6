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
class Parameters:
    same_template: float
    """Probability that one definition serves two texts of one template."""
    threshold: float
    """`p_same_definition` from which two texts are called one: where F1 was best in training."""
    text: Logistic
    """Without step definitions, for templates that differ."""
    adapted: Logistic
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
            adapted=Logistic.from_json(data["adapted"]),
        )


@cache
def shipped() -> Parameters:
    """The parameters that ship with the package."""
    path = files("cukereuse_engine.judging") / "parameters.json"
    return Parameters.from_json(json.loads(path.read_text("utf-8")))


def sigmoid(logit: Column) -> Column:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logit, -40.0, 40.0))), np.float64)
