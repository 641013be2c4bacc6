"""Pairs of lists side by side, all at once: which items both have, and which of the others correspond to each other.
Knows nothing of the items."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, pairwise
from typing import Generic, TypeVar

import numpy as np

from cukereuse_engine.index.arrays import Integers, cumulate, ranges

T = TypeVar("T")


class Numbers(defaultdict[T, int], Generic[T]):
    """Numbers for items, in the order in which they come."""

    def __init__(self) -> None:
        super().__init__(count().__next__)

    def of(self, items: Iterable[T]) -> Integers:
        return np.fromiter(map(self.__getitem__, items), np.int64)


class Lists(Generic[T]):
    """Lists of distinct items in arrays, one list after another."""

    def __init__(self, lists: Sequence[Iterable[T]], numbers: Numbers[T]) -> None:
        """`numbers` numbers the items."""
        items = [list(each) for each in lists]
        self._sizes = np.fromiter(map(len, items), np.int64, len(items))
        self._starts = np.cumsum(self._sizes) - self._sizes
        self.items = numbers.of(chain.from_iterable(items))
        """The items of all lists; a place is a position here."""
        self._by_item = np.lexsort((self.items, np.repeat(np.arange(len(items)), self._sizes)))
        self._width = len(numbers)

    def beside(self, lists: Integers, others: Integers) -> tuple[Integers, Integers, Integers]:
        """For each item of list `lists[i]`: i, its place, and its place in list `others[i]`; -1 if it is not there."""
        pair, place = self._of(lists)
        other, by_item = self._of(others)
        by_item = self._by_item[by_item]
        asked, codes = (owner * self._width + self.items[at] for owner, at in ((pair, place), (other, by_item)))
        if not len(codes):
            return pair, place, np.full(len(pair), -1)
        near = np.minimum(np.searchsorted(codes, asked), len(codes) - 1)
        return pair, place, np.where(codes[near] == asked, by_item[near], -1)

    def alone(self, lists: Integers, others: Integers) -> tuple[Integers, Integers]:
        """For each item of list `lists[i]` that list `others[i]` lacks: i, and its place."""
        pair, place, counterpart = self.beside(lists, others)
        return pair[counterpart < 0], place[counterpart < 0]

    def _of(self, lists: Integers) -> tuple[Integers, Integers]:
        sizes = self._sizes[lists]
        return np.repeat(np.arange(len(lists)), sizes), ranges(self._starts[lists], sizes)


def all_beside(pair: Integers, other: Integers, at_once: int) -> Iterator[tuple[Integers, Integers]]:
    """Places of every two items of one pair; both lists ascend. Those of one pair are together, with about `at_once`
    places in a part, so that long lists need little memory too; there is at least one part."""
    begin = np.searchsorted(other, pair, "left")
    many = np.searchsorted(other, pair, "right") - begin
    part = cumulate(many)[np.searchsorted(pair, pair)] // at_once
    for first, last in pairwise([0, *(np.flatnonzero(np.diff(part)) + 1).tolist(), len(pair)]):
        yield np.repeat(np.arange(first, last), many[first:last]), ranges(begin[first:last], many[first:last])


def nearest_first(pair: Integers, one: Integers, other: Integers, distance: Integers) -> Integers:
    """Positions of those of the possible matches of items `one[i]` and `other[i]` that are made if in each pair the
    nearest come first, of equal ones as they are given, and an item is matched once. Pair by pair."""
    order = np.lexsort((distance, pair))
    is_taken, its_taken = (np.zeros(int(side.max(initial=-1)) + 1, np.bool_) for side in (one, other))
    made = [order[:0]]
    while len(order):
        made.append(order[np.flatnonzero(np.diff(pair[order], prepend=-1))])  # the next of each pair
        is_taken[one[made[-1]]] = its_taken[other[made[-1]]] = True
        order = order[~(is_taken[one[order]] | its_taken[other[order]])]
    matches = np.concatenate(made)
    return np.asarray(matches[np.argsort(pair[matches], kind="stable")])
