"""Caches results about many files, valid as long as the files do not change: one payload for all of them.

A file is recognised by its stamp, which takes a hundredth of the time of reading it. A file that has changed, or so
recently that its stamp can't tell, is read again. Decides nothing about the contents."""

import hashlib
import os
import time
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

import msgspec

from cukereuse_engine.storage.blob_store import Blobs, BlobStore

Stamp = tuple[int, ...]
"""Of a file or a folder: when its contents and its entry changed (ns), its size in bytes, its number."""

SETTLED = 2_000_000_000
"""Nanoseconds after a change before a stamp tells the next one: clocks of file systems are coarse (FAT: 2 s)."""

Value = TypeVar("Value")


def stamp_of(path: str) -> Stamp:
    """Raises `OSError`."""
    status = os.stat(path)  # noqa: PTH116 - a fifth of pathlib's time
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def kept_store() -> BlobStore:
    """The store in the user's cache folder."""
    return BlobStore("kept.sqlite")


def is_settled(stamp: Stamp, now: int) -> bool:
    """True if another change would be visible. `now`: nanoseconds, not after the stamp was taken."""
    return max(stamp[:2]) + SETTLED < now


class Stamps:
    """Stamps of files for which several results are kept: each file is looked at once. For one run: the next run sees
    later changes, because results are kept with the earlier stamp."""

    def __init__(self) -> None:
        self._stamps: dict[str, tuple[Stamp, bool] | None] = {}

    def of(self, path: str) -> tuple[Stamp, bool] | None:
        """The stamp, and true if it is settled; None if there is no such file."""
        if path not in self._stamps:
            now = time.time_ns()
            try:
                stamp = stamp_of(path)
                self._stamps[path] = stamp, is_settled(stamp, now)
            except (OSError, ValueError):
                self._stamps[path] = None
        return self._stamps[path]


class Kept(Generic[Value]):
    """Results by path, in one payload of a store. For one thread and one run: each file is looked at once."""

    def __init__(self, store: Blobs, kind: object, *parts: str, stamps: Stamps | None = None) -> None:
        """`kind`: the type of the results, as `msgspec` reads it. `parts`: what else they depend on (such as the code
        that makes them), and their owner. `stamps`: those of a run that needs them elsewhere too."""
        self._store = store
        self._looked_at = stamps if stamps is not None else Stamps()
        try:
            here = os.getcwd()  # noqa: PTH109 - relative names are relative to it
        except OSError:
            here = ""  # it was deleted; names are absolute
        question = "\0".join((here, *parts)).encode("utf-8", "surrogateescape")
        self._key = hashlib.blake2b(question, digest_size=16).hexdigest()
        self._kind = kind
        self._entries: dict[str, tuple[Stamp, Value]] | None = None
        self._stamps: dict[str, Stamp] = {}
        """Of paths that were asked for, and tell the next change."""
        self._looked_up: dict[str, tuple[Stamp, Value]] = {}
        """What holds of them."""
        self._is_new = False

    def get(self, path: str) -> tuple[Value] | None:
        """The result for an unchanged file, in a tuple; None if there is none."""
        if self._entries is None:
            self._entries = self._read()
        looked_at = self._looked_at.of(path)
        if looked_at is None:
            return None
        stamp, settled = looked_at
        if settled:
            self._stamps[path] = stamp
        entry = self._entries.get(path)
        if entry is None or entry[0] != stamp:
            return None
        self._looked_up[path] = entry
        return (entry[1],)

    def put(self, path: str, value: Value) -> None:
        """Keep the result for a file that was read after `get`."""
        stamp = self._stamps.get(path)
        if stamp is not None:
            self._looked_up[path] = stamp, value
            self._is_new = True

    def save(self) -> None:
        """Keep the results for the files of this run, and no others."""
        entries = self._entries or {}
        if self._is_new or len(self._looked_up) != len(entries):
            self._entries, self._is_new = dict(self._looked_up), False
            rows = [(path, *entry) for path, entry in self._looked_up.items()]
            try:
                payload = msgspec.msgpack.encode(rows)
            except (ValueError, OverflowError):  # a path that is not Unicode: nothing is kept
                return
            self._store.put_many({self._key: payload})

    def _read(self) -> dict[str, tuple[Stamp, Value]]:
        payload = self._store.get_many([self._key]).get(self._key)
        if payload is None:
            return {}
        try:
            rows = msgspec.msgpack.decode(payload, type=list[tuple[str, Stamp, self._kind]])  # type: ignore[name-defined]
        except (msgspec.MsgspecError, TypeError, ValueError):
            return {}
        return {path: (stamp, value) for path, stamp, value in rows}


def found_in(paths: Iterable[str], kept: "Kept[Value] | None", find: Callable[[str], Value]) -> dict[str, Value]:
    """The results of `find` for each file, kept ones if the file is unchanged. Raises what `find` raises."""
    values: dict[str, Value] = {}
    for path in paths:
        saved = kept.get(path) if kept is not None else None
        if saved is not None:
            values[path] = saved[0]
            continue
        values[path] = find(path)
        if kept is not None:
            kept.put(path, values[path])
    if kept is not None:
        kept.save()
    return values
