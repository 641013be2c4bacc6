"""`cukereuse merge` as a user sees it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

FEATURE = """Feature: Shelves
  Scenario: Sorting
    When I sort 3 books by title
    And I sort 4 books by price
    And the books are put there
    And the books are put there
    And the books are put there again
"""
GLUE = """from behave import when


@when("I sort {count:d} books by title")
def by_title(context, count):
    context.shelf.sort(count, "title")


@when("I sort {count:d} books by price")
def by_price(context, count):
    context.shelf.sort(count, "price")


@when("the books are put there")
def put(context):
    context.shelf.fill(context.books)


@when("the books are put there again")
def laid(context):
    context.shelf.fill(context.books)


@when("nobody says this")
def nobody(context):
    context.shelf.clear()
"""


@pytest.fixture
def shelves(tmp_path: Path) -> Path:
    (tmp_path / "features" / "steps").mkdir(parents=True)
    (tmp_path / "features" / "a.feature").write_text(FEATURE, "utf-8")
    (tmp_path / "features" / "steps" / "steps.py").write_text(GLUE, "utf-8")
    return tmp_path


def contents(folder: Path) -> tuple[str, str]:
    return tuple((folder / "features" / name).read_text("utf-8") for name in ("a.feature", "steps/steps.py"))  # type: ignore[return-value]


WAYS = {
    "--hints": (
        '@when("the books are put there again")\n@when("the books are put there")\ndef put(context):',
        "def laid",
    ),
    "--wording": ("    And the books are put there\n    And the books are put there\n    And the books", "there again"),
    "--constants": ('@when("I sort {count:d} books by {text:w}")\ndef by_title(context, count, text):', "by_price"),
    "--unused": ("def laid", "nobody"),
}


HINTS = "left out: 1 hint; use --hints"
CONSTANTS = "left out: 1 finding about functions that differ in a constant; use --constants"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], [HINTS, CONSTANTS]),
        (["--wording"], [HINTS, CONSTANTS]),
        (["--hints"], [CONSTANTS]),
        (["--constants"], []),
        (["--unused"], []),
        (["--at", "steps.py:14"], [HINTS]),
        (["--at", "steps.py:4"], [CONSTANTS]),
        (["--at", "steps.py:24"], []),
    ],
)
def test_what_another_option_would_merge_is_said(options: list[str], said: list[str], run: Any, shelves: Path) -> None:
    for path in (shelves / "features" / "a.feature", shelves / "features" / "steps" / "steps.py"):
        path.write_text(path.read_text("utf-8").replace("the books are put there again", "fill the shelf with books"))
    outcome = run("merge", str(shelves), *options, "--no-cache")
    lines = [line for line in outcome.err.splitlines() if line.startswith("left out")]
    assert [line.split(" to ")[0] for line in lines] == said


@pytest.mark.parametrize("way", WAYS)
def test_written_and_undone(way: str, run: Any, shelves: Path) -> None:
    before = contents(shelves)
    outcome = run("merge", str(shelves), way, "--write", "--no-cache")
    assert outcome.code == 0, outcome.err
    there, gone = WAYS[way]
    after = "\n".join(contents(shelves))
    assert there in after
    assert gone not in after
    undone = run("merge", str(shelves), "--undo")
    assert undone.code == 0
    said = outcome.err.splitlines()[0].partition(" in ")[0]
    assert said.endswith(" 1 step definition") or f": {said}: " in undone.err
    assert contents(shelves) == before


@pytest.mark.parametrize("way", WAYS)
def test_a_diff_and_nothing_else(way: str, run: Any, shelves: Path) -> None:
    before = contents(shelves)
    outcome = run("merge", str(shelves), way, "--no-cache")
    assert outcome.code == 0
    assert outcome.out.startswith("--- ")
    assert ("would delete" if way == "--unused" else "would merge") in outcome.err
    assert contents(shelves) == before


def test_the_plan_says_what_becomes_of_expressions(run: Any, shelves: Path) -> None:
    outcome = run("merge", str(shelves), "--constants", "--json", "-", "--no-cache")
    (plan,) = json.loads(outcome.out)["plans"]
    changes = [
        (change["expression"], change["new_expression"], change["new_argument"], change["value"])
        for change in plan["changes"]
    ]
    new = "I sort {count:d} books by {text:w}"
    assert changes == [
        ("I sort {count:d} books by title", new, 1, "title"),
        ("I sort {count:d} books by price", new, 1, "price"),
    ]


def test_what_would_take_other_steps_along_becomes_a_function_instead(run: Any, shelves: Path) -> None:
    feature = shelves / "features" / "a.feature"
    feature.write_text(feature.read_text("utf-8") + "    And I sort 5 books by weight\n", "utf-8")
    outcome = run("merge", str(shelves), "--constants", "--no-cache")
    assert (outcome.code, "I sort 5 books by weight" in outcome.err) == (1, True)  # one line: a call would replace it
    steps = shelves / "features" / "steps" / "steps.py"
    longer = re.sub(r"( +)(context\.\w+\.sort)", r"\1context.count = count\n\1\2", steps.read_text("utf-8"))
    steps.write_text(longer, "utf-8")
    outcome = run("merge", str(shelves), "--constants", "--no-cache")
    assert outcome.code == 0
    assert "+def sort_books_by(context, count, text):" in outcome.out
    assert "books by title" not in [line[1:] for line in outcome.out.splitlines() if line[:1] in "+-"]


def test_what_could_not_be_read_may_need_what_is_deleted(run: Any, shelves: Path) -> None:
    text = "Feature: B\n  Scenario: S\n    Given a\n    Whn nobody comes\n"
    (shelves / "features" / "b.feature").write_text(text, "utf-8")
    errors = run("merge", str(shelves), "--unused", "--no-cache").err
    assert "may need what is deleted" in errors
    assert "b.feature:4" in errors
    assert "could not be read" not in run("merge", str(shelves), "--constants", "--no-cache").err


def test_only_what_stands_at_a_place(run: Any, shelves: Path) -> None:
    outcome = run("merge", str(shelves), "--unused", "--at", "steps.py:14", "--no-cache")
    assert outcome.code == 0
    assert outcome.out == ""


@pytest.mark.parametrize("place", ["steps.py:13", "teps.py:14", "nowhere.py:14", "steps.py"])
def test_a_place_without_a_definition_is_an_error(place: str, run: Any, shelves: Path) -> None:
    outcome = run("merge", str(shelves), "--at", place, "--no-cache")
    assert outcome.code == 2
    assert f"no step definition begins at {place}" in outcome.err


def test_a_wording_that_two_definitions_have_is_not_reworded(run: Any, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.feature").write_text(f"Feature: {name}\n  Scenario: S\n    When I lift the lid\n", "utf-8")
        (tmp_path / f"test_{name}.py").write_text(
            f"from pytest_bdd import scenarios, when\n\nscenarios('{name}.feature')\n\n\n"
            "@when('I lift the lid')\ndef _(shop):\n    shop.lift('lid', 1)\n",
            "utf-8",
        )
    outcome = run("merge", str(tmp_path), "--wording", "--hints", "--no-cache")
    assert outcome.code == 1
    assert "has the same wording; keep one of them, where all features load it" in outcome.err


def test_a_definition_for_another_keyword_serves_no_more_steps(run: Any, shelves: Path) -> None:
    glue = GLUE.replace("import when", "import given, when").replace(
        '@when("the books are put there")', '@given("the books are put there")'
    )
    (shelves / "features" / "steps" / "steps.py").write_text(glue, "utf-8")
    feature = FEATURE.replace("    And the books are put there\n", "    Given the books are put there\n")
    feature = feature.replace("And the books are put there again", "When the books are put there again")
    (shelves / "features" / "a.feature").write_text(feature, "utf-8")
    outcome = run("merge", str(shelves), "--wording", "--hints", "--no-cache")
    assert outcome.code == 1
    assert "steps.py:14 serves Given steps only" in outcome.err


def test_definitions_side_by_side_are_deleted_at_once(shelves: Path, run: Any) -> None:
    path = shelves / "features" / "steps" / "steps.py"
    more = "".join(f'\n\n@when("nobody says {name}")\ndef {name}(context):\n    pass\n' for name in ("that", "those"))
    path.write_text(GLUE + more, "utf-8")
    outcome = run("merge", str(shelves), "--unused", "--write", "--no-cache")
    assert "deleted 3 step definitions in 1 file" in outcome.err
    assert path.read_text("utf-8").rstrip() == GLUE[: GLUE.index('@when("nobody')].rstrip()


def test_what_another_suite_uses_is_not_asked_about(run: Any, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "shared").mkdir()
    steps = "".join(f"Given('I {verb}', function () {{ this.{verb}(); }});\n\n" for verb in ("sing", "dance", "rest"))
    (tmp_path / "shared" / "steps.js").write_text(f"const {{ Given }} = require('@cucumber/cucumber');\n\n{steps}")
    for name, verb in (("one", "sing"), ("two", "dance")):
        (tmp_path / name / "features").mkdir(parents=True)
        text = f"Feature: F\n  Scenario: S\n    Given I {verb}\n"
        (tmp_path / name / "features" / "a.feature").write_text(text)
        (tmp_path / name / "cucumber.cjs").write_text(
            "module.exports = { default: { require: ['../shared/*.js'] } };\n"
        )
    outcome = run("merge", str(tmp_path), "--unused", "--no-cache")
    said = outcome.err.splitlines()[1:]  # after a note about the folder
    assert said == ["would delete 1 step definition in 1 file", "  without “I rest”"]


@pytest.mark.parametrize(
    ("kept", "other", "is_refused"),
    [
        ("{count:d} users", "{count:d} user", True),
        ("{count:d} boxes", "{count:d} box", True),
        ("{count:d} users", "{count:d} persons", False),
        ("users", "user", False),
    ],
)
def test_a_number_stays_with_its_noun(run: Any, tmp_path: Path, kept: str, other: str, is_refused: bool) -> None:
    """“I see 1 users” and “I see 2 user” are no better than two step definitions."""
    (tmp_path / "steps").mkdir()
    body = "(context, **count):\n    context.page.open()\n    context.page.check(count)\n"
    steps = "".join(f"\n\n@then('I see {text}')\ndef f{at}{body}" for at, text in enumerate((kept, other)))
    (tmp_path / "steps" / "s.py").write_text(f"from behave import then\n{steps}", "utf-8")
    said = [text.replace("{count:d}", number) for text, number in ((kept, "2"), (kept, "3"), (other, "1"))]
    feature = "Feature: F\n  Scenario: S\n" + "".join(f"    Then I see {text}\n" for text in said)
    (tmp_path / "a.feature").write_text(feature, "utf-8")
    outcome = run("merge", str(tmp_path), "--wording", "--hints", "--no-cache")
    assert ("with the noun in another number" in outcome.err) is is_refused
    assert outcome.code == is_refused


def test_a_file_with_nothing_left_is_told(run: Any, shelves: Path) -> None:
    path = shelves / "features" / "steps" / "old.py"
    path.write_text("@when('the shop burns')\ndef burn(context):\n    context.shop.burn()\n", "utf-8")
    outcome = run("merge", str(shelves), "--unused", "--write", "--no-cache")
    assert outcome.err.endswith("old.py; delete the file if nothing loads it\n")
    assert outcome.err.count("nothing is left in") == 1
