"""A step without a definition: the one that it most likely meant, with the step's arguments, so that it binds."""

from typing import TYPE_CHECKING

import pytest
from cukereuse_server.protocol.code_actions import ActionsAt, StepActions
from cukereuse_server.protocol.completion import Blank
from cukereuse_server.worker.handlers.code_actions import actions
from cukereuse_server.workspace.completion import suggest
from cukereuse_server.workspace.phrases import Typed, text_of, with_typed
from hypothesis import given
from hypothesis import strategies as st

if TYPE_CHECKING:
    from tests.server.conftest import World

GLUE = """from behave import given, step, then, when

@when('I press the "{name}" button')
def press(context, name):
    pass

@when('I wait {seconds:d} seconds')
def wait(context, seconds):
    pass

@then('the basket is empty')
def empty(context):
    pass

@then('the basket is not empty')
def not_empty(context):
    pass

@given('the shop sells {what} for {price:d} euros')
def sells(context, what, price):
    pass
"""
KNOWN = """Feature: known
  Scenario: a
    When I press the "Save" button
    And I press the "Cancel" button
    Then the basket is empty
"""


def at(world: "World", step: str) -> StepActions:
    """The actions at a step."""
    path = str(world.root / "new.feature")
    world.workspace.open(path, 1, f"Feature: new\n  Scenario: b\n    {step}\n")
    world.settled()
    offered = actions(world.workspace, ActionsAt(path=path, line=3))
    assert offered is not None
    return offered


@pytest.fixture
def started(world: "World") -> "World":
    world.write("known.feature", KNOWN)
    world.write("steps/steps.py", GLUE)
    world.configure()
    world.settled()
    return world


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ('When I pres the "Delete" button', [('I press the "Delete" button', 2)]),
        ('When I press teh "Delete" buton', [('I press the "Delete" button', 2)]),
        ("When I press the 'Delete' button", [('I press the "Delete" button', 2)]),
        ('When I push the "<name>" button', [('I press the "<name>" button', 2)]),
        ("When I wait for 12 seconds", [("I wait 12 seconds", 0)]),
        ("Then the basket is emtpy", [("the basket is empty", 1)]),
        ('Given shop sells "tea" for 3 euros', [('the shop sells "tea" for 3 euros', 0)]),
        ("Given the shop sells for euros", []),
        ("When nobody ever wrote anything like it", []),
        ('When I press the "Save" button', []),
    ],
)
def test_what_was_meant_comes_first(started: "World", step: str, expected: list[tuple[str, int]]) -> None:
    shown = at(started, step)
    offered = [(suggestion.text, suggestion.occurrences) for suggestion in shown.meant]
    offered += [
        (replacement.text, replacement.occurrences) for replacement in shown.replacements if replacement.preferred
    ]  # a finding says it
    assert offered[:1] == expected
    texts = {suggestion.text for suggestion in shown.meant}
    assert texts.isdisjoint(replacement.text for replacement in shown.replacements)


def test_an_undefined_wording_is_no_fix_for_an_undefined_step(started: "World") -> None:
    shown = at(started, "Then the shopping cart is gone" + 2 * "\n    Then the shopping cart has gone")
    offered = {replacement.text: replacement for replacement in shown.replacements}
    assert "the shopping cart has gone" not in [meant.text for meant in shown.meant]
    assert all(replacement.preferred for replacement in offered.values() if replacement.undefined)
    assert offered["the shopping cart has gone"].undefined


def test_an_opposite_was_not_meant(started: "World") -> None:
    assert [suggestion.text for suggestion in at(started, "Then the basket isn't empty").meant] == [
        "the basket is not empty"
    ]


def test_without_step_definitions_nothing_is_undefined(world: "World") -> None:
    world.write("known.feature", KNOWN)
    world.configure()
    world.settled()
    assert at(world, 'When I pres the "Delete" button').meant == []


def test_rules_that_compare_nothing_can_be_ignored_too(world: "World") -> None:
    world.write("known.feature", KNOWN)
    world.write("steps/steps.py", GLUE)
    severity = dict.fromkeys(("undefined-step", "repeated-step", "exact-duplicate"), "warning")
    world.configure(severity=severity)
    assert at(world, "When I stand on my head").rules == ["undefined-step"]
    assert at(world, "Then the basket is empty").rules == ["exact-duplicate"]
    assert at(world, "Then I go\n    Then I go").rules == ["undefined-step"]
    second = actions(world.workspace, ActionsAt(path=str(world.root / "new.feature"), line=4))
    assert second is not None
    assert sorted(second.rules) == ["exact-duplicate", "repeated-step", "undefined-step"]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ('When I pres the "Delete" button', 'I press the "Delete" button'),
        ('When I push the "Delete" butt', 'I press the "Delete" button'),
        ("When I wait for 12 seconds", "I wait 12 seconds"),
        ('Given shop sells "tea" for 3', 'the shop sells "tea" for 3 euros'),
        ("Then the basket is n", "the basket is not empty"),
    ],
)
def test_what_was_meant_is_completed_first(started: "World", typed: str, first: str) -> None:
    path = str(started.root / "new.feature")
    started.workspace.open(path, 1, f"Feature: new\n  Scenario: b\n    {typed}\n")
    started.settled()
    suggested = suggest(started.workspace, path, 3, 5 + len(typed))
    assert suggested is not None
    assert text_of(suggested[1][0].pieces) == first
    assert suggested[1][0].definition


PIECES = st.lists(st.one_of(st.sampled_from(["I ", ' "', '" ', "' "]), st.text(max_size=3).map(Blank)), max_size=6)


@given(PIECES, st.lists(st.sampled_from(['"a"', "'b'", "7", "<c>", '"d\'e"']), max_size=4).map(" and ".join))
def test_a_phrase_with_what_was_typed_keeps_its_words(pieces: list[str | Blank], typed: str) -> None:
    whole = with_typed(pieces, Typed.of(typed))
    assert [piece for piece in whole if isinstance(piece, str)] == [piece for piece in pieces if isinstance(piece, str)]
    assert len(whole) == len(pieces)
    if whole != pieces:
        assert len(Typed.of(typed).arguments) == sum(isinstance(piece, Blank) for piece in pieces)


def test_asking_twice_says_the_same(started: "World") -> None:
    """A tried text does not count as a step."""
    path = str(started.root / "new.feature")
    asked = [at(started, "When I wait for 12 seconds").meant for _ in range(2)]
    assert asked[0] == asked[1] != []
    suggested = suggest(started.workspace, path, 3, 5 + len("When I wait for 12 seconds"))
    assert suggested is not None
    assert text_of(suggested[1][0].pieces) == "I wait 12 seconds"
