"""Two functions of equal code become one, in each glue language; nothing else changes."""

from pathlib import Path

import pytest

from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.merging.merge_plan import MergePlan
from cukereuse_engine.refactor.merging.merger import Merger
from cukereuse_engine.refactor.rename_plan import ReadSuites
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from tests.refactor.on_disk import read, written

CASES = {
    "features/steps/steps.py": (
        """from behave import given


@given("the basket holds {count:d} books")
def holds(context, count):
    context.basket.fill(count)


# the same again
@given("{books:d} books lie in the basket")
def lie(context, books):
    context.basket.fill(books)


@given("the shop is shut")
def shut(context):
    context.shop.shut()
""",
        """from behave import given


@given("{count:d} books lie in the basket")
@given("the basket holds {count:d} books")
def holds(context, count):
    context.basket.fill(count)


@given("the shop is shut")
def shut(context):
    context.shop.shut()
""",
    ),
    "features/shop_test.go": (
        """package shop

import "github.com/cucumber/godog"

func (s *shop) holds(count int) error {
	return s.basket.fill(count)
}

// the same again
func (s *shop) lie(books int) error {
	return s.basket.fill(books)
}

func (s *shop) shut() error {
	return s.close()
}

func InitializeScenario(ctx *godog.ScenarioContext) {
	s := &shop{}
	ctx.Step(`^the basket holds (\\d+) books$`, s.holds)
	ctx.Step(`^(\\d+) books lie in the basket$`, s.lie)
	ctx.Step(`^the shop is shut$`, s.shut)
}
""",
        """package shop

import "github.com/cucumber/godog"

func (s *shop) holds(count int) error {
	return s.basket.fill(count)
}

func (s *shop) shut() error {
	return s.close()
}

func InitializeScenario(ctx *godog.ScenarioContext) {
	s := &shop{}
	ctx.Step(`^the basket holds (\\d+) books$`, s.holds)
	ctx.Step(`^(\\d+) books lie in the basket$`, s.holds)
	ctx.Step(`^the shop is shut$`, s.shut)
}
""",
    ),
    "features/step_definitions/steps.rb": (
        """Given('the basket holds {int} books') do |count|
  @basket.fill(count)
end

Given('{int} books lie in the basket') do |books|
  @basket.fill(books)
end

Given('the shop is shut') { @shop.shut }
""",
        """the_basket_holds_books = proc do |count|
  @basket.fill(count)
end

Given('the basket holds {int} books', &the_basket_holds_books)

Given('{int} books lie in the basket', &the_basket_holds_books)

Given('the shop is shut') { @shop.shut }
""",
    ),
    "features/steps.js": (
        """const { Given } = require('@cucumber/cucumber');

Given('the basket holds {int} books', function (count) {
  this.basket.fill(count);
});

Given('{int} books lie in the basket', function (books) {
  this.basket.fill(books);
});

Given('the shop is shut', function () { this.shop.shut(); });
""",
        """const { Given } = require('@cucumber/cucumber');

const theBasketHoldsBooks = function (count) {
  this.basket.fill(count);
};

Given('the basket holds {int} books', theBasketHoldsBooks);

Given('{int} books lie in the basket', theBasketHoldsBooks);

Given('the shop is shut', function () { this.shop.shut(); });
""",
    ),
    "src/test/scala/Steps.scala": (
        """import io.cucumber.scala.{EN, ScalaDsl}

class Steps extends ScalaDsl with EN {
  Given("the basket holds {int} books") { (count: Int) =>
    page.fill(count)
  }

  Given("{int} books lie in the basket") { (books: Int) =>
    page.fill(books)
  }

  Given("the shop is shut") { page.shut() }
}
""",
        """import io.cucumber.scala.{EN, ScalaDsl}

class Steps extends ScalaDsl with EN {
  private val theBasketHoldsBooks = { (count: Int) =>
    page.fill(count)
  }

  Given("the basket holds {int} books")(theBasketHoldsBooks)

  Given("{int} books lie in the basket")(theBasketHoldsBooks)

  Given("the shop is shut") { page.shut() }
}
""",
    ),
    "src/test/java/Steps.java": (
        """import io.cucumber.java.en.Given;

public class Steps {
    private final Page page = new Page();

    @Given("the basket holds {int} books")
    public void holds(int count) {
        page.fill(count);
    }

    /** The same again. */
    @Given("{int} books lie in the basket")
    public void lie(int books) {
        page.fill(books);
    }

    @Given("the shop is shut")
    public void shut() {
        page.shut();
    }
}
""",
        """import io.cucumber.java.en.Given;

public class Steps {
    private final Page page = new Page();

    @Given("{int} books lie in the basket")
    @Given("the basket holds {int} books")
    public void holds(int count) {
        page.fill(count);
    }

    @Given("the shop is shut")
    public void shut() {
        page.shut();
    }
}
""",
    ),
    "Steps.cs": (
        """using Reqnroll;

[Binding]
public class Steps
{
    [Given("the basket holds {int} books")]
    public void Holds(int count) { Page.Fill(count); }

    [Given("{int} books lie in the basket")]
    public void Lie(int books) { Page.Fill(books); }

    [Given("the shop is shut")]
    public void Shut() { Page.Shut(); }
}
""",
        """using Reqnroll;

[Binding]
public class Steps
{
    [Given("{int} books lie in the basket")]
    [Given("the basket holds {int} books")]
    public void Holds(int count) { Page.Fill(count); }

    [Given("the shop is shut")]
    public void Shut() { Page.Shut(); }
}
""",
    ),
    "features/bootstrap/FeatureContext.php": (
        """<?php

use Behat\\Behat\\Context\\Context;

class FeatureContext implements Context
{
    /**
     * @Given the basket holds :count books
     */
    public function holds($count)
    {
        $this->page->fill($count);
    }

    /**
     * @Given :books books lie in the basket
     */
    public function lie($books)
    {
        $this->page->fill($books);
    }

    /**
     * @Given the shop is shut
     */
    public function shut()
    {
        $this->page->shut();
    }
}
""",
        """<?php

use Behat\\Behat\\Context\\Context;

class FeatureContext implements Context
{
    /**
     * @Given :books books lie in the basket
     * @Given the basket holds :count books
     */
    public function holds($count)
    {
        $this->page->fill($count);
    }

    /**
     * @Given the shop is shut
     */
    public function shut()
    {
        $this->page->shut();
    }
}
""",
    ),
}


