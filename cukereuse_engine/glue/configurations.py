"""The files of runners that decide which step definitions apply where. Editors watch them."""

from pathlib import PurePath

from cukereuse_engine.glue import (
    behat,
    cypress,
    jvm_runners,
    libraries,
    playwright,
    profiles,
    project_rules,
    pytest_modules,
    rust_worlds,
    script_runners,
)

_RUNNERS = (behat, profiles, playwright, cypress, jvm_runners, libraries, pytest_modules, rust_worlds, script_runners)
CONFIGURATIONS = tuple(
    dict.fromkeys(name for runner in _RUNNERS for name in runner.CONFIGURATIONS if name != "package.json")
)
"""Paths from a project's folder, without `package.json`, which also changes for other reasons."""
_SCOPING = frozenset(PurePath(name).name for name in CONFIGURATIONS)
NAMES = _SCOPING.union(project_rules.CONFIGURATIONS)
"""Also with the files that decide how definitions are read."""


def is_configuration(path: str) -> bool:
    """True if a file decides which step definitions apply where."""
    return PurePath(path).name in _SCOPING
