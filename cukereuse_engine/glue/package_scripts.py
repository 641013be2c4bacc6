"""Commands in `package.json` that start Cucumber.js: which step definitions each loads.

Where a configuration of Cucumber's own stands beside it, that tells. Nothing is executed.
"""

import json
import re
from collections.abc import Iterator
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
_FOLDER = re.compile(r"\s*cd\s+([\"']?)([\w./@-]+)\1\s*")
_ELSEWHERE = re.compile(r"\s*(?:\(|(?:cd|pushd)\b)")


def read_scripts(configuration: Path) -> tuple[Profile, ...] | None:
    """A profile for each command that names its glue; None where there is none. Never raises."""
    if configuration.name != _PACKAGE:
        return ()
    try:
        text = configuration.read_text(encoding="utf-8", errors="replace") if is_plain(configuration) else ""
        package = json.loads(text)
    except (OSError, ValueError, RecursionError):
        return None
    scripts = package.get("scripts") if isinstance(package, dict) else None
    lines = scripts.items() if isinstance(scripts, dict) else ()
    return tuple(each for name, line in lines for each in _of_script(name, line, configuration.parent)) or None


def _of_script(name: str, line: Any, folder: Path) -> Iterator[Profile]:
    """Up to where nobody can tell in which folder a command runs."""
    for number, command in enumerate(_COMMANDS.split(line) if isinstance(line, str) else ()):
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
