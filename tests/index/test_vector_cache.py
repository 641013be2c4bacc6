"""What a killed, a damaged and a shared cache may do."""

import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from cukereuse_engine.errors import Cancelled
from cukereuse_engine.index import vector_cache
from cukereuse_engine.index.vector_cache import VectorCache, embed_cached

DIM = 8


def vector(text: str) -> np.ndarray:
    seed = int.from_bytes(text.encode("utf-8", "surrogatepass")[-8:], "big")
    row = np.random.default_rng(seed).standard_normal(DIM).astype(np.float32)
    return row / np.linalg.norm(row)


class CountingEmbedder:
    model_id, model_hash, dim = "test/model", "hash", DIM

    def __init__(self) -> None:
        self.seen: list[str] = []

    def embed(self, texts, progress=None):
        self.seen += texts
        if progress is not None:
            with progress.stage("inner", len(texts), "texts") as stage:
                stage.advance(len(texts))
        return np.stack([vector(text) for text in texts])


class Recorder:
    def __init__(self, limit: int | None = None) -> None:
        self.stages, self.done, self.limit = [], 0, limit

    def stage(self, label, total=None, unit=""):
        from contextlib import nullcontext

        self.stages.append((label, total, unit))
        return nullcontext(self)

    def advance(self, n=1):
        self.done += n
        if self.limit is not None and self.done > self.limit:
            raise Cancelled


TEXTS = [f"I do thing {i}" for i in range(1300)]


def test_each_text_is_embedded_once(tmp_path):
    embedder, progress = CountingEmbedder(), Recorder()
    texts = [*TEXTS, *TEXTS[:40], "", "\ud800", "I do  thing 1"]
    with VectorCache("hash", DIM, tmp_path) as cache:
        first = embed_cached(texts, embedder, cache, progress)
    assert progress.stages == [("embedding", len(set(texts)), "texts")]
    assert progress.done == len(set(texts)) == len(embedder.seen)
    np.testing.assert_array_equal(first, np.stack([vector(text) for text in texts]))
    with VectorCache("hash", DIM, tmp_path) as cache:
        again = embed_cached([*texts[::-1], "new"], embedder, cache)
    np.testing.assert_array_equal(again[:-1], first[::-1])
    assert embedder.seen[len(set(texts)) :] == ["new"]


def test_other_model_and_other_dimension_are_misses(tmp_path):
    with VectorCache("hash", DIM, tmp_path) as cache:
        cache.put(["a"], vector("a")[None])
    for model_hash, dim in (("other", DIM), ("hash", DIM + 1)):
        with VectorCache(model_hash, dim, tmp_path) as cache:
            vectors, known = cache.get(["a"])
        assert vectors.shape == (1, dim)
        assert not known.any()


def test_cancelled_run_keeps_what_was_done(tmp_path, monkeypatch):
    monkeypatch.setattr(vector_cache, "_TEXTS_PER_CHUNK", 512)
    embedder = CountingEmbedder()
    with VectorCache("hash", DIM, tmp_path) as cache, pytest.raises(Cancelled):
        embed_cached(TEXTS, embedder, cache, Recorder(limit=600))
    with VectorCache("hash", DIM, tmp_path) as cache:
        assert cache.get(TEXTS)[1].sum() == 512


WRITER = """
    import sys, numpy as np
    from pathlib import Path
    from cukereuse_engine.index.vector_cache import VectorCache
    cache = VectorCache("hash", 8, Path(sys.argv[1]))
    for start in range(int(sys.argv[2]), int(sys.argv[3]), 10):
        texts = [f"text {i}" for i in range(start, start + 10)]
        cache.put(texts, np.stack([np.full(8, i, np.float32) for i in range(start, start + 10)]))
        print(start + 10, flush=True)
"""


def writer(folder, start: int, end: int) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WRITER), str(folder), str(start), str(end)],
        stdout=subprocess.PIPE,
        text=True,
    )


