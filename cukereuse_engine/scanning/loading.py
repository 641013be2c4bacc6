"""The step definitions of a suite, with its steps as their texts. Nothing is compared here."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.listings import Listings
from cukereuse_engine.glue.exported import exports
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.languages.base import suffixes
from cukereuse_engine.glue.services import SUFFIXES as SERVICE_SUFFIXES
from cukereuse_engine.glue.sources import ReadSources, default_cache
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.prose import first_of
from cukereuse_engine.refactor.hidden import UNREAD_SUFFIXES
from cukereuse_engine.scanning.suite import Suite
from cukereuse_engine.settings import Settings
from cukereuse_engine.storage.kept import kept_store

if TYPE_CHECKING:
    from cukereuse_engine.scanning.result import SuiteScan


def listings(*, use_cache: bool) -> Listings:
    """The contents of folders during one run: feature files, sources, and files that declare services."""
    endings = (*FEATURE_SUFFIXES, *suffixes(), *SERVICE_SUFFIXES, *UNREAD_SUFFIXES)
    return Listings(endings, kept_store() if use_cache else None)


def load_glue(
    suite: Suite,
    settings: Settings,
    *,
    use_cache: bool,
    read: ReadSources | None = None,
    progress: Progress = SILENT,
) -> Glue:
    """The suite's step definitions, with its steps as their texts. `read`: what other suites have read, see
    `Glue.load`."""
    glue = Glue.load(
        suite.root,
        paths=settings.glue or suite.glue or None,
        include=settings.include,
        exclude=settings.exclude,
        jobs=settings.jobs or None,
        cache=default_cache() if use_cache else None,
        read=read,
        progress=progress,
    )
    serves = bool(glue.definitions) or any(exports(step) for file in suite.files for step in file.steps)
    for file in suite.files if serves else ():
        glue.update_feature(file.path, file.steps)
    return glue


def without_definitions(scans: "Iterable[SuiteScan]", settings_of: Callable[[str], Settings]) -> Iterator[str]:
    """Notes on the suites for which no step definition was found: a scan finds less there, so a check in CI would stay
    green after the definitions moved. Suites whose definitions could not be read are told elsewhere."""
    lacking: dict[tuple[str, ...], list[str]] = {}
    for scanned in scans:
        if scanned.steps and not scanned.definitions and not scanned.glue_errors:
            lacking.setdefault(tuple(settings_of(scanned.root).glue), []).append(scanned.root)
    for glue, roots in lacking.items():
        below = f" below {first_of(glue)}" if glue else ""
        hint = "check --glue and the setting `glue`" if glue else "--glue or the setting `glue` names their folder"
        yield f"{first_of(roots)}: no step definitions were found{below}, so a scan finds less; {hint}"
