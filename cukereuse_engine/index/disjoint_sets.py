"""Disjoint sets (union-find with path halving; Tarjan and van Leeuwen 1984)."""

from collections.abc import Hashable
from typing import Generic, TypeVar

_Element = TypeVar("_Element", bound=Hashable)


class DisjointSets(Generic[_Element]):
    """Disjoint sets of elements; an element that was never joined is a set of its own."""

    def __init__(self) -> None:
        self._parent: dict[_Element, _Element] = {}

    def root(self, element: _Element) -> _Element:
        """The element that represents the set."""
        parent = self._parent
        while (above := parent.get(element, element)) != element:
            parent[element] = parent.get(above, above)
            element = above
        return element

    def join(self, element: _Element, other: _Element) -> bool:
        """True if they were in two sets; the root of `element`'s remains."""
        root, gone = self.root(element), self.root(other)
        if root != gone:
            self._parent[gone] = root
        return root != gone
