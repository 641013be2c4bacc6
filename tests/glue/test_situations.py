"""Whole projects that users reported to other tools: the bindings of each step, and the messages."""

# ruff: noqa: E501 - lines of sources as they stand in files
from pathlib import Path

import pytest

from cukereuse_engine.gherkin.flavour import forget_configurations
from cukereuse_engine.gherkin.read import read_files
from cukereuse_engine.glue import project_rules
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.text_binding import Status

BEHAVE = "from behave import given, when, then\n"
JS = "const { Given, When, defineParameterType } = require('@cucumber/cucumber')\n"
JAVA = "import io.cucumber.java.en.*;\npublic class A {{\n{}\n}}\n"
KOTLIN = "import io.cucumber.java.en.*\n\n"
GO = 'package a\nimport "github.com/cucumber/godog"\n{}\nfunc I(sc *godog.ScenarioContext) {{\n{}\n}}\n'
UNDEFINED = "-"
AMBIGUOUS = "?"

Situation = tuple[dict[str, str], dict[str, str], list[str]]
SITUATIONS: dict[str, Situation] = {
    # name: files, steps to the line that they bind to in the only source of glue (or file:line), what is said
    "JavaScript: flags of a parameter type": (
        {"a.js": JS + "defineParameterType({ name: 't', regexp: /ab/i })\nGiven('a {t}', () => {})\n"},
        {"Given a ab": "3", "Given a AB": UNDEFINED},
        ['{t} is refused by Cucumber: its regexp has the flag "i"'],
    ),
    "JavaScript: names that no parameter type may have": (
        {
            "a.js": JS
            + "defineParameterType({ name: '[t]', regexp: /ab/ })\ndefineParameterType({ name: 'int', regexp: /x/ })\n"
            "defineParameterType({ name: 'u', regexp: /x/ })\ndefineParameterType({ name: 'u', regexp: /y/ })\nGiven('a', () => {})"
        },
        {"Given a": "6"},
        [
            "may not have any of",
            "{int} is refused by Cucumber: its name is already in use",
            "{u} is refused by Cucumber: its name is already in use",
        ],
    ),
    "Ruby: flags of a parameter type": (
        {"a.rb": "ParameterType(name: 't', regexp: /ab/i, transformer: ->(s) { s })\nGiven('a {t}') do |t|\nend\n"},
        {"Given a ab": "2", "Given a AB": UNDEFINED},
        ['has the flag "i"'],
    ),
    "badeball's Step runs a step": (
        {
            "a.js": 'import { When, Step } from "@badeball/cypress-cucumber-preprocessor";\n'
            "When('caller', function () { Step(this, 'called \"x\"'); });\nWhen('called {string}', (s) => {});\n"
        },
        {"When caller": "2", 'When called "x"': "3"},
        [],
    ),
    "playwright-bdd's Step defines one": (
        {
            "a.js": "import { createBdd } from 'playwright-bdd'\nconst { Step } = createBdd()\nStep('it works', async () => {})\n"
        },
        {"Given it works": "3"},
        [],
    ),
    "JavaScript: raw strings and sources of regexes": (
        {
            "a.js": JS
            + "Given(String.raw`raw {int} \\\\(x\\\\)`.replace, () => {})\nGiven(String.raw`a {int} \\(x)`, () => {})\n"
            "const N = /\\d+/\nGiven(new RegExp(/^source (\\d)$/.source, 'i'), () => {})\nGiven(new RegExp(`^n ${N.source}$`), () => {})\n"
        },
        {"Given a 3 (x)": "3", "Given SOURCE 4": "5", "Given n 12": "6"},
        ["computed"],
    ),
    "Ruby: calls that write HTML have names of keywords": (
        {"features/step_definitions/a.rb": "Given('a bed') { }\na href: url do\n  text 'x'\nend\n"},
        {"Given a bed": "1"},
        [],
    ),
    "Java: characters and numbers in constants": (
        {
            "A.java": JAVA.format(
                "  static final char Q = '\"';\n  static final int MAX = 7;\n"
                '  @Given("chars " + Q + \' \' + "ok") public void a() {}\n  @Given("num {int} of " + MAX) public void b(int n) {}'
            )
        },
        {'Given chars " ok': "5", "Given num 3 of 7": "6"},
        [],
    ),
    "Java: parameter types of a TypeRegistryConfigurer": (
        {
            "A.java": JAVA.format(
                '  void c(TypeRegistry r) { r.defineParameterType(new x.ParameterType<>("calc", "ADD|SUB", String.class, a -> a)); }\n'
                '  @Given("reg {calc}") public void a(String d) {}'
            )
        },
        {"Given reg ADD": "4", "Given reg add": UNDEFINED},
        [],
    ),
    "Kotlin: functions outside of classes": (
        {"A.kt": KOTLIN + '@Given("one")\nfun one() {}\n\n@When("two {int}")\nfun two(n: Int) { one() }\n'},
        {"Given one": "3", "When two 2": "6"},
        [],
    ),
    "Scala: constants of objects, stripped margins": (
        {
            "A.scala": 'import io.cucumber.scala.{EN, ScalaDsl}\nobject P { final val Word = "inter" }\nclass A extends ScalaDsl with EN {\n'
            '  Given(s"${P.Word} {int}") { (n: Int) => n }\n  Given("""\n    |b c\n    |""".stripMargin.trim) { () => 1 }\n}\n'
        },
        {"Given inter 3": "4", "Given b c": "5"},
        [],
    ),
    "Go: bytes, formatted constants": (
        {
            "a_test.go": GO.format(
                "const num = `(\\d+)`",
                "sc.Given([]byte(`^bytes here$`), f)\nsc.Step(fmt.Sprintf(`^there are %s left of %d%%$`, num, 7), f)",
            )
        },
        {"Given bytes here": "5", "Given there are 3 left of 7%": "6"},
        [],
    ),
    "Python: entries of dictionaries, joined lists": (
        {
            "features/steps/a.py": BEHAVE
            + "P = {'d': 'drink {n:d}', 'e': 'eat'}\n@given(P['d'])\ndef a(context, n): pass\n"
            "@given(' '.join(['a', 'b']))\ndef b(context): pass\n@given(P[x])\ndef c(context): pass\n"
        },
        {"Given drink 3": "3", "Given a b": "5"},
        ["computed"],
    ),
    "behave: types built of enumerations and variants": (
        {
            "features/steps/a.py": BEHAVE
            + "from behave import register_type\nfrom parse_type import TypeBuilder\nimport enum\n"
            "class Colour(enum.Enum):\n    red = 1\n    blue = 2\nnumber = TypeBuilder.make_choice(['1', '2'])\n"
            "register_type(Colour=TypeBuilder.make_enum(Colour))\n"
            "register_type(Fruit=TypeBuilder.make_variant([number, TypeBuilder.make_choice(['apple'])]))\n"
            "register_type(Many=TypeBuilder.with_many(number, listsep=';'))\n"
            "@given('colour {p:Colour}')\ndef f(context, p): pass\n@given('fruit {p:Fruit}')\ndef g(context, p): pass\n"
            "@given('many {p:Many}')\ndef h(context, p): pass\n"
        },
        {
            "Given colour red": "12",
            "Given colour pink": UNDEFINED,
            "Given fruit 2": "14",
            "Given fruit apple": "14",
            "Given fruit 9": UNDEFINED,
            "Given many 1 ; 2;1": "16",
            "Given many 1, 2": UNDEFINED,
        },
        [],
    ),
    "Numbers are written as each Cucumber reads them": (
        {"a.js": JS + "Given('big {float} items', (x) => {})\n"},
        {
            "Given big 1.5 items": "2",
            "Given big .5 items": "2",
            "Given big 1E5 items": "2",
            "Given big 1,234,567 items": UNDEFINED,
            "Given big 1e5 items": UNDEFINED,
        },
        [],
    ),
    "cucumber_priority: definitions that others override": (
        {
            "a.rb": 'Then(/^I see "(.*)"( listed)?$/) do |a, b|\nend.overridable\nThen(/^I see "x"$/) do\nend\n'
            'Then(/^I see "(y)" listed$/) do |y|\nend.overridable(priority: 5)\n'
        },
        {'Then I see "x"': "3", 'Then I see "y" listed': "5", 'Then I see "z"': "1"},
        [],
    ),
    "behave: ''' is a text block": (
        {
            "features/steps/a.py": BEHAVE
            + "@given('text')\ndef a(context): pass\n@given('after')\ndef b(context): pass\n",
            "features/a.feature": "Feature: f\n  Scenario: s\n    Given text\n      '''\n      Given no step\n      \"\"\"\n      '''\n    Given after\n",
        },
        {"Given text": "2", "Given after": "4"},
        [],
    ),
    "Turnip's expressions": (
        {
            "spec/turnip_helper.rb": "placeholder :positive do\n  match(/should not/) { false }\n  match /should/ do\n    true\n  end\nend\n"
            "step 'I :positive see :text' do |p, t|\nend\nstep 'it is(a/b)fine' do\nend\nstep 'say (x/z) y' do\nend\n"
            "step 'monsters are cool/nice/scary' do\nend\nstep 'it costs :n' do |n|\nend\nstep 'page 1/2 shown' do\nend\n"
            "step :log_in, 'I log in'\ndef log_in\nend\nsteps_for :global do\n  step 'global thing' do\n  end\nend\n"
            "step 'There are :n' do |n|\nend\n"
        },
        {
            'Given I should not see "bar"': "7",
            "Given I should see bar": "7",
            "Given I maybe see red": UNDEFINED,
            "Given it isbfine": "9",
            "Given it isfine": "9",
            "Given say z y": "11",
            "Given say y": "11",
            "Given monsters are scary": "13",
            "Given it costs 3": "15",
            "Given it costs 3.5": UNDEFINED,
            "Given page 1/2 shown": "17",
            "Given page 1 shown": UNDEFINED,
            "Given I log in": "19",
            "Given global thing": "23",
            "Given There are 3": "26",
            "Given there are 3": UNDEFINED,
        },
        [],
    ),
    "Behat: escaped slashes, words of ASCII letters": (
        {
            "features/bootstrap/FeatureContext.php": "<?php\nclass FeatureContext implements Behat\\Behat\\Context\\Context {\n"
            "  /** @Given path a\\/b end */\n  public function a() {}\n  /** @Given http:\\/\\/a.b\\/c x */\n  public function b() {}\n"
            "  /** @Given one/two y */\n  public function c() {}\n  /** @Given n :été z */\n  public function d() {}\n}\n"
        },
        {
            "Given path a/b end": "3",
            "Given http://a.b/c x": "5",
            "Given two y": "7",
            "Given path a end": UNDEFINED,
            "Given n 3 z": UNDEFINED,
            "Given n :été z": "9",
        },
        [],
    ),
    "behave: ^ and $ are joined to a regex": (
        {
            "features/steps/a.py": BEHAVE + "from behave import use_step_matcher\nuse_step_matcher('re')\n"
            "@given('cats|dogs x')\ndef a(c): pass\n@given('plain')\ndef b(c): pass\n"
        },
        {
            "Given cats anything": "4",
            "Given dogs x": "4",
            "Given dogs x y": UNDEFINED,
            "Given plain": "6",
            "Given plain x": UNDEFINED,
        },
        [],
    ),
    "behave: stages have steps of their own": (
        {
            "features/steps/a.py": BEHAVE + "@given('start')\ndef a(c): pass\n",
            "features/develop_steps/a.py": BEHAVE + "@given('start')\ndef a(c): pass\n",
        },
        {"Given start": "features/steps/a.py:2,features/develop_steps/a.py:2"},
        [],
    ),
    "cucumber-rs: each World has its own steps": (
        {
            "tests/a.rs": "use cucumber::{given, World};\n#[derive(Debug, Default, World)] struct Aw;\n#[derive(Debug, Default, World)] struct Bw;\n"
            '#[given("start")] fn a(w: &mut Aw) {}\n#[given("start")] fn b(w: &mut Bw) {}\n#[given("two")] fn c(w: &mut Aw) {}\n'
            '#[given("two")] fn d(w: &mut Aw) {}\n#[tokio::main] async fn main() {}\n'
        },
        {"Given start": "4,5", "Given two": AMBIGUOUS},
        [],
    ),
    "cucumber-rs: each program has its own steps": (
        {
            f"tests/{name}.rs": "use cucumber::{given, World};\n#[derive(Debug, Default, World)] struct W;\n"
            '#[given("start")] fn a(w: &mut W) {}\n#[tokio::main] async fn main() {}\n'
            for name in "ab"
        },
        {"Given start": "tests/a.rs:3,tests/b.rs:3"},
        [],
    ),
    "behave: the matcher that its hooks set": (
        {
            "features/environment.py": "from behave import use_step_matcher\nuse_step_matcher('re')\n",
            "features/steps/a.py": BEHAVE + "@given(r'I have (\\d+) apples')\ndef a(c, n): pass\n",
            "features/steps/b.py": BEHAVE
            + "from behave import use_step_matcher\nuse_step_matcher('parse')\n@given('{n:d} pears')\ndef a(c, n): pass\n",
        },
        {"Given I have 3 apples": "features/steps/a.py:2", "Given 4 pears": "features/steps/b.py:4"},
        [],
    ),
    "behave: a matcher that a hook sets comes too late": (
        {
            "features/environment.py": "from behave import use_step_matcher\ndef before_all(context):\n    use_step_matcher('re')\n",
            "features/steps/a.py": BEHAVE + "@given('I have {n:d} apples')\ndef a(c, n): pass\n",
        },
        {"Given I have 3 apples": "2"},
        [],
    ),
    "behave: folders below steps that nothing imports": (
        {
            "features/steps/top.py": BEHAVE
            + "from features.steps.used import more\n@given('I am top')\ndef a(c): pass\n",
            "features/steps/sub/deep.py": BEHAVE + "@given('I am nested')\ndef b(c): pass\n",
            "features/steps/used/more.py": BEHAVE + "@given('I am used')\ndef b(c): pass\n",
        },
        {
            "Given I am top": "features/steps/top.py:3",
            "Given I am nested": UNDEFINED,
            "Given I am used": "features/steps/used/more.py:2",
        },
        ["is not loaded"],
    ),
    "behave: a steps folder of a package that behave does not look into": (
        {
            "features/steps/all.py": "from acceptance.steps.web.login import *\n",
            "acceptance/steps/web/login.py": BEHAVE + "@given('one')\ndef a(c): pass\n",
            "acceptance/steps/web/logout.py": BEHAVE + "@given('two')\ndef a(c): pass\n",
        },
        {"Given one": "acceptance/steps/web/login.py:2", "Given two": "acceptance/steps/web/logout.py:2"},
        [],
    ),
    "behave: folders below steps that sources elsewhere import": (
        {
            "features/environment.py": "import support.all\n",
            "support/all.py": "from support import (\n    first,\n    second)\n",
            "support/second.py": "import importlib\nimportlib.import_module('features.steps.' + 'x.y')\n",
            "features/steps/x/y.py": BEHAVE + "@given('one')\ndef a(c): pass\n",
        },
        {"Given one": "2"},
        [],
    ),
    "behave: folders below steps that another suite imports": (
        {
            "other/features/steps/all.py": "from features.steps.shared.login import *\n",
            "features/steps/top.py": BEHAVE + "@given('two')\ndef a(c): pass\n",
            "features/steps/shared/login.py": BEHAVE + "@given('one')\ndef a(c): pass\n",
        },
        {"Given one": "features/steps/shared/login.py:2"},
        [],
    ),
    "behave: folders below steps are no stages": (
        {
            "features/steps/all.py": "from login_steps import login\nfrom home_steps import home\n",
            "features/steps/login_steps/login.py": BEHAVE + "@given('start')\ndef a(c): pass\n",
            "features/steps/home_steps/home.py": BEHAVE + "@given('start')\ndef a(c): pass\n",
        },
        {"Given start": AMBIGUOUS},
        [],
    ),
    "behave: folders below steps by a setting": (
        {
            "behave.ini": "[behave]\nuse_nested_step_modules = true\n",
            "features/steps/sub/deep.py": BEHAVE + "@given('I am nested')\ndef b(c): pass\n",
        },
        {"Given I am nested": "2"},
        [],
    ),
}


