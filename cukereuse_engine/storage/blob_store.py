"""Caches results by their input, in one SQLite file of the user's cache folder: parsed files, step definitions,
functions, joins, diagnostics, each kind in its own file.

A key contains everything that a result depends on, so it is never out of date. Any number of processes may use the file
at once. A store never fails: damaged or locked entries and read-only files are misses. Never contains a pickle.
"""

import hashlib
import sqlite3
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Protocol

from cukereuse_engine.storage import cache_dir

MAX_BYTES = 512 * 1024 * 1024
"""Size of one file beyond which the least recently used payloads go."""
_KEEP_SHARE = 0.9
"""Share of the limit that is left then, so that all payloads are looked through once for a tenth of it written."""
_AT_ONCE = 500
_DAY = 86_400
_TRIES = 6
"""To make a new file one that is read while it is written: .3 s in all."""
_CHECK = 8
"""Bytes of BLAKE2b before each payload."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS blobs (
    key TEXT PRIMARY KEY, payload BLOB NOT NULL, size INTEGER NOT NULL, used INTEGER NOT NULL
) WITHOUT ROWID
"""


class Blobs(Protocol):
    """The protocol of a store."""

    def get_many(self, keys: Iterable[str]) -> dict[str, bytes]: ...

    def put_many(self, payloads: Mapping[str, bytes]) -> None: ...


_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""The second where SQLite quotes what it found, and that is no text."""
_PASSING = (
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM),
)
"""Complaints that say nothing about the file itself."""


class BlobStore:
    """A store for one thread."""

    def __init__(self, path: str | Path, *, version: str = "", max_bytes: int = MAX_BYTES) -> None:
        """`path`: relative to the user's cache folder. `version`: a digest of everything that makes the results; those
        of another version are misses."""
        self.path = cache_dir() / path
        self._max_bytes = max_bytes
        self._version = f"{version}/" if version else ""

    def get_many(self, keys: Iterable[str]) -> dict[str, bytes]:
        """Payloads of the keys that are known and undamaged. Marks them as used."""
        wanted = [self._version + key for key in keys]
        payloads: dict[str, bytes] = {}
        if not wanted or not self.path.exists():
            return payloads
        try:
            with closing(self._connect()) as connection:
                stale: list[tuple[int, str]] = []
                today = _today()
                for start in range(0, len(wanted), _AT_ONCE):
                    batch = wanted[start : start + _AT_ONCE]
                    marks = ",".join("?" * len(batch))
                    query = f"SELECT key, payload, used FROM blobs WHERE key IN ({marks})"
                    for key, stored, used in connection.execute(query, batch):
                        payload = _checked(stored)
                        if payload is not None:
                            payloads[key[len(self._version) :]] = payload
                            if used < today:
                                stale.append((today, key))
                if stale:
                    with connection:
                        connection.executemany("UPDATE blobs SET used = ? WHERE key = ?", stale)
        except _UNREADABLE as error:
            self._forget(error)
        return payloads

    def put_many(self, payloads: Mapping[str, bytes]) -> None:
        """Keep all payloads, or none if the disk is full or the file is locked for long."""
        if not payloads:
            return
        today = _today()
        rows = [(self._version + key, _with_check(value), len(value), today) for key, value in payloads.items()]
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as connection:
                with connection:
                    connection.executemany("INSERT OR REPLACE INTO blobs VALUES (?, ?, ?, ?)", rows)
                self._shrink(connection)
        except _UNREADABLE as error:
            self._forget(error)
        except OSError:
            return

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=5)
        try:
            _use_wal(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_SCHEMA)
        except _UNREADABLE:
            connection.close()
            raise
        return connection

    def _shrink(self, connection: sqlite3.Connection) -> None:
        """Delete payloads if the file is larger than its limit, least recently used days first. Its pages are reused,
        not released."""
        page_size, pages, free = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_size", "page_count", "freelist_count")
        )
        in_use = page_size * (pages - free)
        if in_use <= self._max_bytes:
            return
        excess = in_use - _KEEP_SHARE * self._max_bytes
        doomed: list[tuple[str]] = []
        for key, size in connection.execute("SELECT key, size FROM blobs ORDER BY used, key"):
            if excess <= 0:
                break
            doomed.append((key,))
            excess -= size
        with connection:
            connection.executemany("DELETE FROM blobs WHERE key = ?", doomed)

    def _forget(self, error: Exception) -> None:
        """Remove a file that is no database any more; leave one that is merely locked or on a full disk."""
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF not in _PASSING:
            for suffix in ("", "-wal", "-shm"):
                try:
                    self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
                except OSError:
                    return


def _use_wal(connection: sqlite3.Connection) -> None:
    """A new file changes its mode while nobody else has it: SQLite does not wait for that, whatever its timeout."""
    for attempt in range(_TRIES):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if attempt == _TRIES - 1 or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            time.sleep(0.01 * 2**attempt)


def _today() -> int:
    return int(time.time()) // _DAY


def _with_check(payload: bytes) -> bytes:
    return hashlib.blake2b(payload, digest_size=_CHECK).digest() + payload


def _checked(stored: object) -> bytes | None:
    if not isinstance(stored, bytes):
        return None
    payload = stored[_CHECK:]
    return payload if hashlib.blake2b(payload, digest_size=_CHECK).digest() == stored[:_CHECK] else None
