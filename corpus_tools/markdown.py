"""Tables as Markdown."""

from collections.abc import Iterable, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table whose numeric columns are set right; `|` and line ends in cells are escaped."""
    cells = [[_cell(value) for value in row] for row in rows]
    numeric = [bool(cells) and all(_is_number(row[i]) for row in cells) for i in range(len(header))]
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


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.4f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value).replace("|", "\\|").replace("\r", " ").replace("\n", " ")


def _is_number(cell: str) -> bool:
    return cell in ("", "-") or cell.lstrip("+-").replace(",", "").replace(".", "").replace("%", "").isdigit()
