"""The protocol of a vector index.

An index has vectors by key, such as the key of a masked template, and is changed one text at a time. Keys are strings
that the caller chooses; the index never looks into them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from cukereuse_engine.embedding_models.embedder import Vectors


@dataclass(frozen=True, slots=True)
class Neighbour:
    key: str
    score: float
    """Cosine similarity."""


class VectorIndex(Protocol):
    """Safe to use from several threads: additions and searches exclude each other."""

    model_id: str
    model_hash: str
    dim: int
    unsaved: int
    """The number of additions and removals since it was loaded, or saving it was tried."""

    def __len__(self) -> int: ...

    def __contains__(self, key: object) -> bool: ...

    def keys(self) -> list[str]:
        """The keys in the order in which they were added."""

    @property
    def is_worn(self) -> bool:
        """True if so many vectors were removed that fewer neighbours are found: whoever has the vectors should make
        another index, which takes seconds for ten thousand."""

    def add(self, keys: Sequence[str], vectors: Vectors) -> None:
        """Add `(len(keys), dim)` float32 vectors, rows L2-normalised. A known key gets the new vector; of equal keys in
        one call, the last counts. Raises `ValueError` for another shape or values that are not finite."""

    def remove(self, keys: Sequence[str]) -> None:
        """Remove these keys; unknown ones are ignored."""

    def search(self, vectors: Vectors, k: int) -> list[list[Neighbour]]:
        """For each of `(n, dim)` vectors, its `k` nearest keys (or all, if there are fewer), best first; equal scores
        by key."""

    def within(self, vectors: Vectors, threshold: float) -> list[list[Neighbour]]:
        """For each of `(n, dim)` vectors, the keys with a cosine similarity of at least `threshold`, best first."""

    def save(self, folder: Path) -> None:
        """Write the index to a folder of its own, completely or not at all. Raises `OSError` if that fails. Other
        calls wait while a library writes its graph: 40 ms for 25,000 vectors."""


class IndexUnusableError(Exception):
    """A saved index is missing, damaged, or of another model or format. It has to be built again; says why."""


def ranked(neighbours: list[Neighbour]) -> list[Neighbour]:
    """Best first, equal scores by key."""
    return sorted(neighbours, key=lambda neighbour: (-neighbour.score, neighbour.key))


def checked(keys: Sequence[str], vectors: Vectors, dim: int) -> dict[str, int]:
    """The row that counts for each key, after shape and values are checked; raises `ValueError` if they are wrong."""
    import numpy as np

    if vectors.shape != (len(keys), dim):
        raise ValueError(f"{len(keys)} keys need vectors of shape {(len(keys), dim)}, not {vectors.shape}")
    if not np.isfinite(vectors).all():
        raise ValueError("vectors must be finite")
    return {key: row for row, key in enumerate(keys)}
