"""Diagnostics of the last run, by content, so that a first answer need not wait for the index.

A record is found by the bytes of its file, the settings and the version, so it is what the same file got then; the
rest of the suite may have changed since, so it is shown as provisional and replaced.
"""

import hashlib
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import msgspec

from cukereuse_engine import __version__
from cukereuse_engine.gherkin.cache import ParseCache
from cukereuse_engine.storage import cache_dir
from cukereuse_server.protocol.diagnostics import Diagnosis

if TYPE_CHECKING:
    from cukereuse_server.workspace.workspace import Workspace

_MAX_BYTES = 64 * 1024 * 1024
_SECONDS = 10.0
_decoder = msgspec.msgpack.Decoder(list[Diagnosis])


class Remembered:
    def __init__(self, workspace: "Workspace", *, enabled: bool) -> None:
        self._workspace = workspace
        self._store = ParseCache(cache_dir() / "diagnostics.sqlite", max_bytes=_MAX_BYTES) if enabled else None
        self._new: dict[str, bytes] = {}
        self._flushed = monotonic()

    def recall(self, path: str) -> list[Diagnosis] | None:
        key = self._key(path)
        if self._store is None or key is None:
            return None
        payload = self._new.get(key) or self._store.get_many([key]).get(key)
        if payload is None:
            return None
        try:
            return _decoder.decode(payload)
        except msgspec.MsgspecError:
            return None

    def keep(self, path: str, diagnoses: list[Diagnosis]) -> None:
        """Held back until `flush`."""
        key = self._key(path)
        if self._store is not None and key is not None:
            self._new[key] = msgspec.msgpack.encode(diagnoses)

    def flush(self) -> None:
        if self._store is not None and self._new:
            self._store.put_many(self._new)
        self._new = {}

    def flush_aside(self) -> None:
        """In a thread, and no more often than every few seconds: the disk may take its time."""
        now = monotonic()
        if self._store is not None and self._new and now - self._flushed >= _SECONDS:
            self._flushed = now
            new, self._new = self._new, {}
            self._workspace.host.thread("reading", partial(self._store.put_many, new), lambda _: None)

    def _key(self, path: str) -> str | None:
        """Only open files are remembered: their text is at hand."""
        buffer = self._workspace.buffers.get(path)
        if buffer is None:
            return None
        where = f"{Path(path)}\0{self._workspace.folders}\0{sorted(self._workspace.editor.items(), key=str)}"
        place = hashlib.blake2b(where.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
        return f"{__version__}/{place}/{buffer.content_hash()}"
