"""How a suite uses its words: in how many templates each is, and which are together."""

import math
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import islice

from cukereuse_engine.judging.lexicon import LexicalUnit
from cukereuse_engine.judging.tagging import Tagged, tagged
from cukereuse_engine.judging.templates import Templates, Words

_SMALL = 50
"""Templates that every suite is taken to have besides its own."""
_MOST_WORDS, _MOST_ELSEWHERE, _MOST_LOOKED_AT = 4, 8, 100
"""Words of a difference that is counted, pairs of templates that are counted with it, and templates that are looked at
for them."""
_DIFFERENCES_KEPT = 1 << 11
"""Pairs that follow each other differ alike."""


class Usage:
    """Of the members of `Templates`; read when it is asked for, each template once."""

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self._read = 0
        self._rows: dict[str, set[int]] = {}
        self._stems: set[frozenset[str]] = set()
        """What each member says, in any order."""
        self._elsewhere = lru_cache(_DIFFERENCES_KEPT)(self._count_elsewhere)
        self.tagged: Callable[[int], Tagged] = cache(lambda row: tagged(templates.masked[row], templates.languages))
        words = Words()
        self.meaning: Callable[[int], str] = cache(
            lambda row: "".join(sorted(map(words.__getitem__, self.tagged(row).meaning_words)))
        )
        """The words that carry a template's meaning, as one of `Templates.bags`."""

    def read(self) -> None:
        """Take in the members that came since."""
        members = self._templates.members
        for row in members[self._read :]:
            stems = self.tagged(row).stems
            self._stems.add(stems)
            for stem in stems:
                self._rows.setdefault(stem, set()).add(row)
        if self._read != len(members):
            self._elsewhere.cache_clear()
        self._read = len(members)

    def elsewhere(self, row: int, other: int) -> int:
        """How many pairs of templates differ in the words that these two differ in, themselves among them, at most
        `_MOST_ELSEWHERE`; 0 where these words are many."""
        left, right = self.tagged(row).stems, self.tagged(other).stems
        mine, theirs = left - right, right - left
        return self._elsewhere(mine, theirs) if 0 < len(mine) + len(theirs) <= _MOST_WORDS else 0

    def _count_elsewhere(self, mine: frozenset[str], theirs: frozenset[str]) -> int:
        rarest = min(mine | theirs, key=lambda stem: (self._count(stem), stem))
        if rarest in mine:
            mine, theirs = theirs, mine
        having = self._rows.get(rarest, ())
        rows = set(having if len(having) <= _MOST_LOOKED_AT else sorted(having)[:_MOST_LOOKED_AT])
        rows.intersection_update(*(self._rows.get(stem, ()) for stem in theirs))
        rows.difference_update(*(self._rows.get(stem, ()) for stem in mine))
        texts = {self.tagged(row).stems for row in rows}
        differing = mine | theirs  # they have all of `theirs`, and none of `mine`
        alike = (stems for stems in texts if stems ^ differing in self._stems)
        return sum(1 for _ in islice(alike, _MOST_ELSEWHERE))

    def _count(self, stem: str) -> int:
        """Members that have it."""
        return len(self._rows.get(stem, ()))

    def rarity(self, unit: LexicalUnit) -> float:
        """Log of how many templates there are for each that has the unit; in a small suite no word is common."""
        return math.log((self._read + _SMALL) / (self._count(unit.stem) + 1))

    def together(self, left: LexicalUnit, right: LexicalUnit) -> int:
        """Templates that have both: words that stand for each other seldom are together."""
        return len(self._rows.get(left.stem, set()) & self._rows.get(right.stem, set()))
