"""Named slots take the argument of their name, which the expression or the function's parameter gives. A slot of the
step to rename that covers other text than the argument is refused."""

import pytest

from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import RefusedPlanError
from cukereuse_engine.refactor.request import request_for
from cukereuse_engine.refactor.target import TargetError

PAY = 'I pay 5 to "Bob"'
REGEX = r'^I pay (\d+) to "([^"]*)"$'
KINDS = {
    "js": ("s.js", "Given('I pay {int} to {string}', function (amount, name) {});", "(name, amount)"),
    "js-regex": ("s.js", f"Given(/{REGEX}/, async (amount, name) => {{}});", "(name, amount)"),
    "js-unnamed": ("s.js", "Given('I pay {int} to {string}', function () { go(...arguments); });", None),
    "ts": ("s.ts", "Given('I pay {int} to {string}', (amount: number, name: string) => {});", "(name: string, amount:"),
    "ts-taken": ("s.ts", "Given('I pay {int} to {string}', async ({ page }, amount, name) => {});", None),
    "ruby": ("s.rb", f"Given(/{REGEX}/) do |amount, name|\nend\n", "|name, amount|"),
    "behave": (
        "s.py",
        "@given('I pay {amount:d} to \"{name}\"')\ndef f(context, amount, name): ...",
        '\'"{name}" gets',
    ),
    "behave-regex": (
        "s.py",
        f"use_step_matcher('re')\n@given(r'{REGEX}')\ndef f(c, amount, name): ...",
        "(c, name, am",
    ),
    "java": (
        "S.java",
        '@Given("I pay {int} to {string}") public void f(int amount, String name) {}',
        "String name, int",
    ),
    "kotlin": ("S.kt", 'Given("I pay {int} to {string}") { amount: Int, name: String -> }', "{ name: String, amount"),
    "csharp": (
        "S.cs",
        '[Given("I pay {int} to {string}")] public void F(int amount, string name) {}',
        "string name, int",
    ),
    "go": (
        "s.go",
        f"ctx.Step(`{REGEX}`, func(amount int, name string) error {{ return nil }})",
        "(name string, amount",
    ),
    "rust": (
        "s.rs",
        '#[given(expr = "I pay {int} to {string}")]\nfn f(w: &mut World, amount: u8, name: String) {}',
        "World, name",
    ),
    "behat": ("S.php", f"/** @Given /{REGEX}/ */ public function f($amount, $name) {{}}", "($name, $amount)"),
}
AROUND = {
    "s.py": "from behave import *\n%s\n",
    "s.js": "const {Given} = require('@cucumber/cucumber');\n%s\n",
    "s.ts": "import {Given} from '@cucumber/cucumber';\n%s\n",
    "S.java": "import io.cucumber.java.en.Given;\nclass S {\n    %s\n}\n",
    "S.kt": "import io.cucumber.java8.En\nclass S : En {\n    init {\n        %s\n    }\n}\n",
    "S.cs": "using Reqnroll;\n[Binding]\nclass S\n{\n    %s\n}\n",
    "s.go": 'package s\nimport "github.com/cucumber/godog"\nfunc I(ctx *godog.ScenarioContext) {\n%s\n}\n',
    "s.rs": "use cucumber::given;\n%s\n",
    "S.php": "<?php\nclass S implements Context\n{\n    %s\n}\n",
}


def suite(*texts):
    return "Feature: f\n  Scenario: s\n" + "".join(f"    Given {text}\n" for text in texts)


def renamed(memory, path, source, old, target, *texts):
    files = memory({"a.feature": suite(*texts), path: AROUND.get(path, "%s") % source})
    workspace = files.workspace()
    after = files.applied(plan_rename(request_for(workspace, old, target), workspace))
    return after.text("a.feature"), after.text(path)


