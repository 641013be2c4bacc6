"""The runner loads a new definition's new file, whatever else must name it."""

from collections.abc import Callable, Mapping

import pytest

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.base import extract
from cukereuse_engine.refactor.creation.new_file import new_file_for
from cukereuse_engine.refactor.creation.planning import model_for, plan_new_file
from cukereuse_engine.refactor.edits import edited_bytes
from tests.refactor.shop_sources import EXPECTED, SOURCES, steps

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
"""Files; the first contains the model."""
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
"""The new file for a feature `check-out`, and the other files after that."""


def files_of(name: str) -> tuple[dict[str, str], StepDefinition]:
    files = {f"/shop/{path}": text for path, text in LOADED[name].items()}
    path, text = next(iter(files.items()))
    model = model_for(steps()[0], (), extract(path, text.encode()).definitions)
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
    after = {edit.path: edited_bytes(edit, files.get(edit.path, "").encode()).decode() for edit in edits}
    assert after == {f"/shop/{path}": text for path, text in WRITTEN[name].items()}


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
    model = model_for(steps()[0], (), extract("/shop/test_shop.py", source).definitions)
    assert model is not None
    assert new_file_for(model, "/shop/check-out.feature", lambda _: source) == ""
