"""Paths of files and modules as sources write them: with slashes, from the folder that relative paths start from."""

import posixpath
import re
from collections.abc import Iterator
from pathlib import PurePath

_MOST_FOLDERS = 12
"""The number of folders above a file in which a module is looked for."""


def join(folder: str, name: str) -> str:
    """The path of a name in a folder; "" is the folder that relative paths start from."""
    return f"{folder.rstrip('/')}/{name}" if folder else name


def above(path: str) -> Iterator[str]:
    """The folder of a file and those above it; "" is the folder that relative paths start from."""
    for count, folder in enumerate(PurePath(path).parents):
        if count >= _MOST_FOLDERS:
            return
        yield "" if str(folder) == "." else folder.as_posix()


def module_path(written: str) -> str:
    """The path of a relative module, spelled unlike any package."""
    path = posixpath.normpath(written)
    return path if path.startswith(("/", "../")) else f"./{path}"


def script_module(written: str, path: str) -> str:
    """A relative module that a script at `path` imports, as a path without suffix; others as they are written."""
    if not written.startswith("."):
        return written
    folder = PurePath(path).parent.as_posix()
    return re.sub(r"\.[cm]?[jt]sx?$|/index$", "", module_path(posixpath.join(folder, written)))
