"""Wordings of definitions, and the nearest one to an unbound text."""

from collections.abc import Callable

import pytest

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.nearest import Nearest, wording
from cukereuse_engine.text.template import SLOT

Make = Callable[..., StepDefinition]


@pytest.mark.parametrize(
    ("expression", "kind", "expected"),
    [
        ("{string} takes {int} apple(s)/pear(s) \\(net)", "cucumber", "# takes # apple (net)"),
        ('"{who}" takes {n:d}', "parse", "# takes #"),
        ("it costs :price (in/of) tea/coffee", "turnip", "it costs # tea"),
        (r'^(?:I|she) takes? "([^"]*)"(?: or (\d+))? of \d+ (?=x)$', "regex", "I take # of #"),
        ("a {plain} text", "literal", "a {plain} text"),
        ("^)a(", "regex", "a"),
    ],
)
def test_wording(definition: Make, expression: str, kind: str, expected: str) -> None:
    assert wording(definition(expression, kind)) == expected.replace("#", SLOT)


@pytest.mark.parametrize(
    ("text", "line"),
    [('I takes "x"', 2), ("the machine are on", 1), ("nothing like it at all", None), ("", None)],
)
def test_nearest(definition: Make, text: str, line: int | None) -> None:
    nearest = Nearest([definition("the machine is on", line=1), definition("I take {string}", line=2)]).of(text)
    assert (nearest.line if nearest else None) == line
    assert Nearest([]).of(text) is None
