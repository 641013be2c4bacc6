"""Expressions that are no single literal at their definition: constants, and literals in pieces."""

from pathlib import Path

import pytest

from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.refactor.check import check
from cukereuse_engine.refactor.edits import byte_edit, step_edit
from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import FileEdits, RefusedPlanError
from cukereuse_engine.refactor.request import request_for
from cukereuse_engine.scanning.repository import read_repository
from cukereuse_engine.settings import Settings

FEATURE = "Feature: F\n  Scenario: S\n    Given I order 2 teas\n"
PYTHON = "from pytest_bdd import given, parsers\n\n"
JS = "const { Given } = require('@cucumber/cucumber');\n"
JAVA = """\
import io.cucumber.java.en.Given;

class A {
    BEFORE
    @Given(LITERAL)
    public void a(int n) {}
}
"""
GO = """\
package a

import "github.com/cucumber/godog"

BEFORE

func I(ctx *godog.ScenarioContext) {
	ctx.Step(LITERAL, f)
}
"""


def java(before: str, literal: str) -> str:
    return JAVA.replace("BEFORE", before).replace("LITERAL", literal)


def go(before: str, literal: str) -> str:
    return GO.replace("BEFORE", before).replace("LITERAL", literal)


KOTLIN = (
    'import io.cucumber.java.en.Given\nconst val T = "teas"\nclass S {{\n  @Given("{}")\n  fun f(n: Int) {{}}\n}}\n'
)
SCALA = (
    "import io.cucumber.scala.{{EN, ScalaDsl}}\nclass S extends ScalaDsl with EN {{\n"
    '  val T = "teas"\n  Given(s"{}") {{ (n: Int) => x }}\n}}\n'
)
CSHARP = 'using Reqnroll;\n[Binding]\nclass S {{ const string T = "teas"; [Given({})] public void F(int n) {{ }} }}\n'


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (
            "s.py",
            PYTHON + "N = r'(?P<n>\\d+)'\n\n\n@given(parsers.re(f'I order {N} teas'))\ndef f(n): ...\n",
            PYTHON + "N = r'(?P<n>\\d+)'\n\n\n@given(parsers.re(f'I buy {N} teas'))\ndef f(n): ...\n",
        ),
        (
            "s.js",
            JS + "const WHO = 'I';\nGiven(`${WHO} order {int} teas`, () => {});\n",
            JS + "const WHO = 'I';\nGiven(`${WHO} buy {int} teas`, () => {});\n",
        ),
        (
            "s.rb",
            "N = '(\\d+)'\nVERB = 'order'\nGiven(/^I #{VERB} #{N} teas$/) { |n| }\n",
            "N = '(\\d+)'\nVERB = 'order'\nGiven(/^I buy #{N} teas$/) { |n| }\n",
        ),
        (
            "s.rb",
            "N = /(\\d+)/\nGiven(/^I order #{N} teas$/) { |n| }\n",
            "N = /(\\d+)/\nGiven(/^I buy #{N} teas$/) { |n| }\n",
        ),
        (
            "A.java",
            java('static final String TEAS = "{int} teas";', '"I order " + TEAS'),
            java('static final String TEAS = "{int} teas";', '"I buy " + TEAS'),
        ),
        (
            "s.js",
            JS + "Given(new RegExp('^I order (\\\\d+) teas$', 'i'), () => {});\n",
            JS + "Given(new RegExp('^I buy (\\\\d+) teas$', 'i'), () => {});\n",
        ),
        (
            "s.js",
            JS + "Given(RegExp('^I order ' +\n  `(\\\\d+) teas$`), () => {});\n",
            JS + "Given(RegExp('^I buy (\\\\d+) teas$'), () => {});\n",
        ),
        (
            "s.ts",
            JS + "const ORDER: RegExp = /^I order (\\d+) teas$/;\nGiven(ORDER, () => {});\n",
            JS + "const ORDER: RegExp = /^I buy (\\d+) teas$/;\nGiven(ORDER, () => {});\n",
        ),
        (
            "s.py",
            PYTHON + "@given(parsers.parse('I order ' '{n:d} teas'))\ndef f(n): ...\n",
            PYTHON + "@given(parsers.parse('I buy {n:d} teas'))\ndef f(n): ...\n",
        ),
        (
            "s.py",
            PYTHON + "@given(parsers.re(r'I order '\n                  r'(?P<n>\\d+) teas'))\ndef f(n): ...\n",
            PYTHON + "@given(parsers.re(r'I buy (?P<n>\\d+) teas'))\ndef f(n): ...\n",
        ),
        (
            "s.py",
            PYTHON + "ORDER = 'I order {n:d} teas'  # often\n\n\n@given(parsers.parse(ORDER))\ndef f(n): ...\n",
            PYTHON + "ORDER = 'I buy {n:d} teas'  # often\n\n\n@given(parsers.parse(ORDER))\ndef f(n): ...\n",
        ),
        (
            "s.js",
            JS + "const order = 'I order {int} teas';\nGiven(order, (n) => {});\n",
            JS + "const order = 'I buy {int} teas';\nGiven(order, (n) => {});\n",
        ),
        (
            "s.js",
            JS + "Given('I order ' + \"{int} teas\", (n) => {});\n",
            JS + "Given('I buy {int} teas', (n) => {});\n",
        ),
        (
            "A.java",
            java('private static final String ORDER = "I order {int} teas";', "ORDER"),
            java('private static final String ORDER = "I buy {int} teas";', "ORDER"),
        ),
        ("A.java", java("", '"I order " + "{int} teas"'), java("", '"I buy {int} teas"')),
        (
            "s_test.go",
            go("const order = `^I order (\\d+) teas$`", "order"),
            go("const order = `^I buy (\\d+) teas$`", "order"),
        ),
        ("s.rb", "Given('I order ' \\\n      '{int} teas') { |n| }\n", "Given('I buy {int} teas') { |n| }\n"),
        ("s.rb", "Given('I order ' + '{int} teas') { |n| }\n", "Given('I buy {int} teas') { |n| }\n"),
        (
            "S.kt",
            KOTLIN.format("I order {int} $T"),
            KOTLIN.format("I buy {int} $T"),
        ),
        (
            "S.scala",
            SCALA.format("I order {int} $T"),
            SCALA.format("I buy {int} $T"),
        ),
        (
            "S.cs",
            CSHARP.format('$"I order {{n}} {T}"'),
            CSHARP.format('$"I buy {{n}} {T}"'),
        ),
        (
            "S.cs",
            CSHARP.format('$@"^I order (\\d+) {T}$"'),
            CSHARP.format('$@"^I buy (\\d+) {T}$"'),
        ),
    ],
)
def test_rewritten_where_it_stands(path, before, after, memory):
    files = memory({"a.feature": FEATURE, path: before})
    workspace = files.workspace()
    assert [definition.rewritable for definition in workspace.glue.definitions] == [False]
    request = request_for(workspace, "I order 2 teas", "I buy {1} teas")
    done = files.applied(plan_rename(request, workspace))
    assert done.text(path) == after
    assert done.text("a.feature") == FEATURE.replace("order", "buy")


