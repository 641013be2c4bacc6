"""Of thousands of near copies a few examples are compared, and nothing is left out without a crowd."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cukereuse_engine.detection.candidates import candidate_pairs
from cukereuse_engine.index import crowds
from cukereuse_engine.index.token_join import find_crowds

BAGS = st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=5), max_size=30)


def near(left: frozenset[str], right: frozenset[str], threshold: float) -> bool:
    return bool(left & right) and len(left & right) / len(left | right) >= threshold


def brute(bags: list[frozenset[str]], threshold: float, crowd: int, examples: int, order: list[int]) -> list[int]:
    chosen: list[int] = []
    examples_of: dict[int, list[int]] = {}
    for position in order:
        beside = [other for other in chosen if near(bags[position], bags[other], threshold)]
        if len(beside) >= examples:
            examples_of[position] = beside
        else:
            chosen.append(position)
    around = {each: sum(each in beside for beside in examples_of.values()) for each in chosen}
    gone = {position for position, beside in examples_of.items() if max(around[each] for each in beside) >= crowd}
    return [position for position in range(len(bags)) if position not in gone]


@settings(deadline=None)
@given(BAGS, st.sampled_from([0.3, 0.5, 0.8]), st.integers(1, 8), st.integers(1, 4), st.randoms())
def test_what_stays(
    bags: list[frozenset[str]], threshold: float, crowd: int, examples: int, draw: random.Random
) -> None:
    order = list(range(len(bags)))
    draw.shuffle(order)
    crowds = find_crowds(bags, threshold, crowd, examples, order)
    assert crowds.left.tolist() == brute(bags, threshold, crowd, examples, order)


def generated(count: int) -> list[str]:
    """One sentence with values without quotes, as a generator writes them."""
    values = [
        f"{table}{column}" for table, column in itertools.product(["users", "orders", "carts"], range(count // 3))
    ]
    return [f"the admin runs the statement select {value} from warehouse and checks the result" for value in values]


ORDINARY = ["I open the cart page", "I open the cart", "the cart has ▣ items", "I see the profile of the user"]


@pytest.mark.parametrize("order", [1, -1])
def test_a_crowd_of_generated_steps_is_compared_by_examples(order: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "CROWD", 50)
    masked = (ORDINARY + generated(300))[::order]
    a, b, _, uncompared = candidate_pairs(masked, None)
    assert uncompared == 300 - crowds.EXAMPLES
    pairs = {frozenset((masked[i], masked[j])) for i, j in zip(a.tolist(), b.tolist(), strict=True)}
    assert frozenset(ORDINARY[:2]) in pairs
    assert len({text for pair in pairs for text in pair} - set(ORDINARY)) == crowds.EXAMPLES


def test_the_same_words_are_compared_in_a_crowd_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "CROWD", 50)
    names = [f"b{number}th" for number in range(300)]
    masked = [f"I click the {name} button" for name in names] + ["I press the b250th button"]
    vectors = np.tile(np.float32([1, 0]), (len(masked), 1))
    a, b, cosine, uncompared = candidate_pairs(masked, vectors.__getitem__)
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    assert pairs == sorted(set(pairs))
    assert cosine is not None
    assert np.flatnonzero(np.isnan(cosine)).tolist() == [pairs.index((250, 300))]
    assert uncompared == len(masked) - crowds.EXAMPLES - 2


def test_what_is_alike_but_no_crowd_is_compared_in_full() -> None:
    masked = ORDINARY + generated(300)
    a, *_, uncompared = candidate_pairs(masked, None)
    assert uncompared == 0
    assert len(a) >= 300 * 299 / 2
