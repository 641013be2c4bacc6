"""A judge for tests."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.index.pairs import Positions
from cukereuse_engine.judging.judge import Judgement, Kind, Probabilities
from cukereuse_engine.text.step_text import StepText


class PairwiseJudge:
    """A judge of many pairs says of each what it says of one."""

    name = "pairwise"

    def explain(self, one: StepText, other: StepText, cosine: float | None = None) -> Judgement:
        raise NotImplementedError

    def explain_all(
        self, left: StepText, others: Sequence[StepText], cosine: Sequence[float | None]
    ) -> list[Judgement]:
        return [self.explain(left, other, near) for other, near in zip(others, cosine, strict=True)]

    def probabilities(
        self, texts: Sequence[StepText], a: Positions, b: Positions, cosine: NDArray[np.float64] | None = None
    ) -> Probabilities:
        judgements = [*self._explained(texts, a, b, cosine)]
        return Probabilities(
            np.array([judgement.p_same_definition for judgement in judgements]),
            np.array([judgement.p_one_intent for judgement in judgements]),
        )

    def kinds(
        self, texts: Sequence[StepText], a: Positions, b: Positions, cosine: NDArray[np.float64] | None = None
    ) -> list[Kind]:
        return [judgement.kind for judgement in self._explained(texts, a, b, cosine)]

    def _explained(
        self, texts: Sequence[StepText], a: Positions, b: Positions, cosine: NDArray[np.float64] | None
    ) -> Iterator[Judgement]:
        cosines = [None] * len(a) if cosine is None else cosine.tolist()
        for i, j, near in zip(a.tolist(), b.tolist(), cosines, strict=True):
            yield self.explain(texts[i], texts[j], near)
