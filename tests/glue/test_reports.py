"""Reports of users about runners and similar tools: each a small suite of our own, with its runner's behaviour.

A row has the report, the file with the step definitions, and steps with their bindings: the values of the arguments, or
the status if it is not bound.
"""

import pytest

from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.text_binding import Status
from tests.glue.reports import AMBIGUOUS, UNDEFINED, Steps, check, glue_of

BEHAVE = "from behave import given, when, then, step, use_step_matcher\n"
PYTEST = "from pytest_bdd import given, when, then, parsers\n"


def python(*definitions: str) -> str:
    return "\n".join(f"{definition}\ndef step_{n}(context, **named): pass" for n, definition in enumerate(definitions))


def csharp(*attributes: str, using: str = "Reqnroll") -> str:
    methods = "\n".join(f"{attribute} public void M{n}() {{ }}" for n, attribute in enumerate(attributes))
    return f"using {using};\n[Binding] public class A {{\n{methods}\n}}"


def php(*patterns: str) -> str:
    methods = "\n".join(f"/** @Given {pattern} */\npublic function m{n}() {{ }}" for n, pattern in enumerate(patterns))
    return f"<?php class A implements \\Behat\\Behat\\Context\\Context {{\n{methods}\n}}"


def java(*annotations: str) -> str:
    methods = "\n".join(f"{annotation} public void m{n}() {{ }}" for n, annotation in enumerate(annotations))
    return f"import io.cucumber.java.en.*;\nclass A {{\n{methods}\n}}"


def go(*steps: str) -> str:
    registered = "\n".join(f"ctx.{step}" for step in steps)
    return f'package a\nimport "github.com/cucumber/godog"\nfunc I(ctx *godog.ScenarioContext) {{\n{registered}\n}}'