def merge(folder: Path, one: str, other: str) -> tuple[MergePlan, ReadSuites]:
    workspace, functions = read(folder)
    by_word = {word: next(d for d in workspace.glue.definitions if word in d.expression) for word in (one, other)}
    return Merger(workspace, functions).merge(by_word[one], by_word[other]), workspace


@pytest.mark.parametrize("name", CASES)
def test_both_expressions_on_one_function(tmp_path: Path, name: str) -> None:
    before, after = CASES[name]
    path = written(tmp_path, name, before)
    plan, _ = merge(tmp_path, "holds", "lie in")
    (file,) = plan.files
    assert edited_bytes(file, path.read_bytes()).decode() == after
    assert path.read_text("utf-8") == before


@pytest.mark.parametrize("name", CASES)
def test_after_it_the_steps_bind_and_there_is_one_function(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, name, CASES[name][0])
    plan, before = merge(tmp_path, "holds", "lie in")
    path.write_bytes(edited_bytes(plan.files[0], path.read_bytes()))
    after, functions = read(tmp_path)

    def bound(workspace: ReadSuites) -> list[list[tuple[object, ...]]]:
        steps = [step for group in workspace.steps.values() for step in group]
        assert workspace.glue is not None
        matches = [[match for text in workspace.glue.bind(step).texts for match in text.matches] for step in steps]
        return [[tuple(argument.value for argument in match.arguments) for match in group] for group in matches]

    assert bound(after) == bound(before)
    codes = {form.tokens for definition in after.glue.definitions if (form := functions.form(definition)) is not None}
    assert len(codes) == 2


def test_other_code_is_not_merged(tmp_path: Path) -> None:
    written(tmp_path, "features/steps/steps.py", CASES["features/steps/steps.py"][0])
    with pytest.raises(UnmergeableError, match="do not run the same code"):
        merge(tmp_path, "holds", "shut")


def test_parameters_at_other_places_are_not_merged(tmp_path: Path) -> None:
    code = "  mail.deliver(what, whom)\nend\n"
    source = f"When('I send {{string}} to {{string}}') do |what, whom|\n{code}"
    source += f"When('{{string}} hears of {{string}}') do |whom, what|\n{code}"
    written(tmp_path, "features/step_definitions/steps.rb", source)
    with pytest.raises(UnmergeableError, match="the same with their parameters at other places"):
        merge(tmp_path, "send", "hears")


def test_a_function_that_other_code_calls_is_left_alone(tmp_path: Path) -> None:
    source = CASES["src/test/java/Steps.java"][0].replace("page.shut();", "lie(3);")
    written(tmp_path, "src/test/java/Steps.java", source)
    with pytest.raises(UnmergeableError, match="other code calls its function"):
        merge(tmp_path, "holds", "lie in")


def test_what_stands_in_two_files_is_left_alone_where_definitions_are_calls(tmp_path: Path) -> None:
    first, second = CASES["features/steps.js"][0].split("Given('{int}")
    written(tmp_path, "features/steps.js", first)
    written(tmp_path, "features/more.js", "const { Given } = require('@cucumber/cucumber');\n\nGiven('{int}" + second)
    with pytest.raises(UnmergeableError, match="two files"):
        merge(tmp_path, "holds", "lie in")


