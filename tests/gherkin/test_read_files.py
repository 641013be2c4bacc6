import multiprocessing
import os
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from cukereuse_engine.errors import Cancelled
from cukereuse_engine.gherkin import read as reading
from cukereuse_engine.gherkin.cache import parse_cache
from cukereuse_engine.gherkin.read import read_bytes, read_files
from cukereuse_engine.storage.blob_store import BlobStore, _with_check


def feature(number: int, steps: int = 3) -> str:
    lines = "".join(f"    And step {number} of {at}\n" for at in range(steps))
    return f"Feature: f{number}\n  Scenario Outline: s\n    Given <x>\n{lines}    Examples:\n      | x |\n      | 1 |\n"


@pytest.fixture
def folder(tmp_path: Path) -> list[Path]:
    """Twelve files, some of which can't be read or parsed."""
    paths = []
    for number in range(12):
        path = tmp_path / f"{number:02}.feature"
        path.write_text(feature(number) + ("junk\n" if number % 4 == 0 else ""), encoding="utf-8")
        paths.append(path)
    paths[3].write_bytes(b"Feature: caf\xe9\n")
    paths[5].unlink()
    paths[7].unlink()
    paths[7].mkdir()
    return paths


def expected(paths: list[Path]) -> list[object]:
    return [read_bytes(str(path), path.read_bytes()) if path.is_file() else None for path in paths]


def check(files: list[object], paths: list[Path]) -> None:
    assert [getattr(file, "path", "") for file in files] == [str(path) for path in paths]
    for file, wanted in zip(files, expected(paths), strict=True):
        if wanted is not None:
            assert file == wanted
        else:
            (error,) = file.errors  # type: ignore[attr-defined]
            assert error.message.startswith("Can't be read: ")
            assert (error.line, file.steps) == (0, ())  # type: ignore[attr-defined]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("pool_bytes", [0, 10**9])
def test_same_files_whoever_reads_them(
    folder: list[Path], jobs: int, pool_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_POOL_BYTES", pool_bytes)
    monkeypatch.setattr(reading, "_CHUNK_BYTES", 500)
    check(list(read_files(folder, jobs=jobs)), folder)


def test_cache_gives_the_same_and_knows_contents_not_names(folder: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    cache = parse_cache()
    check(list(read_files(folder, jobs=1, cache=cache)), folder)
    monkeypatch.setattr(reading, "_payload", lambda _: pytest.fail("parsed again"))
    check(list(read_files(folder, jobs=1, cache=cache)), folder)
    moved = folder[0].rename(folder[0].with_name("moved.feature"))
    (file,) = read_files([moved], jobs=1, cache=cache)
    assert {step.path for step in file.steps} == {str(moved)}
    monkeypatch.undo()
    folder[1].write_text(feature(99))
    check(list(read_files(folder[1:], jobs=1, cache=cache)), folder[1:])


def test_markdown_and_feature_of_one_content_differ(tmp_path: Path) -> None:
    content = "# Feature: f\n## Scenario: s\n* Given a\n"
    paths = [tmp_path / "a.feature", tmp_path / "a.feature.md"]
    for path in paths:
        path.write_text(content)
    for _ in range(2):
        plain, markdown = read_files(paths, cache=parse_cache(), jobs=1)
        assert (len(plain.steps), len(markdown.steps)) == (0, 1)


@pytest.mark.parametrize("damage", ["flipped", "truncated", "no database", "nonsense record", "empty"])
def test_damaged_cache_is_a_miss(folder: list[Path], damage: str) -> None:
    cache = parse_cache()
    read_files(folder, jobs=1, cache=cache)
    if damage in ("flipped", "nonsense record"):
        with sqlite3.connect(cache.path) as connection:
            for key, payload in connection.execute("SELECT key, payload FROM blobs").fetchall():
                broken = payload[:-1] + bytes([payload[-1] ^ 1]) if damage == "flipped" else _with_check(b"\x93\x01")
                connection.execute("UPDATE blobs SET payload = ? WHERE key = ?", (broken, key))
        connection.close()
    else:
        whole = cache.path.read_bytes()
        for extra in ("-wal", "-shm"):
            cache.path.with_name(cache.path.name + extra).unlink(missing_ok=True)
        contents = {"truncated": whole[: len(whole) // 2], "no database": b"x" * 5000, "empty": b""}
        cache.path.write_bytes(contents[damage])
    for _ in range(2):
        check(list(read_files(folder, jobs=1, cache=cache)), folder)


def test_cache_in_a_folder_that_can_not_be(folder: list[Path], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    check(list(read_files(folder, jobs=1, cache=BlobStore(tmp_path / "file" / "reading.sqlite"))), folder)


def test_another_reader_is_a_miss(folder: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    read_files(folder, jobs=1, cache=parse_cache())
    monkeypatch.setattr("cukereuse_engine.gherkin.cache.reader", lambda: "another")
    monkeypatch.setattr(reading, "_payload", lambda _: pytest.fail("parsed again"))
    with pytest.raises(pytest.fail.Exception):
        read_files(folder, jobs=1, cache=parse_cache())


class _Stops:
    """Stops after some files."""

    def __init__(self, after: int) -> None:
        self.left = after

    @contextmanager
    def stage(self, label: str, total: int | None = None, unit: str = "") -> Iterator["_Stops"]:
        assert (label, unit) == ("reading", "files")
        assert total is not None
        yield self

    def advance(self, n: int = 1) -> None:
        self.left -= n
        if self.left < 0:
            raise Cancelled


@pytest.mark.parametrize("jobs", [1, 2])
def test_cancelled(folder: list[Path], jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_POOL_BYTES", 0)
    monkeypatch.setattr(reading, "_CHUNK_BYTES", 300)
    with pytest.raises(Cancelled):
        read_files(folder, jobs=jobs, progress=_Stops(4))
    counted = _Stops(len(folder))
    read_files(folder, jobs=jobs, progress=counted)
    assert counted.left == 0


def test_no_process_outlives_the_one_that_started_it(tmp_path: Path) -> None:
    """A killed process can't tell its children to end."""
    script = """
        import os, signal, sys
        from cukereuse_engine.processes import worker_processes
        if __name__ == "__main__":
            pool = worker_processes(2)
            pool.submit(os.getpid).result()
            print(*pool._processes, file=open(sys.argv[1], "w"), flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
    """
    path, out = tmp_path / "starts.py", tmp_path / "started"
    path.write_text(textwrap.dedent(script))
    subprocess.run([sys.executable, str(path), str(out)], check=False, timeout=120)
    started = [psutil.Process(int(number)) for number in out.read_text().split() if psutil.pid_exists(int(number))]
    alive = psutil.wait_procs(started, timeout=20)[1]
    for process in alive:
        process.kill()
    assert not alive


def test_a_killed_process_loses_nothing(folder: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_POOL_BYTES", 0)
    monkeypatch.setattr(reading, "_parse_chunk", _die_in_a_child)
    check(list(read_files(folder, jobs=2)), folder)


def _die_in_a_child(tasks: list[tuple[bytes, bool]]) -> list[bytes]:
    if multiprocessing.parent_process() is not None:
        os._exit(1)
    return [reading._payload(task) for task in tasks]


@pytest.mark.unprivileged
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "a.feature"
    path.write_text(feature(1))
    path.chmod(0)
    (file,) = read_files([path])
    assert "ermission" in file.errors[0].message


def test_odd_path() -> None:
    (file,) = read_files(["a\0b.feature"])
    assert len(file.errors) == 1