REPORTS: list[tuple[str, str, str, Steps]] = [
    (
        "behave/behave#280: the whole text since re stands for ^…$",
        "a.py",
        BEHAVE + "use_step_matcher('re')\n" + python("@when('I do it slowly')", "@when('I do it')"),
        [("When I do it slowly", ()), ("When I do it", ()), ("When I do it twice", UNDEFINED)],
    ),
    (
        "behave/behave#280: re.match from the start, under the matcher's old name",
        "a.py",
        BEHAVE + "use_step_matcher('re0')\n" + python("@when('I do it slowly')", "@when('I do it')"),
        [("When I do it slowly", ()), ("When I do it twice", ())],
    ),
    (
        "behave/behave#431: the colon before a DocString is dropped, a blank before it stays",
        "a.py",
        BEHAVE + python("@given('there is a user ')"),
        [('Given there is a user :\n"""\nx\n"""', ())],
    ),
    (
        "behave/behave#897: (?:…) is not optional",
        "a.py",
        BEHAVE + "use_step_matcher('re')\n" + python("@given('I land on (page) with it(?: soon)')"),
        [("Given I land on page with it soon", ("page",)), ("Given I land on page with it", UNDEFINED)],
    ),
    (
        "behave/behave#978: the general one first",
        "a.py",
        BEHAVE + python("@when('go to the {page}')", "@when('go to the new {page}')"),
        [("When go to the login", ("login",)), ("When go to the new user", AMBIGUOUS)],
    ),
    (
        "hrcorval/behavex#102: no regex under the default matcher",
        "a.py",
        BEHAVE + python("@step('I check (head|body)')"),
        [("Then I check body", UNDEFINED), ("Then I check (head|body)", ())],
    ),
    (
        "spyoungtech/behave-webdriver#72: nor a group",
        "a.py",
        BEHAVE + python("""@then('I see "([^"]*)?"')"""),
        [('Then I see "x"', UNDEFINED)],
    ),
    (
        "alexkrechik/VSCucumberAutoComplete#411: named groups of Python",
        "a.py",
        BEHAVE + "use_step_matcher('re')\n" + python("""@step('I add to cart in "(?P<store>.+)"')"""),
        [('When I add to cart in "Main"', ("Main",))],
    ),
    (
        "pytest-dev/pytest-bdd#713: an asterisk goes on with the type before it",
        "a.py",
        PYTEST + python("@given('I wait')", "@then('all is done')", "@then('none is left')"),
        [("Given I wait", ()), ("Then all is done", ()), ("* none is left", ()), ("* I wait", UNDEFINED)],
    ),
    (
        "pytest-dev/pytest-bdd#201: But",
        "a.py",
        PYTEST + python("@then('all is done')", "@then('none is left')"),
        [("Then all is done", ()), ("But none is left", ())],
    ),
    (
        "elchupanebrej/pytest-bdd-ng#81: a table is no part of the text",
        "a.py",
        PYTEST + python("@given(parsers.parse('users: {table}'))", "@given(parsers.parse('people:'))"),
        [("Given users:\n| a |", UNDEFINED), ("Given people:\n| a |", ())],
    ),
    (
        "cucumber/common#441: a parameter makes it no regex",
        "A.java",
        java('@Given("set (.+)={string}")'),
        [('Given set a="b"', UNDEFINED), ('Given set .+="b"', ('"b"',))],
    ),
    (
        "cucumber/cucumber-expressions#352: {float} matches what {int} does",
        "a.rb",
        "When('I set {int}') { |n| }\nWhen('I set {float}') { |n| }\n",
        [("When I set 32", AMBIGUOUS), ("When I set 18.0", ("18.0",))],
    ),
    ("cucumber/common#600: zero", "A.java", java('@Given("{float} left")'), [("Given 0 left", ("0",))]),
    (
        "specsolutions/deveroom-visualstudio#52: the scope of a feature",
        "A.cs",
        'using TechTalk.SpecFlow;\n[Binding, Scope(Feature = "Reports")] class A { [When("I add one")] void A() {} }\n'
        '[Binding, Scope(Feature = "Other")] class B { [When("I add one")] void B() {} }\n',
        [("When I add one", ())],
    ),
    (
        "reqnroll/Reqnroll.Rider#57: alternatives without a parameter",
        "A.cs",
        csharp('[Given("step with alternating text/string")]'),
        [("Given step with alternating text", ()), ("Given step with alternating text/string", UNDEFINED)],
    ),
    (
        "reqnroll/Reqnroll#237: what looks like no regex is a Cucumber Expression",
        "A.cs",
        csharp('[Given(@"the user opens ""(ONE|TWO)""")]'),
        [('Given the user opens "ONE"', UNDEFINED)],
    ),
    (
        "reqnroll/Reqnroll#69: which SpecFlow takes for a regex",
        "A.cs",
        csharp('[Given(@"the user opens ""(ONE|TWO)""")]', using="TechTalk.SpecFlow"),
        [('Given the user opens "ONE"', ("ONE",))],
    ),
    (
        "reqnroll/Reqnroll#63: commas and colons",
        "A.cs",
        csharp('[When("he signs in as, name: {word} and key: {word}")]'),
        [("When he signs in as, name: an_n and key: 12p6", ("an_n", "12p6"))],
    ),
    (
        "reqnroll/Reqnroll#679: anchors make a regex",
        "A.cs",
        csharp(r'[Given(@"^(?:a|the) (\w+) message comes by (Bus|Post)$")]'),
        [("Given the late message comes by Post", ("late", "Post"))],
    ),
    (
        "reqnroll/Reqnroll.VisualStudio#28: a dot and escaped parentheses",
        "A.cs",
        csharp(r'[When(@"I call it.ToString\(\)")]'),
        [("When I call it.ToString()", ())],
    ),
    (
        "Behat/Behat#540: a token at the beginning",
        "A.php",
        php(":name is here"),
        [('Given "Ann Bo" is here', ("Ann Bo",)), ("Given Ann is here", ("Ann",))],
    ),
    ("Behat/Behat#754: negative numbers", "A.php", php("I have :n left"), [("Given I have -3 left", ("-3",))]),
    (
        "Behat/Behat#890: a token takes a word without quotes",
        "A.php",
        php("a/the :kind business:", "a/the standard business:"),
        [("Given the standard business:\n| a |", AMBIGUOUS), ("Given a small business:\n| a |", ("small",))],
    ),
    (
        "cucumber/godog#673: a URL in a group",
        "a_test.go",
        go("Step(`^ask (.+) with:$`, ask)"),
        [('When ask http://some-url:8080 with:\n"""\nx\n"""', ("http://some-url:8080",))],
    ),
    (
        "cucumber/vscode#244: Given, When and Then of godog",
        "a_test.go",
        go("Given(`^there are (\\d+) left$`, left)", "When(`^I eat (\\d+)$`, eat)"),
        [("Given there are 12 left", ("12",)), ("When I eat 5", ("5",)), ("Then I eat 5", UNDEFINED)],
    ),
    (
        "vbmacher/intellij-cucumber-scala#122: an expression matches the whole text",
        "A.scala",
        "import io.cucumber.scala.{EN, ScalaDsl}\nclass A extends ScalaDsl with EN {\n"
        '  Given("basic step {string}") { (value: String) => () }\n}\n',
        [('Given basic step "a"', ('"a"',)), ('Given basic step "a" and more', UNDEFINED)],
    ),
    (
        "behave/behave#1239: one definition in an expression of Python's re",
        "a.py",
        BEHAVE + "use_step_matcher('re')\n" + python("@given('the file (?P<path>.*)')"),
        [("Given the file /a b", ("/a b",)), ("Given the file", UNDEFINED)],
    ),
    (
        "behave/behave#435: the simple one before the longer ones",
        "a.py",
        BEHAVE
        + python(
            """@given('one with "{a} {b} {c}" in "{d}"')""",
            """@given('one with "{a} {b} {c}" in "{d}" and "{e} {f} {g}" in "{h}"')""",
        ),
        [
            ('Given one with "x is 1" in "y"', ("x", "is", "1", "y")),
            ('Given one with "x is 1" in "y" and "u is 2" in "v"', AMBIGUOUS),
        ],
    ),
    (
        "hiptest/hiptest-publisher#104: the longer one before the simple one",
        "a.py",
        BEHAVE + "use_step_matcher('re')\n" + python("@when(r'I do (.*) and (.*)')", "@when(r'I do (.*)')"),
        [("When I do things", ("things",)), ("When I do things and stuff", ("things", "stuff"))],
    ),
    (
        "serenity-bdd/serenity-cucumber-starter#18: anchors make a regex of a Cucumber Expression",
        "A.java",
        java('@Given("^I look for {string}$")', '@Given("I search for {string}")'),
        [('Given I look for "a"', UNDEFINED), ('Given I search for "a"', ('"a"',))],
    ),
    (
        "chmp/ipytest#25: pytest_bdd by the name of its module",
        "a.py",
        "import pytest_bdd\n"
        + python(
            "@pytest_bdd.given('the home page is displayed')",
            """@pytest_bdd.when(pytest_bdd.parsers.parse('the user searches for "{phrase}"'))""",
        ),
        [("Given the home page is displayed", ()), ('When the user searches for "panda"', ("panda",))],
    ),
    (
        "pytest-dev/pytest-bdd#379: an And that stands deeper",
        "a.py",
        PYTEST + python("@given('no pizza is there')", "@given('I am a user')"),
        [("Given no pizza is there", ()), ("  And I am a user", ())],
    ),
    (
        "selenium-cucumber/selenium-cucumber-ruby#37: a group that may be empty",
        "a.rb",
        'Then(/^I should\\s*((?:not)?)\\s+see "(.*?)"$/) { |negate, text| }\n',
        [('Then I should see "x"', ("", "x")), ('Then I should not see "x"', ("not", "x"))],
    ),
    (
        "behave/behave#1158: a type's pattern with flags of its own",
        "a.py",
        BEHAVE
        + "from behave import register_type\nimport parse\n"
        + "@parse.with_pattern(r'(?i)ALIVE|(?i)DEAD')\ndef state(text): return text\nregister_type(State=state)\n"
        + python("@then('the status is {state:State}')"),
        [("Then the status is Alive", ("Alive",)), ("Then the status is gone", UNDEFINED)],
    ),
    (
        "pytest-dev/pytest-bdd#251: a blank at the end that no step has",
        "test_a.py",
        PYTEST
        + python(
            "@when(parsers.cfparse('{n:Number} are sent ', extra_types=dict(Number=int)))",
            "@then(parsers.cfparse('{n:Number} are received', extra_types=dict(Number=int)))",
        ),
        [("When 100 are sent", UNDEFINED), ("Then 100 are received", ("100",))],
    ),
    (
        "pytest-dev/pytest-bdd#435: a parser of the project's own",
        "test_a.py",
        PYTEST
        + "class Mine(parsers.StepParser): pass\n"
        + python("@given(Mine('there are %start% of them'))", "@when('all is well')"),
        [("Given there are 5 of them", UNDEFINED), ("When all is well", ())],
    ),
    (
        "pytest-dev/pytest-bdd#449: the last of the fixtures' names, however far its arguments reach",
        "test_a.py",
        PYTEST
        + python(
            '@then(parsers.parse(\'sum "{a}" of "{b}" is good\'))',
            '@then(parsers.parse(\'sum "{a}" for "{k}" of "{b}" is good\'))',
        ),
        [('Then sum "x" for "y" of "z" is good', ('x" for "y', "z"))],
    ),
    (
        "cucumber/language-service#229: @step answers to any keyword",
        "a.py",
        BEHAVE + python('@step("The API returns status code {status_code}")'),
        [("Then The API returns status code 201", ("201",)), ("When The API returns status code 1", ("1",))],
    ),
    (
        "cucumber/vscode#270: an expression over two lines",
        "a.rb",
        "Given('I have a ' \\\n  'very long step') do\nend\n"
        "Given(/I\\ have\\ (\\d+) # how many\n  \\ things\\z/x) { |n| }\n",
        [("Given I have a very long step", ()), ("Given I have 3 things", ("3",))],
    ),
    (
        "katalon-studio/katalon-studio#503: between slashes it is a regex, to the JVM too",
        "A.java",
        java('@When("/I run the (.*) step(?: for the (.*) time)?/")'),
        [
            ("When I run the quick step", ("quick", None)),
            ("When I run the quick step for the 2nd time", ("quick", "2nd")),
        ],
    ),
    (
        "Behat/Behat#106: apostrophes quote nothing",
        "FeatureContext.php",
        php("/^j'utilise behat en français$/", r"/^j\'utilise un apostrophe et j\'obtiens une erreur$/"),
        [
            ("Given j'utilise behat en français", ()),
            ("Then j'utilise un apostrophe et j'obtiens une erreur", ()),
        ],
    ),
    (
        "SpecFlowOSS/SpecFlow#309: a quote that an argument runs over",
        "A.cs",
        csharp('[When(@"X enters ""(.*)"" and ""(.*)""")]', '[When(@"X enters ""(.*)""")]', using="TechTalk.SpecFlow"),
        [('When X enters "John" and "Doe"', AMBIGUOUS), ('When X enters "Sue"', ("Sue",))],
    ),
]


