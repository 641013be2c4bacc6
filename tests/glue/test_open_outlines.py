"""Outlines whose rows come from elsewhere, and cells with escapes."""

import pytest

from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.binding import Binder
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.open_outlines import SAMPLES
from cukereuse_engine.glue.text_binding import Status

BEHAVE = b"""from behave import *
@given('it costs {price:d} for "{name}"')
def a(context, price, name): ...
use_step_matcher("re")
@when('I see (red|amber) lights')
def b(context, colour): ...
@when(r'(\\d+) lamps are (?P<how>broken|out of order)')
def c(context, number, how): ...
"""
BOTH = ["<the price>", "<name>"]
COSTS = 'Given it costs <the price> for "<name>"'
OUTLINES: list[tuple[str, str, list[str]]] = [
    (f"Scenario Outline: s\n    {COSTS}", "bound", BOTH),
    (
        f"Scenario Outline: s\n    {COSTS}\n    Examples:\n      | name | the price |",
        "bound",
        ["<the price>", "<name>"],
    ),
    (f"@DataSource:a/b.csv\n  Scenario: s\n    {COSTS}", "bound", BOTH),
    ('Scenario Outline: s\n    Given it costs <p> for "<n>, <m> of it"', "bound", ["<p>", "<n>, <m> of it"]),
    ('Scenario Outline: s\n    Given it costs 4<p> for "a<n>b"', "bound", ["4<p>", "a<n>b"]),
    (f"Scenario: s\n    {COSTS}", "undefined", []),  # nothing fills them
    (f"@a.b\n  Scenario: s\n    {COSTS}", "undefined", []),
    (f"Scenario Outline: s\n    {COSTS}\n    Examples:\n      | name |\n      | x |", "undefined", []),
    ("Scenario Outline: s\n    When I see <colour> lights", "bound", ["<colour>"]),
    ("Scenario Outline: s\n    When I see <colour> birds", "open", []),
    ("Scenario Outline: s\n    When <n> lamps are <how>", "bound", ["<n>", "<how>"]),
    ("Scenario Outline: s\n    When <n> lamps are <how> today", "open", []),
    ("Scenario Outline: s\n    When I see blue lights", "undefined", []),
]


@pytest.mark.parametrize(("scenario", "expected", "values"), OUTLINES)
def test_open_outlines(scenario: str, expected: str, values: list[str]) -> None:
    glue = Glue("/s")
    glue.update_file("/s/steps/a.py", BEHAVE)
    steps = read_text("/s/a.feature", f"Feature: f\n  {scenario}\n").steps
    glue.update_feature("/s/a.feature", steps)
    binding = glue.bind(steps[0])
    usage = glue.usage(steps)
    names = {Status.BOUND: "bound", Status.UNDEFINED: "undefined" if usage.undefined else "open"}
    assert names[binding.status] == expected
    arguments = [argument for text in binding.texts for match in text.matches for argument in match.arguments]
    assert [argument.value for argument in arguments] == values
    assert all(steps[0].text[argument.start : argument.end] == argument.value for argument in arguments)


CELLS = {
    "a.php": rb"""<?php class A implements Context { /** @When /^I say "(.*)"$/ */ function a() {} }""",
    "steps/a.py": b"from behave import *\nuse_step_matcher('re')\n@when('I say \"(.*)\"')\ndef a(c, x): ...\n",
    "a.rb": b'When(/^I say "(.*)"$/) { }\n',
}


@pytest.mark.parametrize("name", CELLS)
def test_escapes_in_cells(name: str) -> None:
    glue = Glue("/s")
    glue.update_file(f"/s/{name}", CELLS[name])
    table = r"""
      | x    | y    | z  | n    |
      | a\|b | a\\b | \x | a\nb |
"""
    for column in "xyzn":
        text = f'Feature: f\n  Scenario Outline: s\n    When I say "<{column}>"\n    Examples:{table}'
        steps = read_text("/s/a.feature", text).steps
        glue.update_feature("/s/a.feature", steps)
        unescaped = column == "n" and name == "a.rb"  # no dot takes a line's end
        assert (glue.bind(steps[0]).status is Status.UNDEFINED) == unescaped


def test_what_no_definition_matches_is_not_tried_with_each_of_their_words(monkeypatch: pytest.MonkeyPatch) -> None:
    glue = Glue("/s")
    lamps = "".join(f"@when('I see (red|amber|green) lamps of {n}')\ndef a(c, x): ...\n" for n in range(50))
    glue.update_file("/s/steps/a.py", f"from behave import *\nuse_step_matcher('re')\n{lamps}".encode())
    outlines = "".join(f"  Scenario Outline: {n}\n    When I see <colour> lamps\n" for n in range(3))
    steps = read_text("/s/a.feature", f"Feature: f\n{outlines}").steps
    glue.update_feature("/s/a.feature", steps)
    texts: list[str] = []
    bind = Binder.bind
    monkeypatch.setattr(Binder, "bind", lambda self, text, *a, **k: texts.append(text) or bind(self, text, *a, **k))
    assert {glue.bind(step).status for step in steps} == {Status.UNDEFINED}
    assert set(texts) == {"I see <colour> lamps", *(f"I see {sample} lamps" for sample in SAMPLES)}
