"""The files of a workspace, grouped into suites, and the settings of each; threads read them.

Reading never fails; wrong settings become problems to show.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from cukereuse_engine.catalogue.search import read_catalogue
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.discovery import discover
from cukereuse_engine.gherkin.feature import FeatureFile
from cukereuse_engine.gherkin.read import read_files
from cukereuse_engine.gherkin.suites import SuiteFinder
from cukereuse_engine.settings import Settings, load_settings
from cukereuse_engine.settings.paths import expanded
from cukereuse_engine.storage.blob_store import BlobStore
from cukereuse_engine.suppression.apply import IgnorePatterns
from cukereuse_engine.suppression.baseline import Baseline, read_baseline
from cukereuse_server.workspace.disk import Stamp, Stamps, WalkedFiles, changed_paths, stamp_of, walked

_FILES_AT_ONCE = 64
"""The number of files that are read together, with one question to the cache."""
_STEPS_AT_ONCE = 150
"""The number of steps that are passed on together, to be applied in some milliseconds; at least one file."""
_WRITTEN_AT_ONCE = 512
"""The number of results after which the cache is written: each write costs as much as reading some files."""


@dataclass(frozen=True, slots=True)
class SuiteSettings:
    settings: Settings
    baseline: Baseline
    """Known findings."""
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """The feature files of a workspace on disk."""

    root_of: Mapping[str, str]
    """Maps a path to the root of its suite, in the order of a scan."""
    suites: Mapping[str, SuiteSettings]
    finder: SuiteFinder
    across: str | None
    """The root of the one suite of all files, if the settings say so."""
    walk: WalkedFiles

    def root(self, path: str) -> str:
        """The root of the suite of a file, listed or not."""
        return self.across or self.root_of.get(path) or self.finder.root_of(path)


def list_workspace(folders: Sequence[str], editor: Mapping[str, Any]) -> Listing:
    """The feature files below `folders`; a missing folder has none, and a file is itself."""
    here = [folder for folder in folders if os.path.exists(folder)]  # noqa: PTH110
    finder = SuiteFinder(here)
    settings = {folder: load_settings(Path(folder), editor=editor).settings for folder in here}
    across = here[0] if any(setting.across for setting in settings.values()) else None

    def found(seen: Callable[[str], None]) -> list[str]:
        paths: dict[str, None] = {}
        for folder, own in settings.items():
            with suppress(CukereuseError, ValueError, OSError):
                inside = discover([folder], include=own.include, exclude=own.exclude, on_folder=seen)
                paths.update(dict.fromkeys(inside))
        return list(paths)

    walk = walked(folders, found)
    root_of = {path: across or finder.root_of(path) for path in walk.files}
    suites = {root: suite_settings(root, editor) for root in dict.fromkeys(root_of.values())}
    return Listing(root_of, suites, finder, across, walk)


@dataclass(frozen=True, slots=True)
class Seen:
    """The present state of the disk, compared with a listing."""

    listing: Listing
    is_new: bool
    """True if files may have been added or removed, or may be read differently."""
    changed: list[str]
    """Files that have changed since they were read."""


def look(
    listing: Listing,
    known: Stamps,
    ignored: Collection[str],
    folders: Sequence[str],
    editor: Mapping[str, Any],
    anew: bool = False,
) -> Seen:
    """Look at the disk again. `known`: the files as they were read; `ignored`: those open in an editor. `anew`: the
    same files may be in other suites."""
    is_new = anew or not listing.walk.stands()
    if is_new:
        listing = list_workspace(folders, editor)
    return Seen(listing, is_new, changed_paths((path for path in listing.root_of if path not in ignored), known))


def suite_settings(root: str, editor: Mapping[str, Any]) -> SuiteSettings:
    """The settings of one suite; a part that can't be used becomes a problem, and its default applies."""
    loaded = load_settings(Path(root), editor=editor)
    settings, problems = loaded.settings, [str(problem) for problem in loaded.problems]
    try:
        IgnorePatterns(settings.ignore)
    except CukereuseError as error:
        problems.append(error.message)
        settings = replace(settings, ignore=())
    try:
        settings = replace(settings, glue=expanded(settings.glue))
    except CukereuseError as error:
        problems.append(error.message)
        settings = replace(settings, glue=())
    baseline = Baseline()
    if settings.baseline is not None and Path(settings.baseline).exists():
        try:
            baseline = read_baseline(Path(settings.baseline))
        except CukereuseError as error:
            problems.append(error.message)
    if settings.catalogue is not None:
        try:
            read_catalogue(settings.catalogue)
        except CukereuseError as error:
            problems.append(error.message)
    return SuiteSettings(settings, baseline, tuple(problems))


@dataclass(frozen=True, slots=True)
class ReadFile:
    file: FeatureFile
    stamp: Stamp | None
    """The stamp from before the file was read."""


class FileReader:
    """Reads files in batches, in one thread; `flush` at the end writes to the cache."""

    def __init__(self, paths: Sequence[str], cache: BlobStore | None) -> None:
        self._paths = paths
        self._cache = _WrittenLater(cache) if cache is not None else None

    def batches(self) -> Iterator[Callable[[], list[list[ReadFile]]]]:
        """Call these in order, one after the other: each reads some files, in parts that take some milliseconds to
        apply."""
        for start in range(0, len(self._paths), _FILES_AT_ONCE):
            yield partial(self._read, self._paths[start : start + _FILES_AT_ONCE])

    def flush(self) -> None:
        if self._cache is not None:
            self._cache.flush()

    def _read(self, paths: Sequence[str]) -> list[list[ReadFile]]:
        stamps = [stamp_of(path) for path in paths]
        files = read_files(paths, jobs=1, cache=self._cache)
        return list(_parts(ReadFile(file, stamp) for file, stamp in zip(files, stamps, strict=True)))


def _parts(files: Iterable[ReadFile]) -> Iterator[list[ReadFile]]:
    part: list[ReadFile] = []
    steps = 0
    for read in files:
        if part and steps + len(read.file.steps) > _STEPS_AT_ONCE:
            yield part
            part, steps = [], 0
        part.append(read)
        steps += len(read.file.steps)
    if part:
        yield part


class _WrittenLater:
    """A store that collects its writes into a few large ones."""

    def __init__(self, store: BlobStore) -> None:
        self._store = store
        self._held: dict[str, bytes] = {}

    def get_many(self, keys: Iterable[str]) -> dict[str, bytes]:
        return self._store.get_many(keys)

    def put_many(self, payloads: Mapping[str, bytes]) -> None:
        self._held.update(payloads)
        if len(self._held) >= _WRITTEN_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        held, self._held = self._held, {}
        self._store.put_many(held)
