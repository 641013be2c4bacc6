"""How a suite uses its words: the number of templates with each word, and with two words."""

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import islice

import numpy as np

from cukereuse_engine.judging.lexicon import LexicalUnit
from cukereuse_engine.judging.tagging import Tagged, tagged
from cukereuse_engine.judging.templates import Rows, Templates, Words

_SMALL = 50
"""Templates that are added to every suite's own number."""
_MOST_WORDS, MOST_ELSEWHERE, MOST_LOOKED_AT = 4, 8, 100
"""Maxima for counting a difference: its words, the pairs of templates with it, and the templates to search."""
_DIFFERENCES_KEPT = 1 << 11
"""Size of a cache: successive pairs often have the same difference."""


class Usage:
    """The usage in the members of `Templates`, each of which is read once, when needed."""

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
        """Read the members that were added."""
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
        """The number of pairs of templates that differ in the same words as these two, including these, at most
        `MOST_ELSEWHERE`; 0 if they differ in too many words."""
        left, right = self.tagged(row).stems, self.tagged(other).stems
        mine, theirs = left - right, right - left
        return self._elsewhere(mine, theirs) if 0 < len(mine) + len(theirs) <= _MOST_WORDS else 0

    def _count_elsewhere(self, mine: frozenset[str], theirs: frozenset[str]) -> int:
        rarest = min(mine | theirs, key=lambda stem: (self._count(stem), stem))
        if rarest in mine:
            mine, theirs = theirs, mine
        having = self._rows.get(rarest, ())
        rows = set(having if len(having) <= MOST_LOOKED_AT else sorted(having)[:MOST_LOOKED_AT])
        rows.intersection_update(*(self._rows.get(stem, ()) for stem in theirs))
        rows.difference_update(*(self._rows.get(stem, ()) for stem in mine))
        texts = {self.tagged(row).stems for row in rows}
        differing = mine | theirs  # the templates contain all of `theirs` and none of `mine`
        alike = (stems for stems in texts if stems ^ differing in self._stems)
        return sum(1 for _ in islice(alike, MOST_ELSEWHERE))

    def _count(self, stem: str) -> int:
        """Number of members with a stem."""
        return len(self._rows.get(stem, ()))

    def rarity(self, unit: LexicalUnit) -> float:
        """Log of the number of templates over those with the unit; in a small suite no word is common."""
        return math.log((self._read + _SMALL) / (self._count(unit.stem) + 1))

    def together(self, units: Sequence[LexicalUnit], one: Rows, other: Rows) -> Rows:
        """(n,) number of templates with both `units[one[i]]` and `units[other[i]]`: words that replace each other are
        seldom together."""
        rows = [self._rows.get(unit.stem, set()) for unit in units]
        counts = (len(rows[left] & rows[right]) for left, right in zip(one.tolist(), other.tolist(), strict=True))
        return np.fromiter(counts, np.int64, len(one))
