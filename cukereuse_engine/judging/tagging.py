"""A template as units: every word tagged once, with what the lexicon knows of it."""

import re
from collections.abc import Sequence
from functools import lru_cache

from cukereuse_engine.judging.lexicon import Lexicon, Tag, Unit, lexicon
from cukereuse_engine.text.stemming import stemmer
from cukereuse_engine.text.template import SLOT
from cukereuse_engine.text.words import labels, tokens

_VALUE = re.compile(r"\d|[a-z][A-Z]|[_/@=]|[A-Z]{2}")
"""In a word as written: a digit, a hump, an acronym."""
_LETTER = re.compile(r"[A-HJ-Z]")
"""Names one of several inside a sentence: "customer A", "file B"."""
_SIGNS = re.compile(r"[/+@#$^|{}\[\];\\]|[*_]{2}|(?<=\w)[.:]+(?=\w)|(?<!\S)-+(?=\w)")
"""Signs of paths, values and data: texts with other signs name other things."""


@lru_cache(maxsize=65536)
def units(masked: str, languages: tuple[str, ...] = ("en",)) -> tuple[Unit, ...]:
    """The units of a masked text, left to right."""
    dictionary = lexicon(languages)
    words, written, is_label = tokens(masked), tokens(masked, lower=False), labels(masked)
    if not len(words) == len(written) == len(is_label):  # a letter whose lower case is two
        written, is_label = words, [False] * len(words)
    stems = list(map(stemmer(languages).__getitem__, words))
    is_sentence = any(word[:1].islower() for word in written[1:])
    tagged: list[Unit] = []
    position = 0
    while position < len(words):
        length, senses = dictionary.phrase(stems, position)
        named = is_label[position] and not senses
        if is_sentence and position and length == 1 and _LETTER.fullmatch(written[position]):
            tag = Tag.VALUE
        else:
            tag = _tag(dictionary, words, position, length, named=named, as_written=written[position])
        name = " ".join(stems[position : position + length])
        families = dictionary.families.get(name, frozenset()).union(*(dictionary.families.get(s, ()) for s in senses))
        surface = " ".join(words[position : position + length])
        tagged.append(Unit(name, surface, tag, senses - {""}, families) if "" not in senses else _filler(surface))
        position += length
    return tuple(tagged)


@lru_cache(maxsize=65536)
def meaning_words(masked: str, languages: tuple[str, ...]) -> frozenset[str]:
    """The words that carry a template's meaning, synonyms as one; all of them where none does."""
    names = frozenset(unit.name for unit in units(masked, languages) if unit.tag >= Tag.SLOT)
    return names or stems_of(masked, languages)


@lru_cache(maxsize=65536)
def stems_of(masked: str, languages: tuple[str, ...]) -> frozenset[str]:
    return frozenset(unit.stem for unit in units(masked, languages))


def all_meaning_words(masked: Sequence[str], languages: tuple[str, ...]) -> list[frozenset[str]]:
    """`meaning_words` of each."""
    return [meaning_words(text, languages) for text in masked]


@lru_cache(1 << 16)
def signs(masked: str) -> tuple[str, ...]:
    """The signs of paths, values and data in a masked text."""
    return tuple(_SIGNS.findall(masked))


def _filler(surface: str) -> Unit:
    return Unit(surface, surface, Tag.FUNCTION, frozenset(), frozenset())


def _tag(dictionary: Lexicon, words: list[str], position: int, length: int, *, named: bool, as_written: str) -> Tag:
    word = words[position]
    if word == SLOT:
        return Tag.SLOT
    if length > 1:
        return Tag.CONTENT
    if word in dictionary.subjects and (position == 0 or (position == 1 and words[0] in dictionary.function)):
        return Tag.SUBJECT
    if word in dictionary.function:
        return Tag.FUNCTION
    if word in dictionary.light:
        return Tag.LIGHT
    if _VALUE.search(as_written):
        return Tag.VALUE
    return Tag.NAME if named else Tag.CONTENT
