"""The runners themselves as oracle: scenarios do the same after a merge, according to the logs of their steps."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cukereuse_engine.cli.main import cli

pytestmark = pytest.mark.heavy

FEATURE = """Feature: Shelves
  Scenario Outline: Sorting
    When I sort 3 books by title
    And I sort 4 books by price
    And I weigh <n> books by hand
    And I weigh 6 books by scale
    And the books are put there
    And the books are put there
    And the books are put there again

    Examples:
      | n |
      | 5 |
      | 7 |
"""
PYTHON = """import os

from behave import when


def record(*said):
    with open(os.environ["SAID"], "a") as file:
        print(*said, file=file)


@when("I sort {count:d} books by title")
def by_title(context, count):
    record("sort", count, "title")


@when("I sort {count:d} books by price")
def by_price(context, count):
    record("sort", count, "price")


@when("I weigh {count:d} books by hand")
def by_hand(context, count):
    record("weigh", count, "with the hand")


@when("I weigh {number:d} books by scale")
def by_scale(context, number):
    record("weigh", number, "with the scale")


@when("the books are put there")
def put(context):
    record("put")


@when("the books are put there again")
def put_again(context):
    record("put")


@when("nobody says this")
def nobody(context):
    record("nothing")
"""
RUBY = """def record(*said)
  File.open(ENV['SAID'], 'a') { |file| file.puts(said.join(' ')) }
end

When(/^I sort (\\d+) books by title$/) do |count|
  record('sort', count, 'title')
end

When(/^I sort (\\d+) books by price$/) do |count|
  record('sort', count, 'price')
end

When(/^I weigh (\\d+) books by hand$/) do |count|
  record('weigh', count, 'with the hand')
end

When(/^I weigh (\\d+) books by scale$/) do |number|
  record('weigh', number, 'with the scale')
end

When(/^the books are put there$/) do
  record('put')
end

When(/^the books are put there again$/) do
  record('put')
end

When(/^nobody says this$/) do
  record('nothing')
end
"""
SCRIPT = """const { When } = require('@cucumber/cucumber');
const fs = require('fs');

const record = (...said) => fs.appendFileSync(process.env.SAID, said.join(' ') + '\\n');

When('I sort {int} books by title', async function (count) {
  record('sort', count, 'title', typeof this.attach);
});

When('I sort {int} books by price', async function (count) {
  record('sort', count, 'price', typeof this.attach);
});

When('I weigh {int} books by hand', function (count) {
  record('weigh', count, 'with the hand', typeof this.attach);
});

When('I weigh {int} books by scale', function (number) {
  record('weigh', number, 'with the scale', typeof this.attach);
});

When('the books are put there', function () {
  record('put');
});

When('the books are put there again', function () {
  record('put');
});

When('nobody says this', function () {
  record('nothing');
});
"""


def behave(_folder: Path) -> list[str]:
    return [sys.executable, "-m", "behave", "-q", "--no-summary"]


def cucumber_ruby(_folder: Path) -> list[str]:
    program = shutil.which("cucumber")
    if program is None:
        pytest.skip("no cucumber on the path")
    return [program, "--no-profile", "-r", "features", "features"]


def cucumber_js(folder: Path) -> list[str]:
    program = shutil.which("cucumber-js")
    if program is None:
        pytest.skip("no cucumber-js on the path")
    resolved = Path(program).resolve()
    modules = next(parent for parent in resolved.parents if parent.name == "node_modules")
    link = folder / "node_modules"
    if not link.exists():
        link.symlink_to(modules)
    return [str(resolved), "--require", "features/*.js"]


Command = Callable[[Path], list[str]]
RUNNERS: dict[str, tuple[str, str, Command]] = {
    "behave": ("features/steps/steps.py", PYTHON, behave),
    "cucumber-ruby": ("features/step_definitions/steps.rb", RUBY, cucumber_ruby),
    "cucumber-js": ("features/steps.js", SCRIPT, cucumber_js),
}


def said(folder: Path, command: Command) -> list[str]:
    """The logs of the steps in a run of all, without any failure."""
    log = folder / "said.txt"
    log.unlink(missing_ok=True)
    done = subprocess.run(
        command(folder),
        cwd=folder,
        env={**os.environ, "SAID": str(log), "RUBYOPT": "-W0 -Eutf-8:utf-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return log.read_text("utf-8").splitlines()


@pytest.mark.parametrize("runner", RUNNERS)
def test_what_scenarios_do_stays(runner: str, tmp_path: Path) -> None:
    name, source, command = RUNNERS[runner]
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, "utf-8")
    (tmp_path / "features" / "a.feature").write_text(FEATURE, "utf-8")
    (tmp_path / ".git").mkdir()
    before = said(tmp_path, command)
    assert len(before) == 14
    for way, gone in (
        (["--constants"], "sort {count:d} books by price"),
        ([], "def put_again"),
        (["--unused"], "nobody says this"),
    ):
        outcome = cli.main(["merge", str(tmp_path), *way, "--write", "--no-cache"], standalone_mode=False)
        assert not outcome
        assert gone not in path.read_text("utf-8")
        assert said(tmp_path, command) == before, path.read_text("utf-8")
    path.write_text(source, "utf-8")
    cli.main(["merge", str(tmp_path), "--wording", "--write", "--no-cache"], standalone_mode=False)
    assert "there again" not in path.read_text("utf-8")
    assert "there again" not in (tmp_path / "features" / "a.feature").read_text("utf-8")
    assert said(tmp_path, command) == before
