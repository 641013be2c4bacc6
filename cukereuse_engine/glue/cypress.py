"""cypress-cucumber-preprocessor's configuration: which files contain the step definitions of a feature file.

Reads `.cypress-cucumber-preprocessorrc` and the entry in `package.json`; of a configuration that is a program, only its
literals. Nothing is executed.
"""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from cukereuse_engine.glue import globs
from cukereuse_engine.glue.configuration import is_plain, read_yaml
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.scopes import Scope
from cukereuse_engine.storage import plain_text

FRAMEWORK = "cypress-cucumber-preprocessor"
_PLACE = re.compile(r"\[filep(?:ath|art)\]")
_KEY = "cypress-cucumber-preprocessor"
_PUBLISHED = f"@badeball/{_KEY}"
_SCRIPTS = (".js", ".cjs", ".mjs", ".ts")
CONFIGURATIONS = (
    *(f"cypress.config{suffix}" for suffix in _SCRIPTS),
    *("cypress.env.json", "cypress.json"),
    *(f".{_KEY}rc{suffix}" for suffix in ("", ".json", ".yaml", ".yml", *_SCRIPTS)),
    *(f".config/{_KEY}rc{suffix}" for suffix in ("", ".json", ".yaml", ".yml", *_SCRIPTS)),
    *(f"{_KEY}.config{suffix}" for suffix in _SCRIPTS),
    "package.json",
)
"""Cypress' environment, which takes precedence; then cosmiconfig's places, in its order."""
_MOST_FOLDERS = 5_000
"""The number of folders that are searched for feature files."""
_STEP_DEFINITIONS = re.compile(r"\bstepDefinitions\b['\"]?\s*[:=]\s*(\[(?:\[\w+\]|[^\[\]])*\]|['\"`][^'\"`]+['\"`])")
_LITERAL = re.compile(r"(['\"`])(.+?)\1")


@dataclass(frozen=True, slots=True)
class _Configuration:
    folder: str
    patterns: tuple[str, ...]
    """The patterns in `stepDefinitions`; empty if it is not set."""
    is_per_feature: bool
    """`nonGlobalStepDefinitions`: a folder named like the feature file holds its own, `common` those of all."""


class Cypress:
    """The scope of each feature file below one folder."""

    def __init__(self, root: str) -> None:
        """`root`: no configuration above this folder is looked for."""
        self._root = Path(os.path.abspath(root))  # noqa: PTH100
        self._by_folder: dict[str, _Configuration | None] = {}
        self._scopes: dict[str, tuple[Scope, ...]] = {}
        self._homes: dict[str, str] = {}
        """Maps a configuration's folder to what the preprocessor takes for the folder of its feature files."""

    def scopes_of(self, path: str, tags: tuple[str, ...], titles: tuple[str, str] = ("", "")) -> tuple[Scope, ...]:
        """One scope, or none if nothing is configured."""
        del tags, titles
        scopes = self._scopes.get(path)
        if scopes is None:
            scopes = self._scopes[path] = self._find(os.path.abspath(path))  # noqa: PTH100
        return scopes

    def is_outdated(self) -> bool:
        """True if configurations have changed since they were read."""
        now = Cypress(str(self._root))
        return any(now._configuration(folder) != told for folder, told in self._by_folder.items())

    def _find(self, path: str) -> tuple[Scope, ...]:
        configuration = self._configuration(os.path.dirname(path))  # noqa: PTH120
        if configuration is None:
            return ()
        if configuration.folder not in self._homes:
            self._homes[configuration.folder] = _home_of(configuration.folder)
        patterns = _patterns(configuration, path, self._homes[configuration.folder])
        return (
            (Scope(path, partial(_holds, patterns), is_open=True, frameworks=frozenset({FRAMEWORK})),)
            if patterns
            else ()
        )

    def _configuration(self, folder: str) -> _Configuration | None:
        if folder in self._by_folder:
            return self._by_folder[folder]
        configuration = next((read for name in CONFIGURATIONS if (read := _read(folder, name)) is not None), None)
        configuration = configuration or _default(folder)
        if configuration is None and Path(folder) != self._root and self._root in Path(folder).parents:
            configuration = self._configuration(os.path.dirname(folder))  # noqa: PTH120
        self._by_folder[folder] = configuration
        return configuration


def _home_of(folder: str) -> str:
    """The deepest folder around all feature files (lib/template.ts); empty if there are none."""
    folders: list[str] = []
    for count, (around, inner, names) in enumerate(os.walk(folder)):
        inner[:] = sorted(name for name in inner if not name.startswith(".") and name != "node_modules")
        if any(name.endswith(".feature") for name in names):
            folders.append(around)
        if count > _MOST_FOLDERS:
            return ""
    return os.path.commonpath(folders).replace(os.sep, "/") if folders else ""


