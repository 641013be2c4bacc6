"""Comments in glue code that silence findings about a step definition."""

from pathlib import Path

import pytest

from cukereuse_engine.api import scan
from cukereuse_engine.glue.languages.base import extract
from cukereuse_engine.suppression.code_pragmas import SourcePragmas

FEATURE = "Feature: F\n  Scenario: S\n    Then I see the closed page\n    Then I see the view page\n"
GLUE = """from behave import then


{above}
@then("I see the closed page")
def closed(context):
    assert context.path == "/closed"


@then("I see the view page"){beside}
def view(context):
    {inside}
    assert context.path == "/closed"
"""


def rules(folder: Path, **said: str) -> list[str]:
    (folder / "features" / "steps").mkdir(parents=True)
    (folder / "features" / "a.feature").write_text(FEATURE, "utf-8")
    source = GLUE.format(**({"above": "", "beside": "", "inside": ""} | said))
    (folder / "features" / "steps" / "steps.py").write_text(source, "utf-8")
    result = scan([folder], model=False)
    (suite,) = result.suites
    return [finding.rule for finding in suite.findings] + [error.message for error in suite.glue_errors]


IGNORE = "# cukereuse: ignore[suspect-definition] -- both are closed"


@pytest.mark.parametrize("place", ["above", "beside", "inside"])
def test_a_comment_at_either_definition_silences_what_is_said_of_both(tmp_path: Path, place: str) -> None:
    assert rules(tmp_path, **{place: f"  {IGNORE}" if place == "beside" else IGNORE}) == []


def test_another_rule_is_still_heard(tmp_path: Path) -> None:
    assert rules(tmp_path, above="# cukereuse: ignore[same-code]") == ["suspect-definition"]


def test_without_it_there_is_a_finding(tmp_path: Path) -> None:
    assert rules(tmp_path) == ["suspect-definition"]


TWO_WORDINGS = """Feature: F
  Scenario: S
    When I choose to go back
    When I choose to go back
    When I chose to go back
  Scenario: T
    Given the stock is "one"
    Given the stock is "two"
"""
TWO_DEFINITIONS = {
    "features/steps/steps.py": """from behave import given, when
{0}
@when("I choose to go back")
def choose(context):
    context.page.back()
{1}
@when("I chose to go back")
def chose(context):
    context.page.back()
{0}
@given('the stock is "one"')
def one(context):
    context.stock.fill()
{1}
@given('the stock is "two"')
def two(context):
    context.stock.empty()
""",
    "Steps/Steps.cs": """using TechTalk.SpecFlow;
[Binding]
public class Steps {{
    {0}
    [When(@"I choose to go back")]
    public void Choose() {{ page.Back(); }}
    {1}
    [When(@"I chose to go back")]
    public void Chose() {{ page.Back(); }}
    {0}
    [Given("the stock is \\"one\\"")]
    public void One() {{ stock.Fill(); }}
    {1}
    [Given("the stock is \\"two\\"")]
    public void Two() {{ stock.Empty(); }}
}}
""",
}
RULES = ("divergent-definition", "parametric-variant")


@pytest.mark.parametrize("path", TWO_DEFINITIONS)
@pytest.mark.parametrize(
    ("pragma", "at"),
    [
        ("ignore[divergent-definition] -- so", (0,)),
        ("ignore[divergent-definition]", (1,)),
        ("ignore[parametric-variant]", (0, 1)),
        ("ignore -- so", (0,)),
        ("ignore", (1,)),
        ("ignore[unused-definition]", (0, 1)),
    ],
)
def test_a_comment_silences_what_is_said_of_the_steps_of_its_definition(
    tmp_path: Path, path: str, pragma: str, at: tuple[int, ...]
) -> None:
    comment = f"{'#' if path.endswith('.py') else '//'} cukereuse: {pragma}"
    (tmp_path / path).parent.mkdir(parents=True)
    source = TWO_DEFINITIONS[path].format(*(comment if place in at else "" for place in range(2)))
    (tmp_path / path).write_text(source, "utf-8")
    (tmp_path / "features").mkdir(exist_ok=True)
    (tmp_path / "features" / "a.feature").write_text(TWO_WORDINGS, "utf-8")
    (suite,) = scan([tmp_path], model=False).suites
    silenced = RULES if "[" not in pragma else [rule for rule in RULES if rule in pragma]
    assert {finding.rule for finding in suite.findings} == {*RULES} - {*silenced}
    assert not suite.glue_errors


@pytest.mark.parametrize(
    ("pragma", "message"),
    [
        ("# cukereuse: ignroe", "did you mean 'ignore'?"),
        ("# cukereuse: ignore[suspect-definitoin]", "did you mean 'suspect-definition'?"),
        ("# cukereuse: ignore[]", "names no rule"),
    ],
)
def test_what_is_not_understood_is_told(tmp_path: Path, pragma: str, message: str) -> None:
    rule, problem = rules(tmp_path, above=pragma)
    assert rule == "suspect-definition"
    assert message in problem


SOURCES = {
    "steps.rb": ("{}\nThen('one') {{ 1 }}\n\nThen('two') {{ 2 }}\n", "#", [2]),
    "steps.js": ("{}\nThen('one', () => 1);\n\nThen('two', () => 2);\n", "//", [2]),
    "next.js": ("Then('one', () => 1);\n{}\n\nThen('two', () => 2);\n", "//", [4]),
    "inside.js": ("Then('one', () => {{\n  {}\n  go();\n}});\nThen('two', () => 2);\n", "//", [1]),
    "Steps.java": (
        'import io.cucumber.java.en.Then;\nclass A {{\n  {}\n  @Then("one")\n  @Then("ones")\n  void one() {{}}\n}}\n',
        "//",
        [4, 5],
    ),
    "Steps.cs": ('[Binding]\nclass A {{\n  {} */\n  [Then("one")]\n  void One() {{}}\n}}\n', "/*", [4]),
    "Context.php": (
        "<?php\nclass A implements Context {{\n  /**\n   {}\n   * @Then one\n   */\n  function one() {{}}\n}}\n",
        "*",
        [5],
    ),
}


@pytest.mark.parametrize("name", SOURCES)
def test_comments_of_every_kind(name: str) -> None:
    source, mark, lines = SOURCES[name]
    data = source.format(f"{mark} cukereuse: ignore[same-code] -- so").encode()
    definitions = extract(name, data).definitions
    pragmas = SourcePragmas(definitions, {name: data}.get)
    heard = {definition.line for definition in definitions if not pragmas.ignored(name, definition.line, "same-code")}
    assert {definition.line for definition in definitions} - heard == set(lines)
    assert not any(pragmas.ignored(name, definition.line, "suspect-definition") for definition in definitions)
    assert not pragmas.problems


def test_a_whole_file() -> None:
    data = b"// cukereuse: ignore-file\nThen('one', () => 1);\nThen('two', () => 2);\n"
    definitions = extract("a.js", data).definitions
    pragmas = SourcePragmas(definitions, {"a.js": data}.get)
    assert all(pragmas.ignored("a.js", definition.line, "same-code") for definition in definitions)


def test_what_follows_nothing_is_told() -> None:
    data = b"Then('one', () => 1);\n// cukereuse: ignore\n"
    pragmas = SourcePragmas(extract("a.js", data).definitions, {"a.js": data}.get)
    assert not pragmas.ignored("a.js", 1, "same-code")
    assert [problem.line for problem in pragmas.problems] == [2]
