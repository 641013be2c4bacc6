"""Libraries from outside the repository that bring step definitions: a step without a definition here may have one
there.

A source imports such a library (`require "aruba/cucumber"`, `from toolium.steps import *`), or a runner's configuration
names it: classes of Behat, packages of Cucumber-JVM, assemblies of .NET, plugins of pytest. Its content is not at hand,
so its name must tell whether it has steps. Nothing is loaded.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping

from cukereuse_engine.glue.definition import Extraction
from cukereuse_engine.glue.project_files import PROJECT_SUFFIXES, bytes_of, text_at, until_files_change

CONFIGURATIONS = ("reqnroll.json", "specflow.json")
_SAYS_STEPS = re.compile(
    r"(?:(?<![a-z])|(?<=[a-z])(?=S))[sS]teps?(?:[-_]?[dD]ef(?:inition)?s?)?(?:[-_]?lib\w*)?(?![a-z])"
)
_RUNNERS = re.compile(
    r"^(?:(?:behave|pytest_bdd|playwright-bdd|cypress-cucumber-preprocessor)\b|@(?:cucumber|badeball)/)"
)
_WITHOUT_STEPS = re.compile(r"(?:^|\\)(?:Raw\w*|BehatContext|Context)$", re.IGNORECASE)
"""Base classes of contexts for Behat."""
_ASSEMBLY = re.compile(r"<AssemblyName>\s*([^<\s]+)\s*</AssemblyName>")


def says_steps(name: str) -> bool:
    """True if the name of an outside module suggests step definitions; a runner itself has none."""
    is_outside = not name.startswith((".", "/", "~", "#", "@/")) and "$" not in name and "#{" not in name
    return is_outside and not _RUNNERS.search(name) and _SAYS_STEPS.search(name) is not None


def context_classes(named: Iterable[str], inherited: Iterable[str]) -> tuple[str, ...]:
    """The missing classes of Behat that may have definitions: all that suites name, and the contexts among those that
    classes here inherit."""
    contexts = (name for name in inherited if name.lower().endswith("context"))
    return tuple(sorted(name for name in {*named, *contexts} if not _WITHOUT_STEPS.search(name)))


class Libraries:
    """The libraries that the sources of one suite, and .NET configurations around it, use."""

    def __init__(
        self, root: str, project_of: Callable[[str], str], is_own: Callable[[str], bool], files: Iterable[str] = ()
    ) -> None:
        """`root`: no configuration above this folder is looked for. `project_of`: the project of a file; `is_own`: true
        for files in the suite's folder. `files`: all sources of the repository, including those that define nothing."""
        self._root = os.path.abspath(root)  # noqa: PTH100
        self._project_of, self._is_own = project_of, is_own
        self.files = set(files)
        self._by_path: dict[str, tuple[str, ...]] = {}
        self._defining: set[str] = set()
        self._kept: dict[str, tuple[str, ...]] = {}
        self._here: dict[str, bool] = {}
        self._places = ""
        """All files from the root, a line each; empty: not known yet."""

    def update(self, extractions: Mapping[str, Extraction | None]) -> bool:
        """Take sources that are new, changed or (None) gone. True if they may use other libraries now."""
        before, files, defining = dict(self._by_path), len(self.files), set(self._defining)
        for path, extraction in extractions.items():
            self._by_path.pop(path, None)
            self._defining.discard(path)
            if extraction is None:
                self.files.discard(path)
                continue
            self.files.add(path)
            if extraction.libraries:
                self._by_path[path] = extraction.libraries
            if extraction.definitions:
                self._defining.add(path)
        if (before, files, defining) == (self._by_path, len(self.files), self._defining):
            return False
        was_asked = bool(self._here)
        self._forget()
        return was_asked or before != self._by_path

    def forget(self) -> None:
        """Forget the configurations, which have changed on disk."""
        self._forget()

    def _forget(self) -> None:
        self._kept.clear()
        self._here.clear()
        self._places = ""

    def around(self, path: str) -> tuple[str, ...]:
        """The names of the libraries that may define the steps of a feature file."""
        folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120
        if folder not in self._kept:
            names = {name for source in self._taking(path, folder) for name in self._by_path[source]}
            names.update(self._assemblies_around(folder))
            self._kept[folder] = self.outside(names)
        return self._kept[folder]

    def outside(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of some libraries that the repository does not contain."""
        return tuple(sorted(name for name in set(names) if not self._is_here(name)))

    def _taking(self, path: str, folder: str) -> list[str]:
        """The sources that a runner may load: files that an application imports beside them define no step."""
        project = self._project_of(path)
        taking = [source for source in self._by_path if self._is_of(source, project)]
        if not taking:
            return []
        folders = {_folder(source) for source in self._defining if self._is_of(source, project)} | {folder}
        return [source for source in taking if any(_are_near(_folder(source), each, project) for each in folders)]

    def _is_of(self, source: str, project: str) -> bool:
        return self._is_own(source) or self._project_of(source) == project

    def _assemblies_around(self, folder: str) -> tuple[str, ...]:
        while folder.startswith(self._root):
            names = [name for each in CONFIGURATIONS for name in _assemblies(os.path.join(folder, each))]  # noqa: PTH118
            above = os.path.dirname(folder)  # noqa: PTH120
            if names or above == folder:
                return tuple(names)
            folder = above
        return ()

    def _is_here(self, name: str) -> bool:
        """True if the repository has sources at a place of that name, or a project of that name."""
        if name not in self._here:
            written = name.removeprefix("@").strip("/")
            inner = written if "/" in written else re.sub(r"[.\\:]+", "/", written)
            places = (f"/{inner.removesuffix('.rb')}.", f"/{inner}/", f"/{inner}\n", f"/{written}/", f"/{written}.")
            self._places = self._places or self._told_places()
            self._here[name] = any(place in self._places for place in places) or self._is_project(name)
        return self._here[name]

    def _told_places(self) -> str:
        paths = (os.path.abspath(file).removeprefix(self._root) for file in self.files)  # noqa: PTH100
        return "\n" + "".join(f"{path.replace(os.sep, '/')}\n" for path in paths)

    def _is_project(self, name: str) -> bool:
        projects = {self._project_of(source) for source in self.files}
        names = {each for project in projects for each in _names_of(project)}
        return any(name == each or name.startswith(f"{each}/") for each in names)


def _folder(path: str) -> str:
    return os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120


def _are_near(folder: str, other: str, project: str) -> bool:
    """True if a source in a folder belongs to the glue in the other folder: around it, below it, or beside it."""
    around = os.path.dirname(other)  # noqa: PTH120
    widest = around if around.startswith(project + os.sep) else other
    return f"{folder}{os.sep}".startswith(widest + os.sep) or (
        folder != project and f"{other}{os.sep}".startswith(folder + os.sep)
    )


@until_files_change(10_000)
def _names_of(project: str) -> tuple[str, ...]:
    """The names by which others refer to a project: its package (npm), or its assembly (.NET)."""
    try:
        names = [name for name in os.listdir(project) if name.endswith(PROJECT_SUFFIXES)]  # noqa: PTH208
    except OSError:
        return ()
    assemblies = [os.path.splitext(name)[0] for name in names]  # noqa: PTH122
    assemblies += [assembly for name in names for assembly in _ASSEMBLY.findall(text_at(project, name))]
    package = _stated(os.path.join(project, "package.json")).get("name")  # noqa: PTH118
    return (*assemblies, package) if isinstance(package, str) and package else tuple(assemblies)


@until_files_change(10_000)
def _assemblies(path: str) -> tuple[str, ...]:
    """The assemblies that `reqnroll.json` or `specflow.json` names beside the project's own."""
    stated = _stated(path)
    lists = [stated.get(key) for key in ("bindingAssemblies", "stepAssemblies")]
    names = [
        each.get("assembly") for rows in lists if isinstance(rows, list) for each in rows if isinstance(each, dict)
    ]
    return tuple(name for name in names if isinstance(name, str) and name)


def _stated(path: str) -> dict[str, object]:
    """The contents of a JSON file; empty if it is no object or can't be read."""
    try:
        stated = json.loads(bytes_of(path).decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}
    return stated if isinstance(stated, dict) else {}
