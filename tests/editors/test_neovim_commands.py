"""`:Cukereuse …`, `:checkhealth cukereuse` and the help file in a real Neovim."""

import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cukereuse_engine import __version__

pytestmark = pytest.mark.editor

Start = Callable[..., Any]
PLUGIN = Path(__file__).parents[2] / "editors" / "neovim"
RULE = "divergent-definition"


def health(editor: Any) -> str:
    editor.rpc.command("checkhealth cukereuse")
    return "\n".join(editor.text())


RUNS = """\
Feature: Numbers
  Scenario: good
    Given the number 1

  Scenario: bad
    Given the number 2
"""
RUN_STEPS = """\
from behave import given


@given("the number {n:d}")
def number(context, n):
    assert n == 1
"""
TERMINAL = """
for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
  local lines = vim.bo[buffer].buftype == 'terminal' and vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  local text = lines and table.concat(lines, ' ')
  if text and text:find(..., 1, true) then return true end
end
"""


@pytest.mark.heavy
def test_a_scenario_runs_in_a_terminal_or_a_debugger_when_asked(start_neovim: Start, tmp_path: Path):
    pytest.importorskip("behave")
    feature = tmp_path / "numbers" / "features" / "numbers.feature"
    (feature.parent / "steps").mkdir(parents=True)
    feature.write_text(RUNS)
    (feature.parent / "steps" / "numbers.py").write_text(RUN_STEPS)
    ready = "local a = vim.lsp.get_clients({ name = 'cukereuse' })[1]:request_sync('cukereuse/status', vim.empty_dict(), 1000) return a and a.result and a.result.complete"  # noqa: E501
    editor = start_neovim()
    editor.edit(feature)
    editor.wait("return #vim.lsp.get_clients({ name = 'cukereuse', bufnr = 0 }) > 0")
    editor.wait(ready)
    editor.cursor(3)
    editor.rpc.command("Cukereuse run")
    editor.wait(TERMINAL, "1 scenario passed, 0 failed")
    assert editor.lua("return vim.fn.expand('%:t')") == "numbers.feature", "the cursor stays where it is"
    editor.type("6GA<BS>1<Esc>")
    editor.rpc.command("Cukereuse run")
    editor.wait(TERMINAL, "features/numbers.feature:5")
    assert feature.read_text() == RUNS.replace("number 2", "number 1"), "what runs is what is seen"
    editor.lua("_G.start = vim.fn.jobstart vim.fn.jobstart = function() return -1 end")  # as without the runner
    editor.rpc.command("Cukereuse run")
    editor.is_told("behave can't be started: install it on PATH, or set a command in the setting `runCommand`")
    editor.lua("vim.fn.jobstart = _G.start")
    editor.rpc.command("Cukereuse debug")
    editor.is_told("the plugin nvim-dap is missing")
    editor.lua("package.loaded.dap = { adapters = {}, run = function(launch) _G.launched = launch end }")
    editor.rpc.command("Cukereuse debug")
    editor.is_told("nvim-dap has no adapter `debugpy`; set up nvim-dap-python")
    editor.lua("package.loaded.dap.adapters.debugpy = {}")
    editor.rpc.command("Cukereuse debug")
    launched = editor.wait("return _G.launched")
    assert (launched["type"], launched["module"], launched["request"]) == ("debugpy", "behave", "launch")
    assert (launched["args"], launched["cwd"]) == (["features/numbers.feature:5"], str(feature.parents[1]))


