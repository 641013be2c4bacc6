"""Finds alternatives of one definition that mean different things.

A rename that drops the alternatives makes one text of all of them. That is fine for `click/press`, which mean the same,
and for `a/the`; but after dropping `red/green`, one of two steps would have lost its meaning.
"""

from functools import cache

from cukereuse_engine.text.stemming import stemmer
from cukereuse_engine.text.template import mask
from cukereuse_engine.text.words import tokens, vocabulary


def word_of_its_own(text: str, other: str, languages: tuple[str, ...]) -> str:
    """The word of `text` that means something else than the word of `other` in its place; "" if there is none."""
    idle = frozenset().union(*(vocabulary(code).function_words | vocabulary(code).fillers for code in languages))
    stem_of = stemmer(languages)
    words = {stem_of[word]: word for word in tokens(mask(text)) if word not in idle and word.isalpha()}
    others = {stem_of[word]: word for word in tokens(mask(other)) if word not in idle and word.isalpha()}
    own, theirs = words.keys() - others.keys(), others.keys() - words.keys()
    if not theirs:  # a word that is left out, or put in
        return ""
    meant = {meaning for word in theirs for meaning in _meanings(languages).get(word, ())}
    apart = (words[word] for word in sorted(own) if meant.isdisjoint(_meanings(languages).get(word, ())))
    return next(apart, "")


@cache
def _meanings(languages: tuple[str, ...]) -> dict[str, set[str]]:
    """From the stem of a word to its possible meanings."""
    meanings: dict[str, set[str]] = {}
    stem_of = stemmer(languages)
    for code in languages:
        words = vocabulary(code)
        for meaning, wordings in (*words.synonyms.items(), *words.near_synonyms.items()):
            for wording in wordings:
                if " " not in wording:
                    meanings.setdefault(stem_of[wording], set()).add(f"{code} {meaning}")
    return meanings
