"""Chooses the text that represents several."""

import re
from collections.abc import Iterable
from functools import lru_cache

from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import arguments
from cukereuse_engine.text.words import is_emphasised

_SLIP = re.compile(
    r"\b([^\W\d_]+) \1\b"  # "the the"
    r"|\ba (?!eu|one\b|once\b)[aeio][a-z]"
    r"|\ban (?:uni|user|[bcdgjkpqtvwyz][a-z])"
)


def canonical(texts: Iterable[StepText]) -> StepText:
    """The canonical phrasing: the most frequent text, then the one with the fewest quoted parameters, then the
    shortest, then the first by alphabet. Raises `ValueError` for no texts."""
    several = list(texts)
    most = max(text.occurrences for text in several)
    tied = [text for text in several if text.occurrences == most]
    return tied[0] if len(tied) == 1 else min(tied, key=lambda text: (_quoted(text.text), len(text.text), text.text))


@lru_cache(1 << 16)  # an editor asks again with every key
def _quoted(text: str) -> int:
    """Number of quoted arguments."""
    return sum(argument.delimiter not in ("", "<") for argument in arguments(text))


def has_slip(text: StepText) -> bool:
    """True if the text has a slip that nobody should copy: a repeated word, "a" before a vowel, an unclosed
    asterisk."""
    masked = text.template.masked
    return bool(_SLIP.search(text.template.key)) or (is_emphasised(masked) and masked.count("*") % 2 == 1)
