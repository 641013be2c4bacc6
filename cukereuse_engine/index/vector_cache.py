"""Caches vectors on disk, by model and exact model input.

One SQLite file for each model, in WAL mode, so that any number of processes share it and a killed one loses nothing
that `put` has written. A record has its key and a checksum: a damaged or incomplete one is a miss, never a vector. The
cache never fails a run: if the folder can't be used, everything is a miss and `problem` says why.
"""

import contextlib
import hashlib
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.embedding_models.embedder import Embedder, Vectors
from cukereuse_engine.progress import SILENT, Progress, Stage
from cukereuse_engine.storage import cache_dir

MAX_BYTES = 1 << 30
"""Size of one model's file beyond which the oldest vectors go; about 550,000 vectors of MiniLM."""
KEEP_SHARE = 0.8
"""Share of `MAX_BYTES` that is left then."""
_TEXTS_PER_CHUNK = 2048
"""Embedded and written together by `embed_cached`: a killed run loses less than this, some seconds. Of batches of 1,024
tokens, 1.0 % are padding then; 3.6 % with 512 texts, as their lengths in characters tell those in tokens only about."""
_IDS_PER_QUERY = 500
_BUSY_SECONDS = 10.0
_PAGE_BYTES = 8192
_DIGEST_SIZE = 16

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (id INTEGER PRIMARY KEY, written INTEGER NOT NULL, record BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS vectors_by_age ON vectors (written);
"""


class VectorCache:
    """Use it as a context manager; thread-safe."""

    def __init__(self, model_hash: str, dim: int, folder: Path | None = None, max_bytes: int = MAX_BYTES) -> None:
        """`folder` None is the user's cache folder. Creates missing folders; never raises."""
        self.problem = ""
        """Why the cache can't be used, for a log; empty when it can."""
        self._dim = dim
        self._max_bytes = max_bytes
        name = hashlib.blake2b(f"{model_hash}\0{dim}".encode(), digest_size=8).hexdigest()
        self.path = (folder or cache_dir() / "vectors") / f"{name}.sqlite"
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        with self._lock, self._guarded():
            self._connect()

    def __enter__(self) -> "VectorCache":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        with self._lock, contextlib.suppress(sqlite3.Error):
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def get(self, texts: Sequence[str]) -> tuple[Vectors, NDArray[np.bool_]]:
        """`(len(texts), dim)` float32 vectors, and `(len(texts),)` true for known ones; unknown rows are zero."""
        vectors = np.zeros((len(texts), self._dim), np.float32)
        is_known = np.zeros(len(texts), bool)
        digests = [_digest(text) for text in texts]
        records: dict[int, bytes] = {}
        with self._lock, self._guarded():
            if self._connection is not None:
                records = _read(self._connection, sorted({_id(digest) for digest in digests}))
        for row, digest in enumerate(digests):
            record = records.get(_id(digest))
            if record is not None and _is_whole(record, digest, self._dim):
                vectors[row] = np.frombuffer(record, np.float32, self._dim, _DIGEST_SIZE)
                is_known[row] = True
        return vectors, is_known

    def put(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Keep `(len(texts), dim)` vectors; afterwards they are on disk, unless `problem` says otherwise."""
        now = int(time.time())
        rows = []
        for text, vector in zip(texts, np.asarray(vectors, np.float32), strict=True):
            digest = _digest(text)
            content = digest + vector.tobytes()
            rows.append((_id(digest), now, content + _checksum(content)))
        with self._lock, self._guarded():
            if self._connection is None:
                return
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
            self._evict()

    def __len__(self) -> int:
        with self._lock, self._guarded():
            if self._connection is not None:
                return int(self._connection.execute("SELECT count(*) FROM vectors").fetchone()[0])
        return 0

    def _connect(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, check_same_thread=False)
        try:
            connection.execute(f"PRAGMA page_size={_PAGE_BYTES}")
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")  # a power cut may lose the last vectors, nothing else can
            connection.executescript(_SCHEMA)
        except BaseException:
            connection.close()
            raise
        self._connection = connection

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Turn errors of SQLite and the disk into misses; replace a damaged file."""
        try:
            yield
        except (sqlite3.OperationalError, OSError) as error:  # locked, full, read-only
            self.problem = f"The vector cache {self.path} can't be used: {error}."
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # SQLite quotes what it found, text or not
            self.problem = f"The vector cache {self.path} was damaged and has been recreated: {error}."
            self._start_anew()

    def _start_anew(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None
        try:
            for suffix in ("-wal", "-shm", ""):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
            self._connect()
        except (OSError, sqlite3.Error) as error:
            self.problem = f"The vector cache {self.path} is damaged and can't be replaced: {error}."

    def _evict(self) -> None:
        """Delete the oldest vectors if the file is larger than its limit. Its pages are reused, not released."""
        assert self._connection is not None
        pages = self._connection.execute("PRAGMA page_count").fetchone()[0]
        free = self._connection.execute("PRAGMA freelist_count").fetchone()[0]
        if (pages - free) * _PAGE_BYTES <= self._max_bytes:
            return
        total = self._connection.execute("SELECT count(*) FROM vectors").fetchone()[0]
        surplus = total - int(total * KEEP_SHARE * self._max_bytes / ((pages - free) * _PAGE_BYTES))
        with self._connection:
            self._connection.execute(
                "DELETE FROM vectors WHERE id IN (SELECT id FROM vectors ORDER BY written, id LIMIT ?)", (surplus,)
            )


def embed_cached(
    texts: Sequence[str], embedder: Embedder, cache: VectorCache | None = None, progress: Progress = SILENT
) -> Vectors:
    """`(len(texts), dim)` float32 vectors; only unknown ones are computed, each text once.

    They are written as they come, so that a cancelled or killed run goes on where it stopped. `cache` None opens the
    user's own.
    """
    if cache is None:
        with VectorCache(embedder.model_hash, embedder.dim) as own:
            return embed_cached(texts, embedder, own, progress)
    vectors, is_known = cache.get(texts)
    rows: dict[str, list[int]] = {}
    for row in np.flatnonzero(~is_known).tolist():
        rows.setdefault(texts[row], []).append(row)
    if not rows:
        return vectors
    unknown = sorted(rows, key=len)  # similar lengths together, for the embedder's batches
    with progress.stage("embedding", len(unknown), "texts") as stage:
        for start in range(0, len(unknown), _TEXTS_PER_CHUNK):
            chunk = unknown[start : start + _TEXTS_PER_CHUNK]
            computed = embedder.embed(chunk, _Within(stage))
            cache.put(chunk, computed)
            for text, vector in zip(chunk, computed, strict=True):
                vectors[rows[text]] = vector
    return vectors


class _Within:
    """A `Progress` whose stages are parts of one that is already open."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def stage(self, label: str, total: int | None = None, unit: str = "") -> AbstractContextManager[Stage]:
        del label, total, unit
        return contextlib.nullcontext(self._stage)


def _read(connection: sqlite3.Connection, ids: list[int]) -> dict[int, bytes]:
    records: dict[int, bytes] = {}
    for start in range(0, len(ids), _IDS_PER_QUERY):
        part = ids[start : start + _IDS_PER_QUERY]
        marks = ",".join("?" * len(part))
        records.update(connection.execute(f"SELECT id, record FROM vectors WHERE id IN ({marks})", part))
    return records


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()


def _id(digest: bytes) -> int:
    return int.from_bytes(digest[:8], "big", signed=True)


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(4, "big")


def _is_whole(record: object, digest: bytes, dim: int) -> bool:
    """True for a record of digest, vector and checksum; the digest distinguishes the rare texts that share an id."""
    return (
        isinstance(record, bytes)
        and len(record) == _DIGEST_SIZE + 4 * dim + 4
        and record.startswith(digest)
        and _checksum(record[:-4]) == record[-4:]
    )
