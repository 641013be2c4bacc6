"""Processes of this machine that share out work. They are spawned, and end with the process that started them.

Never decides what pays: that is the caller's.
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


def usable_cores() -> int:
    """Those that this process may run on."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


class Workers(ProcessPoolExecutor):
    """Ctrl-C goes to every process of a terminal; these leave it to the one that started them. Where a `with` block is
    left by an exception they end at once, and what they do is lost."""

    def submit(self, fn: Callable[Task, Result], /, *args: Task.args, **kwargs: Task.kwargs) -> Future[Result]:
        with _no_interrupts():
            return super().submit(fn, *args, **kwargs)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        if kind is not None:
            end_workers()
        return super().__exit__(kind, error, trace)


def worker_processes(jobs: int) -> Workers:
    """A pool of `jobs` processes. A script of one's own that comes here needs `if __name__ == "__main__"`."""
    return Workers(jobs, mp_context=get_context("spawn"), initializer=_begin)


def end_workers() -> None:
    """Every process that this one shared out work to. A pool that was interrupted while it started would be waited for
    for ever at exit."""
    for process in active_children():
        process.kill()


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes that start meanwhile are not interrupted either: they inherit what is blocked."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """A worker whose parent was killed would wait for work for ever."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=lambda: (wait([parent.sentinel]), os._exit(1)), daemon=True).start()