@pytest.mark.heavy
def test_a_user_looks_around(start_neovim: Start, webshop: Path, tmp_path: Path):
    editor = start_neovim("vim.g.cukereuse = { code_lens = true }")
    editor.lua("vim.ui.open = function(path) _G.opened = path return nil, nil end")
    editor.edit(webshop / "features" / "checkout.feature")
    editor.wait_for(RULE, 17)

    lenses = "return vim.iter(vim.lsp.codelens.get(0)):find(function(one) return vim.startswith((one.command or {}).title or '', 'used') end)"  # noqa: E501
    editor.rpc.command("doautocmd CursorHold")
    editor.wait(lenses)

    editor.cursor(7)
    editor.answer(cukereuse_similar="I am logged in")
    editor.rpc.command("Cukereuse similar")
    editor.wait("return vim.bo.filetype == 'qf'")
    shown = editor.rpc.call("getqflist", {"title": 1, "items": 1})
    assert shown["title"].startswith("I am logged in as")
    assert {item["text"].strip() for item in shown["items"]} == {
        'Given I am logged in as "anna"',
        'And I am logged in as "anna"',
        'Given I am logged in as "ben"',
    }
    editor.rpc.command("cclose")

    editor.rpc.command("Cukereuse similar the order is confirmed")
    editor.wait("return #_G.asked == 2")
    assert "the order is confirmed" in editor.asked()[1]["lines"][0]
    assert any("the order is not confirmed  (other meaning:" in line for line in editor.asked()[1]["lines"])

    editor.rpc.command("Cukereuse status")
    editor.wait("return vim.fn.execute('messages'):find('24 step definitions') ~= nil")

    editor.rpc.command("Cukereuse scan")
    editor.is_told("4 findings, 1 hint in 4 files")  # a step definition has one too
    listed = editor.rpc.call("getqflist", {"title": 1, "items": 1})
    assert listed["title"].startswith("cukereuse: ")
    assert any(item["type"] in "WI" and "[divergent-definition]" in item["text"] for item in listed["items"])
    editor.rpc.command("cclose")

    editor.rpc.command("Cukereuse report")
    editor.is_told("the report is in")
    report = Path(editor.lua("return _G.opened"))
    assert report.is_relative_to(tmp_path)
    assert "cukereuse" in report.read_text(encoding="utf-8")

    said = health(editor)
    assert "❌" not in said
    assert f"version {__version__} (found by: PATH)" in said
    assert f"serves {webshop}, 1 buffer, positions in utf-8" in said
    assert "3 files, 40 steps, 30 texts, 24 step definitions" in said
    assert "Python 3." in said

    editor.edit(webshop / "features" / "checkout.feature")
    editor.rpc.command("Cukereuse restart")
    editor.wait("return #vim.diagnostic.get(0) == 0")
    editor.wait_for(RULE, 17)


