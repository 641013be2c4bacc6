"""Whether two templates say one thing in other words: `p_one_intent`, learned from what people would merge.

Trees over the evidence; where a language model's tokens are at hand, networks that read the two side by side
(`attention`) vote on what the trees leave open; then a curve from the votes to a probability: .8 means that 8 of 10
such pairs are right (`corpus_tools/training/figures`). Vectors find pairs that the gate then lets pass; to the trees
their cosine told nothing that words, roles and frames had not, so it is not asked for.
"""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.attention import Attention, Reader
from cukereuse_engine.judging.evidence import Evidence, PairEvidence, combined, evidence_kind
from cukereuse_engine.judging.features import Column
from cukereuse_engine.judging.forest import Forest
from cukereuse_engine.judging.templates import Pairs
from cukereuse_engine.judging.votes import Roles, Votes
from cukereuse_engine.storage import write_atomically

UNLIKELY = 0.001
"""What pairs get that the gate keeps from being looked at."""
_GATE_COSINE, _GATE_WORDS, _GATE_MEANING = 1.0, 0.5, 0.5
OPEN = -2.5
"""Log odds of the trees from which on the networks are asked: 7 of 100 pairs are above, and on suites left out recall
is what it would be if all were asked, at any precision down to .5."""
TOLD_APART, TOLD_APART_FROM = 0.3, 3
"""What the odds are multiplied by where at least so many pairs of the suite differ in the same words with meaning: what
a suite tells apart again and again ("an authorized call", "tries to") it tells apart on purpose. On 33 suites that
people have read in full, of the hints that the judge gives 32 of 170 such pairs are right, and 92 of 210 of those whose
difference shows once."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    odds: NDArray[np.float64]
    """(m,) log odds, ascending."""
    probabilities: NDArray[np.float64]
    """(m,) what they mean, not descending; between two of them by a straight line."""

    def probability(self, odds: Column) -> Column:
        return np.asarray(np.interp(odds, self.odds, self.probabilities), np.float64)

    def array(self) -> NDArray[np.float64]:
        return np.stack([self.odds, self.probabilities]).round(4)


Reading = Callable[[NDArray[np.int64], Mapping[str, Column]], Column]
"""Places of some of the pairs, and their features, to the networks' log odds."""


@dataclass(frozen=True, slots=True, eq=False)
class IntentParameters:
    trees: Forest
    attention: Attention
    curves: Mapping[bool, Curve]
    """By whether the networks voted too."""
    bars: Mapping[float, float]
    """Promise to the probability from which on it holds: of all pairs from `bars[0.8]` up, 80 of 100 are right, on
    suites that training left out. It may lie far below .8, as it holds for all of them together."""

    def probability(self, features: Mapping[str, Column], reading: Reading | None = None) -> Column:
        """(n,) of the pairs with these features; `reading`: where the networks can be asked."""
        return less_told_apart(self.curves[reading is not None].probability(self.logit(features, reading)), features)

    def logit(self, features: Mapping[str, Column], reading: Reading | None = None) -> Column:
        """(n,) log odds: the trees' vote, or the mean of both."""
        odds = self.trees.logit(features)
        return odds if reading is None else joined(odds, lambda open_: reading(open_, take(features, open_)))

    def bar(self, promise: float) -> float:
        """Probability from which on at least this share of what is reported is right; above 1 where none does."""
        return self.bars[promise]

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {
            **self.trees.arrays(),
            **self.attention.arrays(),
            **{f"curve.{int(read)}": curve.array() for read, curve in self.curves.items()},
            "bars": np.array(list(self.bars.items())),
        }

    def write(self, path: Path) -> None:
        packed = io.BytesIO()
        np.savez_compressed(packed, allow_pickle=False, **self.arrays())
        write_atomically(path, packed.getvalue())

    @classmethod
    def read(cls, path: Path) -> "IntentParameters":
        """Raises `OSError` where there is no file, and `ValueError` for what `write` did not write."""
        with path.open("rb") as file:
            try:
                return cls.from_arrays(dict(np.load(file, allow_pickle=False)))
            except (BadZipFile, EOFError, KeyError, TypeError, ValueError):
                raise ValueError(f"{path} does not contain the parameters of a judge") from None

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "IntentParameters":
        bars = {float(promise): float(bar) for promise, bar in arrays["bars"]}
        curves = {read: Curve(*arrays[f"curve.{int(read)}"]) for read in (False, True)}
        return cls(Forest.from_arrays(arrays), Attention.from_arrays(arrays), curves, bars)


