"""Two definitions that differ in a constant: one with a parameter, or one function that both call, in each language."""

from pathlib import Path

import pytest

from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.refactor.declarations import UnmergeableError
from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.merging.merger import Merger
from cukereuse_engine.refactor.merging.plan import MergePlan
from cukereuse_engine.refactor.model import Workspace
from cukereuse_engine.scanning.functions import load_functions
from cukereuse_engine.scanning.repository import read_repository
from cukereuse_engine.settings import Settings

FEATURE = """Feature: F
  Scenario: S
    When I sort 3 books by title
    And I sort 4 books by price
    And I close the shop
"""
SAID = {
    "features/steps/steps.py": (
        """from behave import when


@when("I sort {count:d} books by title")
def by_title(context, count):
    context.shelf.sort(count, "title")


@when("I sort {count:d} books by price")
def by_price(context, count):
    context.shelf.sort(count, "price")


@when("I close the shop")
def close(context):
    context.shop.close()
""",
        """from behave import when


@when("I sort {count:d} books by {text:w}")
def by_title(context, count, text):
    context.shelf.sort(count, text)


@when("I close the shop")
def close(context):
    context.shop.close()
""",
    ),
    "features/step_definitions/steps.rb": (
        """When(/^I sort (\\d+) books by title$/) do |count|
  @shelf.sort(count, 'title')
end

When(/^I sort (\\d+) books by price$/) do |number|
  @shelf.sort(number, 'price')
end

When('I close the shop') { @shop.close }
""",
        """When(/^I sort (\\d+) books by (title|price)$/) do |count, text|
  @shelf.sort(count, text)
end

When('I close the shop') { @shop.close }
""",
    ),
    "features/steps.js": (
        """const { When } = require('@cucumber/cucumber');

When('I sort {int} books by title', async function (count) {
  await this.shelf.sort(count, 'title');
});

When('I sort {int} books by price', async function (number) {
  await this.shelf.sort(number, 'price');
});

When('I close the shop', function () { this.shop.close(); });
""",
        """const { When } = require('@cucumber/cucumber');

When('I sort {int} books by {word}', async function (count, text) {
  await this.shelf.sort(count, text);
});

When('I close the shop', function () { this.shop.close(); });
""",
    ),
    "features/steps.ts": (
        """import { When } from '@cucumber/cucumber';

When('I sort {int} books by title', async function (count: number) {
  await this.shelf.sort(count, 'title');
});

When('I sort {int} books by price', async function (number: number) {
  await this.shelf.sort(number, 'price');
});

When('I close the shop', function () { this.shop.close(); });
""",
        """import { When } from '@cucumber/cucumber';

When('I sort {int} books by {word}', async function (count: number, text: 'title' | 'price') {
  await this.shelf.sort(count, text);
});

When('I close the shop', function () { this.shop.close(); });
""",
    ),
    "src/test/java/Steps.java": (
        """import io.cucumber.java.en.When;

public class Steps {
    private final Shelf shelf = new Shelf();

    @When("I sort {int} books by title")
    public void byTitle(int count) {
        shelf.sort(count, "title");
    }

    /** The other way. */
    @When("I sort {int} books by price")
    public void byPrice(int count) {
        shelf.sort(count, "price");
    }

    @When("I close the shop")
    public void close() {
        shelf.close();
    }
}
""",
        """import io.cucumber.java.en.When;

public class Steps {
    private final Shelf shelf = new Shelf();

    @When("I sort {int} books by {word}")
    public void byTitle(int count, String text) {
        shelf.sort(count, text);
    }

    @When("I close the shop")
    public void close() {
        shelf.close();
    }
}
""",
    ),
    "Steps.cs": (
        """using Reqnroll;

[Binding]
public class Steps
{
    [When(@"I sort (\\d+) books by title")]
    public void ByTitle(int count)
    {
        Shelf.Sort(count, "title");
    }

    [When(@"I sort (\\d+) books by price")]
    public void ByPrice(int count)
    {
        Shelf.Sort(count, "price");
    }

    [When("I close the shop")]
    public void Close() { Shelf.Close(); }
}
""",
        """using Reqnroll;

[Binding]
public class Steps
{
    [When(@"I sort (\\d+) books by (title|price)")]
    public void ByTitle(int count, string text)
    {
        Shelf.Sort(count, text);
    }

    [When("I close the shop")]
    public void Close() { Shelf.Close(); }
}
""",
    ),
    "features/bootstrap/FeatureContext.php": (
        """<?php

use Behat\\Behat\\Context\\Context;

class FeatureContext implements Context
{
    /**
     * @When I sort :count books by title
     */
    public function byTitle(int $count): void
    {
        $this->shelf->sort($count, 'title');
    }

    /**
     * @When I sort :count books by price
     */
    public function byPrice(int $count): void
    {
        $this->shelf->sort($count, 'price');
    }

    /**
     * @When I close the shop
     */
    public function close(): void
    {
        $this->shelf->close();
    }
}
""",
        """<?php

use Behat\\Behat\\Context\\Context;

class FeatureContext implements Context
{
    /**
     * @When I sort :count books by :text
     */
    public function byTitle(int $count, string $text): void
    {
        $this->shelf->sort($count, $text);
    }

    /**
     * @When I close the shop
     */
    public function close(): void
    {
        $this->shelf->close();
    }
}
""",
    ),
    "src/test/kotlin/Steps.kt": (
        """import io.cucumber.java.en.When

class Steps {
    private val shelf = Shelf()

    @When("I sort {int} books by title")
    fun byTitle(count: Int) {
        shelf.sort(count, "title")
    }

    @When("I sort {int} books by price")
    fun byPrice(count: Int) {
        shelf.sort(count, "price")
    }

    @When("I close the shop")
    fun close() {
        shelf.close()
    }
}
""",
        """import io.cucumber.java.en.When

class Steps {
    private val shelf = Shelf()

    @When("I sort {int} books by {word}")
    fun byTitle(count: Int, text: String) {
        shelf.sort(count, text)
    }

    @When("I close the shop")
    fun close() {
        shelf.close()
    }
}
""",
    ),
}
UNSAID = {
    "features/steps/steps.py": (
        """from behave import when


@when("I sort {count:d} books by title")
def by_title(context, count):
    \"\"\"From A to Z.\"\"\"
    context.shelf.sort(count, "the_title")


@when("I sort {number:d} books by price")
def by_price(context, number):
    context.shelf.sort(number, "the_price")


@when("I close the shop")
def close(context):
    context.shop.close()
""",
        """from behave import when


def sort_books_by(context, count, text):
    \"\"\"From A to Z.\"\"\"
    context.shelf.sort(count, text)


@when("I sort {count:d} books by title")
def by_title(context, count):
    sort_books_by(context, count, "the_title")


@when("I sort {number:d} books by price")
def by_price(context, number):
    sort_books_by(context, number, "the_price")


@when("I close the shop")
def close(context):
    context.shop.close()
""",
    ),
    "features/step_definitions/steps.rb": (
        """When(/^I sort (\\d+) books by title$/) do |count|
  @shelf.sort(count, :title)
end

When(/^I sort (\\d+) books by price$/) do |number|
  @shelf.sort(number, :price)
end

When('I close the shop') { @shop.close }
""",
        """def sort_books_by(count, value)
  @shelf.sort(count, value)
end

When(/^I sort (\\d+) books by title$/) do |count|
  sort_books_by(count, :title)
end

When(/^I sort (\\d+) books by price$/) do |number|
  sort_books_by(number, :price)
end

When('I close the shop') { @shop.close }
""",
    ),
    "features/steps.js": (
        """const { When } = require('@cucumber/cucumber');

When('I sort {int} books by title', async function (count) {
  await this.shelf.sort(count, 'the_title');
});

When('I sort {int} books by price', async function (number) {
  await this.shelf.sort(number, 'the_price');
});

When('I close the shop', function () { this.shop.close(); });
""",
        """const { When } = require('@cucumber/cucumber');

const sortBooksBy = async function (count, text) {
  await this.shelf.sort(count, text);
};

When('I sort {int} books by title', async function (count) {
  return sortBooksBy.call(this, count, 'the_title');
});

When('I sort {int} books by price', async function (number) {
  return sortBooksBy.call(this, number, 'the_price');
});

When('I close the shop', function () { this.shop.close(); });
""",
    ),
    "features/steps.ts": (
        """import { When } from '@cucumber/cucumber';

When('I sort {int} books by title', (count: number) => shelf.sort(count, 1));

When('I sort {int} books by price', (number: number) => shelf.sort(number, 2));

When('I close the shop', function () { this.shop.close(); });
""",
        """import { When } from '@cucumber/cucumber';

const sortBooksBy = (count: number, numberValue: number) => shelf.sort(count, numberValue);

When('I sort {int} books by title', (count: number) => sortBooksBy(count, 1));

When('I sort {int} books by price', (number: number) => sortBooksBy(number, 2));

When('I close the shop', function () { this.shop.close(); });
""",
    ),
    "src/test/java/Steps.java": (
        """import io.cucumber.java.en.When;

public class Steps {
    private final Shelf shelf = new Shelf();

    /** The title first. */
    @When("I sort {int} books by title")
    public void byTitle(int count) throws Exception {
        shelf.sort(count, "the_title");
    }

    @When("I sort {int} books by price")
    public void byPrice(int count) throws Exception {
        shelf.sort(count, "the_price");
    }

    @When("I close the shop")
    public void close() {
        shelf.close();
    }
}
""",
        """import io.cucumber.java.en.When;

public class Steps {
    private final Shelf shelf = new Shelf();

    private void sortBooksBy(int count, String text) throws Exception {
        shelf.sort(count, text);
    }

    /** The title first. */
    @When("I sort {int} books by title")
    public void byTitle(int count) throws Exception {
        sortBooksBy(count, "the_title");
    }

    @When("I sort {int} books by price")
    public void byPrice(int count) throws Exception {
        sortBooksBy(count, "the_price");
    }

    @When("I close the shop")
    public void close() {
        shelf.close();
    }
}
""",
    ),
    "Steps.cs": (
        """using Reqnroll;

[Binding]
public class Steps
{
    [When(@"I sort (\\d+) books by title")]
    public async Task ByTitle(int count)
    {
        await Shelf.Sort(count, "the_title");
    }

    [When(@"I sort (\\d+) books by price")]
    public async Task ByPrice(int count)
    {
        await Shelf.Sort(count, "the_price");
    }

    [When("I close the shop")]
    public void Close() { Shelf.Close(); }
}
""",
        """using Reqnroll;

[Binding]
public class Steps
{
    private async Task SortBooksBy(int count, string text)
    {
        await Shelf.Sort(count, text);
    }

    [When(@"I sort (\\d+) books by title")]
    public async Task ByTitle(int count)
    {
        await SortBooksBy(count, "the_title");
    }

    [When(@"I sort (\\d+) books by price")]
    public async Task ByPrice(int count)
    {
        await SortBooksBy(count, "the_price");
    }

    [When("I close the shop")]
    public void Close() { Shelf.Close(); }
}
""",
    ),
    "features/bootstrap/FeatureContext.php": (
        """<?php

use Behat\\Behat\\Context\\Context;

class FeatureContext implements Context
{
    /**
     * @When I sort :count books by title
     */
    public function byTitle(int $count): void
    {
        $this->shelf->sort($count, 'the_title');
    }

    /**
     * @When I sort :count books by price
     */
    public function byPrice(int $count): void
    {
        $this->shelf->sort($count, 'the_price');
    }

    /**
     * @When I close the shop
     */
    public function close(): void
    {
        $this->shelf->close();
    }
}
""",
        """<?php

use Behat\\Behat\\Context\\Context;

class FeatureContext implements Context
{
    private function sortBooksBy(int $count, string $text): void
    {
        $this->shelf->sort($count, $text);
    }

    /**
     * @When I sort :count books by title
     */
    public function byTitle(int $count): void
    {
        $this->sortBooksBy($count, 'the_title');
    }

    /**
     * @When I sort :count books by price
     */
    public function byPrice(int $count): void
    {
        $this->sortBooksBy($count, 'the_price');
    }

    /**
     * @When I close the shop
     */
    public function close(): void
    {
        $this->shelf->close();
    }
}
""",
    ),
    "src/test/kotlin/Steps.kt": (
        """import io.cucumber.java.en.When

class Steps {
    private val shelf = Shelf()

    @When("I sort {int} books by title")
    fun byTitle(count: Int) {
        shelf.sort(count, "the_title")
    }

    @When("I sort {int} books by price")
    fun byPrice(count: Int) {
        shelf.sort(count, "the_price")
    }

    @When("I close the shop")
    fun close() {
        shelf.close()
    }
}
""",
        """import io.cucumber.java.en.When

class Steps {
    private val shelf = Shelf()

    private fun sortBooksBy(count: Int, text: String) {
        shelf.sort(count, text)
    }

    @When("I sort {int} books by title")
    fun byTitle(count: Int) {
        sortBooksBy(count, "the_title")
    }

    @When("I sort {int} books by price")
    fun byPrice(count: Int) {
        sortBooksBy(count, "the_price")
    }

    @When("I close the shop")
    fun close() {
        shelf.close()
    }
}
""",
    ),
    "steps_test.go": (
        """package shop

import (
	"github.com/cucumber/godog"
)

type shop struct{}

func (s *shop) byTitle(count int) error {
	return s.shelf.Sort(count, "the_title")
}

func (s *shop) byPrice(count int) error {
	return s.shelf.Sort(count, "the_price")
}

func (s *shop) close() error {
	return s.shelf.Close()
}

func InitializeScenario(ctx *godog.ScenarioContext) {
	s := &shop{}
	ctx.Step(`^I sort (\\d+) books by title$`, s.byTitle)
	ctx.Step(`^I sort (\\d+) books by price$`, s.byPrice)
	ctx.Step(`^I close the shop$`, s.close)
}
""",
        """package shop

import (
	"github.com/cucumber/godog"
)

type shop struct{}

func (s *shop) sortBooksBy(count int, text string) error {
	return s.shelf.Sort(count, text)
}

func (s *shop) byTitle(count int) error {
	return s.sortBooksBy(count, "the_title")
}

func (s *shop) byPrice(count int) error {
	return s.sortBooksBy(count, "the_price")
}

func (s *shop) close() error {
	return s.shelf.Close()
}

func InitializeScenario(ctx *godog.ScenarioContext) {
	s := &shop{}
	ctx.Step(`^I sort (\\d+) books by title$`, s.byTitle)
	ctx.Step(`^I sort (\\d+) books by price$`, s.byPrice)
	ctx.Step(`^I close the shop$`, s.close)
}
""",
    ),
    "tests/steps.rs": (
        """use cucumber::{when, World};

#[when(regex = r"^I sort (\\d+) books by title$")]
async fn by_title(world: &mut Shop, count: usize) {
    world.shelf.sort(count, "the_title").await;
}

#[when(regex = r"^I sort (\\d+) books by price$")]
async fn by_price(world: &mut Shop, count: usize) {
    world.shelf.sort(count, "the_price").await;
}

#[when("I close the shop")]
async fn close(world: &mut Shop) {
    world.shelf.close().await;
}
""",
        """use cucumber::{when, World};

async fn sort_books_by(world: &mut Shop, count: usize, text: &str) {
    world.shelf.sort(count, text).await;
}

#[when(regex = r"^I sort (\\d+) books by title$")]
async fn by_title(world: &mut Shop, count: usize) {
    sort_books_by(world, count, "the_title").await;
}

#[when(regex = r"^I sort (\\d+) books by price$")]
async fn by_price(world: &mut Shop, count: usize) {
    sort_books_by(world, count, "the_price").await;
}

#[when("I close the shop")]
async fn close(world: &mut Shop) {
    world.shelf.close().await;
}
""",
    ),
}


