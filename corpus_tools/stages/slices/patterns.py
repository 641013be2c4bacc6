"""The patterns of a corpus: what several windows of one length say.

Windows that begin with the same two symbols are together in one bucket, so that buckets of any number of windows can be
looked at one after another. In each, windows are sorted once, for all lengths.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from corpus_tools.stages.slices.steps import Integers, Numbers, mixed, paired
from corpus_tools.support.spilled import Spilled

_BUCKET = 1 << 19
"""Windows in a bucket, on average."""
Bytes = NDArray[np.uint8]


class Patterns:
    """All patterns of at least two windows, of lengths from 2 to `most`."""

    def __init__(self, symbols: Numbers, left: Bytes, most: int) -> None:
        """`symbols`: `(steps,)`, one sequence after another; `left`: from each step to the end of its sequence, itself
        included, `most` at most."""
        self._most = most
        self._ends = [0]
        order, shared, within = Spilled(np.int32), Spilled(np.uint8), Spilled(np.uint8)
        for places in _buckets(symbols, left):
            places, same = _sorted(symbols, left, places, most)
            order.append(places)
            shared.append(same)
            within.append(left[places])
            self._ends.append(len(order))
        self._order, self._shared, self._left = order.whole(), shared.whole(), within.whole()

    def of(self, length: int) -> Iterator[tuple[Numbers, Numbers]]:
        """Yields the first step of each window of this length, and the number of its pattern; both `(windows,)`. The
        numbers begin at 0 each time, and ascend."""
        for first, end in pairwise(self._ends):
            kept = np.flatnonzero(self._left[first:end] >= length) + first
            is_new = self._shared[kept] < length
            recurs = _several(is_new)
            kept, is_new = kept[recurs], is_new[recurs]
            if len(kept):
                yield self._order[kept], np.cumsum(is_new, dtype=np.int32) - np.int32(1)


def _buckets(symbols: Numbers, left: Bytes) -> Iterator[Integers]:
    """Yields the places at which windows begin, ascending, by what their first two symbols are."""
    count = len(symbols) // _BUCKET + 1
    bucket = np.full(len(symbols), count, np.min_scalar_type(count))
    for start in range(0, len(symbols), _BUCKET):
        places = np.flatnonzero(left[start : start + _BUCKET] >= 2) + start
        bucket[places] = mixed(paired(symbols[places], symbols[places + 1]).astype(np.uint64)) % np.uint64(count)
    for number in range(count):
        yield np.flatnonzero(bucket == number)


def _sorted(symbols: Numbers, left: Bytes, places: Integers, most: int) -> tuple[Integers, Bytes]:
    """The places of windows whose first two symbols recur, in an order in which all windows that say the same are next
    to each other, whatever their length; and how many symbols each shares with the one before, if both have more."""
    keys = paired(symbols[places], symbols[places + 1])
    sorting = np.argsort(keys, kind="stable")
    is_new, recurs = _changes(keys[sorting])
    order, shared = places[sorting][recurs], np.where(is_new, 0, most).astype(np.uint8)[recurs]
    group, active = np.cumsum(is_new[recurs]), np.arange(len(order))
    for length in range(3, most + 1):
        own = order[active]
        goes_on = left[own] >= length
        following = np.zeros(len(own), np.int64)  # what has ended is before all that goes on
        following[goes_on] = symbols[own[goes_on] + length - 1] + 1
        keys = paired(group, following)
        sorting = np.argsort(keys, kind="stable")
        order[active] = own[sorting]
        is_new, recurs = _changes(keys[sorting])
        begins = np.append(True, np.diff(group) != 0)[: len(group)]  # groups stay where they are
        shared[active[is_new & ~begins]] = length - 1
        recurs &= goes_on[sorting]
        group, active = np.cumsum(is_new)[recurs], active[recurs]
    return order, shared


def _changes(keys: Integers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Of each of the sorted keys, whether it differs from the one before, and whether it is there several times."""
    differs = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
    return differs, _several(differs)


def _several(is_new: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of each entry, whether its group has others. `is_new`: true for the first one of a group."""
    alone: NDArray[np.bool_] = is_new & np.append(is_new[1:], True)[: len(is_new)]
    return ~alone
