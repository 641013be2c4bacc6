"""The keyword type of `*` and of conjunctions, by runner."""

import pytest

from cukereuse_engine.glue.glue import Glue
from tests.glue.test_glue import steps_of

STAR = {
    "behave": ("steps.py", "from behave import given, when, then\n", "@{type}('I wait')\ndef {type}_(context): pass\n"),
    "pytest-bdd": (
        "steps.py",
        "from pytest_bdd import given, when, then\n",
        "@{type}('I wait')\ndef {type}_(): pass\n",
    ),
    "reqnroll": (
        "Steps.cs",
        "using Reqnroll;\n",
        '[Binding] class {type}C {{ [{Type}("I wait")] public void {type}_() {{ }} }}\n',
    ),
    "cucumber-rs": ("steps.rs", "use cucumber::*;\n", '#[{type}("I wait")]\nfn {type}_(w: &mut World) {{}}\n'),
    "godog": (
        "steps_test.go",
        "package a // godog\n",
        "func f{type}(c *godog.ScenarioContext) {{ c.{Type}(`^I wait$`, {type}_) }}\n",
    ),
}


STAR_STEPS = [
    ("When I press\n    * I wait", "when"),
    ("Then I see\n    * I wait", "then"),
    ("When I press\n    * I pay\n    And I wait", "when"),
    ("* I wait", "given"),
    ("* I pay\n    * I wait", "given"),
    ("Given a\n    When b\n    Then c\n    * d\n    But I wait", "then"),
]


@pytest.mark.parametrize(("lines", "type_"), STAR_STEPS)
@pytest.mark.parametrize("runner", STAR)
def test_a_star_has_the_type_of_the_step_before_it(runner: str, lines: str, type_: str) -> None:
    """behave/parser.py, pytest_bdd/parser.py, Reqnroll's ReqnrollGherkinParser.cs, cucumber-rs' gherkin/src/parser.rs;
    godog's suite.go lets a star be any of them."""
    path, head, definition = STAR[runner]
    glue = Glue("suite")
    types = ("given", "when", "then")
    source = head + "".join(definition.format(type=kind, Type=kind.title()) for kind in types)
    glue.update_file(path, source.encode())
    step = steps_of(f"Feature: a\n  Scenario: b\n    {lines}\n")[-1]
    keywords = {next(iter(definition.keyword_types)) for definition in glue.bind(step).definitions}
    assert keywords == (set(types) if runner == "godog" else {type_})


FIRST_STEPS = [
    ("behave", "When I go", "* I wait", "given"),
    ("behave", "When I go\n    * I pay", "And I wait", "when"),
    ("reqnroll", "When I go", "* I wait", "when"),
    ("reqnroll", "When I go\n    * I pay", "And I wait", "when"),
    ("reqnroll", "* I pay", "But I wait", "given"),
    ("reqnroll", "", "And I wait", "given"),
    ("godog", "When I go", "And I wait", "when"),
]


@pytest.mark.parametrize(("runner", "background", "line", "type_"), FIRST_STEPS)
def test_a_scenario_that_begins_with_a_conjunction(runner: str, background: str, line: str, type_: str) -> None:
    """behave continues the background for And, not for `*` (behave/parser.py); Reqnroll uses the step that ran last
    (TestExecutionEngine.cs); godog takes the types of Gherkin's pickles."""
    path, head, definition = STAR[runner]
    glue = Glue("suite")
    source = head + "".join(
        definition.format(type=keyword, Type=keyword.title()) for keyword in ("given", "when", "then")
    )
    for text in (source, source.replace("Reqnroll", "TechTalk.SpecFlow")):
        glue.update_file(path, text.encode())
        before = f"  Background:\n    {background}\n" if background else ""
        for rule in ("", "  Rule: r\n"):
            steps = steps_of(f"Feature: a\n{before}{rule}  Scenario: a\n    Then z\n  Scenario: b\n    {line}\n")
            keywords = {next(iter(definition.keyword_types)) for definition in glue.bind(steps[-1]).definitions}
            assert keywords == {type_}
