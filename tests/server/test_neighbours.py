"""Candidates one by one equal the candidates of all at once."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from cukereuse_server.workspace import neighbours as server
from cukereuse_server.workspace.neighbours import Neighbours
from hypothesis import given, settings
from hypothesis import strategies as st

from cukereuse_engine.detection.candidates import candidate_pairs
from cukereuse_engine.index import crowds
from cukereuse_engine.index.exact import ExactIndex

WORDS = ["click", "press", "button", "order", "is", "visible", "the", "save", "▣", "page", "open"]
WORDS += ["Save", "Page", "Order"]
MASKED = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)
TEMPLATES = st.lists(MASKED, max_size=25, unique_by=str.lower)


def one_by_one(neighbours: Neighbours, keys: list[str]) -> set[tuple[str, str]]:
    return {(min(key, other), max(key, other)) for key in keys for other in neighbours.of(key)}


def at_once(templates: list[str], vectors: np.ndarray | None = None) -> set[tuple[str, str]]:
    a, b, *_ = candidate_pairs(templates, vectors if vectors is None else vectors.__getitem__)
    keys = [masked.lower() for masked in templates]
    return {(min(keys[i], keys[j]), max(keys[i], keys[j])) for i, j in zip(a.tolist(), b.tolist(), strict=True)}


@settings(deadline=None)
@given(TEMPLATES, st.data())
def test_one_by_one_is_all_at_once(templates: list[str], data: st.DataObject) -> None:
    neighbours = Neighbours(("en",))
    for masked in templates:
        neighbours.add(masked.lower(), masked)
    keys = [masked.lower() for masked in templates]
    assert one_by_one(neighbours, keys) == at_once(templates)
    gone = data.draw(st.lists(st.sampled_from(keys), unique=True)) if keys else []
    for key in gone:
        neighbours.remove(key)
    kept = [key for key in keys if key not in gone]
    assert one_by_one(neighbours, kept) == at_once([masked for masked in templates if masked.lower() in kept])
    assert len(neighbours) == len(kept)


@settings(deadline=None, max_examples=30)
@given(TEMPLATES, st.integers(0, 1000), st.booleans())
def test_with_vectors(templates: list[str], seed: int, has_index: bool) -> None:
    keys = [masked.lower() for masked in templates]
    vectors = np.random.default_rng(seed).standard_normal((len(keys), 4)).astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    neighbours = Neighbours(("en",))
    neighbours.index = ExactIndex("m", "h", 4) if has_index else None
    for masked in templates:
        neighbours.add(masked.lower(), masked)
    neighbours.add_vectors(keys, vectors)
    for vector in vectors:
        nearest = [keys.index(key) for key in neighbours.nearest(vector, 2)]
        np.testing.assert_allclose(vectors[nearest] @ vector, sorted(vectors @ vector)[:-3:-1], atol=1e-6)
    expected = at_once(templates, vectors) if keys else set()
    assert one_by_one(neighbours, keys) == expected
    for key in keys:
        for other, cosine in neighbours.of(key).items():
            assert cosine is not None
            np.testing.assert_allclose(cosine, vectors[keys.index(key)] @ vectors[keys.index(other)], atol=1e-5)


@contextmanager
def small_crowds(crowd: int, examples: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crowds, "CROWD", crowd)
        for module in (crowds, server):
            patch.setattr(module, "EXAMPLES", examples)
        yield


@settings(deadline=None)
@given(TEMPLATES, st.integers(2, 6), st.integers(1, 3), st.data())
def test_crowds_are_those_of_all_at_once(templates: list[str], crowd: int, examples: int, data: st.DataObject) -> None:
    """In any order of the templates, after all have been looked at."""
    came_later = data.draw(st.lists(MASKED, max_size=5))
    with small_crowds(crowd, examples):
        neighbours = Neighbours(("en",))
        masked_of = {masked.lower(): masked for masked in (*came_later, *templates)}
        for key, masked in masked_of.items():
            neighbours.add(key, masked)
        neighbours.find_crowds()
        for key in data.draw(st.lists(st.sampled_from(sorted(masked_of)), unique=True)) if masked_of else []:
            neighbours.remove(key)
            if key not in came_later:
                neighbours.add(key, masked_of[key])
            else:
                del masked_of[key]
        one_by_one(neighbours, list(masked_of))
        neighbours.find_crowds()
        assert one_by_one(neighbours, list(masked_of)) == at_once(list(masked_of.values()))


def test_what_comes_into_a_crowd_is_compared_with_the_same_words_only() -> None:
    crowd = [f"I click the b{number}th button" for number in range(60)]
    with small_crowds(40, 10):
        neighbours = Neighbours(("en",))
        for text in (*crowd, "I open the cart page"):
            neighbours.add(text.lower(), text)
        neighbours.find_crowds()
        for text in ("I click the b70th button", "I press the b50th button", "I open the cart"):
            neighbours.add(text.lower(), text)
        assert not neighbours.of("i click the b70th button")
        assert [*neighbours.of("i press the b50th button")] == ["i click the b50th button"]
        assert [*neighbours.of("i click the b50th button")] == ["i press the b50th button"]
        assert [*neighbours.of("i open the cart")] == ["i open the cart page"]
        neighbours.remove("i click the b1th button")  # an example, which is typed anew
        neighbours.add("i click the b1th button", "I click the b1th button")
        assert len(neighbours.of("i click the b1th button")) == 9
