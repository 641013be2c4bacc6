"""Another order of arguments: the function's parameters change places, with types and defaults, if only steps call
it."""

import subprocess
import sys
from dataclasses import replace

import pytest

from cukereuse_engine.refactor.check import check
from cukereuse_engine.refactor.differences import BindingProblem
from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import RefusedPlanError
from cukereuse_engine.refactor.request import request_for

FEATURE = 'Feature: F\n  Scenario: S\n    Given I add 3 to "bag"\n'
TARGET = 'into "{2}" I put {1}'
CUCUMBER = "I add {int} to {string}", "into {string} I put {int}"
REGEX = 'I add (\\d+) to "(.*)"', 'into "(.*)" I put (\\d+)'
VERBATIM = 'I add (\\d+) to ""(.*)""', 'into ""(.*)"" I put (\\d+)'

PY = (
    "from behave import *\n\nuse_step_matcher('re')\n\n@given(r'EXPR')\ndef step_impl(context, PARAMETERS):\n    pass\n"
)
JS = "const { Given } = require('@cucumber/cucumber');\nGiven('EXPR', async function (PARAMETERS) {});\n"
BDD = "import { createBdd } from 'playwright-bdd';\nconst { Given } = createBdd();\nGiven('EXPR', (PARAMETERS) => 0);\n"
TS = "import { Given } from '@cucumber/cucumber';\nconst add = async (PARAMETERS) => {};\nGiven('EXPR', add);\n"
JAVA = (
    'import io.cucumber.java.en.*;\nclass A {\n    // add is good\n    @Given("EXPR")\n'
    "    public void add(PARAMETERS) {}\n}\n"
)
JAVA8 = 'import io.cucumber.java8.En;\nclass A implements En { A() { Given("EXPR", (PARAMETERS) -> {}); } }\n'
KOTLIN = 'import io.cucumber.java8.En\nclass A : En { init { Given("EXPR") { PARAMETERS -> println(n) } } }\n'
KOTLIN_FUN = 'import io.cucumber.java.en.Given\nclass A {\n  @Given("EXPR")\n  fun add(PARAMETERS) { println(n) }\n}\n'
CSHARP = 'using Reqnroll;\n[Binding] class A { [Given(@"EXPR")] public void F(PARAMETERS) {} }\n'
PHP = "<?php\nclass A implements Context {\n    /** @Given /^EXPR$/ */\n    public function f(PARAMETERS) {}\n}\n"
GO = (
    "package a\n\n// iAdd adds.\nfunc iAdd(PARAMETERS) error { return nil }\n\n"
    "func Init(ctx *godog.ScenarioContext) {\n\tctx.Step(`^EXPR$`, iAdd)\n}\n"
)
GO_LITERAL = (
    "package a\n\nfunc Init(ctx *godog.ScenarioContext) {\n\tctx.Step(`^EXPR$`, func(PARAMETERS) error {})\n}\n"
)
GO_METHOD = (
    "package a\n\nfunc (f *feature) iAdd(PARAMETERS) error { return nil }\n\n"
    "func Init(ctx *godog.ScenarioContext) {\n\tf := &feature{}\n\tctx.Step(`^EXPR$`, f.iAdd)\n}\n"
)
RUST = 'use cucumber::given;\n#[given(expr = "EXPR")]\nasync fn add(w: &mut W, PARAMETERS) {}\n'
SCALA = (
    'import io.cucumber.scala.{EN, ScalaDsl}\nclass A extends ScalaDsl with EN { Given("EXPR") { (PARAMETERS) => } }\n'
)
RUBY = "Given(/^EXPR$/) do |PARAMETERS|\nend\n"

