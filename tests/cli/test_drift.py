"""`cukereuse drift` on a small history."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.history.drift_histories import COPY, FEATURE, MORE, RUBY, STEPS, WAITING
from tests.history.test_trend import commit, git

Run = Callable[..., Any]


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "-q")
    commit(tmp_path, {"features/f.feature": FEATURE, STEPS: RUBY, MORE: COPY})
    commit(tmp_path, {MORE: WAITING.replace("Pay", "<b>")})
    return tmp_path


def test_on_a_terminal_and_for_machines(run: Run, history: Path) -> None:
    shown = run("drift")
    assert shown.code == 0
    assert "“I pay by a card” was changed; “I pay by card”, which did the same, was not" in shown.out
    assert "+  expect(page).to have_button('<b>')" in shown.out
    assert "1 finding in 2 step definitions and 2 commits" in shown.out
    assert run("drift", "--fail").code == 1
    assert run("drift", "--fail", "--since", "HEAD").code == 0
    piped = run("drift", str(history), "--json")
    (finding,) = json.loads(piped.out)["findings"]
    assert (finding["kind"], finding["commit"]["subject"]) == ("diverged-copy", "a change")
    assert [side["role"] for side in finding["sides"]] == ["stayed", "changed"]
    assert piped.out == run("drift", "--json", "--no-cache").out


@pytest.mark.usefixtures("history")
def test_the_page_shows_both_sides_and_runs_nothing(run: Run) -> None:
    assert run("drift", "--html", "drift.html").code == 0
    page = Path("drift.html").read_text()
    assert page.count("<pre>") == 2
    assert "<mark>" in page
    assert "<b>" not in page
    assert "<script" not in page


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing",), "missing"),
        (("--since", "nowhere"), "nowhere"),
        (("--html", "nowhere/a.html"), "no folder"),
        ((".", "features"), "given twice"),
    ],
)
def test_bad_input(run: Run, arguments: tuple[str, ...], message: str) -> None:
    outcome = run("drift", *arguments)
    assert outcome.code == 2
    assert message in outcome.err


def test_no_repository(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run("drift")
    assert outcome.code == 2
    assert "not in a git repository" in outcome.err
