"""Changes on disk beside Neovim: it watches no files on Linux, and the server must notice them nevertheless."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.editor, pytest.mark.heavy]

Start = Callable[..., Any]
RULE = "divergent-definition"
QUIET = f"return #vim.tbl_filter(function(one) return one.code == '{RULE}' end, vim.diagnostic.get(0)) == 0"


@pytest.fixture
def editor(start_neovim: Start, webshop: Path) -> Any:
    """Neovim on a file with a finding on line 17."""
    editor = start_neovim()
    editor.edit(webshop / "features" / "checkout.feature")
    editor.wait_for(RULE, 17)
    return editor


def test_a_checkout_elsewhere_is_seen_when_neovim_gets_the_focus_back(editor: Any, webshop: Path):
    for name in ("one", "two", "three"):
        wording = 'Then I see the message "Sent"\n'
        scenarios = "".join(f"  Scenario: {name} {number}\n    {wording}" for number in range(3))
        (webshop / "features" / f"{name}.feature").write_text(f"Feature: {name}\n{scenarios}", encoding="utf-8")
    editor.rpc.command("doautocmd FocusGained")
    editor.wait_for(RULE, 11)  # now the other wording is the one in use
    for name in ("one", "two", "three"):
        (webshop / "features" / f"{name}.feature").unlink()
    editor.rpc.command("silent !true")
    editor.wait_for(RULE, 17)


def test_step_definitions_that_changed_elsewhere_count_too(editor: Any, webshop: Path):
    glue = webshop / "features" / "steps" / "shop.py"
    both = "@then('I should see the message \"{message}\"')\n@then('I see the message \"{message}\"')\n"
    text = glue.read_text(encoding="utf-8")
    text = text.replace("@then('I see the message \"{message}\"')\n", "# ").replace(both.split("\n")[0] + "\n", both)
    glue.write_text(text, encoding="utf-8")
    editor.rpc.command("doautocmd FocusGained")
    one_wording = f"one.code == '{RULE}' and one.lnum == 16"  # one definition serves both wordings of line 17 now
    editor.wait(f"return #vim.tbl_filter(function(one) return {one_wording} end, vim.diagnostic.get(0)) == 0")


def test_a_configuration_written_in_neovim_counts_at_once(editor: Any, webshop: Path):
    editor.rpc.command("split")
    editor.edit(webshop / "cukereuse.toml")
    editor.type(f'i[severity]<CR>{RULE} = "off"<Esc>')
    editor.rpc.command("write")
    editor.rpc.command("close")
    editor.wait(QUIET)


def test_glue_code_that_was_opened_first_is_attached_too(start_neovim: Start, webshop: Path):
    editor = start_neovim()
    notes = webshop / "features" / "README.md"
    notes.write_text("# Notes\n", encoding="utf-8")
    editor.edit(notes)
    editor.edit(webshop / "features" / "steps" / "shop.py")
    editor.edit(webshop / "features" / "checkout.feature")
    names = "return vim.tbl_map(function(b) return vim.fs.basename(vim.api.nvim_buf_get_name(b)) end, "
    buffers = "vim.tbl_keys(vim.lsp.get_clients({ name = 'cukereuse' })[1].attached_buffers))"
    editor.wait(
        "local client = vim.lsp.get_clients({ name = 'cukereuse' })[1] "
        "return client and vim.tbl_count(client.attached_buffers) == 2"
    )
    assert sorted(editor.lua(names + buffers)) == ["checkout.feature", "shop.py"]
