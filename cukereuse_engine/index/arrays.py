"""Growing arrays, and figures cached by number. Knows nothing of templates."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

_LATE = 8
"""Late items are sorted in once they are more than one in this many."""
_DENSE = 16
"""Possible pairs for each that is there, up to which they are counted in a table."""


class Growing:
    """An int64 array to which values are appended; arrays that `values` returned before stay unchanged."""

    def __init__(self, values: Integers | None = None) -> None:
        self._held = np.empty(64, np.int64) if values is None else values
        self._size = 0 if values is None else len(values)

    def __len__(self) -> int:
        return self._size

    def extend(self, values: NDArray[Any]) -> None:
        size = self._size + len(values)
        if size > len(self._held):
            held = np.empty(max(size, 2 * len(self._held)), np.int64)
            held[: self._size] = self.values
            self._held = held
        self._held[self._size : size] = values
        self._size = size

    @property
    def values(self) -> Integers:
        return self._held[: self._size]


class Remembered:
    """Rows of figures by number, such as that of a frame; each row is computed when it is first needed."""

    def __init__(self, width: int) -> None:
        self._rows = np.empty((0, width))
        self._keys, self._places = np.empty(0, np.int64), np.empty(0, np.int32)
        """Numbers in order, and the row of each: a tenth of the memory that a dictionary takes."""
        self._late: dict[int, int] = {}
        """The same for late items."""

    def __len__(self) -> int:
        return len(self._keys) + len(self._late)

    def of(self, keys: Integers, compute: Callable[[Integers], NDArray[np.float64]]) -> NDArray[np.float64]:
        """(n, width) the row of each of the distinct `keys`; `compute` gives the rows at some positions of `keys`."""
        places = self._placed(keys)
        missing = np.flatnonzero(places < 0)
        if len(missing):
            count = len(self)
            fresh = np.arange(count, count + len(missing))
            room = max(count, len(missing)) if count + len(missing) > len(self._rows) else 0
            self._rows = np.concatenate((self._rows, np.empty((room, self._rows.shape[1])))) if room else self._rows
            self._rows[fresh] = compute(missing)
            places[missing] = fresh
            self._late.update(zip(keys[missing].tolist(), fresh.tolist(), strict=True))
            if len(self._late) > len(self._keys) // _LATE:
                self._sort()
        return np.asarray(self._rows[places], np.float64)

    def _placed(self, keys: Integers) -> Integers:
        """(n,) the row of each of the keys, -1 for unknown keys."""
        at = np.searchsorted(self._keys, keys)
        at[at == len(self._keys)] = -1
        places = np.full(len(keys), -1, np.int64)
        if len(self._keys):
            known = np.flatnonzero(self._keys[at] == keys)
            places[known] = self._places[at[known]]
        if self._late:
            rest = np.flatnonzero(places < 0)
            places[rest] = [self._late.get(key, -1) for key in keys[rest].tolist()]
        return places

    def _sort(self) -> None:
        keys = np.concatenate((self._keys, np.fromiter(self._late.keys(), np.int64, len(self._late))))
        places = np.concatenate((self._places, np.fromiter(self._late.values(), np.int32, len(self._late))))
        order = np.argsort(keys, kind="stable")
        self._keys, self._places = keys[order], places[order]
        self._late = {}

    def clear(self) -> None:
        self._keys, self._places, self._late = self._keys[:0], self._places[:0], {}


def cumulate(values: NDArray[Any]) -> NDArray[Any]:
    """The sums of all values before each position, and of all values."""
    result = np.zeros(len(values) + 1, values.dtype)
    np.cumsum(values, out=result[1:])
    return result


def ranges(starts: Integers, lengths: Integers) -> Integers:
    """The positions start, start + 1, … of each range, one range after another."""
    before = cumulate(lengths)
    return np.asarray(np.arange(before[-1]) + np.repeat(starts - before[:-1], lengths))


def counts(owners: Integers, values: Integers) -> tuple[Integers, Integers, Integers]:
    """The distinct pairs of an owner and a value (neither below 0), ascending, and the number of each."""
    width = int(values.max()) + 1 if len(values) else 1
    keys = owners * width + values
    if len(keys) and int(owners.max() + 1) * width <= _DENSE * len(keys):  # counting takes less time than sorting
        occurrences = np.bincount(keys)
        pairs = np.flatnonzero(occurrences)
        occurrences = occurrences[pairs]
    else:
        pairs, occurrences = np.unique(keys, return_counts=True)
    return pairs // width, pairs % width, occurrences


class Owned:
    """Aggregates values of items, each of which belongs to one of n pairs: `(n,)` each."""

    def __init__(self, pair: Integers, count: int) -> None:
        """`pair`: the pair of each item, ascending."""
        self.pair, self._count = pair, count
        self._starts = np.flatnonzero(np.diff(pair, prepend=-1))

    def total(self, values: NDArray[Any]) -> NDArray[np.float64]:
        return np.asarray(np.bincount(self.pair, values, self._count), np.float64)

    def most(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """The maximum for each pair; 0 if it has no items. No value is below 0."""
        result = np.zeros(self._count)
        if len(self._starts):
            result[self.pair[self._starts]] = np.maximum.reduceat(values, self._starts)
        return result
