"""Counts and code in texts for people."""

import pytest

from cukereuse_engine.prose import chance, code_span, counted


@pytest.mark.parametrize(
    ("number", "noun", "expected"),
    [
        (0, "step", "0 steps"),
        (1, "step", "1 step"),
        (1234, "step definition", "1,234 step definitions"),
        (1, "information", "1 information"),
        (2, "information", "2 information"),
        (1, "repository", "1 repository"),
        (2, "repository", "2 repositories"),
        (2, "day", "2 days"),
    ],
)
def test_counted(number: int, noun: str, expected: str) -> None:
    assert counted(number, noun) == expected


@pytest.mark.parametrize(
    ("text", "span"),
    [("a", "`a`"), ("a `b` c", "``a `b` c``"), ("`b`", "`` `b` ``"), ("``", "``` `` ```"), ("", "``")],
)
def test_a_code_span_holds_any_text(text: str, span: str) -> None:
    assert code_span(text) == span


@pytest.mark.parametrize(
    ("probability", "said"),
    [
        (0.0, "less than 1 %"),
        (0.004, "less than 1 %"),
        (0.006, "1 %"),
        (0.5, "50 %"),
        (0.994, "99 %"),
        (1.0, "more than 99 %"),
    ],
)
def test_a_chance_is_never_certain(probability: float, said: str) -> None:
    assert chance(probability) == said
