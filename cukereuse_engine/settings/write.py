"""Writes one value into a settings file; everything else in it, comments included, stays as it is."""

from pathlib import Path
from typing import Any

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.settings.layers import PYPROJECT_NAME
from cukereuse_engine.settings.table import SETTINGS
from cukereuse_engine.storage import write_atomically


def write_setting(path: Path, name: str, value: str | float | bool) -> None:
    """Set `name` in `path`, a `cukereuse.toml` (created if it is missing) or a `pyproject.toml`.

    Raises `CukereuseError` if the file can't be read or written, `KeyError` for an unknown setting.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    if name not in SETTINGS:
        raise KeyError(name)
    try:
        content = path.read_bytes() if path.exists() else b""
        bom = b"\xef\xbb\xbf" if content.startswith(b"\xef\xbb\xbf") else b""
        document = tomlkit.parse(content.removeprefix(bom))
        table: Any = document
        if path.name == PYPROJECT_NAME:
            for part in ("tool", "cukereuse"):
                if part not in table:
                    table[part] = tomlkit.table(is_super_table=part == "tool")
                table = table[part]
        table[name] = value
        write_atomically(path, bom + tomlkit.dumps(document).encode("utf-8"))
    except (TOMLKitError, UnicodeDecodeError, TypeError) as error:
        hint = "Correct the file, or set the value by hand."
        raise CukereuseError(f"{path} can't be changed: {error}", hint) from error
    except OSError as error:
        raise CukereuseError(f"{path} can't be written: {error.strerror or error}") from error
