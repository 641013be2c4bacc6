"""Cypress: a rename considers which feature loads which step definitions; a catch-all elsewhere does not count."""

from pathlib import Path

import pytest

from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import RefusedPlanError, RenamePlan
from cukereuse_engine.refactor.request import request_for
from cukereuse_engine.scanning.repository import read_repository
from cukereuse_engine.settings import Settings
from tests.refactor.conftest import feature

PER_FOLDER = (
    '{"devDependencies": {"cypress": "9", "cypress-cucumber-preprocessor": "4"},'
    ' "cypress-cucumber-preprocessor": {"nonGlobalStepDefinitions": true}}'
)
BY_PATH = (
    '{"devDependencies": {"cypress": "13", "@badeball/cypress-cucumber-preprocessor": "20"},'
    ' "cypress-cucumber-preprocessor": {"stepDefinitions": '
    '["cypress/e2e/[filepath]/**/*.js", "cypress/e2e/[filepath].js", "cypress/support/steps/**/*.js"]}}'
)
OLD = "import { Given } from 'cypress-cucumber-preprocessor/steps';\n"
NEW = "import { Given } from '@badeball/cypress-cucumber-preprocessor';\n"
ALL = "Given(/^(.*)$/, (text) => all(text));\n"


def folder_suite(**more: str) -> dict[str, str]:
    """One preprocessor: `shop.feature` and `bank.feature` have a folder each, and `common` serves both."""
    return {
        "package.json": PER_FOLDER,
        "cypress/integration/shop.feature": feature("I pay 3 coins", "we talk"),
        "cypress/integration/bank.feature": feature("I pay 3 coins", "we talk"),
        "cypress/integration/shop/own.js": OLD + "Given('I pay {int} coins', (n) => shop(n));\n",
        "cypress/integration/bank/own.js": OLD + "Given('I pay {int} coins', (n) => bank(n));\n",
        "cypress/integration/common/all.js": OLD + "Given('we talk', () => talk());\n",
        **{name.replace("__", "/").replace("_js", ".js"): OLD + text for name, text in more.items()},
    }


def path_suite(**more: str) -> dict[str, str]:
    """The other preprocessor: by `[filepath]`, and a folder for all."""
    return {
        "package.json": BY_PATH,
        "cypress.config.js": "module.exports = { e2e: { specPattern: '**/*.feature' } };\n",
        "cypress/e2e/shop.feature": feature("I pay 3 coins", "we talk"),
        "cypress/e2e/bank.feature": feature("I pay 3 coins", "we talk"),
        "cypress/e2e/shop/own.js": NEW + "Given('I pay {int} coins', (n) => shop(n));\n",
        "cypress/e2e/bank.js": NEW + "Given('I pay {int} coins', (n) => bank(n));\n",
        "cypress/support/steps/all.js": NEW + "Given('we talk', () => talk());\n",
        **{name.replace("__", "/").replace("_js", ".js"): NEW + text for name, text in more.items()},
    }


def planned(folder: Path, files: dict[str, str], named: str, source: str, target: str) -> RenamePlan:
    """`named`: the part of a feature's name that identifies the step."""
    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(text)
    settings = Settings(jobs=1)
    workspace = read_repository([folder], settings, lambda _: settings, use_cache=False).suites
    assert workspace is not None
    within = frozenset(path for path in workspace.files if named in path)
    return plan_rename(request_for(workspace, source, target, within=within), workspace)


def changed(plan: RenamePlan, folder: Path) -> list[str]:
    parts = ("cypress/integration/", "cypress/e2e/", "cypress/")
    names = [Path(file.path).relative_to(folder).as_posix() for file in plan.files]
    return sorted(next(name.removeprefix(part) for part in parts if name.startswith(part)) for name in names)


@pytest.mark.parametrize(("suite", "own"), [(folder_suite, "bank/own.js"), (path_suite, "bank.js")])
def test_each_feature_has_its_own(suite, own, tmp_path):
    plan = planned(tmp_path, suite(), "bank", "I pay 3 coins", "I hand {1} coins over")
    assert changed(plan, tmp_path) == sorted(["bank.feature", own])


@pytest.mark.parametrize(("suite", "own"), [(folder_suite, "common/all.js"), (path_suite, "support/steps/all.js")])
def test_what_all_load_is_renamed_in_all(suite, own, tmp_path):
    plan = planned(tmp_path, suite(), "bank", "we talk", "we chat")
    assert changed(plan, tmp_path) == sorted(["bank.feature", "shop.feature", own])


@pytest.mark.parametrize(
    ("suite", "more"),
    [
        (folder_suite, {"cypress__integration__shop__any_js": "Given(/^we chat(.*)$/, (text) => all(text));\n"}),
        (path_suite, {"cypress__e2e__shop__any_js": "Given(/^we chat(.*)$/, (text) => all(text));\n"}),
    ],
)
def test_what_one_feature_loads_counts_there_alone(suite, more, tmp_path):
    with pytest.raises(RefusedPlanError, match=r"several step definitions would match|another function would run"):
        planned(tmp_path, suite(**more), "bank", "we talk", "we chat")


@pytest.mark.parametrize(
    ("suite", "more", "own"),
    [
        (folder_suite, {"cypress__integration__shop__any_js": ALL}, "bank/own.js"),
        (path_suite, {"cypress__e2e__shop__any_js": ALL}, "bank.js"),
        (path_suite, {"cypress__e2e__other__any_js": ALL}, "bank.js"),
    ],
)
def test_a_catch_all_of_another_feature_does_not_count(suite, more, own, tmp_path):
    plan = planned(tmp_path, suite(**more), "bank", "I pay 3 coins", "I hand {1} coins over")
    assert changed(plan, tmp_path) == sorted(["bank.feature", own])


def test_of_two_that_all_load_nobody_knows_which(tmp_path):
    """@badeball's package refuses them."""
    plan = planned(tmp_path, path_suite(cypress__support__steps__any_js=ALL), "bank", "we talk", "we chat")
    assert not plan.files
    assert [group.reason.split(" (")[0] for group in plan.left_out] == ["several step definitions match it"]


def test_the_first_of_two_counts_where_the_package_takes_it(tmp_path):
    """The package before it took the first."""
    plan = planned(tmp_path, folder_suite(cypress__integration__common__any_js=ALL), "bank", "we talk", "we chat")
    assert changed(plan, tmp_path) == ["bank.feature", "common/all.js", "shop.feature"]
    (change,) = plan.definitions
    assert change.new_expression == "we chat"
