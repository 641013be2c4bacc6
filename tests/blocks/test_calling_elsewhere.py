"""A block whose step functions stand in several files or classes: what is written in each language, what is refused,
and that a run is the same before and after."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cukereuse_engine.blocks.calling.elsewhere.objects import Objects
from cukereuse_engine.blocks.calling.elsewhere.scripts import Scripts
from cukereuse_engine.blocks.said import NoExtractionError
from cukereuse_engine.refactor.apply import Journal

SCENARIO = """\
  Scenario: {name}
    Given I open the "login" page
    And I fill in "{name}"
    And I press the button
{act}    Then all is done
"""
ROWS = [("Ann", "    When I pay\n"), ("Bob", ""), ("Zoë", "    When I ship\n"), ("Cid", "")]
WORDING = 'I log in as "{value}"'

PYTEST = {
    "tests/steps/__init__.py": "",
    "tests/steps/forms.py": """\
from pytest_bdd import given, parsers


@given(parsers.parse('I fill in "{name}"'))
def fill_in(calls, name):
    calls.append(name)
""",
    "tests/steps/pages.py": """\
from pytest_bdd import given, parsers, then, when


@given(parsers.parse('I open the "{page}" page'))
def open_page(calls, page):
    calls.append(page)


@given("I press the button")
def press(calls):
    calls.append("press")


@when(parsers.parse("I {act:w}"))
def act(calls, act):
    calls.append(act)


@then("all is done")
def done(calls):
    print("CALLS", calls)
""",
}
BETWEEN = """\
from pytest_bdd import given

from .pages import press


@given("nobody says this")
def nobody(calls):
    press(calls)
"""
COMMON_JS = {
    "steps/forms.js": """\
const { Given } = require('@cucumber/cucumber');

Given('I fill in {string}', function (name) {
  this.calls.push(name);
});
""",
    "steps/pages.js": """\
const { Given, When, Then } = require('@cucumber/cucumber');
Given('I open the {string} page', function (page) {
  this.calls = [page];
});
Given('I press the button', async function () {
  this.calls.push('press');
});
When('I {word}', function (act) {
  this.calls.push(act);
});
Then('all is done', function () {
  console.log('CALLS', JSON.stringify(this.calls));
});
""",
}
MODULES = {
    "steps/forms.mjs": COMMON_JS["steps/forms.js"].replace(
        "const { Given } = require('@cucumber/cucumber')", "import { Given } from '@cucumber/cucumber'"
    ),
    "steps/pages.mjs": COMMON_JS["steps/pages.js"].replace(
        "const { Given, When, Then } = require('@cucumber/cucumber')",
        "import { Given, When, Then } from '@cucumber/cucumber'",
    ),
}
TYPESCRIPT = {
    "steps/forms.ts": """\
import { Given } from '@cucumber/cucumber';
import { Shop } from '../support/shop';

export function fill(this: Shop, name: string) {
  this.calls.push(name);
}
Given('I fill in {string}', fill);
""",
    "steps/pages.ts": """\
import { Given, When, Then } from '@cucumber/cucumber';
import { Shop } from '../support/shop';

Given('I open the {string} page', function (this: Shop, page: string) {
  this.calls = [page];
});
Given('I press the button', async () => {});
When('I {word}', function (act) {});
Then('all is done', function () {});
""",
}
PLAYWRIGHT = {
    "steps/forms.ts": """\
import { createBdd } from 'playwright-bdd';
import { test } from './fixtures';
const { Given } = createBdd(test);

Given('I fill in {string}', async ({ form }, name: string) => {
  await form.fill(name);
});
""",
    "steps/pages.ts": """\
import { createBdd } from 'playwright-bdd';
import { test } from './fixtures';
const { Given, When, Then } = createBdd(test);

Given('I open the {string} page', async ({ page }, path: string) => {
  await page.goto(path);
});
Given('I press the button', async ({ page }) => {});
When('I {word}', async ({}, act: string) => {});
Then('all is done', async ({}) => {});
""",
    "steps/fixtures.ts": "import { test as base } from 'playwright-bdd';\nexport const test = base.extend({});\n",
}
JAVA = {
    "steps/FormSteps.java": """\
package shop.forms;

import io.cucumber.java.en.Given;

