"""The public face, as a program uses it."""

import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import cukereuse
import pytest

from cukereuse_engine import api

FEATURE = """Feature: Shop
  Scenario: One
    Given I open the basket
    When I press "Pay"
  Scenario: Two
    Given I open the basket
    When I press "Leave"
"""
STEPS = """from behave import given, when

@given("I open the basket")
def open_basket(context): ...

@when('I press "{button}"')
def press(context, button): ...

@when('nobody says "{word}"')
def unused(context, word): ...
"""
REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "features" / "steps").mkdir(parents=True)
    (tmp_path / "features" / "shop.feature").write_text(FEATURE)
    (tmp_path / "features" / "steps" / "shop.py").write_text(STEPS)
    (tmp_path / "behave.ini").write_text("[behave]\n")
    return tmp_path


def test_all_names_are_there_and_documented() -> None:
    for name in api.__all__:
        assert getattr(cukereuse, name) is getattr(api, name)
        assert name == "__version__" or getattr(api, name).__doc__
    assert set(dir(cukereuse)) == set(api.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        cukereuse.nothing  # noqa: B018


def test_importing_it_loads_nothing_heavy() -> None:
    heavy = "{'numpy', 'onnxruntime', 'gherkin', 'click', 'rich', 'tree_sitter', 'hnswlib', 'torch'}"
    code = f"import sys, cukereuse; print(sorted({heavy} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_the_examples_in_its_documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    assert doctest.testmod(importlib.import_module("cukereuse_engine.api")).failed == 0


def test_scan(suite: Path) -> None:
    result = cukereuse.scan(suite, model=False)
    assert isinstance(result, cukereuse.ScanResult)
    assert [suite.step_count for suite in result.suites] == [4]
    assert result.model is None
    assert result.notes


def test_settings_come_from_files_and_arguments(suite: Path) -> None:
    (suite / "cukereuse.toml").write_text('strategy = "exact"\n')
    assert cukereuse.scan(suite, model=False).strategy == "exact"
    assert cukereuse.scan([suite], model=False, strategy="near-exact").strategy == "near-exact"
    assert cukereuse.settings_for(suite).strategy == "exact"


def test_similar(suite: Path) -> None:
    first, *_ = cukereuse.similar("I click the Pay button", suite, model=False)
    assert first.text == 'I press "Pay"' or first.occurrences
    assert len(cukereuse.similar("I open my basket", suite, limit=1, model=False)) == 1
    nearest = cukereuse.similar("I open the basket", suite, limit=1, model=False)[0]
    assert (nearest.text, nearest.occurrences, [step.line for step in nearest.steps]) == (
        "I open the basket",
        2,
        [3, 6],
    )


def test_steps(suite: Path) -> None:
    uses = {use.definition.expression: len(use.steps) for use in cukereuse.steps(suite)}
    assert uses == {"I open the basket": 2, 'I press "{button}"': 2, 'nobody says "{word}"': 0}


def test_rename_is_planned_shown_and_then_written(suite: Path) -> None:
    planned = cukereuse.rename(suite, 'I press "Pay"', 'I click the "{1}" button')
    assert '+    When I click the "Pay" button' in planned.diff()
    assert '"Pay" button' not in (suite / "features" / "shop.feature").read_text()
    planned.apply()
    assert 'I click the "Leave" button' in (suite / "features" / "shop.feature").read_text()
    assert 'I click the "{button}" button' in (suite / "features" / "steps" / "shop.py").read_text()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda suite: cukereuse.scan(suite / "missing"), "missing"),
        (lambda _: cukereuse.scan([]), "no path"),
        (lambda suite: cukereuse.scan(suite, strategy="guess", model=False), "strategy"),
        (lambda suite: cukereuse.scan(suite, strategi="auto", model=False), "strategi"),
        (lambda suite: cukereuse.rename(suite, "no such step", "x"), "no step has the text"),
        (lambda suite: cukereuse.rename(suite, 'I press "Pay"', 'nobody says "{1}"'), "another function"),
    ],
)
def test_errors_are_for_the_user(suite: Path, call, message: str) -> None:
    before = {path: path.read_bytes() for path in suite.rglob("*.*") if path.is_file()}
    with pytest.raises(cukereuse.CukereuseError, match=message):
        call(suite)
    assert before == {path: path.read_bytes() for path in before}
