"""Reads the steps of many files: cached by content, parsed by several processes if that pays.

Reading never fails: a file that can't be read, decoded or parsed becomes a `FeatureFile` with an error. Never looks for
files (`discovery` does), never changes one.
"""

import gc
import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import msgspec

from cukereuse_engine.gherkin import records
from cukereuse_engine.gherkin.decode import decode
from cukereuse_engine.gherkin.feature import FeatureFile, ReadError
from cukereuse_engine.gherkin.flavour import Flavour, flavour_of, forget_configurations
from cukereuse_engine.gherkin.records import FileRecord, Note
from cukereuse_engine.processes import in_chunks, usable_cores, worker_processes
from cukereuse_engine.progress import SILENT, Progress, Stage
from cukereuse_engine.storage.blob_store import Blobs

if TYPE_CHECKING:
    from concurrent.futures import Future

    from cukereuse_engine.workers import Workers

MAX_FILE_BYTES = 64 * 1024 * 1024
"""A larger file is not read: no suite is written by hand at that size."""
_POOL_BYTES = 1_500_000
"""Bytes to parse from which starting processes (half a second each) pays."""
_CHUNK_BYTES = 200_000
_BATCH_FILES = 512
"""Files whose bytes are in memory at once, beside those waiting for a process."""

_Task = tuple[bytes, Flavour]


def read_bytes(path: str, data: bytes) -> FeatureFile:
    """The steps of one file's bytes. Never raises, for any bytes."""
    return records.to_feature_file(_parse_bytes(data, flavour_of(path)), path, content_hash(data))


def read_text(path: str, text: str) -> FeatureFile:
    """The steps of a text that an editor holds; offsets do not count a leading byte order mark."""
    digest = content_hash(text.encode("utf-8", "surrogatepass"))
    from cukereuse_engine.gherkin.rereading import reading_of

    return reading_of(text.removeprefix("\ufeff"), flavour_of(path)).feature_file(path, digest)


def read_files(
    paths: Sequence[str | Path],
    *,
    jobs: int | None = None,
    cache: Blobs | None = None,
    load: Callable[[str], bytes] | None = None,
    progress: Progress = SILENT,
) -> list[FeatureFile]:
    """The steps of many files, in the order of `paths`. `cache` knows contents.

    `load` gives a file's bytes where they are not on the disk; called once a path, in order; may raise `OSError`.
    `jobs` processes at most (by default one a core); small inputs stay in this one. Processes are spawned, so a script
    of one's own needs the usual `if __name__ == "__main__"`. Raises `Cancelled` when `progress` does.
    """
    names = [str(path) for path in paths]
    with (
        progress.stage("reading", len(names), "files") as stage,
        _without_collector(),
        _Reader(jobs, cache, stage, load or _load) as reader,
    ):
        return reader.read(names)