public class FormSteps {
    @Given("I fill in {string}")
    public void fillIn(String name) throws shop.TypedException {
        calls.add(name);
    }
}
""",
    "steps/PageSteps.java": """\
package shop.pages;

import io.cucumber.java.en.*;
import shop.forms.FormSteps;

public class PageSteps {
    private final FormSteps forms;

    public PageSteps(FormSteps forms) {
        this.forms = forms;
    }

    @Given("I open the {string} page")
    public void openPage(String page) {
        calls.add(page);
    }

    @Given("I press the button")
    public void press() {}

    @When("I {word}")
    public void act(String act) {}

    @Then("all is done")
    public void done() {}
}
""",
}
SPRING = {
    **JAVA,
    "steps/PageSteps.java": JAVA["steps/PageSteps.java"]
    .replace("    private final FormSteps forms;\n", "    @Autowired\n    private FormSteps forms;\n")
    .replace("    public PageSteps(FormSteps forms) {\n        this.forms = forms;\n    }\n\n", ""),
}
KOTLIN = {
    "steps/FormSteps.kt": """\
import io.cucumber.java.en.Given

class FormSteps {
    @Given("I fill in {string}")
    fun fillIn(name: String) {
        calls.add(name)
    }
}
""",
    "steps/PageSteps.kt": """\
import io.cucumber.java.en.Given
import io.cucumber.java.en.Then
import io.cucumber.java.en.When

class PageSteps(private val forms: FormSteps) {
    @Given("I open the {string} page")
    fun openPage(page: String) {
        calls.add(page)
    }

    @Given("I press the button")
    fun press() {}

    @When("I {word}")
    fun act(act: String) {}

