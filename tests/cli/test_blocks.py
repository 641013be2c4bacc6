"""`cukereuse blocks` and `cukereuse extract` as a user meets them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

STEPS = """\
from behave import given, when


@given('I open the "{page}" page')
def open_page(context, page):
    pass


@given("I press the button")
def press(context):
    pass


@given("I am let in")
def let_in(context):
    pass


@when("I {act}")
def act(context, act):
    pass
"""
SETUP = '    Given I open the "login" page\n    And I press the button\n    And I am let in\n'


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: the same three steps in five scenarios of two files."""
    (tmp_path / "steps").mkdir()
    (tmp_path / "steps" / "steps.py").write_text(STEPS, "utf-8")
    for name, acts in (("one", ("pay", "ship", "leave")), ("two", ("wait", "sing"))):
        scenarios = "".join(f"  Scenario: {act}\n{SETUP}    When I {act}\n      | {act} |\n" for act in acts)
        text = f"Feature: {name}\n  Scenario: first {name}\n    When I begin\n      | a |\n{scenarios}"
        (tmp_path / f"{name}.feature").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def blocks(run: Run, *arguments: str) -> Any:
    return json.loads(run("blocks", "--json", "-", *arguments).out)


def test_blocks_with_their_places(run: Run, shop: Path) -> None:
    del shop
    (block,) = blocks(run)
    assert [step["text"] for step in block["steps"]] == ['I open the "login" page', "I press the button", "I am let in"]
    assert (block["scenarios"], block["files"], block["steps_saved"], block["parameters"]) == (5, 2, 7, [])
    assert [(Path(place["path"]).name, place["line"]) for place in block["places"][:2]] == [
        ("one.feature", 6),
        ("one.feature", 12),
    ]
    outcome = run("blocks")
    assert "3 steps in 5 scenarios of 2 files: saves 7 lines" in outcome.out
    assert outcome.err.strip().endswith("1 block, 7 lines could be saved")


def test_stricter_and_looser(run: Run, shop: Path) -> None:
    del shop
    assert blocks(run, "--min-scenarios", "6") == []
    assert len(blocks(run, "--top", "1", "--attachments", "--min-steps", "2")) == 1


def test_a_page_for_people(run: Run, shop: Path) -> None:
    run("blocks", "--html", "report.html")
    assert b"<!doctype html>" in (shop / "report.html").read_bytes()


@pytest.mark.parametrize(
    ("more", "rules"), [([], []), (["dig", "weed", "sow", "mow", "rake", "hoe", "rest"], ["repeated-block"])]
)
def test_a_scan_says_what_saves_much(run: Run, shop: Path, more: list[str], rules: list[str]) -> None:
    scenarios = "".join(f"  Scenario: {act}\n{SETUP}    When I {act}\n      | {act} |\n" for act in more)
    with (shop / "two.feature").open("a", encoding="utf-8") as file:
        file.write(scenarios)
    document = json.loads(run("scan", "--strategy", "exact", "--json", "-").out)["findings"]
    assert [finding["rule"] for finding in document] == rules


def test_taken_out_and_back(run: Run, shop: Path) -> None:
    before = {path: path.read_bytes() for path in shop.rglob("*.*") if path.is_file()}
    (block,) = blocks(run)
    assert "I open the" in run("extract").out
    preview = run("extract", "--block", block["id"], "--as", "I am logged in")
    assert preview.code == 0
    assert "+    Given I am logged in" in preview.out
    assert {path: path.read_bytes() for path in before} == before, "a preview writes nothing"
    written = run("extract", "--block", block["id"][:6], "--as", "I am logged in", "--write")
    assert (written.code, written.err.strip()) == (0, "5 places say “I am logged in”")
    assert (shop / "two.feature").read_text("utf-8").count("Given I am logged in\n") == 2
    assert blocks(run) == []
    assert run("extract", "--undo").code == 0
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--block", "zzz"), 2, "there is no block with this id"),
        (("--write",), 2, "--block ID"),
        (("--block", "", "--write"), 2, "--block ID"),
        (("47be0c56adc7",), 2, "The id of a block follows --block"),
    ],
)
def test_what_is_asked_wrongly(run: Run, shop: Path, arguments: tuple[str, ...], code: int, message: str) -> None:
    del shop
    outcome = run("extract", *arguments)
    assert outcome.code == code
    assert message in outcome.err


def test_a_suite_without_blocks_is_told(run: Run, shop: Path) -> None:
    (shop / "two.feature").unlink()
    (shop / "one.feature").write_text("Feature: F\n  Scenario: S\n    Given I am let in\n", "utf-8")
    outcome = run("extract")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "No sequence of steps recurs.\n")


def test_refused_with_the_reason(run: Run, shop: Path) -> None:
    (shop / "steps" / "steps.py").unlink()
    (block,) = blocks(run)
    outcome = run("extract", "--block", block["id"])
    assert outcome.code == 1
    assert "no step definitions are known" in outcome.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "5 places would say “I open the {page} page and am let in”"),
        (["--as", 'I am at "the {page}"'], "{page} can't be inside quotes or a longer word"),
        (["--as", 'I am at "the {page}"'], "choose another wording with spaces around {page}\n"),
        (["--to", "I am at {page}"], "5 places would say “I am at {page}”"),
    ],
)
def test_a_wording_whose_parameter_is_no_word(run: Run, shop: Path, options: list[str], message: str) -> None:
    steps = shop / "steps" / "steps.py"
    steps.write_text(steps.read_text("utf-8").replace('the "{page}" page', '"the {page} page"'), "utf-8")
    for feature in (shop / "one.feature", shop / "two.feature"):
        parts = feature.read_text("utf-8").split('the "login" page')
        pages = ["login", "start", "end"]
        text = "".join(f'{part}"the {page} page"' for part, page in zip(parts[:-1], pages, strict=False)) + parts[-1]
        feature.write_text(text, "utf-8")
    (block,) = blocks(run)
    assert message in run("extract", "--block", block["id"], *options).err


def test_a_background_where_all_places_open_one_file(run: Run, shop: Path) -> None:
    (shop / "two.feature").unlink()
    scenarios = "".join(
        f"  Scenario: {act}\n{SETUP}    When I {act} now\n      | {act} |\n\n" for act in ("a", "b", "c")
    )
    (shop / "one.feature").write_text(f"Feature: one\n{scenarios}", "utf-8")
    (block,) = blocks(run)
    outcome = run("extract", "--block", block["id"], "--write")
    assert (outcome.code, outcome.err.strip()) == (0, "3 steps begin each of 3 scenarios and could be a Background")
    assert "Background:" in (shop / "one.feature").read_text("utf-8")
    assert blocks(run) == []
