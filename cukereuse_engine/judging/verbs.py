"""How two wordings differ in modality (done, can be done, tried) and in prepositions (by, for, from)."""

from collections.abc import Mapping, Set
from functools import cache

from cukereuse_engine.judging.alignment import alignment_between
from cukereuse_engine.text.words import tokens, vocabulary, words_of


def words_of_modality(
    masked: str, other: str, languages: tuple[str, ...] = ("en",), tables: tuple[str, ...] = ("modals", "attempts")
) -> Set[str]:
    """The words with which only one says that something can be done or succeeds (`modals`), or is tried (`attempts`).
    Names do not count: "May" is a month."""
    names = _names_inside(masked) | _names_inside(other)
    alignment = alignment_between(masked, other, languages)
    only = {*alignment.missing, *(unit.surface for unit in alignment.little)}
    return only & words_of(languages, *tables) - names


def differ_in_preposition(masked: str, other: str, languages: tuple[str, ...] = ("en",)) -> bool:
    """True if they have different prepositions between the same two words: "shared by ▣" and "shared with ▣"."""
    mine, theirs = (_prepositions_between(tokens(text), _prepositions(languages)) for text in (masked, other))
    return any(mine[around].isdisjoint(theirs[around]) for around in mine.keys() & theirs.keys())


def _prepositions_between(
    words: list[str], groups: Mapping[str, tuple[str, int]]
) -> dict[tuple[str, str], set[tuple[str, int]]]:
    """Maps the words around prepositions to the groups between them: "from ▣ to ▣ in ▣" has two between slots."""
    between: dict[tuple[str, str], set[tuple[str, int]]] = {}
    for before, word, after in zip(("", *words), words, words[1:], strict=False):
        if word in groups:
            between.setdefault((before, after), set()).add(groups[word])
    return between


def _names_inside(masked: str) -> set[str]:
    """The words with a capital inside a sentence, in lower case."""
    rest = tokens(masked, lower=False)[1:]
    is_sentence = any(word[:1].islower() for word in rest)
    return {word.lower() for word in rest if is_sentence and word[:1].isupper()}


@cache
def _prepositions(languages: tuple[str, ...]) -> dict[str, tuple[str, int]]:
    """Preposition to what it says: the number of its list."""
    groups = ((code, number, words) for code in languages for number, words in enumerate(vocabulary(code).prepositions))
    return {word: (code, number) for code, number, words in groups for word in words}
