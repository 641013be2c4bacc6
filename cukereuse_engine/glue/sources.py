"""Reads the definitions of many glue sources: cached by content, parsed by several processes if that pays.

Reading never fails: a source that can't be read becomes a `GlueError`. Sources are parsed, never imported or run.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache as once
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TypeVar

import msgspec

from cukereuse_engine.gherkin.discovery import discover
from cukereuse_engine.gherkin.listings import Listings
from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.glue import elsewhere
from cukereuse_engine.glue.definition import Constant, Extraction, GlueError
from cukereuse_engine.glue.languages import base
from cukereuse_engine.glue.languages.source import as_utf8
from cukereuse_engine.glue.project_files import PROJECT_SUFFIXES
from cukereuse_engine.processes import in_chunks, shared_out, usable_cores
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.storage import digest_of
from cukereuse_engine.storage.blob_store import BlobStore
from cukereuse_engine.storage.kept import Kept, Stamps

MAX_SOURCE_BYTES = 2_000_000
"""A larger source is generated or bundled, not glue that somebody wrote; it is left out."""
_BUNDLED_LINE = 400
"""Bytes of the average line from which the same holds: all sources with such lines and a word of glue in 254 public
repositories are bundles in JavaScript."""
POOL_BYTES = 3_000_000
"""Bytes to parse from which starting processes pays."""
CHUNK_BYTES = 300_000
"""Bytes that one process gets at once."""
_PATH = b'"path":"@"'
"""Replaces the source's path in a cached record."""


@dataclass(frozen=True, slots=True)
class Found:
    files: list[str]
    """Every source, those that define nothing too."""
    extractions: dict[str, Extraction]


SourcesKey = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


class ReadSources(dict[SourcesKey, Found]):
    """Sources that were already read, by where they were looked for and what was left out: suites of one repository
    share their glue."""

    def __init__(self, listings: Listings | None = None) -> None:
        """`listings` knows what is below folders."""
        super().__init__()
        self.listings = listings
        self.stamps = Stamps()


def sources_key(paths: Iterable[str], include: Sequence[str] = (), exclude: Sequence[str] = ()) -> SourcesKey:
    """The key of a request in `ReadSources`."""
    return tuple(paths), tuple(include), tuple(exclude)


PROJECT_FILES = frozenset(
    {
        "pyproject.toml",
        "setup.py",
        "package.json",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "composer.json",
        "go.mod",
        "Cargo.toml",
        "Gemfile",
    }
)
"""Files that mark a folder as a project of its own."""


SOLUTION_SUFFIXES = (".sln", ".slnx")
T = TypeVar("T")
_OF_PROJECTS: list[Callable[[], None]] = []


def of_projects(function: Callable[..., T]) -> Callable[..., T]:
    """Cache a function's results until project files change; see `forget_projects`."""
    cached = lru_cache(10_000)(function)
    _OF_PROJECTS.append(cached.cache_clear)
    return cached


def forget_projects() -> None:
    """Forget the cached results: project files were added or removed."""
    for forget in _OF_PROJECTS:
        forget()


def is_project_folder(folder: str) -> bool:
    """True if a folder is a project (package, module) of its own. One of sbt's or Gradle's may have no project file,
    because the build of a folder above names it."""
    try:
        names = os.listdir(folder)  # noqa: PTH208
    except OSError:
        return False
    if any(name in PROJECT_FILES or name.endswith(PROJECT_SUFFIXES) for name in names):
        return True
    return "src" in names and os.path.isdir(os.path.join(folder, "src", "test"))  # noqa: PTH112, PTH118


def project_around(folder: str) -> str:
    """The nearest folder around that is a project, or else the outermost folder."""
    return _project_around(folder if os.path.isabs(folder) else os.path.abspath(folder))  # noqa: PTH100, PTH117


@of_projects
def _project_around(folder: str) -> str:
    parent = os.path.dirname(folder)  # noqa: PTH120
    return folder if parent == folder or is_project_folder(folder) else _project_around(parent)


