"""The command line as a user sees it: arguments in; exit code, standard output and standard error out."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cukereuse_engine.cli.main import run as run_command

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
