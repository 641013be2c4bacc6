"""The repositories around the paths that a user names: all their suites, bound together.

A step definition may serve steps outside a path: a folder on the command line selects steps, but all suites are read.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from cukereuse_engine.gherkin.discovery import discover
from cukereuse_engine.gherkin.listings import Listings
from cukereuse_engine.glue.sources import ReadSources, discover_glue, glue_root, sources_key
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.refactor.hidden import UNREAD_SUFFIXES, hidden_beside
from cukereuse_engine.refactor.rename_plan import ReadSuites, stamp_on_disk
from cukereuse_engine.refactor.repository import joined
from cukereuse_engine.scanning.loading import listings, load_glue
from cukereuse_engine.scanning.suite import Suite, read_suites
from cukereuse_engine.settings import Settings
from cukereuse_engine.storage.kept import Kept, Stamps, kept_store
from cukereuse_engine.text.words import detect_languages


@dataclass(frozen=True, slots=True)
class Repository:
    root: str
    """Absolute path of the folder around everything; if there are several repositories, the folder around them."""
    named: tuple[tuple[Suite, ReadSuites], ...]
    """The suites with feature files below the paths that were named."""
    suites: ReadSuites | None
    """All suites as one; None if there is none."""
    within: frozenset[str]
    """The feature files that were named, or are below the named folders."""


def repository_root(paths: Sequence[str | Path]) -> str:
    """The folder around the paths with all they may share: a repository, a project, or the paths themselves."""
    folders = [os.path.abspath(path if os.path.isdir(path) else os.path.dirname(path)) for path in paths]  # noqa: PTH100, PTH112, PTH120
    return os.path.commonpath([os.path.abspath(glue_root(folder)) for folder in folders])  # noqa: PTH100


def read_repository(
    paths: Sequence[str | Path],
    settings: Settings,
    settings_of: Callable[[str], Settings],
    *,
    use_cache: bool = True,
    progress: Progress = SILENT,
) -> Repository:
    """Read and bind all suites that share step definitions with those below `paths`.

    `settings` are those of the run, `settings_of` gives those of a suite. Raises `CukereuseError` for a path that does
    not exist, `Cancelled` when `progress` does.
    """
    folders = [path if os.path.isdir(path) else (os.path.dirname(path) or ".") for path in paths]  # noqa: PTH112, PTH120
    roots = list(dict.fromkeys(glue_root(str(folder)) for folder in folders))
    saved = listings(use_cache=use_cache)
    found_suites = read_suites(
        [*paths, *roots],
        include=settings.include,
        exclude=settings.exclude,
        roots=roots,
        jobs=settings.jobs or None,
        use_cache=use_cache,
        listings=saved,
        progress=progress,
    )
    inside = _Inside(paths)
    sources = ReadSources(saved)
    bound: list[tuple[Suite, ReadSuites]] = []
    for suite in found_suites:
        glue = load_glue(suite, settings_of(suite.root), use_cache=use_cache, read=sources, progress=progress)
        files = {file.path: file for file in suite.files}
        spoken = partial(_languages, suite)
        bound.append((suite, ReadSuites(files, suite.texts, suite.steps, glue, spoken=spoken)))
    if not bound:
        return Repository(repository_root(paths), (), None, frozenset())
    suites = _together([suites for _, suites in bound], roots, settings, sources, saved)
    if use_cache:
        suites = replace(suites, keep=partial(_keep, roots, sources.stamps))
    within = frozenset(filter(inside.holds, suites.files))
    named = tuple(pair for pair in bound if not within.isdisjoint(pair[1].files))
    return Repository(repository_root(paths), named, suites, within)


def _together(
    suites: Sequence[ReadSuites],
    roots: Sequence[str],
    settings: Settings,
    sources: ReadSources,
    saved: Listings,
) -> ReadSuites:
    """All suites as one, with all sources and hidden files in their folders."""
    everything = partial(_sources, roots, settings, sources)
    together = joined(suites)
    hidden = partial(_hidden, together, everything, roots, settings.exclude, saved)
    return replace(together, sources=everything, hidden=hidden, stamp=stamp_on_disk)


def _languages(suite: Suite) -> tuple[str, ...]:
    return detect_languages(text.template.masked for text in suite.texts)


def _keep(roots: Sequence[str], stamps: Stamps, kind: object, *parts: str) -> Kept[Any]:
    return Kept(kept_store(), kind, *parts, "", *roots, stamps=stamps)


def _sources(roots: Sequence[str], settings: Settings, read: ReadSources) -> list[str]:
    """Every source below `roots`; folders that were listed for the step definitions are not listed again."""
    include, exclude = settings.include, settings.exclude
    readings = [read.get(sources_key([root], include, exclude)) for root in roots]
    paths = [path for reading in readings if reading is not None for path in reading.files]
    others = [root for root, reading in zip(roots, readings, strict=True) if reading is None]
    return sorted({*paths, *(discover_glue(others, include=include, exclude=exclude) if others else ())})


def _hidden(
    suites: ReadSuites,
    sources: Callable[[], Sequence[str]],
    roots: Sequence[str],
    exclude: Sequence[str],
    saved: Listings,
) -> list[str]:
    """The files that a runner may load, that are not read, and that no setting excludes."""
    glue = {definition.path for definition in suites.glue.definitions} if suites.glue is not None else ()
    beside = hidden_beside(suites.files, glue, {*suites.files, *sources()}, exclude)
    return sorted({*beside, *discover(roots, suffixes=UNREAD_SUFFIXES, exclude=exclude, listings=saved)})


class _Inside:
    """True for files at or below some paths."""

    def __init__(self, paths: Sequence[str | Path]) -> None:
        self._places = [os.path.realpath(path) for path in paths]
        self._folders: dict[str, str] = {}
        """Folder as named to its real path."""

    def holds(self, path: str) -> bool:
        real = os.path.realpath(path) if os.path.islink(path) else self._real(path)  # noqa: PTH114
        return any(real == place or real.startswith(place.rstrip(os.sep) + os.sep) for place in self._places)

    def _real(self, path: str) -> str:
        """The real path of a path that is no link itself."""
        folder, name = os.path.split(path)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        return os.path.join(self._folders[folder], name)  # noqa: PTH118
