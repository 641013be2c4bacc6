"""Progress of long work on a terminal: bar, count, rate and time left, on standard error.

Prints nothing if nobody watches: in a pipe, in continuous integration, on a dumb terminal.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cukereuse_engine.progress import SILENT, Progress, Stage

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import ProgressColumn, TaskID

REFRESHES_PER_SECOND = 8
_BAR = 24
_WIDE = 100
_TAKEN = 44
"""Columns: the amount with its rate, the time left, the space between."""


def progress_for_terminal() -> Progress:
    """Progress that suits standard error as it is."""
    watched = sys.stderr is not None and sys.stderr.isatty()
    if not watched or os.environ.get("CI") or os.environ.get("TERM") == "dumb":
        return SILENT
    return TerminalProgress()


class _TerminalStage:
    def __init__(self, live: "RichProgress", task: "TaskID") -> None:
        self._live = live
        self._task = task

    def advance(self, n: int = 1) -> None:
        self._live.advance(self._task, n)


class TerminalProgress:
    """One line for each running stage; stages may be nested."""

    def __init__(self) -> None:
        self._live: RichProgress | None = None

    @contextmanager
    def stage(self, label: str, total: int | None = None, unit: str = "") -> Iterator[Stage]:
        outermost = self._live is None
        if self._live is None:
            self._live = _live()
            self._live.start()
        live = self._live
        task = live.add_task(label, total=total, unit=unit)
        try:
            yield _TerminalStage(live, task)
        finally:
            live.remove_task(task)
            if outermost:
                live.stop()
                self._live = None


def _live() -> "RichProgress":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Column

    console = Console(stderr=True)
    # On a narrow terminal the label is shortened first: a wrapped line could not be erased.
    label = Column(no_wrap=True, overflow="ellipsis", max_width=max(8, console.width - _TAKEN - _BAR))
    columns: list[ProgressColumn | str] = [
        TextColumn("{task.description}", markup=False, table_column=label),
        BarColumn(bar_width=_BAR if console.width >= _WIDE else _BAR // 3),
        _amount_column(),
        TimeRemainingColumn(compact=True, table_column=Column(no_wrap=True)),
    ]
    return Progress(
        *columns,
        console=console,
        transient=True,
        refresh_per_second=REFRESHES_PER_SECOND,
        speed_estimate_period=10,
    )


def _amount_column() -> "ProgressColumn":
    from rich.progress import ProgressColumn, Task
    from rich.table import Column
    from rich.text import Text

    class AmountColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(amount(task.completed, task.total, task.speed, task.fields["unit"]))

    return AmountColumn(table_column=Column(no_wrap=True, overflow="ellipsis"))


def amount(completed: float, total: float | None, speed: float | None, unit: str) -> str:
    """ "1,204/8,105 files  310 files/s"; bytes in megabytes."""
    if unit == "bytes":
        completed, total, speed = completed / 1e6, total and total / 1e6, speed and speed / 1e6
        unit, digits = "MB", ".1f"
    else:
        digits = ",.0f"
    done = f"{completed:{digits}}" + (f"/{total:{digits}}" if total is not None else "")
    rate = f"  {speed:{digits}} {unit}/s".replace(" /s", "/s") if speed else ""
    return f"{done} {unit}".rstrip() + rate
