"""Synthetic pairs: a suite's own wordings with a word replaced by a synonym, or by a sibling.

Readers saw few of the pairs that a lexicon knows; these teach the judge what its relations mean, in the words of real
suites. They are fitted to and never measured on.
"""

import re
from collections.abc import Sequence

import numpy as np

from cukereuse_engine.judging.lexicon import LexicalUnit
from cukereuse_engine.judging.tagging import tagged
from cukereuse_engine.text.template import SLOT
from cukereuse_engine.text.words import vocabulary

PER_SUITE = 12
"""Number of pairs of either kind in a suite."""
_VOICES = tuple(
    (re.compile(pattern, re.IGNORECASE), voice)
    for pattern, voice in (
        (r"^(?:I|they|she|he|we|the user) (?:should )?sees? (.+)$", r"\1 is displayed"),
        (r"^(.+) (?:is|are|should be) (?:displayed|visible|shown)$", r"I see \1"),
        (rf"^the (.+) (?:is|should be|equals) ({SLOT})$", r"I should get a \2 \1"),
        (rf"^I should (?:get|receive) an? ({SLOT}) (.+)$", r"the \2 is \1"),
    )
)
"""English steps about who sees or gets a thing, with the same step about the thing, and the reverse."""
_PARTICIPLE = ("ed", "wn", "ible")


def varied(masked: Sequence[str], languages: tuple[str, ...], seed: int = 2026) -> list[tuple[int, str, bool]]:
    """(position in `masked`, another wording of it, whether it means the same), at most `PER_SUITE` of each kind."""
    rng = np.random.default_rng(seed)
    vocabularies = [vocabulary(code) for code in languages]
    same = [wordings for language in vocabularies for sense, wordings in language.synonyms.items() if sense]
    apart = [family for language in vocabularies for family in language.siblings]
    rows: list[tuple[int, str, bool]] = []
    for groups, means_same in ((same, True), (apart, False)):
        count = 0
        for position in rng.permutation(len(masked)).tolist():
            made = _exchanged(masked[position], tagged(masked[position], languages).units, groups, rng)
            if made is not None and count < PER_SUITE:
                rows.append((position, made, means_same))
                count += 1
    voiced = ((place, _voiced(masked[place])) for place in rng.permutation(len(masked)).tolist() if "en" in languages)
    rows += [(place, made, True) for place, made in voiced if made is not None][:PER_SUITE]
    return rows


def _voiced(text: str) -> str | None:
    """The text in the other voice; None where it has none."""
    matched = ((pattern.match(text), voice) for pattern, voice in _VOICES)
    return next((match.expand(voice) for match, voice in matched if match), None)


def _exchanged(
    text: str, of_text: Sequence[LexicalUnit], groups: Sequence[Sequence[str]], rng: np.random.Generator
) -> str | None:
    """The text with one of its units exchanged for another of its group; None where none can be."""
    for place in rng.permutation(len(of_text)).tolist():
        surface = of_text[place].surface
        options = [synonym for group in groups if surface in group for synonym in group if _fits(surface, synonym)]
        if options:
            synonym = options[int(rng.integers(len(options)))]
            made, count = re.subn(rf"(?i)(?<!\w){re.escape(surface)}(?!\w)", synonym, text, count=1)
            return made if count and made.lower() != text.lower() else None
    return None


def _fits(surface: str, synonym: str) -> bool:
    """True if the two can be in one place: participles for participles."""
    return surface != synonym and surface.endswith(_PARTICIPLE) == synonym.endswith(_PARTICIPLE)
