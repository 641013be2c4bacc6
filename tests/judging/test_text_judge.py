"""What the judge that knows only texts says of pairs."""

from collections.abc import Callable

import numpy as np
import pytest

from cukereuse_engine.judging.model import Kind, StepText
from cukereuse_engine.judging.text_judge import TextJudge

Build = Callable[..., list[StepText]]

ONE_INTENT = [
    ("I click the button", "I click on the button", Kind.REWORDED),
    ("I click the 'Save' button", "I press the 'Send' button", Kind.REWORDED),
    ("the user goes to the cart page", "I navigate to the cart page", Kind.REWORDED),
    ('I should see an error message "a"', 'the error message "b" should be displayed', Kind.REWORDED),
    ("the response status code should be 200", "the status code is 404", Kind.REWORDED),
    ("I should see the *Help* menu", "the *Help* menu is visible", Kind.REWORDED),
    ("I can see that the box is empty", "I see the box is empty", Kind.REWORDED),
    ("the user doesn't see the banner", "I do not see the banner", Kind.REWORDED),
    ("I am at the start page", "I am on the start page", Kind.REWORDED),
    ("I open the side bar", "I open the sidebar", Kind.REWORDED),
    ('the lid "a" is visible on the shelf', 'I see the lid "b" on the shelf', Kind.REWORDED),
    ("I click on the *Water* tile", "I click the *Water* tile", Kind.REWORDED),
    ("I see the *Sown* snackbar message", "I see a *Sown* snackbar notification", Kind.REWORDED),
    ("I am on the *Beds of '<plot>'* page", "I am on *Beds of '<plot>'* page", Kind.REWORDED),
    ("I am at the *Garden*", "I am on the *Garden* page", Kind.PARAPHRASE),
    ("I am on the *Pick a plot* page", "I am on *Pick a plot*", Kind.PARAPHRASE),
    ("I click the *Dig* button", "I click *Dig*", Kind.PARAPHRASE),
    ("the *Seeds* list is saved successfully", "the *Seeds* list is saved", Kind.PARAPHRASE),
    ("I see that the *Gate* lamp is lit", "the *Gate* lamp is lit", Kind.PARAPHRASE),
    ("I am logged in", "I have logged in", Kind.REWORDED),
    ('the label is "a"', 'the label was "b"', Kind.REWORDED),
    ("I check that the lid should be open", "I check that the lid is open", Kind.REWORDED),
    ('"Save" shown', '"Save" is displayed', Kind.REWORDED),
    ("that no bed is shown", "no bed is displayed", Kind.REWORDED),
    ("that every user can log in", "every user can sign in", Kind.REWORDED),
    ("that user is logged in", "I am signed in", Kind.REWORDED),
    ("that children are logged in", "children are signed in", Kind.REWORDED),
    ("I click «*Save*»", "I click on «*Save*»", Kind.REWORDED),
    ("that fruits are picked", "fruits are picked", Kind.REWORDED),
    ("that Ann is logged in", "Ann is logged in", Kind.REWORDED),
    ("that there is a ripe fruit", "there is a ripe fruit", Kind.REWORDED),
]
NO_FINDING = [
    ('I log in as "ann"', 'I log in as "bob"', Kind.PARAMETRIC),
    ("I go to the home page", "I go to the cart page", Kind.DISTINCT),
    ("I should see the banner", "I should not see the banner", Kind.DISTINCT),
    ("I click the button", "I should see the button", Kind.DISTINCT),
    ("the box is hidden", "the kettle boils", Kind.DISTINCT),
    ("def a = call read('x')", "def b = call read('y')", Kind.DISTINCT),
    ("I log in", "I am logged in", Kind.DISTINCT),
    ('the rule is if "a" { b = 1 }; end', 'the rule is if "c" { d = 2 }; end', Kind.DISTINCT),
    ('I fill in "x" for "y"', 'I fill in "x" with "y"', Kind.DISTINCT),
    ('I create bucket "x"', 'bucket "x" was created', Kind.DISTINCT),
    ("the order was shipped", "the orders were shipped", Kind.DISTINCT),
    ("my basket is full", "their basket is full", Kind.DISTINCT),
    ("a merge is now in progress", "a merge is still in progress", Kind.DISTINCT),
    ("the order is canceling", "the order is canceled", Kind.DISTINCT),
    ("I click the *Delete* tile", "I click the *Remove* tile", Kind.PARAMETRIC),
    ('there is 1 letter in "x"', 'there are 3 letters in "y"', Kind.DISTINCT),
    ('I should receive "1" letter', '"ann" should receive a letter', Kind.DISTINCT),
    ("the work on the series page", "the series on the work page", Kind.DISTINCT),
    ("the kettle can be boiled", "the kettle has been boiled", Kind.DISTINCT),
    ('I click the "Save" button', 'I click "Send"', Kind.DISTINCT),
    ("the invoice is sent successfully", "the invoice is sent", Kind.DISTINCT),
    ("I see that the gate is locked", "the gate is locked", Kind.DISTINCT),
    ("I enter a new seed name", "I fill in the *New seed name* field", Kind.DISTINCT),
    ('I keep a box for "a" with a small box', 'I keep a box with a small box for "a"', Kind.DISTINCT),
    ("I close the popup", "I close the modal", Kind.DISTINCT),
    ("I tap the tile", "I click the tile", Kind.DISTINCT),
    ("I remove the plot", "I delete the plot", Kind.DISTINCT),
    ('I select "post" delivery', 'I choose "van" delivery', Kind.DISTINCT),
    ("the guest opens the plot page", "the guest visits the plot page", Kind.DISTINCT),
    ("the message shows seeds", "the message appears seeds", Kind.DISTINCT),
    ("I have a cancelled order", "there is a cancelled order", Kind.DISTINCT),
    ("I have <n> dry beans", "there are 0 dry beans", Kind.DISTINCT),
    ('I see the label is "a"', 'I see the label "b"', Kind.PARAMETRIC),
    ("I check the box", "I check just the box", Kind.DISTINCT),
    ("I press the new plot button", "I press the new plot here button", Kind.DISTINCT),
    ("I post a chapter", "I try to post a chapter", Kind.DISTINCT),
    ('I press "Save"', 'I click "Save"', Kind.DISTINCT),
    ('show "x"', 'I should see "y"', Kind.DISTINCT),
    ('I open the "x" sub-tab', 'I open the "y" tab', Kind.DISTINCT),
    ("I see the do you agree page", "I see the I agree page", Kind.DISTINCT),
    ("I am navigated to the seed page", "I navigate to the seed page", Kind.DISTINCT),
    ("I am taken to the seed page", "I go to the seed page", Kind.DISTINCT),
    ("I see the hE and hE2 signs", "I see the hE2 signs", Kind.PARAMETRIC),
    ("I dig the bed and mow the small lawn", "I dig the small bed and mow the lawn", Kind.DISTINCT),
    ("the page with beds and lawns is open", "the page with lawns and beds is open", Kind.DISTINCT),
    ("I go to Beds/Lawns/Bed plans", "I go to Beds/Bed plans/Lawns", Kind.PARAMETRIC),
    ("I click the save and close button", "I click the save close button", Kind.PARAMETRIC),
    ("I go to the plot beds page", "I go to the bed plots page", Kind.DISTINCT),
    ("I run :dig a", "I run :dig", Kind.PARAMETRIC),
    ("HE I verify the seed list", "I verify the seed list", Kind.PARAMETRIC),
    ("the amount that was paid is shown", "the amount that should have been paid is shown", Kind.DISTINCT),
    ('"Ann" went to the "x" bed', '"Tom" goes to the "y" bed', Kind.DISTINCT),
    ("I click the send mail button", "I click the send email button", Kind.DISTINCT),
    ("that ripe fruit is picked", "a ripe fruit is picked", Kind.PARAMETRIC),
    ("I see the *Pick a plot* modal", "I see *Pick a plot*", Kind.DISTINCT),
    ("I click the *Dig* option", "I click *Dig*", Kind.DISTINCT),
    ("I click or tap the *Water* tile", "I click the *Water* tile", Kind.DISTINCT),
    ("I am on the page for articles", "I am on the page for my_articles", Kind.PARAMETRIC),
]