def content_hash(data: bytes) -> str:
    """BLAKE2b (16 bytes, hex)."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


@contextmanager
def _without_collector() -> Iterator[None]:
    """Hundreds of thousands of steps are created here and none is deleted: looking for cycles takes a quarter of the
    time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _Reader:
    """One call of `read_files`."""

    def __init__(
        self,
        jobs: int | None,
        cache: Blobs | None,
        stage: Stage,
        load: Callable[[str], bytes],
    ) -> None:
        self._load = load
        self._jobs = jobs if jobs is not None else usable_cores()
        self._cache = cache
        self._stage = stage
        self._pool: Workers | None = None
        self._running: dict[Future[list[bytes]], tuple[list[_Miss], list[_Task]]] = {}
        self._waiting: list[_Miss] = []
        self._waiting_bytes = 0
        self._files: dict[int, FeatureFile] = {}
        self._new: dict[str, bytes] = {}
        self._shared: dict[str, str] = {}

    def __enter__(self) -> "_Reader":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.__exit__(kind, error, trace)

    def read(self, names: list[str]) -> list[FeatureFile]:
        forget_configurations()
        numbered = enumerate(names)
        while batch := list(islice(numbered, _BATCH_FILES)):
            self._look_up(batch)
            self._start_if_many()
        self._finish()
        return [self._files[index] for index in range(len(names))]

    def _look_up(self, batch: list[tuple[int, str]]) -> None:
        """Files in the cache are done; the others wait to be parsed."""
        misses: list[_Miss] = []
        for index, path in batch:
            try:
                data = self._load(path)
            except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
                self._files[index] = unreadable(path, error)
                self._stage.advance()
                continue
            misses.append(_Miss(index, path, data, content_hash(data)))
        payloads = self._cache.get_many({miss.key for miss in misses}) if self._cache is not None else {}
        for miss in misses:
            payload = payloads.get(miss.key)
            if payload is None or not self._accept(miss, payload):
                self._waiting.append(miss)
                self._waiting_bytes += len(miss.data)
            else:
                self._stage.advance()

    def _accept(self, miss: "_Miss", payload: bytes) -> bool:
        try:
            record = records.decode(payload)
            file = records.to_feature_file(record, miss.path, miss.hash, self._shared.setdefault)
        except (msgspec.MsgspecError, IndexError):
            return False
        self._files[miss.index] = file
        return True

    def _start_if_many(self) -> None:
        """Give waiting files to processes once there are enough; wait while they have enough to do."""
        from concurrent.futures.process import BrokenProcessPool

        if self._jobs < 2:
            self._parse_here()
            return
        if self._pool is None and self._waiting_bytes < _POOL_BYTES:
            return
        if self._pool is None:
            self._pool = worker_processes(self._jobs)
        for chunk in in_chunks(self._waiting, lambda miss: len(miss.data), _CHUNK_BYTES):
            tasks = [(miss.data, miss.flavour) for miss in chunk]
            try:
                self._running[self._pool.submit(_parse_chunk, tasks)] = (chunk, tasks)
            except BrokenProcessPool:
                self._take(chunk, _parse_chunk(tasks))
        self._waiting, self._waiting_bytes = [], 0
        while len(self._running) > 8 * self._jobs:
            self._collect()

    def _collect(self) -> None:
        from concurrent.futures import FIRST_COMPLETED, wait
        from concurrent.futures.process import BrokenProcessPool

        done, _ = wait(self._running, return_when=FIRST_COMPLETED)
        for future in done:
            chunk, tasks = self._running.pop(future)
            try:
                payloads = future.result()
            except BrokenProcessPool:  # a process was killed: its work is done here
                payloads = _parse_chunk(tasks)
            self._take(chunk, payloads)

    def _finish(self) -> None:
        while self._running:
            self._collect()
        self._parse_here()
        self._store()

    def _parse_here(self) -> None:
        waiting, self._waiting, self._waiting_bytes = self._waiting, [], 0
        for miss in waiting:
            self._take([miss], [_payload((miss.data, miss.flavour))])

    def _take(self, chunk: "list[_Miss]", payloads: list[bytes]) -> None:
        for miss, payload in zip(chunk, payloads, strict=True):
            self._accept(miss, payload)
            if self._cache is not None:
                self._new[miss.key] = payload
        if len(self._new) > _BATCH_FILES:
            self._store()
        self._stage.advance(len(chunk))

    def _store(self) -> None:
        if self._cache is not None:
            self._cache.put_many(self._new)
        self._new = {}


class _Miss:
    """A file that is to be parsed."""

    __slots__ = ("data", "flavour", "hash", "index", "key", "path")

    def __init__(self, index: int, path: str, data: bytes, digest: str) -> None:
        self.index = index
        self.path = path
        self.data = data
        self.hash = digest
        self.flavour = flavour_of(path)
        self.key = f"{self.flavour.key}/{digest}"


def _parse_chunk(tasks: list[_Task]) -> list[bytes]:
    return [_payload(task) for task in tasks]


def _payload(task: _Task) -> bytes:
    return records.encode(_parse_bytes(*task))


def _parse_bytes(data: bytes, flavour: Flavour) -> FileRecord:
    if len(data) > MAX_FILE_BYTES:
        note = Note(0, 0, f"Not read: larger than {MAX_FILE_BYTES // 1024**2} MiB.")
        return FileRecord("en", "unknown", False, [], [note], [])
    decoded = decode(data)
    if decoded.failed:
        column = 1 if decoded.line else 0
        return FileRecord("en", decoded.encoding, False, [], [Note(decoded.line, column, decoded.error)], [])
    from cukereuse_engine.gherkin.parse import parse

    record = parse(decoded.text, decoded.encoding, flavour=flavour)
    if decoded.error:
        record.notes.insert(0, Note(decoded.line, 1, decoded.error))
    return record


def _load(path: str) -> bytes:
    """The bytes of a file. Raises `OSError`. Reads only enough to see that a file is too large."""
    with Path(path).open("rb") as file:
        return file.read(MAX_FILE_BYTES + 1)


def unreadable(path: str, error: OSError | ValueError) -> FeatureFile:
    """The result for a file that is gone, is a folder, or may not be read."""
    reason = (error.strerror if isinstance(error, OSError) else "") or str(error) or type(error).__name__
    message = f"Can't be read: {reason[:1].lower()}{reason[1:]}."
    return FeatureFile(path, "en", "unknown", (), (ReadError(path, 0, 0, message),), (), "")
