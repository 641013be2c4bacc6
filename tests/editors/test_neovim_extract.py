"""`:Cukereuse extract` in a real Neovim: from the finding to the files on disk."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.editor, pytest.mark.heavy]
STEPS = """\
from behave import given, then, when


@given('I open the "{page}" page')
def open_page(context, page):
    pass


@given('I fill in the name "{name}"')
def fill_in(context, name):
    pass


@given("I press the button")
def press(context):
    pass


@then("all is done")
def done(context):
    pass
"""
SCENARIO = """\
  Scenario: {0}
    Given I open the "login" page
    And I fill in the name "{0}"
    And I press the button
    Then all is done
"""


@pytest.fixture
def features(tmp_path: Path) -> Path:
    root = tmp_path / "features"
    (root / "steps").mkdir(parents=True)
    (root / "steps/steps.py").write_text(STEPS, encoding="utf-8")
    others = "Bob Cid Dan Eve Ian Joe Kim Lea Mia Ned Oda Pam Quin"
    for file, names in (("a", ["Ann", "Zoë"]), ("b", others.split())):
        rest = "    And all is done\n" if file == "b" else ""
        text = "Feature: x\n" + "".join(SCENARIO.format(name) + (rest if name == "Cid" else "") for name in names)
        (root / f"{file}.feature").write_text(text, encoding="utf-8")
    return root


def test_a_block_becomes_one_step(start_neovim: Callable[..., Any], features: Path) -> None:
    path = features / "a.feature"
    before = path.read_text(encoding="utf-8")
    editor = start_neovim()
    editor.edit(path)
    editor.wait_for("repeated-block", 3)
    editor.cursor(4)
    editor.answer(cukereuse_confirm="Extract", input='I am logged in as "{name}"')
    editor.rpc.command("Cukereuse extract")
    editor.is_told("extracted 15 places in 3 files")
    editor.rpc.command("wall")

    expected = before
    for name in ("Ann", "Zoë"):
        block = SCENARIO.format(name).split("\n", 1)[1].replace("    Then all is done\n", "")
        expected = expected.replace(block, f'    Given I am logged in as "{name}"\n')
    assert path.read_text(encoding="utf-8") == expected
    assert '    open_page(context, "login")\n    fill_in(context, name)\n    press(context)\n' in (
        features / "steps/steps.py"
    ).read_text(encoding="utf-8")
