"""A block is extracted if a step definition can call the functions of others, in its own file or in several: the
written code in each language, the refusals, and runs that are the same before and after."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cukereuse_engine.blocks.calling.elsewhere.objects import Objects
from cukereuse_engine.blocks.calling.elsewhere.scripts import Scripts
from cukereuse_engine.blocks.calling.write import BlockCalls
from cukereuse_engine.blocks.cut_places import NoExtractionError
from cukereuse_engine.refactor.journal import Journal
from tests.blocks.conftest import CALLING, contents

WORDINGS = {"one-file": 'I am logged in {count} times as "{name}"', "several-files": 'I log in as "{name}"'}
CASES = sorted(path.parent.relative_to(CALLING).as_posix() for path in CALLING.glob("*/*/before"))

CALLED = [
    case for case in CASES if case.startswith("one-file/") and not case.endswith(("/behave", "/godog", "/turnip"))
]


def wording(case):
    return WORDINGS[case.partition("/")[0]]


@pytest.mark.parametrize("case", CASES)
def test_the_new_definition_calls_the_functions(calling, written, case):
    root = calling(case)
    before = contents(root)
    plan = written(root, wording(case))
    assert len(plan.places) == 4
    changed = {path: data.decode() for path, data in contents(root).items() if before.get(path) != data}
    features = {path: changed.pop(path) for path in list(changed) if path.endswith(".feature")}
    assert changed == {path: data.decode() for path, data in contents(CALLING / case / "after").items()}
    assert sorted(features) == ["f0.feature", "f1.feature"]
    count = '"22"' if case.endswith(("/godog", "/turnip")) else "22"
    step = {"one-file": f'I am logged in {count} times as "Bob"', "several-files": 'I log in as "Bob"'}
    assert f"    Given {step[case.partition('/')[0]]}\n    Then all" in features["f0.feature"]
    Journal(str(root.parent)).undo()
    assert contents(root) == before


PRESSING = '@Given("I press the button")'
OTHER_FORM = "@given(target_fixture='x', name=parsers.parse('I open"
SECOND = 'class FormSteps { @Given("x") public void x() {} }\n'


@pytest.mark.parametrize(
    ("case", "change", "reason"),
    [
        ("one-file/pytest-bdd", ("conftest.py", "@given(parsers.parse('I open", OTHER_FORM), "a fixture"),
        ("one-file/pytest-bdd", ("conftest.py", "def press(calls)", "def open_page(calls)"), "same name as another"),
        ("one-file/cucumber-js", ("steps.js", "(page) {", "(page, callback) {"), "parameters that do not match"),
        ("one-file/cucumber-js", ("steps.js", "{int} names", "{colour} names"), "only the test runner"),
        ("one-file/typescript", ("steps.ts", "this: Shop, page", "page"), "the type of its World"),
        (
            "several-files/playwright-bdd",
            ("forms.ts", "{ form }", "{ form, $step }"),
            "reads the text of its step, which would be another one",
        ),
        ("one-file/java", ("Steps.java", "String page", "Page page"), "only the test runner|can't be written"),
        ("one-file/java", ("Steps.java", PRESSING, f"}}\nclass Others {{\n    {PRESSING}"), "several classes"),
        ("one-file/reqnroll", ("Steps.cs", "async Task", "async void"), "no step definition"),
        ("one-file/cucumber-rs", ("steps.rs", "press(world: &mut Shop", "press(world: &mut Other"), "several World"),
        ("several-files/java", ("PageSteps.java", "(FormSteps forms)", "()"), "constructor of PageSteps take one"),
        ("several-files/java", ("PageSteps.java", "this.forms = forms", "this.forms = new FormSteps()"), "has no Form"),
        ("several-files/java", ("FormSteps.java", "public void", "protected void"), "is not public"),
        (
            "several-files/java",
            ("PageSteps.java", "public class PageSteps", f"{SECOND}public class PageSteps"),
            "several classes are called FormSteps",
        ),
        ("several-files/reqnroll", ("PageSteps.cs", "_forms = forms;", ""), "no FormSteps that the runner gives it"),
        ("several-files/reqnroll", ("FormSteps.cs", "string name", "Name name"), "takes a Name, which"),
        ("several-files/behat", ("PageContext.php", "FormContext::class", "Other::class"), "fetch it from Behat's"),
        ("several-files/kotlin", ("PageSteps.kt", "private val forms", "forms"), "has no FormSteps"),
        ("several-files/typescript", ("forms.ts", "name: string", "name: UserName"), "takes a UserName, which"),
        ("several-files/playwright-bdd", ("forms.ts", "'./fixtures'", "'./more'"), "may have different fixtures"),
        ("several-files/cucumber-rs", ("mod.rs", "mod forms;", ""), "is unclear how"),
    ],
)  # fmt: skip
def test_refused_with_the_reason(calling, plan_of, case, change, reason):
    root = calling(case, change)
    before = contents(root)
    with pytest.raises(NoExtractionError, match=reason):
        plan_of(root, wording(case))
    assert contents(root) == before


@pytest.mark.parametrize("case", CALLED)
@pytest.mark.parametrize(
    "wrong",
    [
        lambda lines: lines[1:],
        lambda lines: [lines[0].replace("login", "logout"), *lines[1:]],
        lambda lines: [lines[1], lines[0], *lines[2:]],
        lambda lines: [lines[0], re.sub(r"\bname\b", "count", lines[1]), *lines[2:]],
    ],
    ids=["forgets one", "another value", "another order", "another parameter"],
)  # fmt: skip
def test_the_check_sees_what_is_wrong(calling, plan_of, monkeypatch, case, wrong):
    """The check reads the written code, independent of its writer."""
    honest = BlockCalls.body

    def body(self, *given):
        calls = honest(self, *given)
        return type(calls)(**{**{name: getattr(calls, name) for name in calls.__slots__}, "lines": wrong(calls.lines)})

    monkeypatch.setattr(BlockCalls, "body", body)
    with pytest.raises(NoExtractionError, match=r"the scenario “.*” would run “.*”"):
        plan_of(calling(case), wording(case))


@pytest.mark.parametrize(
    ("case", "writer", "name", "wrong"),
    [
        ("java", Objects, "called", lambda _, function, name: function and f"other.{name}"),
        ("common-js", Scripts, "edits", lambda _: {}),
    ],
)
def test_a_call_of_something_else_is_seen(calling, plan_of, monkeypatch, case, writer, name, wrong):
    """The check follows imports and members itself, independent of their writer."""
    monkeypatch.setattr(writer, name, wrong)
    with pytest.raises(NoExtractionError, match=r"the scenario “.*” would run “.*”"):
        plan_of(calling(f"several-files/{case}"), WORDINGS["several-files"])


def behave(root):
    return [sys.executable, "-m", "behave", "--no-capture", "--format", "null", str(root)]


def cucumber_js(root):
    program = Path(os.environ.get("CUKEREUSE_NODE_MODULES", ""), ".bin", "cucumber-js")
    if not program.is_file() or shutil.which("node") is None:
        pytest.skip("cucumber-js is not installed")
    (root / "package.json").write_text("{}", "utf-8")
    (root / "node_modules").symlink_to(os.environ["CUKEREUSE_NODE_MODULES"])
    way = "--import" if list(root.glob("steps/*.mjs")) else "--require"
    return [str(program), way, "steps/*.*js", "--format", "summary", "*.feature"]


def pytest_bdd(root):
    (root / "test_all.py").write_text("from pytest_bdd import scenarios\n\nscenarios('.')\n", "utf-8")
    (root / "__init__.py").write_text("", "utf-8")
    (root / "tests").mkdir(exist_ok=True)
    (root / "tests/__init__.py").write_text("", "utf-8")
    modules = sorted(root.glob("tests/steps/*.py")) or [root / "steps/conftest.py"]
    stars = [
        f"from .{path.relative_to(root).with_suffix('').as_posix().replace('/', '.')} import *" for path in modules
    ]
    fixtures = [f"@pytest.fixture\ndef {name}():\n    return []\n" for name in ("calls", "browser")]
    (root / "conftest.py").write_text("\n".join(["import pytest", *stars, *fixtures]), "utf-8")
    return [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", str(root / "test_all.py")]


@pytest.mark.runner
@pytest.mark.heavy(seconds=10)
@pytest.mark.parametrize(
    ("case", "command"),
    [
        ("one-file/behave", behave),
        ("one-file/pytest-bdd", pytest_bdd),
        ("one-file/cucumber-js", cucumber_js),
        ("several-files/pytest-bdd", pytest_bdd),
        ("several-files/common-js", cucumber_js),
        ("several-files/es-modules", cucumber_js),
    ],
)
def test_a_run_is_the_same(calling, written, case, command):
    root = calling(case)
    line = command(root)

    def run():
        done = subprocess.run(line, capture_output=True, encoding="utf-8", cwd=root)
        assert done.returncode == 0, done.stdout + done.stderr
        return [line.partition("CALLS")[2] for line in done.stdout.splitlines() if "CALLS" in line]

    before = run()
    assert len(before) == 4
    written(root, wording(case))
    assert run() == before
