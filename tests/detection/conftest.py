"""A judge and steps of the tests' own."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from rapidfuzz import fuzz

from cukereuse_engine.gherkin.feature import KeywordType, Span, Step
from cukereuse_engine.judging.judge import Judgement, Kind, Probabilities
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template

MakeText = Callable[..., StepText]
MakeStep = Callable[..., Step]


class IndelJudge:
    """One intent where the masked texts are near, or where the vectors are."""

    name = "indel"

    def _p(self, one: StepText, other: StepText, cosine: float | None) -> float:
        if ("not" in one.text.split()) != ("not" in other.text.split()):
            return 0.0
        lexical = fuzz.ratio(one.template.key, other.template.key) / 100
        return float(np.clip((max(lexical, cosine or 0.0) - 0.6) * 2.5, 0, 1))

    def probabilities(
        self,
        texts: Sequence[StepText],
        a: NDArray[np.int32],
        b: NDArray[np.int32],
        cosine: NDArray[np.float64] | None = None,
    ) -> Probabilities:
        p = np.array(
            [
                self._p(texts[i], texts[j], None if cosine is None else float(cosine[k]))
                for k, (i, j) in enumerate(zip(a.tolist(), b.tolist(), strict=True))
            ]
        )
        return Probabilities(p, p)

    def explain(self, one: StepText, other: StepText, cosine: float | None = None) -> Judgement:
        p = self._p(one, other, cosine)
        near = fuzz.ratio(one.template.key, other.template.key) >= 80
        kind = Kind.DISTINCT if p < 0.5 else Kind.REWORDED if near else Kind.PARAPHRASE
        return Judgement(p, p, kind, ("close enough",))


@pytest.fixture
def judge() -> IndelJudge:
    return IndelJudge()


@pytest.fixture
def text() -> MakeText:
    def make(text: str, occurrences: int = 1) -> StepText:
        return StepText(text, identity(text), template(text), occurrences)

    return make


@pytest.fixture
def step() -> MakeStep:
    def make(
        text: str,
        line: int = 1,
        path: str = "a.feature",
        scenario_line: int = 1,
        argument: str | None = None,
        kind: KeywordType = KeywordType.CONTEXT,
    ) -> Step:
        return Step(
            path=path,
            text=text,
            span=Span(line, 1, 0, len(text)),
            keyword="Given ",
            keyword_type=kind,
            resolved_type=kind,
            feature="f",
            rule=None,
            scenario="s",
            scenario_line=scenario_line,
            tags=(),
            is_background=False,
            is_outline=False,
            examples=(),
            argument=argument,
        )

    return make
