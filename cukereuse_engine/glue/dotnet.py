""".NET's projects: which projects see the step definitions of which others.

Reqnroll and SpecFlow look for bindings in the assembly of a feature file and in those that its configuration names,
which the project must refer to. The text of project files and of the `Directory.Build` files around them is read;
nothing is evaluated.
"""

import os
import re
from functools import cached_property, lru_cache
from pathlib import Path

from cukereuse_engine.glue.configuration import is_plain

_SUFFIXES = (".csproj", ".fsproj", ".vbproj")
_SHARED = ("Directory.Build.props", "Directory.Build.targets")
_NAMED = re.compile(r"""\b(?:Include|Project|HintPath)\s*=\s*["']([^"']+)["']|<HintPath>([^<]+)<""")
_VARIABLE = re.compile(r"\$\(([^)]*)\)")


class DotnetProjects:
    """The projects below one folder."""

    def __init__(self, root: str) -> None:
        self._root = os.path.abspath(root)  # noqa: PTH100
        self._by_folder: dict[str, _Project | None] = {}
        self._seen: dict[_Project, frozenset[str]] = {}

    def sees(self, path: str, other: str) -> bool:
        """True if the project of the file at `path` refers, directly or through others, to the project of the file at
        `other`, or if either file is in no project."""
        own, theirs = self._project(_folder(path)), self._project(_folder(other))
        if own is None or theirs is None or own is theirs:
            return True
        return theirs.folder in self._reached(own) or bool(theirs.names & self._names(own))

    def _reached(self, project: "_Project") -> frozenset[str]:
        """The folders of the projects that a project refers to, directly or through others, with its own."""
        if project not in self._seen:
            reached: set[str] = set()
            waiting = [project]
            while waiting:
                current = waiting.pop()
                reached.add(current.folder)
                around = (self._project(folder) for folder in current.folders)
                waiting += [other for other in around if other is not None and other.folder not in reached]
            self._seen[project] = frozenset(reached)
        return self._seen[project]

    def _names(self, project: "_Project") -> frozenset[str]:
        """The assemblies and packages that a project refers to by name."""
        folders = (self._by_folder.get(folder) for folder in self._reached(project))
        return frozenset[str]().union(*(other.references for other in folders if other is not None))

    def _project(self, folder: str) -> "_Project | None":
        """The nearest project in a folder or around it."""
        if folder not in self._by_folder:
            files = _project_files(folder)
            project = _Project(folder, files, self._root) if files else None
            if project is None and folder != self._root and folder.startswith(self._root):
                project = self._project(os.path.dirname(folder))  # noqa: PTH120
            self._by_folder[folder] = project
        return self._by_folder[folder]


class _Project:
    def __init__(self, folder: str, files: list[Path], root: str) -> None:
        self.folder = folder
        self._files = files
        self._root = Path(root)

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(file.stem.lower() for file in self._files)

    @cached_property
    def _named(self) -> list[str]:
        """The paths that the project's files include, import or refer to."""
        files = [*self._files]
        for around in (Path(self.folder), *Path(self.folder).parents):
            files += [around / name for name in _SHARED]
            if around == self._root:
                break
        return [named.replace("\\", "/") for file in files for named in _includes(file)]

    @cached_property
    def references(self) -> frozenset[str]:
        return frozenset(named.split(",")[0].strip().lower() for named in self._named)

    @cached_property
    def folders(self) -> frozenset[str]:
        """The folders of included files that are elsewhere: projects, shared sources, built assemblies."""
        folders = set()
        for named in self._named:
            place = _VARIABLE.sub(lambda variable: self.folder if "MSBuild" in variable[1] else "", named)
            place = place.split("*")[0].lstrip("/") if place.startswith("//") else place.split("*")[0]
            if "/" in place:
                path = os.path.normpath(Path(self.folder, place))
                folders.add(path if place.endswith("/") else os.path.dirname(path))  # noqa: PTH120
        return frozenset(folders)


@lru_cache(maxsize=100_000)
def _folder(path: str) -> str:
    return os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120


def _project_files(folder: str) -> list[Path]:
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208
    except OSError:
        return []
    return [Path(folder, name) for name in names if name.endswith(_SUFFIXES)]


def _includes(file: Path) -> list[str]:
    try:
        if not is_plain(file):
            return []
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [(first or second).strip() for first, second in _NAMED.findall(text)]
