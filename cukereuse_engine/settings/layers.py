"""The layers of settings: defaults < `cukereuse.toml` or `pyproject.toml` < editor < environment < flags.

Reading never fails: a wrong value becomes a `SettingProblem`, and the layer below stays in force. The command line
refuses to run with problems; the server shows them and goes on.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.settings.table import SETTINGS, Setting, Settings, ValueType
from cukereuse_engine.settings.values import check, parse
from cukereuse_engine.spelling import nearest

CONFIG_NAME = "cukereuse.toml"
PYPROJECT_NAME = "pyproject.toml"
DEFAULT_SOURCE = "default"
EDITOR_SOURCE = "editor"


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """A value that could not be used."""

    source: str
    """The file, environment variable, flag or editor that it came from."""
    message: str
    """Names the key, what is wrong and what is allowed."""

    def __str__(self) -> str:
        return f"{self.source}: {self.message}"


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """Settings, with the source of each value."""

    settings: Settings
    sources: Mapping[str, str]
    """Setting's name to "default", a file's path, "editor", a variable's or a flag's name."""
    config_file: Path | None
    """The file that was read, or None."""
    problems: tuple[SettingProblem, ...]

    def checked(self) -> Settings:
        """The settings; raises `CukereuseError` naming every problem."""
        if self.problems:
            raise CukereuseError("\n".join(map(str, self.problems)), "Correct the settings named above and run again.")
        return self.settings


def find_config(start: Path) -> Path | None:
    """The nearest `cukereuse.toml` in `start` (or its folder) and above, or the nearest `pyproject.toml` that has a
    `[tool.cukereuse]` table, or seems to have one but can't be parsed."""
    start = Path(os.path.abspath(start))  # noqa: PTH100 - resolve() would leave the tree through symbolic links
    for folder in (start, *start.parents):
        candidate = folder / CONFIG_NAME
        if candidate.is_file():
            return candidate
        candidate = folder / PYPROJECT_NAME
        if candidate.is_file() and _has_table(candidate):
            return candidate
    return None


def _has_table(pyproject: Path) -> bool:
    try:
        content = pyproject.read_bytes()
        if b"cukereuse" not in content:
            return False
        return "cukereuse" in tomllib.loads(content.decode("utf-8-sig")).get("tool", {})
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return b"[tool.cukereuse" in content
    except (OSError, AttributeError):
        return False


def load_settings(
    start: Path,
    *,
    editor: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> LoadedSettings:
    """Settings of the suite that `start` (a file or folder) belongs to.

    `editor`: the client's values; `environ`: `os.environ` by default; `flags`: name to value, None if it is not given.
    A higher layer replaces a value; only the `severity` table is merged rule by rule. A relative path of `baseline` or
    `glue` starts at the folder of the file that sets it, at the working folder for a variable or flag, and at `start`
    for the editor.
    """
    stack = _Stack()
    config_file = find_config(start)
    if config_file is not None:
        table = _read(config_file, stack.problems)
        stack.add(table, str(config_file), base=config_file.parent)
    if editor:
        stack.add(editor, EDITOR_SOURCE, base=start)
    environment = os.environ if environ is None else environ
    for setting in SETTINGS.values():
        if text := environment.get(setting.variable):
            stack.put(setting, text, setting.variable, base=Path.cwd(), reader=parse)
    for name, value in (flags or {}).items():
        if value is not None:
            stack.put(SETTINGS[name], value, SETTINGS[name].flag, base=Path.cwd())
    return stack.loaded(config_file)


class _Stack:
    """Layers above each other."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.sources: dict[str, str] = dict.fromkeys(SETTINGS, DEFAULT_SOURCE)
        self.problems: list[SettingProblem] = []

    def add(self, table: Mapping[str, Any], source: str, base: Path) -> None:
        """Add a table, whose unknown keys are problems."""
        for key, value in table.items():
            setting = SETTINGS.get(key.replace("-", "_"))
            if setting is None:
                suggestion = nearest(key, SETTINGS)
                hint = f"did you mean {suggestion!r}?" if suggestion else f"known settings: {', '.join(SETTINGS)}."
                self.problems.append(SettingProblem(source, f"unknown setting {key!r}; {hint}"))
            else:
                self.put(setting, value, source, base)

    def put(self, setting: Setting, value: Any, source: str, base: Path, reader: Any = check) -> None:
        try:
            checked = reader(setting, value)
        except ValueError as error:
            self.problems.append(SettingProblem(source, f"{setting.name} {error}"))
            return
        if setting.type is ValueType.PATH:
            checked = _resolved(checked, base)
        elif setting.type is ValueType.PATHS:
            checked = tuple(_resolved(path, base) for path in checked)
        elif setting.type is ValueType.LEVELS:
            checked = {**self.values.get(setting.name, {}), **checked}
        self.values[setting.name] = checked
        self.sources[setting.name] = source

    def loaded(self, config_file: Path | None) -> LoadedSettings:
        settings = replace(Settings(), **self.values)
        if settings.lev_min > settings.lev_max:
            source = self.sources["lev_min" if self.sources["lev_min"] != DEFAULT_SOURCE else "lev_max"]
            message = f"lev_min {settings.lev_min:g} is above lev_max {settings.lev_max:g}"
            self.problems.append(SettingProblem(source, message))
            settings = replace(settings, lev_min=Settings().lev_min, lev_max=Settings().lev_max)
        return LoadedSettings(settings, MappingProxyType(self.sources), config_file, tuple(self.problems))


def _resolved(path: str, base: Path) -> str:
    """Relative to the working folder if it is below, so that messages and reports show short paths."""
    absolute = base / Path(path).expanduser()
    return str(absolute.relative_to(Path.cwd()) if absolute.is_relative_to(Path.cwd()) else absolute)


def _read(config_file: Path, problems: list[SettingProblem]) -> Mapping[str, Any]:
    try:
        table: Any = tomllib.loads(config_file.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        problems.append(SettingProblem(str(config_file), f"can't be read: {error.strerror or error}"))
        return {}
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        problems.append(SettingProblem(str(config_file), f"is not valid TOML: {error}"))
        return {}
    if config_file.name == PYPROJECT_NAME:
        table = table.get("tool", {}).get("cukereuse", {})
    if not isinstance(table, dict):
        problems.append(SettingProblem(str(config_file), "[tool.cukereuse] must be a table"))
        return {}
    return table
