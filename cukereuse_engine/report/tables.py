"""Tables and terminals: the console that every command prints to, and one table printer.

Plain text in a pipe or a file: no colour, no wrapping. Never interprets a step's text as markup, and never lets its
control characters reach a terminal.
"""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import IO

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from cukereuse_engine.report.visible import encodable, visible

PIPE_WIDTH = 10_000
"""Columns of a pipe: nothing is wrapped or cut for it."""
_GAP = "  "
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    right: bool = False
    """True if the column contains numbers, which are right-aligned."""
    flexible: bool = False
    """True if the column may be cut to fit the terminal; others keep their width."""
    style: str = ""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Rich would exit with 1, which means findings."""
        raise BrokenPipeError


def console_for(stream: IO[str] | None = None, color: bool | None = None) -> Console:
    """A console on `stream` (standard output by default).

    Colour on a terminal unless `NO_COLOR` is set; `color` forces it on or off. A pipe is as wide as its lines.
    """
    target = sys.stdout if stream is None else stream
    terminal = target.isatty()
    return _Console(
        file=target,
        width=None if terminal else PIPE_WIDTH,
        no_color=None if color is None else not color,
        force_terminal=True if color else None,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=not terminal,
    )


def is_narrow(console: Console) -> bool:
    """True if lines must be cut to the console's width."""
    return console.width < PIPE_WIDTH


def fitted(text: str, width: int) -> str:
    """`text` in at most `width` terminal cells, with an ellipsis in place of its middle."""
    if cell_len(text) <= width:
        return text
    if width <= 1:
        return _ELLIPSIS[:width]
    tail = (width - 1) // 3
    end = ""
    for character in reversed(text):
        if cell_len(character + end) > tail:
            break
        end = character + end
    start = set_cell_size(text, width - 1 - cell_len(end)).rstrip()
    return f"{start}{_ELLIPSIS}{end.lstrip()}"


def shown(value: object) -> str:
    """A cell's text: thousands separated, three decimals, `-` for nothing, no hidden characters."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.3f}"
    return visible(encodable(str(value)))


def print_table(
    console: Console, columns: Sequence[Column], rows: Iterable[Sequence[object]], *, title: str = "", indent: int = 0
) -> None:
    """Print aligned rows under their headings; on a terminal, flexible columns are cut so that no line wraps."""
    cells = [[shown(value) for value in row] for row in rows]
    widths = [
        max([cell_len(column.title), *(cell_len(row[position]) for row in cells)])
        for position, column in enumerate(columns)
    ]
    if is_narrow(console):
        widths = _narrowed(columns, widths, console.width - indent)
    if title:
        console.print(Text(title, style="bold"))
    if any(column.title for column in columns):
        heading = [Text(column.title, style="dim") for column in columns]
        console.print(_line(heading, columns, widths, indent))
    for row in cells:
        styled = [Text(text, style=column.style) for text, column in zip(row, columns, strict=True)]
        console.print(_line(styled, columns, widths, indent))


def _narrowed(columns: Sequence[Column], widths: list[int], available: int) -> list[int]:
    """Narrow the widest flexible columns, down to 8 cells each, until all fit."""
    narrowed = list(widths)
    flexible = [position for position, column in enumerate(columns) if column.flexible]
    excess = sum(narrowed) + len(_GAP) * (len(narrowed) - 1) - available
    while excess > 0 and flexible:
        widest = max(flexible, key=lambda position: narrowed[position])
        if narrowed[widest] <= 8:
            break
        narrowed[widest] -= 1
        excess -= 1
    return narrowed


def _line(cells: list[Text], columns: Sequence[Column], widths: list[int], indent: int) -> Text:
    line = Text(" " * indent, no_wrap=True)
    last = len(cells) - 1
    for position, (cell, column, width) in enumerate(zip(cells, columns, widths, strict=True)):
        text = fitted(cell.plain, width)
        padding = " " * (width - cell_len(text))
        if column.right:
            line.append(padding)
        line.append(text, style=cell.style)
        if not column.right and position != last:
            line.append(padding)
        if position != last:
            line.append(_GAP)
    return line
