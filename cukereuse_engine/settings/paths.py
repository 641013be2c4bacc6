"""Paths of settings that may be globs."""

import glob
import os
from collections.abc import Iterable
from pathlib import Path

from cukereuse_engine.errors import CukereuseError


def expanded(paths: Iterable[str], name: str = "glue") -> tuple[str, ...]:
    """Each path, with globs (`**` for any depth) replaced by the paths that they match, sorted.

    An existing path is used as it is, whatever characters it has. Raises `CukereuseError` for a glob without a match;
    `name` is the setting's.
    """
    files: dict[str, None] = {}
    for path in paths:
        if glob.has_magic(path) and not Path(path).exists():
            matches = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 - its Path twin takes no absolute globs
            if not matches:
                raise CukereuseError(
                    f"{name}: nothing matches {path}",
                    "Check the pattern, or the folder in which you started the command.",
                )
            files.update(dict.fromkeys(matches))
        else:
            files[path] = None
    return tuple(files)


def existing(paths: Iterable[str], name: str) -> tuple[str, ...]:
    """As `expanded`; raises `CukereuseError` also for a path that does not exist. `name` says where the setting is."""
    files = expanded(paths, name)
    for path in files:
        if not os.path.lexists(path):
            raise CukereuseError(
                f"{name}: {path}: no such file or folder",
                "Check the path: in a settings file it starts at the folder of that file, else where you started.",
            )
    return files
