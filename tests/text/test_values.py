"""Values without quotes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.text.bare_values import differ_by_value
from cukereuse_engine.text.template import template


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("I open data/a.html?a=b&c=d", "I open data/a.html?a=b;c=d"),
        ("I run :download-delete", "I run :download-remove"),
        ("the version is 1.0", "the version is 1.0+"),
        ("the body is [[1],[2,3]] of type Text", "the body is [1,2,3] of type Text"),
        ("it matches /a -\\d+/", "it matches /a \\d+/"),
    ],
)
def test_only_a_value_differs(left: str, right: str) -> None:
    assert differ_by_value(template(left).masked, template(right).masked)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("I open the page /a", "I visit the page /a"),
        ("I see:", "I see"),
        ("I sign-in", "I sign-up"),
        ("I click the *Move* button", "I click *Move*"),
        ("*A* and *B* are empty", "*A*, and *B* are empty"),
        ("I fill A & B", "I fill A and B"),
        ('I see "a"', 'I see "b"'),
        ("I run :record", "I run :record a"),
    ],
)
def test_something_else_differs(left: str, right: str) -> None:
    assert not differ_by_value(template(left).masked, template(right).masked)


@given(st.text(max_size=20), st.text(max_size=20))
def test_it_is_symmetric_and_never_holds_for_one_text(left: str, right: str) -> None:
    assert differ_by_value(left, right) == differ_by_value(right, left)
    assert not differ_by_value(left, left)
