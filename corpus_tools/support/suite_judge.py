"""The text judge of a whole corpus, built where it is first used: not where workers share what it knows."""

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.index.pairs import Positions
from cukereuse_engine.judging.judge import Judgement, Kind, Probabilities
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.text.step_text import StepText


class SuiteJudge:
    """A `Judge` with the verdicts of `TextJudge.for_suite`."""

    name = TextJudge.name

    def __init__(self, languages: tuple[str, ...], masked: Iterable[str]) -> None:
        """`masked`: every template of the suite once, in order of first appearance."""
        self.languages = languages
        self.masked = list(masked)

    @classmethod
    def of(cls, texts: Sequence[StepText], languages: tuple[str, ...]) -> "SuiteJudge":
        first: dict[str, str] = {}
        for text in texts:
            first.setdefault(text.template.key, text.template.masked)
        return cls(languages, first.values())

    @cached_property
    def judge(self) -> TextJudge:
        judge = TextJudge(self.languages)
        for masked in self.masked:
            judge.templates.add(masked)
        return judge

    def probabilities(
        self, texts: Sequence[StepText], a: Positions, b: Positions, cosine: NDArray[np.float64] | None = None
    ) -> Probabilities:
        return self.judge.probabilities(texts, a, b, cosine)

    def kinds(
        self, texts: Sequence[StepText], a: Positions, b: Positions, cosine: NDArray[np.float64] | None = None
    ) -> list[Kind]:
        return self.judge.kinds(texts, a, b, cosine)

    def explain(self, left: StepText, right: StepText, cosine: float | None = None) -> Judgement:
        return self.judge.explain(left, right, cosine)

    def explain_all(
        self, left: StepText, others: Sequence[StepText], cosine: Sequence[float | None]
    ) -> list[Judgement]:
        return self.judge.explain_all(left, others, cosine)
