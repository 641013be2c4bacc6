"""The lexicon, which is known before any suite is read: synonyms, opposites, siblings.

Its data is in `text/languages/*.toml`: `synonyms`, `antonyms`, `siblings`, and the closed classes of words.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from itertools import chain
from typing import Any, TypeVar

from cukereuse_engine.text.stemming import stemmer
from cukereuse_engine.text.template import SLOT
from cukereuse_engine.text.words import Vocabulary, antonyms, by_first_word, tokens, vocabulary, words_of

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

STATE_OF = "="
"""Prefix of a sense's name: the state that an action of that sense leads to."""
NEAR = "~"
"""Prefix of a sense's name: the word has this sense only in some steps."""


class Tag(IntEnum):
    """The class of a unit of a step, from the least to the most meaning."""

    FUNCTION = 0
    """An article, an auxiliary, a preposition."""
    SUBJECT = 1
    """The actor, at the beginning."""
    LIGHT = 2
    """"my", "now", "can"."""
    SLOT = 3
    EXISTENCE = 4
    """"exists": says only that its subject is there."""
    CONTENT = 5
    NAME = 6
    """Written like a name or a label: a capital inside the step, or between asterisks."""
    VALUE = 7
    """A word that looks like a value: a digit, a hump, an acronym, a path."""


@dataclass(frozen=True, slots=True, eq=False)
class LexicalUnit:
    """A word of a step, or several with one meaning ("log in"). `interned` returns one object for equal fields."""

    stem: str
    surface: str
    tag: Tag
    senses: frozenset[str]
    """Names of its groups of synonyms."""
    families: frozenset[int]
    """Numbers of its groups of siblings."""
    name: str = field(init=False)
    """One name for all synonyms: its first sense, or else its stem."""

    def __post_init__(self) -> None:
        first = min((sense for sense in self.senses if sense[0] not in (NEAR, STATE_OF)), default=self.stem)
        object.__setattr__(self, "name", first)


_UNITS: dict[tuple[Any, ...], LexicalUnit] = {}


def interned(stem: str, surface: str, tag: Tag, senses: frozenset[str], families: frozenset[int]) -> LexicalUnit:
    """The only unit with these fields, even if two threads ask at once (`cache` would give each its own)."""
    fields = stem, surface, tag, senses, families
    return _UNITS.get(fields) or _UNITS.setdefault(fields, LexicalUnit(*fields))


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    by_first: dict[str, list[tuple[tuple[str, ...], frozenset[str]]]]
    """First stem to (stems, senses), the longest first."""
    families: dict[str, frozenset[int]]
    """Stem, or name of a sense, to the numbers of its groups of siblings."""
    opposites: dict[str, frozenset[tuple[int, int]]]
    """Stem to (pair of antonyms, side)."""
    closed: dict[str, Tag]
    """Word to its closed class, in any place."""
    subjects: frozenset[str]
    """Words that are the actor at the beginning, even if they have other classes."""

    def phrase(self, stems: Sequence[str], position: int) -> tuple[int, frozenset[str]]:
        """Number of stems from `position` on that are one wording, and its senses; (1, none) if none is known."""
        for wording, senses in self.by_first.get(stems[position], ()):
            if tuple(stems[position : position + len(wording)]) == wording:
                return len(wording), senses
        return 1, frozenset()

    def are_opposites(self, left: str, right: str) -> bool:
        """True if the stems are antonyms."""
        against = {(pair, 1 - side) for pair, side in self.opposites.get(left, ())}
        return not against.isdisjoint(self.opposites.get(right, ()))


@cache
def lexicon(languages: tuple[str, ...]) -> Lexicon:
    """The words of some languages together."""
    vocabularies = [vocabulary(code) for code in languages]
    stem = stemmer(languages).__getitem__
    wordings = _gathered((tuple(map(stem, tokens(wording))), sense) for wording, sense in _senses(vocabularies))
    families = enumerate(chain.from_iterable(language.siblings for language in vocabularies))
    sides = antonyms(languages)
    classes = (("light_words", Tag.LIGHT), ("function_words", Tag.FUNCTION), ("existence", Tag.EXISTENCE))
    return Lexicon(
        by_first=by_first_word(wordings.items()),
        families=_gathered((stem(word), number) for number, family in families for word in family),
        opposites=_gathered((stem(word), (number, side)) for number, side, word in sides),
        closed={SLOT: Tag.SLOT, **{word: tag for table, tag in classes for word in words_of(languages, table)}},
        subjects=words_of(languages, "subjects"),
    )


def _senses(vocabularies: Iterable[Vocabulary]) -> Iterator[tuple[str, str]]:
    """Wordings, each with the name of a sense that it has."""
    for language in vocabularies:
        for sign, groups in (("", language.synonyms), (NEAR, language.near_synonyms), (STATE_OF, language.states)):
            yield from ((wording, sign + sense) for sense, wordings in groups.items() for wording in wordings)


def _gathered(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, frozenset[_Value]]:
    values: dict[_Key, set[_Value]] = {}
    for key, value in pairs:
        values.setdefault(key, set()).add(value)
    return {key: frozenset(own) for key, own in values.items()}