def test_a_function_that_its_package_names_stays(tmp_path: Path) -> None:
    path = written(tmp_path, "features/shop_test.go", CASES["features/shop_test.go"][0])
    (path.parent / "more_test.go").write_text("package shop\n\nfunc all(s *shop) error { return s.lie(3) }\n", "utf-8")
    plan, _ = merge(tmp_path, "holds", "lie in")
    after = edited_bytes(plan.files[0], path.read_bytes()).decode()
    assert "func (s *shop) lie(books int) error" in after
    assert after.count("s.holds)") == 2


def test_a_function_without_a_name_is_left_alone(tmp_path: Path) -> None:
    source = CASES["features/shop_test.go"][0]
    for name in ("s.holds)", "s.lie)"):
        source = source.replace(name, "func(count int) error { return s.basket.fill(count) })")
    written(tmp_path, "features/shop_test.go", source)
    with pytest.raises(UnmergeableError, match="its function has no name"):
        merge(tmp_path, "holds", "lie in")


TRANSLATED = r"""<?php
class FeatureContext implements Behat\Behat\Context\TranslatableContext {
  public static function getTranslationResources() { return [__DIR__ . '/de.yml']; }

  /** @When I buy tea */
  public function buy() { $this->shop->buy('tea'); }

  /** @When I get tea */
  public function get() { $this->shop->buy('tea'); }
}
"""


@pytest.mark.parametrize(("step", "is_reworded"), [("When I buy tea", True), ("When ich Tee kaufe", False)])
def test_no_step_is_reworded_into_another_language(tmp_path: Path, step: str, is_reworded: bool) -> None:
    path = written(tmp_path, "features/bootstrap/FeatureContext.php", TRANSLATED)
    (path.parent / "de.yml").write_text("'I buy tea': 'ich Tee kaufe'\n", "utf-8")
    german = "# language: de\nFunktionalität: F\n  Szenario: S\n    Wenn ich Tee kaufe\n"
    (tmp_path / "features" / "de.feature").write_text(german, "utf-8")
    feature = f"Feature: F\n  Scenario: S\n    {step}\n    When I get tea\n"
    (tmp_path / "features" / "a.feature").write_text(feature, "utf-8")
    workspace, functions = read(tmp_path)
    keep, other = (next(d for d in workspace.glue.definitions if word in d.expression) for word in ("buy", "get"))
    if not is_reworded:
        with pytest.raises(UnmergeableError, match="no step uses it"):
            Merger(workspace, functions).keep_wording(keep, other)
        return
    plan = Merger(workspace, functions).keep_wording(keep, other)
    (file,) = [file for file in plan.files if file.path.endswith("a.feature")]
    assert edited_bytes(file, feature.encode()).decode() == feature.replace("get", "buy")


def test_one_expression_on_both_functions_is_declared_once(tmp_path: Path) -> None:
    feature = "Feature: f\n  Scenario: s\n    Given I own 3 figs\n    When I own 4 figs\n"
    (tmp_path / "features").mkdir()
    (tmp_path / "features" / "a.feature").write_text(feature, "utf-8")
    head = "from pytest_bdd import given, parsers, scenarios, when\n"
    ours = head + '\n\n@given(parsers.parse("I own {n:d} figs"))\ndef own(basket, n):\n    basket.fill(n)\n'
    theirs = head + '\nscenarios("features")\n\n\n# the same again\n@when(parsers.parse("I own {count:d} figs"))\n'
    theirs += '@given(parsers.parse("I own {count:d} figs"))\ndef have(basket, count):\n    basket.fill(count)\n'
    (tmp_path / "conftest.py").write_text(ours, "utf-8")
    (tmp_path / "test_figs.py").write_text(theirs, "utf-8")
    workspace, functions = read(tmp_path)
    by_name = {definition.function_name: definition for definition in workspace.glue.definitions}
    plan = Merger(workspace, functions).merge(by_name["own"], by_name["have"])
    after = {
        file.path.rpartition("/")[2]: edited_bytes(file, workspace.read(file.path)).decode() for file in plan.files
    }
    stacked = '@when(parsers.parse("I own {n:d} figs"))\n@given('
    assert after == {
        "conftest.py": ours.replace("@given(", stacked),
        "test_figs.py": head + '\nscenarios("features")\n\n\n',
    }


def test_of_two_definitions_that_clash_one_is_left(tmp_path: Path) -> None:
    source = "import io.cucumber.java.en.Given;\n\npublic class Steps {\n"
    for name in ("own", "have"):
        source += (
            f'\n    @Given("I own {{int}} figs")\n    public void {name}(int n) {{\n        shop.sell(n);\n    }}\n'
        )
    path = written(tmp_path, "src/test/java/Steps.java", source + "}\n")
    (tmp_path / "features" / "a.feature").write_text("Feature: f\n  Scenario: s\n    Given I own 3 figs\n", "utf-8")
    workspace, functions = read(tmp_path)
    own, have = workspace.glue.definitions
    (file,) = Merger(workspace, functions).merge(own, have).files
    after = edited_bytes(file, path.read_bytes()).decode()
    assert after.count("@Given") == 1
    assert "void own(int n)" in after
