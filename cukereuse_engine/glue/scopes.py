"""Scopes: which step definitions count for which steps, where a runner's configuration says so.

A scope is one suite of one runner. Where no scope runs a step, every definition in reach counts for it. Nothing here
reads a file.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from cukereuse_engine.glue.definition import Extraction, GlueClass, StepDefinition


@dataclass(frozen=True, slots=True)
class Scope:
    name: str
    """As the configuration names the suite."""
    holds: Callable[[StepDefinition], bool]
    """Whether a definition counts in the suite. True for definitions of other frameworks: they have no part in it."""
    is_open: bool = False
    """The suite has definitions that were not found: a step that it leaves undefined may bind to any."""


class Classes:
    """The classes of all sources: which one a definition stands in, and what each inherits."""

    def __init__(self) -> None:
        self.version = 0
        """Counts the changes."""
        self._by_path: dict[str, tuple[GlueClass, ...]] = {}
        self._parents: dict[str, tuple[str, ...]] = {}
        self._lineages: dict[str, frozenset[str]] = {}

    def update(self, extractions: Mapping[str, Extraction | None]) -> None:
        """Files are new, changed or (None) gone."""
        before = {path: self._by_path.get(path, ()) for path in extractions}
        after = {path: extraction.classes if extraction is not None else () for path, extraction in extractions.items()}
        if before == after:
            return
        if all(_inherits(before[path]) == _inherits(after[path]) for path in before):  # they only moved
            self._by_path |= {path: classes for path, classes in after.items() if classes}
            return
        self.version += 1
        for path, extraction in extractions.items():
            for glue_class in self._by_path.pop(path, ()):
                self._parents.pop(glue_class.name.lower(), None)
            if extraction is not None and extraction.classes:
                self._by_path[path] = extraction.classes
        for classes in self._by_path.values():
            for glue_class in classes:
                self._parents[glue_class.name.lower()] = glue_class.parents
        self._lineages.clear()

    def __bool__(self) -> bool:
        return bool(self._by_path)

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._parents

    def lineage(self, name: str) -> frozenset[str]:
        """A class with all that it inherits, superclasses and traits of any depth; in lower case: PHP ignores it."""
        lineage = self._lineages.get(name)
        if lineage is None:
            lineage_so_far: set[str] = set()
            waiting = [name.lower()]
            while waiting:
                class_name = waiting.pop()
                if class_name not in lineage_so_far:
                    lineage_so_far.add(class_name)
                    waiting += [parent.lower() for parent in self._parents.get(class_name, ())]
            lineage = self._lineages[name] = frozenset(lineage_so_far)
        return lineage

    def is_whole(self, names: Iterable[str]) -> bool:
        """Whether these classes and all that they inherit were found."""
        return all(ancestor in self._parents for name in names for ancestor in self.lineage(name))

    def class_of(self, definition: StepDefinition) -> str:
        """In lower case; empty outside any class."""
        classes = self._by_path.get(definition.path, ())
        at = bisect_right(classes, definition.literal.start_byte, key=lambda glue_class: glue_class.start_byte) - 1
        while at >= 0 and definition.literal.start_byte >= classes[at].end_byte:
            at -= 1
        return classes[at].name.lower() if at >= 0 else ""


def _inherits(classes: tuple[GlueClass, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(glue_class.name, glue_class.parents) for glue_class in classes]
