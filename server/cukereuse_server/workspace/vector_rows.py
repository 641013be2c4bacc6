"""The vectors of a suite's templates, by key."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.embedding_models.embedder import Vectors

_SMALLEST_CAPACITY = 256


class VectorRows:
    """Vectors by key, in one growing array; a removed row is filled with the last one."""

    def __init__(self) -> None:
        self._rows: dict[str, int] = {}
        self._keys: list[str] = []
        self._array: NDArray[np.float32] = np.empty((0, 0), np.float32)

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def width(self) -> int:
        return int(self._array.shape[1])

    def get(self, key: str) -> NDArray[np.float32] | None:
        row = self._rows.get(key)
        return None if row is None else self._array[row]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def within(self, vector: Vectors, threshold: float) -> list[str]:
        """The keys with a cosine similarity of at least `threshold` to a vector `(dim,)`."""
        return [self._keys[row] for row in np.flatnonzero(self._cosines(vector) >= threshold).tolist()]

    def nearest(self, vector: Vectors, k: int) -> list[str]:
        """The `k` keys nearest to a vector `(dim,)`, best first."""
        return [self._keys[row] for row in np.argsort(-self._cosines(vector), kind="stable")[:k].tolist()]

    def _cosines(self, vector: Vectors) -> NDArray[np.float32]:
        return self._array[: len(self._keys)] @ vector if self._keys else np.empty(0, np.float32)

    def many(self, keys: Sequence[str]) -> NDArray[np.float32]:
        """`(len(keys), dim)`; all of them must be here."""
        return self._array[[self._rows[key] for key in keys]]

    def add(self, keys: Sequence[str], vectors: Vectors) -> None:
        needed = len(self._keys) + len(keys)
        if needed > len(self._array):
            grown = np.empty((max(needed, 2 * len(self._array), _SMALLEST_CAPACITY), vectors.shape[1]), np.float32)
            if len(self._keys):
                grown[: len(self._keys)] = self._array[: len(self._keys)]
            self._array = grown
        for key in keys:
            if key not in self._rows:
                self._rows[key] = len(self._keys)
                self._keys.append(key)
        self._array[[self._rows[key] for key in keys]] = vectors

    def remove(self, key: str) -> None:
        row = self._rows.pop(key, None)
        if row is None:
            return
        last = self._keys.pop()
        if row < len(self._keys):
            self._keys[row] = last
            self._rows[last] = row
            self._array[row] = self._array[len(self._keys)]

    def cosine(self, key: str, others: Sequence[str]) -> list[float | None]:
        """The cosine similarity with each of `others`; None if either has no vector."""
        row = self._rows.get(key)
        rows = [self._rows.get(other) for other in others]
        present = [other for other in rows if other is not None]
        if row is None or not present:
            return [None] * len(others)
        scores = iter((self._array[present] @ self._array[row]).tolist())
        return [None if other is None else next(scores) for other in rows]