@pytest.mark.parametrize(("report", "name", "source", "steps"), REPORTS, ids=[row[0].split(":")[0] for row in REPORTS])
def test_report(report: str, name: str, source: str, steps: Steps) -> None:
    check(report, name, source, steps)


OUTLINES = [
    ("cucumber-attic/gherkin#40: an escaped bar in a cell", "| a |\n| x\\|y |", ["I see x|y"]),
    ("ducminh-phan/reformat-gherkin#51: a line break in a cell", "| a |\n| x\\ny |", ["I see x\ny"]),
    ("cabbage-ex/gherkin#19: an escaped backslash", "| a |\n| x\\\\ |", ["I see x\\"]),
    ("cucumber-attic/gherkin2#127: a second table without rows", "| a |\n| x |\nExamples:\n| y |", ["I see x"]),
    ("leynos/rstest-bdd#375: blanks in a header", "| b c | a |\n| 1 | x |", ["I see x"]),
]


@pytest.mark.parametrize(("report", "tables", "texts"), OUTLINES, ids=[row[0].split(":")[0] for row in OUTLINES])
def test_report_of_an_outline(report: str, tables: str, texts: list[str]) -> None:
    glue = glue_of("a.rb", "Given(/^I see [^<]+\\z/m) { }\n")
    feature = f"Feature: f\nScenario Outline: one\nGiven I see <a>\nExamples:\n{tables}\n"
    (step,) = read_text("suite/features/a.feature", feature).steps
    bound = glue.bind(step)
    assert (bound.status, [text.text for text in bound.texts]) == (Status.BOUND, texts), report


def test_a_scope_holds_in_an_outline() -> None:
    """reqnroll/Reqnroll.Rider#35."""
    glue = glue_of("A.cs", csharp('[When("I wait"), Scope(Tag = "web")]'))
    feature = "@web\nFeature: f\nScenario Outline: s\nWhen I wait\nExamples:\n| a |\n| b |\n"
    steps = read_text("suite/features/a.feature", feature).steps
    glue.update_feature("suite/features/a.feature", steps)
    assert glue.bind(steps[0]).status is Status.BOUND
