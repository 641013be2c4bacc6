"""The settings as Markdown, for the guide in `cukereuse_engine/README.md`.

`python -m cukereuse_engine.settings.docs` prints the table; with a file's name, it updates the table in that file.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cukereuse_engine.rules import RULES
from cukereuse_engine.settings.table import SETTINGS, Setting, ValueType


def markdown_table() -> str:
    """A row for each setting: key, values, default, environment variable, help."""
    lines = ["| setting | values | default | environment | what it does |", "| --- | --- | --- | --- | --- |"]
    for setting in SETTINGS.values():
        cells = (
            f"`{setting.name}`",
            _values(setting),
            _default(setting.default),
            f"`{setting.variable}`",
            setting.help,
        )
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def rules_table() -> str:
    """A row for each rule: id, severity, meaning."""
    lines = ["| rule | severity | when |", "| --- | --- | --- |"]
    lines += [f"| `{rule.id}` | {rule.severity} | {rule.title}. {rule.help} |" for rule in RULES.values()]
    return "\n".join(lines)


TABLES: dict[str, Callable[[], str]] = {"rules": rules_table, "settings": markdown_table}
"""What is between `<!-- NAME:begin -->` and `<!-- NAME:end -->` in a document that carries it."""


def update(document: str) -> str:
    """`document` with new text between the markers of each of `TABLES`; unchanged if it has no markers."""
    for name, table in TABLES.items():
        begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
        before, opened, rest = document.partition(begin)
        _, closed, after = rest.partition(end)
        if opened and closed:
            document = f"{before}{begin}\n{table()}\n{end}{after}"
    return document


def _values(setting: Setting) -> str:
    match setting.type:
        case ValueType.CHOICE:
            return ", ".join(f"`{value}`" for value in setting.allowed)
        case ValueType.NUMBER if setting.minimum is not None and setting.maximum is not None:
            return f"{setting.minimum:g} to {setting.maximum:g}"
        case ValueType.COUNT if setting.minimum is not None:
            return f"{setting.minimum:g}, {setting.minimum + 1:g}, …"
        case ValueType.LEVELS:
            return "rule to " + ", ".join(f"`{value}`" for value in setting.allowed)
        case _:
            return str(setting.type)


def _default(value: Any) -> str:
    if value is None or value == () or value == {}:
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        document = Path(sys.argv[1])
        document.write_text(update(document.read_text("utf-8")), "utf-8")
    else:
        print("\n\n".join(table() for table in TABLES.values()))
