"""The severity of findings: by confidence, and by the functions of step definitions."""

from dataclasses import replace
from itertools import pairwise

import pytest

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.detect import detect
from cukereuse_engine.detection.options import StrategyOptions
from cukereuse_engine.detection.run_rules import find
from cukereuse_engine.findings.confidence import BARS, bars_of
from cukereuse_engine.findings.finding import Subject
from cukereuse_engine.findings.messages import message_of
from cukereuse_engine.functions.relations import Related, Relation
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.rules import Severity
from cukereuse_engine.settings.table import SENSITIVITIES
from tests.detection.conftest import (
    ALMOST,
    MANY,
    ONE,
    OTHER_CODE,
    SAME,
    SAME_CODE,
    Find,
    MakeStep,
    MakeText,
    binding,
    definition,
    finding_options,
)


def test_severities(find_in: Find) -> None:
    off = finding_options({"divergent-wording": Severity.OFF})
    assert find_in({ONE: 3, MANY: 1}, options=off) == ()
    steps = {"I open the shop page": 3, "I open that shop page": 1}
    (finding,) = find_in(steps, options=finding_options({"divergent-wording": Severity.ERROR}))
    assert finding.severity is Severity.ERROR


def test_order_is_severity_then_expected_worth(find_in: Find) -> None:
    steps = {ONE: 3, MANY: 1, "I open the shop page": 3, "I open that shop page": 1, "I opened the shop page": 1}
    findings = find_in(steps, {ONE: [1], MANY: [2]}, relate=lambda *_: SAME_CODE)
    assert [finding.rule for finding in findings][:2] == ["divergent-definition", "divergent-wording"]
    keys = [(finding.severity.rank, finding.expected_worth) for finding in findings]
    assert keys == sorted(keys, reverse=True)


@pytest.mark.parametrize(
    ("related", "asked", "severity"),
    [
        pytest.param(SAME_CODE, None, "warning", id="the same code"),
        pytest.param(SAME_CODE, "error", "error", id="the same code, asked for"),
        pytest.param(Related(Relation.PASSES_ON, unchanged=True), None, "warning", id="hands its arguments on"),
        pytest.param(OTHER_CODE, None, "hint", id="other code"),
        pytest.param(OTHER_CODE, "error", "hint", id="other code, asked for"),
        pytest.param(OTHER_CODE, "off", None, id="other code, not asked for"),
        pytest.param(Related(Relation.CONSTANT), "error", None, id="a value apart"),
        pytest.param(Related(Relation.CONTAINS), "error", None, id="one does more"),
        pytest.param(Related(Relation.PASSES_ON), "error", None, id="hands on a value of its own"),
        pytest.param(Related(Relation.UNKNOWN), None, "information", id="sure, nothing known"),
        pytest.param(Related(Relation.UNKNOWN), "error", "information", id="nothing known, asked for"),
    ],
)
def test_what_functions_do_decides(related: Related, asked: str | None, severity: str | None, find_in: Find) -> None:
    options = finding_options({"divergent-definition": Severity(asked)} if asked else {})
    findings = find_in({SAME: 3, ALMOST: 1}, {SAME: [1], ALMOST: [2]}, options, relate=lambda *_: related)
    assert [finding.severity for finding in findings] == ([severity] if severity else [])
    for finding in findings:
        assert finding.message.endswith("different things." if related == OTHER_CODE else "mean the same.")


@pytest.mark.parametrize(("confidence", "said"), [(None, "means"), (0.5, "means"), (0.49, "may mean")])
@pytest.mark.parametrize("rule", ["divergent-wording", "divergent-definition"])
def test_what_is_less_likely_than_not_only_may_mean_the_same(rule: str, confidence: float | None, said: str) -> None:
    less, more = (Subject(text, text, 1, ()) for text in ("I wash the cups", "I rinse the cups"))
    said = said if rule == "divergent-wording" else said.replace("means", "mean")
    assert f" {said} the same" in message_of(rule, [less], more, confidence=confidence)


@pytest.mark.parametrize(
    ("second", "severities"),
    [(SAME_CODE, ["warning"]), (OTHER_CODE, ["hint"]), (Related(Relation.CONSTANT), ["hint"])],
)
def test_all_functions_of_a_wording_are_to_do_the_same(second: Related, severities: list[str], find_in: Find) -> None:
    def relate(one: StepDefinition, other: StepDefinition) -> Related:
        return {(1, 3): SAME_CODE, (2, 3): second}[min(one.line, other.line), max(one.line, other.line)]

    findings = find_in({SAME: 3, ALMOST: 1}, {SAME: [1, 2], ALMOST: [3]}, relate=relate)
    assert [finding.severity for finding in findings] == severities