def check_written(folder, count: int, upto: int) -> None:
    """Check that the first `count` texts are known, and that each text up to `upto` is right or unknown."""
    with VectorCache("hash", DIM, folder) as cache:
        vectors, known = cache.get([f"text {i}" for i in range(upto)])
        assert cache.problem == ""
    assert known[:count].all()
    for i in np.flatnonzero(known).tolist():
        assert (vectors[i] == i).all()


def test_killed_process_loses_nothing_that_it_wrote(tmp_path):
    process = writer(tmp_path, 0, 1_000_000)
    lines = [process.stdout.readline() for _ in range(20)]
    process.kill()
    process.wait()
    check_written(tmp_path, int(lines[-1]), 2000)


def test_two_processes_share_it(tmp_path):
    processes = [writer(tmp_path, 0, 1000), writer(tmp_path, 1000, 2000)]
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    check_written(tmp_path, 2000, 2000)


def test_threads_share_it(tmp_path):
    with VectorCache("hash", DIM, tmp_path) as cache, ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: embed_cached(TEXTS[i::4], CountingEmbedder(), cache), range(4)))
        assert len(cache) == len(TEXTS)


def test_flipped_bits_are_never_read_as_vectors(tmp_path):
    with VectorCache("hash", DIM, tmp_path) as cache:
        cache.put(TEXTS, np.stack([vector(text) for text in TEXTS]))
        path = cache.path
    stored = path.read_bytes()
    expected = np.stack([vector(text) for text in TEXTS])
    draw = np.random.default_rng(3)
    for position in [0, 18, *draw.integers(0, len(stored), 60).tolist()]:
        damaged = bytearray(stored)
        damaged[position] ^= 1 << int(draw.integers(8))
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        path.write_bytes(damaged)
        with VectorCache("hash", DIM, tmp_path) as cache:
            vectors, known = cache.get(TEXTS)
            np.testing.assert_array_equal(vectors[known], expected[known])
            cache.put(["after"], vector("after")[None])


@pytest.mark.parametrize("content", [b"", b"not a database" * 1000, b"SQLite format 3\0" + b"\xff" * 9000])
def test_file_that_is_no_cache_is_started_anew(content, tmp_path):
    with VectorCache("hash", DIM, tmp_path) as cache:
        path = cache.path
    path.write_bytes(content)
    with VectorCache("hash", DIM, tmp_path) as cache:
        cache.put(["a"], vector("a")[None])
    with VectorCache("hash", DIM, tmp_path) as cache:
        assert cache.get(["a"])[1].all()


def test_folder_that_cannot_be_used_is_said_and_harmless(tmp_path):
    (tmp_path / "file").write_text("in the way")
    embedder = CountingEmbedder()
    with VectorCache("hash", DIM, tmp_path / "file") as cache:
        assert "can't be used" in cache.problem
        vectors = embed_cached(["a", "b"], embedder, cache)
        assert len(cache) == 0
    np.testing.assert_array_equal(vectors, np.stack([vector("a"), vector("b")]))


def test_it_is_bounded_and_the_oldest_go(tmp_path, monkeypatch):
    clock = iter(range(1, 100_000))
    monkeypatch.setattr(vector_cache.time, "time", lambda: next(clock))
    bound = 200_000
    with VectorCache("hash", DIM, tmp_path, max_bytes=bound) as cache:
        for start in range(0, 6000, 100):
            texts = [f"text {i}" for i in range(start, start + 100)]
            cache.put(texts, np.ones((100, DIM), np.float32))
        known = cache.get([f"text {i}" for i in range(6000)])[1]
        path = cache.path
    assert path.stat().st_size < 2 * bound
    assert known[-100:].all()
    assert 500 < known.sum() < 4000
    by_age = known.reshape(60, 100).sum(axis=1)
    assert (np.diff(by_age) >= 0).all()
    assert len(set(by_age.tolist())) <= 3  # all gone, at most one moment in part, all there
