"""Caches what was found in many files, valid as long as the files do not change: one payload for all of them.

A file is recognised by its stamp, which costs a hundredth of reading it. A file that changed, or did so too lately for
its stamp to tell, is asked again; the others are not. Decides nothing about what is kept."""

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
    """The user's own."""
    return BlobStore("kept.sqlite")


def is_settled(stamp: Stamp, now: int) -> bool:
    """True if another change would show. `now`: nanoseconds, not after the stamp was taken."""
    return max(stamp[:2]) + SETTLED < now


class Stamps:
    """Of files that several results are kept of: each is looked at once. For one run: a change after that is seen by
    the next one, as what was found goes by the stamp from before."""

    def __init__(self) -> None:
        self._stamps: dict[str, tuple[Stamp, bool] | None] = {}

    def of(self, path: str) -> tuple[Stamp, bool] | None:
        """With whether it is settled; None where there is no such file."""
        if path not in self._stamps:
            now = time.time_ns()
            try:
                stamp = stamp_of(path)
                self._stamps[path] = stamp, is_settled(stamp, now)
            except (OSError, ValueError):
                self._stamps[path] = None
        return self._stamps[path]


class Kept(Generic[Value]):
    """Results by path, in one payload of a store. For one thread, and for one run: a file is looked at once."""

    def __init__(self, store: Blobs, kind: object, *parts: str, stamps: Stamps | None = None) -> None:
        """`kind`: the type of the results, as `msgspec` reads it. `parts`: what else they depend on (the code that
        makes them among it), and whose they are. `stamps`: of a run that asks for files of its own too."""
        self._store = store
        self._looked_at = stamps if stamps is not None else Stamps()
        try:
            here = os.getcwd()  # noqa: PTH109 - relative names are relative to it
        except OSError:
            here = ""  # it is gone: names are absolute
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
        """What was found in a file that is as it was then, in a tuple; None where that is not known."""
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
        """What is in a file that was read after it was asked for."""
        stamp = self._stamps.get(path)
        if stamp is not None:
            self._looked_up[path] = stamp, value
            self._is_new = True

    def save(self) -> None:
        """Keep what holds of the files that were asked for, and nothing else."""
        entries = self._entries or {}
        if self._is_new or len(self._looked_up) != len(entries):
            self._entries, self._is_new = dict(self._looked_up), False
            rows = [(path, *entry) for path, entry in self._looked_up.items()]
            try:
                payload = msgspec.msgpack.encode(rows)
            except (ValueError, OverflowError):  # a name that is not Unicode: nothing is kept
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
    """What `find` finds in each file, or found when it was as it is. Raises what `find` does."""
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
