"""The flavour of a feature file's Gherkin, by its name and by its runner's files around it."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import ClassVar

from cukereuse_engine.gherkin.default_language import ENGLISH, default_language, forget, names_in

MARKDOWN_SUFFIX = ".feature.md"
_LEVELS = 6
"""Folders above a feature file that are looked at."""
_BEHAVE_FILES = ("environment.py", "behave.ini", ".behaverc")


class Syntax(StrEnum):
    GHERKIN = "feature"
    MARKDOWN = "md"
    BEHAVE = "behave"
    """Step keywords count in any case (behave/parser.py)."""


@dataclass(frozen=True, slots=True)
class Flavour:
    syntax: Syntax
    language: str = ENGLISH
    """Language of files that name none."""

    GHERKIN: ClassVar["Flavour"]
    BEHAVE: ClassVar["Flavour"]

    @property
    def key(self) -> str:
        """A key that is equal for flavours which are read alike."""
        return self.syntax.value if self.language == ENGLISH else f"{self.syntax.value}/{self.language}"


Flavour.GHERKIN = Flavour(Syntax.GHERKIN)
Flavour.BEHAVE = Flavour(Syntax.BEHAVE)


def flavour_of(path: str) -> Flavour:
    folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120
    if path.lower().endswith(MARKDOWN_SUFFIX):
        return Flavour(Syntax.MARKDOWN, default_language(folder))
    return _flavour_in(folder)


@lru_cache(maxsize=10_000)
def _flavour_in(folder: str) -> Flavour:
    return Flavour(Syntax.BEHAVE if is_run_by_behave(folder) else Syntax.GHERKIN, default_language(folder))


def forget_configurations() -> None:
    """Forget everything: runners' files have changed on disk."""
    for cached in (_flavour_in, is_run_by_behave, _has_behave_files):
        cached.cache_clear()
    forget()


@lru_cache(maxsize=10_000)
def is_run_by_behave(folder: str) -> bool:
    """True if behave's own files are in or around a folder: its configuration, its hooks, a folder `steps` with Python.
    Looks at most as high as the repository."""
    for place in _around(os.path.abspath(folder)):  # noqa: PTH100
        is_behave = _has_behave_files(place)
        if is_behave or ".git" in names_in(place):
            return is_behave
    return False


def _around(folder: str) -> Iterator[str]:
    for _ in range(_LEVELS):
        yield folder
        above = os.path.dirname(folder)  # noqa: PTH120
        if above == folder:
            return
        folder = above


@lru_cache(maxsize=10_000)
def _has_behave_files(folder: str) -> bool:
    names = {name.lower() for name in names_in(folder)}  # a file system may hold them equal
    if any(os.path.isfile(os.path.join(folder, name)) for name in _BEHAVE_FILES if name in names):  # noqa: PTH113, PTH118
        return True
    if "steps" not in names:
        return False
    try:
        return any(name.endswith(".py") for name in os.listdir(os.path.join(folder, "steps")))  # noqa: PTH118, PTH208
    except OSError:
        return False
