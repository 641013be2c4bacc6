"""The contents of folders, walked once in a run, and cached between runs.

A folder whose stamp and rules are what they were is not listed again. Never opens a file other than ignore files.
"""

# ruff: noqa: PTH100, PTH118

import os
from collections.abc import Iterator, Sequence

from cukereuse_engine.gherkin.cache import reader
from cukereuse_engine.gherkin.walk import Folder, Walk
from cukereuse_engine.storage.blob_store import Blobs
from cukereuse_engine.storage.kept import Kept


class Listings:
    """Listings of one run: a folder that changes meanwhile keeps its listing."""

    def __init__(self, suffixes: Sequence[str], store: Blobs | None = None) -> None:
        """`suffixes`: the ends of all names that will be needed. `store` keeps listings."""
        self._suffixes = tuple(sorted(set(suffixes)))
        self._store = store
        self._walked: dict[tuple[str, tuple[str, ...], tuple[str, ...]], list[tuple[str, bool, bool]]] = {}

    def below(self, root: str, walk: Walk) -> Iterator[tuple[str, bool]]:
        """As `walk.files`."""
        if not set(walk.suffixes) <= set(self._suffixes):
            yield from walk.files(root)
            return
        key = os.path.abspath(root), walk.include, walk.exclude
        if key not in self._walked:
            self._walked[key] = self._walk(key[0], Walk(self._suffixes, walk.include, walk.exclude))
        before = "" if root == os.curdir else os.path.join(root, "")
        for name, is_link, is_unlisted in self._walked[key]:
            if name.lower().endswith(walk.endings) or is_unlisted:
                yield f"{before}{name}" if name else root, is_link

    def _walk(self, root: str, walk: Walk) -> list[tuple[str, bool, bool]]:
        """For each file: its name below the folder, true for a link, and true for a folder that can't be listed."""
        kept: Kept[Folder] | None = None
        if self._store is not None:
            rules = (*self._suffixes, "", *walk.include, "", *walk.exclude)
            kept = Kept(self._store, Folder, "folders", reader(), root, *rules)
        start = len(os.path.join(root, ""))
        files = [(path[start:], is_link, path in walk.unlisted) for path, is_link in walk.files(root, kept)]
        if kept is not None:
            kept.save()
        return files
