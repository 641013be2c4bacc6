"""Whether two templates say one thing in other words: `p_one_intent`, learned from what people would merge.

Trees over the evidence, then a curve from their sum to a probability: .8 means that 8 of 10 such pairs are right. Two
sets of trees: one where the cosine of the two is known, one where it is not. Figures: `intent.figures.json`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.evidence import Evidence, PairEvidence, combined, evidence_kind
from cukereuse_engine.judging.features import Column
from cukereuse_engine.judging.parameters import Trees
from cukereuse_engine.judging.templates import Pairs

UNLIKELY = 0.001
"""What pairs get that the gate keeps from being looked at."""
_GATE_COSINE, _GATE_WORDS, _GATE_MEANING = 1.0, 0.5, 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """Trees and the curve from their log odds to a probability."""

    trees: Trees
    odds: NDArray[np.float64]
    """(m,) ascending."""
    probabilities: NDArray[np.float64]
    """(m,) not descending; between two of them by a straight line."""

    def probability(self, features: Mapping[str, Column]) -> Column:
        return np.asarray(np.interp(self.trees.logit(features), self.odds, self.probabilities), np.float64)

    def to_json(self) -> dict[str, Any]:
        return {
            **self.trees.to_json(),
            "curve": {"log_odds": self.odds.round(4).tolist(), "probability": self.probabilities.round(4).tolist()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Calibrated":
        curve = data["curve"]
        return cls(Trees.from_json(data), np.array(curve["log_odds"]), np.array(curve["probability"]))


@dataclass(frozen=True, slots=True, eq=False)
class IntentParameters:
    text: Calibrated
    """Where the cosine is unknown."""
    vectors: Calibrated
    """Where it is known."""
    bars: Mapping[float, float]
    """Promise to the probability from which on it holds: of all pairs from `bars[0.8]` up, 80 of 100 are right, on
    suites that training left out. It may lie far below .8, as it holds for all of them together."""

    def bar(self, promise: float) -> float:
        """Probability from which on at least this share of what is reported is right; above 1 where none does."""
        return self.bars[promise]

    def to_json(self) -> dict[str, Any]:
        bars = {str(promise): bar for promise, bar in self.bars.items()}
        return {"bars": bars, "text": self.text.to_json(), "vectors": self.vectors.to_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "IntentParameters":
        bars = {float(promise): float(bar) for promise, bar in data["bars"].items()}
        return cls(Calibrated.from_json(data["text"]), Calibrated.from_json(data["vectors"]), bars)


@cache
def shipped_intent() -> IntentParameters:
    """The parameters that ship with the package."""
    path = files("cukereuse_engine.judging") / "intent.json"
    return IntentParameters.from_json(json.loads(path.read_text("utf-8")))


def worth_a_look(pairs: Pairs, evidence: PairEvidence, base: Mapping[str, Column], cosine: Column) -> NDArray[np.int64]:
    """The gate before the evidence, as positions: pairs that are near enough in words, in vectors, or once synonyms
    are one word. Of the sure pairs among the candidates 93 of 100 pass."""
    words = np.maximum(base["jaccard"], base["indel"])
    known = ~np.isnan(cosine)
    near = np.where(known, np.nan_to_num(cosine) + 0.5 * words >= _GATE_COSINE, words >= _GATE_WORDS)
    rest = np.flatnonzero(~near)
    near[rest] = evidence.shared_meaning(pairs.take(rest)) >= _GATE_MEANING
    return np.flatnonzero(near)


def one_intent(
    pairs: Pairs,
    evidence: PairEvidence,
    base: Mapping[str, Column],
    same: Column,
    cosine: Column,
    roles: tuple[NDArray[np.int8], NDArray[np.int8]],
    parameters: IntentParameters,
) -> Column:
    """(n,) probability for pairs of different templates. `base`: what the text judge measured; `same`: its log odds;
    `cosine`: NaN where unknown."""
    result = np.full(len(pairs), UNLIKELY)
    inside = worth_a_look(pairs, evidence, base, cosine)
    if not len(inside):
        return result
    near = cosine[inside]
    features = evidence_of(pairs, evidence, base, same, cosine, roles, inside)
    known = ~np.isnan(near)
    for judged, model in ((known, parameters.vectors), (~known, parameters.text)):
        if judged.any():
            result[inside[judged]] = model.probability({name: column[judged] for name, column in features.items()})
    return result


def evidence_of(
    pairs: Pairs,
    evidence: PairEvidence,
    base: Mapping[str, Column],
    same: Column,
    cosine: Column,
    roles: tuple[NDArray[np.int8], NDArray[np.int8]],
    inside: NDArray[np.int64],
) -> dict[str, Column]:
    """All evidence about some of the pairs, `(len(inside),)` each."""
    some = pairs.take(inside)
    columns = evidence.columns(some, (roles[0][inside], roles[1][inside]))
    kept = {name: column[inside] for name, column in base.items()}
    guards = {name: differs[inside] for name, differs in pairs.guards().items()}
    return combined(columns, kept, guards, same[inside], cosine[inside])


def weighed(
    features: Mapping[str, Column], alike: Mapping[str, Column], cosine: float | None, parameters: IntentParameters
) -> dict[Evidence, float]:
    """Kind of evidence to the log odds that it adds (below 0: takes) for one pair, what weighs most first. `features`
    are those of the pair, `alike` those of a text with itself: what the trees would say without that difference."""
    trees = (parameters.text if cosine is None else parameters.vectors).trees
    whole = float(trees.logit(features)[0])
    found = {}
    for kind in Evidence:
        without = {name: alike[name] if evidence_kind(name) is kind else column for name, column in features.items()}
        found[kind] = whole - float(trees.logit(without)[0])
    return dict(sorted(found.items(), key=lambda item: -abs(item[1])))