def test_definitions_that_do_the_same_come_first(find_in: Find) -> None:
    known = {(2, 1): OTHER_CODE, (4, 3): SAME_CODE, (6, 5): Related(Relation.UNKNOWN)}

    def relate(one: StepDefinition, other: StepDefinition) -> Related:
        return known[one.line, other.line]

    steps = {SAME: 3, ALMOST: 1, "the door is open": 3, "a door is open": 1, "the lamp is lit": 3, "a lamp is lit": 1}
    bound = {text: [number] for number, text in enumerate(steps, 1)}
    findings = find_in(steps, bound, relate=relate)
    assert [(finding.others[0].text, finding.severity.value) for finding in findings] == [
        ("a door is open", "warning"),
        (ALMOST, "hint"),
        ("a lamp is lit", "hint"),
    ]
    assert findings[0].reasons[-1].text == "their functions do the same"
    assert findings[1].reasons[-1].text == "their functions do different things"
    assert not any("functions" in reason.text for reason in findings[2].reasons)


@pytest.mark.parametrize(
    ("one", "other", "doubts"),
    [
        ('I go to the "x" plot', 'I visit the "y" plot', []),
        ("I go to the Beds page", "I visit the Beds page", []),
        ("I wait 2 seconds", "I wait for 3 seconds", []),
        ("I mow the lawn", "they mow the lawn", ["one-definition-any-form"]),
        ("I dig a bed", "I dig the bed", []),
        ('I dig a "x" bed', 'I dig the "y" bed', ["one-definition-any-form"]),
        ('a bed named "x" is dug', 'the bed named "y" is dug', []),
        ("I dig 1 bed", "I dig 2 beds", ["one-definition-any-form"]),
        ('I click the "x" plot', 'I click on the "y" plot', []),
        ('I click "x"', 'I click on "y"', []),
    ],
)
@pytest.mark.parametrize("glue", ["none", "two", "one"])
def test_what_one_definition_mostly_takes_is_a_hint_where_none_is_known(
    one: str, other: str, doubts: list[str], glue: str, text: MakeText, step: MakeStep
) -> None:
    texts = [text(one, 2), text(other)]
    judge = TextJudge.for_suite(texts)
    context = Context(
        detect(texts, StrategyOptions("auto", 0.01), judge=judge),
        {made.identity: (step(made.text, line, scenario_line=line),) for line, made in enumerate(texts, 1)},
        bindings=None
        if glue == "none"
        else lambda made: binding(made, [definition(made.line if glue == "two" else 1)]),
        judge=judge,
    )
    findings = find(context)
    assert len(findings) == (0 if glue == "one" else 1)
    for finding in findings:
        against = [reason.id for reason in finding.reasons if reason.against]
        assert against == ([] if glue == "two" else doubts)
        assert finding.severity is Severity.HINT or not against


@pytest.mark.parametrize(
    ("wordings", "expected"),
    [
        (("I dig the bed", "I dig the bed again"), [("one-says-more", "only one says “again”", "")]),
        (("I dig the bed", "I can dig the bed"), [("another-modality", "only one says “can”", "")]),
        (("I should now dig", "I should still dig"), [("one-says-more", "“now” vs. “still”", "")]),
        (
            ("I go to the bed", "I visit the bed", "I go to a bed"),
            [
                ("judge", "only “a” and “the” differ", "I go to the bed"),
                ("judge", "“go to” and “visit” mean the same", "I visit the bed"),
            ],
        ),
    ],
)
def test_each_reason_is_told_once_and_of_its_wording(
    wordings: tuple[str, ...], expected: list[tuple[str, str, str]], text: MakeText, step: MakeStep
) -> None:
    texts = [text(wording, 3 - number) for number, wording in enumerate(wordings)]
    judge = TextJudge.for_suite(texts)
    steps = {made.identity: (step(made.text, line, scenario_line=line),) for line, made in enumerate(texts, 1)}
    heard = replace(finding_options({}), bars=bars_of("high", 0.01))
    detection = detect(texts, StrategyOptions("auto", 0.01), judge=judge)
    findings = find(Context(detection, steps, judge=judge, options=heard))
    assert [(reason.id, reason.text, reason.about) for finding in findings for reason in finding.reasons] == expected


@pytest.mark.parametrize(
    ("confidence", "doubted", "wanted", "expected"),
    [
        (0.97, False, "warning", "warning"),
        (0.94, False, "warning", "information"),
        (0.79, False, "warning", "hint"),
        (0.49, False, "warning", "off"),
        (0.97, True, "warning", "hint"),
        (0.97, False, "error", "error"),
        (0.90, False, "error", "information"),
        (0.97, False, "hint", "hint"),
        (0.97, True, "off", "off"),
    ],
)
def test_severity_is_confidence(confidence: float, doubted: bool, wanted: str, expected: str) -> None:
    options = finding_options({"divergent-definition": Severity(wanted)})
    assert options.severity_at("divergent-definition", confidence, doubted=doubted) == expected


def test_sensitivity_moves_every_bar() -> None:
    assert tuple(BARS) == SENSITIVITIES
    for one, other in pairwise(BARS.values()):
        assert (one.warning, one.information, one.hint) > (other.warning, other.information, other.hint)
        assert other.warning > other.information > other.hint
    assert bars_of("low", 0.3).hint == 0.3
