"""How a suite uses its words: in how many templates each stands, and which stand together."""

import math
from collections import Counter

from cukereuse_engine.judging.lexicon import Tag, Unit
from cukereuse_engine.judging.tagging import units
from cukereuse_engine.judging.templates import Templates

_SMALL = 50
"""Templates that every suite is taken to have besides its own."""


class Usage:
    """Of the members of `Templates`; read when it is asked for, each template once."""

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self._read = 0
        self._rows: dict[str, set[int]] = {}
        self._count: Counter[str] = Counter()
        self._names: dict[int, frozenset[str]] = {}

    def units(self, row: int) -> tuple[Unit, ...]:
        return units(self._templates.masked[row], self._templates.languages)

    def shared_meaning(self, row: int, other: int) -> float:
        """Jaccard similarity of the words with meaning, synonyms as one, 0 to 1."""
        left, right = self._meaning(row), self._meaning(other)
        shared = len(left & right)
        return shared / max(len(left) + len(right) - shared, 1)

    def _meaning(self, row: int) -> frozenset[str]:
        names = self._names.get(row)
        if names is None:
            names = frozenset(unit.name for unit in self.units(row) if unit.tag >= Tag.SLOT)
            self._names[row] = names
        return names

    def masked(self, row: int) -> str:
        return self._templates.masked[row]

    def read(self) -> None:
        """Take in the members that came since."""
        members = self._templates.members
        for row in members[self._read :]:
            for stem in {unit.stem for unit in self.units(row)}:
                self._rows.setdefault(stem, set()).add(row)
                self._count[stem] += 1
        self._read = len(members)

    def rarity(self, unit: Unit) -> float:
        """Log of how many templates there are for each that has the unit; in a small suite no word is common."""
        return math.log((self._read + _SMALL) / (self._count[unit.stem] + 1))

    def together(self, left: Unit, right: Unit) -> int:
        """Templates that have both: words that stand for each other seldom stand together."""
        return len(self._rows.get(left.stem, set()) & self._rows.get(right.stem, set()))
