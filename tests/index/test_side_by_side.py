"""Lists side by side in arrays give the same as the lists one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.index.side_by_side import Lists, Numbers, all_beside, nearest_first

WORDS = st.lists(st.lists(st.sampled_from("abcdef"), unique=True), min_size=1, max_size=5)


@given(WORDS, st.data())
def test_what_two_lists_share(lists: list[list[str]], data: st.DataObject) -> None:
    rows = st.lists(st.integers(0, len(lists) - 1), max_size=6)
    left = data.draw(rows)
    right = data.draw(st.lists(st.integers(0, len(lists) - 1), min_size=len(left), max_size=len(left)))
    flat = [(number, item) for number, items in enumerate(lists) for item in items]
    pair, place, counterpart = Lists(lists, Numbers[str]()).beside(
        *(np.array(side, np.int64) for side in (left, right))
    )
    assert list(zip(pair.tolist(), place.tolist(), counterpart.tolist(), strict=True)) == [
        (i, flat.index((left[i], item)), flat.index((right[i], item)) if item in lists[right[i]] else -1)
        for i in range(len(left))
        for item in lists[left[i]]
    ]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=4), st.randoms(use_true_random=False))
def test_the_nearest_are_matched_first(sizes: list[tuple[int, int]], chance: "object") -> None:
    sides = [np.repeat(np.arange(len(sizes)), [size[side] for size in sizes]).astype(np.int64) for side in (0, 1)]
    ((one, other),) = all_beside(sides[0], sides[1], 100)
    distance = np.array([chance.randrange(3) for _ in one], np.int64)  # type: ignore[attr-defined]
    expected, taken = [], set()
    for owner in range(len(sizes)):
        own = [at for at in range(len(one)) if sides[0][one[at]] == owner]
        for at in sorted(own, key=lambda at: distance[at]):
            ends = {("one", one[at]), ("other", other[at])}
            if taken.isdisjoint(ends):
                taken |= ends
                expected.append(at)
    assert nearest_first(sides[0][one], one, other, distance).tolist() == expected


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=6), st.integers(1, 12))
def test_long_lists_are_laid_beside_each_other_in_parts(sizes: list[tuple[int, int]], at_once: int) -> None:
    mine, theirs = (
        np.repeat(np.arange(len(sizes)), [size[side] for size in sizes]).astype(np.int64) for side in (0, 1)
    )
    parts = [np.stack(part) for part in all_beside(mine, theirs, at_once)]
    largest = max((one * other for one, other in sizes), default=0)
    assert all(part.shape[1] <= at_once + largest for part in parts)
    owners = [set(mine[part[0]].tolist()) for part in parts]
    assert len(set().union(*owners)) == sum(map(len, owners)), "a pair is in one part"
    expected = [(a, b) for a, own in enumerate(mine) for b, its in enumerate(theirs) if own == its]
    assert list(map(tuple, np.concatenate(parts, 1).T.tolist())) == expected
