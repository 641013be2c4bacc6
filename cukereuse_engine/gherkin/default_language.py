"""The language of feature files that name none, where a runner's configuration around them sets one.

Settings are read, never run. What names no dialect of Gherkin sets nothing.
"""

import configparser
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from gherkin.dialect import DIALECTS

ENGLISH = "en"
_MAX_BYTES = 1_000_000
_SCRIPT = re.compile(
    r"""'(?:\\.|[^'\\\n])*'(?!\s*:)|"(?:\\.|[^"\\\n])*"(?!\s*:)|/\*.*?\*/|//[^\n]*"""
    r"""|(?<![\w.])(["']?)language\1\s*:\s*(["'`])([\w-]+)\2""",
    re.DOTALL,
)
_OPTION = re.compile(r"--language[\s=]+[\"']?([\w-]+)|^[ \t]*language:[ \t]*[\"']?([\w-]+)", re.MULTILINE)
_XML = re.compile(r"<language\s[^>]*?\bfeature\s*=\s*[\"']([\w-]+)")


def _of_behave(text: str) -> Iterator[str]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(text)
    yield parser.get("behave", "lang", fallback="")


def _of_pyproject(text: str) -> Iterator[str]:
    yield _entry(tomllib.loads(text), "tool", "behave", "lang")


def _of_script(text: str) -> Iterator[str]:
    yield from (match[3] for match in _SCRIPT.finditer(text) if match[3])
    yield from (match[1] for match in _OPTION.finditer(text) if match[1])


def _of_playwright(text: str) -> Iterator[str]:
    return _of_script(text) if "defineBddConfig" in text else iter(())


def _of_lines(text: str) -> Iterator[str]:
    yield from (match[1] or match[2] for match in _OPTION.finditer(text))


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


@lru_cache(maxsize=10_000)
def default_language(folder: str) -> str:
    """What the nearest configuration says that says anything, no higher than the repository. `folder`: absolute."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 - asked of every folder with features
    except OSError:
        names = []
    below = [os.path.join(place, name) for place in ("config", ".config") if place in names for name in _READERS]  # noqa: PTH118
    for name in (*sorted(names), *below):
        read = _READERS.get(os.path.basename(name).lower())  # noqa: PTH119
        language = _language_in(Path(folder, name), read) if read is not None else ""
        if language:
            return language
    above = os.path.dirname(folder)  # noqa: PTH120
    return ENGLISH if ".git" in names or above == folder else default_language(above)


def forget() -> None:
    """Configurations changed on disk."""
    default_language.cache_clear()


def _language_in(path: Path, read: Callable[[str], Iterator[str]]) -> str:
    """Empty where it says nothing, or not one thing."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            return ""
        said = {dialect for name in read(path.read_text("utf-8", "replace")) if (dialect := dialect_of(name))}
    except (OSError, ValueError, RecursionError, configparser.Error):
        return ""
    return said.pop() if len(said) == 1 else ""


def dialect_of(name: str) -> str:
    """The dialect that a runner's name of a language means: `de-AT` is German. Empty: none."""
    known = {code.lower(): code for code in DIALECTS}
    code = name.lower()
    return known.get(code) or known.get(code.partition("-")[0], "")
