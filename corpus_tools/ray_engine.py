"""The stages on Ray: parsing by repository, embedding by partition, candidate search by pairs of partitions.

The results are those of the local engine, to the row: units write the same parts, only distinct texts are embedded, and
a pair of partitions is joined by the engine's exact joins. Linkage, which needs all edges at once, stays with the
driver. Ray's usage statistics are off.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corpus_tools.analyse.clusters import Find, find_members
from corpus_tools.workers import Runner, Task
from cukereuse_engine.detection.options import EmbedTexts, Joins
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.index.lexical_join import lexical_join
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.progress import Progress, Stage
from cukereuse_engine.similarity.embedder import Embedder

if TYPE_CHECKING:
    from cukereuse_engine.similarity.minilm_onnx import MiniLM

_TEXTS_PER_TASK = 2_048
_PARTITIONS_PER_WORKER = 4
"""More give better balance, and more pairs of partitions to start."""
_SMALLEST_PARTITION = 1_000


def connect(workers: int, address: str | None) -> Any:
    """Ray, connected to the cluster at `address` or to one of `workers` processors that is started here.

    Raises `CukereuseError` where it is not installed or the cluster can't be reached.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise CukereuseError("Ray is not installed.", "Install it with `pip install 'cukereuse[corpus]'`.") from None
    if not ray.is_initialized():
        try:
            if address is not None:
                ray.init(address=address, log_to_driver=False)
            else:
                ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
        except Exception as error:
            raise CukereuseError(f"Ray can't be started: {error}") from error
    return ray


def ray_runner(workers: int, address: str | None) -> Runner:
    """Units as Ray tasks. The corpus folder must be one that every machine sees."""
    ray = connect(workers, address)

    def run(work: Callable[[Task], None], tasks: Sequence[Task], stage: Stage) -> None:
        remote = ray.remote(work)
        for _ in _finished(ray, [partial(remote.remote, task) for task in tasks], workers):
            stage.advance()

    return run


def ray_vectors(embedder: Embedder | None, workers: int, address: str | None, progress: Progress) -> EmbedTexts | None:
    """Embeds distinct texts in partitions of like length, one model a worker: MiniLM on processors, another model
    where its library puts it."""
    if embedder is None:
        return None
    ray = connect(workers, address)
    shared = ray.put(embedder.model_id)

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        distinct = sorted(set(texts), key=lambda text: (len(text), text))
        row = {text: i for i, text in enumerate(distinct)}
        parts = [distinct[start : start + _TEXTS_PER_TASK] for start in range(0, len(distinct), _TEXTS_PER_TASK)]
        vectors = np.empty((len(distinct), embedder.dim), np.float32)
        remote = ray.remote(_embed)
        with progress.stage("embedding", len(distinct), "texts") as stage:
            for number, found in _finished(ray, [partial(remote.remote, shared, part) for part in parts], workers):
                start = number * _TEXTS_PER_TASK
                vectors[start : start + len(found)] = found
                stage.advance(len(found))
        return vectors[[row[text] for text in texts]]

    return embed


_models: "dict[str, MiniLM | Embedder]" = {}
"""One model a worker process, however many tasks it does."""


def _embed(model: str, texts: list[str]) -> NDArray[np.float32]:
    from cukereuse_engine.similarity.models import open_embedder

    if model not in _models:
        _models[model] = open_embedder(model, threads=1)
    return _models[model].embed(texts)


def ray_find(workers: int, address: str | None) -> Find:
    """`find_members` with the joins on Ray."""
    ray = connect(workers, address)
    return partial(find_members, joins=Joins(partial(_lexical, ray, workers), partial(_vector, ray, workers)))


def _lexical(ray: Any, workers: int, texts: Sequence[str], threshold: float, progress: Progress) -> ScoredPairs:
    """Partitions of like length: two whose lengths are too far apart for the threshold are not compared."""
    order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), texts[i]))
    parts = [[texts[i] for i in part] for part in _partitions(order, workers)]
    positions = [np.array(part, np.int32) for part in _partitions(order, workers)]
    shared = [ray.put(part) for part in parts]

    def near(i: int, j: int) -> bool:
        longest, shortest = len(parts[i][-1]), len(parts[j][0])
        return 2 * longest >= threshold * (longest + shortest) - 1e-9

    return _joined(ray, workers, _lexical_block, shared, positions, near, threshold, progress)


def _vector(ray: Any, workers: int, vectors: NDArray[np.float32], threshold: float, progress: Progress) -> ScoredPairs:
    positions = [np.array(part, np.int32) for part in _partitions(list(range(len(vectors))), workers)]
    shared = [ray.put(vectors[part]) for part in positions]
    return _joined(ray, workers, _vector_block, shared, positions, lambda _i, _j: True, threshold, progress)


def _joined(
    ray: Any,
    workers: int,
    block: Callable[..., tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]],
    shared: list[Any],
    positions: list[NDArray[np.int32]],
    near: Callable[[int, int], bool],
    threshold: float,
    progress: Progress,
) -> ScoredPairs:
    blocks = [(i, j) for i in range(len(shared)) for j in range(i, len(shared)) if near(i, j)]
    remote = ray.remote(block)
    starts = [partial(remote.remote, shared[i], shared[j], i == j, threshold) for i, j in blocks]
    a, b, score = [], [], []
    with progress.stage("comparing", len(blocks), "blocks") as stage:
        for number, (rows, columns, scores) in _finished(ray, starts, workers):
            i, j = blocks[number]
            a.append(positions[i][rows])
            b.append(positions[j][columns])
            score.append(scores)
            stage.advance()
    if not a:
        return ScoredPairs.empty()
    return ScoredPairs.of(np.concatenate(a), np.concatenate(b), np.concatenate(score))


def _lexical_block(
    one: list[str], other: list[str], same: bool, threshold: float
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    pairs = lexical_join(one if same else [*one, *other], threshold, threads=1)
    return _across(pairs, 0 if same else len(one))


def _vector_block(
    one: NDArray[np.float32], other: NDArray[np.float32], same: bool, threshold: float
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    from cukereuse_engine.index.vector_join import exact_join

    pairs = exact_join(np.ascontiguousarray(one if same else np.concatenate([one, other])), threshold)
    return _across(pairs, 0 if same else len(one))


def _across(pairs: ScoredPairs, border: int) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """The pairs from below the border to at or above it, as positions in each side; all where the border is 0."""
    kept = (pairs.a < border) & (pairs.b >= border) if border else np.ones(len(pairs), bool)
    return pairs.a[kept], pairs.b[kept] - border, pairs.score[kept]


def _partitions(order: list[int], workers: int) -> list[list[int]]:
    count = max(1, min(workers * _PARTITIONS_PER_WORKER, len(order) // _SMALLEST_PARTITION))
    bounds = [len(order) * part // count for part in range(count + 1)]
    return [order[low:high] for low, high in pairwise(bounds) if high > low]


def _finished(ray: Any, starts: Sequence[Callable[[], Any]], workers: int) -> Iterator[tuple[int, Any]]:
    """Number and result of each task as it ends; few are under way at once, so that memory stays bounded. A task whose
    worker died is started again by Ray."""
    running: dict[Any, int] = {}
    waiting = iter(enumerate(starts))
    done = False
    try:
        while running or not done:
            while not done and len(running) < 2 * workers:
                following = next(waiting, None)
                if following is None:
                    done = True
                else:
                    running[following[1]()] = following[0]
            if running:
                ready, _ = ray.wait(list(running), num_returns=1)
                yield running.pop(ready[0]), ray.get(ready[0])
    finally:
        for task in running:
            ray.cancel(task)
