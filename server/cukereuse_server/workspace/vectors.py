"""Vectors of the suites' templates: from the cache or the model, in a thread, once there is a model.

Without a model everything else works, and one event says why the rest waits.
"""

import hashlib
import logging
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from cukereuse_engine.errors import Cancelled, CukereuseError
from cukereuse_engine.index.base import VectorIndex
from cukereuse_engine.processes import usable_cores
from cukereuse_engine.progress import SILENT
from cukereuse_engine.similarity.embedder import Embedder, Vectors
from cukereuse_engine.storage import cache_dir
from cukereuse_server.protocol.state import Logged, ModelMissing
from cukereuse_server.protocol.status import ModelState
from cukereuse_server.workspace.activities import MODEL, VECTORS, Activity, ActivityProgress
from cukereuse_server.workspace.suite import SuiteState

if TYPE_CHECKING:
    from cukereuse_engine.index.vector_cache import VectorCache
    from cukereuse_server.workspace.workspace import Workspace

logger = logging.getLogger(__name__)

_TEXTS_AT_ONCE = 64
_THREADS = 2
_PAUSE = 3.0
"""Seconds without a keystroke after which the model may have a second core."""


class VectorWork:
    def __init__(self, workspace: "Workspace") -> None:
        self._workspace = workspace
        self._embedder: Embedder | None = None
        self._cache: VectorCache | None = None
        self._missing_told = False
        self._without: ModelState = "loading"
        """What is known while there is no model."""
        self._asked: WeakKeyDictionary[SuiteState, set[str]] = WeakKeyDictionary()
        """Templates that were given to the thread, of suites whose templates have all been given once."""
        self._embedding: WeakKeyDictionary[SuiteState, Activity] = WeakKeyDictionary()
        """Suites whose first vectors are on their way."""
        self._downloading: Activity | None = None

    @property
    def embedder(self) -> Embedder | None:
        """None until there is a model."""
        return self._embedder

    @property
    def state(self) -> ModelState:
        return "ready" if self._embedder is not None else self._without

    def settled(self, suite: SuiteState) -> bool:
        """Whether a suite's vectors are there, or none are to come."""
        if self._embedder is None:
            return self._without != "loading"
        return suite in self._asked and suite not in self._embedding

    def start(self, suite: SuiteState) -> None:
        """Embed all templates of a suite."""
        if suite in self._asked:
            return
        name = suite.settings.model
        work = partial(self._open, name, suite.settings.offline)
        take = partial(self._opened, suite)
        self._workspace.host.thread("embedding", work, take, self._not_opened)

    def allow_download(self) -> None:
        """The user agreed. Where the settings forbid the network, that is told again."""
        suites = list(self._workspace.suites.values())
        if suites and self._embedder is None and self._without != "downloading":
            settings = suites[0].settings
            activity = self._downloading = self._workspace.activities.begin(MODEL, "downloading")
            progress = ActivityProgress(self._workspace.host, activity, "downloading")
            work = partial(self._open, settings.model, settings.offline, progress)
            self._missing_told = False
            self._without = "off" if settings.offline else "downloading"
            self._workspace.host.thread("embedding", work, partial(self._all_opened, suites), self._not_opened)

    def embed_new(self, suite: SuiteState, keys: Iterable[str]) -> None:
        """Embed templates that came since; they are compared by meaning as soon as their vectors are there."""
        asked = self._asked.get(suite)
        if self._embedder is None or asked is None:
            return
        new = [key for key in suite.neighbours.without_vector(keys) if key not in asked]
        if new:
            asked.update(new)
            work = partial(self._embed, [suite.texts.masked(key) for key in new])
            self._workspace.host.thread("embedding", work, lambda vectors: self._take_new(suite, new, vectors))

    def save(self) -> None:
        """Keep the indexes for the next start."""
        for suite in self._workspace.suites.values():
            index = suite.neighbours.index
            if index is not None and len(index):
                try:
                    index.save(_index_folder(suite.root))
                except OSError as error:
                    logger.warning("the index of %s can't be saved: %s", suite.root, error)

    # -- in the thread

    def _open(self, name: str, offline: bool, download: ActivityProgress | None = None) -> CukereuseError | None:
        """Where nobody `download`s it, the model is not fetched."""
        if self._embedder is not None:
            return None
        from cukereuse_engine.index.vector_cache import VectorCache
        from cukereuse_engine.similarity.models import open_embedder

        allowed = download is not None and not offline
        try:
            embedder = open_embedder(name, allow_download=allowed, threads=1, progress=download or SILENT)
        except CukereuseError as error:
            return error
        self._cache = VectorCache(embedder.model_hash, embedder.dim)
        self._embedder = embedder
        return None

    def _embed(self, masked: Sequence[str]) -> Vectors:
        from cukereuse_engine.index.vector_cache import embed_cached

        assert self._embedder is not None
        return embed_cached(masked, self._embedder, self._cache)

    def _threads(self) -> int:
        """One while somebody types, or waits for what wording tells."""
        busy = not self._workspace.complete or monotonic() - self._workspace.typed < _PAUSE
        return 1 if busy else min(_THREADS, usable_cores())

    def _embed_all(
        self, root: str, keys: Sequence[str], masked: Sequence[str], activity: Activity
    ) -> tuple[list[str], Vectors, VectorIndex]:
        """Templates that were embedded before somebody cancelled, their vectors, and the index that was saved, made to
        hold exactly them."""
        from cukereuse_engine.index.hnsw import open_index

        assert self._embedder is not None
        embedder, host = self._embedder, self._workspace.host
        opened = open_index(embedder.model_id, embedder.model_hash, embedder.dim, _index_folder(root))
        if opened.note:
            host.emit(Logged(level="INFO", message=opened.note))
        index = opened.index
        index.remove(list(set(index.keys()) - set(keys)))
        vectors = np.empty((len(keys), embedder.dim), np.float32)
        embedded: list[int] = []
        order = sorted(range(len(keys)), key=lambda row: len(masked[row]))
        with ThreadPoolExecutor(_THREADS, "cukereuse-model") as pool:
            while len(embedded) < len(order) and not host.stopping() and not activity.cancelled:
                host.give_way("comparing" if usable_cores() <= _THREADS else "")  # wording first
                start = len(embedded)
                ends = [start + _TEXTS_AT_ONCE * (part + 1) for part in range(self._threads())]
                parts = [order[end - _TEXTS_AT_ONCE : end] for end in ends]
                texts = [[masked[row] for row in rows] for rows in parts]
                for rows, computed in zip(parts, pool.map(self._embed, texts), strict=True):
                    vectors[rows] = computed
                    fresh = [row for row in rows if keys[row] not in index]
                    index.add([keys[row] for row in fresh], vectors[fresh])
                    embedded += rows
                activity.report("embedding", start, len(order))
        index.remove([keys[row] for row in order[len(embedded) :]])
        if len(embedded) == len(keys):
            return list(keys), vectors, index
        return [keys[row] for row in embedded], vectors[embedded], index

    # -- in turn with questions

    def _all_opened(self, suites: Sequence[SuiteState], error: CukereuseError | None) -> None:
        self._end_download()
        for suite in suites:
            self._opened(suite, error)

    def _not_opened(self, error: BaseException) -> None:
        """The user cancelled the download, or something failed that nobody thought of."""
        self._end_download()
        self._without = "missing"
        if not isinstance(error, Cancelled):
            self._workspace.host.emit(ModelMissing(message=f"The model can't be used: {error}.", may_download=True))

    def _opened(self, suite: SuiteState, error: CukereuseError | None) -> None:
        if error is not None:
            self._without = "off" if suite.settings.offline else "missing"
            if not self._missing_told:
                self._missing_told = True
                may = not suite.settings.offline
                self._workspace.host.emit(ModelMissing(message=error.message, may_download=may))
            return
        if self._workspace.suites.get(suite.root) is not suite or suite in self._asked:
            return
        keys = list(suite.texts.members)
        self._asked[suite] = set(keys)
        masked = [suite.texts.masked(key) for key in keys]
        activity = self._embedding[suite] = self._workspace.activities.begin(VECTORS, "embedding")
        work = partial(self._embed_all, suite.root, keys, masked, activity)
        take = lambda made: self._take_all(suite, activity, *made)  # noqa: E731
        self._workspace.host.thread("embedding", work, take, lambda _: self._forget_activity(suite))

    def forget_activities(self) -> None:
        """Nobody waits for what is going on."""
        for suite in list(self._embedding):
            self._forget_activity(suite)

    def _forget_activity(self, suite: SuiteState) -> None:
        activity = self._embedding.pop(suite, None)
        if activity is not None:
            activity.end()

    def _end_download(self) -> None:
        if self._downloading is not None:
            self._downloading.end()
            self._downloading = None

    def _take_all(
        self, suite: SuiteState, activity: Activity, keys: list[str], vectors: Vectors, index: VectorIndex
    ) -> None:
        if self._workspace.suites.get(suite.root) is not suite:
            self._forget_activity(suite)
            return
        self._embedding.pop(suite, None)
        suite.neighbours.index = None
        suite.neighbours.add_vectors(keys, vectors)
        index.remove([key for key in keys if key not in suite.texts.members])
        suite.neighbours.index = index
        if not activity.cancelled:
            self._asked[suite].difference_update(keys)
            self.embed_new(suite, suite.texts.members)
        if suite.judge is not None:
            activity.report("comparing by meaning", 0, 0)
            self._workspace.judging.compare_all(suite, suite.judge, activity)
        else:
            activity.end()

    def _take_new(self, suite: SuiteState, keys: list[str], vectors: Vectors) -> None:
        self._asked[suite].difference_update(keys)
        if self._workspace.suites.get(suite.root) is not suite:
            return
        suite.use_vectors(keys, vectors)
        self._workspace.settle()


def _index_folder(root: str) -> Path:
    return cache_dir() / "server" / hashlib.blake2b(root.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
