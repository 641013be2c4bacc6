"""Answers that are made together are those made alone, and are not made twice while they are kept."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.index.batched import Batched

KEYS = st.lists(st.integers(0, 9), max_size=12)


@given(st.lists(st.tuples(KEYS, KEYS), max_size=6), st.integers(1, 12), st.integers(1, 4))
def test_each_answer_is_right(rounds: list[tuple[list[int], list[int]]], most: int, at_once: int) -> None:
    asked: list[list[int]] = []

    def squares(keys: Sequence[int]) -> list[int]:
        asked.append(list(keys))
        return [key * key for key in keys]

    cache = Batched(squares, most, at_once)
    for together, alone in rounds:
        cache.prepare(together)
        assert [cache.get(key) for key in alone] == [key * key for key in alone]
    assert all(len(keys) == len(set(keys)) <= at_once for keys in asked)
    if most >= 10:
        every = [key for keys in asked for key in keys]
        assert len(every) == len(set(every)), "none is asked twice"


def test_what_is_prepared_is_answered_together() -> None:
    asked: list[list[int]] = []
    cache = Batched(lambda keys: asked.append(list(keys)) or list(keys), 10, 2)
    cache.prepare([1, 2, 1, 3])
    assert [cache.get(key) for key in (1, 2, 3)] == [1, 2, 3]
    assert asked == [[1, 2], [3]]
