"""Which of several texts stands for all."""

from collections.abc import Iterable

from cukereuse_engine.judging.model import StepText

_QUOTES = frozenset("\"'`")


def quoted_parameters(text: StepText) -> int:
    """Number of quoted arguments."""
    return sum(argument.delimiter in _QUOTES for argument in text.template.arguments)


def preference(text: StepText) -> tuple[int, int, int, str]:
    """Sort key: most frequent, then fewest quoted parameters, then shortest, then alphabetical."""
    return (-text.occurrences, quoted_parameters(text), len(text.text), text.text)


def canonical(texts: Iterable[StepText]) -> StepText:
    """The canonical phrasing. Raises `ValueError` for no texts."""
    candidates = list(texts)
    most = max(text.occurrences for text in candidates)
    tied = [text for text in candidates if text.occurrences == most]
    return tied[0] if len(tied) == 1 else min(tied, key=preference)  # arguments are counted where they decide
