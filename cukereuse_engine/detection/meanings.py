"""The words by which templates are found that say one thing in other words."""

from collections.abc import Sequence

from cukereuse_engine.judging.meaning import meaning_of


def meaning_words(masked: str, languages: tuple[str, ...]) -> frozenset[str]:
    """The words that carry a template's meaning; all of them where none is essential."""
    meaning = meaning_of(masked, languages)
    return frozenset(meaning.essential or meaning.words)


def all_meaning_words(masked: Sequence[str], languages: tuple[str, ...]) -> list[frozenset[str]]:
    """`meaning_words` of each."""
    return [meaning_words(text, languages) for text in masked]
