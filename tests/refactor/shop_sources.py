"""Steps without definitions, and the definitions of a shop in each language and style."""

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.read import read_text

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


def steps() -> tuple[Step, ...]:
    return read_text("/shop/shop.feature", FEATURE).steps
