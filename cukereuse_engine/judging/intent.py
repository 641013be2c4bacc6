"""Computes `p_one_intent`, the probability that two templates say one thing in other words, learned from pairs that
people would merge.

Trees vote by the evidence. If a language model's tokens are available, networks that read the two side by side
(`attention`) vote on pairs that the trees leave open. A curve maps votes to a probability: .8 means that 8 of 10 such
pairs are right (`corpus_tools/training/figures`). Vectors only find pairs for the gate: their cosine added nothing to
words, roles and frames in the trees.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.embedding_models.embedder import TokenTable
from cukereuse_engine.index.arrays import Remembered
from cukereuse_engine.judging.attention import Attention, PairReader
from cukereuse_engine.judging.evidence import Evidence, PairEvidence, evidence_kind
from cukereuse_engine.judging.features import Column, Measured, take
from cukereuse_engine.judging.forest import Forest
from cukereuse_engine.judging.templates import Pairs, Templates
from cukereuse_engine.judging.usage import Usage
from cukereuse_engine.storage.arrays import from_arrays, read_arrays, to_arrays

UNLIKELY = 0.001
"""The probability of pairs that the gate rejects."""
_GATE_COSINE, _GATE_WORDS, _GATE_MEANING = 1.0, 0.5, 0.5
_ROLE_BITS, _SIDE_BITS = 3, 31
OPEN = -2.5
"""Log odds of the trees from which the networks vote: 7 of 100 pairs are above, and on held-out suites recall is the
same as if the networks voted on all pairs, at any precision down to .5."""
TOLD_APART, TOLD_APART_FROM = 0.3, 3
"""Factor for the odds if at least so many pairs of the suite differ in the same words with meaning: a suite makes such
a difference ("an authorized call", "tries to") on purpose. On 33 suites that people have read in full, 32 of 170 such
hints are right, and 92 of 210 hints whose difference occurs once."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    odds: NDArray[np.float64]
    """(m,) log odds, ascending."""
    probabilities: NDArray[np.float64]
    """(m,) the probability of each, not descending; linear between two of them."""

    def probability(self, odds: Column) -> Column:
        return np.asarray(np.interp(odds, self.odds, self.probabilities), np.float64)

    def array(self) -> NDArray[np.float64]:
        return np.stack([self.odds, self.probabilities]).round(4)


