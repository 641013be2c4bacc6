"""Each corpus command, killed while it writes, resumes to the same bytes as an undisturbed run."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from corpus_tools.commands.table import STAGES

FORKING = """
import contextlib, importlib, json, os, sys
from pathlib import Path
from cukereuse_engine.cli.main import run

def replaced(left, after, corpus, replace):
    def instead(self, target):
        if corpus not in str(target):  # a cache, which later runs find full
            return replace(self, target)
        instead.left -= 1
        if after:
            replace(self, target)
        if instead.left == 0:
            os._exit(9)  # as SIGKILL does: nothing is tidied up
        return target if after else replace(self, target)
    instead.left = left
    return instead

for line in sys.stdin:
    left, when, command = json.loads(line)
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(2, 1)
        Path.replace = replaced(left, when == "after", command[2], Path.replace)
        code = run(command)
        with open(writes, "w") as answer:
            json.dump([left - Path.replace.left, list(sys.modules)], answer)
        os._exit(code)
    os.close(writes)
    with open(reads) as answer:
        count, modules = json.loads(answer.read() or f"[{left}, []]")
    for name in set(modules) - sys.modules.keys():
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(json.dumps([status, count]), flush=True)
"""
"""Runs commands, each in a process that ends before or after it has replaced the given number of files. Imports of one
process are shared with the others."""
NEVER = 1_000_000
OPTIONS: dict[str, Sequence[str]] = {
    "parse": ("--jobs", "1"),
    "scenarios": ("--jobs", "1"),
    "catalogue": ("--jobs", "1"),
    "dashboard": ("--jobs", "1", "--offline"),
    "analyse": ("--strategy", "near-exact"),
    "slices": ("--strategy", "near-exact", "--catalogue"),
}
ELSEWHERE = {"discover", "materialise", "rehydrate"}
"""Stages that use the network: `test_run.py` kills them."""
WITHOUT_STATE = {"evaluate", "papers", "sample", "synthesise"}
"""Stages that read no corpus, or write one file at once."""
STAGE_NAMES = [row.name for row in STAGES if row.name not in ELSEWHERE | WITHOUT_STATE]


def outputs(corpus: Path) -> dict[str, bytes]:
    kept = {
        path.relative_to(corpus).as_posix(): path.read_bytes()
        for path in corpus.rglob("*")
        if path.is_file() and ".stages" not in path.parts
    }
    assert not [name for name in kept if name.endswith(".tmp")]
    return kept


Start = Callable[..., tuple[int, int]]


@pytest.fixture(scope="module")
def start() -> Iterator[Start]:
    """A function that runs a command: exit code, and the number of replaced files."""
    with subprocess.Popen(
        [sys.executable, "-c", FORKING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asks, answers = process.stdin, process.stdout

        def run(corpus: Path, name: str, dies_at: int = NEVER, when: str = "before") -> tuple[int, int]:
            print(
                json.dumps([dies_at, when, ["corpus", name, str(corpus), *OPTIONS.get(name, ())]]),
                file=asks,
                flush=True,
            )
            code, count = json.loads(answers.readline())
            assert code in (0, 9)
            return code, count

        yield run
        asks.close()


@pytest.fixture(scope="module")
def parsed(tmp_path_factory: pytest.TempPathFactory, start: Start) -> Path:
    """A corpus that is read and analysed."""
    from tests.corpus.conftest import build

    folder = build(tmp_path_factory.mktemp("parsed") / "corpus")
    for name in ("parse", "analyse"):
        assert start(folder, name)[0] == 0
    return folder


@pytest.mark.heavy(seconds=10)
@pytest.mark.parametrize("name", STAGE_NAMES)
def test_a_killed_command_resumes_to_the_same_bytes(parsed: Path, tmp_path: Path, start: Start, name: str) -> None:
    corpus = tmp_path / "corpus"

    def as_found() -> None:
        """A corpus at one place, because paths may be part of the written data."""
        shutil.rmtree(corpus, ignore_errors=True)
        shutil.copytree(parsed, corpus)
        if name in ("parse", "analyse"):
            shutil.rmtree(corpus / ".stages")
            for path in corpus.glob("*.parquet"):
                if name == "parse" or path.name not in ("steps.parquet", "errors.parquet"):
                    path.unlink()

    as_found()
    _, count = start(corpus, name)
    expected = outputs(corpus)
    assert count > 0
    for dies_at, when in dict.fromkeys(((1, "before"), ((count + 1) // 2, "after"), (count, "before"))):
        as_found()
        assert start(corpus, name, dies_at, when)[0] == 9
        assert start(corpus, name)[0] == 0
        assert outputs(corpus) == expected
