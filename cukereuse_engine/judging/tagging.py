"""A template as units: every word tagged once, with its entry in the lexicon."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cukereuse_engine.judging.lexicon import LexicalUnit, Lexicon, Tag, interned, lexicon
from cukereuse_engine.text.stemming import stemmer
from cukereuse_engine.text.words import labels, spelled_out, tokens

_VALUE = re.compile(r"\d|[a-z][A-Z]|[_/@=]|[A-Z]{2}")
"""A sign of a value in a word as written: a digit, a hump, an acronym."""
_LETTER = re.compile(r"[A-HJ-Z]")
"""A letter that names an item inside a sentence: "customer A", "file B"."""
_SIGNS = re.compile(r"[/+@#$^|{}\[\];\\]|[*_]{2}|(?<=\w)[.:]+(?=\w)|(?<!\S)-+(?=\w)")
"""Signs of paths, values and data: texts with different signs name different things."""
AGAIN = "\0"


@dataclass(frozen=True, slots=True, eq=False)
class Tagged:
    """A masked text as units, ready for alignment."""

    masked: str
    units: tuple[LexicalUnit, ...]
    """Left to right."""
    meaning: Mapping[str, LexicalUnit]
    """Units with meaning by stem; each earlier occurrence of the stem adds an `AGAIN`."""
    small: Mapping[str, LexicalUnit]
    """The other units, likewise."""
    stems: frozenset[str]
    meaning_words: frozenset[str]
    """The words with meaning, synonyms as one; all stems if there are none."""
    signs: tuple[str, ...]
    """Signs of paths, values and data."""


@lru_cache(maxsize=65536)
def tagged(masked: str, languages: tuple[str, ...] = ("en",)) -> Tagged:
    of_text = tuple(_units(masked, languages))
    meaning: dict[str, LexicalUnit] = {}
    small: dict[str, LexicalUnit] = {}
    for word in of_text:
        words, key = meaning if word.tag >= Tag.SLOT else small, word.stem
        while key in words:
            key += AGAIN
        words[key] = word
    stems = frozenset(word.stem for word in of_text)
    names = frozenset(word.name for word in meaning.values())
    return Tagged(masked, of_text, meaning, small, stems, names or stems, tuple(_SIGNS.findall(masked)))


def all_meaning_words(masked: Sequence[str], languages: tuple[str, ...]) -> list[frozenset[str]]:
    """`Tagged.meaning_words` of each masked text."""
    return [tagged(text, languages).meaning_words for text in masked]


def _units(masked: str, languages: tuple[str, ...]) -> Iterator[LexicalUnit]:
    dictionary = lexicon(languages)
    masked = spelled_out(masked, languages)
    written = tokens(masked, lower=False)
    is_label = labels(masked, written)
    words = [word.lower() for word in written]
    stems = list(map(stemmer(languages).__getitem__, words))
    is_sentence = any(word[:1].islower() for word in written[1:])
    position = 0
    while position < len(words):
        length, senses = dictionary.phrase(stems, position)
        name, surface = stems[position], words[position]
        if length > 1:
            name, surface = (" ".join(part[position : position + length]) for part in (stems, words))
        may_act = position == 0 or (position == 1 and dictionary.closed.get(words[0]) is Tag.FUNCTION)
        is_inside = is_sentence and position > 0
        named = is_label[position] and not senses
        yield _unit(dictionary, name, surface, written[position], length, senses, named, may_act, is_inside)
        position += length


@lru_cache(maxsize=65536)
def _unit(
    dictionary: Lexicon,
    name: str,
    surface: str,
    as_written: str,
    length: int,
    senses: frozenset[str],
    named: bool,
    may_act: bool,
    is_inside: bool,
) -> LexicalUnit:
    """One unit, cached because a suite repeats most of its words."""
    if "" in senses:
        return interned(surface, surface, Tag.FUNCTION, frozenset(), frozenset())
    of_senses = (dictionary.families.get(sense, frozenset()) for sense in senses)
    families = dictionary.families.get(name, frozenset()).union(*of_senses)
    if is_inside and length == 1 and _LETTER.fullmatch(as_written):
        tag = Tag.VALUE
    elif may_act and surface in dictionary.subjects:
        tag = Tag.SUBJECT
    elif surface in dictionary.closed:
        tag = dictionary.closed[surface]
    elif length == 1 and _VALUE.search(as_written):
        tag = Tag.VALUE
    else:
        tag = Tag.NAME if named else Tag.CONTENT
    return interned(name, surface, tag, senses, families)
