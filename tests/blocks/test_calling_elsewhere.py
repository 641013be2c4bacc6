"""A block with step functions in several files: which file gets the new step, and how it imports the others."""

import re
import subprocess
import sys

import pytest

from cukereuse_engine.blocks.calling import trees
from cukereuse_engine.blocks.cut_places import NoExtractionError

WORDING = 'I log in as "{name}"'
BETWEEN = """\
from pytest_bdd import given

from .pages import press


@given("nobody says this")
def nobody(calls):
    press(calls)
"""


@pytest.fixture
def suite(calling):
    return lambda case, *changes: calling(f"several-files/{case}", *changes)


@pytest.fixture(autouse=True)
def trees_go_at_once(monkeypatch):
    """As in a large suite: functions of one source are requested after another source was read."""
    monkeypatch.setattr(trees, "_KEPT", 0)


@pytest.mark.parametrize(
    ("case", "change", "expected"),
    [
        ("common-js", ("pages.js", "Given('I open", "const forms = require('./forms');\nGiven('I open"), "{ iFillIn }"),
        (
            "typescript",
            ("pages.ts", "import { Shop }", "import * as forms from './forms';\nimport { Shop }"),
            "await forms.fill.call(this, name)",
        ),
        (
            "typescript",
            ("pages.ts", "import { Shop }", "import { fill as type } from './forms';\nimport { Shop }"),
            "await type.call(this, name)",
        ),
        ("typescript", ("pages.ts", "(act) {}", "(act) { fill(act); }"), "import { fill as fill2 } from './forms';"),
        (
            "pytest-bdd",
            ("pages.py", "parsers, then, when", "parsers, then, when\nfrom tests.steps.forms import fill_in as typed"),
            "    typed(calls, name)\n",
        ),
    ],
)
def test_imports_that_are_there_serve(suite, written, case, change, expected):
    root = suite(case, change)
    written(root, WORDING)
    (path,) = root.rglob(change[0])
    assert expected in path.read_text("utf-8")


@pytest.mark.parametrize(
    "packages", [("steps",), ("steps", "steps/deep"), pytest.param((), marks=[pytest.mark.runner, pytest.mark.heavy])]
)
def test_what_lies_below_a_conftest_needs_no_package(suite, written, packages):
    """pytest puts the folder of a conftest.py that is in no package on the path."""
    root = suite("pytest-bdd")
    for path in [*root.rglob("__init__.py")]:
        path.unlink()
    tests = root / "tests"
    (tests / "steps/deep").mkdir()
    (tests / "steps/forms.py").rename(tests / "steps/deep/forms.py")
    (tests / "steps/pages.py").rename(tests / "conftest.py")
    for package in packages:
        (tests / package / "__init__.py").touch()
    imports = "import pytest\nfrom pytest_bdd import scenarios\nfrom steps.deep.forms import *\n"
    fixture = "@pytest.fixture\ndef calls():\n    return []\n"
    (tests / "test_all.py").write_text(f"{imports}\nscenarios('..')\n\n\n{fixture}", "utf-8")

    written(root, WORDING)
    assert "from steps.deep.forms import fill_in\n" in (tests / "conftest.py").read_text("utf-8")
    if not packages:
        command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", str(tests)]
        run = subprocess.run(command, capture_output=True, text=True, cwd=root)
        assert re.findall(r"CALLS.*(?=\n)", run.stdout)[0].startswith("CALLS ['login', 'Ann', 'press'"), run.stdout


@pytest.mark.parametrize(
    "conftest",
    [
        "from tests.steps.pages import *\n",
        'pytest_plugins = ["tests.steps.forms", "tests.steps.pages"]\n',
        "pytest_plugins = [\n    'tests.steps.pages',\n]\n",
    ],
)
@pytest.mark.parametrize("folder", ["", "tests"])
def test_a_namespace_package_that_a_conftest_names_serves(suite, written, conftest, folder):
    root = suite("pytest-bdd")
    for path in [*root.rglob("__init__.py")]:
        path.unlink()
    for path in [*root.rglob("conftest.py")]:
        path.unlink()
    (root / folder / "conftest.py").write_text(conftest, "utf-8")
    written(root, WORDING)
    imports = [path.read_text("utf-8") for path in (root / "tests/steps").glob("*.py")]
    assert any(re.search(r"^from tests\.steps\.\w+ import ", text, re.MULTILINE) for text in imports)


def test_modules_that_no_package_holds_are_not_imported(suite, plan_of):
    root = suite("pytest-bdd")
    (root / "tests/steps/__init__.py").unlink()
    with pytest.raises(NoExtractionError, match="not in one package"):
        plan_of(root, WORDING)


@pytest.mark.parametrize(
    ("case", "changes", "home"),
    [
        ("common-js", [("forms.js", "Given('I", "const p = require('./pages');\nGiven('I")], "steps/forms.js"),
        (
            "common-js",
            [
                ("pages.js", "{ Given, When, Then }", "{ Given, When, Then, Before }"),
                ("pages.js", "When('I", "Before(() => {});\nWhen('I"),
                ("pages.js", "Given('I press", "module.exports.iOpenThePage = 1;\nGiven('I press"),
            ],
            "steps/pages.js",
        ),
        ("typescript", [("forms.ts", "export function fill", "function fill")], "steps/pages.ts"),
        (
            "pytest-bdd",
            [("forms.py", "from pytest_bdd", "from .pages import press\nfrom pytest_bdd")],
            "tests/steps/forms.py",
        ),
        (
            "pytest-bdd",
            [("forms.py", "from pytest_bdd", "from .between import nobody\nfrom pytest_bdd")],
            "tests/steps/forms.py",
        ),
    ],
)
def test_the_file_that_can_import_the_other_one_has_the_new_step(suite, plan_of, case, changes, home):
    root = suite(case, *changes)
    if "between" in changes[0][2]:
        (root / "tests/steps/between.py").write_text(BETWEEN, "utf-8")
    assert plan_of(root, WORDING).files[-1].path == str(root / home)


@pytest.mark.runner
def test_behave_runs_the_steps_of_another_file_by_their_texts(suite, written):
    """behave executes each file by itself: a relative import fails there, an absolute one defines all steps twice."""
    pytest.importorskip("behave")
    root = suite("pytest-bdd")
    (root / "tests/steps").rename(root / "steps")
    for path in (root / "steps").glob("*.py"):
        text = path.read_text("utf-8").replace("pytest_bdd", "behave").replace("given, parsers", "given")
        text = text.replace("parsers.parse(", "(").replace("(calls", "(context").replace("calls", "context.calls")
        path.write_text(text.replace("context.calls.append(page)", "context.calls = [page]"), "utf-8")
    written(root, WORDING)
    assert "context.execute_steps(" in (root / "steps/pages.py").read_text("utf-8")
    run = subprocess.run([sys.executable, "-m", "behave", "--no-color"], cwd=root, capture_output=True, text=True)
    assert (run.returncode, "4 scenarios passed, 0 failed" in run.stdout) == (0, True), run.stdout + run.stderr


def test_hooks_would_run_in_another_order(suite, plan_of):
    """The first file would load the last one earlier; the last one can't import the first, which imports it."""
    root = suite(
        "common-js",
        ("pages.js", "Given('I press", "const z = require('./z');\nGiven('I press"),
        ("forms.js", "{ Given }", "{ Given, Before }"),
        ("forms.js", "});\n", "});\nBefore(() => {});\n"),
    )
    (root / "steps/forms.js").rename(root / "steps/z.js")
    with pytest.raises(NoExtractionError, match="defines hooks, which would run in another order"):
        plan_of(root, WORDING)
