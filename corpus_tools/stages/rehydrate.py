"""`steps.parquet` -> the raw feature files again, by pinned commit, from GitHub's raw endpoint or any like it.

For corpora that are passed on without the files, which keep their own licences. Polite: a pause between requests, and
`Retry-After` is heeded. What was fetched is checked against the rows: every step's text must stand in its line.
"""

import hashlib
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from corpus_tools.stages.parse import STEPS
from corpus_tools.support import arrow
from corpus_tools.support.checkpoint import Stage, digest
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
_TRIES = 5
_LARGEST = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _File:
    repo: str
    commit: str
    path: str
    steps: tuple[tuple[int, str], ...]
    """Line and text of each row."""


def rehydrate(
    corpus: Path,
    *,
    raw: str = RAW,
    pause: float = 0.2,
    sleep: Callable[[float], None] = time.sleep,
    progress: Progress = SILENT,
) -> dict[str, int]:
    """Fetch every file of the corpus into `clones/`; gives how many files have each status.

    A file that is here already and agrees with its rows is not fetched again. Raises `CukereuseError` without
    `steps.parquet` or where rows name no commit.
    """
    steps = corpus / STEPS
    if not steps.is_file():
        raise CukereuseError(f"{steps} is not there")
    stage = Stage(corpus, "rehydrate", {"steps": digest(steps), "raw": raw})
    files = list(_files(steps))
    rows = []
    with progress.stage("fetching", len(files), "files") as watched:
        for file in files:
            rows.append(_one(corpus / CLONES, file, raw, pause, sleep))
            watched.advance()
    output = corpus / FILES
    arrow.write(output, COLUMNS, [arrow.table(COLUMNS, rows)])
    stage.finish([output])
    counts: dict[str, int] = {}
    for row in rows:
        counts[str(row[3])] = counts.get(str(row[3]), 0) + 1
    return dict(sorted(counts.items()))


def _files(steps: Path) -> Iterator[_File]:
    """Rows of one file stand together."""
    current: tuple[str, str, str] | None = None
    found: list[tuple[int, str]] = []
    for batch in arrow.batches(steps):
        for row in batch.select(["repo", "commit_sha", "file_path", "line", "text"]).to_pylist():
            place = (row["repo"], row["commit_sha"], row["file_path"])
            if place != current:
                if current is not None:
                    yield _File(*current, tuple(found))
                current, found = place, []
            if not row["commit_sha"]:
                raise CukereuseError(f"The steps of {row['repo']} name no commit")
            found.append((row["line"], row["text"]))
    if current is not None:
        yield _File(*current, tuple(found))


def _one(clones: Path, file: _File, raw: str, pause: float, sleep: Callable[[float], None]) -> tuple[object, ...]:
    head = (file.repo, file.commit, file.path)
    relative = PurePosixPath(file.path)
    if relative.is_absolute() or ".." in relative.parts:
        return (*head, "failed", "", 0, "the path leads out of the repository")
    target = clones / slug(file.repo) / relative
    try:
        known = target.read_bytes()
    except OSError:
        known = None
    if known is not None and _agrees(file, known):
        return (*head, "ok", _hash(known), len(known), "")
    sleep(pause)
    try:
        data = _fetch(f"{raw}/{quote(file.repo)}/{file.commit}/{quote(file.path)}", sleep)
    except CukereuseError as error:
        return (*head, "failed", "", 0, error.message)
    if data is None:
        return (*head, "gone", "", 0, "")
    if not _agrees(file, data):
        return (*head, "differs", _hash(data), len(data), "the steps are not those of the rows")
    try:
        write_atomically(target, data)
    except OSError as error:
        return (*head, "failed", _hash(data), len(data), str(error))
    return (*head, "ok", _hash(data), len(data), "")


def _agrees(file: _File, data: bytes) -> bool:
    found = {(step.line, step.text) for step in read_bytes(file.path, data).steps}
    return found.issuperset(file.steps)


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _fetch(url: str, sleep: Callable[[float], None]) -> bytes | None:
    """None for what is not there. Raises `CukereuseError` after the last try."""
    reason = ""
    for attempt in range(_TRIES):
        wait = 2.0**attempt
        try:
            with urllib.request.urlopen(
                urllib.request.Request(url, headers={"User-Agent": "cukereuse"}), timeout=60
            ) as it:
                data: bytes = it.read(_LARGEST + 1)
            return data
        except urllib.error.HTTPError as error:
            if error.code in (404, 410, 451):
                return None
            reason = f"status {error.code}"
            if error.code not in (403, 429) and error.code < 500:
                break
            after = error.headers.get("Retry-After", "")
            wait = min(float(after), 3_700.0) if after.isdigit() else wait
        except OSError as error:
            reason = str(error)
        sleep(wait)
    raise CukereuseError(f"{url}: {reason}")