@pytest.mark.parametrize("old", [PAY, 'I pay {1} to "{2}"'])
@pytest.mark.parametrize("kind", KINDS)
def test_a_slot_takes_the_argument_of_its_name(kind, old, memory):
    path, source, written = KINDS[kind]
    if written is None:
        with pytest.raises(TargetError, match=r"none of the arguments \{int\}, \{string\}"):
            renamed(memory, path, source, old, '"{name}" gets {amount}', PAY)
        return
    feature, source = renamed(memory, path, source, old, '"{name}" gets {amount}', PAY, 'I pay 7 to "Ann"')
    assert feature == suite('"Bob" gets 5', '"Ann" gets 7')
    assert written in source


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        (
            KINDS["js"][1],
            '"{who}" gets {sum}',
            r"{who} in the target is none of the arguments {amount}, {name}.*s.js:2",
        ),
        (KINDS["js"][1], '"{name}" gets {sum}', "{sum} in the target is none of"),
        (KINDS["js"][1], '"{string}" gets {int}', None),
        (KINDS["js"][1], '"{name}" gets {int}', None),
        (KINDS["js"][1], "{name} and {string}", "none of the arguments"),
        ("Given('I pay {int} to {string}', (string, int) => {});", "{string} gets {int}", "may be several arguments"),
        ("Given('other', () => {});", "{name} gets {amount}", "no step definition names the arguments"),
    ],
)
def test_what_has_no_such_name_is_refused(source, target, reason, memory):
    if reason is None:
        assert '"Bob" gets 5' in renamed(memory, "s.js", source, PAY, target, PAY)[0]
        return
    with pytest.raises(TargetError, match=reason):
        renamed(memory, "s.js", source, PAY, target, PAY)


def test_the_only_argument_may_be_called_anything(memory):
    source = "Given('I pay {int}', (n) => {});"
    assert "I give 5" in renamed(memory, "s.js", source, "I pay 5", "I give {sum}", "I pay 5")[0]


RUBY = r"Given(/^I see the (\w+) page of (.*)$/) { |size, name| }"
PARSE = "@given('I see the {size} page of \"{name}\"')\ndef f(context, size, name): ..."
BIG, OUTLINED = 'I see the big page of "Bob Lee"', 'I see the <size>est page of "<who>"'


@pytest.mark.parametrize(
    ("old", "target", "stands_for"),
    [
        ("I see {size} page of {name}", "{name} has {size} page", "the big"),
        ("I see the {size} of {name}", "{name} has the {size}", "big page"),
        ("I see the {size}g page of {name}", "{name} has the {size}g page", "bi"),
        ('I see the {size} page of "{name} Lee"', '"{name} Lee" has the {size} page', "Bob"),
        ("I see the {1} of {2}", "{2} has the {1}", "big page"),
        ("I see the {size} page of {name}", "{name} has the {size} page", ""),
        ('I SEE the  {size} page of "{name}"', '"{name}" has the {size} page', ""),
    ],
)
@pytest.mark.parametrize(("path", "source"), [("s.rb", RUBY), ("s.py", PARSE)])
def test_a_slot_that_covers_other_text_is_refused(old, target, stands_for, path, source, memory):
    if not stands_for:
        feature, _ = renamed(memory, path, source, old, target, BIG, OUTLINED)
        assert feature == suite('"Bob Lee" has the big page', '"<who>" has the <size>est page')
        return
    with pytest.raises(RefusedPlanError, match=f"stands for {stands_for}, but"):
        renamed(memory, path, source, old, target, BIG)


@pytest.mark.parametrize("value", ['"1 July"', '"it\'s"', '""'])
@pytest.mark.parametrize("expression", ["'I pay on {string}'", r"/^I pay on (\"[^\"]*\")$/"])
def test_a_placeholder_whose_values_are_quoted_gets_no_quotes(expression, value, memory):
    source = f"const {{Given}} = require('@cucumber/cucumber');\nGiven({expression}, (day) => {{}});\n"
    outline = f"  Scenario Outline: o\n    Given I pay on <day>\n    Examples:\n      | day |\n      | {value} |\n"
    files = memory({"a.feature": suite('I pay on "May"') + outline, "s.js": source})
    workspace = files.workspace()
    after = files.applied(plan_rename(request_for(workspace, 'I pay on "May"', 'on "{1}" I pay'), workspace))
    assert after.text("a.feature") == suite('on "May" I pay') + outline.replace("I pay on <day>", "on <day> I pay")


def test_a_step_that_says_braces_is_no_phrasing(memory):
    source = "const {Given} = require('@cucumber/cucumber');\nGiven('I call {string} now', (path) => {});\n"
    texts = "I call '/a/{id}' now", "I call '/b' now"
    feature, _ = renamed(memory, "s.js", source, texts[0], "I open '{1}' now", *texts)
    assert feature == suite("I open '/a/{id}' now", "I open '/b' now")
