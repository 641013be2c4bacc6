"""Crowds: generated steps have thousands of near copies; only a few examples of these are compared."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.index.token_join import Crowds, find_crowds

CROWD, CROWD_SHARE, CROWD_NEARNESS, EXAMPLES = 500, 0.02, 0.4, 10
"""Templates that make a crowd, at least so many and such a share of the suite, all with this Jaccard similarity of the
sets of meaning words to one of them. Of a crowd so many examples near each template are compared, and what has the same
meaning words: "I click the cart button" and "I press the cart button" beside 500 other buttons. Of 17,500 sentences
around SQL statements, in which 31 million pairs are near in wording, 1,100 are left, and 2,900 pairs of the same words;
of the 30 largest of 535 public suites one other has a crowd."""


def crowds_of(masked: Sequence[str], meanings: Sequence[frozenset[str]]) -> Crowds:
    """The crowds of near copies among these texts, with their meaning words. The shortest texts are the examples."""
    if len(masked) <= CROWD:
        return no_crowds(masked, meanings)
    return _crowds_of(tuple(masked), tuple(meanings), max(CROWD, int(CROWD_SHARE * len(masked))), EXAMPLES)


@lru_cache(2)  # a server needs this to make a suite's judge, and again for each comparison
def _crowds_of(masked: Sequence[str], meanings: Sequence[frozenset[str]], crowd: int, examples: int) -> Crowds:
    return find_crowds(meanings, CROWD_NEARNESS, crowd, examples, by_length(masked))


def no_crowds(masked: Sequence[str], _meanings: Sequence[frozenset[str]]) -> Crowds:
    """Every text is compared with all others."""
    return Crowds(np.arange(len(masked)), np.arange(0), np.arange(0))


def by_length(masked: Sequence[str]) -> list[int]:
    return sorted(range(len(masked)), key=lambda i: length_order(masked[i]))


def length_order(masked: str) -> tuple[int, str]:
    """The order in which examples are chosen."""
    return len(masked), masked


def of_same_words(meanings: Sequence[frozenset[str]], order: Iterable[int], examples: set[int]) -> NDArray[np.int32]:
    """(n, 2) pairs `a < b` among the first texts with the same meaning words, unless both are `examples`."""
    groups: dict[frozenset[str], list[int]] = {}
    for position in order:
        group = groups.setdefault(meanings[position], [])
        if len(group) < EXAMPLES:
            group.append(position)
    pairs = [pair for group in groups.values() for pair in combinations(sorted(group), 2)]
    return np.array([pair for pair in pairs if not examples.issuperset(pair)], np.int32).reshape(-1, 2)
