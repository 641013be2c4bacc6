"""The definitions that a runner chooses if several match a step."""

from pathlib import Path

import pytest

from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.glue import Glue

FEATURE = """Feature: f
  Scenario: s
    When I wait
    When I wait
      | a |
    When I wait
      '''
      b
      '''
"""
GO = 'package a\nimport "github.com/cucumber/godog"\n'
OLD = "import { When } from 'cypress-cucumber-preprocessor/steps'\n"
JS_WAIT = "When('I wait', () => {})\n"


def bound(sources: dict[str, str], path: str = "app/features/a.feature") -> list[tuple[str, list[tuple[str, int]]]]:
    """The status of each step, and the files and lines of its definitions."""
    glue = Glue("app")
    for name, source in sources.items():
        glue.update_file(name, source.encode())
    steps = read_text(path, FEATURE.replace("'''", '"""')).steps
    glue.update_feature(path, steps)
    bindings = [glue.bind(step) for step in steps]
    return [(binding.status.value, [(each.path, each.line) for each in binding.definitions]) for binding in bindings]


def first(sources: dict[str, str]) -> tuple[str, list[tuple[str, int]]]:
    return bound(sources)[0]


def test_godog_takes_the_first_that_a_function_registers() -> None:
    one = "func I(ctx *godog.ScenarioContext) {\n ctx.Step(`^I wait$`, a)\n ctx.Step(`wait`, b)\n}\n"
    other = "func J(ctx *godog.ScenarioContext) {\n step := ctx.When\n step(`^I wa`, c)\n}\n"
    assert first({"app/a_test.go": GO + one}) == ("bound", [("app/a_test.go", 4)])
    assert first({"app/a_test.go": GO + one + other}) == ("bound", [("app/a_test.go", 4), ("app/a_test.go", 9)])
    literals = "var s = []func(*godog.ScenarioContext){func(c *godog.ScenarioContext) { c.Step(`^I wait$`, a) }}\n"
    assert first({"app/a_test.go": GO + literals, "app/b_test.go": GO + one})[1] == [
        ("app/a_test.go", 3),
        ("app/b_test.go", 4),
    ]


@pytest.mark.parametrize(("initialiser", "status"), [("I", "ambiguous"), ("steps.I", "ambiguous"), ("K", "bound")])
def test_a_strict_suite_of_godog_refuses_several(initialiser: str, status: str) -> None:
    source = "func I(ctx *godog.ScenarioContext) {\n ctx.Step(`^I wait$`, a)\n ctx.Step(`wait`, b)\n}\n"
    run = f"var s = godog.TestSuite{{ScenarioInitializer: {initialiser}, Options: &godog.Options{{Strict: true}}}}\n"
    assert first({"app/a_test.go": GO + source + run})[0] == status


def test_an_edit_above_moves_no_registration() -> None:
    glue = Glue("app")
    source = "func I(ctx *godog.ScenarioContext) {\n ctx.Step(`^I wait$`, a)\n}\n"
    glue.update_file("app/a_test.go", (GO + source).encode())
    (step, *_) = read_text("app/a.feature", FEATURE.replace("'''", '"""')).steps
    glue.update_feature("app/a.feature", [step])
    glue.bind(step)
    changed = glue.update_file("app/a_test.go", (GO + "// more\n" + source).encode())
    assert changed == {"I wait"}
    assert [each.line for each in glue.bind(step).definitions] == [5]


def test_cypress_cucumber_preprocessor_took_the_first_until_version_4() -> None:
    sources = {"app/b.js": OLD + JS_WAIT, "app/a.js": OLD + JS_WAIT * 2}
    assert first(sources) == ("bound", [("app/a.js", 2)])
    own = {**sources, "app/features/a/z.js": OLD + JS_WAIT}
    assert first(own) == ("bound", [("app/features/a/z.js", 2)]), "the folder of the feature goes first"
    new = {name: source.replace("cypress-", "@badeball/cypress-") for name, source in sources.items()}
    assert first(new)[0] == "ambiguous"


