"""Whether two templates say one thing in other words: `p_one_intent`.

By meaning, not by nearness: what differs must be words that carry no meaning here, an inflection, an order, a synonym.
Another noun or verb is another intent, or an argument without quotes; neither is a finding, however near the texts are.
"""

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
        self._columns = np.zeros((0, 4), np.int64)
        self._done = np.zeros(0, np.bool_)

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

    def columns(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """(n, 4): meaning in order, meaning in any order, essential meaning, whether it says nothing to compare."""
        missing = len(self._templates) - len(self._done)
        if missing:
            self._columns = np.pad(self._columns, ((0, missing), (0, 0)))
            self._done = np.pad(self._done, (0, missing))
        wanted = np.unique(rows)
        for row in wanted[~self._done[wanted]].tolist():
            self._columns[row] = self._row(self._templates.meaning(row))
            self._done[row] = True
        return self._columns[rows]


def barring(pairs: Pairs) -> NDArray[np.bool_]:
    """Whether any guard keeps the pair apart."""
    return np.asarray(np.logical_or.reduce(list(pairs.guards().values())), np.bool_)


def one_intent(pairs: Pairs, table: MeaningTable, p_same: Column, cosine: Column) -> Column:
    """`p_one_intent` of each pair of different templates; `cosine` is NaN where unknown."""
    a, b = table.columns(pairs.a), table.columns(pairs.b)
    ordered, bag, essential = a[:, 0] == b[:, 0], a[:, 1] == b[:, 1], a[:, 2] == b[:, 2]
    nearness = np.where(np.isnan(cosine), p_same, np.maximum(p_same, np.clip((cosine - 0.6) / 0.4, 0.0, 1.0)))
    result = _CEILING * nearness
    result = np.where(essential, OPTIONAL_WORD + 0.1 * p_same, result)
    result = np.where(bag, REORDERED, result)
    result = np.where(ordered, SAME_MEANING, result)
    silent = (a[:, 3] | b[:, 3]).astype(bool)
    return np.asarray(np.where(silent | barring(pairs), 0.0, result), np.float64)
