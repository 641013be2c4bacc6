"""The worker's loop: one thread holds the state, one reads the pipe, others compute on what they were given.

Order: what came in first, then one slice of the first work that does not wait for a thread; so a question waits for one
slice at most. Threads never touch the state: they get immutable input, and what they give is applied here.
"""

import logging
import queue
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeVar

import msgspec

from cukereuse_server.protocol import base
from cukereuse_server.protocol.base import Answer, Call, Cancel, Event, Failure, Frame, Notice, Request, Tell
from cukereuse_server.tracing import Trace, name_of
from cukereuse_server.workspace.host import Job, Work

logger = logging.getLogger(__name__)
T = TypeVar("T")

_PATIENCE = 1.0
"""The seconds that a thread waits for a busy loop before it goes on."""

_LEAST_PAUSE = 0.1
"""The seconds that an idle loop sleeps at least, so that due work which can't begin does not keep it busy."""


_AFTER_FAILURE = 60.0
"""The seconds after which an idle loop tries again what has failed, unless something else happens before."""


class Ended(Exception):  # noqa: N818 - not an error
    """The main process has ended, or asked the worker to end."""


@dataclass(frozen=True, slots=True)
class _Finished:
    """The result of a thread."""

    job: Job[Any]
    value: Any
    error: BaseException | None


@dataclass(slots=True, eq=False)
class _Task:
    """Work that is done in slices."""

    name: str
    work: Work[None]
    waits_for: Job[Any] | None = None
    dropped: bool = False

    @property
    def runnable(self) -> bool:
        return self.waits_for is None or self.waits_for.done


