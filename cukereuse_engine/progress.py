"""Progress and cancellation of long work.

The engine never prints: the command line, the server and tests each bring a `Progress` of their own.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol


class Stage(Protocol):
    """One stage of long work, such as "reading"."""

    def advance(self, n: int = 1) -> None:
        """`n` more units are done. Raises `Cancelled` when the user asked to stop: call it between batches."""


class Progress(Protocol):
    def stage(self, label: str, total: int | None = None, unit: str = "") -> AbstractContextManager[Stage]:
        """Open a stage: `label` such as "reading", `total` units if known, `unit` in the plural, such as "files"."""


class _SilentStage:
    def advance(self, n: int = 1) -> None:
        del n


class _Silent:
    @contextmanager
    def stage(self, label: str, total: int | None = None, unit: str = "") -> Iterator[Stage]:
        del label, total, unit
        yield _SilentStage()


SILENT: Progress = _Silent()
"""Shows nothing and is never cancelled."""
