"""A definition for a step that has none, in the language and the way of writing of its neighbours."""

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.languages.base import extract
from cukereuse_engine.refactor.creation import model_for, new_file_for, plan_creation
from cukereuse_engine.refactor.creation.plan import NoCreationError
from cukereuse_engine.refactor.edits import edited_bytes

FEATURE = """\
Feature: Shop
  Scenario Outline: One
    Given a shop with 5 shelves
    When I pay "12.50" with <card> in 3.5 seconds
    Then the receipt (if any) shows:
      | a |
    And class struggles
    And I read “thank you” and «5 stars»
    Examples:
      | card |
      | visa |
      | amex |
"""
SOURCES = {
    "steps.py": """\
from behave import given, when, then


@given("a basket")
def a_basket(context):
    pass
""",
    "test_shop.py": """\
from pytest_bdd import given, parsers, then, when


@given("a basket", target_fixture="basket")
def basket():
    return []
""",
    "steps.rb": """\
Given('a basket') do
  @basket = []
end
""",
    "regex_steps.rb": """\
Given(/^a basket$/) do
  @basket = []
end
""",
    "steps.js": """\
const { Given, When, Then } = require('@cucumber/cucumber');

Given('a basket', async function () {
  this.basket = [];
});
""",
    "steps.ts": """\
import { Given, When, Then } from '@cucumber/cucumber';

Given('a basket', () => {
  // nothing
});
""",
    "Steps.java": """\
import io.cucumber.java.en.Given;

public class Steps {
    @Given("a basket")
    public void aBasket() {
    }
}
""",
    "Steps.kt": """\
import io.cucumber.java.en.Given

class Steps {
    @Given("a basket")
    fun aBasket() {
    }
}
""",
    "Steps.cs": """\
using Reqnroll;

[Binding]
public class Steps
{
    [Given(@"a basket")]
    public void GivenABasket()
    {
    }
}
""",
    "Context.php": """\
<?php

use Behat\\Behat\\Context\\Context;

class ShopContext implements Context
{
    /**
     * @Given a basket
     */
    public function aBasket()
    {
    }
}
""",
    "Attributes.php": """\
<?php

use Behat\\Behat\\Context\\Context;
use Behat\\Step\\Given;

class ShopContext implements Context
{
    #[Given('a basket')]
    public function aBasket(): void
    {
    }
}
""",
    "steps_test.go": """\
package shop

import "github.com/cucumber/godog"

func aBasket() error {
	return nil
}

func InitializeScenario(ctx *godog.ScenarioContext) {
	ctx.Step(`^a basket$`, aBasket)
}
""",
    "steps.rs": """\
use cucumber::{given, when, World};

#[given(expr = "a basket")]
async fn a_basket(world: &mut ShopWorld) {
}
""",
}
EXPECTED = {
    "steps.py": """

@when('I pay "{text}" with {card} in {number:g} seconds')
def i_pay_with_in_seconds(context, text, card, number):
    raise NotImplementedError('STEP: When I pay "{text}" with {card} in {number:g} seconds')
""",
    "test_shop.py": """

@when(parsers.parse('I pay "{text}" with {card} in {number:g} seconds'))
def i_pay_with_in_seconds(text, card, number):
    raise NotImplementedError('STEP: When I pay "{text}" with {card} in {number:g} seconds')
""",
    "steps.rb": """
When('I pay {string} with {word} in {float} seconds') do |text, card, number|
  pending # Write code here that turns the phrase above into concrete actions
end
""",
    "regex_steps.rb": """
When(/^I pay "([^"]*)" with (\\S+) in (-?\\d*\\.?\\d+) seconds$/) do |text, card, number|
  pending # Write code here that turns the phrase above into concrete actions
end
""",
    "steps.js": """
When('I pay {string} with {word} in {float} seconds', async function (text, card, number) {
  // Write code here that turns the phrase above into concrete actions
  return 'pending';
});
""",
    "steps.ts": """
When('I pay {string} with {word} in {float} seconds', (text: string, card: string, number: number) => {
  // Write code here that turns the phrase above into concrete actions
  return 'pending';
});
""",
    "Steps.java": """
    @io.cucumber.java.en.When("I pay {string} with {word} in {float} seconds")
    public void iPayWithInSeconds(String text, String card, Double number) {
        // Write code here that turns the phrase above into concrete actions
        throw new io.cucumber.java.PendingException();
    }
""",
    "Steps.kt": """
    @io.cucumber.java.en.When("I pay {string} with {word} in {float} seconds")
    fun iPayWithInSeconds(text: String, card: String, number: Double) {
        // Write code here that turns the phrase above into concrete actions
        throw io.cucumber.java.PendingException()
    }
""",
    "Steps.cs": """
    [When(@"I pay {string} with {word} in {float} seconds")]
    public void WhenIPayWithInSeconds(string text, string card, decimal number)
    {
        throw new PendingStepException();
    }
""",
    "Context.php": """
    /**
     * @When I pay :text with :card in :number seconds
     */
    public function iPayWithInSeconds($text, $card, $number): void
    {
        throw new \\Behat\\Behat\\Tester\\Exception\\PendingException();
    }
""",
    "Attributes.php": """
    #[\\Behat\\Step\\When('I pay :text with :card in :number seconds')]
    public function iPayWithInSeconds($text, $card, $number): void
    {
        throw new \\Behat\\Behat\\Tester\\Exception\\PendingException();
    }
""",
    "steps.rs": """
#[when(expr = "I pay {string} with {word} in {float} seconds")]
async fn i_pay_with_in_seconds(world: &mut ShopWorld, text: String, card: String, number: f64) {
    todo!("Write code here that turns the phrase above into concrete actions")
}
""",
}
SYNTAX = {".rb": ["ruby", "-c"], ".js": ["node", "--check"]}
"""What a language itself checks sources with, where the tests' machine has it."""


