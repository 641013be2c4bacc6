"""What a template says once the words that carry no meaning are gone and synonyms are one word.

Two templates with one meaning say the same in other words: an article, an inflection, "click" for "press". The words
come from the language data; nothing here measures similarity.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from cukereuse_engine.text.template import SLOT
from cukereuse_engine.text.words import stem, tokens, vocabulary

_PAST = "(past)"
_CODE = re.compile(
    r"^(?:def|set|match|assert|eval|print|configure|replace|json|xml|csv|yaml|string|table|copy|params?|headers?"
    r"|multipart|form|cookies?|url|path|request|method|status|soap|retry|call|callonce|if|karate|java)\b"
)
_DATA = re.compile(r"[{}\[\];]|[*_]{2}")
_CODE_SIGN = re.compile(r"==?|!=|[({\[]|\bkarate\.|\bcontains\b")


@dataclass(frozen=True, slots=True)
class Meaning:
    words: tuple[str, ...]
    """Content words as stems, synonyms replaced by the name of their meaning, in order; slots kept."""
    essential: tuple[str, ...]
    """`words` without those that are often left out."""
    synonyms: frozenset[tuple[str, str]]
    """(wording, name of its meaning) for each synonym."""
    is_code: bool
    """A statement of a built-in language (Karate), or JSON and the like written out in the step: what differs is data,
    nothing that renaming could consolidate."""


@dataclass(frozen=True, slots=True)
class _Phrases:
    by_first: dict[str, tuple[tuple[tuple[str, ...], str], ...]]
    """First stem to (stems, name), the longest first."""
    function_words: frozenset[str]
    optional: frozenset[str]
    actors: frozenset[str]
    determiners: frozenset[str]
    prepositions: frozenset[str]
    past: frozenset[str]
    predicates: frozenset[str]
    """Stems before which an actor is the one who acts."""


@cache
def _phrases(languages: tuple[str, ...]) -> _Phrases:
    by_first: dict[str, dict[tuple[str, ...], str]] = {}
    known = [vocabulary(code) for code in languages]
    for language in known:
        for meaning, wordings in language.phrases:
            for wording in wordings:
                stems = tuple(stem(word) for word in tokens(wording))
                by_first.setdefault(stems[0], {}).setdefault(stems, meaning)
    longest_first = {
        first: tuple(sorted(found.items(), key=lambda item: -len(item[0]))) for first, found in by_first.items()
    }
    predicates = {stem(word) for language in known for word in language.action | language.observation}
    predicates |= {stem(word) for language in known for word in language.assertion if " " not in word}
    return _Phrases(
        by_first=longest_first,
        function_words=frozenset(word for language in known for word in language.function_words),
        optional=frozenset(stem(word) for language in known for word in language.optional_words),
        actors=frozenset(word for language in known for word in language.actors),
        determiners=frozenset(word for language in known for word in language.determiners),
        prepositions=frozenset(word for language in known for word in language.prepositions),
        past=frozenset(word for language in known for word in language.past_auxiliaries),
        predicates=frozenset(predicates | {"be", "have", "can"}),
    )


def is_code(masked: str) -> bool:
    """Whether the text is a statement of Karate's language (`def x = …`, `method get`), or holds data in brackets."""
    if _DATA.search(masked):
        return True
    return bool(_CODE.match(masked)) and (bool(_CODE_SIGN.search(masked)) or len(tokens(masked)) <= 2)


@lru_cache(maxsize=65536)
def meaning_of(masked: str, languages: tuple[str, ...] = ("en",)) -> Meaning:
    """The meaning of a masked text."""
    phrases = _phrases(languages)
    words = tokens(masked)
    stems = [stem(word) for word in words]
    kept: list[str] = []
    synonyms: list[tuple[str, str]] = []
    position = 0
    while position < len(stems):
        for wording, name in phrases.by_first.get(stems[position], ()):
            if tuple(stems[position : position + len(wording)]) == wording:
                if name:
                    kept.append(name)
                    synonyms.append((" ".join(words[position : position + len(wording)]), name))
                position += len(wording)
                break
        else:
            following = stems[position + 1] if position + 1 < len(stems) else ""
            acts = words[position] in phrases.actors and not kept and following in phrases.predicates
            if _tells_past(words, stems, position, phrases):
                kept.append(_PAST)
            elif _names_argument(words, position, phrases) or (
                words[position] not in phrases.function_words and not acts
            ):
                kept.append(stems[position])
            position += 1
    essential = tuple(word for word in kept if word not in phrases.optional)
    return Meaning(tuple(kept), essential, frozenset(synonyms), is_code(masked))


def _tells_past(words: list[str], stems: list[str], position: int, phrases: _Phrases) -> bool:
    following = position + 1
    if words[position] not in phrases.past or following >= len(words):
        return False
    return words[following].endswith("ed") and stems[following] != words[following]


def _names_argument(words: list[str], position: int, phrases: _Phrases) -> bool:
    """Whether a preposition stands here with an argument after it, a determiner between allowed."""
    if words[position] not in phrases.prepositions:
        return False
    following = [word for word in words[position + 1 : position + 3] if word not in phrases.determiners]
    return following[:1] == [SLOT]
