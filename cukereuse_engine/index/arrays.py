"""Growing arrays, and figures cached by number. Knows nothing of templates."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

_DENSE = 16
"""Possible pairs for each that is there, up to which they are counted in a table."""


class Growing:
    """An int64 array to which values are added at its end; what `values` gave before stays as it was."""

    def __init__(self) -> None:
        self._held = np.empty(64, np.int64)
        self._size = 0

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
    """Rows of figures by a number, such as that of a frame; each row is computed when it is first asked for."""

    def __init__(self, width: int) -> None:
        self._places: dict[int, int] = {}
        self._rows = np.empty((0, width))

    def of(self, keys: Integers, compute: Callable[[Integers], NDArray[np.float64]]) -> NDArray[np.float64]:
        """(n, width) the row of each of the distinct `keys`; `compute` gives the rows at some positions of `keys`."""
        place_of = self._places
        places = np.array([place_of.get(key, -1) for key in keys.tolist()], np.int64)
        missing = np.flatnonzero(places < 0)
        if len(missing):
            fresh = np.arange(len(place_of), len(place_of) + len(missing))
            room = max(len(place_of), len(missing)) if len(place_of) + len(missing) > len(self._rows) else 0
            self._rows = np.concatenate((self._rows, np.empty((room, self._rows.shape[1])))) if room else self._rows
            self._rows[fresh] = compute(missing)
            places[missing] = fresh
            place_of.update(zip(keys[missing].tolist(), fresh.tolist(), strict=True))
        return np.asarray(self._rows[places], np.float64)

    def clear(self) -> None:
        self._places.clear()


def cumulate(values: NDArray[Any]) -> NDArray[Any]:
    """Sums of all values before each position, and of all."""
    result = np.zeros(len(values) + 1, values.dtype)
    np.cumsum(values, out=result[1:])
    return result


def ranges(starts: Integers, lengths: Integers) -> Integers:
    """The positions start, start + 1, … of each range, one range after another."""
    before = cumulate(lengths)
    return np.asarray(np.arange(before[-1]) + np.repeat(starts - before[:-1], lengths))


def counts(owners: Integers, values: Integers) -> tuple[Integers, Integers, Integers]:
    """The distinct pairs of an owner and a value (neither below 0), ascending, and how often each occurs."""
    width = int(values.max()) + 1 if len(values) else 1
    keys = owners * width + values
    if len(keys) and int(owners.max() + 1) * width <= _DENSE * len(keys):  # counting takes less time than sorting
        occurrences = np.bincount(keys)
        pairs = np.flatnonzero(occurrences)
        occurrences = occurrences[pairs]
    else:
        pairs, occurrences = np.unique(keys, return_counts=True)
    return pairs // width, pairs % width, occurrences
