"""What was said of pairs of templates before: a suite is compared by wording first and by meaning later, and what tells
two templates apart does not change in between; only the gate lets other pairs through.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.features import Column
from cukereuse_engine.judging.templates import Pairs

_ROW_BITS, _ROLE_BITS = 28, 3

Roles = tuple[NDArray[np.int8], NDArray[np.int8]]
"""Of either side of each pair: bits of `StepText.roles`."""


class Votes:
    """Probabilities by pair, whichever template comes first. They hold while the suite has the same members."""

    def __init__(self) -> None:
        self._held = (-1, False)
        self._forget()

    def hold(self, members: int, *, is_read: bool) -> None:
        """Forget all, if the suite has another number of members than before, which only come, or if a language model's
        tokens tell now and did not then."""
        if (members, is_read) != self._held:
            self._held = (members, is_read)
            self._forget()

    def of(self, pairs: Pairs, roles: Roles, judge: Callable[[NDArray[np.int64]], Column]) -> Column:
        """(n,) probability of each pair; `judge` gives those at some positions."""
        keys = _keys_of(pairs, roles)
        places = np.minimum(np.searchsorted(self._keys, keys), max(len(self._keys) - 1, 0))
        is_known = self._keys[places] == keys if len(self._keys) else np.zeros(len(keys), np.bool_)
        votes = np.empty(len(keys))
        votes[is_known] = self._votes[places[is_known]]
        new = np.flatnonzero(~is_known)
        if len(new):
            votes[new] = judge(new)
            self._add(keys[new], votes[new])
        return votes

    def _forget(self) -> None:
        self._keys = np.empty(0, np.int64)
        """(n,) ascending."""
        self._votes = np.empty(0)

    def _add(self, keys: NDArray[np.int64], votes: Column) -> None:
        fresh, first = np.unique(keys, return_index=True)
        places = np.searchsorted(self._keys, fresh)
        self._keys = np.insert(self._keys, places, fresh)
        self._votes = np.insert(self._votes, places, votes[first])


def _keys_of(pairs: Pairs, roles: Roles) -> NDArray[np.int64]:
    """(n,) one number for two templates with the roles of their steps, in either order."""
    sides = [(row.astype(np.int64), own.astype(np.int64)) for row, own in zip((pairs.a, pairs.b), roles, strict=True)]
    (left, of_one), (right, of_other) = sides
    swapped = left > right
    low, high = np.where(swapped, right, left), np.where(swapped, left, right)
    of_low, of_high = np.where(swapped, of_other, of_one), np.where(swapped, of_one, of_other)
    return np.asarray((((low << _ROW_BITS | high) << _ROLE_BITS | of_low) << _ROLE_BITS) | of_high, np.int64)
