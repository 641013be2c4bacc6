"""The interface of a judge."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.index.pairs import Positions
from cukereuse_engine.text.step_text import StepText


class Kind(StrEnum):
    """How two texts are alike, the closest first."""

    EXACT = "exact"
    """One identity."""
    PARAMETRIC = "parametric"
    """One template with other arguments; or a free argument without quotes."""
    REWORDED = "reworded"
    """Near in wording: another article, order or synonym."""
    PARAPHRASE = "paraphrase"
    """The same meaning in other words."""
    DISTINCT = "distinct"
    """Not one intent."""


class Difference(StrEnum):
    """The kinds of difference between two templates, the least first."""

    GRAMMAR = "grammar"
    """Who acts, articles, number and tense, which one definition mostly takes in any form."""
    ORDER = "order"
    """The same words in another order."""
    SYNONYMS = "synonyms"
    """Synonyms of the lexicon."""
    STATE_AND_ACTION = "state-and-action"
    """"I am on …" and "I go to …"."""
    WORDS = "words"
    """Other words."""


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    p_same_definition: NDArray[np.float64]
    """(n,) probability that a maintainer would let one step definition serve both, as the ground truth measures it."""
    p_one_intent: NDArray[np.float64]
    """(n,) probability that people would merge both with masked arguments: .8 means 8 of 10. Findings are ranked by it.
    0 for equal templates."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One pair, explained."""

    p_same_definition: float
    p_one_intent: float
    kind: Kind
    reasons: tuple[str, ...]
    """In words: "the same except for one argument", "only 'the' differs"."""
    barred_by: tuple[str, ...] = ()
    """Ids of the guards by which the two differ: "polarity", "http-verb". They speak against one intent."""
    difference: Difference = Difference.WORDS
    """The greatest difference between the two."""


class Judge(Protocol):
    name: str

    def probabilities(
        self, texts: Sequence[StepText], a: Positions, b: Positions, cosine: NDArray[np.float64] | None = None
    ) -> Probabilities:
        """Judge the pairs `texts[a[i]], texts[b[i]]`; `cosine`: (n,) of their masked texts if there are vectors, NaN if
        unknown."""

    def kinds(
        self, texts: Sequence[StepText], a: Positions, b: Positions, cosine: NDArray[np.float64] | None = None
    ) -> list[Kind]:
        """The kinds of pairs of different texts, as `explain` gives them one by one."""

    def explain(self, left: StepText, right: StepText, cosine: float | None = None) -> Judgement:
        """The verdict of `probabilities` for one pair, with kind and reasons."""

    def explain_all(
        self, left: StepText, others: Sequence[StepText], cosine: Sequence[float | None]
    ) -> list[Judgement]:
        """`explain` for a text and each of the others: together they cost little more than one."""
