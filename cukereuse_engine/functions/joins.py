"""Functions joined on their forms: which are equal, which are when fields or literals do not count."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence

from cukereuse_engine.functions.tokens import loosened, without_literals

Digests = tuple[bytes, bytes, bytes]
"""Of a form: as it is, without literals, loosened."""


class Joins:
    """Functions by id."""

    def __init__(self) -> None:
        self._equal: dict[bytes, dict[str, None]] = defaultdict(dict)
        self._shapes: dict[bytes, dict[str, None]] = defaultdict(dict)
        self._loose: dict[bytes, dict[str, None]] = defaultdict(dict)
        self._tables = (self._equal, self._shapes, self._loose)
        self._digests: dict[str, Digests] = {}

    def clear(self) -> None:
        for table in self._tables:
            table.clear()
        self._digests.clear()

    def add(self, key: str, digests: Digests) -> None:
        """In place of what was known of the function."""
        self.remove(key)
        self._digests[key] = digests
        for table, digest in zip(self._tables, digests, strict=True):
            table[digest][key] = None

    def remove(self, key: str) -> None:
        known = self._digests.pop(key, None)
        for table, digest in zip(self._tables, known, strict=True) if known is not None else ():
            table[digest].pop(key, None)
            if not table[digest]:
                del table[digest]

    def digests(self, key: str) -> Digests | None:
        return self._digests.get(key)

    def equal(self) -> Iterator[list[str]]:
        """Groups of functions of equal form."""
        return (list(group) for group in self._equal.values() if len(group) > 1)

    def loosely_equal(self) -> Iterator[list[str]]:
        """Groups of functions that are equal when loosened, not all of which are equal."""
        return self._groups(self._loose)

    def alike(self) -> Iterator[list[str]]:
        """Groups of functions that are equal when literals do not count, but not when they do."""
        return self._groups(self._shapes)

    def _groups(self, table: dict[bytes, dict[str, None]]) -> Iterator[list[str]]:
        for group in table.values():
            if len(group) > 1 and len({self._digests[key][0] for key in group}) > 1:
                yield list(group)

    def equal_to(self, key: str) -> list[str]:
        known = self._digests.get(key)
        return [one for one in self._equal[known[0]] if one != key] if known is not None else []

    def alike_to(self, key: str) -> list[str]:
        known = self._digests.get(key)
        return [one for one in self._shapes[known[1]] if self._digests[one][0] != known[0]] if known is not None else []


def digests_of(boundary: str, tokens: Sequence[str]) -> Digests:
    """Functions of two boundaries are never joined."""
    exact, shape, loose = (_digest(boundary, each) for each in (tokens, without_literals(tokens), loosened(tokens)))
    return exact, shape, loose


def _digest(language: str, tokens: Sequence[str]) -> bytes:
    text = "\x1f".join((language, *tokens))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
