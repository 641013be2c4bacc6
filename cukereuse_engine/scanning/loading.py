"""The step definitions of a suite, with its steps as their texts. Nothing is compared here."""

from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.listings import Listings
from cukereuse_engine.glue.exported import exports
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.languages.base import suffixes
from cukereuse_engine.glue.services import SUFFIXES as SERVICE_SUFFIXES
from cukereuse_engine.glue.sources import ReadSources, default_cache
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.refactor.hidden import UNREAD_SUFFIXES
from cukereuse_engine.scanning.suite import Suite
from cukereuse_engine.settings import Settings
from cukereuse_engine.storage.kept import kept_store


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