def steps() -> tuple[Step, ...]:
    return read_text("/shop/shop.feature", FEATURE).steps


def sayable(name: str) -> list[Step]:
    """Behat's patterns say no parentheses, and know no other quotes than `"` and `'`."""
    return [one for one in steps() if not (name.endswith(".php") and re.search("[(“«]", one.text))]


def created(name: str, source: str, step: Step) -> str:
    path = f"/shop/{name}"
    data = source.encode()
    known = extract(path, data).definitions
    model = model_for((), known)
    assert model is not None
    return edited_bytes(plan_creation(step, model, lambda _: data), data).decode()


@pytest.mark.parametrize("name", EXPECTED)
def test_it_reads_like_its_neighbours(name: str):
    source = SOURCES[name]
    after = created(name, source, steps()[1])
    closing = "}\n" if "class" in source and name.endswith((".java", ".kt", ".cs", ".php")) else ""
    assert after == source.removesuffix(closing) + EXPECTED[name] + closing


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("name", SOURCES)
def test_every_step_gets_a_definition_that_matches_and_nothing_else_changes(name: str, ending: str):
    source = SOURCES[name].replace("\n", ending)
    before = extract(name, source.encode()).definitions
    for step in sayable(name):
        after = created(name, source, step)
        assert len(extract(name, after.encode()).definitions) == len(before) + 1
        assert [line for line in source.split(ending) if line not in after.split(ending)] == []
        assert ending == "\n" or "\n" not in after.replace("\r\n", "")
        if name.endswith(".py"):
            ast.parse(after)


NEW = {
    "steps.py": ("check_out.py", "from behave import when\n"),
    "shop_steps.py": ("check_out_steps.py", "from behave import when\n"),
    "steps.rb": ("check_out.rb", ""),
    "regex_steps.rb": ("check_out_steps.rb", ""),
    "steps.js": ("check_out.js", "const { Given, When, Then } = require('@cucumber/cucumber');\n"),
    "shop.steps.ts": ("check_out.steps.ts", "import { Given, When, Then } from '@cucumber/cucumber';\n"),
}
"""Of a file the name of a new one beside it, and what that begins with."""


@pytest.mark.parametrize("name", NEW)
def test_a_file_of_its_own_has_what_it_needs(name: str):
    alike = next(one for one in (name, f"steps{Path(name).suffix}") if one in SOURCES)
    model = model_for((), extract(f"/shop/{name}", SOURCES[alike].encode()).definitions)
    assert model is not None
    path = new_file_for(model, "/shop/check-out.feature")
    expected, begin = NEW[name]
    assert path == f"/shop/{expected}"
    found = plan_creation(steps()[1], model, lambda _: SOURCES[alike].encode(), new=path)
    assert (found.path, [one.new for one in found.edits]) == (
        path,
        [begin + EXPECTED[alike].removeprefix("\n" * (not begin))],
    )


@pytest.mark.parametrize("name", [one for one in SOURCES if "steps." not in one and one not in NEW])
def test_no_file_is_offered_that_its_runner_would_not_load(name: str):
    model = model_for((), extract(f"/shop/{name}", SOURCES[name].encode()).definitions)
    assert model is not None
    assert new_file_for(model, "/shop/check-out.feature") == ""


@pytest.mark.parametrize("name", [one for one in SOURCES if Path(one).suffix in SYNTAX])
def test_the_languages_own_parser_reads_it(name: str, tmp_path: Path):
    command = SYNTAX[Path(name).suffix]
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not on this machine")
    for number, step in enumerate(sayable(name)):
        file = tmp_path / f"{number}{Path(name).suffix}"
        file.write_text(created(name, SOURCES[name], step))
        ran = subprocess.run([*command, str(file)], capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr


def test_the_file_of_the_neighbours_is_chosen():
    shop = extract("/shop/shop.py", SOURCES["steps.py"].encode()).definitions
    other = extract("/shop/other.py", (SOURCES["steps.py"] + '\n\n@then("b")\ndef b(c): pass\n').encode()).definitions
    assert model_for((), [*shop, *other]).path == "/shop/other.py"
    assert model_for(shop, [*shop, *other]).path == "/shop/shop.py"
    assert model_for((), ()) is None


def test_words_that_the_kind_can_not_say_are_refused():
    (step,) = read_text("/a.feature", "Feature: f\n  Scenario: s\n    Given a/b (c) :d\n").steps
    with pytest.raises(NoCreationError):
        created("Context.php", SOURCES["Context.php"], step)
