"""A block taken out where a step definition can call the functions of others: what is written in each language, what
is refused, and that a run is the same before and after."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cukereuse_engine.blocks.calling.write import Calls
from cukereuse_engine.blocks.said import NoExtractionError
from cukereuse_engine.refactor.apply import Journal

SCENARIO = """\
  Scenario: {name}
    Given I open the "it's a login" page
    And I fill in {count} names like "{name}"
    And I press the button
{act}    Then all is done
"""
ROWS = [("Ann", 1, "    When I pay\n"), ("Bob", 22, ""), ("{x} $y", 3, "    When I ship\n"), ("Zoë", 4, "")]
WORDING = 'I am logged in {names} times as "{like}"'
CASES = {
    "pytest-bdd": (
        "steps/conftest.py",
        """\
from pytest_bdd import given, parsers, then, when


@given(parsers.parse('I open the "{page}" page'))
def open_page(calls, page):
    calls.append(page)


@given(parsers.parse('I fill in {count:d} names like "{name}"'))
def fill_in(name, count, calls, browser):
    calls += [name] * count


@given("I press the button")
def press(calls):
    calls.append("press")


@when(parsers.parse("I {act}"))
def act(calls, act):
    calls.append(act)


@then("all is done")
def done(calls):
    print("CALLS", calls)
""",
        """\
@given(parsers.parse('I am logged in {names:d} times as "{like}"'))
def i_am_logged_in_times_as(calls, browser, names, like):
    open_page(calls, "it's a login")
    fill_in(like, names, calls, browser)
    press(calls)
""",
    ),
    "behave": (
        "steps/steps.py",
        """\
from behave import given, then, when


@given('I open the "{page}" page')
def open_page(ctx, page):
    ctx.calls = [page]


@given('I fill in {count:d} names like "{name}"')
def fill_in(ctx, name, count):
    ctx.calls += [name] * count


@given("I press the button")
def press(ctx):
    ctx.calls.append("press")


@when("I {act}")
def act(ctx, act):
    ctx.calls.append(act)


@then("all is done")
def done(ctx):
    print("CALLS", ctx.calls)
""",
        """\
@given('I am logged in {names:d} times as "{like}"')
def i_am_logged_in_times_as(context, names, like):
    open_page(context, "it's a login")
    fill_in(context, like, names)
    press(context)
""",
    ),
    "cucumber-js": (
        "steps/steps.js",
        """\
const { Given, When, Then } = require('@cucumber/cucumber');

Given('I open the {string} page', async function (page) {
  this.calls = [page];
});

const fill = async function (count, name) {
  for (let i = 0; i < count; i += 1) this.calls.push(name);
};
Given('I fill in {int} names like {string}', fill);

const later = [];
Given(/^I press the button$/, () => new Promise((done) => setTimeout(() => { later.push('press'); done(); }, 9)));

When('I {word}', function (act) {
  this.calls.push(act, later.length);
});

Then('all is done', function () {
  console.log('CALLS', JSON.stringify(this.calls));
});
""",
        """\
async function iOpenThePage(page) {
  this.calls = [page];
}

Given('I open the {string} page', iOpenThePage);
""",
        """\
Given(/^I am logged in (-?\\d+) times as "([^"]*)"$/, async function (names, like) {
  await iOpenThePage.call(this, 'it\\'s a login');
  await fill.call(this, names, like);
  await iPressTheButton();
});
""",
    ),
    "cucumber-js in TypeScript": (
        "steps/steps.ts",
        """\
import { Given, When, Then } from '@cucumber/cucumber';

Given('I open the {string} page', async function (this: Shop, page: string) {
  this.calls = [page];
});
Given('I fill in {int} names like {string}', function (this: Shop, count: number, name: string) {
  this.calls.push(name);
});
Given('I press the button', async () => {});
When('I {word}', function (act) {});
Then('all is done', function () {});
""",
        """\
