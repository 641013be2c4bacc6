"""Command-line options for settings, made from the table of settings; and `--print-config`."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from cukereuse_engine.settings import SETTINGS, LoadedSettings, Setting, load_settings
from cukereuse_engine.settings.table import Heading, ValueType
from cukereuse_engine.settings.values import split_levels

Command = TypeVar("Command", bound=Callable[..., Any])


def setting_options(*names: str) -> Callable[[Command], Command]:
    """Options for these settings, in this order. Each option has the setting's name; its value is None if it is not
    given."""

    def decorate(command: Command) -> Command:
        for name in reversed(names):
            command = _option(SETTINGS[name])(command)
        return command

    return decorate


def options_under(*headings: Heading) -> Callable[[Command], Command]:
    """Options for the settings with these headings, in the order of the table."""
    return setting_options(*(name for heading in headings for name in _under(heading)))


def first_under(heading: Heading) -> str:
    """The name of the first setting with this heading."""
    return _under(heading)[0]


def _under(heading: Heading) -> list[str]:
    return [row.name for row in SETTINGS.values() if row.heading is heading]


def _option(setting: Setting) -> Callable[[Command], Command]:
    text = setting.help.replace("`", "")
    match setting.type:
        case ValueType.FLAG:
            negation = setting.flag.replace("--", "--no-", 1)
            return click.option(f"{setting.flag}/{negation}", setting.name, default=None, help=text)
        case ValueType.CHOICE:
            choice = click.Choice(setting.allowed)
            return click.option(setting.flag, setting.name, type=choice, default=None, help=text)
        case ValueType.TEXTS | ValueType.PATHS:
            metavar = "TEXT" if setting.type is ValueType.TEXTS else "PATH"
            more = " Can be repeated."
            return click.option(setting.flag, setting.name, multiple=True, metavar=metavar, help=text + more)
        case ValueType.LEVELS:
            text += f" As in {setting.flag} divergent-wording=warning. Can be repeated."
            return click.option(setting.flag, setting.name, multiple=True, metavar="RULE=SEVERITY", help=text)
        case ValueType.NUMBER | ValueType.COUNT:
            number: type = float if setting.type is ValueType.NUMBER else int
            return click.option(setting.flag, setting.name, type=number, default=None, help=text)
        case ValueType.PATH:
            path = click.Path()
            return click.option(setting.flag, setting.name, type=path, default=None, metavar="FILE", help=text)
        case ValueType.TEXT:
            return click.option(setting.flag, setting.name, default=None, help=text)


def load(start: Path, options: Mapping[str, Any]) -> LoadedSettings:
    """Settings for `start`. The command's `options` that are settings form the topmost layer."""
    flags: dict[str, Any] = {}
    for name, value in options.items():
        setting = SETTINGS.get(name)
        if setting is None or value is None or value == ():
            continue
        if setting.type is ValueType.LEVELS:
            try:
                value = split_levels(value)
            except ValueError as error:
                raise click.BadParameter(str(error), param_hint=setting.flag) from None
        flags[name] = value
    return load_settings(start, flags=flags)


no_cache_option = click.option("--no-cache", is_flag=True, help="Do not read or write any cache.")
write_option = click.option("--write", is_flag=True, help="Change the files. Without it, a diff is printed.")
undo_option = click.option(
    "--undo", is_flag=True, help="Undo the latest change; works in any folder of the repository."
)
print_config_option = click.option("--print-config", is_flag=True, help="Print each setting with its source, and exit.")


def config_text(loaded: LoadedSettings) -> str:
    """The settings as a `cukereuse.toml`, each with its source; unset ones as comments."""
    lines = []
    tables = []
    for setting in SETTINGS.values():
        value = getattr(loaded.settings, setting.name)
        source = loaded.sources[setting.name]
        if setting.type is ValueType.LEVELS:
            tables += [
                "",
                f"[{setting.name}]  # {source}",
                *(f"{key} = {_toml(level)}" for key, level in value.items()),
            ]
        elif value is None:
            lines.append(f"# {setting.name} is not set")
        else:
            lines.append(f"{setting.name} = {_toml(value)}  # {source}")
    return "\n".join(lines + tables)


def _toml(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(_toml, value))}]"
    # TOML's basic strings have the escapes of JSON, except for DEL
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
