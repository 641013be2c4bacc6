from collections.abc import Callable

import pytest

from cukereuse_engine.detection.canonical import canonical, has_slip
from cukereuse_engine.text.step_text import StepText


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([("I wait", 1), ("I wait for long", 2)], "I wait for long"),  # most frequent
        ([('I see "a"', 2), ("I see something", 2)], "I see something"),  # fewest quoted parameters
        ([("I see \"a\" in 'b'", 1), ('I see "a" in the place', 1)], 'I see "a" in the place'),
        ([('I see "a"', 1), ("I see 1234567", 1)], "I see 1234567"),  # a number is not quoted
        ([("I sleep well", 2), ("I sleep", 2)], "I sleep"),  # shortest
        ([("I wait", 2), ("I walk", 2), ("I talk", 2)], "I talk"),  # alphabetical
    ],
)
def test_canonical(texts: list[tuple[str, int]], expected: str, text: Callable[..., StepText]) -> None:
    made = [text(*row) for row in texts]
    assert canonical(made).text == canonical(reversed(made)).text == expected


def test_no_texts() -> None:
    with pytest.raises(ValueError):
        canonical([])


@pytest.mark.parametrize(
    ("wording", "slips"),
    [
        ("the the gate is shut", True),
        ("the gate is is shut", True),
        ("a apple is ripe", True),
        ("an pear is ripe", True),
        ("I am an user", True),
        ("I click *Water", True),
        ("the gate is shut", False),
        ("an apple is ripe", False),
        ("a pear is ripe", False),
        ("I am a user of a European garden, once a one-bed plot", False),
        ("an SSH key and an hour", False),
        ('I see "the the" here', False),
        ("I click *Water* on the then shut gate", False),
        ("bed 2 2 is ripe", False),
        ("I list *.rose", False),
    ],
)
def test_slips(wording: str, slips: bool, text: Callable[..., StepText]) -> None:
    assert has_slip(text(wording)) is slips
