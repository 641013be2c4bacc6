"""What a workspace needs from its process: threads, slices of time, and a receiver for its messages.

Work is a generator that runs between questions. It yields None after some milliseconds, so that a question waits no
longer; and it waits for what a thread computes, as in `pairs = yield from wait(host.job("comparing", compute))`.
"""

from collections.abc import Callable, Generator
from typing import Any, Generic, Protocol, TypeVar

from cukereuse_server.protocol.base import Event

T = TypeVar("T")


class Job(Generic[T]):
    """What a thread computes."""

    def __init__(self) -> None:
        self.done = False
        self._value: T
        self._error: BaseException | None = None

    def finish(self, value: Any, error: BaseException | None) -> None:
        """For the host."""
        self._value, self._error, self.done = value, error, True

    def result(self) -> T:
        """What was computed, once it is done. Raises what the computation raised."""
        if self._error is not None:
            raise self._error
        return self._value


Work = Generator[Job[Any] | None, None, T]


def wait(job: Job[T]) -> Work[T]:
    """The result of a job, or what it raised."""
    if not job.done:
        yield job
    return job.result()


class Host(Protocol):
    def start(self, name: str, work: Work[None], *, urgent: bool = False) -> None:
        """Run work between questions, after what was started before it; `urgent`: before. Work of the same name that
        is not done is dropped."""

    def drop(self, name: str) -> None:
        """Close this work, where there is any: it goes no further than where it is."""

    def job(self, thread: str, compute: Callable[[], T]) -> Job[T]:
        """Begin to compute beside everything else. The jobs of one thread run one after the other."""

    def emit(self, event: Event) -> None:
        """Tell the main process; from any thread."""

    def give_way(self, to: str = "") -> None:
        """In a thread, between pieces of work: let questions and slices go first, and what another thread has to
        do."""

    def stopping(self) -> bool:
        """True if jobs should end."""
