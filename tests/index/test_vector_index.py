"""Both indexes give the same, whatever is added, removed, searched, saved and damaged."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cukereuse_engine.index import graphs
from cukereuse_engine.index.base import IndexUnusableError
from cukereuse_engine.index.exact import ExactIndex
from cukereuse_engine.index.graphs import hnswlib_available, usearch_available
from cukereuse_engine.index.hnsw import HnswIndex, UsearchIndex, open_index

DIM = 16
IDS = ("test/model", "hash", DIM)
needs_hnswlib = pytest.mark.skipif(not hnswlib_available(), reason="hnswlib is not installed")
needs_usearch = pytest.mark.skipif(not usearch_available(), reason="usearch is not installed")
GRAPHS = [
    pytest.param(HnswIndex, marks=needs_hnswlib, id="hnswlib"),
    pytest.param(UsearchIndex, marks=needs_usearch, id="usearch"),
]
KINDS = [ExactIndex, *GRAPHS]


def vectors_of(keys, seed: int = 0) -> np.ndarray:
    rows = [np.random.default_rng([seed, *map(ord, key)]).standard_normal(DIM) for key in keys]
    matrix = np.array(rows, np.float32).reshape(len(keys), DIM)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def scores(neighbours) -> list[list[float]]:
    return [[neighbour.score for neighbour in row] for row in neighbours]


KEYS = st.lists(st.integers(0, 40).map("key {}".format), max_size=30)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), KEYS, st.integers(0, 2)),
        st.tuples(st.just("remove"), KEYS, st.just(0)),
        st.tuples(st.just("search"), KEYS, st.integers(0, 60)),
        st.tuples(st.just("within"), KEYS, st.integers(-2, 9)),
    ),
    max_size=25,
)


@pytest.mark.parametrize("kind", GRAPHS)
@settings(max_examples=60, deadline=None)
@given(steps=STEPS)
def test_hnsw_equals_its_exact_twin(kind, steps):
    """With this few vectors HNSW search is exhaustive, so results must be equal, not nearly so."""
    approximate, exact = kind(*IDS), ExactIndex(*IDS)
    for action, keys, number in steps:
        if action == "add":
            for index in (approximate, exact):
                index.add(keys, vectors_of(keys, number))
        elif action == "remove":
            for index in (approximate, exact):
                index.remove(keys)
        else:
            queries = vectors_of(keys, 7)
            if action == "search":
                neighbours, expected = approximate.search(queries, number), exact.search(queries, number)
            else:
                neighbours, expected = (index.within(queries, number / 10 + 0.003) for index in (approximate, exact))
            for row, wanted in zip(neighbours, expected, strict=True):
                assert [n.key for n in row] == [n.key for n in wanted]
                np.testing.assert_allclose([n.score for n in row], [n.score for n in wanted], atol=1e-5)
        assert sorted(approximate.keys()) == sorted(exact.keys())
        assert len(approximate) == len(exact)


@pytest.mark.parametrize("kind", KINDS)
def test_a_key_gets_its_new_vector(kind):
    index = kind(*IDS)
    old, new = vectors_of(["x"], 0), vectors_of(["x"], 1)
    index.add(["x", "x"], np.concatenate([old, new]))
    index.add(["y"], old)
    assert [n.key for n in index.search(new, 5)[0]] == ["x", "y"]
    index.add(["x"], old)
    assert scores(index.search(old, 5)) == [[pytest.approx(1), pytest.approx(1)]]
    assert [n.key for n in index.search(old, 5)[0]] == ["x", "y"]
    index.remove(["x", "unknown", "x"])
    assert "x" not in index
    assert index.keys() == ["y"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "bad", [np.ones((1, DIM + 1), np.float32), np.ones((2, DIM), np.float32), np.full((1, DIM), np.nan, np.float32)]
)
def test_bad_vectors_change_nothing(kind, bad):
    index = kind(*IDS)
    index.add(["a"], vectors_of(["a"]))
    with pytest.raises(ValueError, match="vectors"):
        index.add(["a"], bad)
    assert scores(index.search(vectors_of(["a"]), 1)) == [[pytest.approx(1)]]


@pytest.mark.parametrize("kind", KINDS)
def test_threshold_search_finds_more_than_any_first_k(kind):
    index, center = kind(*IDS), vectors_of(["center"])[0]
    near = center + 0.02 * np.random.default_rng(1).standard_normal((700, DIM)).astype(np.float32)
    near /= np.linalg.norm(near, axis=1, keepdims=True)
    index.add([f"near {i}" for i in range(700)], near)
    far = [f"far {i}" for i in range(500)]
    index.add(far, vectors_of(far))
    expected = set(np.flatnonzero(near @ center >= 0.99).tolist())
    numbers = {int(n.key.split()[1]) for n in index.within(center[None], 0.99)[0] if n.key.startswith("near")}
    assert len(expected) > 600
    assert len(numbers ^ expected) <= 1


@pytest.mark.parametrize("kind", GRAPHS)
def test_recall_is_high_until_an_index_is_worn(kind):
    index, exact = kind(*IDS), ExactIndex(*IDS)
    keys = [f"text {i}" for i in range(2000)]
    for both in (index, exact):
        both.add(keys, vectors_of(keys))
    for turn in range(1, 7):
        assert not index.is_worn
        for both in (index, exact):
            both.add(keys[:100], vectors_of(keys[:100], turn))
    queries = vectors_of(keys[:200], 9)
    neighbours, expected = index.search(queries, 10), exact.search(queries, 10)
    same = sum(len({n.key for n in f} & {n.key for n in e}) for f, e in zip(neighbours, expected, strict=True))
    assert same >= 0.99 * 2000
    assert not index.is_worn
    index.remove(keys[300:900])
    assert index.is_worn


@pytest.mark.parametrize("kind", GRAPHS)
def test_searches_beside_additions(kind):
    index, failures = kind(*IDS), []

    def change(thread: int) -> None:
        try:
            for turn in range(30):
                keys = [f"{thread} {turn} {i}" for i in range(60)]
                index.add(keys, vectors_of(keys))
                index.search(vectors_of(keys[:5]), 5)
                index.remove(keys[::3])
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=change, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(index) == 4 * 30 * 40


def filled(kind):
    index = kind(*IDS)
    keys = [f"text {i}" for i in range(150)]
    index.add(keys, vectors_of(keys))
    index.remove(keys[::10])
    return index


@pytest.mark.parametrize("kind", KINDS)
def test_saved_and_loaded_is_the_same_and_goes_on(kind, tmp_path, capfd):
    index = filled(kind)
    index.save(tmp_path)
    index.save(tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
    loaded = kind.load(tmp_path, *IDS)
    assert capfd.readouterr() == ("", "")
    queries = vectors_of(["q", "r"])
    for _ in range(2):
        assert loaded.search(queries, 200) == index.search(queries, 200)
        for both in (loaded, index):
            both.add(["text 0", "new"], vectors_of(["text 0", "new"], 3))
            both.remove(["text 1"])


def test_the_index_is_the_best_that_is_installed(monkeypatch, tmp_path):
    """hnswlib, else usearch, else exact search; an index that another library saved is built anew, not misread."""
    missing: set[str] = set()
    real = graphs.importlib.util.find_spec
    monkeypatch.setattr(graphs.importlib.util, "find_spec", lambda name: None if name in missing else real(name))
    for kind in (HnswIndex, UsearchIndex, ExactIndex):
        filled(kind).save(tmp_path)
        opened = open_index(*IDS, tmp_path)
        assert type(opened.index) is kind
        assert len(opened.index) == 135
        missing.add("hnswlib" if kind is HnswIndex else "usearch")
        if kind is not ExactIndex:
            assert "is rebuilt" in open_index(*IDS, tmp_path).note


@pytest.mark.parametrize("kind", KINDS)
def test_every_flipped_bit_and_cut_is_noticed(kind, tmp_path):
    filled(kind).save(tmp_path)
    draw = np.random.default_rng(2)
    for path in sorted(tmp_path.iterdir()):
        stored = path.read_bytes()
        for position in [0, len(stored) - 1, *draw.integers(0, len(stored), 40).tolist()]:
            damaged = bytearray(stored)
            damaged[position] ^= 1 << int(draw.integers(8))
            path.write_bytes(damaged)
            with pytest.raises(IndexUnusableError):
                kind.load(tmp_path, *IDS)
        for content in (stored[:-1], stored + b"\0", b""):
            path.write_bytes(content)
            with pytest.raises(IndexUnusableError):
                kind.load(tmp_path, *IDS)
        path.unlink()
        with pytest.raises(IndexUnusableError):
            kind.load(tmp_path, *IDS)
        path.write_bytes(stored)
    assert len(kind.load(tmp_path, *IDS)) == 135


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ids", [("other", "hash", DIM), ("test/model", "other", DIM), ("test/model", "hash", DIM * 2)])
def test_index_of_another_model_is_refused(kind, ids, tmp_path):
    filled(kind).save(tmp_path)
    with pytest.raises(IndexUnusableError, match="another model"):
        kind.load(tmp_path, *ids)
    opened = open_index(*ids, tmp_path)
    assert "is rebuilt" in opened.note
    assert len(opened.index) == 0


@pytest.mark.parametrize("kind", GRAPHS)
def test_a_graph_that_was_not_written_whole_is_an_error(kind, tmp_path):
    """hnswlib's `save_index` returns without an error if the disk is full."""
    index = filled(kind)
    index.save(tmp_path)

    class FullDisk(type(index._graph)):
        def save(self, path):
            size = super().save(path)
            with open(path, "rb+") as file:  # noqa: PTH123
                file.truncate(100)
            return size

    index._graph.__class__ = FullDisk
    with pytest.raises(OSError, match="completely"):
        index.save(tmp_path)
    assert len(kind.load(tmp_path, *IDS)) == 135
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_full_disk_is_an_error(kind, tmp_path):
    """A limit for files has the same effect; usearch raises a RuntimeError of its own."""
    resource, index = pytest.importorskip("resource"), filled(kind)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError):
            index.save(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not list(tmp_path.iterdir())
