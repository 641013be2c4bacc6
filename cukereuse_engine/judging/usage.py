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
        one, two = self._meaning(row), self._meaning(other)
        shared = len(one & two)
        return shared / max(len(one) + len(two) - shared, 1)

    def _meaning(self, row: int) -> frozenset[str]:
        found = self._names.get(row)
        if found is None:
            found = frozenset(unit.name for unit in self.units(row) if unit.tag >= Tag.SLOT)
            self._names[row] = found
        return found

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

    def together(self, one: Unit, other: Unit) -> int:
        """Templates that have both: words that stand for each other seldom stand together."""
        return len(self._rows.get(one.stem, set()) & self._rows.get(other.stem, set()))
