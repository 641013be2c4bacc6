"""Tables as Markdown."""

import re
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(r"[-+]?[\d,.]+(?:e[-+]\d+)?%?|nan")


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table whose numeric columns are right-aligned; `|` and line ends in cells are escaped."""
    cells = [[_escaped(text) for text in row] for row in cells_of(rows)]
    numeric = [bool(cells) and all(is_number(row[i]) for row in cells) for i in range(len(header))]
    widths = [max(len(header[i]), 3, *(len(row[i]) for row in cells)) if cells else max(len(header[i]), 3)
              for i in range(len(header))]  # fmt: skip
    lines = [_line(header, widths, numeric)]
    rules = ["-" * (width - right) + ":" * right for width, right in zip(widths, numeric, strict=True)]
    lines.append(f"| {' | '.join(rules)} |")
    lines.extend(_line(row, widths, numeric) for row in cells)
    return "\n".join(lines) + "\n"


def _line(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    cells = [cell.rjust(width) if right else cell.ljust(width)
             for cell, width, right in zip(row, widths, numeric, strict=True)]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def cells_of(rows: Iterable[Sequence[object]]) -> list[list[str]]:
    """Values as a person reads them, not escaped for Markdown; fractions of one column have as many digits."""
    columns = [[_cell(value, _decimals(column)) for value in column] for column in zip(*rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


def _decimals(column: Sequence[object]) -> int:
    return 1 if any(isinstance(value, float) and abs(value) >= 100 for value in column) else 4


def _cell(value: object, decimals: int) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.1e}" if 0 < abs(value) < 5e-5 and decimals > 1 else f"{value:,.{decimals}f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\r", " ").replace("\n", " ")


def is_number(text: str) -> bool:
    """True if a cell is right-aligned."""
    return text in ("", "-") or _NUMBER.fullmatch(text) is not None
