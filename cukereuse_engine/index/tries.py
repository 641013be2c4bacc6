"""Tries: the beginnings of sequences, each with a number and with its sequences.

A suite's templates have two: one of their words from the left, one from the right. Knows nothing of words.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable

import numpy as np

from cukereuse_engine.index.arrays import Growing, Integers, cumulate, ranges

_NUMBER_BITS = 20
"""Bits of a word's number: there are no more code points to represent words."""
_LATE = 8
"""Late sequences stay apart until they are more than one in this many."""


class _Nodes(dict[int, int]):
    """Node and next number, as one integer, to the node that they lead to: a new one where there is none. Only what
    came last lies in the dictionary, the others in two arrays, in a tenth of the memory."""

    def __init__(self) -> None:
        self.count = 0
        self._keys, self._nodes = array("q"), array("i")

    def __missing__(self, key: int) -> int:
        at = bisect_left(self._keys, key)
        if at < len(self._keys) and self._keys[at] == key:
            return self._nodes[at]
        node = self[key] = self.count = self.count + 1
        return node

    def settle(self) -> None:
        """Sort in what came last, once it is much."""
        if _LATE * len(self) <= len(self._keys):
            return
        keys = np.concatenate((np.frombuffer(self._keys, np.int64), np.fromiter(self.keys(), np.int64, len(self))))
        nodes = np.concatenate((np.frombuffer(self._nodes, np.int32), np.fromiter(self.values(), np.int32, len(self))))
        order = np.argsort(keys, kind="stable")
        self._keys, self._nodes = array("q", keys[order].tobytes()), array("i", nodes[order].tobytes())
        self.clear()


class _Members:
    """Sequences by node, those of one node in the order in which they came."""

    def __init__(self, nodes: Integers, rows: Integers) -> None:
        order = np.argsort(nodes, kind="stable")
        self.nodes = nodes[order]
        self.rows = rows[order]

    def extents(self, nodes: Integers) -> tuple[Integers, Integers]:
        """The start of each node's sequences, and their number."""
        start = np.searchsorted(self.nodes, nodes, "left")
        return start, np.searchsorted(self.nodes, nodes, "right") - start


class Trie:
    """Numbers every beginning of the sequences that are added: its *node*. Node 0 is the empty beginning.

    Sequences that `join` are the *members* of their nodes.
    """

    def __init__(self) -> None:
        self._next = _Nodes()
        self._nodes = Growing()
        self._members: list[_Members] = []

    @classmethod
    def of(cls, numbers: Integers, lengths: Integers) -> "Trie":
        """The trie of sequences of numbers, each followed by -1; all are members, and none can be added. In a tenth of
        the time that `add` takes."""
        trie, offsets = cls(), cumulate(lengths + 1)[:-1]
        order = np.argsort(-lengths, kind="stable")
        starts, shorter = offsets[order], -lengths[order]
        parents, nodes = np.zeros(len(lengths), np.int64), np.zeros(len(numbers), np.int64)
        for place in range(int(lengths.max(initial=0))):
            rest = int(np.searchsorted(shorter, -place))  # the longer ones
            at = starts[:rest] + place
            distinct, where = np.unique(parents[:rest] << _NUMBER_BITS | numbers[at], return_inverse=True)
            nodes[at + 1] = parents[:rest] = trie._next.count + 1 + where
            trie._next.count += len(distinct)
        trie._nodes = Growing(nodes)
        trie.join(np.arange(len(lengths)), offsets, lengths)
        return trie

    def __len__(self) -> int:
        """Number of nodes."""
        return self._next.count + 1

    @property
    def nodes(self) -> Integers:
        """Nodes of the beginnings of each sequence, the empty one first, one sequence after another."""
        return self._nodes.values

    def add(self, numbers: Iterable[int]) -> None:
        """Add sequences of numbers, each followed by -1."""
        following, node = self._next, 0
        nodes = [
            0,
            *(node := following[node << _NUMBER_BITS | number] if number >= 0 else 0 for number in numbers),
        ]
        self._nodes.extend(np.array(nodes[:-1], np.int64))
        following.settle()

    def join(self, rows: Integers, offsets: Integers, lengths: Integers) -> None:
        """Sequences by number, which were no members before; where in `nodes` each begins, and its length."""
        members = _Members(self.nodes[ranges(offsets, lengths + 1)], np.repeat(rows, lengths + 1))
        while self._members and len(self._members[-1].rows) < _LATE * len(members.rows):
            before = self._members.pop()
            members = _Members(
                np.concatenate((before.nodes, members.nodes)), np.concatenate((before.rows, members.rows))
            )
        self._members.append(members)

    def sizes(self, nodes: Integers) -> Integers:
        """(n,) number of members of each node."""
        return np.asarray(sum(part.extents(nodes)[1] for part in self._members) + np.zeros(len(nodes), np.int64))

    def members(self, nodes: Integers) -> tuple[Integers, Integers]:
        """Members of each node: position in `nodes`, ascending, and sequence, in the order in which they joined."""
        owners, rows = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for part in self._members:
            start, size = part.extents(nodes)
            owners.append(np.repeat(np.arange(len(nodes)), size))
            rows.append(part.rows[ranges(start, size)])
        owner, row = np.concatenate(owners), np.concatenate(rows)
        if len(self._members) < 2:
            return owner, row
        order = np.argsort(owner, kind="stable")
        return owner[order], row[order]
