"""Texts that look alike and differ only in their Unicode normal form: people can't see that they are two."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Run

FEATURE = "Feature: f\n  Scenario: s\n    When I open the cafe\u0301\n  Scenario: t\n    When I open the caf\u00e9\n"
STEPS = 'from behave import when\n\n\n@when("I open the {form}")\ndef cafe(context): pass\n'


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.feature").write_text(FEATURE, "utf-8")
    return tmp_path


def test_they_are_told(run: "Run", suite: Path) -> None:
    del suite
    outcome = run("scan", ".", "--fail-on", "off")
    assert "they differ in their Unicode normal form only" in outcome.out


@pytest.mark.parametrize("form", ["cafe\u0301", "caf\u00e9"])
def test_a_definition_in_the_other_form_is_named(run: "Run", suite: Path, form: str) -> None:
    (suite / "steps").mkdir()
    (suite / "steps" / "s.py").write_text(STEPS.replace("{form}", form), "utf-8")
    outcome = run("scan", ".", "--fail-on", "off", "--severity", "undefined-step=warning")
    assert "apart from its Unicode normal form, it equals what steps/s.py:4 says" in outcome.out
    assert "only the Unicode normal form differs" in run("steps", ".").out


def test_definitions_that_can_not_be_read_are_named(run: "Run", suite: Path) -> None:
    (suite / "steps").mkdir()
    (suite / "steps" / "s.py").write_text("from behave import when\n\n\n@when(text())\ndef cafe(context): pass\n")
    outcome = run("steps", ".")
    assert outcome.code == 2
    assert "step definitions were found, but none of them can be read" in outcome.err
    assert "steps/s.py:4: the step's expression is computed: text()" in outcome.err
