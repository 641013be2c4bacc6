"""A step definition that no step uses is removed with everything that belongs to it, and nothing else changes."""

from pathlib import Path

import pytest

from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.merging.merger import Merger
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from tests.refactor.on_disk import read, written

SHOP = """from behave import given


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
"""


def test_an_unused_definition_goes(tmp_path: Path) -> None:
    unused = '\n\n@given("nobody says this")\ndef nobody(context):\n    context.shop.open()\n'
    path = written(tmp_path, "features/steps/steps.py", SHOP + unused)
    workspace, functions = read(tmp_path)
    definition = next(definition for definition in workspace.glue.definitions if "nobody" in definition.expression)
    plan = Merger(workspace, functions).delete(definition)
    assert edited_bytes(plan.files[0], path.read_bytes()).decode().rstrip() == SHOP.rstrip()


def test_a_definition_in_use_does_not_go(tmp_path: Path) -> None:
    written(tmp_path, "features/steps/steps.py", SHOP)
    workspace, functions = read(tmp_path)
    definition = next(definition for definition in workspace.glue.definitions if "shut" in definition.expression)
    with pytest.raises(UnmergeableError, match="would bind differently"):
        Merger(workspace, functions).delete(definition)


UNUSED = {
    "shop_test.go": (
        """package shop

import "github.com/cucumber/godog"

func shut() error { return nil }

// nobody says it
func nobody() error {
	return errors.New("nobody")
}

func InitializeScenario(ctx *godog.ScenarioContext) {
	ctx.Given(`^the shop is shut$`, shut)
	ctx.Given(`^nobody says this$`, nobody)
}
""",
        """package shop

import "github.com/cucumber/godog"

func shut() error { return nil }

func InitializeScenario(ctx *godog.ScenarioContext) {
	ctx.Given(`^the shop is shut$`, shut)
}
""",
    ),
    "calls/shop_test.go": (
        """package shop

import "strings"

func shut() error { return nil }

func nobody() error { return fail(strings.ToLower("Nobody")) }

func InitializeScenario(ctx *godog.ScenarioContext) {
	ctx.Given(`^the shop is shut$`, shut)
	ctx.Given(`^nobody says this$`, nobody)
}
""",
        """package shop

import "strings"

func shut() error { return nil }

func nobody() error { return fail(strings.ToLower("Nobody")) }

func InitializeScenario(ctx *godog.ScenarioContext) {
	ctx.Given(`^the shop is shut$`, shut)
}
""",
    ),
    "inline/shop_test.go": (
        """package shop

func InitializeScenario(ctx *godog.ScenarioContext) {
	s := &shop{}
	ctx.Given(`^the shop is shut$`, s.shut)
	ctx.Given(`^nobody says this$`, func() error {
		return s.open()
	})
}

func (s *shop) shut() error { return nil }
""",
        """package shop

func InitializeScenario(ctx *godog.ScenarioContext) {
	s := &shop{}
	ctx.Given(`^the shop is shut$`, s.shut)
}

func (s *shop) shut() error { return nil }
""",
    ),
    "features/steps.js": (
        """const { Given } = require("@cucumber/cucumber");

Given(
  "nobody says this",
  () => shop.open(),
);

Given(
  "the shop is shut",
  () => shop.shut(),
);
""",
        """const { Given } = require("@cucumber/cucumber");

Given(
  "the shop is shut",
  () => shop.shut(),
);
""",
    ),
    "features/step_definitions/steps.rb": (
        """Given(
  /^nobody says this$/
) do
  @shop.open
end

Given(/^the shop is shut$/) do
  @shop.shut
end
""",
        """Given(/^the shop is shut$/) do
  @shop.shut
end
""",
    ),
    "src/test/kotlin/Steps.kt": (
        """import io.cucumber.java8.En

class Steps : En {
    init {
        Given(
            "nobody says this"
        ) {
            shop.open()
        }

        Given("the shop is shut") {
            shop.shut()
        }
    }
}
""",
        """import io.cucumber.java8.En

class Steps : En {
    init {
        Given("the shop is shut") {
            shop.shut()
        }
    }
}
""",
    ),
    "src/test/scala/Steps.scala": (
        """import io.cucumber.scala.{EN, ScalaDsl}

class Steps extends ScalaDsl with EN {
  // nobody says this
  Given("nobody says this") { () =>
    shop.open()
  }

  Given("the shop is shut") { () =>
    shop.shut()
  }
}
""",
        """import io.cucumber.scala.{EN, ScalaDsl}

class Steps extends ScalaDsl with EN {
  Given("the shop is shut") { () =>
    shop.shut()
  }
}
""",
    ),
    "features/steps/steps.py": (
        """from behave import given


# nobody says this
@given(
    "nobody says this"
)
def nobody(context):
    context.shop.open()


@given("the shop is shut")
def shut(context):
    context.shop.shut()
""",
        """from behave import given


@given("the shop is shut")
def shut(context):
    context.shop.shut()
""",
    ),
    "features/bootstrap/FeatureContext.php": (
        """<?php

use Behat\\Behat\\Context\\Context;

class FeatureContext implements Context
{
    /**
     * Opens the shop.
     *
     * @Given nobody says this
     */
    public function nobody()
    {
        $this->page->open();
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


UNUSED["versioned/shop_test.go"] = tuple(
    source.replace('"strings"', '"gopkg.in/go-yaml.v3"').replace("strings.", "yaml.")
    for source in UNUSED["calls/shop_test.go"]
)


@pytest.mark.parametrize("name", UNUSED)
def test_what_belongs_to_an_unused_definition_goes_with_it(tmp_path: Path, name: str) -> None:
    before, after = UNUSED[name]
    path = written(tmp_path, name, before)
    path.with_name("folder.go").mkdir()
    workspace, functions = read(tmp_path)
    definition = next(definition for definition in workspace.glue.definitions if "nobody" in definition.expression)
    plan = Merger(workspace, functions).delete(definition)
    assert edited_bytes(plan.files[0], path.read_bytes()).decode() == after


STACKED = """from behave import given, when


@given("nobody says this")
@when("nobody says this either")
def nobody(context):
    context.shop.open()


@given("the shop is shut")
@when("the shop is closed for good")
def shut(context):
    context.shop.shut()
"""


@pytest.mark.parametrize(("word", "gone"), [("this", 'either")\ndef nobody'), ("either", "def nobody")])
def test_a_function_goes_with_all_its_expressions(tmp_path: Path, word: str, gone: str) -> None:
    path = written(tmp_path, "features/steps/steps.py", STACKED)
    workspace, functions = read(tmp_path)
    definition = next(definition for definition in workspace.glue.definitions if definition.expression.endswith(word))
    plan = Merger(workspace, functions).delete(definition)
    after = edited_bytes(plan.files[0], path.read_bytes()).decode()
    assert gone not in after
    assert after == STACKED.replace(STACKED[STACKED.index("@given") : STACKED.index('@given("the shop')], "")


def test_an_expression_goes_alone_where_others_on_its_function_are_used(tmp_path: Path) -> None:
    path = written(tmp_path, "features/steps/steps.py", STACKED)
    workspace, functions = read(tmp_path)
    definition = next(definition for definition in workspace.glue.definitions if "for good" in definition.expression)
    plan = Merger(workspace, functions).delete(definition)
    after = edited_bytes(plan.files[0], path.read_bytes()).decode()
    assert after == STACKED.replace('@when("the shop is closed for good")\n', "")


def test_a_registration_stays_whose_variable_would_have_no_use(tmp_path: Path) -> None:
    """Go does not compile an unused variable."""
    source = """package shop

func InitializeScenario(ctx *godog.ScenarioContext) {
	s := &shop{}
	ctx.Given(`^the shop is shut$`, shut)
	ctx.Given(`^nobody says this$`, s.nobody)
}

func shut() error { return nil }

func (s *shop) nobody() error { return nil }
"""
    written(tmp_path, "shop_test.go", source)
    workspace, functions = read(tmp_path)
    definition = next(definition for definition in workspace.glue.definitions if "nobody" in definition.expression)
    with pytest.raises(UnmergeableError, match="a variable would have no use"):
        Merger(workspace, functions).delete(definition)


def test_what_is_deleted_moves_functions_whose_variables_others_name(tmp_path: Path) -> None:
    source = """package shop

import "github.com/cucumber/godog"

func First(ctx *godog.ScenarioContext) {
	ctx.Step(`^I leave$`, func() error { return Leave() })
	ctx.Step(`^nobody says this$`, func() error { return Stay() })
}

func Second(ctx *godog.ScenarioContext) {
	count := 0
	ctx.Step(`^I pay$`, func() error { count++; return Pay(count) })
}
"""
    written(tmp_path, "shop_test.go", source)
    workspace, functions = read(tmp_path)
    definition = next(definition for definition in workspace.glue.definitions if "nobody" in definition.expression)
    plan = Merger(workspace, functions).delete(definition)
    assert [Path(file.path).name for file in plan.files] == ["shop_test.go"]


def test_a_definition_stays_whose_steps_another_one_is_only_assumed_to_match(tmp_path: Path) -> None:
    source = """from pytest_bdd import parsers, then

from kinds import KIND


@then(parsers.parse("the shop {is_so:Kind} shut", KIND))
def is_shut(is_so):
    assert is_so


@then(parsers.parse("the shop of {name} {is_so:Kind} shut", KIND))
def of_one_is_shut(name, is_so):
    assert name


@then("nobody says this")
def nobody():
    assert not Shop.people
"""
    path = written(tmp_path, "tests/test_shop.py", source)
    (tmp_path / "features" / "a.feature").write_text(
        "Feature: F\n  Scenario: S\n    Then the shop of Ann is not shut\n", "utf-8"
    )
    workspace, functions = read(tmp_path)
    merger = Merger(workspace, functions)
    kept, gone = (
        next(definition for definition in workspace.glue.definitions if word in definition.expression)
        for word in ("of", "nobody")
    )
    with pytest.raises(UnmergeableError, match="may be those that match a parameter type"):
        merger.delete(kept)
    assert "nobody" not in edited_bytes(merger.delete(gone).files[0], path.read_bytes()).decode()


def behave(function: str, elsewhere: str = "") -> str:
    others = '@given("the shop is shut")\ndef shut(context):\n    context.shop.shut()\n'
    return f"from behave import given\n\n\n{others}\n\n{elsewhere}\n\n{function}"


NOBODY = '@given("nobody says this")\ndef nobody(context):\n    context.page.nobody()\n'
JAVA = """import io.cucumber.java.en.Given;

public class ShopSteps {{
  @Given("the shop is shut")
  public void shut() {{
    {shut}
  }}

  @Given("nobody says this")
  public void nobody() {{
    page.nobody();
  }}
}}
"""


@pytest.mark.parametrize(
    ("sources", "place"),
    [
        pytest.param({"features/steps/shop.py": behave(NOBODY)}, "", id="its function says its own name"),
        pytest.param({"features/steps/shop.py": behave(NOBODY, 'globals()["nobody"](1)')}, "shop.py:9", id="globals"),
        pytest.param({"features/steps/shop.py": behave(NOBODY, "# nobody")}, "", id="a comment"),
        pytest.param({"features/steps/shop.py": behave(NOBODY, "def help(it):\n    nobody(it)")}, "shop.py:10",
                     id="a function beside it"),
        pytest.param({"features/steps/shop.py": behave(NOBODY),
                      "features/environment.py": "from steps import shop\n\ngetattr(shop, 'nobody')(1)\n"},
                     "environment.py:3", id="getattr in hooks"),
        pytest.param({"features/steps/shop.py": behave(NOBODY),
                      "features/environment.py": "from steps.shop import nobody\n"}, "environment.py:1",
                     id="an import"),
        pytest.param({"features/steps/lädchen.py": behave(NOBODY.replace("nobody(", "öffne(")),
                      "features/environment.py": "from steps import lädchen\n\nlädchen.öffne(1)\n"},
                     "environment.py:3", id="letters beyond ASCII"),
        pytest.param({"features/steps/shop.py": behave(NOBODY),
                      "features/pages.py": "class Page:\n    def nobody(self):\n        pass\n"}, "",
                     id="a name of something else"),
        pytest.param({"features/steps/shop.py": behave(NOBODY.replace("nobody(", "shut("))}, "", id="one name for two"),
        pytest.param({"src/test/java/ShopSteps.java": JAVA.format(shut="page.nobody();")}, "", id="a page's method"),
        pytest.param({"src/test/java/ShopSteps.java": JAVA.format(shut="page.shut();"),
                      "src/test/java/Hooks.java": "class Hooks { void x() { new ShopSteps().nobody(); } }\n"},
                     "Hooks.java:1", id="a hook in Java"),
        pytest.param({"src/test/java/ShopSteps.java": JAVA.format(shut="page.shut();"),
                      "src/test/java/Page.java": "class Page { public void nobody() { } }\n"}, "",
                     id="another class in Java"),
    ],
)  # fmt: skip
def test_a_function_that_other_code_names_is_not_deleted(tmp_path: Path, sources: dict[str, str], place: str) -> None:
    for name, source in sources.items():
        written(tmp_path, name, source)
    workspace, functions = read(tmp_path)
    definition = next(definition for definition in workspace.glue.definitions if "nobody" in definition.expression)
    merger = Merger(workspace, functions)
    if place:
        with pytest.raises(UnmergeableError, match=f"its function is named in .*{place}"):
            merger.delete(definition)
    else:
        assert merger.delete(definition).others == (definition,)


def test_a_definition_whose_step_a_hook_runs_is_not_deleted(tmp_path: Path) -> None:
    source = "".join(
        f"Given('{text}') do\n  run\nend\n\n" for text in ("the shop is shut", "nobody says this", "so it is")
    )
    written(tmp_path, "features/step_definitions/shop.rb", source)
    written(tmp_path, "features/support/hooks.rb", "Before('@lid') do\n  step 'nobody says this'\nend\n")
    workspace, functions = read(tmp_path)
    merger = Merger(workspace, functions)
    run, unused = (
        next(definition for definition in workspace.glue.definitions if word in definition.expression)
        for word in ("nob", "so")
    )
    with pytest.raises(UnmergeableError, match=r"code runs it: .*hooks\.rb:2"):
        merger.delete(run)
    assert merger.delete(unused).others == (unused,)
