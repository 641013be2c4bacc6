"""The command line as a user sees it: arguments in; exit code, standard output and standard error out."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cukereuse_engine.cli.main import run as run_command
from tests.cli.shop import no_model, shop

__all__ = ["no_model", "shop"]

COMMAND = (sys.executable, "-c", "from cukereuse_engine.cli.main import main; main()")


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting from the developer's own environment, and no network."""
    for name in list(os.environ):
        if name.startswith("CUKEREUSE_") and name != "CUKEREUSE_CACHE_DIR":
            monkeypatch.delenv(name)
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_ACTIONS", "GITHUB_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CUKEREUSE_OFFLINE", "1")


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run one command line in this process."""

    def call(*arguments: str | Path) -> Outcome:
        capfd.readouterr()
        code = run_command([str(argument) for argument in arguments])
        sys.stdout.flush()
        sys.stderr.flush()
        captured = capfd.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call


@pytest.fixture(scope="session")
def run_process() -> Run:
    """Run one command line in a process of its own, as a shell does."""

    def call(*arguments: str | Path, cwd: Path | None = None, **environment: str) -> Outcome:
        done = subprocess.run(
            [*COMMAND, *map(str, arguments)],
            capture_output=True,
            cwd=cwd,
            env={**os.environ, "PYTHONUTF8": "1", **environment},
            check=False,
            timeout=120,
        )
        return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


LOGIN = """\
Feature: Login

  Background:
    Given the shop is open

  Scenario: Coming in
    When I log in as "anna"
    Then I see my name

  Scenario: Coming in again
    When I log in as "ben"
    Then I see my name
    And I fly to the moon
"""
ORDERS = """\
Feature: Orders

  Scenario Outline: Ordering
    Given the shop is open
    When I log in as "<who>"
    And I order tea
    Then I see my name

    Examples:
      | who |
      | eve |
"""
GLUE = """\
from behave import given, then, when


@given("the shop is open")
def shop_open(context):
    pass


@when('I log in as "{name}"')
def log_in(context, name):
    pass


@when("I order tea")
def order(context):
    pass


@then("I see my name")
def see(context):
    pass


@then("nobody needs this")
def unused(context):
    pass
"""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: a suite below a folder with a difficult name, with an undefined step and an unused
    definition."""
    root = tmp_path / "a#b 100% ünï"
    (root / "features" / "steps").mkdir(parents=True)
    (root / "behave.ini").touch()
    (root / "features" / "login.feature").write_text(LOGIN, "utf-8")
    (root / "features" / "orders.feature").write_text(ORDERS, "utf-8")
    (root / "features" / "steps" / "steps.py").write_text(GLUE, "utf-8")
    monkeypatch.chdir(root)
    return root
