"""What a workspace needs from its process: threads, slices of time, and a receiver for its messages.

Work is a generator that runs between questions. It yields None after some milliseconds, so that a question waits no
longer; and it waits for what a thread computes, as in `pairs = yield from wait(host.job("comparing", compute))`.
"""

from collections.abc import Callable, Generator
from typing import Any, Generic, Protocol, TypeVar

from cukereuse_server.protocol.base import Event

T = TypeVar("T")


class Job(Generic[T]):
    """A computation in a thread."""

    def __init__(self) -> None:
        self.done = False
        self._value: T
        self._error: BaseException | None = None

    def finish(self, value: Any, error: BaseException | None) -> None:
        """Called by the host."""
        self._value, self._error, self.done = value, error, True

    def result(self) -> T:
        """The result, once it is there. Raises what the computation raised."""
        if self._error is not None:
            raise self._error
        return self._value


Work = Generator[Job[Any] | None, None, T]


def wait(job: Job[T]) -> Work[T]:
    """The result of a job, or the exception that it raised."""
    if not job.done:
        yield job
    return job.result()


class Host(Protocol):
    def start(self, name: str, work: Work[None], *, urgent: bool = False) -> None:
        """Run work between questions, after all earlier work, or before it if it is `urgent`. Unfinished work of the
        same name is dropped."""

    def drop(self, name: str) -> None:
        """Close the work of this name, if there is any: it goes no further."""

    def job(self, thread: str, compute: Callable[[], T]) -> Job[T]:
        """Compute in a thread. The jobs of one thread run one after the other."""

    def emit(self, event: Event) -> None:
        """Send an event to the main process; thread-safe."""

    def give_way(self, to: str = "") -> None:
        """Call this in a thread, between pieces of work: it lets questions and slices run first, or the jobs of another
        thread."""

    def stopping(self) -> bool:
        """True if jobs should end."""
