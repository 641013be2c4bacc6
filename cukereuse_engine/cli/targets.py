"""From the paths of a command line to what is compared and what is reported.

A folder is compared and reported. A feature file or a source, or a file that changed since a revision, is only
reported: it is compared with the whole suite that it belongs to.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.git import check_is_checkout
from cukereuse_engine.prose import listed
from cukereuse_engine.suppression.limit import ReportedFiles


class MissingPathError(CukereuseError):
    """A path does not exist."""


@dataclass(frozen=True, slots=True)
class Targets:
    compared: tuple[Path, ...]
    """Folders, none inside another, and the named feature files, which are read in any case."""
    reported: ReportedFiles | None
    """The files that are reported; None: all."""
    left_out: tuple[Path, ...]
    """Named files that are neither a feature file nor a source."""


def find_targets(paths: Sequence[str], since: str | None = None) -> Targets:
    """Raises `CukereuseError` for a path that does not exist or a bare git repository, if only files of other kinds are
    named, and as `changed_files` does."""
    from cukereuse_engine.gherkin.suites import SuiteFinder
    from cukereuse_engine.glue.languages.base import suffixes

    folders, named = _existing(paths)
    files, left_out = _by_kind(named)
    if left_out and not files and not folders:
        raise CukereuseError(
            f"{listed([str(file) for file in left_out])}: no feature file, and no source of step definitions",
            f"Feature files end in {' or '.join(FEATURE_SUFFIXES)}.",
        )
    finder = SuiteFinder(folders)
    suites = [_as_written(Path(finder.root_of(str(file))), file) for file in files]
    compared = _outermost([*folders, *suites])
    features = [file for file in files if not file.name.lower().endswith(suffixes())]
    reported = ReportedFiles(files, folders) if files else None
    if since is not None:
        reported = _changed(compared, since, ReportedFiles(files, folders))
    return Targets((*compared, *features), reported, left_out)


def _existing(paths: Sequence[str]) -> tuple[list[Path], list[Path]]:
    """The folders and the files of these paths."""
    folders: list[Path] = []
    files: list[Path] = []
    for given in paths:
        path = Path(given)
        if given and path.is_dir():
            check_is_checkout(path)
            folders.append(path)
        elif given and os.path.lexists(path):
            files.append(path)
        else:
            message = f"{given or 'an empty path'}: no such file or folder"
            raise MissingPathError(message, "Name a folder with feature files, or feature files.")
    return folders, files


def _by_kind(named: Sequence[Path]) -> tuple[list[Path], tuple[Path, ...]]:
    """Feature files and sources; and regular files of other kinds. What a shell passes as a pipe has no suffix."""
    from cukereuse_engine.glue.languages.base import suffixes

    endings = (*FEATURE_SUFFIXES, *suffixes())
    left_out = tuple(file for file in named if file.is_file() and not file.name.lower().endswith(endings))
    return [file for file in named if file not in left_out], left_out


def _changed(compared: Sequence[Path], since: str, reported: ReportedFiles) -> ReportedFiles:
    """Those of the `reported` files that changed since a revision."""
    from cukereuse_engine.suppression.changed import changed_files

    changed = {path for folder in compared for path in changed_files(folder, since)}
    return ReportedFiles(path for path in changed if str(path) in reported)


def check_step_texts(texts: Sequence[str], paths: Sequence[str], example: str) -> None:
    """Raises `CukereuseError` for an empty text, and for a text that is a path while no path is given beside it."""
    hint = f"Give {'it' if len(texts) == 1 else 'both'} in quotes: {example}"
    for text in texts:
        if not text.strip():
            raise CukereuseError(f"{'the' if len(texts) == 1 else 'a'} step text is empty", hint)
        if not paths and os.path.exists(text):  # noqa: PTH110 - false for any text that can't be a path
            raise CukereuseError(f"{text} is a path, so a step text is missing", hint)


def _as_written(folder: Path, file: Path) -> Path:
    """The folder, relative if the file is, so that a report shows paths as the user wrote them."""
    return folder if file.is_absolute() else Path(os.path.relpath(folder))


def _outermost(folders: Sequence[Path]) -> tuple[Path, ...]:
    outermost: dict[str, Path] = {}
    for folder in sorted(folders, key=lambda folder: len(os.path.realpath(folder))):
        real = os.path.realpath(folder)
        if not any(real == other or real.startswith(other.rstrip(os.sep) + os.sep) for other in outermost):
            outermost[real] = folder
    return tuple(
        outermost[os.path.realpath(folder)] for folder in folders if outermost.get(os.path.realpath(folder)) is folder
    )
