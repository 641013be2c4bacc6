"""What one step definition mostly takes in any form."""

import pytest

from cukereuse_engine.judging.agreement import plain_wording
from cukereuse_engine.judging.meaning import is_inverted
from cukereuse_engine.text.template import template

ONE = [
    ("I dig the bed", "dig the bed"),
    ("they should see a bed", "should see a bed"),
    ("the gardener digs the bed", "the gardener digs a bed"),
    ("I am on the plots page", "I am on plots page"),
    ("I am on the the plots page", "I am on plots page"),
    ("I see the bed 'x' in the list", "I see a bed 'y' on the list"),
    ("the beds 'a', 'b'", "the beds 'c' and 'd'"),
    ("I water the bed 'x'", "I water bed 'y'"),
    ("this bed has been dug", "this bed is dug"),
    ("that 2 beds exist", "2 beds exist"),
    ("1 bed exists", "1 bed exist"),
    ("I dig a nonempty bed", "I dig a non-empty bed"),
    ("I dig the bed.", "I dig the bed"),
    ("I am a author", "I am an author"),
    ("the gardener digs the bed", "gardener digs the bed"),
    ("I ask for 'x' and I answer 'y'", "I ask for 'x' and answer 'y'"),
    ("'Ann' knows that she digs", "'Tom' knows that he digs"),
    ("I list *.rose with 'x'", "I list the *.rose with 'y'"),
    ("I list a.* 'x'", "I list the a.* 'y'"),
]
TWO = [
    ("I dig the bed", "I dug the bed"),
    ("the bed is dug", "the beds are dug"),
    ("the bed is dug", "the bed is not dug"),
    ("I dig the bed", "the gardener digs the bed"),
    ("the the bed is dug", "the bed is dug"),
    ("I see the *Dig* button", "I see a *Dig* button"),
    ("I see salt and pepper", "I see salt pepper sauce"),
    ("I sit on the bench", "I sit at the bench"),
    ("I dig bed 'x' with 'y'", "I dig bed 'x' for 'y'"),
]


@pytest.mark.parametrize(("one", "other"), ONE)
def test_one_definition_takes_both(one: str, other: str) -> None:
    assert plain_wording(template(one).key) == plain_wording(template(other).key)


@pytest.mark.parametrize(("one", "other"), TWO)
def test_another_definition(one: str, other: str) -> None:
    assert plain_wording(template(one).key) != plain_wording(template(other).key)


def test_only_words_without_meaning_may_move() -> None:
    one, other, third = "het bed van 'a' is leeg", "is het bed van 'b' leeg", "is het leeg bed van 'c'"
    plain = [plain_wording(template(text).key, ("nl",)) for text in (one, other, third)]
    assert plain[0] == plain[1] != plain[2]


@pytest.mark.parametrize(
    ("one", "other", "inverted"),
    [
        ("the bed 'x' is in bloom", "is the bed 'y' in bloom", True),
        ("bed 'x' is in bloom", "is the bed 'y' in bloom", True),
        ("the bed is in bloom", "a bed is in bloom", False),
        ("the bed is in bloom", "is the tree in bloom", False),
        ("the bed shades the tree", "the tree shades the bed", False),
        ("kann der Gast 'x' zahlen", "der Gast kann 'y' zahlen", True),
        ("the gate of the bed is open", "the bed of the gate is open", False),
        ("I show the page Beds", "I show the Beds page", False),
    ],
)
def test_inversion(one: str, other: str, inverted: bool) -> None:
    assert is_inverted(template(one).masked, template(other).masked) is inverted
