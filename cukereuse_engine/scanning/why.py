"""Explains the evidence for and against one intent of two texts, and how the suite decided about similar pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Protocol

import numpy as np
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import cdist

from cukereuse_engine.judging.evidence import Evidence
from cukereuse_engine.judging.judge import Judgement
from cukereuse_engine.text.step_text import StepText

KNOWN_SHOWN = 3
"""How many pairs with a known answer are shown."""
_NEAREST = 12
"""How many bound texts are tried for each side."""
_TELLING = 0.1
"""Minimum log odds of evidence that is shown."""
START = "the starting value, and what kinds of evidence say only together"
"""What no kind of evidence adds alone: trees weigh kinds together, and a curve makes their votes a probability."""
_NEVER = 1e-4
_LEAST = 0.7
"""Indel similarity from which a bound text is similar to the one in question."""


@dataclass(frozen=True, slots=True)
class KnownPair:
    """Two texts of the suite whose step definitions show whether they mean the same."""

    left: str
    right: str
    is_one: bool
    likeness: float
    """Mean Indel similarity of the masked texts with those in question, 0 to 1."""


class Explains(Protocol):
    """A judge that can explain its verdict."""

    def explain(self, left: StepText, right: StepText, cosine: float | None = None) -> Judgement: ...

    def weigh(self, left: StepText, right: StepText) -> Mapping[Evidence, float]: ...


@dataclass(frozen=True, slots=True)
class Why:
    left: StepText
    right: StepText
    cosine: float | None
    """Cosine of the masked texts; None without vectors."""
    judgement: Judgement
    evidence: Mapping[Evidence, float]
    """Log odds for (above 0) and against, strongest first."""
    known: tuple[KnownPair, ...]
    """Most similar pairs first."""
    uses: tuple[int, int] = (0, 0)
    """The number of steps in the suite with each of the two texts, with any arguments."""

    def rows(self) -> list[tuple[str, float]]:
        """The notable evidence for a person, with its log odds: where every pair starts, then what speaks for one
        wording, then what against. As rounded to one decimal they add up to the judgement's; none without evidence."""
        has_arguments = bool(self.left.template.arguments or self.right.template.arguments)
        notable = [
            (kind.value, round(weight, 1))
            for kind, weight in sorted(self.evidence.items(), key=lambda item: item[1] < 0)
            if abs(weight) >= _TELLING and (has_arguments or kind is not Evidence.ARGUMENTS)
        ]
        if not self.evidence:
            return []
        start = round(self.log_odds - sum(weight for _, weight in notable), 1)
        return [(START, start or 0.0), *notable]  # never -0.0

    @property
    def log_odds(self) -> float:
        """Of one intent; finite."""
        sure = min(max(self.judgement.p_one_intent, _NEVER), 1 - _NEVER)
        return log(sure / (1 - sure))


def why(
    left: StepText,
    right: StepText,
    judge: Explains,
    cosine: float | None,
    texts: Sequence[StepText],
    bound: Mapping[str, str],
) -> Why:
    """`texts` are the suite's; `bound`: their definitions, by identity."""
    pairs = known_pairs(left, right, [text for text in texts if text.identity in bound], bound)
    keys = left.template.key, right.template.key
    uses = [sum(text.occurrences for text in texts if text.template.key == key) for key in keys]
    judgement, evidence = judge.explain(left, right, cosine), judge.weigh(left, right)
    return Why(left, right, cosine, judgement, evidence, pairs, (uses[0], uses[1]))


def known_pairs(
    left: StepText, right: StepText, texts: Sequence[StepText], bound: Mapping[str, str]
) -> tuple[KnownPair, ...]:
    """Pairs of bound texts with different templates that are similar to the pair in question, which is left out."""
    if not texts:
        return ()
    masked = [text.template.key for text in texts]
    likeness = cdist([left.template.key, right.template.key], masked, scorer=ratio, dtype=np.float64) / 100.0
    sides = [_nearest(row, texts) for row in likeness]
    asked = frozenset((left.template.key, right.template.key))
    pair_of: dict[frozenset[str], KnownPair] = {}
    for first in sides[0]:
        for second in sides[1]:
            mine, theirs = texts[first], texts[second]
            names = frozenset((mine.template.key, theirs.template.key))
            if names == asked or len(names) < 2:
                continue
            mean = float(likeness[0][first] + likeness[1][second]) / 2
            pair = KnownPair(mine.text, theirs.text, bound[mine.identity] == bound[theirs.identity], mean)
            if names not in pair_of or pair_of[names].likeness < mean:
                pair_of[names] = pair
    ranked = sorted(pair_of.values(), key=lambda pair: (-pair.likeness, pair.left, pair.right))
    return tuple(ranked[:KNOWN_SHOWN])


def _nearest(likeness: np.ndarray, texts: Sequence[StepText]) -> list[int]:
    """Places of the texts that are most like one, each template once."""
    kept: dict[str, int] = {}
    for place in np.argsort(-likeness, kind="stable").tolist():
        if likeness[place] < _LEAST or len(kept) == _NEAREST:
            break
        kept.setdefault(texts[place].template.key, place)
    return list(kept.values())
