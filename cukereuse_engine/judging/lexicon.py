"""What is known of words before any suite is read: which mean the same, which are opposites or siblings.

All of it is data in `text/languages/*.toml`: `synonyms`, `antonyms`, `siblings`, and the closed classes of words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from cukereuse_engine.text.stemming import stemmer
from cukereuse_engine.text.template import SLOT
from cukereuse_engine.text.words import tokens, vocabulary

STATE_OF = "="
"""Before the name of a sense: the state that an action of that sense leads to."""
NEAR = "~"
"""Before the name of a sense that a word has in some steps only."""


class Tag(IntEnum):
    """What a unit of a step is, from what says least to what says most."""

    FUNCTION = 0
    """An article, an auxiliary, a preposition."""
    SUBJECT = 1
    """Who acts, at the beginning."""
    LIGHT = 2
    """"my", "now", "can"."""
    SLOT = 3
    CONTENT = 4
    NAME = 5
    """Written like a name or a label: a capital inside the step, or between asterisks."""
    VALUE = 6
    """More a value than a word: a digit, a hump, an acronym, a path."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A word of a step, or several that mean one thing ("log in")."""

    stem: str
    surface: str
    tag: Tag
    senses: frozenset[str]
    """Names of the synonyms that it belongs to."""
    families: frozenset[int]
    """Numbers of the siblings that it belongs to."""

    @property
    def name(self) -> str:
        """One word for all that mean the same: its first sense, else its stem."""
        return min((sense for sense in self.senses if sense[0] not in (NEAR, STATE_OF)), default=self.stem)


@dataclass(frozen=True, slots=True)
class Lexicon:
    by_first: dict[str, tuple[tuple[tuple[str, ...], frozenset[str]], ...]]
    """First stem to (stems, senses), the longest first."""
    families: dict[str, frozenset[int]]
    """Stem, or name of a sense, to the siblings that it is one of."""
    opposites: dict[str, frozenset[tuple[int, int]]]
    """Stem to (pair of antonyms, side)."""
    function: frozenset[str]
    light: frozenset[str]
    subjects: frozenset[str]

    def phrase(self, stems: Sequence[str], position: int) -> tuple[int, frozenset[str]]:
        """How many units from `position` on are one wording, and its senses; (1, nothing) where none is known."""
        for wording, senses in self.by_first.get(stems[position], ()):
            if tuple(stems[position : position + len(wording)]) == wording:
                return len(wording), senses
        return 1, frozenset()

    def are_opposites(self, left: str, right: str) -> bool:
        """Whether the stems are antonyms."""
        sides = self.opposites.get(right)
        if not sides:
            return False
        return any((pair, 1 - side) in sides for pair, side in self.opposites.get(left, ()))


@cache
def lexicon(languages: tuple[str, ...]) -> Lexicon:
    """The words of some languages together."""
    vocabularies = [vocabulary(code) for code in languages]
    stem = stemmer(languages).__getitem__
    wordings: dict[tuple[str, ...], set[str]] = {}
    families: dict[str, set[int]] = {}
    opposites: dict[str, set[tuple[int, int]]] = {}
    for language in vocabularies:
        for sense, words in language.synonyms:
            for wording in words:
                wordings.setdefault(tuple(map(stem, tokens(wording))), set()).add(sense)
        for mark, table in ((NEAR, language.near_synonyms), (STATE_OF, language.states.items())):
            for sense, words in table:
                for wording in words:
                    wordings.setdefault(tuple(map(stem, tokens(wording))), set()).add(mark + sense)
    for number, family in enumerate(family for language in vocabularies for family in language.siblings):
        for word in family:
            families.setdefault(stem(word), set()).add(number)
    for number, sides in enumerate(sides for language in vocabularies for sides in language.antonyms):
        for side, words in enumerate(sides):
            for word in words:
                opposites.setdefault(stem(word), set()).add((number, side))
    by_first: dict[str, list[tuple[tuple[str, ...], frozenset[str]]]] = {}
    for stems, senses in wordings.items():
        by_first.setdefault(stems[0], []).append((stems, frozenset(senses)))
    return Lexicon(
        by_first={first: tuple(sorted(phrases, key=lambda item: -len(item[0]))) for first, phrases in by_first.items()},
        families={word: frozenset(numbers) for word, numbers in families.items()},
        opposites={word: frozenset(sides) for word, sides in opposites.items()},
        function=frozenset(word for language in vocabularies for word in language.function_words),
        light=frozenset(word for language in vocabularies for word in language.light_words),
        subjects=frozenset(word for language in vocabularies for word in language.pronouns | language.actors) - {SLOT},
    )
