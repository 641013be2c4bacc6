"""The findings that follow from steps and bindings."""

from collections.abc import Callable, Mapping, Sequence

import pytest

from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.rules import Severity
from cukereuse_engine.text.step_text import StepText
from tests.detection.conftest import ALMOST, MANY, ONE, SAME, SAME_CODE, Find, finding_options

MakeText = Callable[..., StepText]
MakeStep = Callable[..., Step]


def brief(findings: Sequence[Finding]) -> list[tuple[str, ...]]:
    """Rule, the text of each wording that should change, and the preferred one."""
    return [
        (finding.rule, *(other.text for other in finding.others), (finding.preferred or finding.others[0]).text)
        for finding in findings
    ]


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
        pytest.param(
            {ONE: 1, MANY: 3}, {ONE: [1]}, [("divergent-wording", MANY, ONE)], id="the bound one is preferred"
        ),
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
    assert len(find_in(steps, options=finding_options(karate=True))) == 1


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
    """However certain it is: "Given I am logged in", whose function runs "When I log in"."""
    steps = [step(SAME, line) for line in range(1, 4)] + [step(ALMOST, line, kind=other) for line in (5, 6)]
    (finding,) = find_in(steps, {SAME: [1], ALMOST: [2]}, relate=lambda *_: SAME_CODE)
    assert (finding.rule, finding.severity) == ("divergent-definition", severity)
    assert ("given-and-when" in {reason.id for reason in finding.reasons}) == (severity is Severity.HINT)


def test_a_state_and_the_action_that_leads_to_it_are_a_hint_of_their_own(find_in: Find, step: MakeStep) -> None:
    state, action = "I am on the big page", "I go to the big page"
    steps = [step(state, line) for line in range(1, 4)]
    steps += [step(action, line, kind=KeywordType.ACTION) for line in range(5, 7)]
    (finding,) = find_in(steps)
    assert (finding.rule, finding.severity) == ("state-and-action", Severity.HINT)
    assert finding.message == f"“{state}” (3 steps) sets up what “{action}” (2 steps) does."
    assert find_in(steps, options=finding_options({"state-and-action": Severity.OFF})) == ()
    (within,) = find_in([*steps, *(step(action, line) for line in range(8, 12))])
    assert within.rule == "divergent-wording", "within one role it is a wording like any other"


@pytest.mark.parametrize("said", ["the big page", "I visited the big page", "we are on big pages"])
def test_other_words_are_no_state_and_action_whatever_the_roles(find_in: Find, step: MakeStep, said: str) -> None:
    findings = find_in([step("I see the big page", 1), step(said, 3, kind=KeywordType.ACTION)])
    assert "state-and-action" not in {finding.rule for finding in findings}


def test_what_is_set_up_and_what_is_checked_are_no_state_and_action(find_in: Find, step: MakeStep) -> None:
    state, outcome = "I am on the big page", "I go on the big page"
    (finding,) = find_in([step(state, 1), step(outcome, 3, kind=KeywordType.OUTCOME)])
    assert finding.rule == "divergent-wording"


def test_siblings_are_not_joined_through_a_third(find_in: Find) -> None:
    """Each is near the one between them, and far from the other."""
    findings = find_in({"I mow the long lawn": 5, "I mow the lawn": 3, "we mow the lawns": 1})
    assert [len(finding.subjects) for finding in findings] == [2]


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
        f"“{MANY}” (1 step), defined at steps.py:9, and “{ONE}” (3 steps), defined at steps.py:4, mean the same."
    )
    assert finding.severity is Severity.HINT
    assert [step.line for step in (finding.preferred or finding.others[0]).steps] == [1, 2, 3]
    assert [definition.line for definition in finding.others[0].definitions] == [9]
    assert [reason.text for reason in finding.reasons] == ["close enough"]
    assert 0.5 <= (finding.confidence or 0) <= 1


def test_fingerprint_stays_when_members_are_added(find_in: Find) -> None:
    (before,) = find_in({ONE: 3, MANY: 1})
    after = find_in({MANY: 2, ONE: 5, "those orders are paid for": 1})
    assert before.fingerprint in {finding.fingerprint for finding in after}
    assert len({finding.fingerprint for finding in after}) == len(after)


