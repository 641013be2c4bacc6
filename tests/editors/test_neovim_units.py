"""Parts of the plugin by themselves, in a Neovim without a server."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.editor

Start = Callable[..., Any]
PLUGIN = Path(__file__).parents[2] / "editors" / "neovim"


def test_each_command_of_the_table_is_one_of_the_plugin(start_neovim: Start) -> None:
    table = tomllib.loads((PLUGIN.parent / "commands.toml").read_text(encoding="utf-8"))
    offered = start_neovim().lua("return require('cukereuse.command').complete('', 'Cukereuse ')")
    assert offered == sorted(name for name, row in table.items() if "help" in row)


def tree(root: Path, *files: str) -> None:
    for name in files:
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()


@pytest.mark.parametrize(
    ("files", "file", "folder"),
    [
        pytest.param([".git/", "a/behave.ini"], "a/features/x.feature", ".", id="the repository, with all its suites"),
        pytest.param(["a/behave.ini", "pyproject.toml"], "a/features/x.feature", "a", id="the nearest configuration"),
        pytest.param(["package.json"], "e2e/features/x.feature", ".", id="the project"),
        pytest.param([], "shop/features/deep/features/x.feature", "shop", id="what holds the outermost features"),
        pytest.param([], "loose/x.feature", "loose", id="its own folder"),
        pytest.param(["a#b/cukereuse.toml"], "a#b/100% x/y.feature", "a#b", id="odd names"),
    ],
)
def test_the_workspace_folder(start_neovim: Start, tmp_path: Path, files: list[str], file: str, folder: str):
    root = tmp_path / "root"
    tree(root, *files)
    answer = start_neovim().lua("return require('cukereuse.workspace').folder_of(...)", str(root / file))
    assert Path(answer) == root / folder


def test_the_home_folder_is_no_workspace(start_neovim: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    tree(tmp_path, ".git/", "cukereuse.toml")
    answer = start_neovim().lua("return require('cukereuse.workspace').folder_of(...)", str(tmp_path / "a/x.feature"))
    assert Path(answer) == tmp_path / "a"


@pytest.mark.parametrize(
    ("files", "file", "wanted"),
    [
        (["features/a.feature"], "features/steps/a.rb", True),
        (["tests/features/a.feature", "pyproject.toml"], "tests/step_defs/test_a.py", True),
        (["behave.ini"], "src/deep/a.py", True),
        (["pyproject.toml"], "src/a.py", False),
        (["pyproject.toml", "features.py"], "src/a.py", False),
    ],
)
def test_glue_is_attached_beside_feature_files_only(
    start_neovim: Start, tmp_path: Path, files: list[str], file: str, wanted: bool
):
    root = tmp_path / "root"
    tree(root, ".git/", *files, file)
    answer = start_neovim().lua(
        "return require('cukereuse.workspace').holds_features(...)", str(root / file), str(root)
    )
    assert answer is wanted


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("a.feature", True), ("a.feature.md", True), ("README.md", False), ("a.txt", False)],
)
def test_which_files_belong_to_the_server(start_neovim: Start, tmp_path: Path, name: str, wanted: bool):
    tree(tmp_path / "root", ".git/", name)
    editor = start_neovim("vim.g.cukereuse = { server = '/nowhere' }")
    editor.edit(tmp_path / "root" / name)
    code = """
      local filetype = vim.bo.filetype
      local ours = vim.list_contains(vim.lsp.config.cukereuse.filetypes, filetype)
      return ours and require('cukereuse.workspace').root(0) ~= nil
    """
    assert editor.lua(code) is wanted


@pytest.mark.parametrize(
    ("server", "fits"),
    [("0.1.0", True), ("0.1.9", True), ("0.2.0", False), ("1.0.0", False), ("0.1.0rc1", True), ("nonsense", False)],
)
def test_versions_that_go_together(start_neovim: Start, server: str, fits: bool):
    editor = start_neovim("package.preload['cukereuse.version'] = function() return '0.1.3' end")
    assert editor.lua("return require('cukereuse.server').fits(...)", server) is fits


def test_settings_reach_the_command_line(start_neovim: Start, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CUKEREUSE_JOBS", "3")
    settings = {
        "minCount": 2,
        "strategy": "exact",
        "exclude": ["a b", "c"],
        "severity": {"unread": "off", "divergent-wording": "hint"},
        "jobs": 8,
    }
    answer = start_neovim().lua("return require('cukereuse.commands.report').environment(...)", settings)
    assert answer == {
        "CUKEREUSE_MIN_COUNT": "2",
        "CUKEREUSE_STRATEGY": "exact",
        "CUKEREUSE_EXCLUDE": '["a b","c"]',
        "CUKEREUSE_SEVERITY": "divergent-wording=hint,unread=off",
    }


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("{ code_lens = true }", None),
        ("{ code_lens = 1 }", "vim.g.cukereuse.code_lens must be a boolean"),
        ("{ sever = 'x' }", "vim.g.cukereuse.sever is not an option; the options are: code_lens, server"),
        ("'x'", "vim.g.cukereuse must be a table"),
    ],
)
def test_options_that_are_wrong(start_neovim: Start, options: str, problem: str | None):
    editor = start_neovim(f"vim.g.cukereuse = {options}")
    assert editor.lua("return select(2, require('cukereuse.options').read())") == ([problem] if problem else [])


@pytest.mark.parametrize(
    ("cmd", "argv"),
    [
        ("{ 'uvx', 'cukereuse', 'serve', '--log-level', 'debug' }", ["uvx", "cukereuse"]),
        ("{ 'cukereuse' }", ["cukereuse"]),
    ],
)
def test_the_users_own_command_wins(start_neovim: Start, cmd: str, argv: list[str]):
    editor = start_neovim(f"vim.lsp.config('cukereuse', {{ cmd = {cmd} }})")
    assert editor.lua("return require('cukereuse.server').find('/')")["argv"] == argv


def test_the_input_box_says_what_a_wording_would_do(start_neovim: Start):
    editor = start_neovim()
    editor.lua("""
      vim.ui.input = function(options, on_answer) on_answer(vim.fn.input(options.prompt, options.default)) end
      vim.defer_fn(function()
        require('cukereuse.prompt').ask({
          prompt = 'New wording: ',
          default = 'a',
          describe = function(text, on_line) on_line('would change ' .. text) end,
          on_answer = function(text) _G.answered = text end,
        })
      end, 0)
    """)
    floating = """
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        if vim.api.nvim_win_get_config(window).relative ~= '' then
          return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, 1, false)[1]
        end
      end
    """
    editor.poll(floating, "would change a")
    editor.rpc.input("bc")
    editor.poll(floating, "would change abc")
    editor.rpc.input("<CR>")
    editor.poll("return _G.answered", "abc")
    assert editor.lua(floating) is None


@pytest.mark.parametrize("screen", [True, False])
def test_a_question_of_the_server_waits_for_a_person_only_where_there_is_one(start_neovim: Start, screen: bool):
    editor = start_neovim()
    if screen:
        editor.rpc.ui_attach(80, 24)
    editor.answer(lsp_message="Later")
    editor.lua("""
      local ask = vim.lsp.config.cukereuse.handlers['window/showMessageRequest']
      local actions = { { title = 'Now' }, { title = 'Later' } }
      coroutine.wrap(function() _G.answered = ask(nil, { message = 'Download?', actions = actions }, {}) end)()
      vim.wait(1000, function() return _G.answered end)
    """)
    assert editor.lua("return _G.answered ~= vim.NIL and _G.answered.title or 'nothing'") == (
        "Later" if screen else "nothing"
    )
    assert len(editor.asked()) == screen


def test_it_is_a_package(start_neovim: Start, tmp_path: Path):
    """Neovim's own packages need only a folder or a link below `pack/*/start`."""
    start = tmp_path / "site" / "pack" / "cukereuse" / "start"
    start.mkdir(parents=True)
    (start / "cukereuse").symlink_to(PLUGIN)
    editor = start_neovim(f"vim.opt.packpath:prepend({str(tmp_path / 'site')!r})", plugin=None)
    assert editor.rpc.call("exists", ":Cukereuse") == 2
    assert editor.lua("return vim.lsp.config.cukereuse.name") == "cukereuse"
