"""The steps that usually follow those that somebody has just written."""

import pytest

from cukereuse_engine.blocks.beginnings import Beginnings
from cukereuse_engine.blocks.block import BlockLimits
from cukereuse_engine.blocks.mine import find_blocks
from cukereuse_engine.blocks.symbols import by_template

SIGN_UP = """\
  Scenario: Sign up {name}
    Given I open the page "sign up"
    And I enter the name "{name}"
    And I press "Send"
    And I see "{name}" in the list
    When I do {number} things
"""
SUITE = "".join(SIGN_UP.format(name=name, number=number) for number, name in enumerate(("Ann", "Bob", "Cid")))


@pytest.fixture
def beginnings(scenarios):
    blocks = find_blocks(scenarios(suite=SUITE), limits=BlockLimits(min_steps=3, min_scenarios=3))
    return Beginnings(blocks, by_template)


@pytest.mark.parametrize(
    ("written", "counts", "values"),
    [
        (['Given I open the page "sign up"'], [], []),
        (['Given I open the page "sign up"', 'And I enter the name "Eve"'], [2], ["Eve"]),
        (['Given x', 'And I open the page "sign up"', 'And I enter the name "Eve"'], [2], ["Eve"]),
        (['Given I open the page "sign up"', 'And I enter the name "Eve"', 'And I press "Send"'], [3], ["Eve"]),
        (['Given I open the page "home"', 'And I enter the name "Eve"'], [], []),
        (['Given I enter the name "Eve"', 'And I press "Send"'], [], []),
        (['Given I open the page "sign up"', 'And I enter the name "Eve"', "And x"], [], []),
    ],
)  # fmt: skip
def test_a_block_that_is_begun(scenarios, beginnings, written, counts, values):
    (scenario,) = scenarios(new="  Scenario: New\n" + "".join(f"    {line}\n" for line in written))
    offered = list(beginnings.of(scenario.steps))
    assert [beginning.written for beginning in offered] == counts
    assert [value for beginning in offered for value in beginning.values if value is not None] == values


def test_a_whole_block_has_no_rest(scenarios, beginnings):
    (scenario, *_) = scenarios(suite=SUITE)
    assert list(beginnings.of(scenario.steps)) == []


def test_what_stands_there_already_is_not_offered(scenarios, beginnings):
    (scenario, *_) = scenarios(suite=SUITE)
    (begun,) = beginnings.of(scenario.steps[:2])
    assert beginnings.follows(begun, scenario.steps[3:])
    assert not beginnings.follows(begun, scenario.steps[4:])
    assert not beginnings.follows(begun, ())


def test_a_table_is_not_the_block(scenarios, beginnings):
    text = '  Scenario: New\n    Given I open the page "sign up"\n    And I enter the name "Eve"\n      | a |\n'
    (scenario,) = scenarios(new=text)
    assert list(beginnings.of(scenario.steps)) == []