class Loop:
    """Runs `handlers` (by class of request) and `listeners` (by class of notice). A handler that is a generator gives
    its answer in slices, between other questions."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self.handlers: dict[type[Request], Callable[[Any], Any]] = {}
        self.listeners: dict[type[Notice], Callable[[Any], None]] = {}
        self.when_idle: Callable[[], float | None] = lambda: None
        """Called whenever nothing is left to do; returns the seconds after which it wants to be called again, or
        None."""
        self.trace = Trace("worker")
        self._source, self._sink = source, sink
        self._writing = threading.Lock()
        self._inbox: queue.SimpleQueue[Frame | _Finished | None] = queue.SimpleQueue()
        self._cancelled: set[int] = set()
        self._answered = 0
        self._tasks: list[_Task] = []
        """Work in order of priority."""
        self._running: _Task | None = None
        self._failed = ""
        """The error of the last call of `when_idle`, which is logged once."""
        self._threads = {
            name: ThreadPoolExecutor(1, f"cukereuse-{name}") for name in ("reading", "comparing", "embedding")
        }
        self._stop = threading.Event()
        self._quiet = threading.Event()
        """Set while the loop has nothing to do."""
        self._working = dict.fromkeys(self._threads, 0)
        """The number of jobs that each thread has left."""
        self._worked = threading.Condition()

    def run(self) -> None:
        threading.Thread(target=self._read, name="cukereuse-pipe", daemon=True).start()
        idle = False
        pause: float | None = None
        try:
            while True:
                item = self._next(block=idle, seconds=pause)
                if item is not None:
                    self._take(item)
                    idle = False
                elif (task := self._runnable()) is not None:
                    self._slice(task)
                else:
                    with self.trace.piece("idle"):
                        pause = self._idle()
                    idle = self._runnable() is None
        except Ended:
            pass
        finally:
            self._stop.set()
            for pool in self._threads.values():
                pool.shutdown(wait=False, cancel_futures=True)

    def start(self, name: str, work: Work[None], *, urgent: bool = False) -> None:
        """Run work between questions, after all earlier work, or before it if it is `urgent`. Unfinished work of the
        same name is dropped."""
        self.drop(name)
        self._tasks.insert(0 if urgent else len(self._tasks), _Task(name, work))

    def drop(self, name: str) -> None:
        """Close the work of this name, if there is any; a running slice is finished."""
        for task in [task for task in self._tasks if task.name == name]:
            task.dropped = True
            if task is not self._running:
                self._end(task)

    def job(self, thread: str, compute: Callable[[], T]) -> Job[T]:
        """Compute in a thread; jobs of one thread run one after the other."""
        job: Job[T] = Job()

        def run() -> None:
            try:
                with self.trace.piece(f"thread {thread} {name_of(compute)}"):
                    value = compute()
                self._inbox.put(_Finished(job, value, None))
            except BaseException as error:
                self._inbox.put(_Finished(job, None, error))
            self._count(thread, -1)

        self._count(thread, 1)
        self._threads[thread].submit(run)
        return job

    def emit(self, event: Event) -> None:
        """Send a message to the main process; callable from any thread."""
        self._write(Tell(type(event).__name__, base.body(event)))

    def stopping(self) -> bool:
        """True if the work in threads should end."""
        return self._stop.is_set()

    def give_way(self, to: str = "") -> None:
        """For threads with long computations: let the loop run first, or all jobs of another thread, without
        starving."""
        self._quiet.wait(_PATIENCE)
        with self._worked:
            while to and self._working[to] and not self.stopping():
                self._worked.wait(_PATIENCE)

    def _count(self, name: str, more: int) -> None:
        with self._worked:
            self._working[name] += more
            self._worked.notify_all()

    def _next(self, *, block: bool, seconds: float | None) -> Frame | _Finished | None:
        """The next item; None if there is none, or with `block` if none comes in time."""
        if block and self._inbox.empty():
            self._quiet.set()
        try:
            item = self._inbox.get(block=block, timeout=None if seconds is None else max(seconds, _LEAST_PAUSE))
        except queue.Empty:
            return None
        finally:
            self._quiet.clear()
        if item is None:
            raise Ended
        return item

    def _take(self, item: Frame | _Finished) -> None:
        match item:
            case _Finished(job, value, error):
                job.finish(value, error)
            case Call(number, name, body):
                with self.trace.piece(name):
                    self._answer(number, name, body)
            case Tell(name, body):
                with self.trace.piece(name):
                    self._listen(name, body)
            case _:
                pass

    def _answer(self, number: int, name: str, body: msgspec.Raw) -> None:
        self._answered = number
        if number in self._cancelled:
            self._cancelled.discard(number)
            self._write(Failure(number, "cancelled", cancelled=True))
            return
        with self._failing(number, name):
            kind, handler = next((kind, run) for kind, run in self.handlers.items() if kind.__name__ == name)
            answer = handler(msgspec.msgpack.decode(body, type=kind))
            if isinstance(answer, Generator):
                self.start(f"{name} {number}", self._answer_later(number, name, answer), urgent=True)
            else:
                self._write(Answer(number, base.body(answer)))

    def _answer_later(self, number: int, name: str, answer: Generator[None, None, Any]) -> Work[None]:
        with self._failing(number, name):
            self._write(Answer(number, base.body((yield from answer))))

    @contextmanager
    def _failing(self, number: int, name: str) -> Iterator[None]:
        """Answer with a failure if one happens inside."""
        try:
            yield
        except Ended:
            raise
        except Exception as error:
            logger.exception("%s failed", name)
            self._write(Failure(number, f"{type(error).__name__}: {error}"))

    def _listen(self, name: str, body: msgspec.Raw) -> None:
        listening = next(((kind, run) for kind, run in self.listeners.items() if kind.__name__ == name), None)
        if listening is None:
            logger.warning("no handler for %s", name)
            return
        kind, listener = listening
        self._guarded(lambda: listener(msgspec.msgpack.decode(body, type=kind)))

    def _runnable(self) -> _Task | None:
        return next((task for task in self._tasks if task.runnable), None)

    def _slice(self, task: _Task) -> None:
        self._running = task
        over = False
        try:
            with self.trace.piece(f"slice {task.name}"):
                task.waits_for = next(task.work)
        except StopIteration:
            over = True
        except Ended:
            raise
        except Exception:
            logger.exception("%s failed", task.name)
            over = True
        finally:
            self._running = None
        if over or task.dropped:
            self._end(task)

    def _end(self, task: _Task) -> None:
        if task in self._tasks:
            self._tasks.remove(task)
        self._guarded(task.work.close)

    def _idle(self) -> float | None:
        try:
            pause = self.when_idle()
        except Ended:
            raise
        except Exception as error:
            if self._failed != repr(error):
                logger.exception("the worker failed while it was idle")
            self._failed = repr(error)
            return _AFTER_FAILURE
        self._failed = ""
        return pause

    def _guarded(self, run: Callable[[], None]) -> None:
        try:
            run()
        except Ended:
            raise
        except Exception:
            logger.exception("the worker failed")

    def _read(self) -> None:
        """Read frames into the inbox until the pipe closes. Cancellations take effect at once."""
        try:
            while head := self._source.read(base.LENGTH_BYTES):
                frame = base.unpack(self._source.read(base.length_of(head)))
                if isinstance(frame, Cancel):
                    if frame.id > self._answered:
                        self._cancelled.add(frame.id)
                else:
                    self._inbox.put(frame)
        except (OSError, ValueError, EOFError, msgspec.MsgspecError):
            logger.exception("the pipe from the main process can't be read")
        self._inbox.put(None)

    def _write(self, frame: Frame) -> None:
        with self._writing:
            try:
                self._sink.write(base.pack(frame))
                self._sink.flush()
            except OSError:
                raise Ended from None
