"""The worker's loop: one thread holds the state, one reads the pipe, others compute on what they were given.

Order: what came in first, then results of threads, then one slice of background work; so a question waits for one
slice at most. Threads never touch the state: they get immutable input, and what they give is applied here.
"""

import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO

import msgspec

from cukereuse_engine.errors import Cancelled
from cukereuse_server.protocol import base
from cukereuse_server.protocol.base import Answer, Call, Cancel, Event, Failure, Frame, Notice, Request, Tell
from cukereuse_server.tracing import Trace, name_of

logger = logging.getLogger(__name__)

_PATIENCE = 1.0
"""Seconds that a thread waits for a busy loop before it computes on."""

Slices = Iterator[None]
"""Background work that stops every few milliseconds."""


def _nothing(error: BaseException) -> None:
    del error


class Ended(Exception):  # noqa: N818 - not an error
    """The main process is gone, or asked to stop."""


class _Result(msgspec.Struct):
    """What a thread gave."""

    take: Callable[[Any], None]
    value: Any
    error: BaseException | None


class Loop:
    """Runs `handlers` (by class of request) and `listeners` (by class of notice)."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self.handlers: dict[type[Request], Callable[[Any], Any]] = {}
        self.listeners: dict[type[Notice], Callable[[Any], None]] = {}
        self.before_answer: Callable[[], None] = lambda: None
        """Brings the state up to date with what was told."""
        self.when_idle: Callable[[], None] = lambda: None
        """Called each time that nothing is left to do."""
        self.trace = Trace("worker")
        self._source, self._sink = source, sink
        self._writing = threading.Lock()
        self._inbox: queue.SimpleQueue[Frame | _Result | None] = queue.SimpleQueue()
        self._cancelled: set[int] = set()
        self._answered = 0
        self._background: deque[tuple[str, Slices, Callable[[BaseException], None]]] = deque()
        self._threads = {
            name: ThreadPoolExecutor(1, f"cukereuse-{name}") for name in ("reading", "comparing", "embedding")
        }
        self._stop = threading.Event()
        self._quiet = threading.Event()
        """Set while the loop has nothing to do."""
        self._working = dict.fromkeys(self._threads, 0)
        """Pieces of work that each thread has still to do."""
        self._worked = threading.Condition()

    def run(self) -> None:
        threading.Thread(target=self._read, name="cukereuse-pipe", daemon=True).start()
        idle = False
        try:
            while True:
                item = self._next(block=idle)
                if item is not None:
                    self._take(item)
                    idle = False
                elif self._background:
                    self._slice()
                elif not idle:
                    with self.trace.piece("idle"):
                        self.when_idle()
                    idle = not self._background
        except Ended:
            pass
        finally:
            self._stop.set()
            for pool in self._threads.values():
                pool.shutdown(wait=False, cancel_futures=True)

    def background(self, name: str, slices: Slices, fail: Callable[[BaseException], None] | None = None) -> None:
        """Add background work; work of the same name that is not done is dropped. `fail` gets what it raised."""
        self.drop(name)
        self._background.append((name, slices, fail or _nothing))

    def drop(self, name: str) -> None:
        self._background = deque(work for work in self._background if work[0] != name)

    def thread(
        self,
        name: str,
        work: Callable[[], Any],
        take: Callable[[Any], None],
        fail: Callable[[BaseException], None] | None = None,
    ) -> None:
        """Compute `work` beside the loop; `take` gets its result here, `fail` what it raised. Work of one `name` runs
        one after the other."""

        def run() -> None:
            try:
                with self.trace.piece(f"thread {name} {name_of(work)}"):
                    value = work()
                self._inbox.put(_Result(take, value, None))
            except BaseException as error:
                self._inbox.put(_Result(fail or _nothing, error, error))
            self._count(name, -1)

        self._count(name, 1)
        self._threads[name].submit(run)

    def post(self, take: Callable[[Any], None], value: Any) -> None:
        """From a thread: let the loop call `take`."""
        self._inbox.put(_Result(take, value, None))

    def emit(self, event: Event) -> None:
        """Tell the main process; from any thread."""
        self._write(Tell(type(event).__name__, base.body(event)))

    def stopping(self) -> bool:
        """Whether work in threads should end."""
        return self._stop.is_set()

    def give_way(self, to: str = "") -> None:
        """For threads with much to compute: let the loop go first, and do not starve; let all that another thread has
        to do go first."""
        self._quiet.wait(_PATIENCE)
        with self._worked:
            while to and self._working[to] and not self.stopping():
                self._worked.wait(_PATIENCE)

    def _count(self, name: str, more: int) -> None:
        with self._worked:
            self._working[name] += more
            self._worked.notify_all()

    def _next(self, *, block: bool) -> Frame | _Result | None:
        if block and self._inbox.empty():
            self._quiet.set()
        try:
            item = self._inbox.get(block=block)
        except queue.Empty:
            return None
        finally:
            self._quiet.clear()
        if item is None:
            raise Ended
        return item

    def _take(self, item: Frame | _Result) -> None:
        match item:
            case _Result(take, value, error):
                if error is not None and not isinstance(error, Cancelled):
                    logger.error("background work failed", exc_info=error)
                with self.trace.piece(f"take {name_of(take)}"):
                    self._guarded(lambda: take(value))
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
        try:
            kind, handler = next((kind, run) for kind, run in self.handlers.items() if kind.__name__ == name)
            self.before_answer()
            self._write(Answer(number, base.body(handler(msgspec.msgpack.decode(body, type=kind)))))
        except Ended:
            raise
        except Exception as error:
            logger.exception("%s failed", name)
            self._write(Failure(number, f"{type(error).__name__}: {error}"))

    def _listen(self, name: str, body: msgspec.Raw) -> None:
        found = next(((kind, run) for kind, run in self.listeners.items() if kind.__name__ == name), None)
        if found is None:
            logger.warning("nobody listens to %s", name)
            return
        kind, listener = found
        self._guarded(lambda: listener(msgspec.msgpack.decode(body, type=kind)))

    def _slice(self) -> None:
        name, slices, fail = self._background[0]
        try:
            with self.trace.piece(f"slice {name}"):
                next(slices)
        except StopIteration:
            self.drop(name)
        except Exception as error:
            logger.exception("background work %s failed", name)
            self.drop(name)
            raised = error  # the name `error` does not outlive this block
            self._guarded(lambda: fail(raised))

    def _guarded(self, run: Callable[[], None]) -> None:
        try:
            run()
        except Ended:
            raise
        except Exception:
            logger.exception("the worker failed")

    def _read(self) -> None:
        """Frames into the inbox, until the pipe closes. Cancellations are noted at once."""
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
