"""Compares the lexical join with a plain double loop of `rapidfuzz.fuzz.ratio`: the same pairs, and the speedup.

    python tests/benchmarks/bench_lexical_join.py clusters_exact.parquet

Takes `canonical_text` (or `--column`) of a parquet file. Prints ratios of one run: seconds say more about the machine.
"""

import argparse
import resource
import time
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz

from cukereuse_engine.index.lexical_join import lexical_join
from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.template import mask

Pairs = set[tuple[int, int]]


def double_loop(texts: list[str], threshold: float) -> tuple[Pairs, float]:
    pairs: Pairs = set()
    start = time.perf_counter()
    for i, text in enumerate(texts):
        for j in range(i + 1, len(texts)):
            if fuzz.ratio(text, texts[j]) / 100 >= threshold:
                pairs.add((i, j))
    return pairs, time.perf_counter() - start


def join(texts: list[str], threshold: float) -> tuple[Pairs, float]:
    start = time.perf_counter()
    pairs = lexical_join(texts, threshold)
    seconds = time.perf_counter() - start
    return set(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)), seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path, help="parquet file")
    parser.add_argument("--column", default="canonical_text")
    parser.add_argument("--size", type=int, default=20_000)
    parser.add_argument("--threshold", type=float, default=0.80)
    parser.add_argument("--masked", action="store_true", help="join templates instead of texts")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-loop", action="store_true", help="only time the join")
    options = parser.parse_args()

    import pyarrow.parquet as pq

    column = pq.read_table(options.texts, columns=[options.column]).column(0).to_pylist()
    prepare = (lambda text: mask(text).lower()) if options.masked else normalise
    texts = list(dict.fromkeys(prepare(text) for text in column))
    picked = np.random.default_rng(options.seed).permutation(len(texts))[: options.size]
    texts = [texts[i] for i in sorted(picked.tolist())]
    pairs, seconds = join(texts, options.threshold)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(texts)} texts, threshold {options.threshold}: {len(pairs)} pairs, {seconds:.2f} s, peak {peak:.0f} MB")
    if not options.no_loop:
        expected, loop = double_loop(texts, options.threshold)
        print(f"double loop {loop:.1f} s: {loop / seconds:.0f} times the join; same pairs: {pairs == expected}")
        if pairs != expected:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
