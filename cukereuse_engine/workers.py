"""A pool of processes. Loaded where work is shared out: it brings `multiprocessing`, which no other command needs.

Never decides what pays, nor what is done.
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
    """Ctrl-C goes to every process of a terminal; these leave it to the one that started them. Where a `with` block is
    left by an exception they end at once, and what they do is lost."""

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
