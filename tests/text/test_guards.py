"""Pairs that a guard keeps apart, and pairs that it does not."""

import numpy as np
import pytest

from cukereuse_engine.text import guards
from cukereuse_engine.text.guards import GUARDS, differing_guards
from cukereuse_engine.text.template import mask
from cukereuse_engine.text.words import languages, vocabulary

APART = [
    ("the banner is visible", "the banner is not visible", "polarity"),
    ("I should see the cart", "I shouldn't see the cart", "polarity"),
    ("I should see a cart", "I should see no cart", "polarity"),
    ("the user can log in", "the user cannot log in", "polarity"),
    ("the user can log in", "the user can't log in", "polarity"),
    ("the user mustn't log in", "the user logs in", "action-assertion"),
    ("the order is sent with tax", "the order is sent without tax", "polarity"),
    ("the button is enabled", "the button is disabled", "polarity"),
    ("the box is checked", "the box is unchecked", "polarity"),
    ("the upload succeeds", "the upload fails", "polarity"),
    ('I send a GET request to "/a"', 'I send a POST request to "/a"', "http-verb"),
    ("method get", "method delete", "http-verb"),
    ("match total == 3", "match total != 3", "operator"),
    ("match total > 3", "match total < 3", "operator"),
    ("there are at least 3 rows", "there are at most 3 rows", "operator"),
    ("there are more than 3 rows", "there are 3 rows", "operator"),
    ('the title should equal "x"', 'the title should contain "x"', "operator"),
    ('the title starts with "x"', 'the title ends with "x"', "operator"),
    ("deleted items are included", "deleted items are excluded", "inclusion"),
    ("I should see 3 rows", "I should see only 3 rows", "inclusion"),
    ("all rows are checked", "any rows are checked", "inclusion"),
    ("the rows should be, in any order:", "the rows should be, in order:", "order"),
    ("the rows should be in order", "the rows should be", "order"),
    ("I click the first row", "I click the last row", "order"),
    ("def cart = call read('cart.js')", "def cart = callonce read('cart.js')", "framework-keyword"),
    ("def cart = 1", "set cart = 1", "framework-keyword"),
    ('the file "a" should exist', 'the file "a" should contain:', "presence-content"),
    ("I click the button", "I should see the button", "action-assertion"),
    ("the user creates an order", "the order is displayed", "action-assertion"),
    ("I am on the cart page", "I should be on the cart page", "action-assertion"),
    ('there is a user "Eva"', 'there should be a user "Eva"', "action-assertion"),
]

TOGETHER = [
    ("I click the button", "I press the button"),
    ('I send a "GET" request', 'I send a "POST" request'),
    ('I choose "enabled"', 'I choose "disabled"'),
    ("the status is 'on'", "the status is 'off'"),
    ("the banner is not visible", "the banner is hidden"),
    ("the button is not enabled", "the button is disabled"),
    ("I should not see the cart", "I should see no cart"),
    ("I should see the cart", "I see the cart"),
    ("the cart should be displayed", "the cart is displayed"),
    ("the response status should be 200", "the response status is 200"),
    ("I post a comment", "I get the comment"),
    ("the search results are displayed", "the search results should be displayed"),
    ("a -> b is called", "a is called by b"),
    ('the list should contain "x"', 'the list should include "x"'),
    ("I set the price", "I enter the price"),
    ("the user mustn't log in", "the user must not log in"),
    ("the user can’t log in", "the user cannot log in"),
    ("the user needn't log in", "the user need not log in"),
    ("", ""),
]


@pytest.mark.parametrize(("one", "other", "guard"), APART)
def test_keeps_apart(one: str, other: str, guard: str) -> None:
    assert guard in differing_guards(one, other)
    assert guard in differing_guards(other, one)


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_leaves_together(one: str, other: str) -> None:
    assert differing_guards(one, other) == ()


@pytest.mark.parametrize("text", sorted({text for pair in [*APART, *TOGETHER] for text in pair[:2]}))
def test_no_text_differs_from_itself(text: str) -> None:
    assert differing_guards(text, text) == ()


def test_every_guard_is_tested() -> None:
    assert {guard for _, _, guard in APART} == set(GUARDS)


def columns(signatures: list[guards.Signature]) -> guards.Signature:
    return guards.Signature(*np.array(signatures, np.int64).T)


@pytest.mark.parametrize("spoken", [("en", "fr"), languages()])
def test_columns_hold_the_antonyms_of_several_languages(spoken: tuple[str, ...]) -> None:
    for one, other in (pair for code in spoken for pair in vocabulary(code).antonyms):
        left, right = (columns([guards.signature(mask(words[0]), spoken)]) for words in (one, other))
        apart = {guard for guard, differs in guards.differences(left, right).items() if differs.any()}
        assert apart == set(differing_guards(one[0], other[0], spoken))


def test_columns_agree_with_single_pairs() -> None:
    texts = sorted({text for pair in [*APART, *TOGETHER] for text in pair[:2]})
    signatures = [guards.signature(mask(text)) for text in texts]
    a, b = (index.ravel() for index in np.indices((len(texts), len(texts))))
    differences = guards.differences(*(columns([signatures[i] for i in side]) for side in (a, b)))
    for guard, differs in differences.items():
        expected = [guard in differing_guards(texts[i], texts[j]) for i, j in zip(a, b, strict=True)]
        assert differs.tolist() == expected, guard
