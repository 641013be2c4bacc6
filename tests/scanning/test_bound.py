"""What a suite's judge learns from its glue."""

from pathlib import Path

import pytest

from cukereuse_engine.scanning.bound import bound_functions, judge_for
from cukereuse_engine.scanning.loading import load_glue
from cukereuse_engine.scanning.suite import Suite, read_suites
from cukereuse_engine.settings import Settings
from cukereuse_engine.text.identity import identity

PAGES = ("home", "cart", "login", "help", "news", "order", "about", "search")
FEATURE = "Feature: f\n  Scenario: s\n" + "".join(f"    When I go to the {page} page\n" for page in PAGES)
STEPS = """
from behave import when, step

@when("I go to the {page} page")
@when("I open {page}")
def go(context, page):
    pass

@step("I open the lid")
def lid(context):
    pass
"""


def suite_in(folder: Path, steps: str, more: str = "") -> Suite:
    (folder / "features" / "steps").mkdir(parents=True)
    (folder / "features" / "a.feature").write_text(FEATURE + more, "utf-8")
    (folder / "features" / "steps" / "steps.py").write_text(steps, "utf-8")
    return read_suites([folder / "features"], use_cache=False, jobs=1)[0]


def test_several_expressions_on_one_function_are_one(tmp_path: Path) -> None:
    suite = suite_in(tmp_path, STEPS, "    When I open cart\n    When nobody knows this\n")
    functions = bound_functions(suite.steps, load_glue(suite, Settings(), use_cache=False))
    assert functions[identity("I open cart")] == functions[identity("I go to the cart page")]
    assert identity("nobody knows this") not in functions


def test_a_text_that_two_functions_serve_teaches_nothing(tmp_path: Path) -> None:
    suite = suite_in(tmp_path, "")
    ruby = "When(/^I go to the (.*) page$/) do |page|\nend\nWhen(/^I go to the home (.*)$/) do |where|\nend\n"
    (tmp_path / "features" / "steps" / "steps.rb").write_text(ruby, "utf-8")
    functions = bound_functions(suite.steps, load_glue(suite, Settings(), use_cache=False))
    assert len(functions) == len(PAGES) - 1
    assert identity("I go to the home page") not in functions


@pytest.mark.parametrize("known", [True, False])
def test_the_judge_knows_what_the_glue_joins(tmp_path: Path, known: bool) -> None:
    suite = suite_in(tmp_path, STEPS)
    judge = judge_for(suite.texts, suite.steps, load_glue(suite, Settings(), use_cache=False) if known else None)
    explained = judge.explain(suite.texts[0], suite.texts[1])
    assert (explained.p_same_definition > 0.99) is known
    assert ("one step definition serves both" in explained.reasons) is known


TWO = {
    "cypress": {
        "package.json": '{"cypress-cucumber-preprocessor": {"stepDefinitions": "cypress/e2e/[filepath].ts"}}',
        "cypress/e2e/{side}.feature": "Feature: f\n  Scenario: s\n    When I save\n",
        "cypress/e2e/{side}.ts": (
            "import { When } from '@badeball/cypress-cucumber-preprocessor';\n"
            "When('I save', () => { cy.get('{side}'); });\n"
        ),
    },
    "modules of Maven": {
        "pom.xml": "<project/>",
        "{side}/pom.xml": "<project/>",
        "{side}/src/test/resources/a.feature": "Feature: f\n  Scenario: s\n    When I save\n",
        "{side}/src/test/java/Steps.java": (
            'import io.cucumber.java.en.When;\nclass Steps { @When("I save") public void save() { {side}(); } }\n'
        ),
    },
    "backgrounds of two rules": {
        "cucumber.json": "{"
        + ", ".join(
            f'"{side}": {{"paths": ["features/*.feature"], "require": ["{side}/*.js"], "tags": "@{side}"}}'
            for side in ("left", "right")
        )
        + "}",
        "features/a.feature": "Feature: f\n"
        + "".join(
            f"  Rule: {side}\n    Background:\n      When I save\n    @{side}\n    Scenario: s\n      When I wait\n"
            for side in ("left", "right")
        ),
        "{side}/steps.js": (
            "const { When } = require('@cucumber/cucumber')\n"
            "When('I save', () => {side}())\nWhen('I wait', () => wait('{side}'))\n"
        ),
    },
    "behave": {
        "{side}/features/a.feature": "Feature: f\n  Scenario: s\n    When I save\n",
        "{side}/features/steps/a.py": (
            "from behave import when\n@when('I save')\ndef save(context):\n    context.{side}()\n"
        ),
    },
}
"""Files in two places that define one text, each for its own features."""


@pytest.mark.parametrize("files", TWO.values(), ids=TWO)
def test_a_text_of_two_places_with_a_definition_each_is_served_by_none(tmp_path: Path, files: dict[str, str]) -> None:
    for path, content in files.items():
        for side in ("left", "right"):
            target = tmp_path / path.replace("{side}", side)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content.replace("{side}", side), "utf-8")
    for suite in read_suites([tmp_path], use_cache=False, jobs=1):
        glue = load_glue(suite, Settings(), use_cache=False)
        steps = [step for group in suite.steps.values() for step in group]
        assert [len(glue.bind(step).definitions) for step in steps] == [1] * len(steps)
        served = bound_functions(suite.steps, glue)
        assert bool(served) is (len(steps) == 1)
