"""The interface of a judge."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.text.template import Template


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


@dataclass(frozen=True, slots=True)
class StepText:
    """One distinct step text of a suite."""

    text: str
    """Normalised."""
    identity: str
    template: Template
    occurrences: int


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    p_same_definition: NDArray[np.float64]
    """(n,) that a maintainer would let one step definition serve both; what the ground truth measures."""
    p_one_intent: NDArray[np.float64]
    """(n,) that both say one thing in other words once arguments are masked; what findings rank by. 0 where a guard
    bars the pair."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One pair, explained."""

    p_same_definition: float
    p_one_intent: float
    kind: Kind
    reasons: tuple[str, ...]
    """In words: "same but for one argument", "only 'the' differs"."""
    barred_by: tuple[str, ...] = ()
    """Ids of the guards that keep the pair apart: "polarity", "http-verb"."""


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

    def explain(self, one: StepText, other: StepText, cosine: float | None = None) -> Judgement:
        """The same verdict as `probabilities` gives, with kind and reasons."""
