"""Scopes: which step definitions apply to which steps, if a runner's configuration tells.

A scope is one suite of one runner. If no scope runs a step, every definition in reach counts for it. Nothing here reads
a file.
"""

import os
import sys
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cukereuse_engine.glue.definition import Extraction, GlueClass, StepDefinition


@dataclass(frozen=True, slots=True)
class Scope:
    name: str
    """Name of the suite in the configuration."""
    holds: Callable[[StepDefinition], bool]
    """True if a definition counts in the suite; also for other frameworks, whose definitions have no part in it."""
    is_open: bool = False
    """True if some of the suite's definitions were not found: a step that it leaves undefined may bind to any, first to
    those that it `may_hold`."""
    may_hold: Callable[[StepDefinition], bool] | None = None
    """True if the suite may load a definition in a way that nothing here reads: a step that it leaves undefined may
    bind to these. None: there are no such."""
    anywhere: bool = True
    """True if a definition's place does not matter; otherwise one of the feature's own project takes precedence."""
    frameworks: frozenset[str] = frozenset()
    """Frameworks to which `anywhere` is limited, if not empty: of others, the definitions in reach count."""
    nearness: Callable[[StepDefinition], int] | None = None
    """If a runner chooses among definitions by their place: maps each to a number; the highest number counts."""
    by_keyword: bool = False
    """True if a definition serves only steps of its own keyword, although its runner does not require that."""
    libraries: tuple[str, ...] = ()
    """Libraries from outside the repository: a step that the suite leaves undefined may be defined there."""
    run: str = ""
    """The run that the suite is a part of, if people choose between several: a step that one leaves undefined is there
    for another."""


ScopesOf = Callable[[str, tuple[str, ...], tuple[str, str]], tuple[Scope, ...]]
"""Maps (a feature file, a step's tags, the titles of its feature and scenario) to the scopes that run it."""


def answers(definition: StepDefinition, keyword_type: str) -> bool:
    """True if a definition is named after a keyword type ("given", …), or after none: `bdd.Given`, `@given`, `Step`."""
    name = definition.keyword.rpartition(".")[2].lstrip("@").lower()
    return name == keyword_type or name not in ("given", "when", "then")


class GlueClasses:
    """The classes of all sources: the class of each definition, and what each class inherits.

    If several projects of a repository have a class of one name, the class nearest to a folder counts there.
    """

    def __init__(self) -> None:
        self.version = 0
        """Counts the changes."""
        self._by_path: dict[str, tuple[GlueClass, ...]] = {}
        self._declared: dict[str, dict[str, tuple[str, ...]]] = {}
        """Maps a class, in lower case for PHP, to the files that declare it, with what it inherits there."""
        self._nearest: dict[tuple[str, str], tuple[str, ...]] = {}

    def update(self, extractions: Mapping[str, Extraction | None]) -> None:
        """Take files that are new, changed or (None) gone."""
        before = {path: self._by_path.get(path, ()) for path in extractions}
        after = {path: extraction.classes if extraction is not None else () for path, extraction in extractions.items()}
        if before == after:
            return
        self._by_path |= {path: classes for path, classes in after.items() if classes}
        if all(_inherits(before[path]) == _inherits(after[path]) for path in before):  # the classes only moved
            return
        self.version += 1
        for path in extractions:
            for glue_class in before[path]:
                self._declared.get(glue_class.name.lower(), {}).pop(path, None)
            for glue_class in after[path]:
                self._declared.setdefault(glue_class.name.lower(), {})[path] = glue_class.parents
            if not after[path]:
                self._by_path.pop(path, None)
        self._nearest.clear()

    def __bool__(self) -> bool:
        return bool(self._by_path)

    def __contains__(self, name: str) -> bool:
        return bool(self._declared.get(name.lower()))

    def lineage(self, name: str, folder: str) -> frozenset[tuple[str, str]]:
        """A class with all superclasses and traits that it inherits, seen from an absolute folder: their names, and the
        files that declare them (empty for a class that was not found)."""
        lineage: set[tuple[str, str]] = set()
        waiting = [name.lower()]
        seen: set[str] = set()
        while waiting:
            class_name = waiting.pop()
            if class_name in seen:
                continue
            seen.add(class_name)
            files = self._nearest_to(folder, class_name)
            lineage.update((class_name, path) for path in files or ("",))
            waiting += [parent.lower() for path in files for parent in self._declared[class_name][path]]
        return frozenset(lineage)

    def foreign(self) -> list[str]:
        """The names that classes inherit and that no class here has."""
        parents = {parent for files in self._declared.values() for own in files.values() for parent in own}
        return sorted(parent for parent in parents if not self._declared.get(parent.lower()))

    def _nearest_to(self, folder: str, class_name: str) -> tuple[str, ...]:
        """The files that declare a class: in the folder or the nearest one around it, at the least depth."""
        key = folder, class_name
        if key not in self._nearest:
            files = self._declared.get(class_name, {})
            distance = {path: _distance(path, folder) if len(files) > 1 else (0, 0) for path in files}
            nearest = min(distance.values(), default=(0, 0))
            self._nearest[key] = tuple(path for path in files if distance[path] == nearest)
        return self._nearest[key]

    def class_of(self, definition: StepDefinition) -> tuple[str, str]:
        """The class of a definition: its name in lower case (empty outside any class) and its file."""
        classes = self._by_path.get(definition.path, ())
        at = bisect_right(classes, definition.literal.start_byte, key=lambda glue_class: glue_class.start_byte) - 1
        while at >= 0 and definition.literal.start_byte >= classes[at].end_byte:
            at -= 1
        return classes[at].name.lower() if at >= 0 else "", definition.path


def _distance(path: str, folder: str) -> tuple[int, int]:
    """The distance between a path and a folder: how many folders up, and then how many down."""
    try:
        parts = Path(os.path.relpath(path, folder)).parts
    except ValueError:  # on another drive
        return sys.maxsize, 0
    up = parts.count(os.pardir)
    return up, len(parts) - up


def _inherits(classes: tuple[GlueClass, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(glue_class.name, glue_class.parents) for glue_class in classes]
