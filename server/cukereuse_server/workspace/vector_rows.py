"""The vectors of a suite's templates, by key: searched exactly, and looked up."""

from collections.abc import Sequence

from cukereuse_engine.embedding_models.embedder import Vectors
from cukereuse_engine.index.exact import ExactIndex


class VectorRows(ExactIndex):
    """An exact index, of the width of the first vectors that come."""

    def __init__(self) -> None:
        super().__init__("", "", 0)

    def add(self, keys: Sequence[str], vectors: Vectors) -> None:
        if not self.dim:
            super().__init__("", "", vectors.shape[1])
        super().add(keys, vectors)

    def get(self, key: str) -> Vectors | None:
        row = self._rows.get(key)
        return None if row is None else self._vectors[row]

    def many(self, keys: Sequence[str]) -> Vectors:
        """`(len(keys), dim)`; all of them must be here."""
        return self._vectors[[self._rows[key] for key in keys]]

    def cosine(self, key: str, others: Sequence[str]) -> list[float | None]:
        """The cosine similarity with each of `others`; None if either has no vector."""
        row = self._rows.get(key)
        rows = [self._rows.get(other) for other in others]
        present = [other for other in rows if other is not None]
        if row is None or not present:
            return [None] * len(others)
        scores = iter((self._vectors[present] @ self._vectors[row]).tolist())
        return [None if other is None else next(scores) for other in rows]