def glue_root(suite_root: str) -> str:
    """The folder in which a suite's glue is looked for: its repository; without one, as in an unpacked archive, the
    nearest project around it, and the projects of which it is a module; or else the suite's own folder. Never the
    user's home folder or a folder above it."""
    start = Path(suite_root).resolve()
    home = Path.home()
    project: Path | None = None
    for folder in (start, *start.parents):
        if folder in (home, *home.parents):
            break
        if (folder / ".git").exists():
            return _as_written(folder, suite_root)
        nearest_or_around_it = project is None or project.parent == folder
        if nearest_or_around_it and any((folder / name).exists() for name in PROJECT_FILES):
            project = folder
    return _as_written(project, suite_root) if project is not None else suite_root


def _as_written(folder: Path, suite_root: str) -> str:
    """The folder as a relative path if the suite's root is one."""
    return str(folder) if PurePath(suite_root).is_absolute() else os.path.relpath(folder)


def discover_glue(
    paths: Iterable[str | Path],
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    on_folder: Callable[[str], None] | None = None,
    listings: Listings | None = None,
) -> list[str]:
    """Files below `paths` in a glue language; see `discover` for patterns and errors."""
    suffixes = base.suffixes()
    return discover(paths, suffixes=suffixes, include=include, exclude=exclude, on_folder=on_folder, listings=listings)


def default_cache() -> BlobStore:
    """The cache of extractions in the user's cache folder."""
    return BlobStore("glue.sqlite")


@once
def reader() -> str:
    """A digest of this package: after a change of it, sources are read again."""
    return digest_of(Path(__file__).parent)


def kept_sources(store: BlobStore, where: SourcesKey, stamps: Stamps | None = None) -> Kept[Extraction]:
    """The known contents of the sources that were looked for, by file."""
    paths, include, exclude = where
    return Kept(store, Extraction, "sources", reader(), *paths, "", *include, "", *exclude, stamps=stamps)


def kept_names(store: BlobStore, where: SourcesKey, stamps: Stamps | None = None) -> elsewhere.Keep:
    """The known values of names in the sources that were looked for."""
    paths, include, exclude = where
    whose = (*paths, "", *include, "", *exclude, "")
    return lambda *names: Kept(store, tuple[Constant, ...] | None, "names", reader(), *whose, *names, stamps=stamps)


def read_sources(
    paths: Sequence[str],
    *,
    jobs: int | None = None,
    cache: BlobStore | None = None,
    kept: Kept[Extraction] | None = None,
    progress: Progress = SILENT,
) -> dict[str, Extraction]:
    """What each source defines, by path in the order of `paths`, without sources that define nothing.

    `cache` keeps results by content, `kept` by file. Uses at most `jobs` spawned processes (by default, as many as
    cores), and none for small inputs. Raises `Cancelled` when `progress` does.
    """
    keep = kept.put if kept is not None else _forget
    extractions: dict[str, Extraction] = {}
    missing: list[_Task] = []
    with progress.stage("reading step definitions", len(paths), "files") as stage:
        for path in paths:
            saved = kept.get(path) if kept is not None else None
            task = saved[0] if saved is not None else _load(path)
            if isinstance(task, Extraction):
                extractions[path] = task
            elif task is not None:
                missing.append(task)
            else:
                keep(path, Extraction())
            stage.advance()
        for path, extraction in _extracted(missing, jobs, cache):
            extractions[path] = extraction
            if not extraction.is_cut_short:
                keep(path, extraction)
        if kept is not None:
            kept.save()
    return {path: extractions[path] for path in paths if path in extractions and extractions[path] != Extraction()}


def _forget(path: str, extraction: Extraction) -> None:
    """For callers that keep nothing by file."""