SWAPS = {
    "behave": ("steps/a.py", PY, REGEX, "n: int, what", "what, n: int"),
    "JavaScript": ("a.js", JS, CUCUMBER, "n, what = 'x', done", "what = 'x', n, done"),
    "JavaScript, patterns": ("a.js", JS, CUCUMBER, "n, { what }", "{ what }, n"),
    "playwright-bdd": ("a.ts", BDD, CUCUMBER, "{ page }, n: number, what: string", "{ page }, what: string, n: number"),
    "TypeScript, by name": ("a.ts", TS, CUCUMBER, "this: W, n: number, what", "this: W, what, n: number"),
    "Ruby": ("a.rb", RUBY, REGEX, "n, what = 1", "what = 1, n"),
    "Ruby, braces": ("a.rb", "Given(/^EXPR$/) { |PARAMETERS| add(n, what) }\n", REGEX, "n, what", "what, n"),
    "Java": ("A.java", JAVA, CUCUMBER, "int n, final String what", "final String what, int n"),
    "Java 8": ("A.java", JAVA8, CUCUMBER, "Integer n, String what", "String what, Integer n"),
    "Kotlin": ("A.kt", KOTLIN, CUCUMBER, "n: Int, what: String", "what: String, n: Int"),
    "Kotlin, default": (
        "A.kt",
        KOTLIN_FUN,
        CUCUMBER,
        "n: Int, what: String = f(1, 2)",
        "what: String = f(1, 2), n: Int",
    ),
    "Kotlin, a name of words": (
        "A.kt",
        KOTLIN_FUN.replace("fun add(", "fun `{} is added to {}`("),
        CUCUMBER,
        "n: Int, what: String",
        "what: String, n: Int",
    ),
    "C#": ("A.cs", CSHARP, VERBATIM, "int n, [X] string what", "[X] string what, int n"),
    "PHP": ("A.php", PHP, REGEX, "int $n, ?string $what", "?string $what, int $n"),
    "Go": ("a.go", GO, REGEX, "c context.Context, n int, what string", "c context.Context, what string, n int"),
    "Go, a method": ("a.go", GO_METHOD, REGEX, "n int, what string", "what string, n int"),
    "Go, one type": ("a.go", GO_LITERAL, REGEX, "n, what string, d *D", "what, n string, d *D"),
    "Rust": ("a.rs", RUST, CUCUMBER, "n: u32, what: String", "what: String, n: u32"),
    "Scala": ("A.scala", SCALA, CUCUMBER, "n: Int, what: String", "what: String, n: Int"),
}


def filled(source: str, expression: str, parameters: str) -> str:
    return source.replace("EXPR", expression).replace("PARAMETERS", parameters)


def renamed(memory, path: str, source: str, target: str = TARGET, more: dict[str, str] | None = None):
    suite = memory({"f.feature": FEATURE, path: source, **(more or {})})
    workspace = suite.workspace()
    plan = plan_rename(request_for(workspace, 'I add 3 to "bag"', target), workspace)
    return suite.applied(plan), plan


@pytest.mark.parametrize("name", SWAPS)
def test_parameters_change_places_with_the_arguments(name, memory):
    path, source, (old, new), before, after = SWAPS[name]
    suite, plan = renamed(memory, path, filled(source, old, before))
    assert suite.text(path) == filled(source, new, after)
    assert 'Given into "bag" I put 3\n' in suite.text("f.feature")
    assert any("takes its parameters in a different order" in warning for warning in plan.warnings)
    back, _ = renamed_back(suite)
    assert back.text(path) == filled(source, old, before)


def renamed_back(suite):
    workspace = suite.workspace()
    plan = plan_rename(request_for(workspace, 'into "bag" I put 3', 'I add {2} to "{1}"'), workspace)
    return suite.applied(plan), plan


