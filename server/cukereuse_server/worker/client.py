"""The main process's end of the pipe: starts the worker, asks it, and starts it again when it dies.

Runs on the main loop and never blocks it. If a worker dies, requests without an answer raise `WorkerLost`, its end is a
line in the log, and the next worker gets the state again. Nothing of the engine is imported here.
"""

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Callable, Coroutine
from time import monotonic
from typing import Any

import msgspec

from cukereuse_engine.processes import ONE_THREAD
from cukereuse_server.events import WorkerEnded
from cukereuse_server.protocol import base
from cukereuse_server.protocol.base import Answer, Call, Cancel, Event, Failure, Frame, Notice, Request, Tell
from cukereuse_server.protocol.state import Announced, Shutdown

logger = logging.getLogger(__name__)

_MOST_DEATHS, _DEATH_WINDOW = 5, 120.0
"""The number of deaths, within a number of seconds, after which the worker is not started again."""
_GIVEN_UP = (
    "cukereuse has stopped: its worker process ended {} times. See the log for the reason, then restart the server."
)
_ENVIRONMENT = {
    # glibc never returns the heap of a thread; and large arrays leave gaps: a third more memory
    **{"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "1000000", "MALLOC_TRIM_THRESHOLD_": "4000000"},
    **ONE_THREAD,
}
"""The worker's environment variables, unless the user has set them."""
_LAST_SECONDS = 5.0
"""The seconds that a worker has to save its index at the end."""


class WorkerLost(Exception):  # noqa: N818 - not an error of the caller's
    """The worker died before it answered, or does not run."""


class WorkerFailed(Exception):  # noqa: N818
    """The worker could not answer; the message is for a log."""


class WorkerClient:
    def __init__(self, on_event: Callable[[object], None], on_start: Callable[[], None]) -> None:
        """`on_event` gets every event of the worker, and `WorkerEnded`; `on_start` sends the state to a new worker.
        Both run on the main loop."""
        self._on_event = on_event
        self._on_start = on_start
        self._events = {kind.__name__: kind for kind in Event.__subclasses__()}
        self._process: asyncio.subprocess.Process | None = None
        self._waiting: dict[int, tuple[Any, asyncio.Future[Any]]] = {}
        self._next = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._deaths: list[float] = []
        self._closing = False
        self.given_up = False
        self.has_spoken = False
        """True if a worker has sent anything yet; starting takes most of a second."""

    @property
    def running(self) -> bool:
        return self._process is not None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    async def start(self) -> None:
        command = [sys.executable, "-P", "-m", "cukereuse_server.worker"]
        pipe = asyncio.subprocess.PIPE
        env = {**_ENVIRONMENT, **os.environ}
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, stderr=pipe, limit=1 << 20, env=env
        )
        self._process = process
        self._hold(self._listen(process))
        self._hold(_log_lines(process))
        self._on_start()

    async def ask(self, request: Request) -> Any:
        """The answer, of the type that the request names. Raises `WorkerLost` and `WorkerFailed`. If this is cancelled,
        the worker is told."""
        number = self._next = self._next + 1
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[number] = (type(request).answer, future)
        try:
            if not self._send(Call(number, type(request).__name__, base.body(request))):
                raise WorkerLost
            return await future
        except asyncio.CancelledError:
            self._send(Cancel(number))
            raise
        finally:
            self._waiting.pop(number, None)

    def tell(self, notice: Notice) -> None:
        """Send a notice; it is lost if no worker runs, but then `on_start` sends the state."""
        self._send(Tell(type(notice).__name__, base.body(notice)))

    async def stop(self) -> None:
        """Let the worker save and end; kill it if it does not."""
        self._closing = True
        process = self._process
        if process is None:
            return
        self.tell(Shutdown())
        try:
            await asyncio.wait_for(process.wait(), _LAST_SECONDS)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        self._lose()

    def _send(self, frame: Frame) -> bool:
        if self._process is None or self._process.stdin is None or self._process.stdin.is_closing():
            return False
        try:
            self._process.stdin.write(base.pack(frame))
        except (OSError, RuntimeError, ValueError) as error:
            logger.warning("the worker can't be reached: %s", error)
            return False
        return True

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            while True:
                length = base.length_of(await process.stdout.readexactly(base.LENGTH_BYTES))
                frame = base.unpack(await process.stdout.readexactly(length))
                if process is self._process:  # ignore a worker that counts as ended
                    self._take(frame)
        except (asyncio.IncompleteReadError, OSError):
            pass
        except (ValueError, msgspec.MsgspecError) as error:
            logger.error("the worker sent an unreadable message: %s", error)
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        code = await process.wait()
        if process is self._process:
            self._lose()
            if not self._closing:
                await self._start_again(code)

    def _take(self, frame: Frame) -> None:
        self.has_spoken = True
        match frame:
            case Tell(name, body):
                kind = self._events.get(name)
                if kind is not None:
                    self._on_event(msgspec.msgpack.decode(body, type=kind))
            case Answer(number, body) if number in self._waiting:
                kind, future = self._waiting[number]
                if not future.done():
                    try:
                        future.set_result(msgspec.msgpack.decode(body, type=kind))
                    except msgspec.MsgspecError as error:
                        future.set_exception(WorkerFailed(str(error)))
            case Failure(number, message, cancelled) if number in self._waiting:
                future = self._waiting[number][1]
                if not future.done():
                    future.set_exception(WorkerLost("cancelled") if cancelled else WorkerFailed(message))
            case _:
                pass

    def _lose(self) -> None:
        self._process = None
        for _, future in self._waiting.values():
            if not future.done():
                future.set_exception(WorkerLost("the worker ended"))
        self._on_event(WorkerEnded())

    async def _start_again(self, code: int) -> None:
        now = monotonic()
        self._deaths = [death for death in self._deaths if now - death < _DEATH_WINDOW] + [now]
        if len(self._deaths) >= _MOST_DEATHS:
            logger.error("the worker died %d times (last exit status %s); it stays down", len(self._deaths), code)
            self.given_up = True
            self._on_event(Announced(_GIVEN_UP.format(len(self._deaths)), warning=True))
            self._on_start()
            return
        logger.warning("the worker died (exit status %s); it is started again", code)
        await asyncio.sleep(0.2 * (len(self._deaths) - 1))
        if not self._closing:
            await self.start()

    def _hold(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logger.error("listening to the worker failed", exc_info=task.exception())


async def _log_lines(process: asyncio.subprocess.Process) -> None:
    """Log what the worker and native code write to standard error, at the level that a line names; lines of a traceback
    have the level of the line before."""
    assert process.stderr is not None
    level = logging.WARNING
    with contextlib.suppress(ValueError, OSError):
        while line := await process.stderr.readline():
            text = line.decode("utf-8", "replace").rstrip()
            level = logging.getLevelNamesMapping().get(text.partition(" ")[0], level)
            logger.log(level, "worker: %s", text)
