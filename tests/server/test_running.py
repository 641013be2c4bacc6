"""The command that runs one scenario, by the real runner; and by the user's own command."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from cukereuse_server.worker.handlers.running import command_of, debug_of, titles_of

from cukereuse_engine.gherkin.outline import MarkKind, outline

FEATURE = """\
Feature: Numbers

  Scenario: It is 1
    Given the number 1

  Scenario: It is 1, really
    Given the number 2

  Scenario Outline: It's some
    Given the number <n>

    Examples:
      | n |
      | 1 |
      | 2 |
  Scenario: Nobody defines it
    Given a number
"""
PYTHON = "def check(context, n):\n    assert n == 1\n"
SUITES = {
    "behave": {
        "features/n.feature": FEATURE,
        "features/steps/n.py": f"from behave import given\n@given('the number {{n:d}}')\n{PYTHON}",
    },
    "pytest-bdd": {
        "n.feature": FEATURE,
        "test_n.py": "from pytest_bdd import given, parsers, scenarios\nscenarios('n.feature')\n"
        "@given(parsers.parse('the number {n:d}'))\ndef check(n):\n    assert n == 1\n",
    },
    "cucumber-ruby": {
        "features/n.feature": FEATURE,
        "features/step_definitions/n.rb": "Given(/^the number (\\d+)$/) { |n| raise 'no' unless n == '1' }\n",
    },
    "cucumber-js": {
        "features/n.feature": FEATURE,
        "features/n.js": "const { Given } = require('@cucumber/cucumber')\n"
        "Given('the number {int}', (n) => { if (n !== 1) throw new Error('no') })\n",
    },
}


def missing(framework: str) -> str:
    modules = os.environ.get("CUKEREUSE_NODE_MODULES", "")
    have = {
        "behave": find_spec("behave") is not None,
        "pytest-bdd": find_spec("pytest_bdd") is not None,
        "cucumber-ruby": shutil.which("cucumber") is not None,
        "cucumber-js": shutil.which("npx") is not None and Path(modules, "@cucumber", "cucumber").is_dir(),
    }
    return "" if have[framework] else f"{framework} is not here"


@pytest.mark.heavy
@pytest.mark.parametrize("framework", list(SUITES))
def test_one_scenario_runs_alone(framework: str, tmp_path: Path) -> None:
    if lacking := missing(framework):
        pytest.skip(lacking)
    for name, text in SUITES[framework].items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    if framework == "cucumber-js":
        (tmp_path / "node_modules").symlink_to(os.environ["CUKEREUSE_NODE_MODULES"])
    feature = next(tmp_path.rglob("n.feature"))
    plan = outline(str(feature), FEATURE)
    codes = {}
    for mark in plan.marks:
        if mark.kind in (MarkKind.FEATURE, MarkKind.SCENARIO, MarkKind.OUTLINE):
            command = command_of(framework, str(tmp_path), str(feature), mark, titles_of(plan))
            if command:
                path = os.pathsep.join([str(Path(sys.executable).parent), sys.prefix + "/bin", os.environ["PATH"]])
                done = subprocess.run(
                    command, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
                )
                codes[mark.text] = done.returncode
                assert done.returncode in (0, 1), f"{command}: {done.stdout}{done.stderr}"
    assert codes == {"Numbers": 1, "It is 1": 0, "It is 1, really": 1, "It's some": 1, "Nobody defines it": 1}


@pytest.mark.parametrize(
    ("files", "framework", "expected"),
    [
        ([], "behave", ["behave", "features/n.feature:3"]),
        ([".venv/bin/behave"], "behave", ["ROOT/.venv/bin/behave", "features/n.feature:3"]),
        (["Gemfile"], "cucumber-ruby", ["bundle", "exec", "cucumber", "--strict", "features/n.feature:3"]),
        (["vendor/bin/behat"], "behat", ["ROOT/vendor/bin/behat", "--strict", "features/n.feature:3"]),
        ([], "godog", []),
        ([], "", []),
    ],
)
def test_the_suites_own_runner_goes_first(
    files: list[str], framework: str, expected: list[str], tmp_path: Path
) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    feature = tmp_path / "features" / "n.feature"
    plan = outline(str(feature), FEATURE)
    mark = next(mark for mark in plan.marks if mark.kind is MarkKind.SCENARIO)
    command = command_of(framework, str(tmp_path), str(feature), mark, titles_of(plan))
    assert command == [word.replace("ROOT", str(tmp_path)) for word in expected]


@pytest.mark.parametrize(
    ("framework", "command", "expected"),
    [
        (
            "behave",
            ["/shop/.venv/bin/behave", "a.feature:3"],
            {"type": "debugpy", "module": "behave", "args": ["a.feature:3"], "python": "/shop/.venv/bin/python"},
        ),
        ("pytest-bdd", ["pytest", "-k", "test_a"], {"type": "debugpy", "module": "pytest", "args": ["-k", "test_a"]}),
        (
            "cucumber-js",
            ["npx", "cucumber-js", "a.feature:3"],
            {
                "type": "node",
                "runtimeExecutable": "npx",
                "runtimeArgs": ["cucumber-js", "a.feature:3"],
                "outputCapture": "std",
            },
        ),
        ("behat", ["behat", "--strict", "a.feature:3"], {}),
        ("behave", [], {}),
    ],
)
def test_a_debugger_starts_the_same(framework: str, command: list[str], expected: dict[str, str | list[str]]) -> None:
    assert debug_of(framework, command) == expected
