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
    ('"ben" takes "Emma" home', "{1} checks {2} out (for two weeks)", ["--remove-unused"]),
    ('"ben" returns "Emma"', "{1} puts {2} back on the 1st/2nd shelf, isn't it?", []),
    ('2 copies of "Emma" are on the shelf', "there are {1} copies of {2} {{on}} the shelf [$5+]", []),
    ('"anna" has 1 book', "{1} owes us {2} book\\s", []),
)
WEBSHOP = (
    ('I add "green tea" to the basket', 'I place "{product}" in the (big) basket/cart', []),
    ('I put "black tea" into my basket', 'I place "{product}" in the (big) basket/cart', ["--remove-unused"]),
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
    """Name of each scenario as it ran and the results of its steps, from a report in Cucumber's JSON format."""
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
