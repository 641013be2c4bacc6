"""Distributes units of work over processes of this machine. A unit is done completely; stopping loses only unfinished
ones."""

from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from typing import Any, Protocol, TypeVar

from cukereuse_engine.processes import worker_processes
from cukereuse_engine.progress import Stage

Task = TypeVar("Task")

Aside = Callable[..., Callable[[], Any]]
"""From a function and its arguments to a function that gives the result: `partial`, which computes it then, or
`RayCluster.aside`, which has a worker compute it meanwhile."""


class UnitRunner(Protocol):
    """Runs `work(task)` for every task, in any order and place. `work` is a module's function that writes files."""

    def __call__(self, work: Callable[[Task], None], tasks: Sequence[Task], stage: Stage) -> None: ...


def local_runner(jobs: int) -> UnitRunner:
    """Runs on `jobs` processes; with 1, or for a single task, in this process."""

    def run(work: Callable[[Task], None], tasks: Sequence[Task], stage: Stage) -> None:
        if jobs < 2 or len(tasks) < 2:
            for task in tasks:
                work(task)
                stage.advance()
            return
        with worker_processes(min(jobs, len(tasks))) as pool:
            for future in as_completed([pool.submit(work, task) for task in tasks]):
                future.result()
                stage.advance()

    return run
