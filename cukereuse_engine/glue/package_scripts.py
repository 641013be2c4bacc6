"""Commands in `package.json` that start Cucumber.js, and which step definitions each loads.

A configuration of Cucumber's own in the same folder takes precedence. Nothing is executed.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cukereuse_engine.glue import profiles
from cukereuse_engine.glue.configuration import is_plain
from cukereuse_engine.glue.profiles import Profile, of_line, profile_of

FRAMEWORKS = frozenset({"cucumber-js"})
_PACKAGE = "package.json"
CONFIGURATIONS = (*profiles.CONFIGURATIONS, _PACKAGE)
_COMMANDS = re.compile(r"&&|\|\|?|;|(?<![>&])&(?!&)")
_CUCUMBER_JS = re.compile(r"(?:^|\s)[^\s'\"]*cucumber-js(?:\.cmd)?(?=\s|$)")
_CALL = re.compile(r"\s*(?:npm run|(?:pnpm|yarn)(?: run)?)\s+(?P<name>[\w:./-]+)\s+(?:--\s+)?(?P<more>[^&|;]+)")
"""A script that calls another script with more options."""
_FOLDER = re.compile(r"\s*cd\s+([\"']?)([\w./@-]+)\1\s*")
_ELSEWHERE = re.compile(r"\s*(?:\(|(?:cd|pushd)\b)")


def read_scripts(configuration: Path) -> tuple[Profile, ...] | None:
    """A profile for each command that names its glue; None if no command does. Never raises."""
    if configuration.name != _PACKAGE:
        return ()
    try:
        text = configuration.read_text(encoding="utf-8", errors="replace") if is_plain(configuration) else ""
        package = json.loads(text)
    except (OSError, ValueError, RecursionError):
        return None
    scripts = package.get("scripts") if isinstance(package, dict) else None
    lines = _whole(scripts) if isinstance(scripts, dict) else {}
    return tuple(each for name, line in lines.items() for each in _of_script(name, line, configuration.parent)) or None


def _whole(scripts: Mapping[str, Any]) -> dict[str, str]:
    """The scripts that no other script calls, with the options of the scripts that they call."""
    lines = {name: line for name, line in scripts.items() if isinstance(line, str)}
    calls = {name: call for name, line in lines.items() if (call := _CALL.fullmatch(line)) and call["name"] in lines}
    called = {call["name"] for call in calls.values()}
    whole = {name: line for name, line in lines.items() if name not in called}
    for name in whole:
        at, seen = name, {name}
        while at in calls:
            at = calls[at]["name"]
            if at in seen:
                break
            seen.add(at)
            more = _CALL.fullmatch(whole[name])
            whole[name] = f"{lines[at]} {more['more']}" if more is not None else whole[name]
    return whole


def _of_script(name: str, line: str, folder: Path) -> Iterator[Profile]:
    """Yields the profiles of a script, up to a command whose folder is unknown."""
    for number, command in enumerate(_COMMANDS.split(line)):
        if moved := _FOLDER.fullmatch(command):
            folder = folder / moved[2]
        elif _ELSEWHERE.match(command):
            return
        elif called := _CUCUMBER_JS.search(command):
            try:
                loads, paths, tags = of_line(command[called.end() :], {"-c"})
            except ValueError:
                continue
            if loads and not any("$" in load for load in loads):
                yield profile_of(f"{name} {number}" if number else name, folder, loads, paths, tags)
