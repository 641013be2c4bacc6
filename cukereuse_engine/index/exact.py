"""Exact search by comparing with every vector: the oracle for `hnsw`, and its replacement if hnswlib is missing.

3.6 ms a query over 50,000 vectors of 384: good enough for small workspaces.
"""

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.embedding_models.embedder import Vectors
from cukereuse_engine.index import saved
from cukereuse_engine.index.base import IndexUnusableError, Neighbour, checked, ranked

FORMAT = "exact-1"
_QUERIES_PER_BLOCK = 64
_SMALLEST_CAPACITY = 64


class ExactIndex:
    """A `VectorIndex`. A removed row is filled with the last one, so rows stay dense."""

    def __init__(self, model_id: str, model_hash: str, dim: int) -> None:
        self.model_id, self.model_hash, self.dim = model_id, model_hash, dim
        self.unsaved = 0
        self._lock = threading.RLock()
        self._rows: dict[str, int] = {}
        self._keys: list[str] = []
        """Key of each row."""
        self._vectors = np.empty((_SMALLEST_CAPACITY, dim), np.float32)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def keys(self) -> list[str]:
        with self._lock:
            return list(self._rows)

    def add(self, keys: Sequence[str], vectors: Vectors) -> None:
        counting = checked(keys, vectors, self.dim)
        with self._lock:
            self.remove(list(counting))
            needed = len(self._keys) + len(counting)
            if needed > len(self._vectors):
                grown = np.empty((max(needed, 2 * len(self._vectors)), self.dim), np.float32)
                grown[: len(self._keys)] = self._vectors[: len(self._keys)]
                self._vectors = grown
            for key, row in counting.items():
                self._rows[key] = len(self._keys)
                self._vectors[len(self._keys)] = vectors[row]
                self._keys.append(key)
            self.unsaved += len(counting)

    def remove(self, keys: Sequence[str]) -> None:
        with self._lock:
            for key in keys:
                row = self._rows.pop(key, None)
                if row is None:
                    continue
                self.unsaved += 1
                last = self._keys.pop()
                if row < len(self._keys):
                    self._keys[row] = last
                    self._rows[last] = row
                    self._vectors[row] = self._vectors[len(self._keys)]

    @property
    def is_worn(self) -> bool:
        return False

    def search(self, vectors: Vectors, k: int) -> list[list[Neighbour]]:
        with self._lock:
            k = min(k, len(self._keys))
            if k <= 0:
                return [[] for _ in vectors]
            return [self._named(self._best(scores, k), scores)[:k] for scores in self._scores(vectors)]

    def within(self, vectors: Vectors, threshold: float) -> list[list[Neighbour]]:
        with self._lock:
            return [self._named(np.flatnonzero(scores >= threshold), scores) for scores in self._scores(vectors)]

    def save(self, folder: Path) -> None:
        saved.write(folder, self._write)

    def _write(self, path: Path) -> tuple[saved.Manifest, int]:
        with self._lock:
            self.unsaved, keys = 0, list(self._rows)
            vectors = self._vectors[[self._rows[key] for key in keys]]
        manifest = saved.Manifest(
            format=FORMAT,
            model_id=self.model_id,
            model_hash=self.model_hash,
            dim=self.dim,
            settings={},
            data="",
            data_digest="",
            count=len(keys),
            labels=list(range(len(keys))),
            keys=keys,
        )
        return manifest, path.write_bytes(vectors.astype("<f4").tobytes())

    @classmethod
    def load(cls, folder: Path, model_id: str, model_hash: str, dim: int) -> "ExactIndex":
        """The saved index. Raises `IndexUnusableError`."""
        manifest, data = saved.read(folder, format=FORMAT, model_id=model_id, model_hash=model_hash, dim=dim)
        try:
            vectors = np.frombuffer(data.read_bytes(), "<f4").reshape(manifest.count, dim).astype(np.float32)
            index = cls(model_id, model_hash, dim)
            index.add(manifest.keys, vectors)
            index.unsaved = 0
        except (OSError, ValueError) as error:
            raise IndexUnusableError(f"no index can be read from {folder}: {error}") from error
        return index

    def _scores(self, vectors: Vectors) -> list[NDArray[np.float32]]:
        live = self._vectors[: len(self._keys)]
        return [
            scores
            for start in range(0, len(vectors), _QUERIES_PER_BLOCK)
            for scores in vectors[start : start + _QUERIES_PER_BLOCK] @ live.T
        ]

    @staticmethod
    def _best(scores: NDArray[np.float32], k: int) -> NDArray[np.intp]:
        """Rows of the k best scores, and of all scores equal to the last of them."""
        return np.flatnonzero(scores >= np.partition(scores, len(scores) - k)[len(scores) - k])

    def _named(self, rows: NDArray[np.intp], scores: NDArray[np.float32]) -> list[Neighbour]:
        return ranked([Neighbour(self._keys[row], float(scores[row])) for row in rows.tolist()])
