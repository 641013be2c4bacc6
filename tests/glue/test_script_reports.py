"""Reports of users about runners for JavaScript and TypeScript; see `test_reports`."""

import pytest

from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.text_binding import Status
from tests.glue.reports import AMBIGUOUS, UNDEFINED, Steps, check, glue_of

JS = "const { Given, When, Then, defineParameterType } = require('@cucumber/cucumber')\n"
OLD_CYPRESS = "import { Given, When, Then } from 'cypress-cucumber-preprocessor/steps'\n"
CYPRESS = "import { Given, When, Then, defineParameterType } from '@badeball/cypress-cucumber-preprocessor'\n"
PLAYWRIGHT = "import { createBdd } from 'playwright-bdd'\nconst { Given, When, Then } = createBdd()\n"


def calls(*definitions: str) -> str:
    return "\n".join(f"{definition.removesuffix(')')}, () => {{}})" for definition in definitions)


REPORTS: list[tuple[str, str, str, Steps]] = [
    (
        "cucumber/cucumber-expressions#343: a slash parts words",
        "a.js",
        JS + calls(r"When('an A/B test')", r"When('a C\\/D test')"),
        [("When an A/B test", UNDEFINED), ("When an B test", ()), ("When a C/D test", ())],
    ),
    (
        "cucumber/cucumber-expressions#75: alternatives end at blanks, not at parentheses",
        "a.js",
        JS + calls(r"When('run \\(installed here/there\\)')"),
        [("When run (installed there)", ()), ("When run (installed here)", UNDEFINED)],
    ),
    (
        "cucumber/common#333: escaped parentheses",
        "a.js",
        JS + calls(r"Given('{word} := vector\\({float}, {float}\\)')"),
        [("Given v := vector(3, -2.5)", ("v", "3", "-2.5"))],
    ),
    (
        "cucumber/common#767: optional text before alternatives",
        "a.js",
        JS + calls("Then('the( test) chat/email is off')"),
        [("Then the chat is off", ()), ("Then the test email is off", ()), ("Then the test is off", UNDEFINED)],
    ),
    (
        "cucumber/common#601: optional text inside of an alternative",
        "a.js",
        JS + calls("When('I wait {int} second(s)./?')"),
        [("When I wait 1 second.", ("1",)), ("When I wait 2 ?", ("2",)), ("When I wait 2 seconds?", UNDEFINED)],
    ),
    (
        "alexkrechik/VSCucumberAutoComplete#469: a word is all that is not blank",
        "a.js",
        JS + calls("Given('mail to {word}')"),
        [("Given mail to ann@b.org", ("ann@b.org",)), ("Given mail to ann b", UNDEFINED)],
    ),
    (
        "cucumber/language-server#122: an escaped slash, and an anonymous parameter with nothing in it",
        "a.ts",
        "import { When } from '@cucumber/cucumber'\n" + calls(r"When('I ask for \\/config{}')"),
        [("When I ask for /config", ("",)), ("When I ask for /config/a", ("/a",))],
    ),
    (
        "badeball/cypress-cucumber-preprocessor#662: the keyword does not part two, the first counts",
        "a.js",
        OLD_CYPRESS + calls("Given('I am in')", "Then(/^I am (in)$/)"),
        [("Given I am in", ()), ("Then I am in", ())],
    ),
    (
        "badeball/cypress-cucumber-preprocessor#678: from version 5 on several are refused",
        "a.js",
        CYPRESS + calls("Given('I am in')", "Then(/^I am (in)$/)"),
        [("Then I am in", AMBIGUOUS)],
    ),
    (
        "badeball/cypress-cucumber-preprocessor#802: a parameter that takes it all",
        "a.js",
        CYPRESS
        + "defineParameterType({ name: 'place', regexp: /.*/ })\n"
        + calls("When('I type in {place}')", "When('I type in the {place} box')"),
        [("When I type in the red box", AMBIGUOUS), ("When I type in it", ("it",))],
    ),
    (
        "vitalets/playwright-bdd#151: two of one text, one for all features and one for a tag that is not there",
        "a.ts",
        PLAYWRIGHT + "When('I play', async () => {})\nWhen('I play', { tags: '@video' }, async () => {})\n",
        [("When I play", ())],
    ),
    (
        "vitalets/playwright-bdd#74: two decorators in one class",
        "a.ts",
        "import { Fixture, Then } from 'playwright-bdd/decorators'\n@Fixture('page')\nclass Page {\n"
        "  @Then('it looks the same') one() {}\n  @Then('it looks the same') two() {}\n}\n",
        [("Then it looks the same", AMBIGUOUS)],
    ),
    (
        "cucumber/common#265: alternatives in parentheses are optional text, as written",
        "a.js",
        JS + calls("When('we (POST|PUT) {string} with body:')"),
        [
            ('When we POST "/" with body:\n"""\nx\n"""', UNDEFINED),
            ('When we POST|PUT "/" with body:\n"""\nx\n"""', ('"/"',)),
        ],
    ),
    (
        "cucumber/cucumber-js#849: a group inside of an argument",
        "a.js",
        JS
        + "defineParameterType({ name: 'demo', regexp: /demo(?:nstration)?/ })\n"
        + calls("Given(/a (demo(?:nstration)?) step/)"),
        [("Given a demo step", ("demo",)), ("Given a demonstration step", ("demonstration",))],
    ),
    (
        "cucumber/cucumber-js#1049: a parameter type with an optional part",
        "a.js",
        JS
        + r"defineParameterType({ name: 'entity', regexp: /some entity(?: with (\w+ [\d\w]+))?/ })"
        + "\n"
        + calls("Then('log {entity}')"),
        [
            ("Then log some entity", ("some entity",)),
            ("Then log some entity with id foo", ("some entity with id foo",)),
            ("Then log some entity with id", UNDEFINED),
        ],
    ),
    (
        "alexkrechik/VSCucumberAutoComplete#251: a plus sign is itself",
        "a.js",
        JS + calls("When('I add {int} + {int}')"),
        [("When I add 1 + 1", ("1", "1"))],
    ),
    (
        "alexkrechik/VSCucumberAutoComplete#289: the constructor of a regex",
        "a.js",
        JS + calls('Given(new RegExp(\'^I see the "([^"]+)" page$\'))', "Given(new RegExp(`^a (Y)$`, 'i'))"),
        [('Given I see the "home" page', ("home",)), ("Given a y", ("y",))],
    ),
    (
        "alexkrechik/VSCucumberAutoComplete#317: a dollar sign is itself",
        "a.ts",
        "import { Given, When } from 'cucumber'\n" + calls("Given('a balance of $100')", "When('$100 is paid in')"),
        [("Given a balance of $100", ()), ("When $100 is paid in", ())],
    ),
    (
        "cucumber/common#217: {string} ends at its quote",
        "a.js",
        JS + calls("When('we get {string}')", "When('we get {string} with {string}')"),
        [('When we get "/" with "id"', ('"/"', '"id"')), ('When we get "/"', ('"/"',))],
    ),
    (
        "cucumber/cucumber-js#615: two that begin alike",
        "a.js",
        JS + calls("When(/^I get back to (.*)$/)", "When(/^I get back to (.*) to do (.*)$/)"),
        [("When I get back to A to do B", AMBIGUOUS), ("When I get back to A", ("A",))],
    ),
]


