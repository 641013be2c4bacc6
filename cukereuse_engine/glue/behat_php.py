r"""Behat's configuration in PHP (`behat.php`, Behat\Config): the suites in its literals.

The file is a program and is not run: values in variables, functions and other files stay unknown.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cukereuse_engine.glue.configuration import is_plain, without_comments
from cukereuse_engine.glue.definition import GlueError

_USE = re.compile(r"\buse\s+\\?([\w\\]+?)(?:\s+as\s+(\w+))?\s*;")
_BEGINS = re.compile(r"\bnew\s+\\?(?:\w+\\)*(Profile|Suite)\s*\(\s*(['\"])(.*?)\2")
_CALL = re.compile(r"->\s*(withPaths|withContexts|addContext)\s*\(((?:[^()]|\([^()]*\))*)\)")
_SETTING = re.compile(r"(['\"])(paths|contexts)\1\s*=>\s*\[([^\]]*)\]")
_FILTER = re.compile(r"\bnew\s+\\?(?:\w+\\)*(Tag|Name|Role|Narrative)Filter\s*\(\s*(['\"])(.*?)\2")
_NAME = re.compile(r"\\?([\w\\]+)::class|__DIR__\s*\.\s*(['\"])/?(.*?)\2|(['\"])(.*?)\4")


def read_php(path: Path, errors: list[GlueError]) -> dict[str, Any]:
    """The configuration as a YAML file would hold it: profiles with their suites. Never raises."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace") if is_plain(path) else ""
    except OSError as error:
        errors.append(GlueError(str(path), 0, 0, f"can't be read: {error.strerror or error}"))
        return {}
    text = without_comments(text)
    uses = {alias or name.rpartition("\\")[2]: name for name, alias in _USE.findall(text)}
    profiles: dict[str, Any] = {}
    suites: dict[str, Any] = profiles.setdefault("default", {"suites": {}})["suites"]
    begins = [*_BEGINS.finditer(text)]
    ends = [*(begin.start() for begin in begins[1:]), len(text)]
    for begin, end in zip(begins, ends, strict=False):  # without a first one there is no other
        kind, name = begin[1], begin[3]
        if kind == "Profile":
            suites = profiles.setdefault(name, {"suites": {}})["suites"]
        else:
            suites[name] = _suite(text[begin.end() : end], uses)
    return profiles


def _suite(text: str, uses: dict[str, str]) -> dict[str, Any]:
    stated: dict[str, list[str]] = {}
    calls = [(call, arguments) for call, arguments in _CALL.findall(text)]
    for call, arguments in [*calls, *((key, listed) for _, key, listed in _SETTING.findall(text))]:
        key = "paths" if call in ("withPaths", "paths") else "contexts"
        names = list(_names(arguments, uses))
        stated.setdefault(key, []).extend(names[:1] if call == "addContext" else names)
    filters = {{"Tag": "tags"}.get(kind, kind.lower()): value for kind, _, value in _FILTER.findall(text)}
    return {**stated, **({"filters": filters} if filters else {})}


def _names(arguments: str, uses: dict[str, str]) -> Iterator[str]:
    """Yields classes by their full names, and paths and services as they are written."""
    for match in _NAME.finditer(arguments):
        if match[1]:
            first, separator, rest = match[1].partition("\\")
            yield uses.get(first, first) + separator + rest
        else:
            yield match[3] if match[2] else match[5]
