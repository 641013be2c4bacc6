"""What may go wrong in a rename, kind by kind, as a user of the command line sees it: the changes and nothing else, or
the reason of a refusal."""

from dataclasses import dataclass
from pathlib import Path

import pytest

PYTHON = "from behave import given, step\n"


def behave(*steps: str, background: str = "") -> str:
    lines = "".join(f"    Given {step}\n" for step in steps)
    return f"Feature: F\n{background}  Scenario: S\n{lines}"


def definitions(*expressions: str, body: str = "use") -> str:
    """Definitions, each with a different function."""
    written = [
        f"@given({expression!r})\ndef f{number}(context, *values):\n    {body}({number}, *values)\n"
        for number, expression in enumerate(expressions)
    ]
    return "\n\n".join([PYTHON, *written])


def ruby(*pairs: tuple[str, str]) -> str:
    return "".join(f"Given(/^{expression}$/) do |*values|\n  {body}\nend\n" for expression, body in pairs)


@dataclass(frozen=True)
class Kind:
    files: dict[str, str]
    source: str
    target: str
    changes: dict[str, tuple[str, str]] | None = None
    """Maps a path to the text that is replaced everywhere in it, and the new text; other files stay. None: refused."""
    said: str = ""
    """A part of the message to the user."""
    options: tuple[str, ...] = ()
    where: str = "."


STEPS = "features/steps/s.py"
A, B = "features/a.feature", "features/b.feature"
COUNTING = definitions("the code reads 200", "the code reads 304", "I wait")
SCOPED = """\
[Binding]
[Scope(Feature = "%s")]
public class %s
{
    [Given("the list is empty")]
    public void Empty() { %s(); }
}
"""
SPECFLOW = {
    "Shop.csproj": "<Project/>",
    "A.feature": "Feature: Red\n  Scenario: S\n    Given the list is empty\n",
    "B.feature": "Feature: Blue\n  Scenario: S\n    Given the list is empty\n",
    "A.cs": SCOPED % ("Red", "A", "Red"),
    "B.cs": SCOPED % ("Blue", "B", "Blue"),
}
CYPRESS = {
    "package.json": '{"devDependencies": {"@badeball/cypress-cucumber-preprocessor": "1"}, '
    '"cypress-cucumber-preprocessor": {"stepDefinitions": "cypress/e2e/[filepath].js"}}',
    **{
        path: text
        for name in ("one", "two")
        for path, text in {
            f"cypress/e2e/{name}.feature": "Feature: F\n  Scenario: S\n    Given the list is empty\n",
            f"cypress/e2e/{name}.js": "import { Given } from '@badeball/cypress-cucumber-preprocessor';\n"
            f"Given('the list is empty', () => {{ cy.{name}(); }});\n",
        }.items()
    },
}
VITEST = """\
import { describeFeature, loadFeature } from '@amiceli/vitest-cucumber'
const feature = await loadFeature('./a.feature')
describeFeature(feature, ({ Scenario }) => {
  Scenario('S', ({ Given }) => { Given('I weigh {number} stones', () => {}) })
})
"""
TOASTS = {
    "package.json": '{"devDependencies": {"@badeball/cypress-cucumber-preprocessor": "1"}}',
    "cypress/e2e/a.feature": behave('I see a toast with "Done"', 'I see a toast with status "bad"'),
    "cypress/support/step_definitions/a.js": "import { Given } from '@badeball/cypress-cucumber-preprocessor';\n"
    "Given('I see a toast with {string}', (title) => { cy.contains(title); });\n"
    "Given('I see a toast with status {string}', (status) => { cy.status(status); });\n",
}
CONSTANTS = "ORDER = 'I order {dish}'\n\n@given(ORDER)\ndef f(context, dish):\n    order(dish)\n"

