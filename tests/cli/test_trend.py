"""`cukereuse trend` on a small history."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for number in range(2):
        steps = "".join(f"    Given I wait {n} times\n" for n in range(number + 1))
        Path("a.feature").write_text(f"Feature: f\n  Scenario: s\n{steps}")
        if not number:
            subprocess.run(["git", "init", "-q"], check=True)
        subprocess.run(["git", "add", "-A"], check=True)
        names = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", *names, "commit", "-q", "-m", "x"], check=True)
    return tmp_path


def test_on_a_terminal_and_for_machines(run: Run, history: Path) -> None:
    shown = run("trend", "--every", "commit")
    assert shown.code == 0
    assert "steps: 1 to 2" in shown.out
    commits = subprocess.run(["git", "log", "--format=%h", "--abbrev=10"], check=True, capture_output=True, text=True)
    assert all(commit in shown.out for commit in commits.stdout.split()), "commits of one day are told apart"
    assert "A scan reads them, so its findings differ." in " ".join(shown.out.split())
    piped = run("trend", str(history), "--every", "commit", "--json")
    assert [point["steps"] for point in json.loads(piped.out)["points"]] == [1, 2]
    written = run("trend", "--every", "commit", "--html", "trend.html")
    assert written.code == 0
    assert Path("trend.html").read_bytes().startswith(b"<!DOCTYPE html>")


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing",), "missing"),
        ((".", ".."), "takes only one PATH"),
        (("--since", "nowhere"), "nowhere"),
        (("--every", "day"), "day"),
    ],
)
def test_bad_input(run: Run, arguments: tuple[str, ...], message: str) -> None:
    outcome = run("trend", *arguments)
    assert outcome.code == 2
    assert message in outcome.err
