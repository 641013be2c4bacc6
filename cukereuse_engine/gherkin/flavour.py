"""How a feature file is Gherkin, as its name and the files around it tell of its runner. Never opens a file."""

import os
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache

MARKDOWN_SUFFIX = ".feature.md"
_LEVELS = 6
"""Folders above a feature file that are looked at."""
_BEHAVE_FILES = ("environment.py", "behave.ini", ".behaverc")


class Flavour(StrEnum):
    GHERKIN = "feature"
    MARKDOWN = "md"
    BEHAVE = "behave"
    """Step keywords count in any case (behave/parser.py)."""


def flavour_of(path: str) -> Flavour:
    if path.lower().endswith(MARKDOWN_SUFFIX):
        return Flavour.MARKDOWN
    folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120
    return Flavour.BEHAVE if is_run_by_behave(folder) else Flavour.GHERKIN


@lru_cache(maxsize=10_000)
def is_run_by_behave(folder: str) -> bool:
    """Whether behave's own files stand in or around a folder: its configuration, its hooks, a folder `steps` of
    Python. Looks no higher than the repository."""
    for place in _around(os.path.abspath(folder)):  # noqa: PTH100
        found = _behave_files_in(place)
        if found or os.path.exists(os.path.join(place, ".git")):  # noqa: PTH110, PTH118
            return found
    return False


def _around(folder: str) -> Iterator[str]:
    for _ in range(_LEVELS):
        yield folder
        above = os.path.dirname(folder)  # noqa: PTH120
        if above == folder:
            return
        folder = above


@lru_cache(maxsize=10_000)
def _behave_files_in(folder: str) -> bool:
    if any(os.path.isfile(os.path.join(folder, name)) for name in _BEHAVE_FILES):  # noqa: PTH113, PTH118
        return True
    try:
        return any(name.endswith(".py") for name in os.listdir(os.path.join(folder, "steps")))  # noqa: PTH118, PTH208
    except OSError:
        return False