def _extracted(tasks: list["_Task"], jobs: int | None, cache: BlobStore | None) -> Iterator[tuple[str, Extraction]]:
    """Yields the extraction of each task by path; a source is parsed only if the cache lacks its content."""
    payloads = cache.get_many({task.key for task in tasks}) if cache is not None else {}
    unknown = [task for task in tasks if task.key not in payloads]
    fresh = {task.key: payload for task, payload in zip(unknown, _extract(unknown, jobs), strict=True)}
    payloads.update(fresh)
    for task in tasks:
        extraction = _decode(payloads[task.key], task)
        if extraction.is_cut_short:
            fresh.pop(task.key, None)
        yield task.path, extraction
    if cache is not None:
        cache.put_many(fresh)


class _Task(msgspec.Struct):
    path: str
    data: bytes
    key: str
    """Key in the cache: the reader, the suffix and the content."""


def read_file(path: str) -> bytes | None:
    """A source's bytes; None if it is gone, can't be read, or is not written by hand."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_SOURCE_BYTES + 1)
    except (OSError, ValueError):
        return None
    return data if is_written(data) else None


def is_written(source: bytes) -> bool:
    """False for a source that is generated or bundled, by its size and the length of its lines."""
    return len(source) <= min(MAX_SOURCE_BYTES, _BUNDLED_LINE * (source.count(b"\n") + 10))


def with_names(
    sources: Mapping[str, Extraction],
    paths: Sequence[str],
    read: elsewhere.Read = read_file,
    keep: elsewhere.Keep | None = None,
) -> dict[str, Extraction]:
    """The definitions of sources with values for the names that they import from those at `paths`. `keep` is one of
    `kept_names`."""
    try:
        return elsewhere.filled(sources, paths, extract_source, read, keep)
    except Exception:  # errors of a source are its own; this one is ours, and the names stay unknown
        return dict(sources)


def _load(path: str) -> _Task | Extraction | None:
    """The file to parse; None if it has nothing to find; an error if it can't be read."""
    language = base.language_for(path)
    if language is None:
        return None
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_SOURCE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else "") or str(error)
        return Extraction(errors=(GlueError(path, 0, 0, f"can't be read: {reason}", untold=True),))
    source = as_utf8(data) if is_written(data) else b""
    if not language.hint.search(source) and not base.libraries_in(language, source):
        return None
    suffix = PurePath(path).suffix.lower()
    return _Task(path, data, f"glue/{reader()}/{suffix}/{content_hash(data)}")


def _extract(tasks: list["_Task"], jobs: int | None) -> list[bytes]:
    jobs = jobs if jobs is not None else usable_cores()
    pairs = [(PurePath(task.path).suffix, task.data) for task in tasks]
    if jobs < 2 or sum(len(data) for _, data in pairs) < POOL_BYTES:
        return _extract_chunk(pairs)
    return shared_out(_extract_chunk, list(in_chunks(pairs, lambda pair: len(pair[1]), CHUNK_BYTES)), jobs)


def _extract_chunk(pairs: list[tuple[str, bytes]]) -> list[bytes]:
    payloads = []
    for suffix, data in pairs:
        encoded = msgspec.json.encode(extract_source(f"@{suffix}", data))
        payloads.append(encoded.replace(f'"path":"@{suffix}"'.encode(), _PATH))
    return payloads


def _decode(payload: bytes, task: _Task) -> Extraction:
    """A cached record with its path inserted. Quotes inside strings of the record are escaped, so `_PATH` can't occur
    there. A path that is not UTF-8 can't be in a record: then the source is read here."""
    try:
        return msgspec.json.decode(payload.replace(_PATH, b'"path":' + msgspec.json.encode(task.path)), type=Extraction)
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return extract_source(task.path, task.data)


def extract_source(path: str, data: bytes, given: Sequence[Constant] = ()) -> Extraction:
    """The definitions of one source; `given`: the values of names that it imports. Never raises: if the reader fails on
    a source, that is an error of the source."""
    try:
        return base.extract(path, data, given)
    except Exception as error:
        message = f"can't be read: {type(error).__name__}: {error}"
        return Extraction(errors=(GlueError(path, 0, 0, message, untold=True),))
