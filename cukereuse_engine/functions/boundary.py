"""The boundary of a file's names: a World, a project, or the whole repository if imports tell everything.

Equal code may mean different things: `this` in two packages of JavaScript, `@x` below two `features` folders, `context`
in two `steps` folders of behave. Modules of Maven, Gradle and .NET in one build are one project.
"""

import os
import re
from functools import lru_cache
from pathlib import PurePath

from cukereuse_engine.glue.sources import PROJECT_FILES, SOLUTION_SUFFIXES, of_projects

_TOLD_BY_IMPORTS = frozenset((".php", ".go"))
_JVM = frozenset((".java", ".kt", ".kts"))
_CSHARP = ".cs"
_JVM_BUILDS = frozenset(("pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"))
_RUNS_ALONE = re.compile(r"(?:cypress|playwright|wdio)\.(?:config|conf)\.|cypress\.json$|project\.json$")
"""Configurations of runners, and Nx's projects: each is run against its own site."""
_WORLDS = {".rb": "features", ".py": "steps"}
"""The folder that contains files which are loaded together, by suffix."""


def boundary_of(path: str) -> str:
    """An id of the boundary that contains the file at `path`."""
    suffix = PurePath(path).suffix.lower()
    if suffix in _TOLD_BY_IMPORTS:
        return ""
    if suffix in _JVM or suffix == _CSHARP:
        return build_of(path)[0]
    return world_around(path) or _project(os.path.dirname(os.path.abspath(path)))  # noqa: PTH100, PTH120


def world_around(path: str) -> str | None:
    """For Python and Ruby, the folder around the folder of files that are loaded together, absolute because the working
    folder may be in it; None for other files."""
    parts = PurePath(os.path.abspath(path)).parts[:-1]  # noqa: PTH100
    world = _WORLDS.get(PurePath(path).suffix.lower())
    return str(PurePath(*parts[: parts.index(world)])) if world in parts else None


def build_of(path: str) -> tuple[str, str]:
    """The module of a source of Java, Kotlin or C#, and the build that contains it: the nearest and the outermost
    folder around it with a build file; for .NET, the build is the folder with a solution. Both are empty if there is
    none."""
    suffix = PurePath(path).suffix.lower()
    folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120
    return _build(folder, suffix == _CSHARP) if suffix in _JVM or suffix == _CSHARP else ("", "")


@of_projects
def _build(folder: str, is_csharp: bool) -> tuple[str, str]:
    try:
        names = os.listdir(folder)  # noqa: PTH208
    except OSError:
        names = []
    parent = os.path.dirname(folder)  # noqa: PTH120
    module, build = ("", "") if parent == folder or ".git" in names else _build(parent, is_csharp)
    if is_csharp:
        holds = any(name.endswith(".csproj") for name in names)
        solves = any(name.endswith(SOLUTION_SUFFIXES) for name in names)
        return (folder, build or folder) if holds else (module, folder) if solves and not build else (module, build)
    return (folder, build or folder) if not _JVM_BUILDS.isdisjoint(names) else (module, build)


@lru_cache(4096)
def world_of(path: str) -> str | None:
    """The folder whose files share one World, for a Ruby file in it."""
    parts = PurePath(path).parts[:-1]
    world = _WORLDS[".rb"]
    return PurePath(*parts[: parts.index(world) + 1]).as_posix() if world in parts else None


@of_projects
def _project(folder: str) -> str:
    """The nearest folder around with a project file, or else the root of the file system."""
    parent = os.path.dirname(folder)  # noqa: PTH120
    if parent == folder:
        return folder
    try:
        names = set(os.listdir(folder))  # noqa: PTH208
    except OSError:
        return _project(parent)
    holds = not PROJECT_FILES.isdisjoint(names) or any(map(_RUNS_ALONE.match, names))
    return folder if holds else _project(parent)
