"""Tables as Markdown."""

import re
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(r"[-+]?[\d,.]+(?:e[-+]\d+)?%?|nan")


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table whose numeric columns are set right; `|` and line ends in cells are escaped."""
    cells = [[_escaped(cell(value)) for value in row] for row in rows]
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


def cell(value: object) -> str:
    """A value as a person reads it; not escaped for Markdown."""
    if value is None:
        return ""
    if isinstance(value, float):
        if 0 < abs(value) < 5e-5:
            return f"{value:.1e}"
        return f"{value:,.1f}" if abs(value) >= 1_000 else f"{value:,.4f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\r", " ").replace("\n", " ")


def is_number(text: str) -> bool:
    """Whether a cell is set right."""
    return text in ("", "-") or _NUMBER.fullmatch(text) is not None
