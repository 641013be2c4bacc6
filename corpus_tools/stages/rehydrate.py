"""`steps.parquet` -> the raw feature files again, by pinned commit, from GitHub's raw endpoint or a similar one.

For corpora that are passed on without the files, which keep their own licences. Each of a few connections pauses
between requests, and obeys `Retry-After`. Fetched files are checked against the rows: every step's text must be in its
line. If a server can't be reached, or does not answer for a few files, no more are requested.
"""

import hashlib
import http.client
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from corpus_tools.stages.parse import STEPS
from corpus_tools.support import arrow
from corpus_tools.support.checkpoint import CheckpointedStage, digest
from corpus_tools.support.network import is_unreachable
from corpus_tools.support.repositories import CLONES, slug
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.read import read_bytes
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.storage import write_atomically

RAW = "https://raw.githubusercontent.com"
FILES = "rehydrated.parquet"
COLUMNS = {
    "repo": "string",
    "commit_sha": "string",
    "file_path": "string",
    "status": "string",  # "ok", "gone", "differs" (other steps than the rows'), "failed"
    "content_hash": "string",  # BLAKE2b, 16 bytes, hex; empty where there is no file
    "bytes": "int64",
    "error": "string",
}
NEEDED = {"repo": "string", "commit_sha": "string", "file_path": "string", "line": "int32", "text": "string"}
_TRIES = 5
_DEAD = 3
"""The number of consecutive files without a connection from which the server counts as gone."""
_LARGEST = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _File:
    repo: str
    commit: str
    path: str
    steps: tuple[tuple[int, str], ...]
    """The line and text of each row."""


def rehydrate(
    corpus: Path,
    *,
    raw: str = RAW,
    pause: float = 0.2,
    jobs: int = 4,
    sleep: Callable[[float], None] = time.sleep,
    progress: Progress = SILENT,
) -> dict[str, int]:
    """Fetch every file of the corpus into `clones/`, `jobs` at once; returns the number of files with each status.

    A file that is here already and agrees with its rows is not fetched again. Raises `CukereuseError` if
    `steps.parquet` is no table of steps or if rows name no commit.
    """
    steps = corpus / STEPS
    arrow.require(steps, NEEDED)
    stage = CheckpointedStage(corpus, "rehydrate", {"steps": digest(steps), "raw": raw})
    files = list(_files(steps))
    server = _Server(raw, pause, sleep)
    rows = []
    with progress.stage("fetching", len(files), "files") as watched, ThreadPoolExecutor(jobs) as pool:
        try:
            for row in pool.map(lambda file: _rehydrated(corpus / CLONES, file, server), files):
                rows.append(row)
                watched.advance()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    output = corpus / FILES
    arrow.write(output, COLUMNS, [arrow.table(COLUMNS, rows)])
    stage.finish([output])
    counts: dict[str, int] = {}
    for row in rows:
        counts[str(row[3])] = counts.get(str(row[3]), 0) + 1
    return dict(sorted(counts.items()))


def _files(steps: Path) -> Iterator[_File]:
    """Rows of one file are together. Raises `CukereuseError` for a row that names no file or no commit."""
    current: tuple[str, str, str] | None = None
    wanted: list[tuple[int, str]] = []
    number = 0
    for batch in arrow.batches(steps):
        for row in batch.select(list(NEEDED)).to_pylist():
            number += 1
            repo, commit, path, line, text = (row[name] for name in NEEDED)
            if not repo or not path or line is None:
                raise CukereuseError(f"{steps}: row {number:,} names no repository, file or line")
            if not commit or commit.endswith("-dirty"):
                raise CukereuseError(f"the steps of {repo} name no commit")
            if (repo, commit, path) != current:
                if current is not None:
                    yield _File(*current, tuple(wanted))
                current, wanted = (repo, commit, path), []
            wanted.append((line, text or ""))
    if current is not None:
        yield _File(*current, tuple(wanted))


def _rehydrated(clones: Path, file: _File, server: "_Server") -> tuple[object, ...]:
    head = (file.repo, file.commit, file.path)
    relative = PurePosixPath(file.path)
    repo = file.repo.partition("//")[0]  # of a suite that was a unit
    if relative.is_absolute() or ".." in relative.parts or ".." in repo.split("/"):
        return (*head, "failed", "", 0, "the path leads out of the repository")
    target = clones / slug(repo) / relative
    try:
        before = target.read_bytes()
    except OSError:
        before = None
    if before is not None and _agrees(file, before):
        return (*head, "ok", _hash(before), len(before), "")
    try:
        data = server.fetch(f"/{quote(repo)}/{file.commit}/{quote(file.path)}")
    except CukereuseError as error:
        return (*head, "failed", "", 0, error.message)
    if data is None:
        return (*head, "gone", "", 0, "")
    if not _agrees(file, data):
        return (*head, "differs", _hash(data), len(data), "the steps differ from the rows")
    try:
        write_atomically(target, data)
    except OSError as error:
        return (*head, "failed", _hash(data), len(data), str(error))
    return (*head, "ok", _hash(data), len(data), "")


def _agrees(file: _File, data: bytes) -> bool:
    steps = {(step.line, step.text) for step in read_bytes(file.path, data).steps}
    return steps.issuperset(file.steps)


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


class _Server:
    """The base URL of the raw files. Several threads use it at once; each waits for itself."""

    def __init__(self, raw: str, pause: float, sleep: Callable[[float], None]) -> None:
        self._raw = raw
        self._pause = pause
        self._sleep = sleep
        self._unanswered = 0
        self._has_answered = False
        self._lock = threading.Lock()

    def fetch(self, path: str) -> bytes | None:
        """The contents of a file, or None if it is missing. Raises `CukereuseError` after the last try, and immediately
        if the server can't be reached or has not answered for some files."""
        url, reason = self._raw + path, ""
        self._sleep(self._pause)
        for attempt in range(_TRIES):
            if self._unanswered >= _DEAD:
                raise CukereuseError(f"{self._raw} does not answer")
            wait = 2.0**attempt
            try:
                data = _read(url)
                self._answers(True)
                return data
            except urllib.error.HTTPError as error:
                self._answers(True)
                with error:
                    if error.code in (404, 410, 451):
                        return None
                    reason = f"status {error.code}"
                    if error.code not in (403, 429) and error.code < 500:
                        break
                    after = error.headers.get("Retry-After", "")
                    wait = min(float(after), 3_700.0) if after.isdigit() else wait
            except (OSError, http.client.HTTPException) as error:
                reason = str(error)
                if is_unreachable(error) and not self._has_answered:
                    self._unanswered = _DEAD
                    break
            if attempt + 1 < _TRIES:
                self._sleep(wait)
        else:
            self._answers(reason.startswith("status"))
        raise CukereuseError(f"{url}: {reason}")

    def _answers(self, answers: bool) -> None:
        with self._lock:
            self._has_answered |= answers
            self._unanswered = 0 if answers else self._unanswered + 1


def _read(url: str) -> bytes:
    with urllib.request.urlopen(
        urllib.request.Request(url, headers={"User-Agent": "cukereuse"}), timeout=60
    ) as response:
        data: bytes = response.read(_LARGEST + 1)
    return data
