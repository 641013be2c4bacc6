"""Real runners on small suites, before and after renames: the same scenarios, every step defined, the same results."""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from cukereuse_engine.cli.main import run

SUITES = Path(__file__).parents[1] / "suites"
NODE_MODULES = Path(os.environ.get("CUKEREUSE_NODE_MODULES") or SUITES / "library-cucumber-js" / "node_modules")
LIBRARY = (
    ('"anna" borrows "Emma"', "{1} checks {2} out (for two weeks)", ["--remove-unused"]),
    ('"ben" takes "Emma" home', "{1} checks {2} out (for two weeks)", ["--remove-unused", "--move"]),
    ('"ben" returns "Emma"', "{1} puts {2} back on the 1st/2nd shelf, isn't it?", []),
    ('2 copies of "Emma" are on the shelf', "there are {1} copies of {2} {{on}} the shelf [$5+]", []),
    ('"anna" has 1 book', "{1} owes us {2} book\\s", []),
    ('"anna" checks "Emma" out (for two weeks)', "{2} goes to {1}", []),
)
WEBSHOP = (
    ('I add "green tea" to the basket', 'I place "{product}" in the (big) basket/cart', []),
    ('I put "black tea" into my basket', 'I place "{product}" in the (big) basket/cart', ["--remove-unused", "--move"]),
    ("the basket contains 1 product", "{count} things, no more & no less, lie in the basket's {{bottom}}", []),
    ("the basket contains 2 products", "{count} things, no more & no less, lie in the basket's {{bottom}}", []),
    ("I pay by card", 'I pay by "card"', []),
)


def behave(suite: Path, report: Path) -> None:
    if find_spec("behave") is None:
        pytest.skip("behave is not installed")
    call(suite, sys.executable, "-m", "behave", "--no-summary", "--format", "json", "--outfile", str(report))