Given('I am logged in {int} times as {string}', async function (this: Shop, names: number, like: string) {
  await iOpenThePage.call(this, 'it\\'s a login');
  await iFillInNamesLike.call(this, names, like);
  await iPressTheButton();
});
""",
    ),
    "playwright-bdd": (
        "steps/steps.ts",
        """\
import { createBdd } from 'playwright-bdd';
const { Given, When, Then } = createBdd();

Given('I open the {string} page', async ({ page }, path: string) => {
  await page.goto(path);
});
const fill = Given('I fill in {int} names like {string}', async ({ page, form }, count: number, name: string) => {
  await form.fill(count, name);
});
Given('I press the button', async ({ page }) => {});
When('I {word}', async ({}, act: string) => {});
Then('all is done', async ({}) => {});
""",
        "const iOpenThePage = Given('I open the {string} page', async ({ page }, path: string) => {",
        """\
Given('I am logged in {int} times as {string}', async ({ page, form }, names: number, like: string) => {
  await iOpenThePage({ page }, 'it\\'s a login');
  await fill({ page, form }, names, like);
  await iPressTheButton({ page });
});
""",
    ),
    "java": (
        "steps/Steps.java",
        """\
import io.cucumber.java.en.*;

public class Steps {
    @Given("I open the {string} page")
    public void openPage(String page) throws IOException {
        calls.add(page);
    }

    @Given("I fill in {int} names like {string}")
    public void fillIn(int count, String name) {
        calls.add(name);
    }

    @Given("I press the button")
    public void press() throws InterruptedException, IOException {}

    @When("I {word}")
    public void act(String act) {}

    @Then("all is done")
    public void done() {}
}
""",
        """\
    @Given("I am logged in {int} times as {string}")
    public void iAmLoggedInTimesAs(int names, String like) throws IOException, InterruptedException {
        openPage("it's a login");
        fillIn(names, like);
        press();
    }
""",
    ),
    "kotlin": (
        "steps/Steps.kt",
        """\
import io.cucumber.java.en.Given
import io.cucumber.java.en.Then
import io.cucumber.java.en.When

class Steps {
    @Given("I open the {string} page")
    fun openPage(page: String) {
        calls.add(page)
    }

    @Given("I fill in {int} names like {string}")
    fun fillIn(count: Int, name: String) = calls.add(name)

    @Given("I press the button")
    fun press() {}

    @When("I {word}")
    fun act(act: String) {}

    @Then("all is done")
    fun done() {}
}
""",
        """\
    @Given("I am logged in {int} times as {string}")
    fun iAmLoggedInTimesAs(names: Int, like: String) {
        openPage("it's a login")
        fillIn(names, like)
        press()
    }
""",
    ),
    "reqnroll": (
        "steps/Steps.cs",
        '''\
using Reqnroll;

[Binding]
public class Steps
{
    [Given(@"I open the ""(.*)"" page")]
    public async Task GivenIOpenThePage(string page)
    {
        calls.Add(page);
    }

    [Given(@"I fill in (\\d+) names like ""(.*)""")]
    public void GivenIFillIn(int count, Name name) => calls.Add(name);

    [Given(@"I press the button")]
    public void GivenIPressTheButton() { }

    [When(@"I (\\w+)$")]
    public void WhenI(string act) { }

    [Then(@"all is done")]
    public void Done() { }
}
''',
        """\
    [Given(@"^I am logged in (-?\\d+) times as ""([^""]*)""$")]
    public async Task GivenIAmLoggedInTimesAs(int names, Name like)
    {
        await GivenIOpenThePage("it's a login");
        GivenIFillIn(names, like);
        GivenIPressTheButton();
    }
""",
    ),
    "behat": (
        "steps/FeatureContext.php",
        """\
<?php

use Behat\\Behat\\Context\\Context;

class FeatureContext implements Context
{
    /**
     * @Given I open the :page page
     */
    public function openPage(string $page): void
    {
        $this->calls[] = $page;
    }

    /**
     * @Given I fill in :count names like :name
     */
    public function fillIn($name, int $count): void
    {
    }

    /**
     * @Given I press the button
     */
    public function press(): void
    {
    }

    /**
     * @When /^I (pay|ship|leave|wait)$/
     */
    public function act($act): void
    {
    }

    /**
     * @Then all is done
     */
    public function done(): void
    {
    }
}
""",
        """\
    /**
     * @Given I am logged in :names times as :like
     */
    public function iAmLoggedInTimesAs(int $names, $like): void
    {
        $this->openPage('it\\'s a login');
        $this->fillIn($like, $names);
        $this->press();
    }
""",
    ),
    "cucumber-rs": (
        "steps/steps.rs",
        """\
use cucumber::{given, then, when, World};

#[given(regex = r#"^I open the "(.*)" page$"#)]
async fn open_page(world: &mut Shop, page: String) {
    world.calls.push(page);
}

#[given(regex = r#"^I fill in (\\d+) names like "(.*)"$"#)]
fn fill_in(world: &mut Shop, count: usize, name: String) -> Result<(), Error> {
    Ok(())
}

#[given("I press the button")]
async fn press(world: &mut Shop) {}

#[when(regex = r"^I (\\w+)$")]
async fn act(world: &mut Shop, act: String) {}

#[then("all is done")]
async fn done(world: &mut Shop) {}
""",
        """\
async fn i_am_logged_in_times_as(world: &mut Shop, names: usize, like: String) -> Result<(), Error> {
    open_page(world, "it's a login".to_string()).await;
    fill_in(world, names, like)?;
    press(world).await;
    Ok(())
}
""",
    ),
    "godog": (
        "steps/steps_test.go",
        """\
package shop

import "github.com/cucumber/godog"

func InitializeScenario(ctx *godog.ScenarioContext) {
	ctx.Step(`^I open the "([^"]*)" page$`, openPage)
	ctx.Step(`^I fill in (\\d+) names like "([^"]*)"$`, func(count int, name string) error {
		return nil
	})
	ctx.Step(`^I press the button$`, func() error {
		return nil
	})
	ctx.When(`^I (\\w+)$`, act)
	ctx.Then(`^all is done$`, done)
}

func openPage(page string) error { return nil }

func act(act string) error { return nil }

func done() error { return nil }
""",
        '\tctx.Given(`^I am logged in "([^"]*)" times as "([^"]*)"$`, iAmLoggedInTimesAs)\n',
        """\
func iAmLoggedInTimesAs(names string, like string) godog.Steps {
	return godog.Steps{
		"I open the \\"it's a login\\" page",
		"I fill in " + names + " names like \\"" + like + "\\"",
		"I press the button",
	}
}
""",
    ),
}


@pytest.fixture
def suite(tmp_path):
    """A function that writes the suite of a case, its source changed, and gives its folder."""

    def write(case, *changes, rows=ROWS):
        path, source, *_ = CASES[case]
        for old, new in changes:
            assert old in source
            source = source.replace(old, new)
        root = tmp_path / "suite"
        (root / path).parent.mkdir(parents=True)
        (root / path).write_text(source, "utf-8")
        for number, half in enumerate((rows[:2], rows[2:])):
            text = "".join(SCENARIO.format(name=name, count=count, act=act) + "\n" for name, count, act in half)
            (root / f"f{number}.feature").write_text(f"Feature: f{number}\n{text}", "utf-8")
        return root

    return write


def contents(root):
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize("case", CASES)
def test_the_new_definition_calls_the_functions(suite, written, case):
    root = suite(case)
    before = contents(root)
    plan = written(root, WORDING)
    path, _, *expected = CASES[case]
    source = (root / path).read_text("utf-8")
    assert len(plan.places) == 4
    for one in expected:
        assert one in source
    count = '"22"' if case == "godog" else "22"
    assert f'    Given I am logged in {count} times as "Bob"\n    Then all' in (root / "f0.feature").read_text("utf-8")
    Journal(str(root.parent)).undo()
    assert contents(root) == before


@pytest.mark.parametrize(
    ("case", "old", "new", "reason"),
    [
        (
            "pytest-bdd",
            "@given(parsers.parse('I open",
            "@given(target_fixture='x', name=parsers.parse('I open",
            "a fixture",
        ),
        ("pytest-bdd", "def press(calls)", "def open_page(calls)", "the same name as another"),
        ("cucumber-js", "(page) {", "(page, callback) {", "parameters that do not match"),
        ("cucumber-js", "{int} names", "{colour} names", "only the test runner"),
        ("cucumber-js in TypeScript", "this: Shop, page", "page", "the type of its World"),
        ("java", "String page", "Page page", "only the test runner|can't be written"),
        (
            "java",
            '@Given("I press the button")',
            '}\nclass Others {\n    @Given("I press the button")',
            "several classes",
        ),
        ("reqnroll", "async Task", "async void", "no step definition"),
        ("cucumber-rs", "async fn press(world: &mut Shop)", "async fn press(world: &mut Other)", "several World types"),
    ],
)
def test_refused_with_the_reason(suite, plan_of, case, old, new, reason):
    root = suite(case, (old, new))
    before = contents(root)
    with pytest.raises(NoExtractionError, match=reason):
        plan_of(root, WORDING)
    assert contents(root) == before


@pytest.mark.parametrize("case", [one for one in CASES if one not in ("behave", "godog")])
@pytest.mark.parametrize(
    "wrong",
    [
        lambda lines: lines[1:],
        lambda lines: [lines[0].replace("login", "logout"), *lines[1:]],
        lambda lines: [lines[1], lines[0], *lines[2:]],
        lambda lines: [lines[0], lines[1].replace("like", "names"), *lines[2:]],
    ],
    ids=["forgets one", "another value", "another order", "another parameter"],
)
def test_the_check_sees_what_is_wrong(suite, plan_of, monkeypatch, case, wrong):
    """It reads what was written, and asks nobody who wrote it."""
    honest = Calls.body

    def body(self, *given):
        found = honest(self, *given)
        return type(found)(**{**{name: getattr(found, name) for name in found.__slots__}, "lines": wrong(found.lines)})

    monkeypatch.setattr(Calls, "body", body)
    with pytest.raises(NoExtractionError, match="different functions or pass different arguments"):
        plan_of(suite(case), WORDING)


def _behave(root):
    return [sys.executable, "-m", "behave", "--no-capture", "--format", "null", str(root)]


def _pytest_bdd(root):
    (root / "steps/test_all.py").write_text("from pytest_bdd import scenarios\n\nscenarios('..')\n", "utf-8")
    fixtures = "".join(f"@pytest.fixture\ndef {name}():\n    return []\n\n\n" for name in ("calls", "browser"))
    (root / "conftest.py").write_text(f"import pytest\n\n\n{fixtures}", "utf-8")
    return [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", str(root)]


def _cucumber_js(_):
    program = Path(os.environ.get("CUKEREUSE_NODE_MODULES", ""), ".bin", "cucumber-js")
    if not program.is_file() or shutil.which("node") is None:
        pytest.skip("cucumber-js is not installed")
    return [str(program), "--require", "steps/*.js", "--format", "summary", "*.feature"]


@pytest.mark.runner
@pytest.mark.heavy(seconds=10)
@pytest.mark.parametrize(
    ("case", "command"), [("behave", _behave), ("pytest-bdd", _pytest_bdd), ("cucumber-js", _cucumber_js)]
)
def test_a_run_is_the_same(suite, written, case, command):
    root = suite(case)

    def run():
        modules = os.environ.get("CUKEREUSE_NODE_MODULES", "")
        done = subprocess.run(
            command(root),
            capture_output=True,
            encoding="utf-8",
            cwd=root,
            env={**os.environ, "NODE_PATH": modules},
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return [line.partition("CALLS")[2] for line in done.stdout.splitlines() if "CALLS" in line]

    before = run()
    assert len(before) == 4
    written(root, WORDING)
    assert run() == before