def test_parametric_variants_of_one_template_have_fingerprints_of_their_own(find_in: Find) -> None:
    steps = {'I see "a" here': 3, 'I see "b" here': 2, 'I see "c" here': 1}
    findings = find_in(steps, {text: [line] for line, text in enumerate(steps, 1)})
    assert len({finding.fingerprint for finding in findings}) == len(findings) == 2


@pytest.mark.parametrize(("other", "part"), [('I see "b" here', "an argument"), ('I See "a" here', "their capitals")])
def test_a_parametric_variant_says_in_what_it_differs(find_in: Find, other: str, part: str) -> None:
    (finding,) = find_in({'I see "a" here': 3, other: 2}, {'I see "a" here': [1], other: [2]})
    assert f"differ only in {part} but have separate definitions" in finding.message


@pytest.mark.parametrize("strategy", ["exact", "near-exact"])
def test_other_strategies(strategy: str, find_in: Find) -> None:
    findings = find_in({ONE: 3, MANY: 1}, strategy=strategy)
    assert [finding.rule for finding in findings] == ([] if strategy == "exact" else ["divergent-wording"])


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
    (finding,) = find_in(steps, options=finding_options({"repeated-step": Severity.HINT}))
    assert finding.rule == "repeated-step"
    assert [step.line for step in finding.others[0].steps] == [3]
    assert [step.line for step in (finding.preferred or finding.others[0]).steps] == [2]


def test_exact_duplicate(find_in: Find) -> None:
    findings = find_in({"I wait": 3, "I sleep": 1}, options=finding_options({"exact-duplicate": Severity.HINT}))
    assert [(finding.others[0].text, finding.others[0].occurrences) for finding in findings] == [("I wait", 2)]


def test_undefined_and_ambiguous(find_in: Find) -> None:
    options = finding_options({"undefined-step": Severity.ERROR, "ambiguous-step": Severity.WARNING})
    steps = {"I wait": 2, "I sleep": 1, "we run away": 1}
    findings = find_in(steps, {"I sleep": [1], "we run away": [2, 3]}, options)
    assert [(finding.rule, finding.others[0].text) for finding in findings] == [
        ("undefined-step", "I wait"),
        ("ambiguous-step", "we run away"),
    ]
    assert "steps.py:2, steps.py:3" in findings[1].message
    assert find_in(steps, None, options) == ()


def test_long_texts_are_cut_in_messages(find_in: Find) -> None:
    long = "the order " + "of many things " * 20 + "is paid for"
    (finding,) = find_in({long: 3, "the orders" + long[9:]: 1})
    assert len(finding.message) < 250
    assert finding.message.count("is paid for”") == 2  # texts of one beginning tell at their end how they differ


def test_a_message_names_the_wordings_that_were_compared_with_all_steps_of_their_definitions(find_in: Find) -> None:
    (finding,) = find_in({ONE: 3, UNLIKE: 5, MANY: 1}, {ONE: [1], UNLIKE: [2], MANY: [2]})
    both = f"“{ONE}” (3 steps), defined at steps.py:1, and “{MANY}” (6 steps), defined at steps.py:2,"
    assert both in finding.message
    assert finding.preferred is not None
    assert [wording.text for wording in finding.preferred.wordings] == [UNLIKE, MANY]


def test_a_state_and_an_action_are_named_by_the_wordings_that_were_compared(find_in: Find, step: MakeStep) -> None:
    state, action = "I am on the page of the order", "I go to the page of the order"
    kinds = {state: KeywordType.CONTEXT, action: KeywordType.ACTION, UNLIKE: KeywordType.ACTION}
    steps = [step(text, line, f"{text}.feature", kind=kind) for text, kind in kinds.items() for line in (1, 2)]
    steps.append(step(UNLIKE, 3, f"{UNLIKE}.feature", kind=KeywordType.ACTION))
    findings = find_in(steps, {action: [1], UNLIKE: [1]})
    assert brief(findings) == [("state-and-action", state, action)]
    assert f"“{action}” (5 steps)" in findings[0].message


@pytest.mark.parametrize("often", [ONE + " by card today", UNLIKE])
def test_what_another_wording_of_a_definition_says_more_is_no_doubt(often: str, find_in: Find) -> None:
    (finding,) = find_in({ONE: 3, often: 9, MANY: 1}, {ONE: [1], often: [2], MANY: [2]})
    assert brief([finding]) == [("divergent-definition", ONE, MANY)]
    assert not [reason.text for reason in finding.reasons if reason.id == "one-says-more"]
