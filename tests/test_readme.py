"""The front page is true: its commands run, its outputs are real, its commands and options exist."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cukereuse_engine.cli.main import cli
from cukereuse_engine.report.formats import FORMATS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
CONSOLES = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
COMMANDS = [line[2:] for console in CONSOLES for line in console.splitlines() if line.startswith("$ cukereuse ")]
WEBSHOP = ROOT / "tests" / "suites" / "webshop"


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    arguments = [sys.executable, "-c", "from cukereuse_engine.cli.main import main; main()", *shlex.split(command)[1:]]
    environment = {**os.environ, "COLUMNS": "200", "CUKEREUSE_OFFLINE": "1"}
    return subprocess.run(
        arguments, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=300
    )


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders that the commands name: the suites of the tests, and a user's folder `features`."""
    folder = tmp_path_factory.mktemp("checkout")
    for suite in ("webshop", "one-voice"):
        shutil.copytree(ROOT / "tests" / "suites" / suite, folder / "tests" / "suites" / suite)
    shutil.copytree(WEBSHOP / "features", folder / "features")
    return folder


def test_it_is_short() -> None:
    assert README.count("\n") <= 102
    assert len(COMMANDS) >= 4


@pytest.mark.model
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_runs(command: str, checkout: Path, model_files: object) -> None:
    del model_files
    ran = run(command, checkout)
    assert ran.returncode in (0, 1), ran.stderr
    assert "Error" not in ran.stderr
    console = next(each for each in CONSOLES if f"$ {command}\n" in each)
    shown = [line for line in console.splitlines() if line != "…" and not line.startswith("$")]
    assert [line for line in shown if line.rstrip() not in ran.stdout] == []


def test_the_library_is_used_so(checkout: Path) -> None:
    [code] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    ran = subprocess.run([sys.executable, "-c", code], cwd=checkout, capture_output=True, text=True, encoding="utf-8")
    assert ran.returncode == 0, ran.stderr
    assert "I sign in as" in ran.stdout


def test_every_command_of_the_table_exists() -> None:
    table = README[README.index("| command |") : README.index("## Editors")]
    context = click.Context(cli)
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `cukereuse")]
    named = [name for row in rows for name in re.findall(r"`(?:cukereuse )?(\w+)", row)]
    assert len(named) >= 14
    assert [name for name in named if cli.get_command(context, name) is None] == []


def test_every_format_of_a_report_is_named() -> None:
    [scan] = [line for line in README.splitlines() if line.startswith("| `cukereuse scan PATH…`")]
    assert [name for name in FORMATS if f"`--{name}`" not in scan] == []


def test_every_option_exists() -> None:
    context = click.Context(cli)
    options = {
        option
        for name in cli.list_commands(context)
        if (command := cli.get_command(context, name)) is not None
        for parameter in command.params
        for option in parameter.opts
    }
    prose = re.sub(r"```.*?```", "", README, flags=re.DOTALL)
    assert [option for option in re.findall(r"`(--[a-z-]+)", prose) if option not in options] == []


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert len(links) >= 15
    assert [link for link in links if not leads_somewhere(*link.partition("#")[::2])] == []


def leads_somewhere(path: str, heading: str) -> bool:
    """`path`: empty for the front page itself."""
    target = ROOT / (path or "README.md")
    if not heading or not target.exists():
        return target.exists()
    lines = target.read_text("utf-8").splitlines()
    return heading in {line[3:].lower().replace(" ", "-") for line in lines if line.startswith("## ")}


def test_ci_installs_as_it_says() -> None:
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    [install] = [line for line in README.splitlines() if line.startswith("$ python3 -m venv")]
    for part in ("'.[hnsw]'", "scan tests/suites/webshop --fail-on off"):
        assert part in install
        assert part in ci
