"""HNSW graphs (Malkov and Yashunin 2016) of two libraries behind one protocol: labels and vectors, no keys.

hnswlib builds faster and is compiled when it is installed; usearch comes as a wheel for every platform, so that the
base installation needs no compiler. Neither is loaded on import.
"""

import importlib.util
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.embedding_models.embedder import Vectors

M = 16
EF_CONSTRUCTION = 100
EF_SEARCH = 50
"""With these parameters, recall against exact search is .9999 if k suffices (82,000 step texts)."""


class TooFewReachedError(Exception):
    """Tombstones isolate so many vectors that the graph gives fewer neighbours than requested."""


class Graph(Protocol):
    """A graph of vectors. Not thread-safe. One thread builds it: the same additions give the same graph."""

    format: ClassVar[str]
    """Kind and version of the file that `save` writes."""

    @property
    def count(self) -> int:
        """The number of vectors in it, including removed ones."""

    def add(self, vectors: Vectors, labels: NDArray[np.int64]) -> None:
        """Add `(n, dim)` float32 vectors with new labels."""

    def remove(self, label: int) -> None: ...

    def vectors(self, labels: list[int]) -> Vectors:
        """`(n, dim)` float32 vectors of live labels."""

    def nearest(self, vectors: Vectors, k: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """`(n, k)` labels and cosine similarities, best first; `k` is at most the number of live vectors. Raises
        `TooFewReachedError`."""

    def save(self, path: Path) -> int:
        """Save the graph; returns the size in bytes that the file must have. Raises `OSError`, or writes less."""

    def load(self, path: Path, count: int) -> None:
        """Into a new graph; `count` is what it held when it was saved. Raises `ValueError` for another content."""


class HnswlibGraph:
    """hnswlib. Capacity is increased in advance: an overflow would insert half of an addition."""

    format: ClassVar[str] = "hnsw-1"
    _SMALLEST_CAPACITY = 1024

    def __init__(self, dim: int) -> None:
        self._dim = dim
        self._graph = self._bare()
        self._graph.init_index(
            max_elements=self._SMALLEST_CAPACITY, M=M, ef_construction=EF_CONSTRUCTION, random_seed=100
        )

    def _bare(self) -> Any:
        import hnswlib

        return hnswlib.Index(space="ip", dim=self._dim)  # rows are L2-normalised, so the inner product is the cosine

    @property
    def count(self) -> int:
        return int(self._graph.get_current_count())

    def add(self, vectors: Vectors, labels: NDArray[np.int64]) -> None:
        needed, room = self.count + len(labels), int(self._graph.get_max_elements())
        if needed > room:
            self._graph.resize_index(max(needed, 2 * room))
        self._graph.add_items(vectors, labels, num_threads=1)

    def remove(self, label: int) -> None:
        self._graph.mark_deleted(label)

    def vectors(self, labels: list[int]) -> Vectors:
        return np.asarray(self._graph.get_items(labels), np.float32)

    def nearest(self, vectors: Vectors, k: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        self._graph.set_ef(max(EF_SEARCH, k + k // 2))
        try:
            labels, distances = self._graph.knn_query(vectors, k=k)
        except RuntimeError as error:
            raise TooFewReachedError from error
        return labels.astype(np.int64), (1 - distances).astype(np.float32)

    def save(self, path: Path) -> int:
        self._graph.save_index(str(path))
        return int(self._graph.index_file_size())

    def load(self, path: Path, count: int) -> None:
        self._graph = self._bare()  # loading into a graph with capacity prints a warning
        try:
            self._graph.load_index(str(path), max_elements=max(self._SMALLEST_CAPACITY, 2 * count))
        except (RuntimeError, OSError) as error:
            raise ValueError(str(error)) from error
        if self.count != count:
            raise ValueError(f"{self.count} vectors and not {count}")


class UsearchGraph:
    """usearch. It reuses the places of removed vectors, and after loading no longer knows how many there are."""

    format: ClassVar[str] = "usearch-1"

    def __init__(self, dim: int) -> None:
        from usearch.index import Index

        self._graph: Any = Index(
            ndim=dim,
            metric="ip",
            dtype="f32",
            connectivity=M,
            expansion_add=EF_CONSTRUCTION,
            expansion_search=EF_SEARCH,
        )
        self._removed = 0

    @property
    def count(self) -> int:
        return len(self._graph) + self._removed

    def add(self, vectors: Vectors, labels: NDArray[np.int64]) -> None:
        self._graph.add(labels.astype(np.uint64), vectors, threads=1)
        self._removed = max(0, self._removed - len(labels))

    def remove(self, label: int) -> None:
        self._graph.remove(label)
        self._removed += 1

    def vectors(self, labels: list[int]) -> Vectors:
        return np.stack([np.asarray(self._graph.get(label), np.float32) for label in labels])

    def nearest(self, vectors: Vectors, k: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        self._graph.expansion_search = max(EF_SEARCH, k + k // 2)
        matches = self._graph.search(vectors, k, threads=1)
        keys = np.atleast_2d(matches.keys)
        reached = getattr(matches, "counts", None)
        if keys.shape[1] < k or (reached is not None and len(vectors) and int(np.min(reached)) < k):
            raise TooFewReachedError
        return keys.astype(np.int64), (1 - np.atleast_2d(matches.distances)).astype(np.float32)

    def save(self, path: Path) -> int:
        try:
            self._graph.save(str(path))
        except RuntimeError as error:
            raise OSError(str(error)) from error
        return int(self._graph.serialized_length)

    def load(self, path: Path, count: int) -> None:
        try:
            self._graph.load(str(path))
        except (RuntimeError, OSError, ValueError) as error:
            raise ValueError(str(error)) from error
        self._removed = count - len(self._graph)
        if self._removed < 0:
            raise ValueError(f"{len(self._graph)} vectors and not {count}")


def hnswlib_available() -> bool:
    """True if hnswlib, which is compiled when it is installed, is installed."""
    return importlib.util.find_spec("hnswlib") is not None


def usearch_available() -> bool:
    return importlib.util.find_spec("usearch") is not None


def graph_kind() -> type[HnswlibGraph] | type[UsearchGraph] | None:
    """The best library that is installed; None if there is none."""
    return HnswlibGraph if hnswlib_available() else UsearchGraph if usearch_available() else None


def describe() -> str:
    """The library that answers vector searches here, for people."""
    kind = graph_kind()
    if kind is None:
        return "exact search (neither hnswlib nor usearch is installed)"
    return "hnswlib" if kind is HnswlibGraph else "usearch (`pip install 'cukereuse[hnsw]'` adds hnswlib)"
