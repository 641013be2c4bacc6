"""Joins in parts, as for distributed work: together they are the whole join."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cukereuse_engine.index import vector_join as vectors_module
from cukereuse_engine.index.graphs import hnswlib_available
from cukereuse_engine.index.lexical_join import join_ranges, lexical_join, reach
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.index.token_join import TokenJoin, token_join
from cukereuse_engine.index.vector_join import exact_join, prepare, verified

WORDS = ["I", "open", "the", "cart", "page", "with", "a", "user", "named", "see", "3", "items"]
SENTENCES = st.lists(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), max_size=40, unique=True)


def together(parts: list[ScoredPairs]) -> list[tuple[int, int, float]]:
    every = ScoredPairs.of(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("a", "b", "score")))
    return rows(every)


def rows(pairs: ScoredPairs) -> list[tuple[int, int, float]]:
    return list(zip(pairs.a.tolist(), pairs.b.tolist(), pairs.score.tolist(), strict=True))


@settings(deadline=None, max_examples=60)
@given(SENTENCES, st.sampled_from([0.5, 0.75, 0.8, 1.0]), st.integers(1, 9))
def test_wordings(texts: list[str], threshold: float, size: int) -> None:
    texts.sort(key=len)
    ends = reach(np.array([len(text) for text in texts], np.int64), threshold)
    parts = [ScoredPairs.empty()]
    every = np.arange(len(texts))
    for start in range(0, len(texts), size):
        first = every[start : start + size]
        for other in range(start, int(ends[first[-1]]), size):
            longer = None if other == start else texts[other : other + size]
            part = join_ranges(texts[start : start + size], longer, threshold)
            place = np.concatenate([first, every[other : other + size]])
            parts.append(ScoredPairs.of(place[part.a], place[part.b], part.score))
    assert together(parts) == rows(lexical_join(texts, threshold))


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.frozensets(st.sampled_from(WORDS)), max_size=40), st.sampled_from([0.3, 0.5, 0.8]), st.integers(1, 9)
)
def test_words(bags: list[frozenset[str]], threshold: float, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cukereuse_engine.index.token_join._ROWS", 3)
        patch.setattr("cukereuse_engine.index.token_join._COLUMNS", 5)
        patch.setattr("cukereuse_engine.index.token_join._PAIRS", 7)
        join = TokenJoin(bags, threshold)
        parts = [ScoredPairs.empty()]
        for first in range(0, len(join.postings), size):
            own, part = join.part(first, first + size)
            pairs = part.pairs()
            parts.append(ScoredPairs(own[pairs.a], own[pairs.b], pairs.score))
    brute = [
        (i, j, len(bag & bags[j]) / len(bag | bags[j]))
        for i, bag in enumerate(bags)
        for j in range(i + 1, len(bags))
        if bag and len(bag & bags[j]) / len(bag | bags[j]) >= threshold
    ]
    assert together(parts) == rows(token_join(bags, threshold)) == brute


def unit(rng: np.random.Generator, count: int) -> np.ndarray:
    """Unit vectors near each of a few centres."""
    centres = rng.normal(size=(20, 160))
    vectors = centres[rng.integers(0, 20, count)] + 0.7 * rng.normal(size=(count, 160))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("size", [1, 37, 64, 300, 1000])
def test_vectors(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors_module, "_BLOCK", 64)
    vectors = unit(np.random.default_rng(1), 300)
    parts = [exact_join(vectors, 0.6, rows=(first, min(first + size, 300))) for first in range(0, 300, size)]
    whole = exact_join(vectors, 0.6)
    assert len(whole) > 100
    assert together(parts) == rows(whole)


@pytest.mark.skipif(not hnswlib_available(), reason="hnswlib is not installed")
@pytest.mark.parametrize("size", [400, 1500])
def test_vectors_by_several_graphs(size: int) -> None:
    vectors = unit(np.random.default_rng(2), 2500)
    search = prepare(vectors, 0.6)
    ranges = [(first, min(first + size, len(vectors))) for first in range(0, len(vectors), size)]
    joined = []
    for i, indexed in enumerate(ranges):
        graph = search.graph(*indexed)
        for asked in ranges[i:]:
            joined += search.neighbours(graph, indexed, asked)
    pairs, exact = verified(vectors, joined, 0.6), exact_join(vectors, 0.6)
    expected = set(rows(exact))
    assert len(expected) > 5_000
    assert set(rows(pairs)) <= expected
    assert len(pairs) >= 0.999 * len(expected)
