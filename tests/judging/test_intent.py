"""`p_one_intent`: pairs that people would merge rank above others; the parameters keep their promise."""

from collections.abc import Callable
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.judging.evidence import Evidence, evidence_kind
from cukereuse_engine.judging.intent import shipped_intent
from cukereuse_engine.judging.judge import Difference
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.judging.usage import Usage
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.step_text import ACTION, CONTEXT, OUTCOME, StepText
from cukereuse_engine.text.template import template

Build = Callable[..., list[StepText]]

WANTED = [
    ("I go to the home page", "I visit the homepage", ACTION),
    ("I am on the landing page", "I am on the home page", CONTEXT),
    ("I log in", "I sign in", ACTION),
    ('the user logs in with "a"', 'the user signs in with "b"', ACTION),
    ("I delete the product", "I remove the product", ACTION),
    ("I add the book to my cart", "I add the book to my basket", ACTION),
    ('the URL should include "a"', 'the URL should contain "b"', OUTCOME),
    ("I click the button", "I click on the button", ACTION),
    ("the crate is painted", "the crate has been painted", OUTCOME),
    ("the crate is painted", "the crate should be painted", OUTCOME),
    ('I see "a"', 'I should see "b"', OUTCOME),
    ("I have Slack notifications enabled", "the Slack notifications are enabled", CONTEXT),
]
NEVER = [
    ("I log in as admin", "I log in as customer"),
    ("the order is shown before the sale", "the order is shown after the sale"),
    ("the feature is enabled", "the feature is disabled"),
    ("the account is created", "the account is updated"),
    ("I select the first item", "I select the second item"),
    ("I enter the billing address", "I enter the shipping address"),
    ("the buyer pays", "the seller pays"),
    ("the min price is shown", "the max price is shown"),
    ("I should see the banner", "I should not see the banner"),
    ("I send a GET request", "I send a POST request"),
    ("I go to the help page", "I go to the cart page"),
    ("the citizen A is enrolled", "the citizen B is enrolled"),
    ("I start the processA", "I start the processB"),
]


@pytest.fixture(scope="module")
def judge() -> TextJudge:
    pairs = [*NEVER, *(pair[:2] for pair in WANTED)]
    return TextJudge.for_suite([_text(text) for pair in pairs for text in pair])


def _text(text: str, roles: int = 0) -> StepText:
    return StepText(text, identity(text), template(text), 1, roles)


@pytest.mark.parametrize(("one", "other", "role"), WANTED)
def test_what_people_would_merge(judge: TextJudge, one: str, other: str, role: int) -> None:
    judgement = judge.explain(_text(one, role), _text(other, role))
    assert judgement.p_one_intent >= shipped_intent().bars[0.5]
    assert judgement.reasons


@pytest.mark.parametrize(("one", "other"), NEVER)
def test_what_nobody_would_merge(judge: TextJudge, one: str, other: str) -> None:
    judgement = judge.explain(_text(one), _text(other))
    assert judgement.p_one_intent < shipped_intent().bars[0.5]
    assert judgement.reasons


def test_roles_are_evidence(judge: TextJudge) -> None:
    one, other = "I delete the product", "I remove the product"
    alike = judge.explain(_text(one, ACTION), _text(other, ACTION)).p_one_intent
    unlike = judge.explain(_text(one, ACTION), _text(other, OUTCOME)).p_one_intent
    assert alike > unlike


ONCE = ("I send a call", "I send an authorized call")
AGAIN = [f"I {verb} {article} call" for verb in ("repeat", "cancel", "log") for article in ("a", "an authorized")]


def test_what_a_suite_tells_apart_again_and_again_it_tells_apart_on_purpose() -> None:
    one, other = map(_text, ONCE)
    once = TextJudge.for_suite([one, other])
    again = TextJudge.for_suite([one, other, *map(_text, AGAIN)])
    assert again.explain(one, other).p_one_intent < once.explain(one, other).p_one_intent
    assert again.weigh(one, other)[Evidence.ELSEWHERE] < 0 == once.weigh(one, other)[Evidence.ELSEWHERE]


def test_small_words_may_differ_again_and_again() -> None:
    """ "I see" beside "I should see" is one author's style, however frequent."""
    texts = [
        _text(f"I {form} the {thing}") for thing in ("bed", "gate", "lawn", "shed") for form in ("see", "should see")
    ]
    assert TextJudge.for_suite(texts).weigh(texts[0], texts[1])[Evidence.ELSEWHERE] == 0


WORDS = st.lists(st.sampled_from(["dig", "the", "bed", "old", "gate", "to", "lawn"]), min_size=1, max_size=4).map(
    " ".join
)


@given(st.lists(WORDS, min_size=2, max_size=14, unique=True))
def test_differences_are_counted_as_by_comparing_all_with_all(texts: list[str]) -> None:
    judge = TextJudge.for_suite(list(map(_text, texts)))
    usage = Usage(judge.templates)
    usage.read()
    words = [frozenset(unit.stem for unit in usage.tagged(row).units) for row in range(len(texts))]
    for row, other in combinations(range(len(texts)), 2):
        difference = (words[row] - words[other], words[other] - words[row])
        alike = {mine for mine in words if any((mine - theirs, theirs - mine) == difference for theirs in words)}
        expected = len(alike) if 0 < sum(map(len, difference)) <= 4 else 0
        assert usage.elsewhere(row, other) == usage.elsewhere(other, row) == min(expected, 8), (
            texts[row],
            texts[other],
        )


def test_evidence_is_weighed_by_kind(judge: TextJudge) -> None:
    weights = judge.weigh(_text("the gate is enabled"), _text("the gate is disabled"))
    assert set(weights) == set(Evidence)
    assert weights[Evidence.REPLACED] < 0
    assert [abs(weight) for weight in weights.values()] == sorted(map(abs, weights.values()), reverse=True)
    assert judge.weigh(_text('I open "a"'), _text('I open "b"')) == {}


def test_every_column_has_a_kind_and_every_kind_a_column() -> None:
    assert {evidence_kind(column) for column in shipped_intent().trees.names} == set(Evidence) - {
        Evidence.READING,
        Evidence.ELSEWHERE,
    }
    assert evidence_kind("replaced_rarity") is Evidence.REPLACED
    with pytest.raises(KeyError):
        evidence_kind("weather")


def test_the_curve_rises_and_bars_follow_their_promises() -> None:
    parameters = shipped_intent()
    for made in parameters.curves.values():
        assert np.all(np.diff(made.odds) > 0)
        assert np.all(np.diff(made.probabilities) >= 0)
        assert np.all((made.probabilities >= 0) & (made.probabilities <= 1))
    ordered = sorted(parameters.bars.items(), reverse=True)
    assert all(one[1] >= other[1] for one, other in pairwise(ordered))
    again = type(parameters).from_arrays(parameters.arrays())
    assert all(np.array_equal(array, again.arrays()[name]) for name, array in parameters.arrays().items())


def test_a_difference_is_named(step_texts: Build) -> None:
    one, other = step_texts("I am on the garden page", "I visit the garden page")
    assert TextJudge.for_suite([one, other]).explain(one, other).difference is Difference.STATE_AND_ACTION
