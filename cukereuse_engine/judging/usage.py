"""How a suite uses its words: in how many templates each stands, and which stand together."""

import math
from collections import Counter
from itertools import islice

from cukereuse_engine.judging.lexicon import Unit
from cukereuse_engine.judging.tagging import meaning_words, stems_of, units
from cukereuse_engine.judging.templates import Templates

_SMALL = 50
"""Templates that every suite is taken to have besides its own."""
_MOST_WORDS, _MOST_ELSEWHERE, _MOST_LOOKED_AT = 4, 8, 100
"""Words of a difference that is counted, pairs of templates that are counted with it, and templates that are looked at
for them."""


class Usage:
    """Of the members of `Templates`; read when it is asked for, each template once."""

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self._read = 0
        self._rows: dict[str, set[int]] = {}
        self._count: Counter[str] = Counter()
        self._stems: set[frozenset[str]] = set()
        """What each member says, in any order."""
        self._elsewhere: dict[tuple[frozenset[str], frozenset[str]], int] = {}

    def units(self, row: int) -> tuple[Unit, ...]:
        return units(self._templates.masked[row], self._templates.languages)

    def shared_meaning(self, row: int, other: int) -> float:
        """Jaccard similarity of the words with meaning, synonyms as one, 0 to 1."""
        left, right = (meaning_words(self.masked(each), self._templates.languages) for each in (row, other))
        shared = len(left & right)
        return shared / max(len(left) + len(right) - shared, 1)

    def masked(self, row: int) -> str:
        return self._templates.masked[row]

    def read(self) -> None:
        """Take in the members that came since."""
        members = self._templates.members
        for row in members[self._read :]:
            stems = self._stems_of(row)
            self._stems.add(stems)
            for stem in stems:
                self._rows.setdefault(stem, set()).add(row)
                self._count[stem] += 1
        if self._read != len(members):
            self._elsewhere.clear()
        self._read = len(members)

    def elsewhere(self, row: int, other: int) -> int:
        """How many pairs of templates differ in the words that these two differ in, themselves among them, at most
        `_MOST_ELSEWHERE`; 0 where these words are many."""
        left, right = self._stems_of(row), self._stems_of(other)
        mine, theirs = sorted((left - right, right - left), key=sorted)
        if not 0 < len(mine) + len(theirs) <= _MOST_WORDS:
            return 0
        count = self._elsewhere.get((mine, theirs))
        if count is None:
            count = self._elsewhere[mine, theirs] = self._count_elsewhere(mine, theirs)
        return count

    def _count_elsewhere(self, mine: frozenset[str], theirs: frozenset[str]) -> int:
        rarest = min(mine | theirs, key=lambda stem: (self._count[stem], stem))
        if rarest in mine:
            mine, theirs = theirs, mine
        rows = islice(sorted(self._rows.get(rarest, ())), _MOST_LOOKED_AT)
        alike = (
            stems
            for stems in dict.fromkeys(map(self._stems_of, rows))
            if theirs <= stems and mine.isdisjoint(stems) and stems - theirs | mine in self._stems
        )
        return sum(1 for _ in islice(alike, _MOST_ELSEWHERE))

    def _stems_of(self, row: int) -> frozenset[str]:
        return stems_of(self.masked(row), self._templates.languages)

    def rarity(self, unit: Unit) -> float:
        """Log of how many templates there are for each that has the unit; in a small suite no word is common."""
        return math.log((self._read + _SMALL) / (self._count[unit.stem] + 1))

    def together(self, left: Unit, right: Unit) -> int:
        """Templates that have both: words that stand for each other seldom stand together."""
        return len(self._rows.get(left.stem, set()) & self._rows.get(right.stem, set()))
