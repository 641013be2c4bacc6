"""A step definition that no step uses is removed with everything that belongs to it, and nothing else changes."""

from pathlib import Path

import pytest

from cukereuse_engine.refactor.edits import edited_bytes
from tests.refactor.on_disk import deletion, written

SHUT = """from behave import given


@given("the shop is shut")
def shut(context):
    context.shop.shut()
"""


def test_an_unused_definition_goes(tmp_path: Path) -> None:
    unused = '\n\n@given("nobody says this")\ndef nobody(context):\n    context.shop.open()\n'
    path = written(tmp_path, "features/steps/steps.py", SHUT + unused)
    plan = deletion(tmp_path, "nobody")
    assert edited_bytes(plan.files[0], path.read_bytes()).decode().rstrip() == SHUT.rstrip()


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
@retried(
    times=2,
)
@logged  # in the report
# of the day
@given(
    "nobody says this"
)
@timed
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
    plan = deletion(tmp_path, "nobody")
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
    plan = deletion(tmp_path, word)
    after = edited_bytes(plan.files[0], path.read_bytes()).decode()
    assert gone not in after
    assert after == STACKED.replace(STACKED[STACKED.index("@given") : STACKED.index('@given("the shop')], "")


def test_an_expression_goes_alone_where_others_on_its_function_are_used(tmp_path: Path) -> None:
    path = written(tmp_path, "features/steps/steps.py", STACKED)
    plan = deletion(tmp_path, "for good")
    after = edited_bytes(plan.files[0], path.read_bytes()).decode()
    assert after == STACKED.replace('@when("the shop is closed for good")\n', "")


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
    plan = deletion(tmp_path, "nobody")
    assert [Path(file.path).name for file in plan.files] == ["shop_test.go"]
