"""From which folder git and code services name files, whatever the working folder is."""

# Paths are strings all the way: pathlib doubles the time of a walk.
# ruff: noqa: PTH100, PTH109, PTH110, PTH118, PTH120

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePath


def repository_around(folder: str) -> str:
    """The root of the git repository around an absolute folder, or ""."""
    current = folder
    while not os.path.exists(os.path.join(current, ".git")):
        parent = os.path.dirname(current)
        if parent == current:
            return ""
        current = parent
    return current


def source_root(paths: Iterable[str]) -> str:
    """The folder from which a report for a service names files, absolute: the checkout of a GitHub workflow around all
    the paths, or else their repository, or else the working folder."""
    around = _around(paths)
    workspace = os.environ.get("GITHUB_WORKSPACE")
    if workspace and PurePath(around).is_relative_to(os.path.realpath(workspace)):
        return os.path.realpath(workspace)
    return repository_around(around) or os.getcwd()


def diff_root(paths: Iterable[str]) -> str:
    """The folder from which a diff names files, absolute: the working folder, where `git apply` takes such names; if it
    does not contain all of the files, their repository, because git refuses `..`; without one, the file system."""
    paths = list(paths)
    around, here = _around(paths), os.getcwd()
    return here if PurePath(around).is_relative_to(here) else repository_around(around) or os.path.abspath(os.sep)


def name_below(root: str, path: str) -> str:
    """A path with `/`, relative to an absolute folder, or absolute if it is not below it. Links are followed, because
    git has no files below a link."""
    real, top = PurePath(_real(os.path.abspath(path))), _real(root)
    return (real.relative_to(top) if real.is_relative_to(top) else real).as_posix()


@lru_cache(maxsize=10_000)
def _real(path: str) -> str:
    """Cached because a large report names each file many times."""
    return os.path.realpath(path)


def _around(paths: Iterable[str]) -> str:
    """The folder around all paths, with no links; the working folder for none, the first path's for several drives."""
    real = [os.path.realpath(path) for path in paths] or [os.getcwd()]
    try:
        return os.path.commonpath(real)
    except ValueError:
        return real[0]
