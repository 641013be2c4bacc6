"""Measures the CPU seconds of whole commands, including start-up, with filled caches.

    python tests/benchmarks/bench_commands.py [REPOSITORY...] [--runs N] [--commands NAME,…] [--against TREE]

Each command runs in each repository once to fill its own cache, then `--runs` times; the least CPU time counts, user
and system, of the process and its children: other work on the machine adds only to the wall clock. `--against` names
another checkout of this project (`git worktree add`): its commands run in turn with those of this checkout, with a
cache of their own. Renames are planned, never written. Prints a table.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
TINY = HERE / "tests/suites/webshop"
_TRIES = 20
_ADDED = " as agreed"


def renamed_step(folder: Path) -> str | None:
    """A frequent step whose definition can be renamed; None if there is none."""
    from cukereuse_engine.errors import CukereuseError
    from cukereuse_engine.refactor.plan import plan_rename
    from cukereuse_engine.refactor.request import request_for
    from cukereuse_engine.scanning.repository import read_repository
    from cukereuse_engine.settings import Settings

    os.chdir(folder)
    settings = Settings(jobs=1)
    workspace = read_repository(["."], settings, lambda _: settings, use_cache=False).suites
    uses = Counter({text.text: text.occurrences for text in workspace.texts} if workspace else {})
    for text, _ in uses.most_common(_TRIES):
        try:
            if workspace and plan_rename(request_for(workspace, text, text + _ADDED), workspace, thorough=False).files:
                return text
        except CukereuseError:
            continue
    return None


def arguments_of(command: str, step: str | None) -> list[str]:
    match command:
        case "version":
            return ["--version"]
        case "rename":
            assert step is not None
            return ["rename", "--from", step, "--to", step + _ADDED, "."]
        case "similar":
            return ["similar", step or "I press the button", "."]
        case "scan":
            return ["scan", "."]
        case _:
            return [command, "."]


def cpu_seconds(tree: Path, arguments: Sequence[str], folder: Path, cache: Path) -> tuple[float, int]:
    """CPU seconds of one command, and its peak memory in MB."""
    environment = {
        **os.environ,
        "PYTHONPATH": f"{tree}{os.pathsep}{tree / 'server'}",
        "CUKEREUSE_CACHE_DIR": str(cache),
        "CUKEREUSE_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "",  # as an installed command: compiled on its first run
        "PYTHONPYCACHEPREFIX": str(cache / "bytecode"),
    }
    command = [sys.executable, "-c", "from cukereuse_engine.cli.main import main; main()", *arguments]
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(arguments)} in {folder}: exit code {process.returncode}\n{errors}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--commands", default="version,rename,steps,similar,scan")
    parser.add_argument("--against", type=Path)
    asked = parser.parse_args()
    trees = [*([asked.against.resolve()] if asked.against else []), HERE]
    print(f"{'repository':32} {'command':10} " + " ".join(f"{tree.name:>22}" for tree in trees))
    with tempfile.TemporaryDirectory() as scratch:
        alone = shutil.copytree(TINY, Path(scratch, TINY.name))
        for folder in asked.repositories or [alone]:
            # in a process of its own: the memory of a child includes that of its parent
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                step = pool.submit(renamed_step, folder).result()
            for command in asked.commands.split(","):
                if command == "rename" and step is None:
                    continue
                arguments = arguments_of(command, step)
                least = {tree: (float("inf"), 0) for tree in trees}
                for run in range(asked.runs + 1):
                    for number, tree in enumerate(trees):
                        figures = cpu_seconds(tree, arguments, folder, Path(scratch, str(number)))
                        if run:
                            least[tree] = min(least[tree], figures)
                row = " ".join(f"{least[tree][0]:>11.2f} s {least[tree][1]:>6} MB" for tree in trees)
                print(f"{folder.name:32} {command:10} {row}", flush=True)


if __name__ == "__main__":
    main()
