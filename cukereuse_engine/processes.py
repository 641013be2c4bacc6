"""Processes of this machine that share out work. They are spawned, and end with the process that started them.

Never decides what pays: that is the caller's.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from cukereuse_engine.workers import Workers

_PATIENCE = 0.2
"""Seconds between two looks at whether to stop."""
Task = TypeVar("Task")
Result = TypeVar("Result")


ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1")
"""Environment of processes that multiply small matrices, as judges do: threads of a linear algebra library that spin
between two of them take three times the CPU of all else."""


def usable_cores() -> int:
    """Those that this process may run on."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def give_back_memory() -> None:
    """Let the system have what this process has freed, where its C library keeps it otherwise (glibc); some
    milliseconds."""
    import ctypes

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


class _Schedule:
    """Which task is next: the largest first, but never two at once of a size of `large` and more."""

    def __init__(self, sizes: Sequence[int], large: int) -> None:
        order = sorted(range(len(sizes)), key=lambda number: sizes[number])
        split = sum(size < large for size in sizes)
        self._small, self._big = order[:split], order[split:]
        self._sizes, self._large = sizes, large
        self.running: set[int] = set()

    @property
    def is_over(self) -> bool:
        return not (self._small or self._big or self.running)

    def take(self) -> int | None:
        """The number of the next task, which runs from now on; None if none may run now."""
        is_alone = all(self._sizes[number] < self._large for number in self.running)
        tasks = self._big if self._big and is_alone else self._small
        if not tasks:
            return None
        self.running.add(tasks[-1])
        return tasks.pop()


class _ShortLived:
    """Processes that end after tasks of a size of `large` together; a task of that size has one of its own."""

    def __init__(self, started: ExitStack, large: int) -> None:
        self._started, self._large = started, large
        self._idle: list[tuple[Workers, int]] = []
        """With the size of what each has done."""
        self._busy: dict[int, tuple[Workers, int]] = {}
        """By the number of the task."""

    def start(self, number: int, size: int) -> "Workers":
        is_new = size >= self._large or not self._idle
        worker, done = (self._started.enter_context(worker_processes(1)), 0) if is_new else self._idle.pop()
        self._busy[number] = worker, done + size
        return worker

    def end(self, number: int) -> None:
        worker, done = self._busy.pop(number)
        if done >= self._large:
            worker.shutdown()
        else:
            self._idle.append((worker, done))


def side_by_side(
    work: Callable[[Task], Result], tasks: Sequence[Task], sizes: Sequence[int], *, large: int, jobs: int
) -> Iterator[tuple[int, Result] | None]:
    """Number and result of each task as it ends, by `jobs` processes, the largest first; None every so often, so that
    the caller may stop. Never two at once of a size of `large` and more: memory is that of one. A process ends after
    tasks of that size together, and each large one has its own: the holes that they leave in the heap go with it. Where
    a process was killed, this one does the rest."""
    from concurrent.futures import FIRST_COMPLETED, Future, wait
    from concurrent.futures.process import BrokenProcessPool

    schedule = _Schedule(sizes, large)
    running: dict[Future[Result], int] = {}
    done: set[int] = set()
    try:
        with ExitStack() as started:
            workers = _ShortLived(started, large)
            while not schedule.is_over:
                while len(running) < jobs and (number := schedule.take()) is not None:
                    running[workers.start(number, sizes[number]).submit(work, tasks[number])] = number
                ended, _ = wait(running, _PATIENCE, FIRST_COMPLETED)
                if not ended:
                    yield None
                for future in ended:
                    number = running.pop(future)
                    result = future.result()
                    workers.end(number)
                    schedule.running.remove(number)
                    done.add(number)
                    yield number, result
    except BrokenProcessPool:
        for number, task in enumerate(tasks):
            if number not in done:
                yield number, work(task)
