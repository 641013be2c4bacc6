"""A definition for a step that has none, in the language and the way of writing of its neighbours."""

import ast
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.base import extract
from cukereuse_engine.refactor.creation import model_for, new_file_for, plan_creation, plan_new_file
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
    read = lambda _: SOURCES[alike].encode()  # noqa: E731
    path = new_file_for(model, "/shop/check-out.feature", read)
    expected, begin = NEW[name]
    assert path == f"/shop/{expected}"
    (found,) = plan_new_file(steps()[1], model, path, read)
    assert (found.path, [one.new for one in found.edits]) == (
        path,
        [begin + EXPECTED[alike].removeprefix("\n" * (not begin))],
    )


LAMBDAS = """\
package shop;

import io.cucumber.java8.En;

public class ShopStepDefs implements En {
    public ShopStepDefs() {
        Given("a basket", () -> {
        });
    }
}
"""
LOADED = {
    "steps.java": {"Steps.java": "package shop.steps;\n\n" + SOURCES["Steps.java"]},
    "lambda.java": {"ShopStepDefs.java": LAMBDAS},
    "steps.kt": {"Steps.kt": "package shop\n\n" + SOURCES["Steps.kt"]},
    "steps.cs": {"Steps.cs": SOURCES["Steps.cs"].replace(";\n\n", ";\n\nnamespace Shop.Steps;\n\n")},
    "block.cs": {
        "ShopStepDefinitions.cs": (
            "using Reqnroll;\n\nnamespace Shop\n{\n    [Binding]\n    public class ShopStepDefinitions\n    {\n"
            '        [Given(@"a basket")]\n        public void GivenABasket()\n        {\n        }\n    }\n}\n'
        )
    },
    "context.php": {
        "features/bootstrap/ShopContext.php": SOURCES["Attributes.php"].replace(
            "<?php\n", "<?php\n\nnamespace Shop;\n"
        ),
        "behat.yml": "default:\n  suites:\n    shop:\n      contexts:\n        - Shop\\ShopContext\n        - Other\n",
    },
    "steps.go": {"shop_steps_test.go": SOURCES["steps_test.go"]},
    "steps.rs": {
        "tests/shop.rs": "use crate::ShopWorld;\n" + SOURCES["steps.rs"],
        "tests/main.rs": "mod shop;\n\nfn main() {}\n",
    },
}
"""Files, the first of which holds the model."""
BODY = {
    "java": EXPECTED["Steps.java"].replace("io.cucumber.java.en.", "").removeprefix("\n"),
    "kt": EXPECTED["Steps.kt"].replace("io.cucumber.java.en.", "").removeprefix("\n"),
    "cs": EXPECTED["Steps.cs"].removeprefix("\n"),
    "php": EXPECTED["Attributes.php"].replace("\\Behat\\Step\\", "", 1).removeprefix("\n"),
    "rs": EXPECTED["steps.rs"],
}
WRITTEN = {
    "steps.java": {
        "CheckOutSteps.java": (
            "package shop.steps;\n\nimport io.cucumber.java.en.When;\n\npublic class CheckOutSteps {\n"
            + BODY["java"]
            + "}\n"
        )
    },
    "lambda.java": {
        "CheckOutStepDefs.java": (
            "package shop;\n\nimport io.cucumber.java8.En;\n\npublic class CheckOutStepDefs implements En {\n"
            "    public CheckOutStepDefs() {\n"
            '        When("I pay {string} with {word} in {float} seconds", '
            "(String text, String card, Double number) -> {\n"
            "            // Write code here that turns the phrase above into concrete actions\n"
            "            throw new io.cucumber.java.PendingException();\n        });\n    }\n}\n"
        )
    },
    "steps.kt": {
        "CheckOutSteps.kt": (
            "package shop\n\nimport io.cucumber.java.en.When\n\nclass CheckOutSteps {\n" + BODY["kt"] + "}\n"
        )
    },
    "steps.cs": {
        "CheckOutSteps.cs": (
            "using Reqnroll;\n\nnamespace Shop.Steps;\n\n[Binding]\npublic class CheckOutSteps\n{\n"
            + BODY["cs"]
            + "}\n"
        )
    },
    "block.cs": {
        "CheckOutStepDefinitions.cs": (
            "using Reqnroll;\n\nnamespace Shop\n{\n    [Binding]\n    public class CheckOutStepDefinitions\n    {\n"
            + "".join(f"    {line}\n" for line in BODY["cs"].splitlines())
            + "    }\n}\n"
        )
    },
    "context.php": {
        "features/bootstrap/CheckOutContext.php": (
            "<?php\n\nnamespace Shop;\n\nuse Behat\\Behat\\Context\\Context;\nuse Behat\\Step\\When;\n\n"
            "class CheckOutContext implements Context\n{\n" + BODY["php"] + "}\n"
        ),
        "behat.yml": (
            "default:\n  suites:\n    shop:\n      contexts:\n        - Shop\\CheckOutContext\n"
            "        - Shop\\ShopContext\n        - Other\n"
        ),
    },
    "steps.go": {
        "check_out_steps_test.go": (
            'package shop\n\nimport "github.com/cucumber/godog"\n\n'
            "func registerCheckOutSteps(ctx *godog.ScenarioContext) {\n"
            '\tctx.Step(`^I pay "([^"]*)" with (\\S+) in (-?\\d*\\.?\\d+) seconds$`, iPayWithInSeconds)\n}\n\n'
            "func iPayWithInSeconds(text string, card string, number float64) error {\n\treturn godog.ErrPending\n}\n"
        ),
        "shop_steps_test.go": SOURCES["steps_test.go"].replace(
            "\tctx.Step", "\tregisterCheckOutSteps(ctx)\n\tctx.Step"
        ),
    },
    "steps.rs": {
        "tests/check_out.rs": "use cucumber::when;\nuse crate::ShopWorld;\n" + BODY["rs"],
        "tests/main.rs": "mod check_out;\nmod shop;\n\nfn main() {}\n",
    },
}
"""What a new file for a feature `check-out` is, and what other files are then."""


