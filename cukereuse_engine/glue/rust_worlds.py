"""cucumber-rs' programs: each runs the steps of one World, on the features that its `main` names.

A program skips a step that it does not define, and does not fail (except with `fail_on_skipped`); so a step is
undefined only if no program defines it. Paths are relative to the package, where cargo starts its tests. The module
tree is not read: steps of the World in other modules, and those of a World that has no program by its name, may belong
to a program.
"""

import os
from collections.abc import Callable, Mapping
from functools import lru_cache, partial

from cukereuse_engine.glue.definition import Extraction, Runner, StepDefinition
from cukereuse_engine.glue.scopes import Scope

FRAMEWORK = "cucumber-rs"
SUFFIX = ".rs"
CONFIGURATIONS = ("Cargo.toml",)
"""It marks a package."""


class RustWorlds:
    """The scopes of all programs, by the sources of their `main`."""

    def __init__(self) -> None:
        self._programs: dict[str, tuple[Runner, ...]] = {}
        """By absolute path."""
        self._scopes: dict[str, tuple[Scope, ...]] = {}
        self._absolute: Callable[[str], str] = lru_cache(100_000)(os.path.abspath)
        self._package_of: Callable[[str], str] = lru_cache(1_000)(_package_of)

    def reload(self) -> None:
        """Forget the packages, which have changed on disk."""
        self._package_of = lru_cache(1_000)(_package_of)
        self._scopes.clear()

    def update(self, extractions: Mapping[str, Extraction | None]) -> bool:
        """Take sources that are new, changed or (None) gone. True if steps may bind to other definitions now."""
        has_changed = False
        for path, extraction in extractions.items():
            if not path.endswith(SUFFIX):
                continue
            absolute = self._absolute(path)
            before = self._programs.pop(absolute, ())
            after = extraction.runners if extraction is not None else ()
            if after:
                self._programs[absolute] = after
            if before != after:
                has_changed = True
                self._scopes.clear()
        return has_changed

    def scopes_of(self, path: str, tags: tuple[str, ...], titles: tuple[str, str] = ("", "")) -> tuple[Scope, ...]:
        """The scopes of the programs that name the feature file, or a folder around it."""
        del tags, titles
        if path not in self._scopes:
            feature = self._absolute(path)
            self._scopes[path] = tuple(
                Scope(
                    f"{source} {runner.name}",
                    partial(self._holds, source, runner.name),
                    may_hold=partial(self._may_hold, source, runner.name),
                    frameworks=frozenset({FRAMEWORK}),
                    run=f"{source} {runner.name}",
                )
                for source, runners in sorted(self._programs.items())
                for runner in runners
                if any(_is_below(feature, os.path.join(self._package_of(source), place)) for place in runner.features)  # noqa: PTH118
            )
        return self._scopes[path]

    def _holds(self, program: str, world: str, definition: StepDefinition) -> bool:
        """A program has the steps of its World in its own source and in modules: those beside it, those in its package
        that are beside no program, and those in a package without programs."""
        if definition.framework != FRAMEWORK:
            return True
        path = self._absolute(definition.path)
        if _world_of(definition) not in (world, "Self", ""):
            return False
        if path in self._programs:
            return path == program
        around = [folder for other in self._programs if _is_below(path, folder := os.path.dirname(other))]  # noqa: PTH120
        if around:
            return os.path.dirname(program) == max(around, key=len)  # noqa: PTH120
        home = self._package_of(path)
        return home == self._package_of(program) or home not in map(self._package_of, self._programs)

    def _may_hold(self, program: str, world: str, definition: StepDefinition) -> bool:
        """True for all definitions except those of another program's source or World."""
        if definition.framework != FRAMEWORK:
            return False
        path = self._absolute(definition.path)
        if path != program and (path in self._programs or definition.registry.startswith("@")):
            return False
        own = _world_of(definition)
        return own in (world, "Self", "") or not any(
            runner.name == own for runners in self._programs.values() for runner in runners
        )


def _world_of(definition: StepDefinition) -> str:
    return definition.registry.lstrip("@").partition("<")[0].rstrip(":")


def _is_below(path: str, place: str) -> bool:
    place = os.path.normpath(place)
    return path == place or path.startswith(place.rstrip(os.sep) + os.sep)


def _package_of(source: str) -> str:
    folder = os.path.dirname(source)  # noqa: PTH120
    while not os.path.isfile(os.path.join(folder, *CONFIGURATIONS)) and os.path.dirname(folder) != folder:  # noqa: PTH113, PTH118, PTH120
        folder = os.path.dirname(folder)  # noqa: PTH120
    return folder
