"""The settings as Markdown, for the guide in `cukereuse_engine/README.md`.

`python -m cukereuse_engine.settings.docs` prints the table; with a file's name, it updates the table in that file.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cukereuse_engine.markers import markdown_table, renewed
from cukereuse_engine.rules import RULES
from cukereuse_engine.settings.table import SETTINGS, Setting, ValueType


def settings_table() -> str:
    """A row for each setting: key, values, default, environment variable, help."""
    rows = (
        (f"`{setting.name}`", _values(setting), _default(setting.default), f"`{setting.variable}`", setting.help)
        for setting in SETTINGS.values()
    )
    return markdown_table(("setting", "values", "default", "environment", "what it does"), rows)


def rules_table() -> str:
    """A row for each rule: id, severity, meaning."""
    rows = ((f"`{rule.id}`", rule.severity, f"{rule.title}. {rule.help}") for rule in RULES.values())
    return markdown_table(("rule", "severity", "when"), rows)


TABLES: dict[str, Callable[[], str]] = {"rules": rules_table, "settings": settings_table}
"""What a document has between markers."""


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
        document.write_text(renewed(document.read_text("utf-8"), TABLES), "utf-8")
    else:
        print("\n\n".join(table() for table in TABLES.values()))
