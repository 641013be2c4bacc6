"""The step definitions that Cypress loads for a feature file."""

import json
from pathlib import Path

import pytest

from tests.glue.test_configurations import FEATURE, files_of

CYPRESS = "import { When } from '@badeball/cypress-cucumber-preprocessor'\nWhen('I wait', () => {})\n"


RC = ".cypress-cucumber-preprocessorrc"


KEY = "cypress-cucumber-preprocessor"


OWN = ["cypress/e2e/b/deep/steps.js", "cypress/e2e/b/own.js"]


CONFIGURED: list[tuple[str, object, str, list[str]]] = [
    (
        f"{RC}.json",
        {"stepDefinitions": ["cypress/e2e/[filepath].js", "cypress/all/*.js"]},
        "cypress/e2e/a.feature",
        ["cypress/e2e/a.js"],
    ),
    (
        "package.json",
        {KEY: {"stepDefinitions": "cypress/e2e/[filepath]/**/*.{js,ts}"}},
        "cypress/e2e/b.feature",
        OWN,
    ),
    (f"{RC}.json", {"stepDefinitions": ["cypress/e2e/[filepart]/own.js"]}, "cypress/e2e/b/x.feature", OWN[1:]),
    ("package.json", {KEY: {"nonGlobalStepDefinitions": True}}, "cypress/e2e/b.feature", OWN),
    (
        f"{KEY}.config.js",
        "module.exports = { stepDefinitions: ['cypress/e2e/[filepath].js'] }",
        "cypress/e2e/a.feature",
        ["cypress/e2e/a.js"],
    ),
    (RC, {"stepDefinitions": ["cypress/e2e/a.js"]}, "cypress/e2e/c.feature", ["cypress/e2e/a.js"]),
    (f".config/{RC[1:]}.json", {"stepDefinitions": ["cypress/e2e/a.js"]}, "x/c.feature", ["cypress/e2e/a.js"]),
    (f"{RC}.json", {"e2e": {"stepDefinitions": "cypress/e2e/a.js"}}, "x/c.feature", ["cypress/e2e/a.js"]),
    ("cypress.env.json", {"stepDefinitions": "cypress/e2e/a.js"}, "x/c.feature", ["cypress/e2e/a.js"]),
    ("cypress.json", {"env": {"stepDefinitions": "cypress/e2e/a.js"}}, "x/c.feature", ["cypress/e2e/a.js"]),
    (
        "cypress.config.ts",
        "export default defineConfig({ e2e: { env: { stepDefinitions: './cypress/e2e/[filepath].js' } } })",
        "x/y/a.feature",
        ["cypress/e2e/a.js"],
    ),
    (f"{RC}.json", {"stepDefinitions": ["cypress/e2e/[filepath]/*.js"]}, "x/b.feature", ["cypress/e2e/b/own.js"]),
    (f"{RC}.json", {"stepDefinitions": ["cypress/e2e/[filepart]/own.js"]}, "x/b.feature", ["cypress/e2e/b/own.js"]),
    (f"{RC}.json", {"stepDefinitions": ["[integration-directory]/../cypress/e2e/a.js"]}, "x/b.feature",
     ["cypress/e2e/a.js"]),
]  # fmt: skip


@pytest.mark.parametrize(("configuration", "content", "feature", "files"), CONFIGURED)
def test_cypress(configuration: str, content: object, feature: str, files: list[str], tmp_path: Path) -> None:
    sources = {configuration: content if isinstance(content, str) else json.dumps(content)}
    for name in ("cypress/e2e/a.js", "cypress/e2e/b/deep/steps.js", "cypress/e2e/b/own.js"):
        sources[name] = CYPRESS
    assert files_of(tmp_path, {**sources, feature: FEATURE}, feature) == files


def test_cypress_takes_the_deepest_folder_of_features_for_their_home(tmp_path: Path) -> None:
    configuration = {f"{RC}.json": '{"stepDefinitions": ["steps/[filepath].js"]}', "node_modules/z/z.feature": ""}
    sources = {**configuration, "steps/shop/a.js": CYPRESS, "steps/a.js": CYPRESS, "x/y/b.feature": FEATURE}
    assert files_of(tmp_path, sources, "x/y/a.feature") == ["steps/a.js"]
    assert files_of(tmp_path, {"x/shop/a.feature": FEATURE}, "x/shop/a.feature") == ["steps/shop/a.js"]


def test_cypress_without_a_configuration(tmp_path: Path) -> None:
    """Since version 5 a feature's own folder and the shared one; before that, everything."""
    sources = {
        "cypress/e2e/a/s.js": CYPRESS,
        "cypress/e2e/b/s.js": CYPRESS,
        "cypress/support/step_definitions/c.js": "",
    }
    both = ["cypress/e2e/a/s.js", "cypress/e2e/b/s.js"]
    assert files_of(tmp_path, sources, "cypress/e2e/a.feature") == both
    package = {"package.json": '{"devDependencies": {"@badeball/cypress-cucumber-preprocessor": "^20"}}'}
    assert files_of(tmp_path, package, "cypress/e2e/a.feature") == both[:1]
