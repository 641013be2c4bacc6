"""How verbs and prepositions of two wordings differ where little else does: what is done, can be done or is tried, what
was, by, for or from whom, and of how many."""

from functools import cache
from itertools import pairwise

from cukereuse_engine.judging.alignment import Relation, alignment_between, is_plural
from cukereuse_engine.judging.tagging import units
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


def swap_numbers(masked: str, other: str, languages: tuple[str, ...] = ("en",)) -> bool:
    """Whether what is one in the first is several in the second, and the other way round: "a user to roles" and "users
    to a role". A verb that follows its noun's number ("users exist") says nothing of its own."""
    text = units(min(masked, other), languages)
    inflected = {
        match.one: match.one.surface.endswith("s")
        for match in alignment_between(masked, other, languages).matches
        if match.relation is Relation.INFLECTED and is_plural(match) and " " not in match.one.surface
    }
    nouns = [
        inflected[unit] for before, unit in pairwise((None, *text)) if unit in inflected and before not in inflected
    ]
    return len(set(nouns)) == 2


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
