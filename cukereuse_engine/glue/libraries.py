"""Libraries that bring step definitions from outside of a repository: a step that matches nothing here may be theirs.

A source takes such a library over (`require "aruba/cucumber"`, `from toolium.steps import *`), or a runner's
configuration names it: classes of Behat, packages of Cucumber-JVM, assemblies of .NET, plugins of pytest. What a source
takes over is told by its name, as its content is not at hand. Nothing is loaded.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from cukereuse_engine.glue.configuration import is_plain
from cukereuse_engine.glue.definition import Extraction

CONFIGURATIONS = ("reqnroll.json", "specflow.json")
_SAYS_STEPS = re.compile(
    r"(?:(?<![a-z])|(?<=[a-z])(?=S))[sS]teps?(?:[-_]?[dD]ef(?:inition)?s?)?(?:[-_]?lib\w*)?(?![a-z])"
)
_RUNNERS = re.compile(
    r"^(?:(?:behave|pytest_bdd|playwright-bdd|cypress-cucumber-preprocessor)\b|@(?:cucumber|badeball)/)"
)
_WITHOUT_STEPS = re.compile(r"(?:^|\\)(?:Raw\w*|BehatContext|Context)$", re.IGNORECASE)
"""Classes for Behat to build upon."""


def says_steps(name: str) -> bool:
    """Whether the name of a module from outside says that it brings step definitions; a runner has none of its own."""
    is_outside = not name.startswith((".", "/")) and "$" not in name and "#{" not in name
    return is_outside and not _RUNNERS.search(name) and _SAYS_STEPS.search(name) is not None


def context_classes(named: Iterable[str], inherited: Iterable[str]) -> tuple[str, ...]:
    """Of Behat's classes that were not found those that may have definitions: of those that suites name all, of those
    that classes here inherit the contexts."""
    contexts = (name for name in inherited if name.lower().endswith("context"))
    return tuple(sorted(name for name in {*named, *contexts} if not _WITHOUT_STEPS.search(name)))


class Libraries:
    """Those that the sources of one suite, and configurations of .NET around it, take over."""

    def __init__(self, root: str, project_of: Callable[[str], str], is_own: Callable[[str], bool]) -> None:
        """`root`: the folder above which no configuration is looked for. `project_of`: the project of a file;
        `is_own`: whether it is in the suite's folder."""
        self._root = os.path.abspath(root)  # noqa: PTH100
        self._project_of, self._is_own = project_of, is_own
        self._by_path: dict[str, tuple[str, ...]] = {}
        self._sources: set[str] = set()
        self._kept: dict[str, tuple[str, ...]] = {}

    def update(self, extractions: Mapping[str, Extraction | None]) -> bool:
        """Sources are new, changed or (None) gone. Whether other libraries are taken over now."""
        before = dict(self._by_path)
        known = len(self._sources)
        for path, extraction in extractions.items():
            self._by_path.pop(path, None)
            self._sources.discard(path)
            if extraction is not None:
                self._sources.add(path)
                if extraction.libraries:
                    self._by_path[path] = extraction.libraries
        if before == self._by_path and known == len(self._sources):
            return False
        self._kept.clear()
        return before != self._by_path

    def forget(self) -> None:
        """Configurations changed on disk."""
        _assemblies.cache_clear()
        self._kept.clear()

    def around(self, path: str) -> tuple[str, ...]:
        """Names of those that may define the steps of a feature file."""
        folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120
        if folder not in self._kept:
            project = self._project_of(path)
            names = {
                name
                for source, taken in self._by_path.items()
                if self._is_own(source) or self._project_of(source) == project
                for name in taken
            }
            names.update(self._assemblies_around(folder))
            self._kept[folder] = tuple(sorted(name for name in names if not self._is_here(name)))
        return self._kept[folder]

    def _assemblies_around(self, folder: str) -> tuple[str, ...]:
        while folder.startswith(self._root):
            names = [name for each in CONFIGURATIONS for name in _assemblies(os.path.join(folder, each))]  # noqa: PTH118
            above = os.path.dirname(folder)  # noqa: PTH120
            if names or above == folder:
                return tuple(names)
            folder = above
        return ()

    def _is_here(self, name: str) -> bool:
        """Whether sources of the repository stand at a place of that name."""
        own = re.sub(r"^@[^/]+/", "", name)
        inner = own if own.startswith("@") else "/" + re.sub(r"[.\\:]+(?![^/]*\.\w{1,3}$)", "/", own).strip("/")
        places = (f"{inner.removesuffix('.rb')}.", f"{inner}/", f"/{own}/")
        return any(place in source.replace(os.sep, "/") for source in self._sources for place in places)


@lru_cache(maxsize=10_000)
def _assemblies(path: str) -> tuple[str, ...]:
    """That `reqnroll.json` or `specflow.json` names beside the project's own."""
    try:
        file = Path(path)
        stated = json.loads(file.read_text(encoding="utf-8-sig")) if is_plain(file) else {}
    except (OSError, ValueError, RecursionError):
        return ()
    lists = [stated.get(key) for key in ("bindingAssemblies", "stepAssemblies")] if isinstance(stated, dict) else []
    names = [
        each.get("assembly") for rows in lists if isinstance(rows, list) for each in rows if isinstance(each, dict)
    ]
    return tuple(name for name in names if isinstance(name, str) and name)