@pytest.mark.parametrize("text", ["cy.visit('/')", "/// <reference types='Cypress' />"])
def test_its_functions_without_an_import(text: str) -> None:
    assert first({"app/a.js": f"{text}\nwhen('I wait', () => {{}})\n"}) == ("bound", [("app/a.js", 2)])
    assert first({"app/a.js": f"{text}\nimport {{ when }} from './x'\nwhen('I wait', () => {{}})\n"})[0] == "undefined"


@pytest.mark.parametrize("table", ["Table", "DataTable", "Reqnroll.Table"])
def test_reqnroll_looks_at_the_parameters(table: str) -> None:
    methods = [f"A({table} t)", "B()", "C(string text)", "D(int a, int b)"]
    lines = "\n".join(f'[When("I wait")] public void {method} {{ }}' for method in methods)
    bindings = bound({"app/A.cs": f"using Reqnroll;\n[Binding] class A {{\n{lines}\n}}"})
    assert bindings == [("bound", [("app/A.cs", line)]) for line in (4, 3, 5)]


def test_parameters_that_no_method_has_leave_all() -> None:
    lines = "\n".join(f'[When("I wait")] public void M{n}(int a, int b) {{ }}' for n in range(2))
    bindings = bound({"app/A.cs": f"using Reqnroll;\n[Binding] class A {{\n{lines}\n}}"})
    assert [status for status, _ in bindings] == ["ambiguous"] * 3


@pytest.mark.parametrize("suffix", ["rb", "js"])
def test_cucumber_loads_what_lies_below_features(suffix: str) -> None:
    source = {"rb": "When('I wait') { }\n", "js": "const { When } = require('@cucumber/cucumber')\n" + JS_WAIT}[suffix]
    line = 1 if suffix == "rb" else 2
    sources = {f"app/features/steps/a.{suffix}": source, f"app/spec/b.{suffix}": source}
    assert first(sources) == ("bound", [(f"app/features/steps/a.{suffix}", line)])
    assert first({f"app/spec/b.{suffix}": source, f"app/lib/c.{suffix}": source})[0] == "ambiguous"


def test_vitest_cucumber_binds_an_outline_as_it_is_written() -> None:
    source = (
        "import { describeFeature, loadFeature } from '@amiceli/vitest-cucumber'\n"
        "describeFeature(await loadFeature('./a.feature'), ({ ScenarioOutline }) => {\n"
        "  ScenarioOutline('s', ({ When }) => {\n    When('I wait <n> hours', () => {})\n  })\n})\n"
    )
    feature = "Feature: f\nScenario Outline: s\nWhen I wait <n> hours\nExamples:\n| n |\n| 1 |\n"
    glue = Glue("app")
    glue.update_file("app/a.spec.ts", source.encode())
    steps = read_text("app/a.feature", feature).steps
    glue.update_feature("app/a.feature", steps)
    assert glue.bind(steps[0]).status.value == "bound"
    assert glue.unsaid() == []


def test_pytest_bdd_before_5_binds_an_outline_as_it_is_written() -> None:
    source = (
        "from pytest_bdd import given, parsers, scenarios\nscenarios('a.feature')\n"
        "@given('I wait <n> hours')\ndef a(n): ...\n@given(parsers.parse('I eat {n:d} figs'))\ndef b(n): ...\n"
        "@given(parsers.parse('I eat {n} <of>'))\ndef c(n): ...\n"
    )
    steps = ["I wait <n> hours", "I eat <n> figs", "I eat 3 <of>", "I wait <m> hours"]
    feature = "Feature: f\nScenario Outline: s\n" + "".join(f"Given {step}\n" for step in steps)
    glue = Glue("app")
    glue.update_file("app/test_a.py", source.encode())
    read = read_text("app/a.feature", f"{feature}Examples:\n| n | m | of |\n| 1 | 2 | nuts |\n").steps
    glue.update_feature("app/a.feature", read)
    assert [[each.line for each in glue.bind(step).definitions] for step in read] == [[3], [5], [7], []]


