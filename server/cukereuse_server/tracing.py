"""Records where the server's time goes: each piece of work of both loops, with its wall time and its CPU, in a file.

Off unless the environment variable `CUKEREUSE_SERVER_TRACE` names a file. Each line is a JSON object: `process` ("main"
or "worker"), `name`, `at` (seconds of the machine's monotonic clock), `wall` and `cpu` (milliseconds; of the thread
that did it). A `stall` is how much too late a timer of the main loop woke up, with the CPU that the whole process used
meanwhile: much wall time and little CPU mean a busy machine. Does not change what it measures.
"""

import gc
import json
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from time import monotonic, process_time, thread_time
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    import asyncio

VARIABLE = "CUKEREUSE_SERVER_TRACE"
_LEAST = 1.0
"""Milliseconds of CPU or wall time from which a piece of work is recorded."""
_HEARTBEAT = 0.01


class Trace:
    """The trace of one process."""

    def __init__(self, process: str) -> None:
        path = os.environ.get(VARIABLE)
        self._process = process
        self._file: TextIO | None = open(path, "a", buffering=1, encoding="utf-8") if path else None  # noqa: SIM115, PTH123

    @property
    def on(self) -> bool:
        return self._file is not None

    def piece(self, name: str) -> AbstractContextManager[None]:
        """Measures the work inside a `with` block, in this thread."""
        return self._measured(name) if self.on else nullcontext()

    @contextmanager
    def _measured(self, name: str) -> Iterator[None]:
        at, cpu = monotonic(), thread_time()
        try:
            yield
        finally:
            self.write(name, at, monotonic() - at, thread_time() - cpu)

    def write(self, name: str, at: float, wall: float, cpu: float) -> None:
        """Write a piece; all times in seconds."""
        if self._file is not None and 1000 * max(wall, cpu) >= _LEAST:
            line = {"process": self._process, "name": name, "at": at, "wall": 1000 * wall, "cpu": 1000 * cpu}
            self._file.write(json.dumps(line) + "\n")

    def watch_collector(self) -> None:
        """Record how long the garbage collector stops this process."""
        began = [0.0, 0.0]

        def collected(phase: str, info: dict[str, int]) -> None:
            if phase == "start":
                began[:] = monotonic(), thread_time()
            else:
                at, cpu = began
                self.write(f"gc generation {info['generation']}", at, monotonic() - at, thread_time() - cpu)

        if self.on:
            gc.callbacks.append(collected)


def watch_main_loop() -> None:
    """Measure every callback of this process's event loop, and how late a timer wakes up."""
    trace = Trace("main")
    if not trace.on:
        return
    import asyncio  # the worker has no use for it

    trace.watch_collector()
    plain = asyncio.Handle._run

    def measured(handle: asyncio.Handle) -> None:
        with trace.piece(_name_of(handle)):
            plain(handle)

    asyncio.Handle._run = measured  # type: ignore[assignment, method-assign]
    _beat(trace, asyncio.get_running_loop())


def _beat(trace: Trace, loop: "asyncio.AbstractEventLoop") -> None:
    due, cpu = monotonic() + _HEARTBEAT, process_time()

    def wake() -> None:
        trace.write("stall", due, monotonic() - due, process_time() - cpu)
        _beat(trace, loop)

    loop.call_later(_HEARTBEAT, wake)


def _name_of(handle: "asyncio.Handle") -> str:
    run: Any = handle._callback  # type: ignore[attr-defined]
    coroutine = getattr(getattr(run, "__self__", None), "get_coro", None)  # of a task
    return name_of(run if coroutine is None else coroutine())


def name_of(run: Any) -> str:
    """The name of a callable, without its address and arguments."""
    if isinstance(run, partial):
        run = run.func
    return str(getattr(run, "__qualname__", type(run).__name__))