@dataclass(frozen=True, slots=True, eq=False)
class IntentParameters:
    trees: Forest
    attention: Attention
    curves: Mapping[bool, Curve]
    """The curve for pairs on which the networks voted too (True), and for others (False)."""
    bars: Mapping[float, float]
    """Maps a precision to the probability from which it holds: on held-out suites, 80 of 100 pairs from `bars[0.8]` up
    are right. This may be far below .8, as it holds for all of these pairs together."""

    def is_open(self, odds: Column) -> NDArray[np.bool_]:
        """(n,) True if a pair may be reported by the trees' log odds, or if the networks vote on it."""
        likely = np.maximum(*(curve.probability(odds) for curve in self.curves.values()))
        return np.asarray((odds > OPEN) | (likely >= min(self.bars.values())), np.bool_)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {
            **to_arrays(self.trees),
            **self.attention.arrays(),
            **{f"curve.{int(read)}": curve.array() for read, curve in self.curves.items()},
            "bars": np.array(list(self.bars.items())),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "IntentParameters":
        bars = {float(promise): float(bar) for promise, bar in arrays["bars"]}
        curves = {read: Curve(*arrays[f"curve.{int(read)}"]) for read in (False, True)}
        return cls(from_arrays(Forest, arrays), Attention.from_arrays(arrays), curves, bars)


def joined(trees: Column, read: Callable[[NDArray[np.int64]], Column]) -> Column:
    """(n,) log odds of trees and networks together; `read` gives those of the networks for pairs by position."""
    odds = trees.copy()
    rows = np.flatnonzero(trees > OPEN)
    if len(rows):
        odds[rows] = (trees[rows] + read(rows)) / 2.0
    return odds


def less_told_apart(probability: Column, apart: NDArray[np.bool_]) -> Column:
    """(n,) `probability`, reduced if the suite makes the difference on purpose."""
    weighed_less = probability * np.where(apart, TOLD_APART, 1.0)
    return np.asarray(weighed_less / (weighed_less + 1.0 - probability), np.float64)


def told_apart(features: Mapping[str, Column]) -> NDArray[np.bool_]:
    """(n,) True if the suite makes the difference in meaning several times."""
    return np.asarray(differ_in_meaning(features) & (features["elsewhere"] >= TOLD_APART_FROM), np.bool_)


def differ_in_meaning(features: Mapping[str, Column]) -> NDArray[np.bool_]:
    """(n,) True if words with meaning replace others, or if only one template has them."""
    of_meaning = features["n_missing"] + features["n_replaced"] + features["n_sibling"] + features["n_opposite"]
    return np.asarray(of_meaning > 0, np.bool_)


@cache
def shipped_intent() -> IntentParameters:
    """The parameters that ship with the package."""
    return IntentParameters.from_arrays(read_arrays("cukereuse_engine.judging", "intent.npz"))


class IntentJudge:
    """`p_one_intent` of pairs of one suite's templates.

    Caches the votes of trees and networks: a suite is compared by wording first and by meaning later, and the evidence
    does not change in between; only the gate accepts other pairs, and the networks may vote."""

    def __init__(self, templates: Templates, usage: Usage) -> None:
        self.evidence = PairEvidence(usage, templates.languages)
        self.reader: PairReader | None = None
        """Reads pairs by a language model's tokens, if there is one."""
        self._templates = templates
        self._votes = Remembered(2)
        """For a pair the trees' log odds, and True if the suite makes the difference on purpose, if that may matter."""
        self._read = Remembered(1)
        """For a pair that the trees leave open, the networks' log odds."""
        self._members = 0
        """Number of templates in the suite when these were computed."""

    def read_with(self, tokens: TokenTable | None) -> None:
        self.reader = None if tokens is None else PairReader(shipped_intent().attention, tokens)
        self._read = Remembered(1)

    def probability(self, asked: Measured, cosine: Column) -> Column:
        """(n,) `p_one_intent` for pairs of different templates. `cosine`: NaN if unknown."""
        result = np.full(len(cosine), UNLIKELY)
        inside = self.worth_a_look(asked, cosine)
        if not len(inside):
            return result
        if len(self._templates.members) != self._members:  # words are rarer now
            self._votes, self._read, self._members = Remembered(2), Remembered(1), len(self._templates.members)
        some = asked.take(inside)
        keys, first, where = np.unique(_keys_of(some), return_index=True, return_inverse=True)
        result[inside] = self._judged(some.take(first), keys)[where]
        return result

    def _judged(self, some: Measured, keys: NDArray[np.int64]) -> Column:
        """(n,) the probability of pairs with distinct keys."""
        parameters, read = shipped_intent(), self._read

        def vote(missing: NDArray[np.int64]) -> Column:
            pairs = some.take(missing)
            features = self.evidence.columns(pairs)
            odds = parameters.trees.logit(features)
            rows = np.flatnonzero(odds > OPEN)
            if self.reader is not None and len(rows):  # their evidence is available
                at_hand = pairs.pairs.take(rows), take(features, rows)
                read.of(keys[missing[rows]], lambda new: self._heard(at_hand[0].take(new), take(at_hand[1], new)))
            apart = np.zeros(len(odds))
            open_ = np.flatnonzero(parameters.is_open(odds) & differ_in_meaning(features))
            elsewhere = self.evidence.elsewhere(pairs.pairs.a[open_], pairs.pairs.b[open_])
            apart[open_] = told_apart({**take(features, open_), "elsewhere": elsewhere})
            return np.stack([odds, apart], axis=1)

        def read_anew(missing: NDArray[np.int64]) -> Column:
            pairs = some.take(open_[missing])
            return self._heard(pairs.pairs, self.evidence.columns(pairs))

        odds, apart = self._votes.of(keys, vote).T
        open_ = np.flatnonzero(odds > OPEN)
        if self.reader is not None:
            odds = joined(odds, lambda rows: read.of(keys[rows], read_anew)[:, 0])
        return less_told_apart(parameters.curves[self.reader is not None].probability(odds), apart.astype(np.bool_))

    def worth_a_look(self, asked: Measured, cosine: Column) -> NDArray[np.int64]:
        """The gate before the evidence: positions of the pairs that are near in words, in vectors, or with synonyms as
        one word. Of the certain pairs among the candidates, 93 of 100 pass."""
        words = np.maximum(asked.features["jaccard"], asked.features["indel"])
        measured = ~np.isnan(cosine)
        near = np.where(measured, np.nan_to_num(cosine) + 0.5 * words >= _GATE_COSINE, words >= _GATE_WORDS)
        rest = np.flatnonzero(~near)
        near[rest] = self.evidence.shared_meaning(asked.pairs.take(rest)) >= _GATE_MEANING
        return np.flatnonzero(near)

    def weigh(self, pair: Measured, alike: Measured) -> dict[Evidence, float]:
        """Maps kinds of evidence to the log odds that they add (below 0: subtract) for one pair, greatest first.
        `alike`: a text with itself, for the trees' answer without that difference."""
        parameters, features, same = shipped_intent(), self.evidence.columns(pair), self.evidence.columns(alike)
        votes = parameters.trees.logit(features)
        whole = float(votes[0])
        weights = {}
        for kind in Evidence:
            without = {name: same[name] if evidence_kind(name) is kind else column for name, column in features.items()}
            weights[kind] = whole - float(parameters.trees.logit(without)[0])
        elsewhere = self.evidence.elsewhere(pair.pairs.a, pair.pairs.b)
        is_apart = told_apart({**features, "elsewhere": elsewhere})[0]
        weights[Evidence.ELSEWHERE] = float(np.log(TOLD_APART)) if is_apart else 0.0
        if self.reader is not None:
            both = joined(votes, lambda rows: self._heard(pair.pairs, features)[rows, 0])
            weights[Evidence.READING] = float(both[0]) - whole
        return dict(sorted(weights.items(), key=lambda item: -abs(item[1])))

    def _heard(self, pairs: Pairs, features: Mapping[str, Column]) -> Column:
        """(n, 1) log odds by the networks, if there are any."""
        assert self.reader is not None
        left, right = ([pairs.templates.masked[row] for row in rows.tolist()] for rows in (pairs.a, pairs.b))
        return self.reader.logit(left, right, features)[:, None]


def _keys_of(asked: Measured) -> NDArray[np.int64]:
    """(n,) one number for two templates with the roles of their steps, in either order."""
    rows = (asked.pairs.a, asked.pairs.b)
    one, other = (row << _ROLE_BITS | roles for row, roles in zip(rows, asked.roles, strict=True))
    return np.asarray(np.minimum(one, other) << _SIDE_BITS | np.maximum(one, other), np.int64)
