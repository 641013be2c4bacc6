"""The state of the disk when it was walked, and whether it has changed: compares stamps, in a tenth of the time of
another walk.

A folder's stamp changes when a name in it is added or removed. Never reads a file's content.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

CONFIGURATION = ("cukereuse.toml", "pyproject.toml", ".gitignore", ".cukereuseignore")
"""Files that decide what is read, or how it is judged; those of folders above count too."""

Stamp = tuple[int, int]
"""The time of the last change in nanoseconds, and the size; if both are equal, the file is taken for unchanged."""
Stamps = Mapping[str, Stamp | None]


def stamp_of(path: str) -> Stamp | None:
    """The stamp of a path; None if it is gone or can't be read."""
    try:
        status = os.stat(path)  # noqa: PTH116 - many of them
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


def changed_paths(paths: Iterable[str], stamps: Stamps) -> list[str]:
    """The paths that have changed since they were read."""
    return [path for path in paths if path not in stamps or stamps[path] != stamp_of(path)]


@dataclass(frozen=True, slots=True)
class WalkedFiles:
    """The files that a walk found, and the stamps of what made it find them."""

    files: tuple[str, ...]
    stamps: Stamps
    """The stamps of each listed folder, and of the configurations in and above them."""

    def stands(self) -> bool:
        """True if walking again would find the same files."""
        return not changed_paths(self.stamps, self.stamps)


def walked(roots: Iterable[str], discover: Callable[[Callable[[str], None]], list[str]]) -> WalkedFiles:
    """`discover` reports each folder before it lists it, so that nothing added meanwhile is missed."""
    stamps: dict[str, Stamp | None] = {}

    def seen(folder: str) -> None:
        stamps[folder] = stamp_of(folder)
        for name in CONFIGURATION:
            path = os.path.join(folder, name)  # noqa: PTH118 - many of them
            stamp = stamp_of(path)
            if stamp is not None:  # if one is added, its folder's stamp changes
                stamps[path] = stamp

    roots = tuple(roots)
    files = tuple(discover(seen))
    stamps.update((root, stamp_of(root)) for root in roots if root not in stamps)  # a file, or a path that is gone
    for folder in _around(roots):
        for name in CONFIGURATION:
            path = os.path.join(folder, name)  # noqa: PTH118
            stamps[path] = stamp_of(path)
    return WalkedFiles(files, stamps)


def _around(roots: Iterable[str]) -> Iterator[str]:
    for folder in {os.path.abspath(root) for root in roots}:  # noqa: PTH100
        while (parent := os.path.dirname(folder)) != folder:  # noqa: PTH120
            yield parent
            folder = parent
