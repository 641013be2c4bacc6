"""Whether two templates say one thing in other words: `p_one_intent`, learned from what people would merge.

Trees over the evidence, then a curve from their vote to a probability: .8 means that 8 of 10 such pairs are right.
Figures: `intent.figures.json`. Vectors find pairs that the gate then lets pass; to the trees their cosine told nothing
that words, roles and frames had not, so it is not asked for.
"""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.evidence import Evidence, PairEvidence, combined, evidence_kind
from cukereuse_engine.judging.features import Column
from cukereuse_engine.judging.forest import Forest
from cukereuse_engine.judging.templates import Pairs
from cukereuse_engine.judging.votes import Roles, Votes
from cukereuse_engine.storage import write_atomically

UNLIKELY = 0.001
"""What pairs get that the gate keeps from being looked at."""
_GATE_COSINE, _GATE_WORDS, _GATE_MEANING = 1.0, 0.5, 0.5


@dataclass(frozen=True, slots=True, eq=False)
class IntentParameters:
    trees: Forest
    odds: NDArray[np.float64]
    """(m,) log odds of the vote, ascending."""
    probabilities: NDArray[np.float64]
    """(m,) what they mean, not descending; between two of them by a straight line."""
    bars: Mapping[float, float]
    """Promise to the probability from which on it holds: of all pairs from `bars[0.8]` up, 80 of 100 are right, on
    suites that training left out. It may lie far below .8, as it holds for all of them together."""

    def probability(self, features: Mapping[str, Column]) -> Column:
        return np.asarray(np.interp(self.trees.logit(features), self.odds, self.probabilities), np.float64)

    def bar(self, promise: float) -> float:
        """Probability from which on at least this share of what is reported is right; above 1 where none does."""
        return self.bars[promise]

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {
            **self.trees.arrays(),
            "curve": np.stack([self.odds, self.probabilities]).round(4),
            "bars": np.array(list(self.bars.items())),
        }

    def write(self, path: Path) -> None:
        packed = io.BytesIO()
        np.savez_compressed(packed, allow_pickle=False, **self.arrays())
        write_atomically(path, packed.getvalue())

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "IntentParameters":
        bars = {float(promise): float(bar) for promise, bar in arrays["bars"]}
        odds, probabilities = arrays["curve"]
        return cls(Forest.from_arrays(arrays), odds, probabilities, bars)


@cache
def shipped_intent() -> IntentParameters:
    """The parameters that ship with the package."""
    with (files("cukereuse_engine.judging") / "intent.npz").open("rb") as file:
        return IntentParameters.from_arrays(dict(np.load(file, allow_pickle=False)))


def worth_a_look(pairs: Pairs, evidence: PairEvidence, base: Mapping[str, Column], cosine: Column) -> NDArray[np.int64]:
    """The gate before the evidence, as positions: pairs that are near enough in words, in vectors, or once synonyms
    are one word. Of the sure pairs among the candidates 93 of 100 pass."""
    words = np.maximum(base["jaccard"], base["indel"])
    measured = ~np.isnan(cosine)
    near = np.where(measured, np.nan_to_num(cosine) + 0.5 * words >= _GATE_COSINE, words >= _GATE_WORDS)
    rest = np.flatnonzero(~near)
    near[rest] = evidence.shared_meaning(pairs.take(rest)) >= _GATE_MEANING
    return np.flatnonzero(near)


def one_intent(
    pairs: Pairs,
    evidence: PairEvidence,
    base: Mapping[str, Column],
    same: Column,
    cosine: Column,
    roles: Roles,
    parameters: IntentParameters,
    votes: Votes | None = None,
) -> Column:
    """(n,) probability for pairs of different templates. `base`: what the text judge measured; `same`: its log odds;
    `cosine`: NaN where unknown. `votes`: what was said before, and where what is said now is kept."""
    result = np.full(len(pairs), UNLIKELY)
    inside = worth_a_look(pairs, evidence, base, cosine)
    if not len(inside):
        return result

    def judge(rows: NDArray[np.int64]) -> Column:
        return parameters.probability(evidence_of(pairs, evidence, base, same, roles, inside[rows]))

    if votes is None:
        result[inside] = judge(np.arange(len(inside)))
    else:
        result[inside] = votes.of(pairs.take(inside), (roles[0][inside], roles[1][inside]), judge)
    return result


def evidence_of(
    pairs: Pairs,
    evidence: PairEvidence,
    base: Mapping[str, Column],
    same: Column,
    roles: Roles,
    inside: NDArray[np.int64],
) -> dict[str, Column]:
    """All evidence about some of the pairs, `(len(inside),)` each."""
    some = pairs.take(inside)
    columns = evidence.columns(some, (roles[0][inside], roles[1][inside]))
    kept = {name: column[inside] for name, column in base.items()}
    guards = {name: differs[inside] for name, differs in pairs.guards().items()}
    return combined(columns, kept, guards, same[inside])


def weighed(
    features: Mapping[str, Column], alike: Mapping[str, Column], parameters: IntentParameters
) -> dict[Evidence, float]:
    """Kind of evidence to the log odds that it adds (below 0: takes) for one pair, what weighs most first. `features`
    are those of the pair, `alike` those of a text with itself: what the trees would say without that difference."""
    trees = parameters.trees
    whole = float(trees.logit(features)[0])
    weights = {}
    for kind in Evidence:
        without = {name: alike[name] if evidence_kind(name) is kind else column for name, column in features.items()}
        weights[kind] = whole - float(trees.logit(without)[0])
    return dict(sorted(weights.items(), key=lambda item: -abs(item[1])))
