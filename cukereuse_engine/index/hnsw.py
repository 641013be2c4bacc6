"""Approximate search in an HNSW graph: the language server's index.

The libraries do not guard additions against searches, reuse labels safely, or notice damaged files. So one lock covers
every call here, labels only grow, the map from label to key is our own, and a file is loaded only with a manifest and
its checksum.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.embedding_models.embedder import Vectors
from cukereuse_engine.index import saved
from cukereuse_engine.index.base import IndexUnusableError, Neighbour, VectorIndex, checked, ranked
from cukereuse_engine.index.exact import ExactIndex
from cukereuse_engine.index.graphs import (
    EF_CONSTRUCTION,
    Graph,
    HnswlibGraph,
    M,
    TooFewReachedError,
    UsearchGraph,
    graph_kind,
)

WORN_SHARE = 0.25
"""Removed vectors stay in the graph as tombstones; past this share recall falls."""
_FEW_REMOVED = 64
"""Tombstones up to which the graph is not worth being built again."""
_FIRST_K, _GROWTH = 32, 4
_SETTINGS = {"M": M, "ef_construction": EF_CONSTRUCTION}


class HnswIndex:
    """A `VectorIndex` over the graph of either library."""

    graph: type[HnswlibGraph] | type[UsearchGraph] = HnswlibGraph

    def __init__(self, model_id: str, model_hash: str, dim: int) -> None:
        self.model_id, self.model_hash, self.dim = model_id, model_hash, dim
        self.unsaved = 0
        self._lock = threading.RLock()
        self._labels: dict[str, int] = {}
        self._keys: dict[int, str] = {}
        self._next = 0
        """The next label: one past the largest ever given in this graph."""
        self._graph: Graph = self.graph(dim)

    def __len__(self) -> int:
        return len(self._labels)

    def __contains__(self, key: object) -> bool:
        return key in self._labels

    def keys(self) -> list[str]:
        with self._lock:
            return list(self._labels)

    @property
    def tombstones(self) -> int:
        """The number of removed vectors that are still in the graph."""
        with self._lock:
            return self._graph.count - len(self._labels)

    def add(self, keys: Sequence[str], vectors: Vectors) -> None:
        counting = checked(keys, vectors, self.dim)
        with self._lock:
            self.remove(list(counting))
            self.unsaved += len(counting)
            self._insert(list(counting), np.ascontiguousarray(vectors[list(counting.values())], np.float32))

    def remove(self, keys: Sequence[str]) -> None:
        with self._lock:
            for key in keys:
                label = self._labels.pop(key, None)
                if label is not None:
                    self.unsaved += 1
                    del self._keys[label]
                    self._graph.remove(label)

    @property
    def is_worn(self) -> bool:
        with self._lock:
            return self.tombstones > max(_FEW_REMOVED, WORN_SHARE * self._graph.count)

    def search(self, vectors: Vectors, k: int) -> list[list[Neighbour]]:
        with self._lock:
            k = min(k, len(self._labels))
            if k <= 0:
                return [[] for _ in vectors]
            labels, scores = self._nearest(vectors, k)
            return [self._named(*row) for row in zip(labels, scores, strict=True)]

    def within(self, vectors: Vectors, threshold: float) -> list[list[Neighbour]]:
        """Requests more neighbours until the last one is below the threshold."""
        neighbours: list[list[Neighbour]] = [[] for _ in vectors]
        with self._lock:
            open_rows, k = np.arange(len(vectors)), min(_FIRST_K, len(self._labels))
            while k > 0 and len(open_rows):
                labels, scores = self._nearest(vectors[open_rows], k)
                near = scores >= threshold
                for i, row in enumerate(open_rows.tolist()):
                    neighbours[row] = self._named(labels[i][near[i]], scores[i][near[i]])
                open_rows = open_rows[near[:, -1]] if k < len(self._labels) else open_rows[:0]
                k = min(k * _GROWTH, len(self._labels))
        return neighbours

    def save(self, folder: Path) -> None:
        saved.write(folder, self._write)

    def _write(self, path: Path) -> tuple[saved.Manifest, int]:
        with self._lock:
            self.unsaved = 0
            manifest = saved.Manifest(
                format=self.graph.format,
                model_id=self.model_id,
                model_hash=self.model_hash,
                dim=self.dim,
                settings=_SETTINGS,
                data="",
                data_digest="",
                count=self._graph.count,
                labels=list(self._labels.values()),
                keys=list(self._labels),
            )
            return manifest, self._graph.save(path)

    @classmethod
    def load(cls, folder: Path, model_id: str, model_hash: str, dim: int) -> "HnswIndex":
        """The saved index. Raises `IndexUnusableError`."""
        manifest, data = saved.read(folder, format=cls.graph.format, model_id=model_id, model_hash=model_hash, dim=dim)
        if manifest.settings != _SETTINGS:
            raise IndexUnusableError(f"{folder} contains a graph with other settings")
        index = cls(model_id, model_hash, dim)
        try:
            index._graph.load(data, manifest.count)
        except ValueError as error:
            raise IndexUnusableError(f"{data} can't be loaded: {error}") from error
        index._labels = dict(zip(manifest.keys, manifest.labels, strict=True))
        index._keys = {label: key for key, label in index._labels.items()}
        index._next = max(manifest.labels, default=-1) + 1
        return index

    def _insert(self, keys: list[str], vectors: Vectors) -> None:
        labels = range(self._next, self._next + len(keys))
        if keys:
            self._graph.add(vectors, np.arange(labels.start, labels.stop))
        self._next = labels.stop
        self._labels.update(zip(keys, labels, strict=True))
        self._keys.update(zip(labels, keys, strict=True))

    def _live_vectors(self) -> Vectors:
        labels = list(self._labels.values())
        if not labels:
            return np.empty((0, self.dim), np.float32)
        return self._graph.vectors(labels)

    def _nearest(self, vectors: Vectors, k: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """`(n, k)` labels and cosine similarities, best first; `k` is at most the number of live vectors."""
        vectors = np.ascontiguousarray(vectors, np.float32)
        try:
            return self._graph.nearest(vectors, k)
        except TooFewReachedError:
            return self._nearest_exactly(vectors, k)

    def _nearest_exactly(self, vectors: Vectors, k: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        labels, live = np.array(list(self._labels.values()), np.int64), self._live_vectors()
        nearest = np.empty((len(vectors), k), np.int64)
        scores = np.empty((len(vectors), k), np.float32)
        for row, vector in enumerate(vectors):
            similarities = live @ vector
            best = np.argsort(-similarities, kind="stable")[:k]
            nearest[row], scores[row] = labels[best], similarities[best]
        return nearest, scores

    def _named(self, labels: NDArray[np.int64], scores: NDArray[np.float32]) -> list[Neighbour]:
        return ranked(
            [Neighbour(self._keys[label], score) for label, score in zip(labels.tolist(), scores.tolist(), strict=True)]
        )


class UsearchIndex(HnswIndex):
    graph = UsearchGraph


@dataclass(frozen=True, slots=True)
class OpenedIndex:
    index: VectorIndex
    note: str
    """A note for the log, such as why the index starts empty; empty when it was loaded."""


def open_index(model_id: str, model_hash: str, dim: int, folder: Path | None = None) -> OpenedIndex:
    """The index that was saved to `folder`, or an empty one that the caller fills. Exact where no graph library is."""
    graph = graph_kind()
    kind: type[HnswIndex] | type[ExactIndex] = (
        ExactIndex if graph is None else UsearchIndex if graph is UsearchGraph else HnswIndex
    )
    notes = ["no index library is installed, so steps are compared one by one"] if graph is None else []
    if folder is not None and saved.exists(folder):
        try:
            return OpenedIndex(kind.load(folder, model_id, model_hash, dim), "; ".join(notes))
        except IndexUnusableError as reason:
            notes.append(f"the index is rebuilt: {reason}")
    return OpenedIndex(kind(model_id, model_hash, dim), "; ".join(notes))
