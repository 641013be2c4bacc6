"""The first finding appears on machines and in folders that differ from a developer's."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.editors.situations import SITUATIONS

pytestmark = [pytest.mark.editor, pytest.mark.heavy]

Start = Callable[..., Any]
ANY = "return #vim.tbl_filter(function(one) return one.code ~= 'unread' end, vim.diagnostic.get(0)) > 0"


@pytest.mark.parametrize("name", SITUATIONS)
def test_the_first_finding_comes(
    start_neovim: Start, webshop: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    situation = SITUATIONS[name](webshop)
    for variable, value in situation.environment.items():
        monkeypatch.setenv(variable, value)
    editor = start_neovim()
    for file in situation.files:
        editor.edit(file)
        editor.wait(ANY)
    assert not [line for line in editor.messages().splitlines() if "Error" in line or "Traceback" in line]
    assert editor.lua("return #vim.lsp.get_clients({ name = 'cukereuse' })") == len(situation.files)


def test_a_folder_without_features_is_left_alone(start_neovim: Start, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n", "utf-8")
    editor = start_neovim()
    editor.edit(tmp_path / "notes.md")
    editor.lua("vim.wait(1000, function() return false end)")
    assert editor.lua("return #vim.lsp.get_clients()") == 0
    assert editor.messages() == ""
