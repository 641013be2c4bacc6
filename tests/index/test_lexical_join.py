"""The lexical join finds exactly the pairs that comparing all with all finds."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz

from cukereuse_engine.errors import Cancelled
from cukereuse_engine.index import lexical_join as module
from cukereuse_engine.index.lexical_join import lexical_join


def brute_force(texts: list[str], threshold: float) -> list[tuple[int, int, float]]:
    return [
        (i, j, fuzz.ratio(texts[i], texts[j]) / 100)
        for i in range(len(texts))
        for j in range(i + 1, len(texts))
        if fuzz.ratio(texts[i], texts[j]) / 100 >= threshold
    ]


def joined(texts: list[str], threshold: float) -> list[tuple[int, int, float]]:
    pairs = lexical_join(texts, threshold)
    return list(zip(pairs.a.tolist(), pairs.b.tolist(), pairs.score.tolist(), strict=True))


THRESHOLDS = st.one_of(st.sampled_from([0.5, 0.6, 2 / 3, 0.7, 0.75, 0.8, 0.9, 1.0]), st.floats(0.5, 1.0))
WORDS = ["I", "open", "the", "cart", "page", "with", "a", "user", "named", "see", "3", "items"]
ALPHABETS = ["ab", "ab \t", "aàá\u0301e\u0301", "😀👍🏽\u200d", "\ud800\udfffx", "İıẞß\x00\u2028"]


@settings(deadline=None)
@given(st.sampled_from(ALPHABETS).flatmap(lambda a: st.lists(st.text(a, max_size=14), max_size=30)), THRESHOLDS)
def test_equals_brute_force(texts: list[str], threshold: float) -> None:
    assert joined(texts, threshold) == brute_force(texts, threshold)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join),
        max_size=40,
    ),
    THRESHOLDS,
)
def test_equals_brute_force_on_sentences_in_small_blocks(texts: list[str], threshold: float) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"_ROWS": 3, "_COLUMNS": 5, "_VERIFIED_AT_ONCE": 4, "_FEATURES": 9, "_LEVELS": 2}.items():
            patch.setattr(module, name, value)
        assert joined(texts, threshold) == brute_force(texts, threshold)


@pytest.mark.parametrize("dense", [0.0, 1.1])
def test_both_ways_of_verifying_agree(dense: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_DENSE", dense)
    texts = [f"the {noun} page shows {n} items" for noun in ("cart", "home", "chart") for n in range(40)]
    assert joined(texts, 0.8) == brute_force(texts, 0.8)


@pytest.mark.parametrize(
    ("texts", "threshold", "expected"),
    [
        ([], 0.8, []),
        ([""], 0.8, []),
        (["", ""], 0.8, [(0, 1, 1.0)]),
        (["", "a"], 0.5, []),
        (["same", "same", "other", "same"], 1.0, [(0, 1, 1.0), (0, 3, 1.0), (1, 3, 1.0)]),
        (["aaaa", "aaab"], 0.75, [(0, 1, 0.75)]),  # just at the threshold
        (["aaaa", "aaab"], 0.7500001, []),
        (["abcde", "edcba"], 0.5, []),  # same bag, other order
        (
            ["x" * 5000 + "y", "x" * 5000 + "z", "q"],
            0.99,
            [(0, 1, fuzz.ratio("x" * 5000 + "y", "x" * 5000 + "z") / 100)],
        ),
    ],
)
def test_cases(texts: list[str], threshold: float, expected: list[tuple[int, int, float]]) -> None:
    assert joined(texts, threshold) == expected


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.01, float("nan")])
def test_refuses_a_threshold_that_is_none(threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold"):
        lexical_join(["a", "b"], threshold)


class _Stopping:
    @contextmanager
    def stage(self, label: str, total: int | None = None, unit: str = "") -> Iterator["_Stopping"]:
        del label, total, unit
        yield self

    def advance(self, n: int = 1) -> None:
        del n
        raise Cancelled


def test_stops_when_asked() -> None:
    with pytest.raises(Cancelled):
        lexical_join(["one", "two"], 0.8, _Stopping())
