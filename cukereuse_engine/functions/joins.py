"""Joins functions with equal forms, also without their fields, literals or packages."""

from collections.abc import Iterator, Sequence

from cukereuse_engine.functions.copies import unqualified
from cukereuse_engine.functions.tokens import loosened, without_literals

Key = tuple[str, ...]
"""Tokens, preceded by their boundary."""
Keys = tuple[Key, Key, Key, Key]
"""The keys of a form: exact, without literals, loosened, loosened and without packages. An empty key joins nothing."""


class FunctionIndex:
    """Functions by id."""

    def __init__(self) -> None:
        self._equal: dict[Key, tuple[str, ...]] = {}
        self._shapes: dict[Key, tuple[str, ...]] = {}
        self._loose: dict[Key, tuple[str, ...]] = {}
        self._unqualified: dict[Key, tuple[str, ...]] = {}
        self._tables = (self._equal, self._shapes, self._loose, self._unqualified)
        self._keys: dict[str, Keys] = {}

    def clear(self) -> None:
        for table in self._tables:
            table.clear()
        self._keys.clear()

    def copy(self) -> "FunctionIndex":
        """The same functions, which change on their own."""
        other = FunctionIndex()
        other._keys = self._keys.copy()
        for table, theirs in zip(self._tables, other._tables, strict=True):
            theirs.update(table)  # a group is never changed, but replaced
        return other

    def add(self, key: str, keys: Keys) -> None:
        """Add a function, or replace it."""
        if self._keys.get(key) == keys:
            return
        self.remove(key)
        self._keys[key] = keys
        for table, joint in zip(self._tables, keys, strict=True):
            if joint:
                table[joint] = (*table.get(joint, ()), key)

    def remove(self, key: str) -> None:
        keys = self._keys.pop(key, None)
        for table, joint in zip(self._tables, keys, strict=True) if keys is not None else ():
            if joint:
                table[joint] = tuple(other for other in table[joint] if other != key)
                if not table[joint]:
                    del table[joint]

    def keys(self, key: str) -> Keys | None:
        return self._keys.get(key)

    def equal(self) -> Iterator[list[str]]:
        """Groups of functions of equal form."""
        return (list(group) for group in self._equal.values() if len(group) > 1)

    def loosely_equal(self) -> Iterator[list[str]]:
        """Groups of functions that are equal when loosened, but not all of them are equal."""
        return self._groups(self._loose)

    def alike(self) -> Iterator[list[str]]:
        """Groups of functions that are equal without their literals, but not with them."""
        return self._groups(self._shapes)

    def unqualified(self) -> Iterator[list[str]]:
        """Groups of functions that are equal without packages."""
        return (list(group) for group in self._unqualified.values() if len(group) > 1)

    def unqualified_to(self, key: str) -> list[str]:
        """The functions in the group of a function."""
        keys = self._keys.get(key)
        return [other for other in self._unqualified[keys[3]] if other != key] if keys is not None and keys[3] else []

    def _groups(self, table: dict[Key, tuple[str, ...]]) -> Iterator[list[str]]:
        for group in table.values():
            if len(group) > 1 and len({self._keys[key][0] for key in group}) > 1:
                yield list(group)

    def equal_to(self, key: str) -> list[str]:
        keys = self._keys.get(key)
        return [other for other in self._equal[keys[0]] if other != key] if keys is not None else []

    def alike_to(self, key: str) -> list[str]:
        keys = self._keys.get(key)
        return [other for other in self._shapes[keys[1]] if self._keys[other][0] != keys[0]] if keys is not None else []


def keys_of(boundary: str, tokens: Sequence[str], build: str = "") -> Keys:
    """Functions of two boundaries are never joined, except for those of one build where packages do not count."""
    exact, shape, loose = tokens, without_literals(tokens), loosened(tokens)
    bare = (build, *unqualified(loose)) if build else ()
    return (boundary, *exact), (boundary, *shape), (boundary, *loose), bare