@pytest.mark.parametrize(
    ("path", "source", "expressions", "parameters", "message"),
    [
        ("steps/a.py", PY, REGEX, "n, what='x'", "a parameter of step_impl with a default"),
        ("steps/a.py", PY, REGEX, "*all", "can't be told apart"),
        ("steps/a.py", PY, REGEX, "n", "can't be told apart"),
        ("steps/a.py", PY + "\nstep_impl(None, 1, 2)\n", REGEX, "n, what", "steps/a.py:9 names step_impl"),
        ("a.js", JS.replace("{}", "{ f(arguments) }"), CUCUMBER, "n, what", "can't be told apart"),
        ("a.js", JS, CUCUMBER, "...all", "can't be told apart"),
        ("a.js", JS, CUCUMBER, "n, what = n + 1", "uses another parameter as its default"),
        ("a.ts", TS, CUCUMBER, "n: number, what?: string", "a default"),
        ("a.ts", TS + "add(1, 'x');\n", CUCUMBER, "n: number, what: string", "a.ts:4 names add"),
        ("a.ts", BDD, CUCUMBER, "n: number, what: string", "can't be told apart"),
        ("a.rb", RUBY, REGEX, "n, what, *more", "can't be told apart"),
        ("a.rb", "Given(/^EXPR$/, :add)\ndef add(PARAMETERS)\nend\n", REGEX, "n, what", "the symbol :add stands for"),
        ("A.java", JAVA, CUCUMBER, "int n, String... what", "can't be told apart"),
        ("a.go", GO, REGEX, "n int, a, what string", "declares two"),
        ("a.go", GO + "\nfunc x() { iAdd(1, `a`) }\n", REGEX, "n int, what string", "a.go:10 names iAdd"),
        (
            "steps/a.py",
            PY.replace("@given", "@when(r'(.*) or (.*)')\n@given"),
            REGEX,
            "n, what",
            "steps/a.py:5 runs the same function",
        ),
        ("steps/a.py", PY, ('I add ((\\d)+) to "(.*)"', ""), "n, m, what", "nested arguments"),
    ],
)
def test_what_can_t_be_swapped_stays(path, source, expressions, parameters, message, memory):
    with pytest.raises(RefusedPlanError) as refused:
        renamed(memory, path, filled(source, expressions[0], parameters))
    assert message in refused.value.message
    assert "keep {1} before {2}" in refused.value.message


def test_another_source_that_calls_the_function(memory):
    source = filled(JAVA, CUCUMBER[0], "int n, String what")
    other = "class B {\n  void x(A a) { a.add(1, null); }\n}\n"
    workspace = memory({"f.feature": FEATURE, "A.java": source, "B.java": other}).workspace()
    workspace = replace(workspace, sources=lambda: ["A.java", "B.java"])
    request = request_for(workspace, 'I add 3 to "bag"', TARGET)
    with pytest.raises(RefusedPlanError, match=r"B\.java:2 names add"):
        plan_rename(request, workspace)


def test_the_checker_sees_parameters_that_do_not_follow(memory):
    """Edits that only swap the arguments of an expression pass other values."""
    path, source, (old, _), before, _ = SWAPS["JavaScript, patterns"]
    suite = memory({"f.feature": FEATURE, path: filled(source, old, before)})
    workspace = suite.workspace()
    plan = plan_rename(request_for(workspace, 'I add 3 to "bag"', TARGET), workspace)
    assert not check(workspace, plan.files).breakages
    for left_out in (1, 2):
        files = []
        for file in plan.files:
            edits = [edit for edit in file.edits if not (file.is_glue and edit.new in ("n", "{ what }")[:left_out])]
            files.append(type(file)(file.path, file.version, tuple(edits), file.is_glue, file.encoding))
        assert {breakage.problem for breakage in check(workspace, files).breakages} & {
            BindingProblem.ARGUMENTS,
            BindingProblem.SOURCE,
        }


def test_behave_hands_over_the_same(tmp_path, memory):
    """The real runner prints the arguments of each function, before and after."""
    path, source, (old, _), before, _ = SWAPS["behave"]
    filled_source = filled(source, old, before).replace("pass", "print('GOT', n, what, flush=True)")
    suite, _ = renamed(memory, path, filled_source)
    outputs = []
    for number, workspace in enumerate((memory({"f.feature": FEATURE, path: filled_source}), suite)):
        folder = tmp_path / str(number)
        (folder / "steps").mkdir(parents=True)
        for name in ("f.feature", path):
            (folder / name).write_text(workspace.text(name), "utf-8")
        ran = subprocess.run(
            [sys.executable, "-m", "behave", "--no-capture", "--no-color", "f.feature"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        outputs.append([line for line in ran.stdout.splitlines() if "GOT" in line])
    assert outputs[0] == outputs[1] == ["GOT 3 bag"]
