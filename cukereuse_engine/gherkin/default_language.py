"""The language of feature files without a header, if a runner's configuration around them sets one.

Settings are read, never run. A name that is no dialect of Gherkin sets nothing.
"""

import configparser
import json
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

ENGLISH = "en"
_LEVELS = 4
_MAX_BYTES = 1_000_000
_TOKEN = re.compile(
    r"""(?P<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\]){0,999}`)|/\*.*?\*/|//[^\n]*"""
    r"""|(?P<open>[{(\[])|(?P<close>[})\]])|(?P<word>[A-Za-z_$][\w$]*)|(?P<colon>:)""",
    re.DOTALL,
)
_OPTION = re.compile(r"(?<![\w-])--language[\s=]+[\"']?([\w-]+)")
_NO_PROFILE = frozenset({"worldParameters", "world_parameters", "parameters", "formatOptions", "env"})
"""Settings whose values are a project's own."""
_NO_TEMPLATE = re.compile(r"<%#.*?%>", re.DOTALL)
_LINE = re.compile(
    r"""(?P<indent>[ \t]*)(?=[^\s#])(?:["']?(?P<name>[\w-]+)["']?[ \t]*:[ \t]*)?(?P<value>.*?)(?:[ \t]+\#[ \t].*)?""",
)
"""Matches a value of YAML, without its comment."""
_XML = re.compile(r"<language\s[^>]*?\bfeature\s*=\s*[\"']([\w-]+)")


def _of_behave(text: str) -> Iterator[str]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(text)
    yield parser.get("behave", "lang", fallback="")


def _of_pyproject(text: str) -> Iterator[str]:
    yield _entry(tomllib.loads(text), "tool", "behave", "lang")


def _of_script(text: str) -> Iterator[str]:
    """Yields the `language: "…"` of profiles at any depth, and `--language …` in strings."""
    around: list[str] = []
    """The key that each open bracket is the value of."""
    key = named = ""
    for token in _TOKEN.finditer(text):
        string = token["string"]
        if string is not None:
            if named == "language" and not _NO_PROFILE.intersection(around):
                yield string[1:-1]
            yield from _OPTION.findall(string[1:-1]) if not named or named == "default" or not around else ()
            key, named = (string[1:-1], "") if not named else ("", "")
        elif token["word"]:
            key, named = token["word"], ""
        elif token["colon"]:
            named, key = key, ""
        elif token["open"]:
            around.append(named or key)
            key = named = ""
        elif token["close"] and around:
            around.pop()
            key = named = ""


def _of_playwright(text: str) -> Iterator[str]:
    return _of_script(text) if "defineBddConfig" in text else iter(())


def _of_lines(text: str) -> Iterator[str]:
    """Yields the `language:` of profiles, and options anywhere: lines may be folded, or part of a template (ERB)."""
    inside: list[tuple[int, str]] = []
    for line in _NO_TEMPLATE.sub("", text).splitlines():
        entry = _LINE.fullmatch(line)
        if entry is None:
            continue
        depth, name, value = len(entry["indent"]), entry["name"], entry["value"]
        while inside and inside[-1][0] >= depth:
            inside.pop()
        if not _NO_PROFILE.intersection(key for _, key in inside):
            if name == "language" and len(inside) < 2:
                yield value.split("#")[0].strip().strip("\"'")
            yield from _OPTION.findall(value)
        if name is not None:
            inside.append((depth, name))


def _of_json(text: str) -> Iterator[str]:
    document = json.loads(text)
    profiles = document.values() if isinstance(document, dict) else ()
    yield from (_entry(profile, "language") for profile in (document, *profiles))


def _of_dotnet(text: str) -> Iterator[str]:
    yield _entry(json.loads(text.removeprefix("\ufeff")), "language", "feature")


def _of_xml(text: str) -> Iterator[str]:
    return iter(_XML.findall(text))


_READERS: dict[str, Callable[[str], Iterator[str]]] = {
    **dict.fromkeys(("behave.ini", ".behaverc", "setup.cfg", "tox.ini"), _of_behave),
    "pyproject.toml": _of_pyproject,
    **dict.fromkeys((f"cucumber.{end}" for end in ("js", "cjs", "mjs", "ts", "cts", "mts")), _of_script),
    "cucumber.json": _of_json,
    **dict.fromkeys(("cucumber.yml", "cucumber.yaml"), _of_lines),
    **dict.fromkeys((f"playwright.config.{end}" for end in ("js", "cjs", "mjs", "ts", "cts", "mts")), _of_playwright),
    **dict.fromkeys(("reqnroll.json", "specflow.json"), _of_dotnet),
    "app.config": _of_xml,
}
"""File of a runner to what it says; names in lower case."""
CONFIGURATIONS = frozenset({*_READERS, "App.config"})


def _entry(document: Any, *keys: str) -> str:
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, str) else ""


def default_language(folder: str) -> str:
    """The language in the nearest configuration that sets one, at most as high as the repository; outside of a
    repository, at most some folders above, and none that contains the user's home. `folder`: absolute."""
    return _language_around(folder, sys.maxsize if _is_in_repository(folder) else _LEVELS)


@lru_cache(maxsize=10_000)
def _is_in_repository(folder: str) -> bool:
    above = os.path.dirname(folder)  # noqa: PTH120
    return os.path.exists(os.path.join(folder, ".git")) or (above != folder and _is_in_repository(above))  # noqa: PTH110, PTH118


@lru_cache(maxsize=10_000)
def _language_around(folder: str, levels: int) -> str:
    if not levels or folder in _homes():
        return ENGLISH
    names = names_in(folder)
    below = [os.path.join(place, name) for place in ("config", ".config") if place in names for name in _READERS]  # noqa: PTH118
    for name in (*sorted(names), *below):
        read = _READERS.get(os.path.basename(name).lower())  # noqa: PTH119
        language = _language_in(Path(folder, name), read) if read is not None else ""
        if language:
            return language
    above = os.path.dirname(folder)  # noqa: PTH120
    is_top = ".git" in names or above == folder
    return ENGLISH if is_top else _language_around(above, levels - 1)


@lru_cache(maxsize=10_000)
def names_in(folder: str) -> frozenset[str]:
    """The names in a folder; empty if it can't be listed."""
    try:
        return frozenset(os.listdir(folder))  # noqa: PTH208 - asked of every folder with features
    except OSError:
        return frozenset()


@lru_cache(maxsize=1)
def _homes() -> frozenset[str]:
    home = Path.home()
    return frozenset(map(str, (home, *home.parents)))


def forget() -> None:
    """Forget everything: configurations have changed on disk."""
    _is_in_repository.cache_clear()
    _language_around.cache_clear()
    names_in.cache_clear()


def _language_in(path: Path, read: Callable[[str], Iterator[str]]) -> str:
    """The language in a file; empty if it sets none, or several."""
    try:
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:  # a pipe has no end
            return ""
        dialects = {dialect for name in read(path.read_text("utf-8", "replace")) if (dialect := dialect_of(name))}
    except (OSError, ValueError, RecursionError, configparser.Error):
        return ""
    return dialects.pop() if len(dialects) == 1 else ""


def dialect_of(name: str) -> str:
    """The dialect that a runner's language name means: `de-AT` is German. Empty: none."""
    from gherkin.dialect import DIALECTS

    codes = {code.lower(): code for code in DIALECTS}
    code = name.lower()
    return codes.get(code) or codes.get(code.partition("-")[0], "")