def pytest_bdd(suite: Path, report: Path) -> None:
    if find_spec("pytest_bdd") is None:
        pytest.skip("pytest-bdd is not installed")
    call(suite, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--cucumberjson={report}", ".")


def cucumber_js(suite: Path, report: Path) -> None:
    if not (NODE_MODULES / "@cucumber" / "cucumber").is_dir() or shutil.which("node") is None:
        pytest.skip("@cucumber/cucumber is not installed; set CUKEREUSE_NODE_MODULES to the folder that holds it")
    link = suite / "node_modules"
    if not link.exists():
        link.symlink_to(NODE_MODULES, target_is_directory=True)
    call(suite, str(link / ".bin" / "cucumber-js"), "--format", f"json:{report}")


def cucumber_ruby(suite: Path, report: Path) -> None:
    if shutil.which("cucumber") is None:
        pytest.skip("cucumber for Ruby is not installed")
    call(suite, "cucumber", "--format", "json", "--out", str(report))


def call(suite: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=suite, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def results(report: Path) -> list[tuple[str, list[str]]]:
    """Name of each scenario that ran, and the results of its steps, from a report in Cucumber's JSON format."""
    return [
        (element.get("name", ""), [step.get("result", {}).get("status", "undefined") for step in element["steps"]])
        for feature in json.loads(report.read_text("utf-8"))
        for element in feature["elements"]
        if element.get("type") != "background"  # behave lists it without results
    ]


@pytest.mark.runner
@pytest.mark.heavy
@pytest.mark.parametrize(
    ("runner", "suite", "renames"),
    [
        (behave, "webshop", WEBSHOP),
        (pytest_bdd, "library-pytest-bdd", LIBRARY),
        (cucumber_js, "library-cucumber-js", LIBRARY),
        (cucumber_ruby, "library-cucumber-ruby", LIBRARY),
    ],
)
def test_a_runner_sees_no_difference(runner, suite, renames, tmp_path, capfd):
    copy = tmp_path / suite
    shutil.copytree(SUITES / suite, copy, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
    report = tmp_path / "report.json"
    runner(copy, report)
    before = results(report)
    assert before
    assert {status for _, statuses in before for status in statuses} == {"passed"}
    features = {path: path.read_bytes() for path in copy.rglob("*.feature")}
    for source, target, options in renames:
        assert run(["rename", str(copy), "--from", source, "--to", target, "--write", *options]) == 0, (
            capfd.readouterr()
        )
    assert all(path.read_bytes() != data for path, data in features.items() if path.name != "api.feature")
    report.unlink()
    runner(copy, report)
    assert results(report) == before
    for _ in renames:
        assert run(["rename", str(copy), "--undo"]) == 0
    assert features == {path: path.read_bytes() for path in features}


REGEX = r'there are (\d+) (?:(?:very )?(\w+) )?"([^"]*)"(?: in the (\w+))?'
SOURCES = {
    behave: (
        "features/steps/s.py",
        "from behave import given, use_step_matcher\n\nuse_step_matcher('re')\n\n\n@given(r'''REGEX''')\n"
        "def f(context, count, kind, thing, place):\n"
        "    assert (kind, place) == ((None, None) if count == '1' else ('green', 'shop')), (kind, place)\n",
    ),
    cucumber_js: (
        "features/s.js",
        "const { Given } = require('@cucumber/cucumber');\nGiven(/^REGEX$/, function (count, kind, thing, place) {\n"
        "  const expected = Number(count) === 1 ? [undefined, undefined] : ['green', 'shop'];\n"
        "  const got = [kind ?? undefined, place ?? undefined];\n"
        "  if (`${got}` !== `${expected}`) throw new Error(`${got}`);\n});\n",
    ),
    cucumber_ruby: (
        "features/step_definitions/s.rb",
        "Given(/^REGEX$/) do |count, kind, thing, place|\n"
        "  expected = count.to_i == 1 ? [nil, nil] : ['green', 'shop']\n"
        "  raise [kind, place].inspect unless [kind, place] == expected\nend\n",
    ),
}


@pytest.mark.runner
@pytest.mark.heavy
@pytest.mark.parametrize("runner", SOURCES)
def test_what_may_be_missing_is_missing_again(runner, tmp_path):
    path, source = SOURCES[runner]
    feature, glue = tmp_path / "features" / "a.feature", tmp_path / path
    glue.parent.mkdir(parents=True)
    steps = ['there are 1 "tea"', 'there are 2 green "teas" in the shop', 'there are 3 very green "teas" in the shop']
    feature.write_text("Feature: F\n  Scenario: S\n" + "".join(f"    Given {step}\n" for step in steps))
    glue.write_text(source.replace("REGEX", REGEX))
    report = tmp_path / "report.json"
    runner(tmp_path, report)
    before = results(report)
    assert before == [("S", ["passed"] * 3)]
    renames = ['the house holds {1} pieces of "{2}"', 'in it are {1} nice "{2}"']
    for source_text, target in zip([steps[0], 'the house holds 1 pieces of "tea"'], renames, strict=True):
        assert run(["rename", str(tmp_path), "--from", source_text, "--to", target, "--write"]) == 0
    assert 'in it are 3 nice very green "teas" in the shop\n' in feature.read_text()
    runner(tmp_path, report)
    assert results(report) == before


VITEST = """\
import { describeFeature, loadFeature } from '@amiceli/vitest-cucumber'
import { expect } from 'vitest'
const feature = await loadFeature('a.feature')
describeFeature(feature, ({ Scenario }) => {
  Scenario('S', ({ Given, When }) => {
    Given('I pay {number} for {string}', (_, amount, thing) => { expect([amount, thing]).toEqual([3, 'tea']) })
    When('I go', () => {})
  })
})
"""


@pytest.mark.runner
@pytest.mark.heavy
def test_vitest_cucumber_reads_what_was_escaped_for_it(tmp_path):
    if not (NODE_MODULES / "@amiceli" / "vitest-cucumber").is_dir() or shutil.which("npx") is None:
        pytest.skip("@amiceli/vitest-cucumber is not installed; set CUKEREUSE_NODE_MODULES to the folder that holds it")
    (tmp_path / "node_modules").symlink_to(NODE_MODULES, target_is_directory=True)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    feature, glue = tmp_path / "a.feature", tmp_path / "a.spec.js"
    feature.write_text('Feature: F\n  Scenario: S\n    Given I pay 3 for "tea"\n    When I go\n')
    glue.write_text(VITEST)
    signs = "(net) here/there, e.g. {{curly}} * 2+ [a|b] ^$ \\d or more?"
    for source, target in (('I pay 3 for "tea"', f'I pay {{1}} {signs} for "{{2}}"'), ("I go", f"I go {signs}")):
        assert run(["rename", str(tmp_path), "--from", source, "--to", target, "--write"]) == 0
        call(tmp_path, str(tmp_path / "node_modules" / ".bin" / "vitest"), "run")
    said = signs.replace("{{", "{").replace("}}", "}")
    assert (
        feature.read_text() == f'Feature: F\n  Scenario: S\n    Given I pay 3 {said} for "tea"\n    When I go {said}\n'
    )
    assert r"{number} \\(net\\) here" in glue.read_text()