def test_a_named_group_of_pytest_bdd_is_no_placeholder() -> None:
    source = (
        "from pytest_bdd import given, parsers, scenarios\nscenarios('a.feature')\n"
        "@given(parsers.re('I eat (?P<n>.+) figs'))\ndef a(n): ...\n"
    )
    glue = Glue("app")
    glue.update_file("app/test_a.py", source.encode())
    feature = "Feature: f\nScenario Outline: s\nGiven I eat <n> figs\nExamples:\n| n |\n| 1 |\n| 2 |\n"
    (step,) = read_text("app/a.feature", feature).steps
    glue.update_feature("app/a.feature", [step])
    assert [text.text for text in glue.bind(step).texts] == ["I eat 1 figs", "I eat 2 figs"]


@pytest.mark.parametrize(
    ("name", "source"),
    [
        (
            "A.cs",
            "using Reqnroll;\nclass MeansAttribute : WhenAttribute { }\n"
            '[Binding] class A { [Means("I wait")] void A() {} }',
        ),
        ("test_a.py", "from pytest_bdd import when, parsers\nP = parsers.parse\n@when(P('I wait'))\ndef wait(): pass"),
        (
            "a.ts",
            "import { createBdd } from 'playwright-bdd'\nconst bdd = createBdd()\nbdd.When('I wait', async () => {})",
        ),
        ("a.js", "const { When } = require('@cucumber/cucumber')\nWhen(/^I [[a-z]--[x]]ait$/v, () => {})"),
    ],
)
def test_names_of_a_project(name: str, source: str) -> None:
    assert first({f"app/{name}": source})[0] == "bound"


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("const web = createBdd(t, { tags: '@web' })\nweb.When('I wait', f)\ncreateBdd().When('I wait', f)", [4]),
        ("@Fixture({ name: 'a', tags: '@web' })\nclass A {\n  @When('I wait') a() {}\n}", []),
        ("export @Fixture<typeof test>({ tags: '@web' }) class A {\n  @When('I wait') a() {}\n}", []),
        ("@Fixture('a')\nclass A {\n  @When('I wait', { tags: '@web' }) a() {}\n  @When('I wait') b() {}\n}", [5]),
    ],
)
def test_tags_of_playwright_bdd(source: str, lines: list[int]) -> None:
    head = "import { createBdd } from 'playwright-bdd'; import { Fixture, When } from 'playwright-bdd/decorators'\n"
    status, definitions = first({"app/a.ts": head + source})
    assert [line for _, line in definitions] == lines
    assert status == ("bound" if lines else "undefined")


GUESSES = [
    ("default: --guess", ["/^I (.*)$/", "/^I wait$/"], [2]),  # without arguments before others
    ("default: -r features -g", ["/^I (.*)$/", "/^I wa(.*)$/"], [2]),  # the fewest characters in arguments
    ("default: --guess", ["/^I (.*)$/", "/^(.) (wait)$/"], [2]),  # most arguments before fewer
    ("<% std = '--guess' %>\ndefault: <%= std %>", ["/I wait/", "/^I wait$/"], [2]),  # the longest
    ("default: --guess", ['"I {word}"', "/^I (wait)$/"], [1, 2]),  # both are as good
    ("default: --format x-g --no-guess", ["/^I (.*)$/", "/^I wait$/"], [1, 2]),
    ("# --guess\ndefault: -x", ["/^I (.*)$/", "/^I wait$/"], [1, 2]),
]


@pytest.mark.parametrize(("profiles", "expressions", "lines"), GUESSES)
def test_guess(profiles: str, expressions: list[str], lines: list[int], tmp_path: Path) -> None:
    steps = tmp_path / "features/steps.rb"
    steps.parent.mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / "cucumber.yml").write_text(profiles)
    steps.write_text("".join(f"When({expression}) {{ }}\n" for expression in expressions))
    glue = Glue.load(str(tmp_path), jobs=1)
    step = read_text(str(tmp_path / "features/a.feature"), FEATURE).steps[0]
    assert [definition.line for definition in glue.bind(step).definitions] == lines


def test_a_type_that_nobody_can_tell_makes_no_definition_refused() -> None:
    source = "from behave import when\nregister_type(**read('types.json'))\n"
    source += "@when('I {do:Act}')\ndef a(c, do): ...\n@when('I wait')\ndef b(c): ...\n"
    assert first({"app/features/steps/a.py": source})[0] == "bound"
