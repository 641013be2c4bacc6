"""The common parts of all commands: help, errors, exit codes, start-up time, commands of other packages."""

import errno
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import click
import pytest

from cukereuse_engine import __version__
from cukereuse_engine.cli import lazy, main
from cukereuse_engine.cli.scan import GROUPS
from cukereuse_engine.errors import Cancelled, CukereuseError

SUITES = Path(__file__).parents[1] / "suites"
ONE_VOICE, WEBSHOP = SUITES / "one-voice", SUITES / "webshop"
Run = Callable[..., Any]


def test_help_names_every_command(run: Run) -> None:
    outcome = run("--help")
    assert outcome.code == 0
    assert all(f"\n  {name} " in outcome.out for name in lazy.BUILT_IN)


@pytest.mark.parametrize("name", list(lazy.BUILT_IN))
def test_every_command_has_help(run: Run, name: str) -> None:
    for flag in ("-h", "--help"):
        outcome = run(name, flag)
        assert outcome.code == 0, outcome.err
        assert outcome.out.startswith(f"Usage: cukereuse {name}")


def test_without_arguments_help_is_shown(run: Run) -> None:
    outcome = run()
    assert outcome.code == 2
    assert "Usage: cukereuse" in outcome.out + outcome.err


def test_version(run: Run) -> None:
    assert run("--version").out == f"cukereuse {__version__}\n"


@pytest.mark.parametrize("arguments", [("--version", "--verbose"), ("--verbose", "-V")])
def test_version_with_what_it_runs_on(run: Run, arguments: tuple[str, ...]) -> None:
    """A bug report needs the interpreter, the library behind the vector index, and the model."""
    first, *rest = run(*arguments).out.splitlines()
    assert first == f"cukereuse {__version__}"
    assert [line.partition(":")[0] for line in rest] == ["Python", "vector index", "embedding model"]
    assert "search" in rest[1] or "hnswlib" in rest[1] or "usearch" in rest[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scam"], "error: no such command 'scam'. Did you mean 'scan'?\n`cukereuse --help` shows what it takes.\n"),
        (["explain"], "error: no such command 'explain'. Did you mean 'why'?\n"),
        (["qqq"], "error: no such command 'qqq'\n"),
        (["--nosuch"], "error: no such option"),
        (["rename", "--from", "a", "--to", ""], "error: the text of a step can't be empty"),
        (["rename", "--from", "a"], "error: rename needs --from and --to"),
        (["completion", "tcsh"], "is not one of 'bash', 'zsh', 'fish'"),
        (["similar"], "error: missing argument"),
    ],
)
def test_usage_errors(run: Run, arguments: list[str], message: str) -> None:
    outcome = run(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (CukereuseError("no.", "Do this."), 2, "error: no.\nDo this.\n"),
        (CukereuseError("no."), 2, "error: no.\n"),
        (KeyboardInterrupt(), 130, "cancelled\n"),
        (Cancelled(), 130, "cancelled\n"),
        (BrokenPipeError(), 141, ""),
        (ValueError("odd"), 2, "error: ValueError: odd\nThis is a fault in cukereuse. Set CUKEREUSE_DEBUG=1"),
    ],
)
def test_errors_become_exit_codes(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, message: str
) -> None:
    @click.command()
    def failing() -> None:
        raise error

    monkeypatch.setattr(lazy.LazyGroup, "get_command", lambda *_: failing)
    kept = {number: os.dup(number) for number in {1, sys.stdout.fileno()}}  # a closed pipe becomes the null device
    try:
        outcome = run("scan")
    finally:
        for number, copy in kept.items():
            os.dup2(copy, number)
            os.close(copy)
    assert outcome.code == code
    assert outcome.err.lstrip("\n").startswith(message)  # click ends the line of ^C
    assert "Traceback" not in outcome.err


def test_traceback_on_request(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def failing() -> None:
        raise CukereuseError("no.")

    monkeypatch.setattr(lazy.LazyGroup, "get_command", lambda *_: failing)
    monkeypatch.setenv("CUKEREUSE_DEBUG", "1")
    outcome = run("scan")
    assert outcome.code == 2
    assert "Traceback" in outcome.err


def add(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    point = EntryPoint("added", value, lazy.ENTRY_POINT_GROUP)
    monkeypatch.setattr(lazy, "_added", lambda: {"added": point})


def test_other_packages_add_commands(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    add(monkeypatch, "cukereuse_engine.cli.completion:command")
    assert "\n  added " in run("--help").out
    assert "complete -o nosort" in run("added", "bash").out
    assert "Did you mean 'added'?" in run("aded").err


@pytest.mark.parametrize("value", ["no_such_package.cli:command", "cukereuse_engine.cli.lazy:ENTRY_POINT_GROUP"])
def test_a_broken_added_command_breaks_only_itself(run: Run, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    add(monkeypatch, value)
    outcome = run("--help")
    assert outcome.code == 0
    assert "(can't be loaded)" in outcome.out
    outcome = run("added")
    assert outcome.code == 2
    assert outcome.err.startswith("error: the ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(run: Run, shell: str) -> None:
    if shell == "bash" and shutil.which("bash") is None:
        pytest.fail("bash is needed to ask for its version")
    outcome = run("completion", shell)
    assert outcome.code == 0
    assert "_CUKEREUSE_COMPLETE" in outcome.out


def test_completion_completes(run_process: Run) -> None:
    words = {"COMP_WORDS": "cukereuse scan --strat", "COMP_CWORD": "2", "_CUKEREUSE_COMPLETE": "bash_complete"}
    assert run_process(**words).out.strip() == "plain,--strategy"


def test_help_costs_little_and_loads_nothing_heavy() -> None:
    code = (
        "import sys; from cukereuse_engine.cli.main import run; run(['--help']);"
        "print(sorted({'numpy', 'rich', 'torch', 'onnxruntime', 'rapidfuzz', 'gherkin'} & set(sys.modules)),"
        " file=sys.stderr)"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stderr.strip() == "[]"
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.4


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", [["--help"], ["stats", ONE_VOICE], ["stats", ONE_VOICE, "--json"]])
def test_a_full_disk_is_no_fault_of_ours(arguments: list[str | Path]) -> None:
    code = "from cukereuse_engine.cli.main import main; main()"
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        command = [sys.executable, "-c", code, *map(str, arguments)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.stderr == f"error: the output can't be written: {os.strerror(errno.ENOSPC)}\n"
    assert done.returncode == main.COULD_NOT_RUN


@pytest.mark.parametrize(
    "arguments", [["--help"], ["scan", str(ONE_VOICE), "--offline", "--fail-on", "off"], ["steps", str(WEBSHOP)]]
)
def test_a_reader_that_goes_away_is_no_error(arguments: list[str]) -> None:
    code = "from cukereuse_engine.cli.main import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.close()
    _, errors = process.communicate()
    assert errors == ""
    assert process.returncode == main.OUTPUT_CLOSED


def test_the_many_options_of_a_scan_are_grouped(run: Callable[..., Any]) -> None:
    help_text = run("scan", "--help").out
    headings = [line.rstrip(":") for line in help_text.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert headings == [heading for _, heading in GROUPS]
    reports, findings = help_text.partition("\nReports:")[2].split("\nWhich findings are reported:")
    assert "  --sarif " in reports
    assert "  --fail-on " in findings.partition("\nWhich files")[0]