USED = PYTHON + "ORDER = 'I order {n:d} teas'\nMORE\n\n@given(parsers.parse(ORDER))\ndef f(n): ...\n"


@pytest.mark.parametrize("more", ["print(ORDER)", "\n@then(parsers.parse(ORDER))\ndef g(n): ...\n", "x = {ORDER: 1}"])
def test_what_serves_something_else_is_refused(more, memory):
    workspace = memory({"a.feature": FEATURE, "s.py": USED.replace("MORE", more)}).workspace()
    with pytest.raises(RefusedPlanError, match=r"uses? too"):
        plan_rename(request_for(workspace, "I order 2 teas", "I buy {1} teas"), workspace)


SHARED_CONSTANT = {
    "a.feature": "Feature: F\n  Scenario: S\n    Given I wait\n    Given we go\n    Given I wait again\n",
    "s.ts": "import { Given } from '@cucumber/cucumber';\nexport const WAIT = 'I wait';\nGiven(WAIT, () => one());\n",
    "page.ts": "export const title = 'x';\n",
    "t.ts": "import { Given } from '@cucumber/cucumber';\nGiven('we go', () => two());\n",
}
IMPORT = "import { WAIT } from './s';\n"


@pytest.mark.parametrize(
    ("path", "more", "user"),
    [
        ("page.ts", IMPORT + "export const shown = `${WAIT}!`;\n", "page.ts:2"),
        ("t.ts", IMPORT + "Given(`${WAIT} again`, () => three());\n", "t.ts:3"),
        ("page.ts", "// WAIT of './s' says it\n", "page.ts:2"),
        ("page.ts", "const AWAIT = 'of s';\nuse(AWAIT);\n", ""),
    ],
)
def test_a_constant_that_another_source_names_is_not_rewritten(path, more, user, tmp_path):
    (tmp_path / ".git").mkdir()
    for name, text in SHARED_CONSTANT.items():
        (tmp_path / name).write_text(text + (more if name == path else ""))
    settings = Settings(jobs=1)
    workspace = read_repository([tmp_path], settings, lambda _: settings, use_cache=False).suites
    request = request_for(workspace, "I wait", "time goes by")
    if user:
        with pytest.raises(RefusedPlanError, match=f"{user} uses too"):
            plan_rename(request, workspace)
    else:
        assert {Path(file.path).name for file in plan_rename(request, workspace).files} == {"a.feature", "s.ts"}


def test_the_checker_sees_what_a_constant_says_elsewhere(tmp_path):
    """It sees them without the planner."""
    (tmp_path / ".git").mkdir()
    for name, text in SHARED_CONSTANT.items():
        more = IMPORT + "Given(`${WAIT} again`, () => three());\n" if name == "t.ts" else ""
        (tmp_path / name).write_text(text + more)
    settings = Settings(jobs=1)
    workspace = read_repository([tmp_path], settings, lambda _: settings, use_cache=False).suites
    assert workspace is not None
    path = str(tmp_path / "s.ts")
    source = (tmp_path / "s.ts").read_bytes()
    start = source.index(b"I wait")
    edit = byte_edit(source.decode(), start, start + len("I wait"), "time goes by")
    step = next(step for step in workspace.files[str(tmp_path / "a.feature")].steps if step.text == "I wait")
    feature = FileEdits(
        step.path, workspace.files[step.path].content_hash, (step_edit(step, "time goes by"),), False, "utf-8"
    )
    checked = check(workspace, [FileEdits(path, content_hash(source), (edit,), True, "utf-8"), feature])
    assert "t.ts:4 would change too" in checked.breakages[0].reason
