"""Compares the HNSW join with the exact one: time as a ratio in one run, and recall.

    python -m tests.benchmarks.bench_vector_join TEXTS.parquet --column canonical_text --sizes 80000 160000

Texts come from any parquet files with a column of step texts; their vectors are computed once and cached. Where there
are fewer texts than the largest size, the rest is made of vectors moved a little at random (cosine about .9 to the one
that they came from), and the output says how many. Not a test: it takes minutes, and says no more than its figures.
"""

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from cukereuse_engine.embedding_models.opening import open_embedder
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.index.vector_cache import VectorCache, embed_cached
from cukereuse_engine.index.vector_join import exact_join, hnsw_join
from cukereuse_engine.text.template import mask


class PrintedProgress:
    @contextmanager
    def stage(self, label, total=None, unit=""):
        self.label, self.total, self.unit, self.done, self.shown = label, total, unit, 0, time.monotonic()
        yield self

    def advance(self, n=1):
        self.done += n
        if time.monotonic() - self.shown > 30:
            self.shown = time.monotonic()
            print(f"  {self.label}: {self.done}/{self.total} {self.unit}", file=sys.stderr)


def read_texts(files: list[Path], column: str, masked: bool) -> list[str]:
    import pyarrow.parquet as pq

    texts: dict[str, None] = {}
    for file in files:
        table = pq.ParquetFile(file)
        name = column if column in table.schema_arrow.names else "text"
        for text in table.read(columns=[name])[name].to_pylist():
            texts.setdefault(mask(text) if masked else text)
    return list(texts)


def read_vectors(options: argparse.Namespace) -> np.ndarray:
    """`(max(sizes), dim)` float32: real vectors first, then moved ones."""
    if options.vectors:
        vectors = np.load(options.vectors)
    else:
        texts = read_texts(options.files, options.column, options.masked)[: max(options.sizes)]
        embedder = open_embedder(allow_download=True)
        with VectorCache(embedder.model_hash, embedder.dim) as cache:
            vectors = embed_cached(texts, embedder, cache, PrintedProgress())
    missing = max(options.sizes) - len(vectors)
    if missing > 0:
        print(f"{len(vectors)} real vectors, {missing} moved ones")
        draw = np.random.default_rng(2026)
        moved = vectors[draw.integers(len(vectors), size=missing)]
        moved = moved + draw.normal(0, 0.48 / np.sqrt(moved.shape[1]), moved.shape).astype(np.float32)
        vectors = np.concatenate([vectors, moved / np.linalg.norm(moved, axis=1, keepdims=True)])
    return np.ascontiguousarray(vectors, np.float32)


def timed(join: Callable[[np.ndarray, float], ScoredPairs], vectors: np.ndarray, threshold: float):
    wall, cpu = time.perf_counter(), time.process_time()
    pairs = join(vectors, threshold)
    return pairs, time.perf_counter() - wall, time.process_time() - cpu


def ids(pairs: ScoredPairs, n: int) -> np.ndarray:
    return pairs.a.astype(np.int64) * n + pairs.b


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="parquet files with step texts")
    parser.add_argument("--column", default="canonical_text", help='the texts\' column, else "text"')
    parser.add_argument("--masked", action="store_true", help="compare masked texts")
    parser.add_argument("--vectors", type=Path, help="a .npy file of L2-normalised vectors instead of texts")
    parser.add_argument("--threshold", type=float, default=0.82)
    parser.add_argument("--sizes", type=int, nargs="+", default=[80_000, 160_000])
    options = parser.parse_args()
    if not options.files and not options.vectors:
        parser.error("name parquet files, or --vectors")
    everything = read_vectors(options)
    # In one fixed random order, so that each size is a sample of the same texts.
    order = np.random.default_rng(2026).permutation(len(everything))
    print(f"{'texts':>8} {'pairs':>9} {'recall':>8} {'wall ratio':>10} {'CPU ratio':>10}   exact, HNSW: wall/CPU s")
    for size in options.sizes:
        vectors = everything if size == len(everything) else everything[np.sort(order[:size])]
        pairs, wall, cpu = timed(hnsw_join, vectors, options.threshold)
        expected, exact_wall, exact_cpu = timed(exact_join, vectors, options.threshold)
        recall = np.isin(ids(expected, size), ids(pairs, size)).mean() if len(expected) else 1.0
        print(
            f"{size:8} {len(expected):9} {recall:8.5f} {wall / exact_wall:10.3f} {cpu / exact_cpu:10.3f}"
            f"   {exact_wall:.1f}/{exact_cpu:.1f}, {wall:.1f}/{cpu:.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
