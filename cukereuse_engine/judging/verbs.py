"""How verbs and prepositions of two wordings differ where little else does: what is done, can be done or is tried, what
was, and by, for or from whom."""

from functools import cache

from cukereuse_engine.judging.alignment import Relation, alignment_between
from cukereuse_engine.text.words import tokens, vocabulary


def differ_in_modality(masked: str, other: str, languages: tuple[str, ...] = ("en",)) -> bool:
    """Whether only one says that something can be done, is tried, or succeeds."""
    return not _modals(languages).isdisjoint(_only_in_one(masked, other, languages))


def differ_in_aspect(masked: str, other: str, languages: tuple[str, ...] = ("en",)) -> bool:
    """Whether one alone tells, with an auxiliary, what was done or is the case: "is sorted" and "sorts"."""
    matches = alignment_between(masked, other, languages).matches
    inflected = any(match.relation is Relation.INFLECTED for match in matches)
    with_auxiliary = {not _auxiliaries(languages).isdisjoint(tokens(text)) for text in (masked, other)}
    return inflected and len(with_auxiliary) == 2


def differ_in_preposition(masked: str, other: str, languages: tuple[str, ...] = ("en",)) -> bool:
    """Whether between the same two words one says another preposition: "shared by ▣" and "shared with ▣"."""
    groups = _prepositions(languages)
    by_neighbours = [
        {
            (words[place - 1] if place else "", words[place + 1]): groups[word]
            for place, word in enumerate(words[:-1])
            if word in groups
        }
        for words in (tokens(masked), tokens(other))
    ]
    mine, theirs = by_neighbours
    return any(mine[around] != theirs[around] for around in mine.keys() & theirs.keys())


def _only_in_one(masked: str, other: str, languages: tuple[str, ...]) -> set[str]:
    alignment = alignment_between(masked, other, languages)
    missing = [match.one for match in alignment.matches if match.relation is Relation.MISSING]
    return {unit.surface for unit in (*alignment.little, *missing)}


@cache
def _modals(languages: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for code in languages for word in vocabulary(code).modals)


@cache
def _prepositions(languages: tuple[str, ...]) -> dict[str, tuple[str, int]]:
    """Preposition to what it says: the number of its list."""
    return {
        word: (code, number)
        for code in languages
        for number, group in enumerate(vocabulary(code).prepositions)
        for word in group
    }


@cache
def _auxiliaries(languages: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for code in languages for word in vocabulary(code).auxiliaries)
