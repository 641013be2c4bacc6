"""The results of a suite, in little memory: of hundreds of suites, a report looks at one at a time.

Texts, steps, clusters and blocks stay compressed until they are needed; the suites used last stay open. Nothing packed
is ever written to a file.
"""

import pickle
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar, overload

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.scanning.result import SuiteScan

Item = TypeVar("Item")
_OPEN = 2
"""The number of parts that stay open: the texts and the steps of one suite."""


def packed(scan: SuiteScan) -> SuiteScan:
    """The same, until it is looked at closely."""
    texts = _Parts(scan.texts, scan.clusters, scan.definitions)
    places = _Parts(*(file.steps for file in scan.files), scan.blocks, scan.shortenable, dict(scan.steps))
    blocks = len(scan.files)
    return replace(
        scan,
        files=tuple(
            replace(file, steps=_Sequence[Step](places, number, len(file.steps)), parts=None)
            for number, file in enumerate(scan.files)
        ),
        texts=_Sequence(texts, 0, len(scan.texts)),
        clusters=_Sequence(texts, 1, len(scan.clusters)),
        definitions=_Sequence(texts, 2, len(scan.definitions)),
        blocks=_Sequence(places, blocks, len(scan.blocks)),
        shortenable=_Sequence(places, blocks + 1, len(scan.shortenable)),
        steps=_Steps(places, blocks + 2, len(scan.steps)),
    )


class _Parts:
    """Values that are compressed together: objects that they share are shared again."""

    def __init__(self, *values: object) -> None:
        self.compressed = zlib.compress(pickle.dumps(values, pickle.HIGHEST_PROTOCOL), 1)

    def __getitem__(self, number: int) -> Any:
        return _opened(self)[number]


@lru_cache(_OPEN)
def _opened(parts: _Parts) -> tuple[Any, ...]:
    values: tuple[Any, ...] = pickle.loads(zlib.decompress(parts.compressed))  # written by this process
    return values


class _Sequence(Sequence[Item]):
    def __init__(self, parts: _Parts, number: int, length: int) -> None:
        self._parts, self._number, self._length = parts, number, length

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Item]:
        return iter(self._parts[self._number] if self._length else ())

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Item]: ...
    def __getitem__(self, at: int | slice) -> Item | Sequence[Item]:
        values: Sequence[Item] = self._parts[self._number]
        return values[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


class _Steps(Mapping[str, tuple[Step, ...]]):
    def __init__(self, parts: _Parts, number: int, length: int) -> None:
        self._parts, self._number, self._length = parts, number, length

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts[self._number])

    def __getitem__(self, identity: str) -> tuple[Step, ...]:
        steps: tuple[Step, ...] = self._parts[self._number][identity]
        return steps