    @Then("all is done")
    fun done() {}
}
""",
}
CSHARP = {
    "steps/FormSteps.cs": '''\
using Reqnroll;

namespace Shop.Forms
{
    [Binding]
    public class FormSteps
    {
        [Given(@"I fill in ""(.*)""")]
        public async Task GivenIFillIn(string name) => calls.Add(name);
    }
}
''',
    "steps/PageSteps.cs": """\
using Reqnroll;
using Shop.Forms;

namespace Shop.Pages
{
    [Binding]
    public class PageSteps
    {
        private readonly FormSteps _forms;

        public PageSteps(FormSteps forms)
        {
            _forms = forms;
        }

        [Given(@"I open the ""(.*)"" page")]
        public void GivenIOpenThePage(string page) { }

        [Given(@"I press the button")]
        public void GivenIPressTheButton() { }

        [When(@"I (\\w+)$")]
        public void WhenI(string act) { }

        [Then(@"all is done")]
        public void Done() { }
    }
}
""",
}
PHP = {
    "steps/FormContext.php": """\
<?php

use Behat\\Behat\\Context\\Context;

class FormContext implements Context
{
    /**
     * @Given I fill in :name
     */
    public function fillIn($name)
    {
        $this->calls[] = $name;
    }
}
""",
    "steps/PageContext.php": """\
<?php

use Behat\\Behat\\Context\\Context;
use Behat\\Behat\\Hook\\Scope\\BeforeScenarioScope;

class PageContext implements Context
{
    private $forms;

    /** @BeforeScenario */
    public function gather(BeforeScenarioScope $scope)
    {
        $environment = $scope->getEnvironment();
        $this->forms = $environment->getContext(FormContext::class);
    }

    /**
     * @Given I open the :page page
     */
    public function openPage($page)
    {
    }

    /**
     * @Given I press the button
     */
    public function press()
    {
    }

    /**
     * @When /^I (pay|ship)$/
     */
    public function act($act)
    {
    }

    /**
     * @Then all is done
     */
    public function done()
    {
    }
}
""",
}
RUST = {
    "steps/mod.rs": "mod forms;\nmod pages;\n",
    "steps/forms.rs": """\
use cucumber::given;
use crate::Shop;

#[given(regex = r#"^I fill in "(.*)"$"#)]
async fn fill_in(world: &mut Shop, name: String) {
    world.calls.push(name);
}
""",
    "steps/pages.rs": """\
use cucumber::{given, then, when};
use crate::Shop;

#[given(regex = r#"^I open the "(.*)" page$"#)]
fn open_page(world: &mut Shop, page: String) {}

#[given("I press the button")]
async fn press(world: &mut Shop) {}

#[when(regex = r"^I (\\w+)$")]
async fn act(world: &mut Shop, act: String) {}

#[then("all is done")]
async fn done(world: &mut Shop) {}
""",
}
CASES = {
    "pytest-bdd": (
        PYTEST,
        {
            "tests/steps/pages.py": (
                "from pytest_bdd import given, parsers, then, when\nfrom .forms import fill_in\n",
                '    open_page(calls, "login")\n    fill_in(calls, value)\n    press(calls)\n',
            )
        },
    ),
    "CommonJS": (
        COMMON_JS,
        {
            "steps/pages.js": (
                "require('@cucumber/cucumber');\nconst { iFillIn } = require('./forms');\n",
                "  await iOpenThePage.call(this, 'login');\n  await iFillIn.call(this, value);\n",
            ),
            "steps/forms.js": (
                "function iFillIn(name) {",
                "Given('I fill in {string}', iFillIn);\n\nmodule.exports.iFillIn = iFillIn;\n",
            ),
        },
    ),
    "ES modules": (
        MODULES,
        {
            "steps/pages.mjs": ("'@cucumber/cucumber';\nimport { iFillIn } from './forms.mjs';\n", "iFillIn.call(this"),
            "steps/forms.mjs": ("function iFillIn(name) {", "\nexport { iFillIn };\n"),
        },
    ),
    "TypeScript": (
        TYPESCRIPT,
        {"steps/pages.ts": ("support/shop';\nimport { fill } from './forms';\n", "  await fill.call(this, value);\n")},
    ),
    "playwright-bdd": (
        PLAYWRIGHT,
        {
            "steps/pages.ts": (
                "import { iFillIn } from './forms';\n",
                "async ({ page, form }, value: string)",
                "  await iFillIn({ form }, value);\n",
            ),
            "steps/forms.ts": ("const iFillIn = Given(", "\nexport { iFillIn };\n"),
        },
    ),
    "java": (
        JAVA,
        {
            "steps/PageSteps.java": (
                "(String value) throws Exception {\n",
                "        forms.fillIn(value);\n        press();\n",
            )
        },
    ),
    "java with Spring": (SPRING, {"steps/PageSteps.java": ("        forms.fillIn(value);\n",)}),
    "kotlin": (KOTLIN, {"steps/PageSteps.kt": ("        forms.fillIn(value)\n",)}),
    "reqnroll": (
        CSHARP,
        {
            "steps/PageSteps.cs": (
                "public async Task GivenILogInAs(string value)",
                " await _forms.GivenIFillIn(value);\n",
            )
        },
    ),
    "behat": (PHP, {"steps/PageContext.php": ("        $this->forms->fillIn($value);\n",)}),
    "cucumber-rs": (
        RUST,
        {
            "steps/pages.rs": ("    super::forms::fill_in(world, value).await;\n",),
            "steps/forms.rs": ("pub(super) async fn fill_in(",),
        },
    ),
}


@pytest.fixture
def suite(tmp_path):
    """A function that writes the files of a case, some changed, and gives their folder."""

    def write(files, *changes):
        root = tmp_path / "suite"
        for path, text in files.items():
            for at, old, new in changes:
                if at == path:
                    assert old in text
                    text = text.replace(old, new)
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, "utf-8")
        for number, half in enumerate((ROWS[:2], ROWS[2:])):
            text = "".join(SCENARIO.format(name=name, act=act) + "\n" for name, act in half)
            (root / f"f{number}.feature").write_text(f"Feature: f{number}\n{text}", "utf-8")
        return root

    return write


def contents(root):
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize("case", CASES)
def test_functions_of_other_files_are_called(suite, written, case):
    files, expected = CASES[case]
    root = suite(files)
    before = contents(root)
    plan = written(root, WORDING)
    assert len(plan.places) == 4
    assert 'Given I log in as "Bob"\n    Then all' in (root / "f0.feature").read_text("utf-8")
    changed = {path.relative_to(root).as_posix() for path, data in contents(root).items() if before.get(path) != data}
    assert {one for one in changed if "feature" not in one and ".cukereuse" not in one} == set(expected)
    for path, parts in expected.items():
        text = (root / path).read_text("utf-8")
        for part in parts:
            assert part in text, text
    Journal(str(root.parent)).undo()
    assert contents(root) == before


@pytest.mark.parametrize(
    ("files", "path", "old", "new", "expected"),
    [
        (
            COMMON_JS,
            "steps/pages.js",
            "Given('I open",
            "const forms = require('./forms');\nGiven('I open",
            "{ iFillIn }",
        ),
        (
            TYPESCRIPT,
            "steps/pages.ts",
            "import { Shop }",
            "import * as forms from './forms';\nimport { Shop }",
            "await forms.fill.call(this, value)",
        ),
        (
            TYPESCRIPT,
            "steps/pages.ts",
            "import { Shop }",
            "import { fill as type } from './forms';\nimport { Shop }",
            "await type.call(this, value)",
        ),
        (TYPESCRIPT, "steps/pages.ts", "(act) {}", "(act) { fill(act); }", "import { fill as fill2 } from './forms';"),
        (
            PYTEST,
            "tests/steps/pages.py",
            "import given, parsers, then, when",
            "import given, parsers, then, when\nfrom tests.steps.forms import fill_in as typed",
            "    typed(calls, value)\n",
        ),
    ],
)
def test_imports_that_are_there_serve(suite, written, files, path, old, new, expected):
    root = suite(files, (path, old, new))
    written(root, WORDING)
    assert expected in (root / path).read_text("utf-8")


@pytest.mark.parametrize(
    ("files", "path", "old", "new", "reason"),
    [
        (JAVA, "steps/PageSteps.java", "(FormSteps forms)", "()", "let the constructor of PageSteps take one first"),
        (JAVA, "steps/PageSteps.java", "this.forms = forms", "this.forms = new FormSteps()", "has no FormSteps"),
        (JAVA, "steps/FormSteps.java", "public void", "protected void", "is not public"),
        (
            JAVA,
            "steps/PageSteps.java",
            "public class PageSteps",
            'class FormSteps { @Given("x") public void x() {} }\npublic class PageSteps',
            "several classes are called FormSteps",
        ),
        (CSHARP, "steps/PageSteps.cs", "_forms = forms;", "", "has no FormSteps that the runner gives it"),
        (CSHARP, "steps/FormSteps.cs", "string name", "Name name", "takes a Name, which"),
        (PHP, "steps/PageContext.php", "FormContext::class", "OtherContext::class", "fetch it from Behat's"),
        (KOTLIN, "steps/PageSteps.kt", "private val forms", "forms", "has no FormSteps"),
        (TYPESCRIPT, "steps/forms.ts", "name: string", "name: UserName", "takes a UserName, which"),
        (PLAYWRIGHT, "steps/forms.ts", "'./fixtures'", "'./more'", "may have different fixtures"),
        (RUST, "steps/mod.rs", "mod forms;", "", "is not known"),
    ],
)  # fmt: skip
def test_refused_with_the_reason(suite, plan_of, files, path, old, new, reason):
    root = suite(files, (path, old, new))
    before = contents(root)
    with pytest.raises(NoExtractionError, match=reason):
        plan_of(root, WORDING)
    assert contents(root) == before


def test_modules_that_no_package_holds_are_not_imported(suite, plan_of):
    files = {path: text for path, text in PYTEST.items() if "__init__" not in path}
    with pytest.raises(NoExtractionError, match="not in one package"):
        plan_of(suite(files), WORDING)


@pytest.mark.parametrize(
    ("files", "changes", "home"),
    [
        (COMMON_JS, [("steps/forms.js", "Given('I", "const p = require('./pages');\nGiven('I")], "steps/forms.js"),
        (
            COMMON_JS,
            [
                ("steps/pages.js", "{ Given, When, Then }", "{ Given, When, Then, Before }"),
                ("steps/pages.js", "When('I", "Before(() => {});\nWhen('I"),
                ("steps/pages.js", "Given('I press", "module.exports.iOpenThePage = 1;\nGiven('I press"),
            ],
            "steps/pages.js",
        ),
        (TYPESCRIPT, [("steps/forms.ts", "export function fill", "function fill")], "steps/pages.ts"),
        (
            PYTEST,
            [("tests/steps/forms.py", "from pytest_bdd", "from .pages import press\nfrom pytest_bdd")],
            "tests/steps/forms.py",
        ),
        (
            {**PYTEST, "tests/steps/between.py": BETWEEN},
            [("tests/steps/forms.py", "from pytest_bdd", "from .between import nobody\nfrom pytest_bdd")],
            "tests/steps/forms.py",
        ),
    ],
)
def test_the_file_that_can_import_the_other_one_has_the_new_step(suite, plan_of, files, changes, home):
    root = suite(files, *changes)
    plan = plan_of(root, WORDING)
    assert plan.files[-1].path == str(root / home)


@pytest.mark.runner
def test_behave_runs_the_steps_of_another_file_by_their_texts(suite, written):
    """It executes each file by itself: a relative import fails there, another one defines all steps twice."""
    pytest.importorskip("behave")
    files = {
        path.removeprefix("tests/"): text.replace("pytest_bdd", "behave")
        .replace("given, parsers", "given")
        .replace("parsers.parse(", "(")
        .replace("(calls", "(context")
        .replace("calls", "context.calls")
        .replace("    context.calls.append(page)", "    context.calls = [page]")
        for path, text in PYTEST.items()
    }
    root = suite(files)
    written(root, WORDING)
    assert "context.execute_steps(" in (root / "steps/pages.py").read_text("utf-8")
    run = subprocess.run([sys.executable, "-m", "behave", "--no-color"], cwd=root, capture_output=True, text=True)
    assert (run.returncode, "4 scenarios passed, 0 failed" in run.stdout) == (0, True), run.stdout + run.stderr


def test_hooks_would_run_in_another_order(suite, plan_of):
    """The first file would load the last one earlier; the last one can't import the first, which imports it."""
    pages = COMMON_JS["steps/pages.js"].replace("Given('I press", "const z = require('./z');\nGiven('I press")
    hooks = COMMON_JS["steps/forms.js"].replace("{ Given }", "{ Given, Before }") + "Before(() => {});\n"
    with pytest.raises(NoExtractionError, match="defines hooks, which would run in another order"):
        plan_of(suite({"steps/pages.js": pages, "steps/z.js": hooks}), WORDING)


def test_a_call_of_something_else_is_seen(suite, plan_of, monkeypatch):
    """The check follows imports and members itself, and asks nobody who wrote them."""
    monkeypatch.setattr(Objects, "called", lambda _, function, name: function and f"other.{name}")
    with pytest.raises(NoExtractionError, match="different functions"):
        plan_of(suite(JAVA), WORDING)
    monkeypatch.setattr(Scripts, "edits", lambda _: {})
    shutil.rmtree(suite(COMMON_JS))
    with pytest.raises(NoExtractionError, match="different functions"):
        plan_of(suite(COMMON_JS), WORDING)


def _cucumber_js(root):
    program = Path(os.environ.get("CUKEREUSE_NODE_MODULES", ""), ".bin", "cucumber-js")
    if not program.is_file() or shutil.which("node") is None:
        pytest.skip("cucumber-js is not installed")
    (root / "package.json").write_text("{}", "utf-8")
    (root / "node_modules").symlink_to(os.environ["CUKEREUSE_NODE_MODULES"])
    way = "--import" if list(root.glob("steps/*.mjs")) else "--require"
    return [str(program), way, "steps/*.*js", "--format", "summary", "*.feature"]


def _pytest_bdd(root):
    (root / "tests/__init__.py").write_text("", "utf-8")
    (root / "__init__.py").write_text("", "utf-8")
    star = "from .steps.forms import *\nfrom .steps.pages import *\n"
    fixture = "@pytest.fixture\ndef calls():\n    return []\n"
    (root / "tests/conftest.py").write_text(f"import pytest\n{star}\n\n{fixture}", "utf-8")
    (root / "tests/test_all.py").write_text("from pytest_bdd import scenarios\n\nscenarios('..')\n", "utf-8")
    return [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", str(root)]


@pytest.mark.runner
@pytest.mark.heavy(seconds=10)
@pytest.mark.parametrize(
    ("files", "command"), [(PYTEST, _pytest_bdd), (COMMON_JS, _cucumber_js), (MODULES, _cucumber_js)]
)
def test_a_run_is_the_same(suite, written, files, command):
    root = suite(files)
    line = command(root)

    def run():
        done = subprocess.run(line, capture_output=True, encoding="utf-8", cwd=root)
        assert done.returncode == 0, done.stdout + done.stderr
        return [one.partition("CALLS")[2] for one in done.stdout.splitlines() if "CALLS" in one]

    before = run()
    assert len(before) == 4
    written(root, WORDING)
    assert run() == before
