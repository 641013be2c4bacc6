"""Tests if two wordings of one function claim one thing."""

import pytest

from cukereuse_engine.definitions.claims import compare
from cukereuse_engine.text.template import mask


@pytest.mark.parametrize(
    ("one", "other", "differing"),
    [
        ("I set the start date to '1'", "I set the end date to '1'", ("start", "end")),
        ("the logic is equal to 'x'", "the logic is not equal to 'x'", ("…", "not")),
        ("Donna is logged in", "Clyde is logged in", ("donna", "clyde")),
        ("I am redirected to the closed page", "I am redirected to the view page", ("closed", "view")),
        ("the first lid is open", "the second lid is open", ("first", "second")),
        ("nothing is noted for a person", "nothing is noted for a company", ("person", "company")),
        ("I get a single-use ticket", "I get a multi-use ticket", ("single", "multi")),
        ("in the basket lies a red ball", "in the basket lies a blue ball", ("red", "blue")),
        ("there is an open note", "there is a private note", ("open", "private")),
    ],
)
def test_words_in_one_place_of_one_sentence_claim_different_things(
    one: str, other: str, differing: tuple[str, str]
) -> None:
    words = compare(mask(one), mask(other)).differing
    assert words is not None
    assert (words, words[::-1]) == (
        compare(mask(one), mask(other)).differing,
        compare(mask(other), mask(one)).differing,
    )
    if words[0] != "…":
        assert words == differing


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I fill in the group's name", "I change the group's name"),
        ("the lid is open", "the lid should be open"),
        ("I open the page again", "I open the page"),
        ("the note is shown on day 1", "the notes are shown on day 1"),
        ("I am on the 'home' page", "I go to the 'home' page"),
        ("the line is no longer green", "the line is not green"),
        ("I click the button", "I press the button"),
        ("an active event called 'x' exists", "there is an active event with the name 'x'"),
    ],
)
def test_how_it_is_said_claims_nothing(one: str, other: str) -> None:
    assert compare(mask(one), mask(other)).differing is None


def test_likeness_is_the_share_of_words_that_both_have() -> None:
    assert compare(mask("I open the red lid"), mask("the red lid is opened")).likeness == 1
    assert compare(mask("I open the red lid"), mask("I paint the wall")).likeness == 0


@pytest.mark.parametrize(
    ("one", "other", "opposed", "lacking"),
    [
        ("the logic is equal to 'x'", "the logic is not equal to 'x'", True, ()),
        ("the note is shown", "the note is not shown", True, ()),
        ("the cart is empty", "the cart has no items", False, ()),
        ("the response contains no body", "the response body is empty", False, ()),
        ("a note with an image", "a note without an image", True, ()),
        ("the lid is open", "the lid is closed", True, ()),
        ("I press Next", "I press Next without filling any fields", True, ("filling", "any", "fields")),
        ("a note exists", "there is a note without an image", True, ("image",)),
        ("I write with a name", "I write without a name but with a colour", True, ()),
        ("I write with a name", "I write with a name and without a colour", True, ("colour",)),
        ("the dialog is displayed", "the dialog is not visible", True, ()),
        ("the order is placed", "no order is created", True, ()),
        ("the user cannot save", "the user is prevented from saving", False, ()),
        ("a note with a nil date", "a note without a date", False, ()),
        ("the lines should fail", "the lines should not pass", False, ()),
    ],
)
def test_a_denial_is_one_where_nothing_else_is_said(
    one: str, other: str, opposed: bool, lacking: tuple[str, ...]
) -> None:
    for claims in (compare(mask(one), mask(other)), compare(mask(other), mask(one))):
        assert (claims.opposed, claims.lacking) == (opposed, lacking)
