"""How verbs and prepositions of two wordings differ where little else does: what is done, can be done or is tried, what
was, and by, for or from whom."""

from collections.abc import Mapping
from functools import cache

from cukereuse_engine.judging.alignment import WordRelation, alignment_between
from cukereuse_engine.text.words import tokens, vocabulary, words_of


def differ_in_modality(
    masked: str, other: str, languages: tuple[str, ...] = ("en",), *, attempts: bool = False
) -> bool:
    """Whether only one says that something can be done, is tried (with `attempts`, this alone), or succeeds; "May" is a
    month."""
    modals = {word for code in languages for group in vocabulary(code).modals[attempts:] for word in group}
    names = _names_inside(masked) | _names_inside(other)
    return not (modals - names).isdisjoint(_only_in_one(masked, other, languages))


def differ_in_aspect(masked: str, other: str, languages: tuple[str, ...] = ("en",)) -> bool:
    """Whether one alone tells, with an auxiliary, what was done or is the case: "is sorted" and "sorts"."""
    matches = alignment_between(masked, other, languages).matches
    inflected = any(match.relation is WordRelation.INFLECTED for match in matches)
    with_auxiliary = {not words_of(languages, "auxiliaries").isdisjoint(tokens(text)) for text in (masked, other)}
    return inflected and len(with_auxiliary) == 2


def differ_in_preposition(masked: str, other: str, languages: tuple[str, ...] = ("en",)) -> bool:
    """Whether between the same two words one says another preposition: "shared by ▣" and "shared with ▣"."""
    mine, theirs = (_prepositions_between(tokens(text), _prepositions(languages)) for text in (masked, other))
    return any(mine[around].isdisjoint(theirs[around]) for around in mine.keys() & theirs.keys())


def _prepositions_between(
    words: list[str], groups: Mapping[str, tuple[str, int]]
) -> dict[tuple[str, str], set[tuple[str, int]]]:
    """Words around prepositions to what is said between them: "from ▣ to ▣ in ▣" has "to" and "in" between the same."""
    between: dict[tuple[str, str], set[tuple[str, int]]] = {}
    for before, word, after in zip(("", *words), words, words[1:], strict=False):
        if word in groups:
            between.setdefault((before, after), set()).add(groups[word])
    return between


def _names_inside(masked: str) -> set[str]:
    """What has a capital inside a sentence, in lower case."""
    rest = tokens(masked, lower=False)[1:]
    is_sentence = any(word[:1].islower() for word in rest)
    return {word.lower() for word in rest if is_sentence and word[:1].isupper()}


def _only_in_one(masked: str, other: str, languages: tuple[str, ...]) -> set[str]:
    alignment = alignment_between(masked, other, languages)
    missing = [match.one for match in alignment.matches if match.relation is WordRelation.MISSING]
    return {unit.surface for unit in (*alignment.little, *missing)}


@cache
def _prepositions(languages: tuple[str, ...]) -> dict[str, tuple[str, int]]:
    """Preposition to what it says: the number of its list."""
    return {
        word: (code, number)
        for code in languages
        for number, group in enumerate(vocabulary(code).prepositions)
        for word in group
    }
