"""How a feature file is Gherkin, as its name and the files around it tell of its runner. Never opens a file."""

import os
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

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
    here = Path(folder).absolute()
    for place in (here, *here.parents)[:_LEVELS]:
        if any((place / name).is_file() for name in _BEHAVE_FILES):
            return True
        try:
            if any(name.endswith(".py") for name in os.listdir(place / "steps")):  # noqa: PTH208
                return True
        except OSError:
            pass
        if (place / ".git").exists():
            break
    return False
