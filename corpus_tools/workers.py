"""Units of work on processes of this machine; each is done whole, and stopping loses only the open ones."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import Protocol, TypeVar

from cukereuse_engine.progress import Stage

Task = TypeVar("Task")


class Runner(Protocol):
    """Runs `work(task)` for every task, in any order and place. `work` is a function of a module, and writes files."""

    def __call__(self, work: Callable[[Task], None], tasks: Sequence[Task], stage: Stage) -> None: ...


def local_runner(jobs: int) -> Runner:
    """On `jobs` processes; 1 or a single task stays in this one."""

    def run(work: Callable[[Task], None], tasks: Sequence[Task], stage: Stage) -> None:
        if jobs < 2 or len(tasks) < 2:
            for task in tasks:
                work(task)
                stage.advance()
            return
        pool = ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=get_context("spawn"), initializer=_end_with_parent)
        try:
            for future in as_completed([pool.submit(work, task) for task in tasks]):
                future.result()
                stage.advance()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    return run


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        Thread(target=lambda: (wait([parent.sentinel]), os._exit(1)), daemon=True).start()
