"""Approximate search by hnswlib (Malkov and Yashunin 2016): the language server's index.

hnswlib neither guards additions against searches, nor reuses labels safely, nor notices damaged files. So here one
lock covers every call, labels only grow, the map from label to key is our own, room is made before it is needed, and a
file is loaded only under a manifest with its checksum. Never loads hnswlib on import.
"""

import importlib.util
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.index import saved
from cukereuse_engine.index.base import IndexUnusableError, Neighbour, VectorIndex, checked, ranked
from cukereuse_engine.index.exact import ExactIndex
from cukereuse_engine.similarity.embedder import Vectors

FORMAT = "hnsw-1"
M = 16
EF_CONSTRUCTION = 100
EF_SEARCH = 50
"""With these, recall against exact search is .9999 where k suffices (82,000 step texts)."""
REBUILD_SHARE = 0.25
"""Removed vectors stay in the graph as tombstones; past this share recall falls, so the graph is built anew."""
_SMALLEST_REBUILD = 64
"""Tombstones below which that is not worth it."""
_SMALLEST_CAPACITY = 1024
_FIRST_K, _GROWTH = 32, 4


def available() -> bool:
    """Whether hnswlib, which is compiled when it is installed, is there."""
    return importlib.util.find_spec("hnswlib") is not None


