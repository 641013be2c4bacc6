"""Neovim's own completion and keys in feature files, as a person types them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.editors.conftest import PLUGIN

pytestmark = [pytest.mark.editor, pytest.mark.heavy]

Start = Callable[..., Any]
STEPS = """\
from behave import given, then, when


@given("I confirm the order")
def confirm(context): ...


@when('I pay "{amount}" by "{means}"')
def pay(context, amount, means): ...
"""
SHOP = """\
Feature: Shop
  Scenario: One
    Given I confirm the order
    When I pay "5" by "card"

  Scenario: Two
    Given I confirm the order
    {line}
"""
JAPANESE = """\
# language: ja
機能: 店
  シナリオ: 一
    前提注文を確定する
    もし「カード」で支払う

  シナリオ: 二
    {line}
"""
FLOATS = """
return #vim.tbl_filter(function(window)
  return vim.api.nvim_win_get_config(window).relative ~= ''
end, vim.api.nvim_list_wins())
"""
POPUP = "return vim.fn.pumvisible() == 1"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "features" / "steps").mkdir(parents=True)
    (root / "features" / "steps" / "shop.py").write_text(STEPS, encoding="utf-8")
    return root / "features" / "shop.feature"


def opened(start_neovim: Start, file: Path, text: str, before: str = "") -> Any:
    """Neovim on a file of an indexed suite."""
    file.write_text(text, encoding="utf-8")
    editor = start_neovim(f"vim.o.completeopt = 'menuone,noselect'\n{before}")
    editor.edit(file)
    editor.wait(
        """
        local client = vim.lsp.get_clients({ name = 'cukereuse' })[1]
        if not client or not client.initialized then return false end
        local answer = client:request_sync('cukereuse/status', vim.empty_dict(), 1000)
        return answer and answer.result and answer.result.complete
        """
    )
    return editor


def accept(editor: Any, line: int, keys: str) -> str:
    """Type on a line, request completion, accept the first item; returns the line."""
    editor.cursor(line)
    editor.keys(f"{keys}<C-X><C-O>")
    editor.poll(POPUP, True)
    editor.keys("<C-N><C-Y>")
    editor.poll("return vim.fn.pumvisible()", 0)
    editor.keys("<Esc>")
    editor.poll("return vim.api.nvim_get_mode().mode", "n")
    return editor.text()[line - 1]


ACCEPTED = [
    ("And I conf", "A", "And I confirm the order"),
    ("* I conf", "A", "* I confirm the order"),
    ("And ", "AI con", "And I confirm the order"),
    ("And I p", "A", 'And I pay "5" by "card"'),
    ('And I pay "7"', "A", 'And I pay "7" by "card"'),
    ("And I conf the thing", "0fc3la", "And I confirm the order"),
    ("And I confirm the", "0fca", "And I confirm the order"),
    ("Gi", "A", "Given "),
    ("", "aGi", "Given "),
]
"""The line, the typed text, and the line after the first item is accepted."""
JAPANESE_ACCEPTED = [
    ("前提注文", "A", "前提注文を確定する"),
    ("* 注文", "A", "* 注文を確定する"),
    ("もし「", "A", "もし「カード」で支払う"),
]


@pytest.mark.parametrize(
    ("shop", "cases"), [(SHOP, ACCEPTED), (JAPANESE, JAPANESE_ACCEPTED)], ids=["English", "Japanese"]
)
def test_what_is_accepted_stands_whole(
    start_neovim: Start, suite: Path, shop: str, cases: list[tuple[str, str, str]]
) -> None:
    editor = opened(start_neovim, suite, shop.format(line=""))
    lines = {}
    for line, keys, _ in cases:
        editor.rpc.current.buffer[:] = shop.format(line=line).splitlines()
        lines[line, keys] = accept(editor, 8, keys)
    assert lines == {(line, keys): f"    {accepted}" for line, keys, accepted in cases}


def test_a_user_may_have_completion_while_typing(start_neovim: Start, suite: Path) -> None:
    by_the_help = (PLUGIN / "doc" / "cukereuse.txt").read_text("utf-8").partition("completion as you type")[2]
    editor = opened(
        start_neovim, suite, SHOP.format(line="And"), by_the_help.partition(">lua\n")[2].partition("\n<")[0]
    )
    editor.cursor(8)
    editor.keys("A I")
    editor.poll(POPUP, True)


def test_arguments_are_places_to_type_over(start_neovim: Start, suite: Path):
    editor = opened(start_neovim, suite, SHOP.format(line="And I p"))
    editor.cursor(8)
    editor.keys("A<C-X><C-O>")
    editor.poll(POPUP, True)
    editor.keys("<C-N><C-Y>")
    editor.poll("return vim.api.nvim_get_mode().mode", "s")
    editor.keys("9<Tab>")
    editor.poll("return vim.api.nvim_get_mode().mode", "s")
    editor.keys("cash<Esc>")
    editor.poll("return vim.fn.getline(8)", '    And I pay "9" by "cash"')


def test_neovims_keys_and_completion_are_the_servers(start_neovim: Start, suite: Path):
    text = SHOP.format(line='And I pay "1" in "cash"')
    editor = opened(start_neovim, suite, text.replace("    Given", "    Givven", 1))
    editor.wait("return #vim.diagnostic.get(0) > 0")
    assert editor.lua("return vim.bo.filetype") == "cucumber"
    assert editor.lua("return vim.fn.maparg(']d', 'n', false, true).buffer") in (None, 0)
    assert editor.lua("return vim.bo.omnifunc") == "v:lua.vim.lsp.omnifunc"
    editor.cursor(1, 1)
    editor.keys("]d")
    editor.poll("return vim.fn.line('.')", 3)
    editor.keys("<C-W>d")
    editor.poll(FLOATS, 1)
    editor.rpc.command("checkhealth cukereuse")
    assert "is mapped to" not in "\n".join(editor.text())


def test_checkhealth_names_what_hides_a_key(start_neovim: Start, suite: Path):
    editor = opened(start_neovim, suite, SHOP.format(line=""))
    editor.rpc.command("nnoremap <buffer> ]d :echo 'mine'<CR>")
    editor.rpc.command("setlocal omnifunc=syntaxcomplete#Complete")
    editor.rpc.command("checkhealth cukereuse")
    text = "\n".join(editor.text())
    assert "shop.feature: ]d is mapped to :echo 'mine'" in text
    assert "syntaxcomplete#Complete" in text


def test_a_users_own_key_stays(start_neovim: Start, suite: Path):
    suite.write_text(SHOP.format(line=""), encoding="utf-8")
    mine = "vim.api.nvim_create_autocmd('FileType', { callback = function() vim.keymap.set('n', ']d', function() _G.mine = true end, { buffer = true }) end })"  # noqa: E501
    editor = start_neovim(mine)
    editor.edit(suite)
    editor.wait("return #vim.lsp.get_clients({ bufnr = 0 }) > 0")
    editor.keys("]d")
    editor.poll("return _G.mine", True)


def test_a_step_definition_is_created_in_a_new_file(start_neovim: Start, suite: Path):
    suite = suite.with_name("checkout.feature")
    new = suite.parent / "steps" / "checkout.py"
    editor = opened(start_neovim, suite, SHOP.format(line="Then nothing like this is defined"))
    editor.cursor(8)
    editor.lua(
        """
        local function is_new(action) return action.title:find('a new file', 1, true) ~= nil end
        vim.lsp.buf.code_action({ apply = true, filter = is_new })
        """
    )
    lines = editor.wait(
        "local text = vim.api.nvim_buf_get_lines(vim.fn.bufadd(...), 0, -1, false) return #text > 4 and text", str(new)
    )
    assert lines[0] == "from behave import then"
    assert "@then('nothing like this is defined')" in lines
    assert (suite.parent / "steps" / "shop.py").read_text(encoding="utf-8") == STEPS
