"""Files that are never seen partly written."""

import os
import stat
from pathlib import Path

import pytest

from cukereuse_engine.storage import cache_dir, write_atomically


def test_writes_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "new" / "ünï #1.json"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path], "no temporary file stays"


def test_permissions_are_those_of_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o022)
    try:
        write_atomically(tmp_path / "a", b"")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o644


def test_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, b"after")
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_long_name_leaves_room_for_the_temporary_one(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250)
    write_atomically(path, b"")
    assert path.exists()


def test_cache_folder_can_be_named(own_cache: Path) -> None:
    assert cache_dir() == own_cache
