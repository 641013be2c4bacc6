"""The files around a source, which the rules of its runner read. They are never run, and cached until they change."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ParamSpec, TypeVar

from cukereuse_engine.glue.configuration import is_plain


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The folders and files around a source. Paths are absolute."""

    path: str
    """Path of the source itself."""
    folders: tuple[str, ...]
    """The folders around it, the nearest first, up to the root."""
    root: str
    """The folder above which nothing is looked for."""


P = ParamSpec("P")
T = TypeVar("T")

PROJECT_SUFFIXES = (".csproj", ".fsproj", ".vbproj")
"""Suffixes of .NET's project files."""
MANY_SOURCES = 2000
"""Maximum number of a repository's files, or folders, that are searched for something."""
_FOREIGN = frozenset({"node_modules", "site-packages", "__pycache__"})
_kept: list[Callable[[], None]] = []


def until_files_change(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep what a function reads from files, for at most `most` arguments, until `forget` is called."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        cached = lru_cache(most)(function)
        _kept.append(cached.cache_clear)
        return cached  # type: ignore[return-value]

    return decorate


def forget() -> None:
    """Forget everything: files around sources have changed."""
    for clear in _kept:
        clear()


def bytes_of(path: str) -> bytes:
    """The contents of a file; empty if it can't be read."""
    try:
        file = Path(path)
        return file.read_bytes() if is_plain(file) else b""
    except (OSError, ValueError):
        return b""


def text_at(*parts: str) -> str:
    """The text of the file at a path in parts; empty if it can't be read."""
    return bytes_of(os.path.join(*parts)).decode("utf-8", "replace")  # noqa: PTH118


def walk(root: str) -> Iterator[tuple[str, list[str]]]:
    """Yields the folders with a project's own sources, each with its file names."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(folder for folder in folders if not folder.startswith(".") and folder not in _FOREIGN)
        yield folder, names
