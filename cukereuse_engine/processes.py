"""Processes of this machine that share out work. They are spawned, and end with the process that started them.

Never decides what pays: that is the caller's.
"""

import ctypes
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from cukereuse_engine.workers import Workers

Task = TypeVar("Task")
Result = TypeVar("Result")


def usable_cores() -> int:
    """Those that this process may run on."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def give_back_memory() -> None:
    """Let the system have what this process has freed, where its C library keeps it otherwise (glibc); some
    milliseconds."""
    with suppress(AttributeError, OSError, TypeError):  # another C library; Windows
        ctypes.CDLL(None).malloc_trim(0)


def worker_processes(jobs: int) -> "Workers":
    """A pool of `jobs` processes. A script of one's own that comes here needs `if __name__ == "__main__"`."""
    from cukereuse_engine.workers import Workers

    return Workers(jobs)


def in_chunks(tasks: Iterable[Task], size_of: Callable[[Task], int], size: int) -> Iterator[list[Task]]:
    """The tasks in order, in lists that are `size` and more together; the last may be less."""
    chunk: list[Task] = []
    total = 0
    for task in tasks:
        chunk.append(task)
        total += size_of(task)
        if total >= size:
            yield chunk
            chunk, total = [], 0
    if chunk:
        yield chunk


def shared_out(work: Callable[[list[Task]], list[Result]], chunks: Sequence[list[Task]], jobs: int) -> list[Result]:
    """The results of all chunks, in order, by `jobs` processes; where one was killed, by this process alone."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        with worker_processes(jobs) as pool:
            return [result for results in pool.map(work, chunks) for result in results]
    except BrokenProcessPool:
        return [result for chunk in chunks for result in work(chunk)]
