"""What keeps two steps of one definition apart where it has alternatives: words that mean another thing.

A rename that drops the alternatives would make one text of both. That is fine for `click/press`, which mean the same,
and for `a/the`; of `red/green` the step that was not asked about would lose its meaning.
"""

from functools import cache

from cukereuse_engine.text.stemming import stem
from cukereuse_engine.text.template import mask
from cukereuse_engine.text.words import tokens, vocabulary


def word_of_its_own(text: str, other: str, languages: tuple[str, ...]) -> str:
    """The word of `text` that means something else than the word of `other` in its place; "" if they don't differ
    so."""
    idle = frozenset().union(*(vocabulary(code).function_words | vocabulary(code).fillers for code in languages))
    words = {stem(word, languages): word for word in tokens(mask(text)) if word not in idle and word.isalpha()}
    others = {stem(word, languages): word for word in tokens(mask(other)) if word not in idle and word.isalpha()}
    own, theirs = words.keys() - others.keys(), others.keys() - words.keys()
    if not theirs:  # a word that is left out, or put in
        return ""
    meant = {meaning for word in theirs for meaning in _meanings(languages).get(word, ())}
    apart = (words[word] for word in sorted(own) if meant.isdisjoint(_meanings(languages).get(word, ())))
    return next(apart, "")


@cache
def _meanings(languages: tuple[str, ...]) -> dict[str, set[str]]:
    """The stem of a word to what it may mean."""
    meanings: dict[str, set[str]] = {}
    for code in languages:
        words = vocabulary(code)
        for meaning, wordings in (*words.synonyms.items(), *words.near_synonyms.items()):
            for wording in wordings:
                if " " not in wording:
                    meanings.setdefault(stem(wording, languages), set()).add(f"{code} {meaning}")
    return meanings
