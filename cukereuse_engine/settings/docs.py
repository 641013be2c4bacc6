"""The settings as Markdown, for the README.

`python -m cukereuse_engine.settings.docs` prints the table; with a file's name it renews the table in that file.
"""

import sys
from pathlib import Path
from typing import Any

from cukereuse_engine.settings.table import SETTINGS, Setting, ValueType

BEGIN, END = "<!-- settings:begin -->", "<!-- settings:end -->"
"""What stands around the table in a document that carries it."""


def markdown_table() -> str:
    """One row a setting: key, values, default, environment variable, help."""
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


def update(document: str) -> str:
    """`document` with the text between `BEGIN` and `END` replaced by the table; unchanged where it has no markers."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        return document
    return f"{before}{begin}\n{markdown_table()}\n{end}{after}"


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
        print(markdown_table())