def test_the_model_is_asked_for_by_a_command(start_neovim: Start, webshop: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CUKEREUSE_OFFLINE", "1")
    monkeypatch.setenv("CUKEREUSE_MODEL_DIR", str(webshop / "no model"))
    editor = start_neovim("")
    editor.edit(webshop / "features" / "checkout.feature")
    editor.wait_for(RULE, 17)
    editor.rpc.command("Cukereuse download")
    editor.is_told(f"cukereuse: {str(webshop)[:12]}")  # the command says that this folder has no model


@pytest.mark.parametrize(
    ("before", "message"),
    [
        pytest.param("", "there is no `cukereuse` on PATH", id="nothing there"),
        pytest.param("vim.g.cukereuse = { server = '/nowhere/cukereuse' }", '"/nowhere/cukereuse"', id="setting"),
    ],
)
def test_no_server_is_said_once_with_what_to_do(
    start_neovim: Start, webshop: Path, plugin_alone: Path, monkeypatch: pytest.MonkeyPatch, before: str, message: str
):
    monkeypatch.setenv("PATH", os.defpath)
    editor = start_neovim(before, plugin=plugin_alone)
    for name in ("checkout", "basket"):
        editor.edit(webshop / "features" / f"{name}.feature")
    editor.is_told(message)
    assert editor.messages().count(message) == 1
    assert "Install" in editor.messages()
    editor.rpc.command("Cukereuse status")
    editor.is_told("no server is running here")
    report = health(editor)
    assert "❌" in report
    assert message in report


def fake_server(folder: Path, version: str) -> Path:
    """A `cukereuse` that prints a version and ends."""
    command = folder / "cukereuse"
    folder.mkdir(parents=True)
    command.write_text(f"#!{sys.executable}\nprint('cukereuse {version}')\n", encoding="utf-8")
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    return command


@pytest.mark.parametrize("trusted", [True, False])
def test_the_workspaces_own_python_is_started_only_when_trusted(
    start_neovim: Start, webshop: Path, plugin_alone: Path, monkeypatch: pytest.MonkeyPatch, trusted: bool
):
    monkeypatch.setenv("PATH", os.defpath)
    command = fake_server(webshop / ".venv" / "bin", "0.0.1")
    editor = start_neovim(plugin=plugin_alone)
    editor.lua("vim.fn.mkdir(vim.fn.stdpath('state'), 'p')")
    if trusted:
        editor.edit(command)
        assert editor.lua("return vim.secure.trust({ action = 'allow', bufnr = 0 })")
    code = "return { require('cukereuse.server').find(...) }"
    answer = editor.lua(code, str(webshop))
    if trusted:
        assert answer[0]["argv"] == [str(command)]
        editor.edit(webshop / "behave.ini")
        report = health(editor)
        assert f"the server is version 0.0.1, the plugin {__version__}; update the server" in report
    else:
        assert answer[0] is None
        assert "is not trusted" in answer[1]


@pytest.mark.parametrize("workspace", [True, False])
def test_the_checkout_of_the_plugin_serves_where_nothing_else_may(
    start_neovim: Start, webshop: Path, plugin_alone: Path, monkeypatch: pytest.MonkeyPatch, workspace: bool
):
    monkeypatch.setenv("PATH", os.defpath)
    command = fake_server(plugin_alone.parents[1] / ".venv" / "bin", __version__)
    if workspace:
        fake_server(webshop / ".venv" / "bin", "0.0.1")  # which nobody has trusted
    link = webshop.parent / "link"
    link.symlink_to(plugin_alone)
    editor = start_neovim(plugin=link)
    assert editor.lua("return require('cukereuse.server').find(...)", str(webshop))["argv"] == [str(command)]


def test_the_help_file_has_a_tag_for_each_command_and_no_tag_twice(start_neovim: Start, tmp_path: Path):
    editor = start_neovim()
    doc = tmp_path / "doc"
    doc.mkdir()
    text = (PLUGIN / "doc" / "cukereuse.txt").read_text(encoding="utf-8")
    (doc / "cukereuse.txt").write_text(text, encoding="utf-8")
    editor.rpc.command(f"helptags {doc}")  # raises where a tag appears twice
    tags = {line.split("\t")[0] for line in (doc / "tags").read_text(encoding="utf-8").splitlines()}
    names = editor.rpc.call("getcompletion", "Cukereuse ", "cmdline")
    assert len(names) >= 5
    assert {f":Cukereuse-{name}" for name in names} <= tags
    own = set(re.findall(r"\|(:?[cC]ukereuse[^|\s]*)\|", text))
    assert own <= tags
    editor.rpc.command(f"set runtimepath+={tmp_path}")
    for tag in sorted(set(re.findall(r"\|([^|\s]+)\|", text)) - own):
        editor.rpc.command(f"help {tag}")  # raises where Neovim has no such tag
    assert max(map(len, text.splitlines())) <= 78


def test_plugin_and_server_have_one_version(start_neovim: Start):
    assert start_neovim().lua("return require('cukereuse.version')") == __version__


def test_lua_is_formatted_and_compiles(neovim_command: str):
    files = sorted(PLUGIN.rglob("*.lua"))
    assert len(files) > 10
    check = "lua for _, file in ipairs(vim.fn.argv()) do assert(loadfile(file)) end"
    ran = subprocess.run(
        [neovim_command, "--clean", "--headless", "-n", *map(str, files), "-c", check, "-c", "qall!"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "Error" not in ran.stderr
    too_long = [file.name for file in files if max(map(len, file.read_text(encoding="utf-8").splitlines())) > 120]
    assert not too_long
