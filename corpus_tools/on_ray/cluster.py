"""Workers of a Ray cluster, and how they get work.

A task is a function of a module with small arguments, and references to large ones. Only a few run at once, so that
memory stays bounded; Ray starts a task again if its worker dies.
"""

import gc
import logging
import os
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from corpus_tools.support.workers import Task, UnitRunner
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.processes import give_back_memory
from cukereuse_engine.progress import Stage

_PARTS = 16
"""The least number of parts of a stage's work: more parts balance better, but cost more to start."""
_PARTS_PER_WORKER = 8
_SECONDS_TO_CONNECT = 10.0


class RayCluster:
    def __init__(self, ray: Any, workers: int) -> None:
        self.ray = ray
        self.workers = workers
        self._remote: dict[Callable[..., Any], Any] = {}

    @property
    def parts(self) -> int:
        """The number of parts of similar size into which work should be divided."""
        return max(_PARTS, _PARTS_PER_WORKER * self.workers)

    def put(self, value: Any) -> Any:
        """A reference to `value`, which is sent once to each machine that needs it."""
        return self.ray.put(value)

    def start(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """A reference to the result of `function`. References among `arguments` are replaced by their values, but not
        inside lists (see `held`)."""
        if function not in self._remote:
            self._remote[function] = self.ray.remote(function)
        return self._remote[function].remote(*arguments)

    def aside(self, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
        """Starts `function` beside all other work; gives a function that waits for the result."""
        return partial(self.ray.get, self.start(alone, function, *arguments))

    def results(
        self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], stage: Stage, *, fetch: bool = True
    ) -> Iterator[tuple[int, Any]]:
        """Yields the number and the result of each task as it ends; unless `fetch`, a reference to the result. Only the
        tasks that run are held."""
        running: dict[Any, int] = {}
        waiting = iter(enumerate(tasks))
        try:
            while True:
                while len(running) < 2 * self.workers and (following := next(waiting, None)) is not None:
                    running[self.start(function, *following[1])] = following[0]
                if not running:
                    return
                ready, _ = self.ray.wait(list(running), num_returns=1)
                yield running.pop(ready[0]), self.ray.get(ready[0]) if fetch else ready[0]
                stage.advance()
        finally:
            for task in running:
                self.ray.cancel(task)


def alone(function: Callable[..., Any], *arguments: Any) -> Any:
    """On a worker: `function`'s result. What it has freed is given back: no later task is like this one."""
    import pyarrow as pa

    try:
        return function(*arguments)
    finally:
        pa.default_memory_pool().release_unused()
        give_back_memory()


_held: dict[str, tuple[Any, Any]] = {}


def held(slot: str, references: list[Any]) -> Any:
    """On a worker: the value of the only reference in the list, fetched once for all tasks. Each slot holds one
    value."""
    import ray

    (reference,) = references
    if slot not in _held or _held[slot][0] != reference:
        _held.pop(slot, None)
        _held[slot] = reference, ray.get(reference)
        gc.freeze()  # this stays, as does what was imported: no search for cycles needs to look at it again
    return _held[slot][1]


def connect(workers: int, address: str | None) -> RayCluster:
    """The cluster at `address`, or a new one with `workers` processors on this machine.

    Raises `CukereuseError` if the cluster can't be reached.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    logging.getLogger("ray").setLevel(logging.ERROR)
    _check(address)
    if not ray.is_initialized():
        try:
            if address is not None:
                ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
            else:
                ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:
            raise CukereuseError(f"Ray can't be started: {error}") from error
    return RayCluster(ray, workers)


def _check(address: str | None) -> None:
    """Ray would try for many minutes to reach a missing cluster."""
    host, separator, port = (address or "").removeprefix("ray://").rpartition(":")
    if not separator or not port.isdigit():
        return  # "auto", or a cluster that is started here
    try:
        socket.create_connection((host.strip("[]"), int(port)), _SECONDS_TO_CONNECT).close()
    except OSError as error:
        raise CukereuseError(f"there is no Ray cluster at {address}: {error}") from None


def runner(cluster: RayCluster) -> UnitRunner:
    """Runs units as Ray tasks. Every machine must see the corpus folder."""

    def run(work: Callable[[Task], None], tasks: Sequence[Task], stage: Stage) -> None:
        for _ in cluster.results(work, [(task,) for task in tasks], stage):
            pass

    return run
