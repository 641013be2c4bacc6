"""Step definitions of libraries outside the repository: a step without a match here may be theirs."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from cukereuse_engine.cli.main import run
from cukereuse_engine.gherkin.read import read_files
from cukereuse_engine.glue import project_rules
from cukereuse_engine.glue.glue import Glue

FEATURE = "Feature: f\n  Scenario: s\n    Given I walk\n    And I fly\n"
RUBY = "Given('I walk') do\nend\n"
JS = "const { Given } = require('@cucumber/cucumber')\nGiven('I walk', () => {})\n"
BEHAVE = "from behave import given\n@given('I walk')\ndef walk(context): ...\n"
BDD = "from pytest_bdd import given, scenarios\nscenarios('a.feature')\n@given('I walk')\ndef walk(): ...\n"
PLAYWRIGHT = (
    "import { createBdd } from 'playwright-bdd'\nconst { Given } = createBdd()\nGiven('I walk', async () => {})\n"
)
JAVA = (
    "package shop.steps;\nimport io.cucumber.java.en.*;\n"
    'public class Walk {\n  @Given("I walk") public void walk() { }\n}\n'
)
RUNNER = (
    "package shop;\nimport io.cucumber.junit.*;\n"
    '@CucumberOptions(features = "src/test/resources", %s)\npublic class RunTest { }\n'
)
PHP = (
    "<?php\nclass Walks%s implements Behat\\Behat\\Context\\Context {\n"
    "  /** @Given I walk */\n  public function a() {}\n}\n"
)
CS = 'using Reqnroll;\n[Binding] class Walks { [Given("I walk")] public void A() { } }\n'

STEPS = "features/step_definitions/a.rb"
JVM = "src/test/java/shop/steps/Walk.java"
LIBRARIES: dict[str, tuple[Mapping[str, str], list[str]]] = {
    # name: files, libraries that may define what matches nothing
    "Ruby: aruba": ({STEPS: RUBY, "features/support/env.rb": "require 'aruba/cucumber'\n"}, ["aruba/cucumber"]),
    "Ruby: by its name": (
        {STEPS: f'require("spreewald/web_steps")\nrequire "cucumber/api_steps"\n{RUBY}'},
        ["cucumber/api_steps", "spreewald/web_steps"],
    ),
    "Ruby: hooks and helpers alone": (
        {STEPS: RUBY, "features/support/env.rb": "require 'capybara/cucumber'\nrequire 'vcr'\n# require 'x/steps'\n"},
        [],
    ),
    "Ruby: of the repository, without steps": (
        {STEPS: f"require 'support/step_helpers'\n{RUBY}", "features/support/step_helpers.rb": "def help\nend\n"},
        [],
    ),
    "Ruby: of the repository": (
        {STEPS: f"require 'shop/web_steps'\n{RUBY}", "lib/shop/web_steps.rb": "Given('I swim') do\nend\n"},
        [],
    ),
    "Ruby: of the repository, where nothing defines steps": (
        {STEPS: f"require 'shop/steps/session'\n{RUBY}", "lib/shop/steps/session.rb": "class Session\nend\n"},
        [],
    ),
    "JavaScript": (
        {STEPS.replace(".rb", ".js"): f"require('@shop/common-steps')\nrequire('./more_steps')\n{JS}"},
        ["@shop/common-steps"],
    ),
    "JavaScript: a profile": (
        {
            "steps/a.js": JS,
            "cucumber.js": "module.exports = { default: { paths: ['features'], "
            "require: ['node_modules/@shop/actions/index.js', 'steps/*.js'] } }\n",
        },
        ["@shop/actions"],
    ),
    "JavaScript: a profile that resolves a package": (
        {
            "steps/a.js": JS,
            "cucumber.cjs": "module.exports = { default: { paths: ['features'], "
            "require: ['steps/*.js', require.resolve('@shop/actions/steps')] } }\n",
        },
        ["@shop/actions"],
    ),
    "playwright-bdd: a project that resolves a package": (
        {
            "steps/a.ts": PLAYWRIGHT,
            "playwright.config.ts": "const testDir = defineBddConfig({ features: 'features/*.feature', "
            "steps: ['./steps/*.ts', require.resolve('actions/steps'), require.resolve('./more')] })\n",
        },
        ["actions"],
    ),
    "JavaScript: a package of the repository": (
        {
            "packages/walks/package.json": '{"name": "@shop/shop-steps"}',
            "packages/walks/a.js": JS,
            "features/steps/b.js": "import '@shop/shop-steps/b'\n" + JS.replace("walk", "run"),
        },
        [],
    ),
    "JavaScript: a package that is named in part like a folder": (
        {"features/steps/a.js": "import '@shop/steps'\n" + JS},
        ["@shop/steps"],
    ),
    "JavaScript: names for folders of the repository": (
        {
            "features/steps/a.js": "import '@/steps/b'\nimport '~/steps'\nimport '#steps/c'\nimport '@steps/b'\n" + JS,
            "src/steps/b.js": "export const b = 1\n",
        },
        [],
    ),
    "playwright-bdd": (
        {"steps/a.ts": "import '@shop/bdd/steps'\nimport { test } from '@playwright/test'\n" + PLAYWRIGHT},
        ["@shop/bdd/steps"],
    ),
    "behave": (
        {"features/steps/a.py": "from shop.steps import *\nimport shop.web_steps\nfrom .own import *\n" + BEHAVE},
        ["shop.steps", "shop.web_steps"],
    ),
    "behave: of the repository": (
        {
            "features/steps/a.py": "from common.steps import *\n" + BEHAVE,
            "common/steps.py": BEHAVE.replace("walk", "run"),
        },
        [],
    ),
    "behave: a package of the repository without steps": (
        {"features/steps/a.py": "import shop.step_data\n" + BEHAVE, "src/shop/step_data/__init__.py": ""},
        [],
    ),
    "behave: no steps": ({"features/steps/a.py": "from hamcrest import *\nimport stepper\n" + BEHAVE}, []),
    "pytest-bdd": (
        {"features/test_a.py": BDD, "features/conftest.py": 'pytest_plugins = ["pytester", "shop.steps"]\n'},
        ["shop.steps"],
    ),
    "Cucumber-JVM": (
        {
            JVM: JAVA,
            "src/test/java/shop/RunTest.java": RUNNER % 'glue = {"shop.steps", "org.lib.steps", "io.cucumber.spring"}',
        },
        ["org.lib.steps"],
    ),
    "Cucumber-JVM: extraGlue": (
        {
            JVM: JAVA,
            "src/test/java/shop/steps/RunTest.java": RUNNER.replace("shop;", "shop.steps;") % 'extraGlue = "org.lib"',
        },
        ["org.lib"],
    ),
    "Cucumber-JVM: another module": (
        {
            JVM: JAVA,
            "shared/src/main/java/shared/beans/Beans.java": "package shared.beans;\npublic class Beans { }\n",
            "src/test/java/shop/RunTest.java": RUNNER % 'glue = {"shop.steps", "shared.beans"}',
        },
        [],
    ),
    "Cucumber-JVM: written wrong": (
        {JVM: JAVA, "src/test/java/shop/RunTest.java": RUNNER % 'glue = {"shop.steps", "shop.stepz"}'},
        [],
    ),
    "Cucumber-JVM: hooks of the repository": (
        {
            JVM: JAVA,
            "src/test/java/shop/hooks/Hooks.java": "package shop.hooks;\npublic class Hooks { }\n",
            "src/test/java/shop/RunTest.java": RUNNER % 'glue = {"shop.steps", "shop.hooks"}',
        },
        [],
    ),
    "Behat": (
        {
            "features/Walks.php": PHP % "",
            "behat.yml": "default: {suites: {web: {contexts: [Walks, Behat\\MinkExtension\\Context\\MinkContext]}}}\n",
        },
        ["Behat\\MinkExtension\\Context\\MinkContext"],
    ),
    "Behat: a class that is inherited": (
        {
            "features/Walks.php": PHP % " extends Drupal\\DrupalContext",
            "behat.yml": "default:\n  suites:\n    web:\n      contexts: [Walks]\n",
        },
        ["Drupal\\DrupalContext"],
    ),
    "Behat: a configuration that is computed": (
        {
            "features/Walks.php": PHP.replace("Walks", "FeatureContext") % " extends Api\\ApiContext",
            "behat.php": "<?php return (new Config())->withProfile($profile);",
        },
        ["Api\\ApiContext"],
    ),
    "Behat: its class is elsewhere": (
        {
            "src/Walks.php": PHP.replace("<?php\n", "<?php\nnamespace Shop;\n") % " extends \\Api\\ApiContext",
            "behat.php": "<?php return (new Config())->withProfile($profile);",
        },
        ["Api\\ApiContext"],
    ),
    "Behat: a class without steps": (
        {
            "features/Walks.php": PHP % " extends Drupal\\RawDrupalContext",
            "behat.yml": "default:\n  suites:\n    web:\n      contexts: [Walks]\n",
        },
        [],
    ),
    "Reqnroll": (
        {
            "Walks.cs": CS,
            "Shop.csproj": "<Project/>",
            "reqnroll.json": '{"bindingAssemblies": [{"assembly": "Lib.Steps"}]}',
        },
        ["Lib.Steps"],
    ),
    "SpecFlow": (
        {"Walks.cs": CS, "specflow.json": '\ufeff{"stepAssemblies": [{"assembly": "Lib"}, 3, {"assembly": 4}]}'},
        ["Lib"],
    ),
    "Reqnroll: a project of the repository": (
        {
            "app/Walks.cs": CS,
            "Lib.Steps/Runs.cs": CS.replace("walk", "run"),
            "reqnroll.json": '{"bindingAssemblies": [{"assembly": "Lib.Steps"}]}',
        },
        [],
    ),
    "Reqnroll: an assembly of the repository": (
        {
            "app/Walks.cs": CS,
            "Lib/Lib.csproj": "<Project><PropertyGroup><AssemblyName>Shop.Lib</AssemblyName></PropertyGroup></Project>",
            "Lib/Runs.cs": CS.replace("walk", "run"),
            "reqnroll.json": '{"bindingAssemblies": [{"assembly": "Shop.Lib"}, {"assembly": "Lib"}]}',
        },
        [],
    ),
    "configurations that say nothing": (
        {STEPS: RUBY, "reqnroll.json": "[", "specflow.json": '{"stepAssemblies": "x"}'},
        [],
    ),
}


def written(root: Path, files: Mapping[str, str]) -> Path:
    (root / ".git").mkdir(exist_ok=True)
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    project_rules.forget()
    return root


def said(glue: Glue, feature: Path) -> list[tuple[str, list[str]]]:
    file = next(iter(read_files([feature], jobs=1)))
    glue.update_feature(file.path, file.steps)
    bindings = [glue.bind(step) for step in file.steps]
    return [(binding.status.value, list(binding.libraries)) for binding in bindings]


@pytest.mark.parametrize("name", LIBRARIES)
def test_what_matches_nothing_may_be_defined_in_a_library(name: str, tmp_path: Path) -> None:
    files, libraries = LIBRARIES[name]
    feature = "src/test/resources/a.feature" if JVM in files else "features/a.feature"
    root = written(tmp_path, {**files, feature: FEATURE})
    assert said(Glue.load(str(root), jobs=1), root / feature) == [("bound", []), ("undefined", libraries)]


def test_what_a_repository_has_is_no_library_where_its_paths_are_relative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "features/a.feature": FEATURE,
        "features/steps/a.py": "from common.steps import *\n" + BEHAVE,
        "common/steps.py": BEHAVE.replace("walk", "run"),
    }
    monkeypatch.chdir(written(tmp_path, files))
    assert said(Glue.load(".", jobs=1), Path("features/a.feature"))[1] == ("undefined", [])


@pytest.mark.parametrize(
    ("path", "line"), [(STEPS, b'require "caf\xe9/steps"\n'), ("a.js", b'import "caf\xe9/steps"\n')]
)
def test_a_name_that_is_no_utf_8_stops_nothing(path: str, line: bytes, tmp_path: Path) -> None:
    root = written(tmp_path, {STEPS: RUBY, "features/a.feature": FEATURE})
    (root / path).write_bytes(line + (root / STEPS).read_bytes())
    assert said(Glue.load(str(root), jobs=1), root / "features/a.feature")[0] == ("bound", [])


def test_a_library_of_one_project_says_nothing_of_another(tmp_path: Path) -> None:
    files = {
        "shop/Gemfile": "",
        f"shop/{STEPS}": f"require 'aruba/cucumber'\n{RUBY}",
        "shop/features/a.feature": FEATURE,
        "bank/Gemfile": "",
        f"bank/{STEPS}": RUBY,
        "bank/features/a.feature": FEATURE,
    }
    root = written(tmp_path, files)
    shop, bank = (Glue.load(str(root / name), jobs=1) for name in ("shop", "bank"))
    assert said(shop, root / "shop/features/a.feature")[1] == ("undefined", ["aruba/cucumber"])
    assert said(bank, root / "bank/features/a.feature")[1] == ("undefined", [])


def test_a_library_comes_and_goes_with_the_line_that_takes_it_over(tmp_path: Path) -> None:
    root = written(tmp_path, {STEPS: RUBY, "features/a.feature": FEATURE})
    glue, env = Glue.load(str(root), jobs=1), str(root / "features/support/env.rb")
    assert said(glue, root / "features/a.feature")[1] == ("undefined", [])
    assert "I fly" in glue.update_file(env, b"require 'aruba/cucumber'\n")
    assert said(glue, root / "features/a.feature")[1] == ("undefined", ["aruba/cucumber"])
    assert "I fly" in glue.update_file(env, b"# require 'aruba/cucumber'\n")
    assert not glue.update_file(env, None)
    assert said(glue, root / "features/a.feature")[1] == ("undefined", [])


def test_steps_and_scan_call_none_undefined_that_a_library_may_define(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(written(tmp_path, {STEPS: f"require 'aruba/cucumber'\n{RUBY}", "features/a.feature": FEATURE}))
    assert run(["steps", "--no-cache"]) == 0
    shown = capsys.readouterr()
    assert "0 undefined" in shown.out
    assert "Steps that a library may define (1)" in shown.out
    assert shown.err == (
        "note: step definitions of aruba/cucumber are outside of this repository: "
        "1 step that matches no definition here may be defined there.\n"
    )
    assert run(["steps", "--no-cache", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["summary"]["undefined_steps"], document["summary"]["library_steps"]) == (0, 1)
    assert [step["libraries"] for step in document["suites"][0]["undefined"]] == [["aruba/cucumber"]]
    assert run(["scan", "--no-cache", "--severity", "undefined-step=error", "--fail-on", "information"]) == 0
    assert "aruba/cucumber, from outside of this repository, may define it" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("library", "preferred"),
    [("", "I should see the message"), ("require 'aruba/cucumber'\n", "I see the message")],
)
def test_a_wording_that_a_library_may_define_is_preferred_by_its_uses(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    library: str,
    preferred: str,
) -> None:
    """A definition of the suite takes precedence."""
    own = "Then('I should see the message {string}') do |text|\nend\n"
    steps = "".join(f'  Scenario: {name}\n    Then I see the message "{name}"\n' for name in ("one", "two", "three"))
    feature = f'Feature: x\n{steps}  Scenario: four\n    Then I should see the message "four"\n'
    monkeypatch.chdir(written(tmp_path, {STEPS: library + own, "features/a.feature": feature}))
    assert run(["scan", "--no-cache", "--json", "--fail-on", "off"]) == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    (finding,) = (finding for finding in findings if finding["rule"] == "divergent-wording")
    assert finding["preferred"]["text"].startswith(preferred)
