"""Glue code that several suites share: walked and read once while they are loaded, as long as the disk is unchanged.

Suites of one repository mostly look for step definitions in all of it. Not thread-safe.
"""

from collections.abc import Sequence

from cukereuse_engine.glue.definition import Extraction
from cukereuse_engine.glue.sources import discover_glue, glue_root, read_sources
from cukereuse_engine.scanning.functions import SharedFunctions
from cukereuse_engine.settings import Settings
from cukereuse_engine.storage.blob_store import BlobStore
from cukereuse_server.workspace.disk import Stamp, WalkedFiles, stamp_of, walked


class SharedSources:
    def __init__(self, cache: BlobStore) -> None:
        self._cache = cache
        self._walks: dict[tuple[tuple[str, ...], tuple[str, ...]], WalkedFiles] = {}
        """Walked files, by the places of the walk and the patterns left out."""
        self._read: dict[str, tuple[Stamp | None, Extraction | None]] = {}
        """Maps a path to its stamp before it was read, and its definitions."""
        self.functions = SharedFunctions()
        """The functions of the sources that were read."""

    def walk(self, root: str, settings: Settings) -> WalkedFiles:
        """As `walk_sources`."""
        key = places_of(root, settings), settings.exclude
        cached = self._walks.get(key)
        if cached is None or not cached.stands():
            cached = self._walks[key] = walk_sources(root, settings)
        return cached

    def read(self, paths: Sequence[str]) -> tuple[dict[str, Extraction], dict[str, Stamp | None]]:
        """The definitions of each source, without sources that define nothing, and the stamps of all."""
        stamps = {path: stamp_of(path) for path in paths}
        other = [path for path in paths if path not in self._read or self._read[path][0] != stamps[path]]
        extractions = read_sources(other, jobs=1, cache=self._cache)
        if other:
            self.functions = SharedFunctions()
        self._read |= {path: (stamps[path], extractions.get(path)) for path in other}
        read = ((path, self._read[path][1]) for path in paths)
        return {path: extraction for path, extraction in read if extraction is not None}, stamps


def walk_sources(root: str, settings: Settings) -> WalkedFiles:
    """The sources of the suite at `root`. Raises `CukereuseError` for configured paths that do not exist."""
    roots = places_of(root, settings)
    return walked(roots, lambda seen: discover_glue(roots, exclude=settings.exclude, on_folder=seen))


def places_of(root: str, settings: Settings) -> tuple[str, ...]:
    """Where the sources of the suite at `root` are looked for."""
    return settings.glue or (glue_root(root),)
