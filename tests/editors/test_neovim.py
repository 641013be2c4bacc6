"""The plugin in a real Neovim, with the real server: a user's actions, and their results on disk."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.editor, pytest.mark.heavy]

Start = Callable[..., Any]
RULE = "divergent-definition"
SEEN = '    And I see the message "Your basket is empty"'
SHOULD_SEE = '    And I should see the message "Your basket is empty"'


def code_action(editor: Any, title: str) -> None:
    """Choose an action as a user does with `gra`."""
    editor.answer(codeaction=title)
    editor.lua("vim.lsp.buf.code_action()")
    editor.wait("return vim.iter(_G.asked):any(function(one) return one.prompt:find('Code actions') end)")


def test_a_paraphrase_that_is_typed_gets_its_diagnostic_and_the_wording_in_use(start_neovim: Start, webshop: Path):
    file = webshop / "features" / "api.feature"
    before = file.read_text(encoding="utf-8")
    editor = start_neovim()
    editor.edit(file)
    editor.wait_for(RULE, 10)
    editor.type("GoAnd the response status must be 404<Esc>")
    line = len(editor.text())
    diagnostic = editor.wait_for("divergent-wording", line)
    assert "the response status is" in diagnostic["message"]

    editor.cursor(line)
    code_action(editor, "Use existing step “the response status is 404”")
    editor.wait("return vim.fn.getline('.'):find('status is 404') ~= nil")
    editor.rpc.command("wall")

    assert file.read_text(encoding="utf-8") == before + "    And the response status is 404\n"
    editor.wait(f"return #vim.diagnostic.get(0, {{ lnum = {line - 1} }}) == 0")


@pytest.mark.parametrize("folder", ["plain", "a#b 100% ünï"])
def test_a_cluster_is_renamed_across_files_and_step_definitions(start_neovim: Start, webshop: Path, folder: str):
    root = webshop.rename(webshop.parent / folder)
    (root / "features" / "more").mkdir()
    other = root / "features" / "more" / "mail.feature"
    other.write_bytes(b'Feature: Mail\r\n  Scenario: One\r\n    Then I should see the message "Sent"')
    checkout = root / "features" / "checkout.feature"
    before = checkout.read_text(encoding="utf-8")
    editor = start_neovim()
    editor.edit(checkout)
    editor.wait_for(RULE, 17)
    editor.cursor(17)

    editor.answer(cukereuse_rename="Another wording", cukereuse_confirm="Rename", input='the shop says "{1}"')
    editor.rpc.command("Cukereuse rename")
    editor.wait("return vim.iter(_G.told):any(function(one) return one:find('renamed') end)")
    choices = editor.asked()[0]["lines"]
    editor.rpc.command("wall")

    assert [choice.split("×")[0].strip() for choice in choices[:2]] == ["3", "1"], "the most used first"
    expected = before.replace("I see the message", "the shop says").replace("I should see the message", "the shop says")
    assert checkout.read_text(encoding="utf-8") == expected
    assert other.read_bytes() == b'Feature: Mail\r\n  Scenario: One\r\n    Then the shop says "Sent"'
    assert 'the shop says "green tea was added"' in (root / "features" / "basket.feature").read_text(encoding="utf-8")
    glue = (root / "features" / "steps" / "shop.py").read_text(encoding="utf-8")
    assert "@then('the shop says \"{message}\"')" in glue
    assert (root / "features" / "api.feature").read_bytes() == (webshop_original() / "api.feature").read_bytes()


def webshop_original() -> Path:
    return Path(__file__).parents[1] / "suites" / "webshop" / "features"


def test_the_command_of_the_readme_is_all_that_a_fresh_neovim_needs(
    neovim_command: str, webshop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    root = Path(__file__).parents[2]
    home = tmp_path / "fresh home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    commands = re.findall(r"^\$ (.*nvim/init\.lua)$", (root / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) == 1
    subprocess.run(commands[0], shell=True, check=True, cwd=root)
    wait = "vim.wait(120000, function() return #vim.diagnostic.get(0) > 0 end)"
    ran = subprocess.run(
        [neovim_command, "--headless", "-n", str(webshop / "features" / "checkout.feature"),
         "-c", f"lua {wait} io.stdout:write(vim.fn.exists(':Cukereuse'), vim.diagnostic.get(0)[1].message)",
         "-c", "qall!"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )  # fmt: skip
    assert ran.stdout.startswith("2“"), ran.stderr
    assert "means the same, but has another step definition" in ran.stdout
