"""Vectors of one suite's templates: from the cache or the model, in a thread, once there is a model."""

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cukereuse_engine.embedding_models.embedder import COARSE_MARGIN, Embedder, HasCoarse, Vectors, coarse
from cukereuse_engine.errors import Cancelled, CukereuseError
from cukereuse_engine.index.base import VectorIndex
from cukereuse_engine.processes import usable_cores
from cukereuse_engine.progress import SILENT, Progress, Stage
from cukereuse_engine.storage import cache_dir
from cukereuse_server.protocol.state import Logged
from cukereuse_server.workspace.activities import Activity
from cukereuse_server.workspace.host import Host

if TYPE_CHECKING:
    from cukereuse_engine.index.vector_cache import VectorCache

logger = logging.getLogger(__name__)

_TEXTS_AT_ONCE = 512
"""Embedded by one thread: enough for batches of one length."""
_THREADS = 2
_LOOK_AGAIN = 0.1
"""Seconds after which there may be a core for one more."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """Templates with their vectors, row by row."""

    keys: tuple[str, ...]
    vectors: Vectors
    margin: float
    """Within which cosines of the vectors are right."""


class Embedding:
    """The model of this process. `open` and `embed_suite` run in one thread, one call after the other."""

    def __init__(self, host: Host, is_calm: Callable[[], bool]) -> None:
        """`is_calm`: true if the model may use a second core, because nobody types or waits for anything else."""
        self._host = host
        self._is_calm = is_calm
        self._caches: dict[Embedder, VectorCache] = {}
        self.name = ""
        """The setting that names the model; empty until there is one."""
        self.embedder: Embedder | None = None
        """The model; None until there is one."""
        self._prepared: dict[str, dict[str, Vectors]] = {}
        """Maps a suite's root to vectors `(dim,)` of its masked texts."""
        self.finder: Embedder | None = None
        """The model that embeds all templates: the same model, or its coarse one."""

    def open(self, name: str, *, download: Progress | None = None) -> CukereuseError | None:
        """Make the model ready, once; returns the error if that fails. Without `download`, it is not fetched. Raises
        `Cancelled` when `download` does."""
        if self.embedder is not None:
            return None
        from cukereuse_engine.embedding_models.opening import open_embedder
        from cukereuse_engine.index.vector_cache import VectorCache

        fetched = download is not None
        try:
            embedder = open_embedder(name, allow_download=fetched, threads=1, progress=download or SILENT)
        except CukereuseError as error:
            return error
        finder = coarse(embedder) or embedder
        self._caches = {model: VectorCache(model.model_hash, model.dim) for model in (embedder, finder)}
        self.name, self.embedder, self.finder = name, embedder, finder
        return None

    @property
    def margin(self) -> float:
        """The largest error of the cosines of `embed`."""
        return 0.0 if self.finder is self.embedder else COARSE_MARGIN

    def embed(self, masked: Sequence[str], *, exactly: bool = False, progress: Progress = SILENT) -> Vectors:
        """`(len(masked), dim)`, rows L2-normalised; thread-safe. Raises `Cancelled` when `progress` does."""
        from cukereuse_engine.index.vector_cache import embed_cached

        model = self.embedder if exactly else self.finder
        assert model is not None
        vectors = embed_cached(masked, model, self._caches[model], progress)
        if model is not self.finder and isinstance(model, HasCoarse):  # the next call may come in hours
            model.rest()
        return vectors

    def prepare(self, root: str, masked: Sequence[str]) -> None:
        """Embed texts that `embed_suite` will request."""
        with suppress(Cancelled):
            vectors = self.embed(masked, progress=_GivesWay(self._host))
            self._prepared.setdefault(root, {}).update(zip(masked, vectors, strict=True))

    def embed_suite(self, root: str, keys: Sequence[str], masked: Sequence[str], activity: Activity) -> Embedded:
        """Embed the templates `keys`, whose texts are `masked`: all, or as many as are done when somebody cancels."""
        assert self.finder is not None
        finder = self.finder
        vectors = np.empty((len(keys), finder.dim), np.float32)
        embedded: list[int] = []
        for rows, computed in self._parts(root, masked, activity):
            vectors[rows] = computed
            embedded += rows
            activity.report("embedding", len(embedded), len(keys))
        if isinstance(finder, HasCoarse):
            finder.rest(ready=True)
        if len(embedded) == len(keys):
            return Embedded(tuple(keys), vectors, self.margin)
        return Embedded(tuple(keys[row] for row in embedded), vectors[embedded], self.margin)

    def open_index(self, root: str, keys: Iterable[str], *, anew: bool) -> VectorIndex:
        """The index that was saved for a suite, of none but these templates; an empty one if it is worn, or `anew`."""
        from cukereuse_engine.index.hnsw import open_index

        assert self.finder is not None
        ids = (self.finder.model_id, self.finder.model_hash, self.finder.dim)
        opened = open_index(*ids, None if anew else _index_folder(root))
        if opened.note:
            self._host.emit(Logged(level="INFO", message=opened.note))
        opened.index.remove(list(set(opened.index.keys()) - set(keys)))
        return open_index(*ids).index if opened.index.is_worn else opened.index

    def forget(self, root: str) -> None:
        """The suite is gone: nobody will request what was prepared for it."""
        self._prepared.pop(root, None)

    def _parts(self, root: str, masked: Sequence[str], activity: Activity) -> Iterator[tuple[list[int], Vectors]]:
        """Yields positions of some texts with their vectors, until all are embedded or somebody cancels. The next ones
        are embedded while the caller uses these; the longest come first, so that all threads end together."""
        prepared = self._prepared.pop(root, {})
        if rows := [row for row, text in enumerate(masked) if text in prepared]:
            yield rows, np.stack([prepared[masked[row]] for row in rows])
        rest = [row for row, text in enumerate(masked) if text not in prepared]
        rest.sort(key=lambda row: -len(masked[row]))
        parts = [rest[start : start + _TEXTS_AT_ONCE] for start in range(0, len(rest), _TEXTS_AT_ONCE)][::-1]
        came: list[tuple[list[int], Vectors]] = []
        running: dict[Future[Vectors], list[int]] = {}
        begun: list[list[int]] = []
        progress = _GivesWay(self._host, lambda: activity.cancelled, lambda: min(_THREADS, len(begun)))
        with ThreadPoolExecutor(_THREADS, "cukereuse-model") as pool, suppress(Cancelled):
            while parts or running:
                threads = self._threads()
                while parts and len(running) < threads + (threads == _THREADS):  # one waits where all may compute
                    rows = parts.pop()
                    begun.append(rows)  # first, as the thread may ask at once how many there are
                    running[pool.submit(self.embed, [masked[row] for row in rows], progress=progress)] = rows
                yield from came
                came = []
                done = wait(running, _LOOK_AGAIN, FIRST_COMPLETED).done
                came = [(running.pop(future), future.result()) for future in done]
                begun = [*running.values()]
                progress.advance()
        yield from came

    def _threads(self) -> int:
        return min(_THREADS, usable_cores()) if self._is_calm() else 1


class _GivesWay:
    """A `Progress` that stops when the process ends or somebody cancels, and lets all other work go first if no core is
    left for it."""

    def __init__(
        self, host: Host, cancelled: Callable[[], bool] = lambda: False, threads: Callable[[], int] = lambda: 1
    ) -> None:
        """`threads` gives how many do this work."""
        self._host, self._cancelled, self._threads = host, cancelled, threads

    @contextmanager
    def stage(self, label: str, total: int | None = None, unit: str = "") -> Iterator[Stage]:
        del label, total, unit
        yield self

    def advance(self, n: int = 1) -> None:
        del n
        if self._host.stopping() or self._cancelled():
            raise Cancelled
        cores = usable_cores()
        if self._threads() >= cores:
            self._host.give_way("comparing" if cores < _THREADS else "")  # results by wording first


def save_index(root: str, index: VectorIndex) -> None:
    """Keep the index of a suite for the next start."""
    try:
        index.save(_index_folder(root))
    except OSError as error:
        index.unsaved = 0  # it is tried again after as many changes, not at once
        logger.warning("the index of %s can't be saved: %s", root, error)


def _index_folder(root: str) -> Path:
    return cache_dir() / "server" / hashlib.blake2b(root.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
