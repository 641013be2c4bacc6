"""Which of several texts stands for all."""

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

_MANY = 1 << 16
"""Texts whose arguments are remembered as counted: an editor asks again with every key."""


def quoted_parameters(text: StepText) -> int:
    """Number of quoted arguments."""
    return _quoted(text.template.text)


@lru_cache(_MANY)
def _quoted(text: str) -> int:
    return sum(argument.delimiter not in ("", "<") for argument in arguments(text))


def preference(text: StepText) -> tuple[int, int, int, str]:
    """Sort key: most frequent, then fewest quoted parameters, then shortest, then alphabetical."""
    return (-text.occurrences, quoted_parameters(text), len(text.text), text.text)


def canonical(texts: Iterable[StepText]) -> StepText:
    """The canonical phrasing. Raises `ValueError` for no texts."""
    candidates = list(texts)
    most = max(text.occurrences for text in candidates)
    tied = [text for text in candidates if text.occurrences == most]
    return tied[0] if len(tied) == 1 else min(tied, key=preference)  # arguments are counted where they decide


def has_slip(text: StepText) -> bool:
    """Whether the text has a slip of the pen, so that nobody should write like it: a word twice, "a" before a vowel, an
    asterisk that isn't closed.
    """
    masked = text.template.masked
    return bool(_SLIP.search(text.template.key)) or (is_emphasised(masked) and masked.count("*") % 2 == 1)