def _read(folder: str, name: str) -> _Configuration | None:
    """The configuration in a file; None if there is none, or if it sets nothing."""
    settings = _settings(Path(folder, name))
    if not isinstance(settings, dict):
        return None
    for inner in ("env", "e2e"):
        settings = {**settings, **settings[inner]} if isinstance(settings.get(inner), dict) else settings
    stated = settings.get("stepDefinitions", settings.get("step_definitions"))
    patterns = [stated] if isinstance(stated, str) else stated if isinstance(stated, list) else []
    strings = tuple(pattern.replace("\\", "/") for pattern in patterns if isinstance(pattern, str))
    per_feature = settings.get("nonGlobalStepDefinitions") is True
    return _Configuration(folder, strings, per_feature) if strings or per_feature else None


def _settings(path: Path) -> Any:
    """The document in a file; None if it can't be read."""
    try:
        if not path.is_file() or not is_plain(path):
            return None
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    if path.suffix in _SCRIPTS:
        return _literals(text)
    if path.name == "package.json":
        package = _json(text)
        return package.get(_KEY) if isinstance(package, dict) else None
    settings = None if path.suffix in (".yaml", ".yml") else _json(text)
    return read_yaml(path, []) if settings is None else settings


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _default(folder: str) -> _Configuration | None:
    """The defaults of the package since its version 5; before that, all definitions were loaded."""
    try:
        package = plain_text(os.path.join(folder, "package.json"))  # noqa: PTH118
    except OSError:
        return None
    if f'"{_PUBLISHED}"' not in package:
        return None
    suffix = "*.{js,mjs,ts,tsx}"
    roots = ("[integration-directory]", "cypress/e2e", "cypress/integration")
    own = [f"{root}/[filepath]{place}" for root in roots for place in (f"/**/{suffix}", suffix[1:])]
    return _Configuration(folder, (*own, f"cypress/support/step_definitions/**/{suffix}"), is_per_feature=False)


def _literals(text: str) -> dict[str, Any]:
    stated = _STEP_DEFINITIONS.search(text)
    patterns = [literal[2] for literal in _LITERAL.finditer(stated[1])] if stated else []
    per_feature = re.search(r"nonGlobalStepDefinitions\W{1,3}true", text) is not None
    return {"stepDefinitions": patterns, "nonGlobalStepDefinitions": per_feature}


def _patterns(configuration: _Configuration, path: str, home: str) -> tuple[str, ...]:
    """The absolute patterns for a feature file (lib/step-definitions.ts). Empty if the feature's place is unknown.
    `home`: the folder of the feature files, which older versions set beside the pattern."""
    stem = re.sub(r"\.feature$", "", path.replace(os.sep, "/"))
    folder = configuration.folder.replace(os.sep, "/")
    globs: list[str] = []
    is_placed = not any("[filep" in pattern for pattern in configuration.patterns)
    for pattern in configuration.patterns:
        if not re.search(r"\*|\.\w+$|\[file", pattern):
            if configuration.is_per_feature:
                continue  # the folder that serves all features
            pattern = f"{pattern.rstrip('/')}/**/*"
        pattern = pattern.replace("[integration-directory]", home or f"{folder}/cypress/e2e")
        absolute = pattern if pattern.startswith("/") else f"{folder}/{re.sub(r'^(?:[.]/)+', '', pattern)}"
        place = _PLACE.search(absolute)
        own = [absolute] if place is None else [*_placed(absolute, place, stem, home)]
        is_placed |= place is not None and bool(own)
        globs += own
    if configuration.is_per_feature and not any("[file" in pattern for pattern in configuration.patterns):
        globs += [f"{stem}/**/*", f"{folder}/**/common/**/*"]
    return tuple(os.path.normpath(glob) for glob in globs) if is_placed else ()


def _placed(pattern: str, place: re.Match[str], stem: str, home: str) -> Iterator[str]:
    """A pattern with the feature's place inserted, relative to the text before it in the pattern, or to `home`."""
    before = pattern[: place.start()]
    for around in dict.fromkeys((before, f"{home}/")):
        if len(around) > 1 and stem.startswith(around):
            own = stem[len(around) :]
            for part in [own] if place.group() == "[filepath]" else [*_parts(own), "."]:
                yield before + part + pattern[place.end() :]


def _parts(path: str) -> list[str]:
    pieces = path.split("/")
    return ["/".join(pieces[:end]) for end in range(len(pieces), 0, -1)]


def _holds(patterns: tuple[str, ...], definition: StepDefinition) -> bool:
    if definition.framework != FRAMEWORK:
        return True
    return _is_one_of(patterns, os.path.abspath(definition.path).replace(os.sep, "/"))  # noqa: PTH100


@lru_cache(maxsize=100_000)
def _is_one_of(patterns: tuple[str, ...], path: str) -> bool:
    return any(globs.matches(path, pattern) for pattern in patterns)