def bound(root: Path, files: dict[str, str], steps: list[str]) -> tuple[list[str], list[str]]:
    (root / ".git").mkdir(exist_ok=True)
    feature = next((name for name in files if name.endswith(".feature")), "features/a.feature")
    written = "Feature: f\n  Scenario: s\n" + "".join(f"    {step}\n" for step in steps)
    for name, text in {feature: written, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    forget_configurations()
    project_rules.forget()
    (file,) = read_files([root / feature], jobs=1)
    assert [f"{step.keyword}{step.text}" for step in file.steps] == steps, file.errors
    glue = Glue.load(str(root), jobs=1)
    glue.update_feature(file.path, file.steps)
    sources = {definition.path for definition in glue.definitions}
    messages = []
    for step in file.steps:
        binding = glue.bind(step)
        places = [
            (f"{Path(definition.path).relative_to(root).as_posix()}:" if len(sources) > 1 else "")
            + str(definition.line)
            for definition in binding.definitions
        ]
        marks = {Status.UNDEFINED: UNDEFINED, Status.AMBIGUOUS: AMBIGUOUS}
        messages.append(marks.get(binding.status) or ",".join(places))
    return messages, [*(error.message for error in glue.errors), *(error.message for error in file.errors)]


def holds(root: Path, files: dict[str, str], steps: dict[str, str], messages: list[str]) -> None:
    bindings, errors = bound(root, files, list(steps))
    assert dict(zip(steps, bindings, strict=True)) == steps
    assert len(errors) == len(messages), errors
    for expected in messages:
        assert any(expected in error for error in errors), errors


@pytest.mark.parametrize("name", SITUATIONS)
def test_situations(name: str, tmp_path: Path) -> None:
    holds(tmp_path, *SITUATIONS[name])
