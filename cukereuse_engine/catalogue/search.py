"""Searches a catalogue for a step, by the beginning of a text or by its similarity.

Lexical, in a few milliseconds for tens of thousands of steps. What is found is another team's, and no finding is made
of it.
"""

from bisect import bisect_left
from collections.abc import Set
from functools import lru_cache
from heapq import nlargest
from pathlib import Path

import msgspec
import numpy as np
from rapidfuzz import fuzz, process

from cukereuse_engine.catalogue.document import VERSION, CatalogueDocument, CatalogueEntry
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.prose import counted
from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.template import template

NEAR = 0.6
"""Likeness below which two steps have nothing to do with each other."""
_PICKED = 60


class Catalogue:
    def __init__(self, entries: list[CatalogueEntry]) -> None:
        self._entries = sorted(entries, key=lambda entry: entry.key)
        self._keys = [entry.key for entry in self._entries]

    def beginning(self, start: str, limit: int, without: Set[str] = frozenset()) -> list[CatalogueEntry]:
        """Entries whose key begins with `start` (lower case, arguments as slots), those of most repositories first."""
        if not start:
            return []
        first = bisect_left(self._keys, start)
        entries = []
        for entry in self._entries[first:]:
            if not entry.key.startswith(start):
                break
            if entry.key not in without:
                entries.append(entry)
        return nlargest(limit, entries, key=lambda entry: (len(entry.repositories), entry.uses))

    def like(self, text: str, limit: int, without: Set[str] = frozenset()) -> list[tuple[CatalogueEntry, float]]:
        """The entries most like a text, with their likeness (mean of Indel similarity and the share of words in common,
        both of masked texts, `NEAR` to 1), the most like first."""
        query_key = template(normalise(text)).key
        if not query_key or not self._keys:
            return []
        indel = process.cdist([query_key], self._keys, scorer=fuzz.ratio, dtype=np.float32)[0] / 100
        words = set(query_key.split())
        scored = []
        for row in np.argsort(-indel, kind="stable")[: _PICKED + len(without)].tolist():
            entry = self._entries[row]
            if entry.key in without:
                continue
            others = set(entry.key.split())
            score = (float(indel[row]) + len(words & others) / len(words | others)) / 2
            if score >= NEAR:
                scored.append((entry, score))
        scored.sort(key=lambda pair: (-pair[1], -len(pair[0].repositories), pair[0].key))
        return scored[:limit]


def said_of(entry: CatalogueEntry) -> str:
    """The owners of an entry, for people."""
    first, *others = entry.repositories
    if team := entry.owners[0].team:
        first += f" ({team.replace(' ', ', ')})"
    if not others:
        return f"{first} has this step"
    return f"{first} and {counted(len(others), 'other')} have this step"


def read_catalogue(path: str | Path) -> Catalogue:
    """The contents of a file, read again after it changes. Raises `CukereuseError` if it can't be used."""
    try:
        state = Path(path).stat()
        catalogue = _read(str(path), state.st_mtime_ns, state.st_size)
    except OSError as error:
        raise CukereuseError(f"catalogue {path} can't be read: {error.strerror or error}") from None
    if isinstance(catalogue, CukereuseError):
        raise catalogue.with_traceback(None)
    return catalogue


@lru_cache(maxsize=4)
def _read(path: str, changed: int, size: int) -> Catalogue | CukereuseError:
    """The error is returned, so that a large file that can't be used is not read for each key that is pressed. Raises
    `OSError`."""
    del changed, size
    try:
        document = msgspec.json.decode(Path(path).read_bytes(), type=CatalogueDocument)
    except (msgspec.DecodeError, RecursionError) as error:
        hint = "Use the catalogue.json that `cukereuse corpus catalogue` writes."
        return CukereuseError(f"catalogue {path} is not a catalogue: {error}", hint)
    if document.version != VERSION:
        message = f"catalogue {path} has version {document.version}; this cukereuse reads version {VERSION}"
        return CukereuseError(message, "Recreate it: cukereuse corpus catalogue")
    return Catalogue(document.entries)
