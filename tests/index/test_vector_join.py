"""Both joins compared with a plain double loop."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cukereuse_engine.errors import Cancelled
from cukereuse_engine.index import vector_join
from cukereuse_engine.index.graphs import hnswlib_available
from cukereuse_engine.index.vector_join import exact_join, hnsw_join

needs_hnswlib = pytest.mark.skipif(not hnswlib_available(), reason="hnswlib is not installed")


def families(count: int, dim: int, seed: int) -> np.ndarray:
    """Unit vectors, many of which are near one of a few centres, some exactly on it."""
    draw = np.random.default_rng(seed)
    centres = draw.standard_normal((max(1, count // 12), dim))
    spread = draw.choice([0.0, 0.1, 0.3, 2.0], size=(count, 1))
    matrix = centres[draw.integers(len(centres), size=count)] + spread * draw.standard_normal((count, dim))
    return (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)


def all_pairs(vectors: np.ndarray) -> dict[tuple[int, int], float]:
    exactly = vectors.astype(np.float64)
    return {(i, j): float(exactly[i] @ exactly[j]) for i in range(len(vectors)) for j in range(i + 1, len(vectors))}


def as_dict(pairs) -> dict[tuple[int, int], float]:
    scores = dict(zip(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True), pairs.score.tolist(), strict=True))
    assert len(scores) == len(pairs)
    assert list(scores) == sorted(scores)
    return scores


@pytest.mark.parametrize("join", [exact_join, pytest.param(hnsw_join, marks=needs_hnswlib)])
@pytest.mark.parametrize("dim", [8, 200])
@settings(max_examples=20, deadline=None)
@given(count=st.integers(0, 70), seed=st.integers(0, 2**20), threshold=st.sampled_from([0.0, 0.5, 0.82, 0.999]))
def test_equals_the_double_loop(join, dim, count, seed, threshold):
    vectors = families(count, dim, seed) if count else np.empty((0, dim), np.float32)
    expected, joined = all_pairs(vectors), as_dict(join(vectors, threshold))
    assert all(abs(expected[pair] - score) < 1e-5 for pair, score in joined.items())
    sure = {pair for pair, score in expected.items() if score >= threshold + 1e-5}
    possible = {pair for pair, score in expected.items() if score >= threshold - 1e-5}
    assert sure <= set(joined) <= possible


def test_blocks_join_seamlessly(monkeypatch):
    vectors = families(300, 24, 1)
    whole = as_dict(exact_join(vectors, 0.7))
    monkeypatch.setattr(vector_join, "_BLOCK", 37)
    monkeypatch.setattr(vector_join, "_PAIRS_PER_BLOCK", 11)
    blocks = as_dict(exact_join(vectors, 0.7))
    assert whole.keys() == blocks.keys()
    assert len(whole) > 500


@needs_hnswlib
@pytest.mark.parametrize("largest_k", [2048, 8])
def test_hnsw_finds_the_pairs_of_larger_sets(largest_k, monkeypatch):
    monkeypatch.setattr(vector_join, "_LARGEST_K", largest_k)
    vectors = families(4000, 256, 4)
    exact, first, second = exact_join(vectors, 0.82), hnsw_join(vectors, 0.82), hnsw_join(vectors, 0.82)
    expected, joined, again = as_dict(exact), as_dict(first), as_dict(second)
    assert joined.items() <= expected.items()  # the same scores to the last bit
    assert len(joined) >= 0.999 * len(expected) > 1000
    assert len(joined.keys() ^ again.keys()) <= 0.002 * len(expected)


@pytest.mark.parametrize(("count", "there", "approximate"), [(9, True, False), (11, True, True), (11, False, False)])
def test_which_join_is_taken(count, there, approximate, monkeypatch):
    monkeypatch.setattr(vector_join, "EXACT_UP_TO", 10)
    monkeypatch.setattr(vector_join, "hnswlib_available", lambda: there)
    taken = []
    monkeypatch.setattr(vector_join, "hnsw_join", lambda *_: taken.append(True))
    monkeypatch.setattr(vector_join, "exact_join", lambda *_: taken.append(False))
    vector_join.vector_join(families(count, 8, 0), 0.8)
    assert taken == [approximate]


class Impatient:
    def stage(self, *_):
        from contextlib import nullcontext

        return nullcontext(self)

    def advance(self, n=1):
        del n
        raise Cancelled


@pytest.mark.parametrize("join", [exact_join, pytest.param(hnsw_join, marks=needs_hnswlib)])
def test_cancelled(join):
    with pytest.raises(Cancelled):
        join(families(50, 8, 0), 0.8, Impatient())
