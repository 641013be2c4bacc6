"""Results from files hold as long as the files do not change; a damaged payload is a miss."""

import os
import time
from pathlib import Path

import pytest

from cukereuse_engine.storage import kept as module
from cukereuse_engine.storage.blob_store import BlobStore
from cukereuse_engine.storage.kept import Kept, Stamps, found_in

TICK = 0.02
"""Seconds in which the clock of every file system in the tests moves."""


@pytest.fixture(autouse=True)
def _soon_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SETTLED", int(TICK / 2 * 1e9))


class Reader:
    """Counts what it reads."""

    def __init__(self, folder: Path, *parts: str) -> None:
        self.folder, self.parts = folder, parts
        self.read: list[str] = []

    def __call__(self, path: str) -> str:
        self.read.append(Path(path).name)
        return Path(path).read_text()

    def found(self, *names: str) -> list[str]:
        time.sleep(TICK)
        self.read.clear()
        store: Kept[str] = Kept(BlobStore("kept.sqlite"), str, *self.parts)
        return list(found_in([str(self.folder / name) for name in names], store, self).values())


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    for name in "abc":
        (tmp_path / name).write_text(name)
    return Reader(tmp_path)


def test_only_what_changed_is_read_again(reader: Reader, tmp_path: Path) -> None:
    assert (reader.found("a", "b"), reader.read) == (["a", "b"], ["a", "b"])
    assert (reader.found("a", "b"), reader.read) == (["a", "b"], [])
    (tmp_path / "a").write_text("x")
    assert (reader.found("a", "b"), reader.read) == (["x", "b"], ["a"])
    assert (reader.found("a", "b", "c"), reader.read) == (["x", "b", "c"], ["c"])


def test_a_file_with_the_same_size_and_time_is_another_one(reader: Reader, tmp_path: Path) -> None:
    reader.found("a", "b")
    before = (tmp_path / "a").stat()
    (tmp_path / "new").write_text("z")
    os.utime(tmp_path / "new", ns=(before.st_atime_ns, before.st_mtime_ns))
    (tmp_path / "new").replace(tmp_path / "a")
    assert reader.found("a", "b") == ["z", "b"]


def test_what_has_only_just_changed_is_not_kept(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its next change could have the same stamp."""
    monkeypatch.setattr(module, "SETTLED", 10**12)
    assert reader.found("a") == reader.found("a") == ["a"]
    assert reader.read == ["a"]


def test_a_file_that_changes_between_two_looks_is_read_again_in_the_next_run(reader: Reader, tmp_path: Path) -> None:
    """Everything that is kept of it uses the stamp from before."""
    path = str(tmp_path / "a")
    time.sleep(TICK)
    stamps = Stamps()
    first: Kept[str] = Kept(BlobStore("kept.sqlite"), str, "first", stamps=stamps)
    second: Kept[str] = Kept(BlobStore("kept.sqlite"), str, stamps=stamps)
    assert found_in([path], first, reader) == {path: "a"}
    Path(path).write_text("z")
    assert found_in([path], second, reader) == {path: "z"}
    Path(path).write_text("y")
    assert reader.found("a") == ["y"]


def test_other_code_asks_anew(reader: Reader, tmp_path: Path) -> None:
    reader.found("a")
    other = Reader(tmp_path, "another version")
    assert (other.found("a"), other.read) == (["a"], ["a"])


def test_a_file_that_is_gone_is_asked_for(reader: Reader, tmp_path: Path) -> None:
    reader.found("a")
    (tmp_path / "a").unlink()
    with pytest.raises(FileNotFoundError):
        reader.found("a")


@pytest.mark.parametrize("damage", [b"", b"\xc1", b"\x91\x93\xa1a", b"[]", bytes(1000)])
def test_a_payload_that_is_none_is_a_miss(reader: Reader, damage: bytes) -> None:
    reader.found("a")
    store = BlobStore("kept.sqlite")
    key = Kept[str](store, str)._key
    assert store.get_many([key])
    store.put_many({key: damage})
    assert (reader.found("a"), reader.read) == (["a"], ["a"])
    assert (reader.found("a"), reader.read) == (["a"], [])


def test_a_database_that_is_none_is_a_miss(reader: Reader, own_cache: Path) -> None:
    reader.found("a")
    (own_cache / "kept.sqlite").write_bytes(b"no database at all" * 100)
    assert reader.found("a") == ["a"]


def test_names_that_are_not_unicode(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff"
    Path(os.fsdecode(path)).write_text("odd")
    reader = Reader(tmp_path)
    assert reader.found(os.fsdecode(b"\xff")) == reader.found(os.fsdecode(b"\xff")) == ["odd"]
