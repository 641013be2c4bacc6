"""Which findings come of which steps and bindings."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

import pytest

from cukereuse_engine.detection.context import Relate
from cukereuse_engine.detection.options import StrategyOptions
from cukereuse_engine.detection.run_rules import find
from cukereuse_engine.detection.strategies import detect
from cukereuse_engine.findings.confidence import BARS, Bars, FindingOptions, bars_of
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.functions.relations import Related, Relation
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.glue.definition import ExpressionKind, Match, SourceSpan, StepDefinition
from cukereuse_engine.glue.step_binding import StepBinding
from cukereuse_engine.glue.text_binding import TextBinding
from cukereuse_engine.judging.judge import Judge
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.rules import Severity
from cukereuse_engine.settings.table import SENSITIVITIES
from cukereuse_engine.text.step_text import StepText

MakeText = Callable[..., StepText]
MakeStep = Callable[..., Step]
Find = Callable[..., tuple[Finding, ...]]


def definition(line: int, path: str = "steps.py") -> StepDefinition:
    """On a function of its own; from line 100 on, the definitions of one hundred are on one function."""
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
"""Probabilities as they are, whatever training found of the shipped judge."""


def _options(severities: Mapping[str, Severity] | None = None, *, karate: bool = False) -> FindingOptions:
    return FindingOptions(severities or {}, karate=karate, bars=BARS_OF_TESTS)


def binding(step: Step, definitions: Iterable[StepDefinition]) -> StepBinding:
    return StepBinding(step, (TextBinding(step.text, tuple(Match(one, ()) for one in definitions)),))


@pytest.fixture
def find_in(text: MakeText, step: MakeStep, judge: Judge) -> Find:
    def run(
        steps: Sequence[Step] | Mapping[str, int],
        bound: Mapping[str, Sequence[int]] | None = None,
        options: FindingOptions | None = None,
        strategy: str = "auto",
        explain: bool = True,
        relate: Relate | None = None,
    ) -> tuple[Finding, ...]:
        if isinstance(steps, Mapping):
            steps = [step(one, line, f"{one}.feature") for one, count in steps.items() for line in range(1, count + 1)]
        by_text: dict[str, list[Step]] = {}
        for one in steps:
            by_text.setdefault(one.text, []).append(one)
        texts = [text(one, len(group)) for one, group in by_text.items()]
        bindings = None if bound is None else lambda one: binding(one, map(definition, bound.get(one.text, ())))
        return find(
            detect(texts, StrategyOptions(strategy, BARS_OF_TESTS.hint if strategy == "auto" else None), judge=judge),
            {one.identity: tuple(by_text[one.text]) for one in texts},
            bindings=bindings,
            judge=judge if explain else None,
            relate=relate,
            options=options or _options(),
        )

    return run


def brief(findings: Sequence[Finding]) -> list[tuple[str, ...]]:
    """Rule, the text of each that should change, what is preferred."""
    return [
        (finding.rule, *(other.text for other in finding.others), (finding.preferred or finding.others[0]).text)
        for finding in findings
    ]


ONE, MANY = "the order is paid for", "the orders are paid for"
SAME, ALMOST = "the order of the day is paid for", "the order of the days is paid for"
UNLIKE = "nobody ever saved anything"
CART, CARTS = 'I see "a" here', 'I see "b" here'


@pytest.mark.parametrize(
    ("steps", "bound", "expected"),
    [
        pytest.param({ONE: 3, MANY: 1}, None, [("divergent-wording", MANY, ONE)], id="no glue"),
        pytest.param({ONE: 1, MANY: 3}, None, [("divergent-wording", ONE, MANY)], id="the one used more is preferred"),
        pytest.param({ONE: 3, MANY: 1}, {ONE: [1], MANY: [1]}, [], id="one definition"),
        pytest.param({ONE: 3, MANY: 1}, {ONE: [1], MANY: [1, 2]}, [], id="a shared definition"),
        pytest.param({ONE: 3, MANY: 1}, {ONE: [100], MANY: [101]}, [], id="two definitions on one function"),
        pytest.param({CART: 3, CARTS: 1}, {CART: [100], CARTS: [101]}, [], id="one template, two on one function"),
        pytest.param(
            {ONE: 3, MANY: 1}, {ONE: [1], MANY: [2]}, [("divergent-definition", MANY, ONE)], id="two definitions"
        ),
        pytest.param({ONE: 3, MANY: 1}, {ONE: [1]}, [("divergent-wording", MANY, ONE)], id="one side unbound"),
        pytest.param({ONE: 3, MANY: 1}, {}, [("divergent-wording", MANY, ONE)], id="glue that binds nothing"),
        pytest.param({CART: 3, CARTS: 1}, None, [], id="one template, no glue"),
        pytest.param({CART: 3, CARTS: 1}, {CART: [1], CARTS: [1]}, [], id="one template, one definition"),
        pytest.param({CART: 3, CARTS: 1}, {CART: [1], CARTS: [2]}, [("parametric-variant", CARTS, CART)], id="variant"),
        pytest.param({CART: 3, CARTS: 1}, {CART: [1]}, [], id="one template, one side unbound"),
        pytest.param({"I wait": 40}, None, [], id="reuse is no smell"),
        pytest.param({ONE: 3, "the order is not paid for": 3}, None, [], id="opposites"),
        pytest.param(
            {ONE: 5, MANY: 3, "those orders are paid for": 1},
            {ONE: [1], MANY: [2], "those orders are paid for": [2]},
            [("divergent-definition", MANY, ONE)],
            id="one finding for two definitions, however many wordings",
        ),
        pytest.param(
            {ONE: 3, UNLIKE: 5, MANY: 1},
            {ONE: [1], UNLIKE: [2], MANY: [2]},
            [("divergent-definition", ONE, MANY)],
            id="the preferred wording that was compared, however rare",
        ),
        pytest.param(
            {ONE: 9, UNLIKE: 5, MANY: 1},
            {ONE: [1], UNLIKE: [2], MANY: [2]},
            [("divergent-definition", MANY, ONE)],
            id="the other wording that was compared, however rare",
        ),
        pytest.param(
            {
                ONE: 4,
                "I buy a red umbrella": 1,
                "the order is paid": 1,
                UNLIKE: 9,
                MANY: 1,
                "I buy the red umbrella": 1,
            },
            {
                ONE: [1],
                "I buy a red umbrella": [3],
                "the order is paid": [3],
                UNLIKE: [2],
                MANY: [2],
                "I buy the red umbrella": [2],
            },
            [
                ("divergent-definition", ONE, MANY),
                ("divergent-definition", "I buy a red umbrella", "I buy the red umbrella"),
            ],
            id="two wordings of one definition that were compared",
        ),
        pytest.param(
            {"I mow the lawn": 3, "they mow the lawn": 2},
            {"I mow the lawn": [1], "they mow the lawn": [1]},
            [],
            id="who acts, one definition",
        ),
        pytest.param(
            {"I mow the lawn": 3, "we mow the lawn": 2},
            {"I mow the lawn": [1], "we mow the lawn": [2]},
            [("divergent-definition", "we mow the lawn", "I mow the lawn")],
            id="who acts, with a definition each",
        ),
        pytest.param(
            {"I mow the lawn": 3, "I mow that lawn": 2, "I mow this lawn": 1},
            None,
            [("divergent-wording", "I mow that lawn", "I mow this lawn", "I mow the lawn")],
            id="one finding for a group of wordings",
        ),
        pytest.param(
            {"I dig a bed": 3, "I dig the bed": 1},
            {"I dig a bed": [1], "I dig the bed": [2]},
            [("divergent-definition", "I dig the bed", "I dig a bed")],
            id="articles, with a definition each",
        ),
        pytest.param(
            {'I visit "/beds"': 3, 'I revisit "/plots"': 1},
            None,
            [("divergent-wording", 'I revisit "/plots"', 'I visit "/beds"')],
            id="by path",
        ),
        pytest.param({"I sow 2 rows of peas": 3, 'I sow rows of "peas"': 1}, None, [], id="a number counts"),
        pytest.param(
            {"I sow a row of <n> peas": 3, "I sow that row of 2 peas": 1},
            None,
            [("divergent-wording", "I sow that row of 2 peas", "I sow a row of <n> peas")],
            id="a placeholder may be a number",
        ),
        pytest.param(
            {"the lawn lawn is mown": 3, "the lawn is mown": 1},
            None,
            [("divergent-wording", "the lawn lawn is mown", "the lawn is mown")],
            id="a slip is never preferred",
        ),
        pytest.param(
            {"def theOrder = paid": 3, "def anOrder = paid": 1},
            None,
            [],
            id="karate",
        ),
    ],
)
def test_rules(
    steps: Mapping[str, int],
    bound: Mapping[str, Sequence[int]] | None,
    expected: list[tuple[str, ...]],
    find_in: Find,
) -> None:
    assert brief(find_in(steps, bound)) == expected
    assert brief(find_in(steps, bound, explain=False)) == expected


def test_karate_on_demand(find_in: Find) -> None:
    steps = {"def theOrder = paid": 3, "def anOrder = paid": 1}
    assert len(find_in(steps, options=_options(karate=True))) == 1


@pytest.mark.parametrize(
    ("one", "other", "defined", "rules"),
    [
        (KeywordType.ACTION, KeywordType.OUTCOME, False, ["divergent-wording"]),
        (KeywordType.ACTION, KeywordType.OUTCOME, True, []),
        (KeywordType.CONTEXT, KeywordType.OUTCOME, True, []),
        (KeywordType.OUTCOME, KeywordType.OUTCOME, True, ["divergent-definition"]),
        (KeywordType.UNKNOWN, KeywordType.OUTCOME, True, ["divergent-definition"]),
    ],
)
def test_an_action_and_an_assertion_with_a_definition_each_are_two_things(
    one: KeywordType, other: KeywordType, defined: bool, rules: list[str], find_in: Find, step: MakeStep
) -> None:
    steps = [step(ONE, line, kind=one) for line in range(1, 12)] + [step(MANY, line, kind=other) for line in (20, 21)]
    assert [finding.rule for finding in find_in(steps, bound={ONE: [1], MANY: [2]} if defined else None)] == rules


@pytest.mark.parametrize(
    ("other", "severity"), [(KeywordType.CONTEXT, Severity.WARNING), (KeywordType.ACTION, Severity.HINT)]
)
def test_a_setup_step_and_an_action_with_a_definition_each_are_a_hint(
    other: KeywordType, severity: Severity, find_in: Find, step: MakeStep
) -> None:
    """However sure it is: "Given I am logged in", whose function runs "When I log in"."""
    steps = [step(SAME, line) for line in range(1, 4)] + [step(ALMOST, line, kind=other) for line in (5, 6)]
    (finding,) = find_in(steps, {SAME: [1], ALMOST: [2]}, relate=lambda *_: SAME_CODE)
    assert (finding.rule, finding.severity) == ("divergent-definition", severity)
    assert ("given-and-when" in {reason.id for reason in finding.reasons}) == (severity is Severity.HINT)


def test_a_state_and_the_action_that_leads_to_it_are_a_hint_of_their_own(find_in: Find, step: MakeStep) -> None:
    state, action = "I am on the big page", "I go on the big page"
    steps = [step(state, line) for line in range(1, 4)]
    steps += [step(action, line, kind=KeywordType.ACTION) for line in range(5, 7)]
    (finding,) = find_in(steps)
    assert (finding.rule, finding.severity) == ("state-and-action", Severity.HINT)
    assert finding.message == f"“{state}” (3 steps) sets up what “{action}” (2 steps) does."
    assert find_in(steps, options=_options({"state-and-action": Severity.OFF})) == ()
    (within,) = find_in([*steps, *(step(action, line) for line in range(8, 12))])
    assert within.rule == "divergent-wording", "within one role it is a wording like any other"


def test_siblings_are_not_joined_through_a_third(find_in: Find) -> None:
    """Each is near the one between them, and not the other."""
    found = find_in({"I mow the long lawn": 5, "I mow the lawn": 3, "we mow the lawns": 1})
    assert [len(finding.subjects) for finding in found] == [2]


def test_two_definitions_are_one_finding_with_all_their_steps(find_in: Find) -> None:
    steps = {"I go to the rose bed": 3, "I go to the shed": 1, "I come to the rose bed": 2, "I come to the gate": 1}
    bound = {text: [1 if " go " in text else 2] for text in steps}
    (finding,) = find_in(steps, bound)
    (other,) = finding.others
    assert [wording.text for wording in other.wordings] == ["I come to the rose bed", "I come to the gate"]
    assert (other.occurrences, len(other.places)) == (3, 3)
    assert finding.preferred is not None
    assert finding.preferred.occurrences == 4


def test_a_step_that_both_sets_up_and_checks_is_compared(find_in: Find, step: MakeStep) -> None:
    steps = [step(ONE, 1), step(ONE, 2, kind=KeywordType.OUTCOME), step(MANY, 3, kind=KeywordType.OUTCOME)]
    assert len(find_in(steps)) == 1


@pytest.mark.parametrize(
    ("one", "other", "count"), [(None, "docstring", 0), ("table", "docstring", 0), ("table", "table", 1)]
)
def test_what_takes_another_attachment_is_another_step(
    one: str | None, other: str | None, count: int, find_in: Find, step: MakeStep
) -> None:
    assert len(find_in([step(ONE, 1, argument=one), step(MANY, 2, argument=other)])) == count


def test_what_a_finding_says(find_in: Find) -> None:
    (finding,) = find_in({ONE: 3, MANY: 1}, {ONE: [4], MANY: [9]})
    assert finding.message == (
        f"“{MANY}” (1 step), defined at steps.py:9, and “{ONE}” (3 steps), defined at steps.py:4, serve one intent."
    )
    assert finding.severity is Severity.HINT
    assert [one.line for one in (finding.preferred or finding.others[0]).steps] == [1, 2, 3]
    assert [one.line for one in finding.others[0].definitions] == [9]
    assert [reason.text for reason in finding.reasons] == ["close enough"]
    assert 0.5 <= (finding.confidence or 0) <= 1


def test_fingerprint_stays_when_members_are_added(find_in: Find) -> None:
    (before,) = find_in({ONE: 3, MANY: 1})
    after = find_in({MANY: 2, ONE: 5, "those orders are paid for": 1})
    assert before.fingerprint in {finding.fingerprint for finding in after}
    assert len({finding.fingerprint for finding in after}) == len(after)


def test_parametric_variants_of_one_template_have_fingerprints_of_their_own(find_in: Find) -> None:
    steps = {'I see "a" here': 3, 'I see "b" here': 2, 'I see "c" here': 1}
    found = find_in(steps, {text: [line] for line, text in enumerate(steps, 1)})
    assert len({finding.fingerprint for finding in found}) == len(found) == 2


def test_severities(find_in: Find) -> None:
    off = _options({"divergent-wording": Severity.OFF})
    assert find_in({ONE: 3, MANY: 1}, options=off) == ()
    steps = {"I open the shop page": 3, "I open that shop page": 1}
    (finding,) = find_in(steps, options=_options({"divergent-wording": Severity.ERROR}))
    assert finding.severity is Severity.ERROR


def test_order_is_severity_then_expected_worth(find_in: Find) -> None:
    steps = {ONE: 3, MANY: 1, "I open the shop page": 3, "I open that shop page": 1, "I opened the shop page": 1}
    found = find_in(steps, {ONE: [1], MANY: [2]}, relate=lambda *_: SAME_CODE)
    assert [finding.rule for finding in found][:2] == ["divergent-definition", "divergent-wording"]
    keys = [(finding.severity.rank, finding.expected_worth) for finding in found]
    assert keys == sorted(keys, reverse=True)


@pytest.mark.parametrize("strategy", ["exact", "near-exact"])
def test_other_strategies(strategy: str, find_in: Find) -> None:
    found = find_in({ONE: 3, MANY: 1}, strategy=strategy)
    assert [finding.rule for finding in found] == ([] if strategy == "exact" else ["divergent-wording"])


def test_repeated_step(find_in: Find, step: MakeStep) -> None:
    action = KeywordType.ACTION
    steps = [
        step("I wait", 2),
        step("I wait", 3),  # again
        step("I sleep", 4, kind=action),
        step("I wait", 5),  # after an action: not again
        step("I type", 6, argument="table"),
        step("I type", 7, argument="table"),  # another table
        step("I wait", 12, scenario_line=11),  # another scenario
    ]
    (finding,) = find_in(steps, options=_options({"repeated-step": Severity.HINT}))
    assert finding.rule == "repeated-step"
    assert [one.line for one in finding.others[0].steps] == [3]
    assert [one.line for one in (finding.preferred or finding.others[0]).steps] == [2]


def test_exact_duplicate(find_in: Find) -> None:
    found = find_in({"I wait": 3, "I sleep": 1}, options=_options({"exact-duplicate": Severity.HINT}))
    assert [(finding.others[0].text, finding.others[0].occurrences) for finding in found] == [("I wait", 2)]


def test_undefined_and_ambiguous(find_in: Find) -> None:
    options = _options({"undefined-step": Severity.ERROR, "ambiguous-step": Severity.WARNING})
    steps = {"I wait": 2, "I sleep": 1, "we run away": 1}
    found = find_in(steps, {"I sleep": [1], "we run away": [2, 3]}, options)
    assert [(finding.rule, finding.others[0].text) for finding in found] == [
        ("undefined-step", "I wait"),
        ("ambiguous-step", "we run away"),
    ]
    assert "steps.py:2, steps.py:3" in found[1].message
    assert find_in(steps, None, options) == ()


def test_long_texts_are_cut_in_messages(find_in: Find) -> None:
    long = "the order " + "of many things " * 20 + "is paid for"
    (finding,) = find_in({long: 3, "the orders" + long[9:]: 1})
    assert len(finding.message) < 250
    assert finding.message.count("is paid for”") == 2  # texts of one beginning tell at their end how they differ


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
        pytest.param(Related(Relation.UNKNOWN), None, "warning", id="sure, nothing known"),
    ],
)
def test_what_functions_do_decides(related: Related, asked: str | None, severity: str | None, find_in: Find) -> None:
    options = _options({"divergent-definition": Severity(asked)} if asked else {})
    found = find_in({SAME: 3, ALMOST: 1}, {SAME: [1], ALMOST: [2]}, options, relate=lambda *_: related)
    assert [finding.severity for finding in found] == ([severity] if severity else [])
    for finding in found:
        assert finding.message.endswith("different things." if related == OTHER_CODE else "serve one intent.")


@pytest.mark.parametrize(
    ("second", "severities"),
    [(SAME_CODE, ["warning"]), (OTHER_CODE, ["hint"]), (Related(Relation.CONSTANT), ["hint"])],
)
def test_all_functions_of_a_wording_are_to_do_the_same(second: Related, severities: list[str], find_in: Find) -> None:
    def relate(one: StepDefinition, other: StepDefinition) -> Related:
        return {(1, 3): SAME_CODE, (2, 3): second}[min(one.line, other.line), max(one.line, other.line)]

    found = find_in({SAME: 3, ALMOST: 1}, {SAME: [1, 2], ALMOST: [3]}, relate=relate)
    assert [finding.severity for finding in found] == severities


def test_definitions_that_do_the_same_come_first(find_in: Find) -> None:
    known = {(2, 1): OTHER_CODE, (4, 3): SAME_CODE, (6, 5): Related(Relation.UNKNOWN)}

    def relate(one: StepDefinition, other: StepDefinition) -> Related:
        return known[one.line, other.line]

    steps = {SAME: 3, ALMOST: 1, "the door is open": 3, "a door is open": 1, "the lamp is lit": 3, "a lamp is lit": 1}
    bound = {text: [number] for number, text in enumerate(steps, 1)}
    found = find_in(steps, bound, relate=relate)
    assert [(one.others[0].text, one.severity.value) for one in found] == [
        ("a door is open", "warning"),
        (ALMOST, "hint"),
        ("a lamp is lit", "hint"),
    ]
    assert found[0].reasons[-1].text == "their functions do the same"
    assert found[1].reasons[-1].text == "their functions do different things"
    assert not any("functions" in reason.text for reason in found[2].reasons)


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
    found = find(
        detect(texts, StrategyOptions("auto", 0.01), judge=judge),
        {made.identity: (step(made.text, line, scenario_line=line),) for line, made in enumerate(texts, 1)},
        bindings=None
        if glue == "none"
        else lambda made: binding(made, [definition(made.line if glue == "two" else 1)]),
        judge=judge,
    )
    assert len(found) == (0 if glue == "one" else 1)
    for finding in found:
        against = [reason.id for reason in finding.reasons if reason.against]
        assert against == ([] if glue == "two" else doubts)
        assert finding.severity is Severity.HINT or not against


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
    options = _options({"divergent-definition": Severity(wanted)})
    assert options.severity_at("divergent-definition", confidence, doubted=doubted) == expected


def test_sensitivity_moves_every_bar() -> None:
    assert tuple(BARS) == SENSITIVITIES
    for one, other in pairwise(BARS.values()):
        assert (one.warning, one.information, one.hint) > (other.warning, other.information, other.hint)
        assert other.warning > other.information > other.hint
    assert bars_of("low", 0.3).hint == 0.3


def test_a_message_names_the_wordings_that_were_compared_with_all_steps_of_their_definitions(find_in: Find) -> None:
    (found,) = find_in({ONE: 3, UNLIKE: 5, MANY: 1}, {ONE: [1], UNLIKE: [2], MANY: [2]})
    assert f"“{ONE}” (3 steps), defined at steps.py:1, and “{MANY}” (6 steps), defined at steps.py:2," in found.message
    assert found.preferred is not None
    assert [wording.text for wording in found.preferred.wordings] == [UNLIKE, MANY]


def test_a_state_and_an_action_are_named_by_the_wordings_that_were_compared(find_in: Find, step: MakeStep) -> None:
    state, action = "I am on the page of the order", "I go to the page of the order"
    kinds = {state: KeywordType.CONTEXT, action: KeywordType.ACTION, UNLIKE: KeywordType.ACTION}
    steps = [step(text, line, f"{text}.feature", kind=kind) for text, kind in kinds.items() for line in (1, 2)]
    steps.append(step(UNLIKE, 3, f"{UNLIKE}.feature", kind=KeywordType.ACTION))
    found = find_in(steps, {action: [1], UNLIKE: [1]})
    assert brief(found) == [("state-and-action", state, action)]
    assert f"“{action}” (5 steps)" in found[0].message