@pytest.mark.parametrize(("one", "other", "kind"), ONE_INTENT)
def test_other_words_for_one_intent(step_texts: Build, one: str, other: str, kind: Kind) -> None:
    texts = step_texts(one, other)
    judgement = TextJudge.for_suite(texts).explain(*texts)
    assert judgement.p_one_intent >= 0.5
    assert judgement.kind is kind
    assert judgement.reasons


@pytest.mark.parametrize(("one", "other", "kind"), NO_FINDING)
def test_no_finding(step_texts: Build, one: str, other: str, kind: Kind) -> None:
    texts = step_texts(one, other)
    judgement = TextJudge.for_suite(texts).explain(*texts)
    assert judgement.p_one_intent < 0.5
    assert judgement.kind is kind
    assert judgement.reasons


def test_same_template_is_likely_one_definition_and_no_finding(step_texts: Build) -> None:
    texts = step_texts('I log in as "ann"', 'I log in as "bob"')
    judgement = TextJudge.for_suite(texts).explain(*texts)
    assert judgement.p_same_definition > 0.9
    assert judgement.p_one_intent == 0
    assert judgement.reasons == ("same but for one argument",)


@pytest.mark.parametrize(
    ("one", "other", "reasons"),
    [
        ("the bed is dug.", "the bed is dug", ("only punctuation differs",)),
        ("the first-bed", "the first bed", ("only punctuation differs",)),
        ("the bed is dug", "the bed dug is", ("the same words in another order",)),
        ("I dig beds", "I dig bed", ("only inflection differs",)),
        ("I dig a bed", "I dig the bed", ("'a' against 'the'",)),
        ("I dig the bed", "I dig bed", ("only 'the' differs",)),
        ("I click the bed", "I click on the bed", ("'click' and 'click on' mean the same",)),
    ],
)
def test_reasons_say_what_differs(step_texts: Build, one: str, other: str, reasons: tuple[str, ...]) -> None:
    texts = step_texts(one, other)
    assert TextJudge.for_suite(texts).explain(*texts).reasons == reasons


