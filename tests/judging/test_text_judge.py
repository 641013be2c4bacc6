"""Judgements of pairs by the judge that knows only texts."""

from collections.abc import Callable

import numpy as np
import pytest

from cukereuse_engine.judging.judge import Kind
from cukereuse_engine.judging.reasons import as_written
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.text.step_text import StepText

Build = Callable[..., list[StepText]]

ANY = [
    ("I click the button", "I click on the button"),
    ("the user goes to the cart page", "I navigate to the cart page"),
    ('I should see an error message "a"', 'the error message "b" should be displayed'),
    ("I go to the home page", "I go to the cart page"),
    ("I should see the banner", "I should not see the banner"),
    ("def a = call read('x')", "def b = call read('y')"),
    ('there is 1 letter in "x"', 'there are 3 letters in "y"'),
    ("I go to Beds/Lawns/Bed plans", "I go to Beds/Bed plans/Lawns"),
    ("I see the *Sown* snackbar message", "I see a *Sown* snackbar notification"),
    ("", "I wait"),
]


def test_same_template_is_likely_one_definition_and_no_finding(step_texts: Build) -> None:
    texts = step_texts('I log in as "ann"', 'I log in as "bob"')
    judgement = TextJudge.for_suite(texts).explain(*texts)
    assert judgement.p_same_definition > 0.9
    assert judgement.p_one_intent == 0
    assert judgement.reasons == ("the same except for one argument",)


@pytest.mark.parametrize(
    ("one", "other", "reasons"),
    [
        ("the bed is dug.", "the bed is dug", ("only punctuation differs",)),
        ("the first-bed", "the first bed", ("only punctuation differs",)),
        ("the bed is dug", "the dug bed is", ("in another order",)),
        ("I dig beds", "I dig bed", ("“bed” and “beds” are forms of one word",)),
        ("I dig a bed", "I dig the bed", ("only “a” and “the” differ",)),
        ("I dig the bed", "I dig bed", ("only “the” differs",)),
        ("the bed is dug", "the bed was dug", ("only “is” and “was” differ",)),
        ("the bed is being dug", "the bed was dug", ("only one says “being”",)),
        ("I should dig the bed", "should dig the bed", ("only “I” differs",)),
        ("the user should see the answers", "should see the answers", ("only “the user” differs",)),
        ("I can dig the bed", "I dig the bed", ("only one says “can”",)),
        ("I still dig the bed", "I now dig the bed", ("“now” vs. “still”",)),
        ("I dig my bed", "I dig their bed", ("“my” vs. “their”",)),
        ("I can't dig the bed", "I cannot dig the bed", ("only “can't” and “cannot” differ",)),
        ("I don't dig the bed", "I do not dig the bed", ("only “do not” and “don't” differ",)),
        ("the bed isn’t dug", "the bed was not dug", ("only “isn't” and “was not” differ",)),
        ("I'm in the bed", "I am in the bed", ("only “I am” and “I'm” differ",)),
        ("I don't dig, it isn't wet", "I still dig, it isn't wet", ("“not” vs. “still”", "in another order")),
        ("I don't dig, it isn't wet", "I don't dig, it is wet", ("only one says “not”",)),
        ("I can't dig the bed", "I dig the bed", ("only one says “can't”", "one says the opposite of the other")),
        ("the bed isn't shown", "the bed is hidden", ("“hidden” and “isn't shown” mean the same in some steps",)),
        ("the bed isn't dug", "a bed is not dug", ("only “a”, “the”, “is not” and “isn't” differ",)),
        ("I click the bed", "I click on the bed", ("“click” and “click on” mean the same",)),
        ("I dig the lawn", "I mow the lawn", ("“dig” vs. “mow”",)),
        ("I dig the old lawn", "I dig the lawn", ("only one says “old”",)),
        ("I dig the UK lawn", "I dig the lawn", ("only one says “UK”",)),
        ("I start the Step Functions run", "I start the run", ("only one says “Step Functions”",)),
        ("I dig the old red lawn now", "I dig the lawn", ("only one says “old red”", "only one says “now”")),
        ("the bed is empty", "the bed contains no items", ("“contains no items” and “empty” mean the same",)),
        ("I dig 2 beds", "I dig beds", ("one has one more argument",)),
        ("I dig 2 beds with 3 men", "I dig beds with men", ("2 arguments are in one of them only",)),
        ('I dig "x" in May', "I dig lawns in May", ("“lawns” vs. an argument",)),
    ],
)
def test_reasons_say_what_differs(step_texts: Build, one: str, other: str, reasons: tuple[str, ...]) -> None:
    texts = step_texts(one, other)
    assert TextJudge.for_suite(texts).explain(*texts).reasons == reasons


def test_each_contraction_is_quoted_as_it_is_written() -> None:
    written = as_written(["I don't see that it isn't Ann"], ("en",))
    assert written("i do not see that it is not ann") == "I don't see that it isn't Ann"


def test_a_guard_is_named_and_speaks_against(step_texts: Build) -> None:
    texts = step_texts("I send a GET request", "I send a POST request")
    judgement = TextJudge.for_suite(texts).explain(*texts)
    assert judgement.barred_by == ("http-verb",)
    assert judgement.kind is Kind.DISTINCT
    assert judgement.p_one_intent < 0.1


def test_explain_gives_the_verdict_of_probabilities(step_texts: Build) -> None:
    values = [f"the page has {rows} rows" for rows in ("10a", "12b", "some", "BIG", "X9")]
    texts = step_texts(*sorted({text for pair in ANY for text in pair}), *values)
    judge = TextJudge.for_suite(texts)
    a, b = (index.astype(np.int32) for index in np.triu_indices(len(texts), 1))
    probabilities, kinds = judge.probabilities(texts, a, b), judge.kinds(texts, a, b)
    assert len(set(kinds)) > 2
    for i in range(len(a)):
        judgement = judge.explain(texts[a[i]], texts[b[i]])
        assert judgement.p_same_definition == pytest.approx(probabilities.p_same_definition[i])
        assert judgement.p_one_intent == pytest.approx(probabilities.p_one_intent[i])
        swapped = judge.explain(texts[b[i]], texts[a[i]])
        assert swapped.p_one_intent == pytest.approx(judgement.p_one_intent)
        assert swapped.p_same_definition == pytest.approx(judgement.p_same_definition)
        assert swapped.kind is judgement.kind is kinds[i]


def test_texts_outside_the_suite_change_nothing_in_it(step_texts: Build) -> None:
    inside = step_texts("I open the red box", "I open the blue box")
    judge = TextJudge.for_suite(inside)
    before = judge.explain(*inside)
    judge.explain(*step_texts("I open the green box", "I open the old box"))
    assert judge.explain(*inside) == before
