"""Settings as a user of the command line meets them, and unsuitable paths."""

import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_print_config_is_toml_with_sources(run: Run, suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "min_count = 3\nignore = ['^a \"b\"', 'ü\\d']\n[severity]\nunread = 'off'\n"
    (suite / "cukereuse.toml").write_text(text, "utf-8")
    monkeypatch.setenv("CUKEREUSE_JOBS", "2")
    outcome = run("steps", "features", "--print-config", "--fail-on", "hint")
    assert outcome.code == 0
    table = tomllib.loads(outcome.out)
    assert (table["min_count"], table["jobs"], table["fail_on"]) == (3, 2, "hint")
    assert table["ignore"] == ['^a "b"', "ü\\d"]
    assert table["severity"] == {"unread": "off"}
    lines = outcome.out.splitlines()
    assert f"min_count = 3  # {suite / 'cukereuse.toml'}" in lines
    assert "jobs = 2  # CUKEREUSE_JOBS" in lines
    assert 'fail_on = "hint"  # --fail-on' in lines
    assert 'strategy = "auto"  # default' in lines
    assert "# threshold is not set" in lines


def test_print_config_shows_what_can_be_shown_of_bad_settings(run: Run, suite: Path) -> None:
    (suite / "cukereuse.toml").write_text("jobs = -1\n")
    outcome = run("stats", "--print-config")
    assert outcome.code == 2
    assert "jobs must be a whole number of at least 0, not -1" in outcome.err


BAD_SETTINGS = [
    ("strategy = ", "is not valid TOML"),
    ("treshold = 0.5", "unknown setting 'treshold'; did you mean 'threshold'?"),
    ("threshold = 2", "threshold must be a number from 0.01 to 1, not 2"),
    ("[severity]\nundefined_steps = 'off'", "did you mean 'undefined-step'?"),
]


@pytest.mark.parametrize(("toml", "message"), BAD_SETTINGS, ids=[toml for toml, _ in BAD_SETTINGS])
@pytest.mark.parametrize("name", ["stats", "steps", "similar"])
def test_bad_settings_stop_the_command(run: Run, suite: Path, name: str, toml: str, message: str) -> None:
    (suite / "cukereuse.toml").write_text(toml)
    outcome = run(name, *(["I log in"] if name == "similar" else []))
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert "cukereuse.toml" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--jobs", "-1"], "--jobs: jobs must be a whole number of at least 0, not -1"),
        (["--jobs", "many"], "'many' is not a valid integer"),
        (["nowhere"], "nowhere: no such file or folder"),
        ([""], "an empty path: no such file or folder"),
        (["--json", "no/such/folder/x.json"], "no/such/folder/x.json can't be written: there is no folder"),
    ],
)
def test_bad_arguments(run: Run, suite: Path, arguments: list[str], message: str) -> None:
    del suite
    outcome = run("stats", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_report_files(run: Run, suite: Path) -> None:
    (suite / "x.json").write_text("old")
    (suite / "link.json").symlink_to(suite / "x.json")
    outcome = run("stats", "--json", "link.json")
    assert outcome.code == 0
    assert "steps" in outcome.out, "the table is shown beside a file"
    assert '"steps": 10' in (suite / "x.json").read_text()
    assert (suite / "link.json").is_symlink()


def test_a_report_to_a_device_leaves_the_device(run: Run, suite: Path) -> None:
    pipe = suite / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run("stats", "--json", pipe).code == 0
        assert os.read(reader, 9).startswith(b"{")
    finally:
        os.close(reader)
    assert not pipe.is_file()


@pytest.mark.parametrize("arguments", [["--json", "features"], ["--json", "features/login.feature"], ["--json"]])
def test_a_path_after_json_is_a_path(run: Run, suite: Path, arguments: list[str]) -> None:
    outcome = run("stats", *arguments)
    assert outcome.code == 0
    assert outcome.out.startswith('{\n  "feature_files": 2')
    assert "Coming in" in (suite / "features" / "login.feature").read_text(), "the feature file is not written over"


def test_in_a_process(run_process: Run, suite: Path) -> None:
    outcome = run_process("stats", "features", cwd=suite)
    assert outcome.code == 0
    assert "I see my name" in outcome.out
    assert outcome.err == "", "no progress in a pipe"


def test_unreadable_file_is_an_error_of_that_file(run: Run, suite: Path) -> None:
    (suite / "features" / "gone.feature").symlink_to("nowhere")
    (suite / "features" / "latin.feature").write_bytes("Feature: é\n".encode("latin-1"))
    (suite / "features" / "folder.feature").mkdir()
    outcome = run("stats")
    assert outcome.code == 0
    assert any(
        line.split() == ["places", "that", "could", "not", "be", "read", "2"] for line in outcome.out.splitlines()
    )
