"""Whether two templates say one thing in other words: `p_one_intent`.

By meaning, not by nearness: what differs must be words that carry no meaning here, an inflection, an order, a synonym.
Another noun or verb is another intent, or an argument without quotes; neither is a finding, however near the texts are.
"""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.features import Column
from cukereuse_engine.judging.meaning import Meaning
from cukereuse_engine.judging.templates import Pairs, Templates
from cukereuse_engine.text.template import SLOT

SAME_MEANING = 0.95
"""The same content words in the same order."""
REORDERED = 0.8
"""The same content words in another order."""
OPTIONAL_WORD = 0.6
"""The same but for a word that is often left out."""
_CEILING = 0.45
"""No pair whose content words differ otherwise comes above this: below one half nothing is reported."""


class MeaningTable:
    """Numbers for the meanings of a suite's templates, so that meanings are compared as integers."""

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self._numbers: dict[tuple[object, ...], int] = {}
        self._columns: list[tuple[int, int, int, int]] = []
        self._array = np.empty((0, 4), np.int64)

    def _number(self, *key: object) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _row(self, meaning: Meaning) -> tuple[int, int, int, int]:
        silent = not any(word != SLOT for word in meaning.essential) or meaning.is_code
        return (
            self._number("ordered", meaning.words),
            self._number("bag", tuple(sorted(meaning.words))),
            self._number("essential", meaning.essential),
            int(silent),
        )

    def columns(self) -> NDArray[np.int64]:
        """(rows, 4): meaning in order, meaning in any order, essential meaning, whether it says nothing to compare."""
        if len(self._columns) != len(self._templates):
            self._columns += [self._row(meaning) for meaning in self._templates.meanings[len(self._columns) :]]
            self._array = np.array(self._columns, np.int64).reshape(-1, 4)
        return self._array


def barring(pairs: Pairs) -> NDArray[np.bool_]:
    """Whether any guard keeps the pair apart."""
    return np.asarray(np.logical_or.reduce(list(pairs.guards().values())), np.bool_)


def one_intent(pairs: Pairs, table: MeaningTable, p_same: Column, cosine: Column) -> Column:
    """`p_one_intent` of each pair of different templates; `cosine` is NaN where unknown."""
    columns = table.columns()
    a, b = columns[pairs.a], columns[pairs.b]
    ordered, bag, essential = a[:, 0] == b[:, 0], a[:, 1] == b[:, 1], a[:, 2] == b[:, 2]
    nearness = np.where(np.isnan(cosine), p_same, np.maximum(p_same, np.clip((cosine - 0.6) / 0.4, 0.0, 1.0)))
    result = _CEILING * nearness
    result = np.where(essential, OPTIONAL_WORD + 0.1 * p_same, result)
    result = np.where(bag, REORDERED, result)
    result = np.where(ordered, SAME_MEANING, result)
    silent = (a[:, 3] | b[:, 3]).astype(bool)
    return np.asarray(np.where(silent | barring(pairs), 0.0, result), np.float64)


def difference(one: Meaning, other: Meaning) -> tuple[list[str], list[str]]:
    """Content words that only the one, and only the other has."""
    mine, theirs = Counter(one.words), Counter(other.words)
    return sorted((mine - theirs).elements()), sorted((theirs - mine).elements())
