"""A pool of processes. It imports `multiprocessing`, which nothing else needs, so load it where work is shared out.

It decides neither what is done nor whether several processes pay off.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from types import TracebackType
from typing import ParamSpec, TypeVar

Task = ParamSpec("Task")
Result = TypeVar("Result")


class Workers(ProcessPoolExecutor):
    """Processes that ignore Ctrl-C, which a terminal sends to all: the process that started them handles it. If an
    exception leaves the `with` block, they are killed and their work is lost."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs, mp_context=get_context("spawn"), initializer=_begin)

    def submit(self, fn: Callable[Task, Result], /, *args: Task.args, **kwargs: Task.kwargs) -> Future[Result]:
        with _no_interrupts():
            return super().submit(fn, *args, **kwargs)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        if kind is not None:
            end_workers()
        return super().__exit__(kind, error, trace)


def end_workers() -> None:
    """Kill all processes that this one has started to share out work. The interpreter would wait for ever at exit for a
    pool that was interrupted while it started."""
    for process in active_children():
        process.kill()


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Block Ctrl-C, also for processes that start meanwhile: they inherit the mask."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """Ignore Ctrl-C, and end with the parent: the worker of a killed parent would wait for work for ever."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=lambda: (wait([parent.sentinel]), os._exit(1)), daemon=True).start()
