"""Chooses the text that represents several."""

import re
from collections.abc import Iterable
from functools import lru_cache
from operator import attrgetter

from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import arguments
from cukereuse_engine.text.words import is_emphasised

_SLIP = re.compile(
    r"\b([^\W\d_]+) \1\b"  # "the the"
    r"|\ba (?!eu|one\b|once\b)[aeio][a-z]"
    r"|\ban (?:uni|user|[bcdgjkpqtvwyz][a-z])"
)

_MANY = 1 << 16
"""How many texts keep their count of arguments: an editor asks again with every key."""


def quoted_parameters(text: StepText) -> int:
    """Number of quoted arguments."""
    return _quoted(text.template.text)


@lru_cache(_MANY)
def _quoted(text: str) -> int:
    return sum(argument.delimiter not in ("", "<") for argument in arguments(text))


def _uses(text: StepText) -> int:
    return -text.occurrences


def _length(text: StepText) -> int:
    return len(text.text)


_text = attrgetter("text")


def canonical(texts: Iterable[StepText]) -> StepText:
    """The canonical phrasing: the most frequent text, then the one with the fewest quoted parameters, then the
    shortest, then the first by alphabet. Raises `ValueError` for no texts."""
    tied = list(texts)
    for measure in (_uses, quoted_parameters, _length):  # each measure decides among the texts that the last one left
        if len(tied) > 1:
            measured = [measure(text) for text in tied]
            least = min(measured)
            tied = [text for text, value in zip(tied, measured, strict=True) if value == least]
    return min(tied, key=_text)


def has_slip(text: StepText) -> bool:
    """Whether the text has a slip that nobody should copy: a repeated word, "a" before a vowel, an unclosed
    asterisk."""
    masked = text.template.masked
    return bool(_SLIP.search(text.template.key)) or (is_emphasised(masked) and masked.count("*") % 2 == 1)
