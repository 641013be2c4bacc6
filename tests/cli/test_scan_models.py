"""`cukereuse scan` with and without a language model."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.usefixtures("no_model")

Run = Callable[..., Any]


def _notes(data: dict[str, Any]) -> list[str]:
    """All but the one about step definitions, of which the suite has none."""
    return [note for note in data["notes"] if "no step definitions were found" not in note]


@pytest.mark.model
@pytest.mark.parametrize("strategy", ["auto", "semantic", "hybrid"])
def test_with_the_model(run_process: Run, shop: Path, model_files: object, strategy: str) -> None:
    del model_files
    outcome = run_process("scan", "--json", "--strategy", strategy, cwd=shop, CUKEREUSE_OFFLINE="1")
    data = json.loads(outcome.out)
    assert data["model"] == "sentence-transformers/all-MiniLM-L6-v2"
    assert _notes(data) == []
    assert any(len(cluster["texts"]) > 1 for cluster in data["clusters"])


@pytest.mark.model
def test_model_is_shown(run_process: Run, model_files: object) -> None:
    del model_files
    outcome = run_process("model")
    assert outcome.code == 0
    assert "sentence-transformers/all-MiniLM-L6-v2 is used from" in outcome.out
    assert "is already here" in run_process("model", "download").out


def test_without_the_model_auto_is_lexical_and_says_so(run: Run, shop: Path) -> None:
    del shop
    outcome = run("scan", "--json")
    data = json.loads(outcome.out)
    assert (outcome.code, data["model"]) == (1, None)
    (note,) = _notes(data)
    assert "cukereuse model download" in note
    assert "Model: none, so only wordings were compared." in run("scan").out


@pytest.mark.parametrize("strategy", ["semantic", "hybrid"])
@pytest.mark.parametrize("flags", [[], ["--offline"]])
def test_without_the_model_a_strategy_that_needs_it_says_what_to_do(
    run: Run, shop: Path, strategy: str, flags: list[str]
) -> None:
    del shop
    outcome = run("scan", "--strategy", strategy, *flags)
    assert (outcome.code, outcome.out) == (2, "")
    assert "cukereuse model download" in outcome.err


def test_a_download_that_fails_is_one_note(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del shop
    monkeypatch.delenv("CUKEREUSE_OFFLINE")
    outcome = run("scan", "--json")
    assert outcome.code == 1
    assert "downloading" in outcome.err
    assert len(_notes(json.loads(outcome.out))) == 1
    assert "downloading" not in run("scan", "--json", "--offline").err


@pytest.mark.parametrize("strategy", ["exact", "near-exact"])
def test_lexical_strategies_do_not_speak_of_the_model(run: Run, shop: Path, strategy: str) -> None:
    del shop
    outcome = run("scan", "--json", "--strategy", strategy)
    assert _notes(json.loads(outcome.out)) == []
    assert outcome.err == ""


def test_model_commands_without_the_model(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del shop
    outcome = run("model")
    assert outcome.code == 2
    assert "not on this machine" in outcome.err
    outcome = run("model", "download")
    assert (outcome.code, "downloading" in outcome.err) == (2, False)
    assert "Unset CUKEREUSE_OFFLINE, and run" in outcome.err
    outcome = run("scan", "--offline", ".")
    assert "missed: the MiniLM weights are not on this machine, and CUKEREUSE_OFFLINE prevents the download. Unset" in (
        " ".join(outcome.out.split())
    )
    monkeypatch.delenv("CUKEREUSE_OFFLINE")
    outcome = run("model", "download")
    assert outcome.code == 2
    assert "error: " in outcome.err
