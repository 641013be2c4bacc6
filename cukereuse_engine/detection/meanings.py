"""The words by which templates are found that say one thing in other words."""

from collections.abc import Sequence

from cukereuse_engine.judging.lexicon import Tag
from cukereuse_engine.judging.tagging import units


def meaning_words(masked: str, languages: tuple[str, ...]) -> frozenset[str]:
    """The words that carry a template's meaning, synonyms as one; all of them where none does."""
    all_units = units(masked, languages)
    return frozenset(unit.name for unit in all_units if unit.tag >= Tag.SLOT) or frozenset(
        unit.stem for unit in all_units
    )


def all_meaning_words(masked: Sequence[str], languages: tuple[str, ...]) -> list[frozenset[str]]:
    """`meaning_words` of each."""
    return [meaning_words(text, languages) for text in masked]