def joined(trees: Column, read: Callable[[NDArray[np.int64]], Column]) -> Column:
    """(n,) log odds of trees and networks together; `read` gives those of the networks for some of the pairs."""
    odds = trees.copy()
    rows = np.flatnonzero(trees > OPEN)
    if len(rows):
        odds[rows] = (trees[rows] + read(rows)) / 2.0
    return odds


def less_told_apart(probability: Column, features: Mapping[str, Column]) -> Column:
    """(n,) `probability`, less where the suite makes the difference on purpose."""
    weighed_less = probability * np.where(told_apart(features), TOLD_APART, 1.0)
    return np.asarray(weighed_less / (weighed_less + 1.0 - probability), np.float64)


def told_apart(features: Mapping[str, Column]) -> NDArray[np.bool_]:
    """(n,) whether the suite makes the difference between the two again and again."""
    of_meaning = features["n_missing"] + features["n_replaced"] + features["n_sibling"] + features["n_opposite"]
    return np.asarray((of_meaning > 0) & (features["elsewhere"] >= TOLD_APART_FROM), np.bool_)


def take(features: Mapping[str, Column], some: NDArray[np.int64]) -> dict[str, Column]:
    """The features of some of the pairs."""
    return {name: column[some] for name, column in features.items()}


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
    reader: Reader | None = None,
    votes: Votes | None = None,
) -> Column:
    """(n,) probability for pairs of different templates. `base`: what the text judge measured; `same`: its log odds;
    `cosine`: NaN where unknown. `votes`: what was said before, and where what is said now is kept."""
    result = np.full(len(pairs), UNLIKELY)
    inside = worth_a_look(pairs, evidence, base, cosine)
    if not len(inside):
        return result

    def judge(rows: NDArray[np.int64]) -> Column:
        features = evidence_of(pairs, evidence, base, same, roles, inside[rows])
        reading = None if reader is None else reading_of(reader, pairs.take(inside[rows]))
        return parameters.probability(features, reading)

    if votes is None:
        result[inside] = judge(np.arange(len(inside)))
    else:
        result[inside] = votes.of(pairs.take(inside), (roles[0][inside], roles[1][inside]), judge)
    return result


def reading_of(reader: Reader, pairs: Pairs) -> Reading:
    """How the networks are asked about these pairs."""
    masked = pairs.templates.masked

    def read(some: NDArray[np.int64], features: Mapping[str, Column]) -> Column:
        left, right = ([masked[row] for row in rows[some].tolist()] for rows in (pairs.a, pairs.b))
        return reader.logit(left, right, features)

    return read


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
    features: Mapping[str, Column],
    alike: Mapping[str, Column],
    parameters: IntentParameters,
    reading: Reading | None = None,
) -> dict[Evidence, float]:
    """Kind of evidence to the log odds that it adds (below 0: takes) for one pair, what weighs most first. `features`
    are those of the pair, `alike` those of a text with itself: what the trees would say without that difference."""
    trees = parameters.trees
    whole = float(trees.logit(features)[0])
    weights = {}
    for kind in Evidence:
        without = {name: alike[name] if evidence_kind(name) is kind else column for name, column in features.items()}
        weights[kind] = whole - float(trees.logit(without)[0])
    weights[Evidence.ELSEWHERE] = float(np.log(TOLD_APART)) if told_apart(features)[0] else 0.0
    if reading is not None:
        weights[Evidence.READING] = float(parameters.logit(features, reading)[0]) - whole
    return dict(sorted(weights.items(), key=lambda item: -abs(item[1])))
