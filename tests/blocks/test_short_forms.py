"""Steps that only run others, and the places that spell them out."""

from pathlib import Path

import pytest

from cukereuse_engine.blocks.cut_places import NoExtractionError
from cukereuse_engine.blocks.shorten import plan_shortening
from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.rename_plan import ReadSuites
from cukereuse_engine.scanning.loading import load_glue
from cukereuse_engine.scanning.repetition import repetition_of
from cukereuse_engine.scanning.suite import read_suites
from cukereuse_engine.settings import Settings

BEHAVE = """\
from behave import given, step


@step('I open the "{page}" page')
def open_page(context, page):
    pass


@step("I enter {n:d}")
def enter(context, n):
    pass


@given("I press the button")
def press(context):
    pass


"""
CALLS = """\
@given('I am in on "{page}" with {n:d}')
def in_on(context, page, n):
    open_page(context, page)
    enter(context, n)
    press(context)
"""
RUNS = '''\
@given('I am in on "{page}" with {n:d}')
def in_on(context, page, n):
    context.execute_steps(f"""
        Given I open the "{page}" page
        And I enter {n}
        And I press the button
    """)
'''
MORE = """\
@given('I am in on "{page}" with {n:d}')
def in_on(context, page, n):
    open_page(context, page)
    enter(context, n)
    press(context)
    context.done = True
"""
RUBY = """\
Given('I open the {string} page') { |page| visit page }
Given(/^I enter (\\d+)$/) { |n| enter n }
Given('I press the button') { press }
Given('I am in on {string} with {int}') do |page, n|
  steps <<~STEPS
    Given I open the "#{page}" page
    And I enter #{n}
    And I press the button
  STEPS
end
"""
PLACE = """\
Feature: f
  Scenario: one
    Given I open the "cart" page
    And I enter 5
    And I press the button
    And I enter 6
"""
SHORT = """\
Feature: f
  Scenario: one
    Given I am in on "cart" with 5
    And I enter 6
"""


def found_in(root: Path, glue: dict[str, str], feature: str):
    for name, text in (*glue.items(), ("features/a.feature", feature)):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (suite,) = read_suites([str(root)], use_cache=False)
    settings = Settings(jobs=1)
    loaded = load_glue(suite, settings, use_cache=False)
    workspace = ReadSuites({file.path: file for file in suite.files}, suite.texts, suite.steps, loaded)
    return repetition_of(suite, loaded, settings), workspace


def shortened(finding, workspace) -> str:
    (edits,) = plan_shortening(finding, workspace).files
    return edited_bytes(edits, workspace.read(edits.path)).decode("utf-8")


@pytest.mark.parametrize(
    "glue",
    [
        {"features/steps/steps.py": BEHAVE + CALLS},
        {"features/steps/steps.py": BEHAVE + RUNS},
        {"features/steps/steps.rb": RUBY},
    ],
    ids=["calls", "runs", "ruby"],
)
def test_a_block_that_spells_a_step_out(tmp_path, glue):
    repetition, workspace = found_in(tmp_path, glue, PLACE)
    (sequence,) = repetition.shortenable
    assert sequence.spelled[0].text == 'I am in on "cart" with 5'
    assert shortened(sequence, workspace) == SHORT
    (finding,) = repetition.findings
    assert (finding.rule, finding.worth) == ("repeated-block", 2)
    assert finding.message.startswith('“I am in on "cart" with 5” does the same as these 3 steps')


def test_a_scenario_that_is_about_these_steps_spells_them_out(tmp_path):
    about = PLACE.replace("    And I enter 6\n", "")
    repetition, _ = found_in(tmp_path, {"features/steps/steps.py": BEHAVE + CALLS}, about)
    assert (len(repetition.shortenable), repetition.findings) == (1, ())


@pytest.mark.parametrize(
    ("glue", "feature"),
    [
        (BEHAVE + MORE, PLACE),
        (BEHAVE + CALLS, PLACE.replace("    And I press the button\n", "")),
        (BEHAVE + CALLS, PLACE.replace("And I enter 5", 'And I open the "x" page')),
        (BEHAVE + CALLS, PLACE.replace("And I enter 5\n", "And I enter 5\n      | a table |\n")),
        (BEHAVE + CALLS, SHORT),
        (BEHAVE, PLACE),
    ],
)
def test_no_other_block_does(tmp_path, glue, feature):
    repetition, _ = found_in(tmp_path, {"features/steps/steps.py": glue}, feature)
    assert repetition.shortenable == ()


def test_values_of_an_outline_go_along(tmp_path):
    outline = (
        PLACE.replace("Scenario:", "Scenario Outline:").replace('"cart"', '"<page>"').replace("enter 5", "enter <n>")
    )
    outline += "    Examples:\n      | page | n |\n      | cart | 5 |\n"
    repetition, workspace = found_in(tmp_path, {"features/steps/steps.py": BEHAVE + RUNS}, outline)
    for sequence in repetition.shortenable:
        assert 'Given I am in on "<page>" with <n>' in shortened(sequence, workspace)


@pytest.mark.parametrize(
    ("feature", "reason"),
    [
        (
            PLACE.replace("    And I enter 5\n", "    # why\n    And I enter 5\n"),
            "there is a comment between its steps",
        ),
        (PLACE.replace("Given I open", "Then I open"), "the scenario “.*” would run “.*” instead of “.*”"),
    ],
)
def test_refused_with_the_reason(tmp_path, feature, reason):
    glue = BEHAVE.replace("@given", "@step") + CALLS
    repetition, workspace = found_in(tmp_path, {"features/steps/steps.py": glue}, feature)
    (sequence,) = repetition.shortenable
    with pytest.raises(NoExtractionError, match=reason):
        plan_shortening(sequence, workspace)
