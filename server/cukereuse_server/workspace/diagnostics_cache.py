"""Caches the diagnostics of the last run, by content, so that a first answer need not wait for the index.

A record is found by the bytes of its file, the settings and the version, so it is what the same file got then; the
rest of the suite may have changed since, so it is shown as provisional and replaced.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

import msgspec

from cukereuse_engine import __version__
from cukereuse_engine.storage.blob_store import BlobStore
from cukereuse_server.protocol.diagnostics import Diagnosis
from cukereuse_server.workspace.buffers import Buffer

_MAX_BYTES = 64 * 1024 * 1024
_SECONDS = 10.0
"""The seconds between two writes, because disks may be slow."""
_decoder = msgspec.msgpack.Decoder(list[Diagnosis])


@dataclass(frozen=True, slots=True)
class Shown:
    """An open file, with everything that decides which diagnostics it has."""

    path: str
    buffer: Buffer
    folders: Sequence[str]
    editor: Mapping[str, Any]

    def key(self) -> str:
        where = f"{self.path}\0{tuple(self.folders)}\0{sorted(self.editor.items(), key=str)}"
        place = hashlib.blake2b(where.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
        return f"{__version__}/{place}/{self.buffer.content_hash()}"


class DiagnosticsCache:
    def __init__(self, *, enabled: bool) -> None:
        self._store = BlobStore("diagnostics.sqlite", max_bytes=_MAX_BYTES) if enabled else None
        self._new: dict[str, tuple[Shown, Sequence[Diagnosis]]] = {}
        """New diagnoses by path; hashed and encoded only when they are written, as a typist changes them before."""
        self._taken = monotonic()

    def get(self, shown: Shown) -> list[Diagnosis] | None:
        if self._store is None:
            return None
        key = shown.key()
        held = self._new.get(shown.path)
        if held is not None and held[0].key() == key:
            return list(held[1])
        payload = self._store.get_many([key]).get(key)
        if payload is None:
            return None
        try:
            return _decoder.decode(payload)
        except msgspec.MsgspecError:
            return None

    def put(self, shown: Shown, diagnoses: Sequence[Diagnosis]) -> None:
        """Keep diagnostics until they are taken and written."""
        if self._store is not None:
            self._new[shown.path] = shown, diagnoses

    def due_in(self) -> float | None:
        """Seconds until the next write; None if there is nothing to write."""
        return max(0.0, self._taken + _SECONDS - monotonic()) if self._new else None

    def take(self) -> Iterable[tuple[Shown, Sequence[Diagnosis]]]:
        """The diagnostics to be written."""
        self._taken = monotonic()
        new, self._new = self._new, {}
        return new.values()

    def write(self, new: Iterable[tuple[Shown, Sequence[Diagnosis]]]) -> None:
        """Write diagnostics; always call this in the same thread."""
        if self._store is not None:
            self._store.put_many({shown.key(): msgspec.msgpack.encode(diagnoses) for shown, diagnoses in new})