def test_a_guard_bars_and_says_so(step_texts: Build) -> None:
    texts = step_texts("I send a GET request", "I send a POST request")
    judgement = TextJudge.for_suite(texts).explain(*texts)
    assert judgement.barred_by == ("http-verb",)
    assert judgement.p_one_intent == 0


def test_explain_gives_the_verdict_of_probabilities(step_texts: Build) -> None:
    texts = step_texts(*sorted({text for pair in [*ONE_INTENT, *NO_FINDING] for text in pair[:2]}))
    judge = TextJudge.for_suite(texts)
    a, b = (index.astype(np.int32) for index in np.triu_indices(len(texts), 1))
    found = judge.probabilities(texts, a, b)
    for i in range(len(a)):
        judgement = judge.explain(texts[a[i]], texts[b[i]])
        assert judgement.p_same_definition == pytest.approx(found.p_same_definition[i])
        assert judgement.p_one_intent == pytest.approx(found.p_one_intent[i])
        swapped = judge.explain(texts[b[i]], texts[a[i]])
        assert swapped.p_one_intent == pytest.approx(judgement.p_one_intent)
        assert swapped.p_same_definition == pytest.approx(judgement.p_same_definition)
        assert swapped.kind is judgement.kind


def test_texts_outside_the_suite_change_nothing_in_it(step_texts: Build) -> None:
    inside = step_texts("I open the red box", "I open the blue box")
    judge = TextJudge.for_suite(inside)
    before = judge.explain(*inside)
    judge.explain(*step_texts("I open the green box", "I open the old box"))
    assert judge.explain(*inside) == before
