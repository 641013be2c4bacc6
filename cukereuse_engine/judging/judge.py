"""The interface of a judge."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.text.step_text import StepText


class Kind(StrEnum):
    """How two texts are alike, the closest first."""

    EXACT = "exact"
    """One identity."""
    PARAMETRIC = "parametric"
    """One template, other arguments; or a free argument without quotes."""
    REWORDED = "reworded"
    """Near in wording: an article, an order, a synonym."""
    PARAPHRASE = "paraphrase"
    """The same meaning in other words."""
    DISTINCT = "distinct"
    """Not one intent."""


class Difference(StrEnum):
    """All that two templates differ in, from least to most."""

    GRAMMAR = "grammar"
    """Who acts, articles, number and tense: what one definition mostly takes in any form."""
    ORDER = "order"
    """The same words in another order."""
    SYNONYMS = "synonyms"
    """Words that the lexicon holds for one."""
    STATE_AND_ACTION = "state-and-action"
    """"I am on …" and "I go to …"."""
    WORDS = "words"
    """Other words."""


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    p_same_definition: NDArray[np.float64]
    """(n,) that a maintainer would let one step definition serve both; what the ground truth measures."""
    p_one_intent: NDArray[np.float64]
    """(n,) that people would merge both, once arguments are masked: .8 means 8 of 10. What findings rank by. 0 where
    the templates are equal."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One pair, explained."""

    p_same_definition: float
    p_one_intent: float
    kind: Kind
    reasons: tuple[str, ...]
    """In words: "the same except for one argument", "only 'the' differs"."""
    barred_by: tuple[str, ...] = ()
    """Ids of the guards that the two differ by: "polarity", "http-verb". They speak against one intent."""
    difference: Difference = Difference.WORDS
    """What the two differ in, the most of it."""


class Judge(Protocol):
    name: str

    def probabilities(
        self,
        texts: Sequence[StepText],
        a: NDArray[np.int32],
        b: NDArray[np.int32],
        cosine: NDArray[np.float64] | None = None,
    ) -> Probabilities:
        """Judge the pairs `texts[a[i]], texts[b[i]]`; `cosine` (n,) of their masked texts where vectors are at hand,
        NaN where unknown."""

    def explain(self, left: StepText, right: StepText, cosine: float | None = None) -> Judgement:
        """The same verdict as `probabilities` gives, with kind and reasons."""
