"""The unmatched words of two templates, and their differences."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from cukereuse_engine.index.batched import Batched
from cukereuse_engine.judging import alignment
from cukereuse_engine.judging.alignment import Alignment, align_all, align_together, alignment_between
from cukereuse_engine.judging.judge import Difference
from cukereuse_engine.judging.lexicon import LexicalUnit, Tag, interned, lexicon
from cukereuse_engine.judging.tagging import Tagged, tagged
from cukereuse_engine.judging.verbs import differ_in_preposition, words_of_modality
from cukereuse_engine.text.template import mask

ENGLISH = lexicon(("en",))


def align(left: Tagged, right: Tagged) -> Alignment:
    return align_all((left, right), np.array([0]), np.array([1]), ENGLISH)[0]


def matches(one: str, other: str) -> set[tuple[str, str, str | None]]:
    alignment = align(tagged(mask(one)), tagged(mask(other)))
    return {
        (match.relation.name.lower(), match.one.surface, match.other.surface if match.other else None)
        for match in alignment.matches
    }


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("I dig a bed", "I dig the bed", set()),
        ("I log in", "I sign in", {("synonym", "log in", "sign in")}),
        ("I go to the home page", "I visit the homepage", {("synonym", "go to", "visit")}),
        ("I open a bed", "I open beds", {("inflected", "bed", "beds")}),
        ("I can't dig", "I cannot dig", set()),
        ("I won't dig", "I will not dig", set()),
        ("the bed isn't dug", "the bed is dug", {("missing", "not", None)}),
        ("the side bar is red", "the sidebar is red", {("synonym", "side bar", "sidebar")}),
        ("the admin waits", "the customer waits", {("sibling", "admin", "customer")}),
        ("the gate is enabled", "the gate is disabled", {("opposite", "enabled", "disabled")}),
        ("I paint the crate", "I paint the ladder", {("replaced", "crate", "ladder")}),
        ("I paint the old crate", "I paint the crate", {("missing", "old", None)}),
        ("I am on the garden page", "I go to the garden page", {("state", "am on", "go to")}),
        ('I open "a" now', 'I open "b"', set()),
        ("the gardener A waits", "the gardener B waits", {("replaced", "a", "b")}),
        ("a gardener waits", "the gardener waits", set()),
        ("I Open A Bed", "I Open The Bed", set()),
        ("I water plotA", "I water plotB", {("replaced", "plota", "plotb")}),
        ("I open the colour list", "I open the color list", {("spelled", "colour", "color")}),
    ],
)
def test_what_stays_unmatched(one: str, other: str, expected: set[tuple[str, str, str | None]]) -> None:
    matched = matches(one, other)
    swapped = {
        (name, mine, theirs) if theirs is None else (name, theirs, mine) for name, mine, theirs in matches(other, one)
    }
    assert matched == swapped
    assert expected <= matched
    assert {name for name, *_ in matched} <= {name for name, *_ in expected} | {"synonym"}


def test_many_pairs_at_once_are_what_each_is_alone() -> None:
    wordings = (
        *("I dig a bed", "the user digs the bed", "the bed is dug and the bed is wide", "a bed exists", ""),
        *(
            "the side bar is red",
            "the sidebar is red and wide",
            'I see "a" and "b" on the side bar',
            "I log in",
            "sign in",
        ),
        *(
            "the first bed is dug before the second bed",
            "the second bed first is dug",
            "no bed is wide",
            "it is wide, it is",
        ),
    )
    texts = [tagged(mask(wording)) for wording in wordings]
    pairs = [*permutations(range(len(texts)), 2)]
    left, right = np.array(pairs).T
    together = align_all(texts, left, right, ENGLISH)
    assert [together[place] for place in range(len(pairs))] == [align(texts[one], texts[other]) for one, other in pairs]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("I dig a bed", "the user digs the bed", Difference.GRAMMAR),
        ("the first bed is dug", "the bed first is dug", Difference.ORDER),
        ("I log in", "I sign in", Difference.SYNONYMS),
        ("I am on the garden page", "I visit the garden page", Difference.STATE_AND_ACTION),
        ("I dig the bed", "I mow the lawn", Difference.WORDS),
    ],
)
def test_difference(one: str, other: str, expected: Difference) -> None:
    assert alignment_between(one, other).difference is alignment_between(other, one).difference is expected


@pytest.mark.parametrize("kept", [3, 1000])
def test_alignments_made_together_are_those_made_alone(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "_ALIGNED", Batched(alignment._aligned, most=kept, at_once=2))
    wordings = ("I dig a bed", "the user digs the bed", "I log in", "I sign in", "the bed is dug", "")
    pairs = [*permutations(wordings, 2)]
    align_together(pairs, ("en",))
    alone = [align(*(tagged(text) for text in sorted(pair))) for pair in pairs]
    assert [alignment_between(*pair) for pair in pairs] == alone


@pytest.mark.parametrize(
    ("masked", "expected"),
    [
        ("I dig", [Tag.SUBJECT, Tag.CONTENT]),
        ("the user digs my Lawn", [Tag.FUNCTION, Tag.SUBJECT, Tag.CONTENT, Tag.LIGHT, Tag.NAME]),
        (mask('I dig "a" with plotId'), [Tag.SUBJECT, Tag.CONTENT, Tag.SLOT, Tag.FUNCTION, Tag.VALUE]),
        ("", []),
    ],
)
def test_every_word_is_tagged_once(masked: str, expected: list[Tag]) -> None:
    assert [unit.tag for unit in tagged(masked).units] == expected


def test_units_know_their_senses() -> None:
    (unit,) = [unit for unit in tagged("I add it to the shopping basket").units if "cart" in unit.senses]
    assert unit.surface == "shopping basket"
    assert unit.name == "cart"


def test_two_threads_have_one_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = "gnarl", "gnarls", Tag.CONTENT, frozenset[str](), frozenset[int]()
    others: list[LexicalUnit] = []

    def made_meanwhile(*asked: Any) -> LexicalUnit:
        """Another thread reaches the same word before this one has its unit."""
        monkeypatch.undo()
        others.append(interned(*fields))
        return LexicalUnit(*asked)

    monkeypatch.setattr("cukereuse_engine.judging.lexicon.LexicalUnit", made_meanwhile)
    assert [interned(*fields)] == others


@pytest.mark.parametrize(("masked", "expected"), [("I open ./a", ("./",)), ("I open it", ()), ("a/b", ("/",))])
def test_signs_of_paths(masked: str, expected: tuple[str, ...]) -> None:
    assert "".join(tagged(masked).signs) == "".join(expected).replace(".", "")


@pytest.mark.parametrize(
    ("one", "other", "differs"),
    [
        ('the bed is dug by "Ann"', 'the bed is dug for "Bob"', True),
        ("the gift from a friend", "the gift to a friend", True),
        ("I enter the From date", "I enter the To date", True),
        ("I sit in the garden", "I sit on the garden", False),
        ("I am on the lawn", "I go to the lawn", False),
        ("I dig by the gate", "I dig the gate", False),
        ("by", "with", False),
        ('I copy "a" into "b"', 'I copy "a" in "b"', False),
        ("I rake the paths of the garden", "I rake the paths for the garden", False),
        ('I walk from "a" to "b" with "c"', 'I walk from "a" to "b" with boots', False),
        ('I walk to "b" with boots', 'I walk from "b" with boots', True),
    ],
)
def test_prepositions_differ_between_the_same_two_words(one: str, other: str, differs: bool) -> None:
    assert differ_in_preposition(mask(one), mask(other)) is differs is differ_in_preposition(mask(other), mask(one))


@pytest.mark.parametrize(
    ("one", "other", "differs"),
    [
        ("I dig the bed", "I may dig the bed", True),
        ("Can I dig", "I dig", True),
        ("I Dig The Bed", "I Can Dig The Bed", True),
        ('the time flies to 3rd May "7"', 'the time flies to 3rd June "7"', False),
    ],
)
def test_what_can_be_done_is_not_done_and_may_is_a_month(one: str, other: str, differs: bool) -> None:
    for masked in ((mask(one), mask(other)), (mask(other), mask(one))):
        assert bool(words_of_modality(*masked)) is differs
