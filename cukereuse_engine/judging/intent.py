"""Whether two templates say one thing in other words: `p_one_intent`.

By meaning, not by nearness: what differs must be words that carry no meaning here, an inflection, an order, a synonym.
Another noun or verb is another intent, or an argument without quotes; neither is a finding, however near the texts are.
"""

from collections.abc import Set

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.features import Column
from cukereuse_engine.judging.meaning import Meaning, acting_verbs, joining_words, prepositions
from cukereuse_engine.judging.templates import Pairs, Templates
from cukereuse_engine.text.template import SLOT
from cukereuse_engine.text.words import stem, tokens

SAME_MEANING = 0.95
"""The same content words in the same order."""
INFLECTED = 0.49
"""The same but for inflection: mostly another number of things, or another time."""
REORDERED = 0.8
"""The same content words in another order."""
OPTIONAL_WORD = 0.6
"""The same but for a word that is often left out, between texts whose labels stand in asterisks. Elsewhere it mostly
says which of two definitions is meant: "click the … link" finds a link, "click …" anything."""
_CEILING = 0.45
"""No pair whose content words differ otherwise comes above this: below one half nothing is reported."""
_COLUMNS = 10
_SHORTEST_MOVE = 3
"""Fewest content words that say the same in another order."""


class MeaningTable:
    """Numbers for the meanings of a suite's templates, so that meanings are compared as integers."""

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self._numbers: dict[tuple[object, ...], int] = {}
        self._columns = np.zeros((0, _COLUMNS), np.int64)
        self._done = np.zeros(0, np.bool_)

    def _number(self, *key: object) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _row(self, meaning: Meaning) -> tuple[int, ...]:
        silent = not any(word != SLOT for word in meaning.essential) or meaning.is_code
        return (
            self._number("ordered", meaning.words),
            self._number("joined", "".join(meaning.words)),
            self._number("bag", tuple(sorted(meaning.words))),
            self._number("essential", meaning.essential_surface),
            self._number("surface", meaning.surface),
            self._number("agreement", meaning.agreement),
            int(meaning.essential == meaning.words),
            int(silent),
            self._number("signs", meaning.signs),
            int(meaning.is_labelled),
        )

    def columns(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """(n, 10): meaning in order, without blanks, in any order, essential meaning, meaning as written, agreement,
        whether all of it is essential, whether it says nothing to compare, signs, whether it is labelled.
        """
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
    ordered, joined, bag, essential, surface, agreement = (a[:, i] == b[:, i] for i in range(6))
    silent = (a[:, 7] | b[:, 7]).astype(bool)
    apart = barring(pairs) | (a[:, 8] != b[:, 8])
    nearness = np.where(np.isnan(cosine), p_same, np.maximum(p_same, np.clip((cosine - 0.6) / 0.4, 0.0, 1.0)))
    one_sided = essential & (a[:, 6] | b[:, 6]).astype(bool) & (a[:, 9] & b[:, 9]).astype(bool)
    result = np.where(one_sided, OPTIONAL_WORD + 0.1 * p_same, _CEILING * nearness)
    moved = np.zeros(len(pairs), np.bool_)
    languages = pairs.templates.languages
    fixed, leading, joining = acting_verbs(languages), prepositions(languages), joining_words(languages)
    for place in np.flatnonzero(bag & ~ordered & ~silent & ~apart).tolist():
        rows_of_pair = int(pairs.a[place]), int(pairs.b[place])
        if any(_is_list(pairs.templates.masked[row], joining) for row in rows_of_pair):
            continue
        one, other = (pairs.templates.meaning(row) for row in rows_of_pair)
        moved[place] = is_moved(one, other, fixed, leading)
    result = np.where(moved, REORDERED, result)
    result = np.where(ordered, np.where(surface, SAME_MEANING, INFLECTED), np.where(joined, SAME_MEANING, result))
    return np.asarray(np.where(silent | apart | agreement, 0.0, result), np.float64)


def _is_list(masked: str, joining: Set[str]) -> bool:
    """Whether the text enumerates values or clauses, or holds a path: each place is another role."""
    return "," in masked or "/" in masked or not joining.isdisjoint(tokens(masked))


def is_moved(one: Meaning, other: Meaning, verbs: Set[str] = frozenset(), prepositions: Set[str] = frozenset()) -> bool:
    """Whether two meanings are the same but for one block that stands elsewhere.

    Not where arguments change places: "from … to …" and "to … from …" give each another role. Nor where single words
    do: "the work … on the series … page" is not "the series … on the work … page". Nor does anything pass one of the
    `verbs`: who receives is not what is received. Nor does a preposition leave what it stands before, or an argument
    pass a plural or a participle: in "3 parcels" it counts them, and "… is assigned" is not "assigned …". Nor do
    the words of a name change places. Nor does a block leave a word that stands again where it goes: in "a box for …
    with a small box" another box is meant then. Nor does anything change its inflection on the way: "the bed in the
    plots list" is not "the plot in the beds list".
    """
    if len(one.words) != len(other.words) or len(one.words) < _SHORTEST_MOVE:
        return False
    if sorted(one.surface) != sorted(other.surface):
        return False
    start, end = 0, len(one.words)
    while start < end and one.words[start] == other.words[start]:
        start += 1
    while end > start and one.words[end - 1] == other.words[end - 1]:
        end -= 1
    mine, theirs = one.words[start:end], other.words[start:end]
    written = one.surface[start:end]
    for cut in range(1, len(mine)):
        if mine[cut:] + mine[:cut] != theirs:
            continue
        blocks = (mine[:cut], mine[cut:])
        if not verbs.isdisjoint(mine) or any(block[-1] in prepositions for block in blocks):
            return False
        if one.labels.issuperset(mine) or not set(one.words[:start] + one.words[end:]).isdisjoint({*mine} - {SLOT}):
            return False
        if SLOT not in mine:
            return True
        passed = written[cut:] if SLOT in blocks[0] else written[:cut]
        return not all(SLOT in block for block in blocks) and not any(map(_is_inflected, passed))
    return False


def _is_inflected(word: str) -> bool:
    """Whether the word is written as a plural or a participle."""
    return word.endswith(("s", "ed")) and stem(word) != word