@pytest.mark.parametrize(("report", "name", "source", "steps"), REPORTS, ids=[row[0].split(":")[0] for row in REPORTS])
def test_report(report: str, name: str, source: str, steps: Steps) -> None:
    check(report, name, source, steps)


def test_a_jest_scenario_with_two_definitions_of_one_text() -> None:
    """bencompton/jest-cucumber#24: each serves one step."""
    glue = Glue("suite")
    source = (
        "import { defineFeature, loadFeature } from 'jest-cucumber'\n"
        "defineFeature(loadFeature('./a.feature'), test => {\n  test('one', ({ given }) => {\n"
        "    given(/^thing (.*)$/, () => {})\n    given(/^thing (.*)$/, () => {})\n  })\n})\n"
    )
    glue.update_file("suite/a.steps.js", source.encode())
    steps = read_text("suite/a.feature", "Feature: f\nScenario: one\nGiven thing 1\nAnd thing 1\n").steps
    glue.update_feature("suite/a.feature", steps)
    assert [[definition.line for definition in glue.bind(step).definitions] for step in steps] == [[4], [5]]


def test_an_expression_that_can_not_be_read_costs_itself_alone() -> None:
    """cucumber/vscode#142: alternatives inside of optional text."""
    glue = glue_of("a.js", JS + calls("When('open d(a/o) {string}')", "When('all is well')"))
    (error,) = glue.errors
    assert "alternation can not be used inside an optional" in error.message
    steps = read_text("a.feature", "Feature: f\nScenario: one\nWhen all is well\n").steps
    assert glue.bind(steps[0]).status is Status.BOUND