class HnswIndex:
    """A `VectorIndex`. One thread builds the graph, so that the same additions give the same graph."""

    def __init__(self, model_id: str, model_hash: str, dim: int) -> None:
        self.model_id, self.model_hash, self.dim = model_id, model_hash, dim
        self._lock = threading.RLock()
        self._labels: dict[str, int] = {}
        self._keys: dict[int, str] = {}
        self._next = 0
        """The next label: one past the largest ever given in this graph."""
        self._graph = _new_graph(dim, _SMALLEST_CAPACITY)

    def __len__(self) -> int:
        return len(self._labels)

    def __contains__(self, key: object) -> bool:
        return key in self._labels

    def keys(self) -> list[str]:
        with self._lock:
            return list(self._labels)

    @property
    def tombstones(self) -> int:
        """Removed vectors that are still in the graph."""
        with self._lock:
            return int(self._graph.get_current_count()) - len(self._labels)

    def add(self, keys: Sequence[str], vectors: Vectors) -> None:
        counting = checked(keys, vectors, self.dim)
        with self._lock:
            self.remove(list(counting))
            self._insert(list(counting), np.ascontiguousarray(vectors[list(counting.values())], np.float32))

    def remove(self, keys: Sequence[str]) -> None:
        with self._lock:
            for key in keys:
                label = self._labels.pop(key, None)
                if label is not None:
                    del self._keys[label]
                    self._graph.mark_deleted(label)
            if self.tombstones > max(_SMALLEST_REBUILD, REBUILD_SHARE * self._graph.get_current_count()):
                self.rebuild()

    def rebuild(self) -> None:
        """Build the graph anew from the live vectors."""
        with self._lock:
            keys, vectors = list(self._labels), self._live_vectors()
            self._graph = _new_graph(self.dim, max(_SMALLEST_CAPACITY, 2 * len(keys)))
            self._labels, self._keys, self._next = {}, {}, 0
            self._insert(keys, vectors)

    def search(self, vectors: Vectors, k: int) -> list[list[Neighbour]]:
        with self._lock:
            k = min(k, len(self._labels))
            if k <= 0:
                return [[] for _ in vectors]
            labels, scores = self._nearest(vectors, k)
            return [self._named(*row) for row in zip(labels, scores, strict=True)]

    def within(self, vectors: Vectors, threshold: float) -> list[list[Neighbour]]:
        """Asks for more neighbours until the last one lies below the threshold."""
        found: list[list[Neighbour]] = [[] for _ in vectors]
        with self._lock:
            open_rows, k = np.arange(len(vectors)), min(_FIRST_K, len(self._labels))
            while k > 0 and len(open_rows):
                labels, scores = self._nearest(vectors[open_rows], k)
                near = scores >= threshold
                for i, row in enumerate(open_rows.tolist()):
                    found[row] = self._named(labels[i][near[i]], scores[i][near[i]])
                open_rows = open_rows[near[:, -1]] if k < len(self._labels) else open_rows[:0]
                k = min(k * _GROWTH, len(self._labels))
        return found

    def save(self, folder: Path) -> None:
        def write(path: Path) -> int:
            self._graph.save_index(str(path))
            return int(self._graph.index_file_size())

        with self._lock:
            manifest = saved.Manifest(
                format=FORMAT,
                model_id=self.model_id,
                model_hash=self.model_hash,
                dim=self.dim,
                settings={"M": M, "ef_construction": EF_CONSTRUCTION},
                data="",
                data_digest="",
                count=int(self._graph.get_current_count()),
                labels=list(self._labels.values()),
                keys=list(self._labels),
            )
            saved.write(folder, manifest, write)

    @classmethod
    def load(cls, folder: Path, model_id: str, model_hash: str, dim: int) -> "HnswIndex":
        """Raises `IndexUnusableError`."""
        manifest, data = saved.read(folder, format=FORMAT, model_id=model_id, model_hash=model_hash, dim=dim)
        if manifest.settings != {"M": M, "ef_construction": EF_CONSTRUCTION}:
            raise IndexUnusableError(f"{folder} holds a graph with other settings")
        index = cls(model_id, model_hash, dim)
        index._graph = _bare_graph(dim)  # loading into one that has room already prints a warning
        try:
            index._graph.load_index(str(data), max_elements=max(_SMALLEST_CAPACITY, 2 * manifest.count))
        except (RuntimeError, OSError) as error:
            raise IndexUnusableError(f"{data} can't be loaded: {error}") from error
        if index._graph.get_current_count() != manifest.count:
            raise IndexUnusableError(f"{data} does not hold {manifest.count} vectors")
        index._labels = dict(zip(manifest.keys, manifest.labels, strict=True))
        index._keys = {label: key for key, label in index._labels.items()}
        index._next = manifest.count  # labels are given in order from 0, so the count is one past the last
        return index

    def _insert(self, keys: list[str], vectors: Vectors) -> None:
        needed = int(self._graph.get_current_count()) + len(keys)
        if needed > self._graph.get_max_elements():  # an overflow would leave half of them inserted
            self._graph.resize_index(max(needed, 2 * self._graph.get_max_elements()))
        labels = range(self._next, self._next + len(keys))
        if keys:
            self._graph.add_items(vectors, np.arange(labels.start, labels.stop), num_threads=1)
        self._next = labels.stop
        self._labels.update(zip(keys, labels, strict=True))
        self._keys.update(zip(labels, keys, strict=True))

    def _live_vectors(self) -> Vectors:
        labels = list(self._labels.values())
        if not labels:
            return np.empty((0, self.dim), np.float32)
        return np.asarray(self._graph.get_items(labels), np.float32)

    def _nearest(self, vectors: Vectors, k: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """`(n, k)` labels and cosine similarities, best first; `k` is at most the number of live vectors."""
        vectors = np.ascontiguousarray(vectors, np.float32)
        self._graph.set_ef(max(EF_SEARCH, k + k // 2))
        try:
            labels, distances = self._graph.knn_query(vectors, k=k)
        except RuntimeError:  # tombstones cut so much off that the graph gives fewer than k
            return self._nearest_exactly(vectors, k)
        return labels.astype(np.int64), (1 - distances).astype(np.float32)

    def _nearest_exactly(self, vectors: Vectors, k: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        labels, live = np.array(list(self._labels.values()), np.int64), self._live_vectors()
        found = np.empty((len(vectors), k), np.int64)
        scores = np.empty((len(vectors), k), np.float32)
        for row, vector in enumerate(vectors):
            similarities = live @ vector
            best = np.argsort(-similarities, kind="stable")[:k]
            found[row], scores[row] = labels[best], similarities[best]
        return found, scores

    def _named(self, labels: NDArray[np.int64], scores: NDArray[np.float32]) -> list[Neighbour]:
        return ranked(
            [Neighbour(self._keys[label], score) for label, score in zip(labels.tolist(), scores.tolist(), strict=True)]
        )


@dataclass(frozen=True, slots=True)
class OpenedIndex:
    index: VectorIndex
    note: str
    """What a log should say, such as why the index starts empty; empty when it was loaded."""


def open_index(model_id: str, model_hash: str, dim: int, folder: Path | None = None) -> OpenedIndex:
    """The index that was saved to `folder`, or an empty one that the caller fills. Exact where hnswlib is missing."""
    kind: type[HnswIndex] | type[ExactIndex] = HnswIndex if available() else ExactIndex
    notes = [] if available() else ["hnswlib is not installed: similar steps are searched one by one"]
    if folder is not None:
        try:
            return OpenedIndex(kind.load(folder, model_id, model_hash, dim), "; ".join(notes))
        except IndexUnusableError as reason:
            notes.append(f"the index is built anew: {reason}")
    return OpenedIndex(kind(model_id, model_hash, dim), "; ".join(notes))


def _bare_graph(dim: int) -> Any:
    import hnswlib

    return hnswlib.Index(space="ip", dim=dim)  # rows are L2-normalised, so the inner product is the cosine


def _new_graph(dim: int, capacity: int) -> Any:
    graph = _bare_graph(dim)
    graph.init_index(max_elements=capacity, M=M, ef_construction=EF_CONSTRUCTION, random_seed=100)
    return graph
