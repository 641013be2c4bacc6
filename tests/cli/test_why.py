"""`cukereuse why`: what speaks for and against two steps being one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "a.feature").write_text(
        "Feature: Plots\n"
        "  Scenario: Dig\n"
        '    Given I log in as "ann"\n'
        "    When I dig the bed\n"
        "    And I dig a bed\n"
        "    Then the bed is dug\n"
        '    And I sign in as "bob"\n',
        "utf-8",
    )
    steps = tmp_path / "steps"
    steps.mkdir()
    (steps / "plots.py").write_text(
        "from behave import given, when\n\n"
        "@given('I log in as \"{name}\"')\ndef log_in(context, name):\n    pass\n\n"
        "@when('I dig the bed')\n@when('I dig a bed')\ndef dig(context):\n    pass\n",
        "utf-8",
    )
    return tmp_path


def test_says_probability_evidence_and_known_pairs(suite: Path, run: Run) -> None:
    outcome = run("why", 'I log in as "ann"', 'I sign in as "bob"', str(suite))
    assert outcome.code == 0, outcome.err
    assert "'log in' and 'sign in' mean the same" in outcome.out
    assert "likely that people would use one wording for both" in outcome.out
    assert "speaks for" in outcome.out


def test_json_for_steps_that_nobody_wrote_yet(suite: Path, run: Run) -> None:
    outcome = run("why", "I dig the beds", "I dig a bed again", str(suite), "--json")
    assert outcome.code == 0, outcome.err
    report = json.loads(outcome.out)
    assert [text["occurrences"] for text in report["texts"]] == [0, 0]
    assert 0 < report["p_one_intent"] < 1
    assert any(pair["one_definition"] for pair in report["known"])
    assert {row["kind"] for row in report["evidence"]} >= {"replaced", "missing", "roles"}


def test_one_template_needs_no_evidence(suite: Path, run: Run) -> None:
    outcome = run("why", 'I log in as "ann"', 'I log in as "eve"', str(suite), "--json")
    report = json.loads(outcome.out)
    assert report["evidence"] == []
    assert report["kind"] == "parametric"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("", "I dig"), "a step text is empty"),
        (("I dig", " "), "a step text is empty"),
        (("I dig", "."), ". is a path, so a step text is missing"),
        (("I dig", "I mow", "nowhere"), "nowhere"),
    ],
)
def test_says_what_is_wrong(arguments: tuple[str, ...], says: str, run: Run) -> None:
    outcome = run("why", *arguments)
    assert outcome.code != 0
    assert says in outcome.err
