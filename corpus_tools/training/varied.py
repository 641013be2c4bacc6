"""Pairs that nobody wrote: a suite's own wordings with a word exchanged for one that means the same, or for a sibling.

Readers saw few of the pairs that a lexicon knows; these teach the judge what its relations mean, in the words of real
suites. They are fitted to and never measured on.
"""

import re
from collections.abc import Sequence

import numpy as np

from cukereuse_engine.judging.lexicon import Unit
from cukereuse_engine.judging.tagging import units
from cukereuse_engine.text.words import vocabulary

PER_SUITE = 12
"""Of either kind."""
_PARTICIPLE = ("ed", "wn", "ible")


def varied(masked: Sequence[str], languages: tuple[str, ...], seed: int = 2026) -> list[tuple[int, str, bool]]:
    """(position in `masked`, another wording of it, whether it means the same), at most `PER_SUITE` of either kind."""
    rng = np.random.default_rng(seed)
    known = [vocabulary(code) for code in languages]
    same = [wordings for language in known for sense, wordings in language.synonyms if sense]
    apart = [family for language in known for family in language.siblings]
    found: list[tuple[int, str, bool]] = []
    for groups, means_same in ((same, True), (apart, False)):
        kept = 0
        for position in rng.permutation(len(masked)).tolist():
            made = _exchanged(masked[position], units(masked[position], languages), groups, rng)
            if made is not None and kept < PER_SUITE:
                found.append((position, made, means_same))
                kept += 1
    return found


def _exchanged(
    text: str, of_text: Sequence[Unit], groups: Sequence[Sequence[str]], rng: np.random.Generator
) -> str | None:
    """The text with one of its units exchanged for another of its group; None where none can be."""
    for place in rng.permutation(len(of_text)).tolist():
        surface = of_text[place].surface
        options = [other for group in groups if surface in group for other in group if _fits(surface, other)]
        if options:
            other = options[int(rng.integers(len(options)))]
            made, count = re.subn(rf"(?i)(?<!\w){re.escape(surface)}(?!\w)", other, text, count=1)
            return made if count and made.lower() != text.lower() else None
    return None


def _fits(one: str, other: str) -> bool:
    """Whether the two can stand in one place: participles for participles."""
    return one != other and one.endswith(_PARTICIPLE) == other.endswith(_PARTICIPLE)
