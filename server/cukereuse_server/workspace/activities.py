"""Background work as the user sees it: a task begins, reports its progress, and ends exactly once.

A task may have several parts, such as the suites that are compared; it ends with the last part. After the end of a
part, reports about it are ignored, even if it still runs. Thread-safe.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from cukereuse_engine.errors import Cancelled
from cukereuse_engine.progress import Stage
from cukereuse_server.protocol.state import Progressed
from cukereuse_server.workspace.host import Host

INDEX, VECTORS, MODEL = "index", "vectors", "model"
"""Tasks: reading and comparing by wording; embedding and comparing by meaning; downloading the model."""

_SECONDS = 0.2
_PAUSES = 200
"""Maximum number of times in one stage that the work lets the loop go first."""


class Activities:
    def __init__(self, emit: Callable[[Progressed], None]) -> None:
        self._emit = emit
        self._lock = threading.Lock()
        self._parts: dict[str, set[Activity]] = {}

    def begin(self, task: str, label: str) -> "Activity":
        """A part of a task; the task begins with its first part."""
        part = Activity(self, task)
        with self._lock:
            self._parts.setdefault(task, set()).add(part)
        part.report(label, 0, 0)
        return part

    def running(self) -> list[str]:
        """The names of the tasks that are running."""
        with self._lock:
            return sorted(self._parts)

    def cancel(self, task: str) -> None:
        """Cancel what this task is doing now: the user does not want to wait for it."""
        with self._lock:
            for part in self._parts.get(task, ()):
                part.cancelled = True

    def report(self, part: "Activity", label: str, done: int, total: int) -> None:
        with self._lock:
            if part in self._parts.get(part.task, ()):
                self._emit(Progressed(task=part.task, label=label, done=done, total=total, finished=False))

    def end(self, part: "Activity") -> None:
        with self._lock:
            parts = self._parts.get(part.task, set())
            if part not in parts:
                return
            parts.remove(part)
            if not parts:
                del self._parts[part.task]
                self._emit(Progressed(task=part.task, label="done", done=1, total=1, finished=True))


class Activity:
    """A part of a task; as a context manager, it ends with the block."""

    def __init__(self, activities: Activities, task: str) -> None:
        self.task = task
        self.cancelled = False
        self._activities = activities

    def report(self, label: str, done: int, total: int) -> None:
        """Report progress. `total` is 0 if it is unknown. Ignored after the end of the part."""
        self._activities.report(self, label, done, total)

    def end(self) -> None:
        """End the part; nobody waits for work that still runs for it. Further calls do nothing."""
        self.cancelled = True
        self._activities.end(self)

    def __enter__(self) -> "Activity":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


class ActivityProgress:
    """The engine's `Progress` for work in a thread, reported a few times a second. Stops the work when the process
    ends, or when the user cancels it."""

    def __init__(self, host: Host, activity: Activity | None, label: str) -> None:
        """If `activity` is None, nobody sees the work or can cancel it."""
        self._host, self._activity, self._label = host, activity, label

    @contextmanager
    def stage(self, label: str, total: int | None = None, unit: str = "") -> Iterator[Stage]:
        del unit
        yield _Stage(self._host, self._activity, label or self._label, total or 0)


class _Stage:
    def __init__(self, host: Host, activity: Activity | None, label: str, total: int) -> None:
        self._host, self._activity, self._label, self._total = host, activity, label, total
        self._done, self._pause_at, self._reported_at = 0, 0, monotonic()

    def advance(self, n: int = 1) -> None:
        self._done += n
        activity = self._activity
        if self._host.stopping() or (activity is not None and activity.cancelled):
            raise Cancelled
        if self._done >= self._pause_at:
            self._pause_at = self._done + self._total // _PAUSES
            self._host.give_way()
        now = monotonic()
        if activity is not None and now - self._reported_at >= _SECONDS:
            self._reported_at = now
            activity.report(self._label, self._done, self._total)
