"""The engine's `Progress` told to the main process, a few times a second."""

from collections.abc import Iterator, Set
from contextlib import contextmanager
from time import monotonic

from cukereuse_engine.errors import Cancelled
from cukereuse_engine.progress import Stage
from cukereuse_server.protocol.state import Progressed
from cukereuse_server.workspace.host import Host

_SECONDS = 0.2
_PAUSES = 200
"""How often in one stage the work lets the loop go first."""


class HostProgress:
    """For use in a thread. Stops the work when the process ends, or the user cancels it."""

    def __init__(self, host: Host, task: str, label: str, cancelled: Set[str] = frozenset()) -> None:
        """`cancelled`: tasks that the user does not want to wait for; asked as the work goes on."""
        self._host, self._task, self._label, self._cancelled = host, task, label, cancelled

    @contextmanager
    def stage(self, label: str, total: int | None = None, unit: str = "") -> Iterator[Stage]:
        del unit
        yield _Stage(self._host, self._task, label or self._label, total or 0, self._cancelled)


class _Stage:
    def __init__(self, host: Host, task: str, label: str, total: int, cancelled: Set[str]) -> None:
        self._host, self._task, self._label, self._total, self._cancelled = host, task, label, total, cancelled
        self._done, self._pause_at, self._told = 0, 0, monotonic()

    def advance(self, n: int = 1) -> None:
        self._done += n
        if self._host.stopping() or self._task in self._cancelled:
            raise Cancelled
        if self._done >= self._pause_at:
            self._pause_at = self._done + self._total // _PAUSES
            self._host.give_way()
        now = monotonic()
        if now - self._told >= _SECONDS:
            self._told = now
            event = Progressed(task=self._task, label=self._label, done=self._done, total=self._total, finished=False)
            self._host.emit(event)
