"""Indel similarity as the paper defines it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.index.lexical_join import pairwise_indel


def indel(a: str, b: str) -> float:
    return float(pairwise_indel([a, b], np.array([0]), np.array([1]))[0])


def longest_common_subsequence(a: str, b: str) -> int:
    row = [0] * (len(b) + 1)
    for x in a:
        diagonal = 0
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], diagonal + 1 if x == y else max(row[j], row[j - 1])
    return row[-1]


@given(st.text("ab \t", max_size=12), st.text("ab \t", max_size=12))
def test_indel_is_twice_the_common_subsequence_over_both_lengths(a: str, b: str) -> None:
    expected = 2 * longest_common_subsequence(a, b) / (len(a) + len(b)) if a or b else 1.0
    assert indel(a, b) == pytest.approx(expected)
    assert indel(a, b) == indel(b, a)


def test_indel_is_not_levenshtein() -> None:
    assert indel("kitten", "sitting") == pytest.approx(8 / 13)  # Levenshtein's would be 4 / 7