def files_of(name: str) -> tuple[dict[str, str], StepDefinition]:
    files = {f"/shop/{path}": text for path, text in LOADED[name].items()}
    path, text = next(iter(files.items()))
    model = model_for((), extract(path, text.encode()).definitions)
    assert model is not None
    return files, model


def reader(files: Mapping[str, str]) -> Callable[[str], bytes]:
    def read(path: str) -> bytes:
        if path not in files:
            raise FileNotFoundError(path)
        return files[path].encode()

    return read


@pytest.mark.parametrize("name", LOADED)
def test_a_file_of_its_own_is_one_that_its_runner_loads(name: str):
    files, model = files_of(name)
    path = new_file_for(model, "/shop/check-out.feature", reader(files))
    edits = plan_new_file(steps()[1], model, path, reader(files))
    after = {one.path: edited_bytes(one, files.get(one.path, "").encode()).decode() for one in edits}
    assert after == {f"/shop/{one}": text for one, text in WRITTEN[name].items()}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("context.php", "- Shop\\ShopContext", "- Shop\\FeatureContext"),
        ("steps.go", "ctx *godog.ScenarioContext", "ctx any"),
        ("steps.rs", "mod shop;", ""),
        ("steps.rs", "use crate::ShopWorld;", ""),
    ],
)
def test_no_file_is_offered_that_its_runner_would_not_load(name: str, old: str, new: str):
    files, model = files_of(name)
    without = {path: text.replace(old, new) for path, text in files.items()}
    assert new_file_for(model, "/shop/check-out.feature", reader(files)) != ""
    assert new_file_for(model, "/shop/check-out.feature", reader(without)) == ""


def test_pytest_bdd_and_a_suite_of_another_language_get_no_file_of_their_own():
    source = SOURCES["test_shop.py"].encode()
    model = model_for((), extract("/shop/test_shop.py", source).definitions)
    assert model is not None
    assert new_file_for(model, "/shop/check-out.feature", lambda _: source) == ""


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