def read(folder: Path) -> tuple[Workspace, Functions]:
    repository = read_repository([folder], Settings(jobs=1), lambda _: Settings(jobs=1), use_cache=False)
    workspace = repository.workspace
    assert workspace is not None
    return workspace, load_functions(repository.named[0][1].glue, jobs=1)


def extracted(folder: Path, name: str, source: str, feature: str = FEATURE) -> tuple[Path, MergePlan]:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, "utf-8")
    (folder / "features").mkdir(exist_ok=True)
    (folder / "features" / "a.feature").write_text(feature, "utf-8")
    workspace, functions = read(folder)
    found = [
        next(one for one in workspace.glue.definitions if word in one.expression) for word in ("by title", "by price")
    ]
    return path, Merger(workspace, functions).extract_constant(*found)


@pytest.mark.parametrize("name", SAID)
def test_one_definition_where_the_wordings_say_the_constant(tmp_path: Path, name: str) -> None:
    before, after = SAID[name]
    path, plan = extracted(tmp_path, name, before)
    (file,) = plan.files
    assert edited_bytes(file, path.read_bytes()).decode() == after
    assert path.read_text("utf-8") == before


@pytest.mark.parametrize("name", UNSAID)
def test_one_function_where_they_do_not(tmp_path: Path, name: str) -> None:
    before, after = UNSAID[name]
    path, plan = extracted(tmp_path, name, before)
    (file,) = plan.files
    assert edited_bytes(file, path.read_bytes()).decode() == after


@pytest.mark.parametrize("name", ["features/steps/steps.py", "features/steps.js", "src/test/java/Steps.java"])
def test_what_calls_one_function_already_is_left_alone(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnmergeableError, match="does not say"):
        extracted(tmp_path, name, UNSAID[name][1])


def test_a_byte_text_can_not_become_a_parameter(tmp_path: Path) -> None:
    source = SAID["features/steps/steps.py"][0]
    for word in ("title", "price"):
        source = source.replace(f'count, "{word}"', f'count, b"{word}"')
    with pytest.raises(UnmergeableError, match="no variable can replace"):
        extracted(tmp_path, "features/steps/steps.py", source)
