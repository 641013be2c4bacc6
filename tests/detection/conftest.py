"""A judge and steps for tests."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from rapidfuzz import fuzz

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.detect import detect
from cukereuse_engine.detection.options import StrategyOptions
from cukereuse_engine.detection.run_rules import find
from cukereuse_engine.findings.confidence import Bars, FindingOptions
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.functions.relations import Functions, Related, Relation
from cukereuse_engine.gherkin.feature import KeywordType, Span, Step
from cukereuse_engine.glue.definition import ExpressionKind, Match, SourceSpan, StepDefinition
from cukereuse_engine.glue.step_binding import StepBinding
from cukereuse_engine.glue.text_binding import TextBinding
from cukereuse_engine.judging.judge import Judge, Judgement, Kind
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template
from tests.judging.pairwise import PairwiseJudge

MakeText = Callable[..., StepText]
MakeStep = Callable[..., Step]


class IndelJudge(PairwiseJudge):
    """One intent if the masked texts are near, or if the vectors are."""

    def explain(self, one: StepText, other: StepText, cosine: float | None = None) -> Judgement:
        lexical = fuzz.ratio(one.template.key, other.template.key) / 100
        p = float(np.clip((max(lexical, cosine or 0.0) - 0.6) * 2.5, 0, 1))
        if ("not" in one.text.split()) != ("not" in other.text.split()):
            p = 0.0
        kind = Kind.DISTINCT if p < 0.5 else Kind.REWORDED if lexical >= 0.8 else Kind.PARAPHRASE
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


Find = Callable[..., tuple[Finding, ...]]


def definition(line: int, path: str = "steps.py") -> StepDefinition:
    """A definition on a function of its own; from line 100 on, all definitions of a hundred are on one function."""
    return StepDefinition(
        expression="",
        kind=ExpressionKind.LITERAL,
        keyword_types=frozenset(),
        keyword="given",
        language="python",
        framework="behave",
        literal=SourceSpan(path, 0, 1, line, 1, line, 2),
        source_literal='""',
        function=SourceSpan(path, line // 100, 9, line, 1, line, 2) if line >= 100 else None,
        function_name="",
    )


SAME_CODE, OTHER_CODE = Related(Relation.SAME), Related(Relation.DIFFERENT)


BARS_OF_TESTS = Bars(0.95, 0.80, 0.50)
"""Plain probabilities, independent of the shipped judge's training."""


def finding_options(severities: Mapping[str, Severity] | None = None, *, karate: bool = False) -> FindingOptions:
    return FindingOptions(severities or {}, karate=karate, bars=BARS_OF_TESTS)


def binding(step: Step, definitions: Iterable[StepDefinition]) -> StepBinding:
    return StepBinding(step, (TextBinding(step.text, tuple(Match(definition, ()) for definition in definitions)),))


@pytest.fixture
def find_in(text: MakeText, step: MakeStep, judge: Judge) -> Find:
    def run(
        steps: Sequence[Step] | Mapping[str, int],
        bound: Mapping[str, Sequence[int]] | None = None,
        options: FindingOptions | None = None,
        strategy: str = "auto",
        explain: bool = True,
        relate: Callable[..., Related] | None = None,
    ) -> tuple[Finding, ...]:
        if isinstance(steps, Mapping):
            steps = [
                step(wording, line, f"{wording}.feature")
                for wording, count in steps.items()
                for line in range(1, count + 1)
            ]
        by_text: dict[str, list[Step]] = {}
        for wording in steps:
            by_text.setdefault(wording.text, []).append(wording)
        texts = [text(wording, len(group)) for wording, group in by_text.items()]
        bindings = (
            None if bound is None else lambda member: binding(member, map(definition, bound.get(member.text, ())))
        )
        context = Context(
            detect(texts, StrategyOptions(strategy, BARS_OF_TESTS.hint if strategy == "auto" else None), judge=judge),
            {text.identity: tuple(by_text[text.text]) for text in texts},
            bindings=bindings,
            judge=judge if explain else None,
            functions=None if relate is None else cast("Functions", SimpleNamespace(relation=relate)),
            options=options or finding_options(),
        )
        return find(context)

    return run


ONE, MANY = "the order is paid for", "the orders are paid for"


SAME, ALMOST = "the order of the day is paid for", "the order of the days is paid for"