JAVA = 'import io.cucumber.java.en.*;\npublic class %s { @Given("%s") public void %s() {} }\n'
KINDS = {
    "1 a number that the definition spells out": Kind(
        {A: behave("the code reads 200", "the code reads 304"), STEPS: COUNTING},
        *("the code reads 200", "the code reads fine"),
        changes={A: ("reads 200", "reads fine"), STEPS: ("reads 200", "reads fine")},
    ),
    "1 another literal is no member of the cluster": Kind(
        {A: behave("the code reads 200", "the code reads 304"), STEPS: COUNTING},
        *("the code reads 200", "the code reads fine"),
        changes={A: ("reads 200", "reads fine"), STEPS: ("reads 200", "reads fine")},
        options=("--cluster", "--remove-unused"),
    ),
    "1 an expression means its own steps": Kind(
        TOASTS,
        *("I see a toast with {string}", "I see a toast saying {string}"),
        changes={
            "cypress/e2e/a.feature": ('with "Done"', 'saying "Done"'),
            "cypress/support/step_definitions/a.js": ("with {string}", "saying {string}"),
        },
    ),
    "1 a phrasing that is no expression": Kind(
        TOASTS,
        *("I see a toast with {1}", "I see a toast saying {1}"),
        said='in “I see a toast with status "bad"” a slot of the step to rename stands for status "bad"',
    ),
    "2 a definition that another folder uses": Kind(
        {
            "one/a.feature": behave("I hum"),
            "two/b.feature": behave("I hum"),
            "steps/s.py": definitions("I hum"),
        },
        *("I hum", "I whistle"),
        changes=dict.fromkeys(("one/a.feature", "two/b.feature", "steps/s.py"), ("I hum", "I whistle")),
        where="one",
    ),
    "2 a feature named by its path": Kind(
        {A: behave("I hum"), B: behave("I hum"), STEPS: definitions("I hum")},
        *("I hum", "I whistle"),
        changes=dict.fromkeys((A, B, STEPS), ("I hum", "I whistle")),
        where=A,
    ),
    "2 a runner without features of its own, which takes the first of two": Kind(
        {
            A: behave("I add 3 figs", "I hum"),
            STEPS: definitions("I add {n} figs", "I hum"),
            "go/go.mod": "module x\n",
            "go/s_test.go": "package a\n\nfunc Init(ctx *godog.ScenarioContext) {\n"
            "\tctx.Step(`^I add (\\d+) figs$`, add)\n\tctx.Step(`^I add`, other)\n\tctx.Step(`^I hum$`, hum)\n}\n",
        },
        *("I hum", "I whistle"),
        changes=dict.fromkeys((A, STEPS, "go/s_test.go"), ("I hum", "I whistle")),
    ),
    "4 [Scope]": Kind(
        SPECFLOW,
        *("the list is empty", "nothing is listed"),
        changes=dict.fromkeys(("A.feature", "A.cs"), ("the list is empty", "nothing is listed")),
        where="A.feature",
    ),
    "4 [filepath]": Kind(
        CYPRESS,
        *("the list is empty", "nothing is listed"),
        changes=dict.fromkeys(
            ("cypress/e2e/one.feature", "cypress/e2e/one.js"), ("the list is empty", "nothing is listed")
        ),
        where="cypress/e2e/one.feature",
    ),
    "5 another function by chance": Kind(
        {
            A: behave("we go on"),
            "features/step_definitions/s.rb": ruby(("we go on", "go"), ("stay", "stay"))
            + "Given(/rest/) do\n  rest\nend\n",
        },
        *("we go on", "we rest"),
        said="another function would run",
    ),
    "5 with what the argument stands in": Kind(
        {
            A: behave('the page says "no"'),
            "features/step_definitions/s.rb": ruby(('the page says "([^"]*)"', "says"), ("the page has (.+)", "has")),
        },
        *('the page says "no"', 'the page has "{1}"'),
        said="another function would run: the function at features/step_definitions/s.rb:4",
    ),
    "5 a move that is allowed": Kind(
        {A: behave("I eat 3 figs"), STEPS: definitions("I eat {n} figs", "I dine on {n} figs")},
        *("I eat 3 figs", "I dine on {1} figs"),
        changes={A: ("I eat 3", "I dine on 3")},
        said="moves: 1 step from f0",
        options=("--move",),
    ),
    "5 a move to what another folder's features load": Kind(
        {
            "one/features/a.feature": behave("I eat 3 figs"),
            "one/features/steps/use.py": "import figs\n",
            "figs.py": definitions("I eat {n} figs"),
            "two/features/steps/s.py": definitions("I dine on {n} figs"),
            "two/features/b.feature": behave("I dine on 2 figs"),
        },
        *("I eat 3 figs", "I dine on {1} figs"),
        said="two/features/steps/s.py:4) is in a folder that the runner does not load for its feature",
        options=("--move",),
    ),
    "5 a move to what only another folder's steps import": Kind(
        {
            "one/features/a.feature": behave("I eat 3 figs"),
            "one/features/steps/s.py": definitions("I eat {n} figs"),
            "lib/figs.py": definitions("I dine on {n} figs"),
            "two/features/steps/use.py": "import lib.figs\n",
            "two/features/b.feature": behave("I dine on 2 figs"),
        },
        *("I eat 3 figs", "I dine on {1} figs"),
        said="lib/figs.py:4) is in a folder that the runner does not load for its feature",
        options=("--move",),
    ),
    "5 a move to what the feature's own steps import": Kind(
        {
            "one/features/a.feature": behave("I eat 3 figs"),
            "one/features/steps/s.py": definitions("I eat {n} figs") + "from lib import all_steps\n",
            "lib/all_steps.py": "from . import figs\n",
            "lib/figs.py": definitions("I dine on {n} figs"),
        },
        *("I eat 3 figs", "I dine on {1} figs"),
        changes={"one/features/a.feature": ("I eat 3", "I dine on 3")},
        said="moves: 1 step from f0",
        options=("--move",),
    ),
    "5 a move to what only another folder's features require": Kind(
        {
            "one/features/a.feature": behave("I eat figs"),
            "one/features/step_definitions/s.rb": ruby(("I eat figs", "eat")),
            "lib/figs.rb": ruby(("I dine on figs", "dine")),
            "two/features/support/env.rb": "require_relative '../../../lib/figs'\n",
            "two/features/b.feature": behave("I dine on figs"),
        },
        *("I eat figs", "I dine on figs"),
        said="lib/figs.rb:1 is in a folder that the runner does not load for its feature",
        options=("--move",),
    ),
    "5 a move to what another module runs": Kind(
        {
            **{f"{module}/pom.xml": "<project/>\n" for module in ("one", "two")},
            "one/src/test/java/S.java": JAVA % ("One", "I eat figs", "eat"),
            "two/src/test/java/T.java": JAVA % ("Two", "I dine on figs", "dine"),
            "one/src/test/resources/a.feature": behave("I eat figs"),
            "two/src/test/resources/b.feature": behave("I dine on figs"),
        },
        *("I eat figs", "I dine on figs"),
        said="two/src/test/java/T.java:2) is in a folder that the runner does not load for its feature",
        options=("--move",),
    ),
    "5 a move to a module of steps": Kind(
        {
            **{f"{module}/pom.xml": "<project/>\n" for module in ("one", "two")},
            "one/src/test/java/S.java": JAVA % ("One", "I eat figs", "eat"),
            "two/src/test/java/T.java": JAVA % ("Two", "I dine on figs", "dine"),
            "one/src/test/resources/a.feature": behave("I eat figs"),
        },
        *("I eat figs", "I dine on figs"),
        changes={"one/src/test/resources/a.feature": ("I eat", "I dine on")},
        said="moves: 1 step from eat",
        options=("--move",),
    ),
    "6 a call from code": Kind(
        {
            A: behave("I hum", "I sing"),
            STEPS: definitions("I hum", "I sing")
            + "\n\n@given('both')\ndef both(context):\n    context.execute_steps('Given I hum')\n",
        },
        *("I hum", "I whistle"),
        changes={A: ("I hum", "I whistle"), STEPS: ("I hum", "I whistle")},
        said="one call from code is renamed too",
    ),
    "8 vitest-cucumber": Kind(
        {"a.feature": behave("I weigh 9 stones"), "a.spec.ts": VITEST},
        *("I weigh 9 stones", "I weigh {1} (14 lb) stones"),
        changes={
            "a.feature": ("weigh 9 stones", "weigh 9 (14 lb) stones"),
            "a.spec.ts": ("{number} stones", r"{number} \\(14 lb\\) stones"),
        },
    ),
    "9 an error of the target, though other suites don't say the step": Kind(
        {
            **{f"{name}/behave.ini": "[behave]\n" for name in ("one", "two")},
            "one/features/a.feature": behave("I hum"),
            "two/features/b.feature": behave("I sing"),
            "one/features/steps/s.py": definitions("I hum"),
        },
        *("I hum", "I hum {1"),
        said="a single { in the target",
    ),
    "9 a lookahead before an argument": Kind(
        {A: behave("I eat figs"), "features/step_definitions/s.rb": ruby(("I eat (?!no)(\\w+)", "eat"))},
        *("I eat figs", "I devour {1}"),
        changes={A: ("I eat", "I devour"), "features/step_definitions/s.rb": ("I eat", "I devour")},
    ),
    "9 a target that begins with a keyword": Kind(
        {A: behave("I hum"), STEPS: definitions("I hum")},
        *("I hum", "Given I whistle"),
        said="begins with the keyword Given",
    ),
    "9 a line separator": Kind(
        {A: behave("I hum"), STEPS: definitions("I hum")},
        *("I hum", "I\u2028whistle"),
        said="must fit on one line",
    ),
    "9 an argument that is itself in quotes": Kind(
        {
            A: behave('I fill in "T" with "\'x\'"', 'I fill in "U" with "y"'),
            STEPS: definitions('I fill in "{t}" with "{x}"'),
        },
        *('I fill in "U" with "y"', 'I write "{2}" into "{1}"'),
        changes={
            A: (
                'I fill in "T" with "\'x\'"\n    Given I fill in "U" with "y"',
                'I write "\'x\'" into "T"\n    Given I write "y" into "U"',
            ),
            STEPS: ('I fill in "{t}" with "{x}"', 'I write "{x}" into "{t}"'),
        },
    ),
    "more: a constant": Kind(
        {A: behave("I order fish"), STEPS: PYTHON + CONSTANTS},
        *("I order fish", "I ask for {1}"),
        changes={A: ("I order", "I ask for"), STEPS: ("'I order", "'I ask for")},
    ),
    "more: words beside an optional group": Kind(
        {
            A: behave("I look", 'I look within "box"'),
            "features/step_definitions/s.rb": ruby(('I look(?: within "([^"]*)")?', "look")),
        },
        *('I look within "box"', 'I look inside of "{1}"'),
        changes={
            A: ("within", "inside of"),
            "features/step_definitions/s.rb": ("within", "inside of"),
        },
    ),
    "more: what loses its last use is said, and stays": Kind(
        {A: behave("I eat 3 figs"), STEPS: definitions("I eat {n} figs", "I dine on {n} figs")},
        *("I eat 3 figs", "I dine on {1} figs"),
        changes={A: ("I eat 3", "I dine on 3")},
        said="unused",
        options=("--move",),
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_kind(name, run, tmp_path, monkeypatch):
    kind = KINDS[name]
    for path, text in kind.files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(text.encode())
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    outcome = run("rename", kind.where, "--from", kind.source, "--to", kind.target, "--write", *kind.options)
    after = {path: Path(path).read_bytes().decode() for path in kind.files}
    assert kind.said in outcome.err
    if kind.changes is None:
        assert outcome.code in (1, 2)
        assert after == kind.files
        return
    assert outcome.code == 0, outcome.err
    expected = {path: text.replace(*kind.changes.get(path, ("\0", ""))) for path, text in kind.files.items()}
    assert after == expected
    assert run("rename", "--undo").code == 0
    assert {path: Path(path).read_bytes().decode() for path in kind.files} == kind.files
