"""`cukereuse stats`: figures of one suite and of several."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_figures(run: Run, suite: Path) -> None:
    del suite
    outcome = run("stats", "--json", "--top", "2")
    assert outcome.code == 0
    data = json.loads(outcome.out)
    assert data == {
        "feature_files": 2,
        "parse_errors": 0,
        "languages": {"en": 2},
        "scenarios": 4,
        "steps": 10,
        "unique_step_texts": 7,
        "templates": 5,
        "used_once": 5,
        "exact_duplication_rate": 0.3,
        "eliminable_steps": 3,
        "most_used": [
            {"text": "I see my name", "occurrences": 3},
            {"text": "the shop is open", "occurrences": 2},
        ],
        "most_repeating_files": [
            {"path": "features/orders.feature", "repeated_steps": 2},
            {"path": "features/login.feature", "repeated_steps": 1},
        ],
    }


def test_table(run: Run, suite: Path) -> None:
    del suite
    outcome = run("stats", "features")
    lines = [" ".join(line.split()) for line in outcome.out.splitlines()]
    assert "steps 10" in lines
    assert "share of repeated steps 30 %" in lines
    assert "3 I see my name" in lines


def test_several_suites(run: Run, suite: Path) -> None:
    other = suite / "package"
    (other / "features").mkdir(parents=True)
    (other / "cucumber.js").touch()
    (other / "features" / "x.feature").write_text("Fonctionnalité: x\n", "utf-8")
    (other / "features" / "y.feature").write_text(
        "# language: fr\nFonctionnalité: y\n  Scénario: z\n    Etant donné que je vois\n", "utf-8"
    )
    data = json.loads(run("stats", "--json").out)
    assert data["steps"] == 11
    assert [(each["root"], each["steps"]) for each in data["suites"]] == [(".", 10), ("package", 1)]
    outcome = run("stats")
    assert "languages: en 3, fr 1" in outcome.out
    assert any(line.split()[:3] == ["package", "2", "1"] for line in outcome.out.splitlines())


@pytest.mark.parametrize("name", ["stats", "similar"])
def test_empty_folder(run: Run, tmp_path: Path, name: str) -> None:
    outcome = run(name, *(["I log in"] if name == "similar" else []), tmp_path)
    assert (outcome.code, outcome.err) == (0, "")


def test_exclude_and_include(run: Run, suite: Path) -> None:
    (suite / "node_modules").mkdir()
    (suite / "node_modules" / "x.feature").write_text("Feature: x\n")

    def files(*arguments: str) -> int:
        return int(json.loads(run("stats", "--json", "-", *arguments).out)["feature_files"])

    assert files() == 2
    assert files("--exclude", "orders.feature") == 1
    assert files("--include", "node_modules/") == 3
    assert files("--include", "orders.feature") == 2, "it adds and never narrows, as its help says"
    assert "All other files are still read." in " ".join(run("stats", "--help").out.split())
