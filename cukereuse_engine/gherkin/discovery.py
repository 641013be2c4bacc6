"""From the paths that a user names to the files to read, in the same order on every machine.

A file that the user names is always read. Below a folder, `walk` decides which files count.
"""

# Paths are strings all the way: pathlib doubles the time of a walk.
# ruff: noqa: PTH100, PTH109, PTH112, PTH118, PTH206

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.walk import Walk

if TYPE_CHECKING:
    from cukereuse_engine.gherkin.listings import Listings

FEATURE_SUFFIXES = (".feature", ".feature.md")


def discover(
    paths: Iterable[str | Path],
    *,
    suffixes: Sequence[str] = FEATURE_SUFFIXES,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    on_folder: Callable[[str], None] | None = None,
    listings: "Listings | None" = None,
) -> list[str]:
    """Files below `paths` whose name ends with one of `suffixes`, and every file that `paths` name themselves.

    `include` and `exclude` are patterns in the syntax of `.gitignore`, relative to each folder of `paths`: `include`
    brings back files that are skipped by default or by ignore files, `exclude` leaves files out and overrides
    everything but a named file. Relative paths stay relative and become as short as possible: below the working folder
    none begins with `..`, from wherever it was found. A folder that can't be listed is in the result too, so
    that reading it gives the reason. Each file occurs once, sorted by the parts of its path. `on_folder` is called with
    each folder before it is listed. `listings` knows folders that were walked.

    Raises `CukereuseError` for a path that does not exist.
    """
    endings = tuple(suffixes)
    walk = Walk(endings, tuple(include), tuple(exclude), on_folder)
    files: dict[str, str] = {}
    links: list[str] = []
    for path in paths:
        root = os.path.normpath(path)
        if not os.path.lexists(root):
            raise CukereuseError(
                f"{root}: no such file or folder", "Check the path, or the folder in which you started the command."
            )
        if not os.path.isdir(root):
            files.setdefault(os.path.abspath(root), root)
            continue
        below = listings.below(root, walk) if listings is not None else walk.files(root)
        for file, is_link in below:
            if is_link:
                links.append(file)
            else:
                files.setdefault(os.path.abspath(file), file)
    real = {os.path.realpath(file) for file in files} if links else set()
    for link in links:
        target = os.path.realpath(link)
        if target not in real:
            real.add(target)
            files.setdefault(os.path.abspath(link), link)
    return sorted(_from_here(files), key=lambda file: file.split(os.sep))


def _from_here(files: Mapping[str, str]) -> list[str]:
    """Files as they were found, by their absolute paths; one that was found above the working folder is seen from it,
    so that it has one name whichever folder led to it."""
    if not any(file.startswith(os.pardir) for file in files.values()):
        return list(files.values())
    here = os.path.join(os.getcwd(), "")
    return [
        found
        if not found.startswith(os.pardir)
        else absolute[len(here) :]
        if absolute.startswith(here)
        else os.path.relpath(absolute, here)
        for absolute, found in files.items()
    ]
