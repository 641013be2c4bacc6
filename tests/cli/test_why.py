"""`cukereuse why`: what speaks for and against merging two steps."""

import json
import math
import re
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
        "@when('I dig the bed')\n@when('I dig a bed')\n@when('rain falls')\n@when('I do not dig it')\n"
        "def dig(context):\n    pass\n",
        "utf-8",
    )
    return tmp_path


def test_says_probability_evidence_and_known_pairs(suite: Path, run: Run) -> None:
    outcome = run("why", 'I log in as "ann"', 'I sign in as "bob"', str(suite))
    assert outcome.code == 0, outcome.err
    assert "“log in” and “sign in” mean the same" in outcome.out
    assert "the probability that people would call them one wording is " in outcome.out
    assert "Evidence for (+) and against (-) one wording" in outcome.out
    assert 'I log in as "ann"  (1 step)' in outcome.out


@pytest.mark.parametrize(
    ("left", "right", "settings", "says"),
    [
        ('I log in as "ann"', 'I sign in as "bob"', "", "A scan reports this with severity "),
        ('I log in as "x"', 'I sign in as "y"', "", "A scan reports this with severity "),
        ('I log in as "x"', 'I sign in as "y"', "ignore = ['log in']", "a pragma or the setting `ignore` silences it"),
        ('I log in as "x"', 'I sign in as "y"', "severity.divergent-wording = 'off'", "the rule is off"),
        ('I log in as "x"', 'I sign in as "y"', "strategy = 'exact'", "A scan uses the strategy exact"),
        ("I dig the bed", "I dig a bed", "", "A scan reports nothing: one step definition serves both already"),
        (
            "I dig the bed",
            "the bed is dug",
            "",
            "A scan reports nothing about the wordings: 0.1 % is below the threshold of ",
        ),
        ("I dig the bed", "rain falls", "", "A scan reports nothing: one step definition serves both already"),
        ("I dig the bed", "I do not dig it", "", "A scan reports nothing: one step definition serves both already"),
        ("I dig the bed", "I do not dig the bed", "", "A scan keeps these apart: one says the opposite of the other"),
        ("I dig the bed", "I try to dig the bed", "", "A scan keeps these apart: only one says that it is tried"),
        ("I dig the bed", "I dig the Bed", "", "A scan reports nothing: their words are the same"),
        ("I dig the bed", "I dig the bed", "", "A scan reports nothing: both are the same text"),
        ('I log in as "ann"', 'I log in as "eve"', "", "A scan reports nothing: their words are the same"),
        ("I log in", "I sign in", "", "suite; if it had both, without definitions, the severity would be at most "),
        ("I log in", "I sign in", "severity.divergent-wording = 'off'", "it would report nothing: the rule is off"),
        ("I can log in", "I log in", "", "at most hint; only one says “can”."),
        ("I try to log in", "I log in", "", "it would keep them apart: only one says that it is tried."),
    ],
)
def test_says_what_a_scan_makes_of_it(left: str, right: str, settings: str, says: str, suite: Path, run: Run) -> None:
    (suite / "cukereuse.toml").write_text(settings, "utf-8")
    (suite / "b.feature").write_text(
        "Feature: b\n  Scenario: b\n    When I try to dig the bed\n    And rain falls\n    And I do not dig it\n",
        "utf-8",
    )
    outcome = run("why", left, right, str(suite))
    assert says in outcome.out
    assert outcome.out.count("  arguments\n") == 0 or '"' in left


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (
            "context.shop.press('out')",
            "it reports with severity hint (same-code): “I have logged out” (1 step), ",
        ),
        ("assert context.shop.is_out()", ""),
    ],
)
def test_says_what_a_scan_reports_of_the_step_definitions(code: str, says: str, tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.feature").write_text(
        "Feature: F\n  Scenario: S\n    Given I have logged out\n    Then I log out\n", "utf-8"
    )
    (tmp_path / "steps").mkdir()
    (tmp_path / "steps" / "steps.py").write_text(
        "from behave import given, then\n\n\n@given('I have logged out')\ndef logged_out(context):\n"
        f"    context.shop.press('out')\n\n\n@then('I log out')\ndef log_out(context):\n    {code}\n",
        "utf-8",
    )
    out = run("why", "I log out", "I have logged out", str(tmp_path)).out
    assert "A scan keeps these apart: by their keywords, only one is an assertion, and each has a definition" in out
    assert ("Of their step definitions" in out) is bool(says)
    assert says in out


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ('I log in as "ann"', 'I sign in as "bob"'),
        ("I dig the bed", "I dig a bed"),
        ("I dig the bed", "the bed is dug"),
        ("I dig the bed", "I do not dig the bed"),
        ("I dig the bed", "the weather is fine"),
    ],
)
def test_the_evidence_adds_up_to_the_probability(left: str, right: str, suite: Path, run: Run) -> None:
    shown = re.findall(r"^  ([+-]\d+\.\d)  ", run("why", left, right, str(suite)).out, re.MULTILINE)
    sure = json.loads(run("why", left, right, str(suite), "--json").out)["p_one_intent"]
    assert len(shown) > 2
    assert sum(map(float, shown)) == pytest.approx(math.log(sure / (1 - sure)), abs=0.051)


def test_what_is_asked_is_no_known_pair(suite: Path, run: Run) -> None:
    known = json.loads(run("why", "I dig the bed", "I dig a bed", str(suite), "--json").out)["known"]
    assert ["I dig a bed", "I dig the bed"] not in [sorted(pair["texts"]) for pair in known]


def test_only_near_pairs_are_similar(run: Run, tmp_path: Path) -> None:
    texts = ("I log out", "I logout", "I have logged out", "I scroll to bottom")
    (tmp_path / "a.feature").write_text("Feature: F\n  Scenario: S\n" + "".join(f"    When {t}\n" for t in texts))
    (tmp_path / "steps").mkdir()
    code = "".join(f"@when('{text}')\ndef f{n}(context):\n    pass\n\n\n" for n, text in enumerate(texts))
    (tmp_path / "steps" / "steps.py").write_text(f"from behave import when\n\n\n{code}")
    out = run("why", "I log out", "I have logged out", str(tmp_path)).out
    assert "apart   I logout / I have logged out" in out
    assert "scroll" not in out


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


@pytest.mark.parametrize(
    ("left", "right", "texts", "notes"),
    [
        ('Given I log in as "ann"', ' And  I sign in as "new"', ['I log in as "ann"', 'I sign in as "new"'], 2),
        ("* I dig the bed", "I dig a bed", ["I dig the bed", "I dig a bed"], 1),
        ("Étant donné qu'il pleut", "Quand je sors", ["il pleut", "je sors"], 2),
        ("When nobody says so", "Given name is asked", ["When nobody says so", "Given name is asked"], 0),
    ],
)
def test_the_keyword_of_a_copied_line_is_left_out(
    left: str, right: str, texts: list[str], notes: int, suite: Path, run: Run
) -> None:
    more = "Feature: M\n  Scenario: S\n    Given Given name is asked\n    And name is asked\n"
    (suite / "more.feature").write_text(more, "utf-8")
    french = "# language: fr\nFonctionnalité: F\n  Scénario: S\n    Étant donné qu'il pleut\n    Quand je sors\n"
    (suite / "fr.feature").write_text(french, "utf-8")
    outcome = run("why", left, right, str(suite), "--json")
    assert [each["text"] for each in json.loads(outcome.out)["texts"]] == texts
    assert outcome.err.count(" is left out: it is no part of the step's text") == notes
