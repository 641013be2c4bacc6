"""Codeception's configuration, as suites of Behat: which classes serve the feature files of each suite.

Reads `codeception.yml` and the suites' own files beside the tests. A context of a tag or a role is added to the
contexts of all scenarios (src/Codeception/Test/Loader/Gherkin.php). Nothing is executed.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cukereuse_engine.glue.behat_suites import BehatSuite
from cukereuse_engine.glue.configuration import read_yaml
from cukereuse_engine.glue.definition import GlueError

CONFIGURATIONS = ("codeception.yml", "codeception.dist.yml")


def read_codeception(configuration: Path) -> tuple[tuple[BehatSuite, ...], tuple[GlueError, ...]]:
    """Every suite, each as a separate run. Never raises: a file that can't be read becomes an error."""
    errors: list[GlueError] = []
    folder = configuration.parent
    settings = _merged(_mapping(read_yaml(folder / name, errors)) for name in reversed(CONFIGURATIONS))
    tests = folder / str(_mapping(settings.get("paths")).get("tests") or "tests")
    own: dict[str, list[dict[str, Any]]] = {
        str(name): [_mapping(suite)] for name, suite in _mapping(settings.get("suites")).items()
    }
    for path in sorted(tests.glob("*.suite*.yml"), key=lambda path: (".dist." not in path.name, path.name)):
        own.setdefault(path.name.partition(".suite")[0], []).append(_mapping(read_yaml(path, errors)))
    suites = [suite for name, each in own.items() for suite in _suites(name, _merged([settings, *each]), tests)]
    return tuple(suites), tuple(errors)


def _suites(name: str, settings: Mapping[str, Any], tests: Path) -> Iterator[BehatSuite]:
    """Yields the suite as it runs scenarios without these tags and roles, and with each of them."""
    contexts = _mapping(_mapping(settings.get("gherkin")).get("contexts"))
    tags, roles = _mapping(contexts.get("tag")), _mapping(contexts.get("role"))
    always = [*_names(contexts.get("default")), *_in_folder(contexts, tests.parent)]
    if not always and not tags and not roles:
        always = _actor(settings)
    place = os.path.normpath(tests / str(settings.get("path") or name))
    suite = BehatSuite(name, tuple(class_name.lstrip("\\") for class_name in always), (place,), profile=name)
    if suite.contexts:
        yield replace(suite, tags="&&".join(f"~@{tag}" for tag in tags))
    for tag, more in tags.items():
        yield replace(suite, contexts=(*suite.contexts, *_names(more)), tags=f"@{tag}", profile=f"{name} @{tag}")
    for role, more in roles.items():
        yield replace(suite, contexts=(*suite.contexts, *_names(more)), role=str(role), profile=f"{name} {role}")


def _actor(settings: Mapping[str, Any]) -> list[str]:
    """The class with a suite's steps, if no context has them."""
    actor = str(settings.get("actor") or settings.get("class_name") or "")
    namespace = str(settings.get("namespace") or "")
    return ["\\".join(filter(None, (namespace, actor)))] if actor else []


def _in_folder(contexts: Mapping[str, Any], root: Path) -> list[str]:
    """The classes in the folders below `path`, under `namespace_prefix`."""
    folder, prefix = contexts.get("path"), contexts.get("namespace_prefix")
    if not isinstance(folder, str) or not isinstance(prefix, str):
        return []
    return [f"{prefix}\\{path.parent.name}\\{path.stem}" for path in sorted((root / folder).glob("*/*.php"))]


def _names(value: object) -> list[str]:
    return [item.lstrip("\\") for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _merged(settings: Any) -> dict[str, Any]:
    """Settings with mappings merged at any depth and lists joined; other values are replaced."""
    merged: dict[str, Any] = {}
    for other in settings:
        for key, value in other.items():
            present = merged.get(key)
            if isinstance(present, dict) and isinstance(value, dict):
                merged[key] = _merged([present, value])
            elif isinstance(present, list) and isinstance(value, list):
                merged[key] = [*present, *(item for item in value if item not in present)]
            else:
                merged[key] = value
    return merged
