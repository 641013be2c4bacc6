"""Stems of words, for comparing words with each other and not for reading: "pages" and "page" give "page".

English has rules of its own, which the judge's parameters are learned with; other languages have Snowball's, of the
name that the language's data file gives (`stemmer`). A language without any compares words as they are.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, partial

from cukereuse_engine.text.words import vocabulary

_CYRILLIC = re.compile("[\u0400-\u04ff]")
_PLURALS = {"ies": "y", "sses": "ss", "ches": "ch", "shes": "sh", "xes": "x"}
_ED_OR_ING = re.compile("(?=.*[aeiouy].*(?:ed|ing)$)(.{3,})(?:ed|ing)")


class Stemmer(dict[str, str]):
    """Words of some languages to their stems, each worked out once.

    A word is of the first language that is written in its alphabet: "кнопки" in a suite in Russian and English is
    Russian."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        self._irregular = {
            word: stem for code in languages for stem, words in vocabulary(code).irregular.items() for word in words
        }
        self._reduce: dict[bool, Callable[[str], str]] = {}
        for code in languages:
            self._reduce.setdefault(_is_cyrillic(" ".join(vocabulary(code).function_words)), _reduction(code))

    def __missing__(self, word: str) -> str:
        stem = self._irregular.get(word)
        if stem is None:
            reduce = self._reduce.get(_is_cyrillic(word))
            stem = reduce(word) if reduce is not None else word
        self[word] = stem
        return stem


@cache
def stemmer(languages: tuple[str, ...]) -> Stemmer:
    """The stems of some languages' words; codes of `words.languages()`."""
    return Stemmer(languages)


def _is_cyrillic(text: str) -> bool:
    return _CYRILLIC.search(text) is not None


def _reduction(code: str) -> Callable[[str], str]:
    if code == "en":
        return _english
    name = vocabulary(code).stemmer
    if not name:
        return str
    import snowballstemmer  # reads the rules of 36 languages: only where one of them is asked for

    reduce: Callable[[str], str] = snowballstemmer.stemmer(name).stemWord
    agents = sorted(vocabulary(code).agents, key=len, reverse=True)
    return partial(_with_agent, reduce, agents) if agents else reduce


def _with_agent(reduce: Callable[[str], str], agents: Sequence[str], word: str) -> str:
    """Who does something is not what it is done to, though one stem is left of both."""
    reduced = reduce(word)
    agent = next((ending for ending in agents if word.endswith(ending)), "")
    return f"{reduced}+" if agent and reduced == word.removesuffix(agent) else reduced


def _english(word: str) -> str:
    """Inflections off: plurals, -ed, -ing."""
    if not word.isascii() or len(word) < 4:
        return word
    word = singular(word)
    if word.endswith("ied"):
        return word[:-3] + "y"
    if inflected := _ED_OR_ING.fullmatch(word):
        word = inflected[1]
        if word[-1] == word[-2] and word[-1] not in "lsze":
            return word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def singular(word: str) -> str:
    """An English noun's singular, as far as its ending tells; other words may lose an "s" too."""
    for suffix, replacement in _PLURALS.items():
        if word.endswith(suffix) and len(word) > len(suffix) + 1:
            return word.removesuffix(suffix) + replacement
    return word[:-1] if word.endswith("s") and word[-2] not in "sui" else word
