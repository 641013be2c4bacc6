"""Draws pairs at random, without holding all pairs in memory: from bands of cosine similarity, or from all near pairs.

In bands, every pair has a random key that depends only on its two positions and the seed; a band keeps the pairs with
the lowest keys. So the draw does not depend on how the work is divided.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from cukereuse_engine.progress import SILENT, Progress

_BLOCK = 1_024
_MOST_PAIRS = 1 << 21
"""The number of pairs up to which `draw_near` looks at all of a suite."""
Keep = Callable[[int, int], bool]
"""True if a pair may be drawn. Called in the order of the draw, so that it can count."""


@dataclass(frozen=True, slots=True)
class Drawn:
    a: int
    b: int
    """Positions, `a < b`."""
    cosine: float
    band: int
    """The position in the bands."""


def draw(
    vectors: NDArray[np.float32],
    bands: tuple[tuple[float, float], ...],
    per_band: int,
    *,
    seed: int,
    keep: Callable[[], Keep] = lambda: lambda _a, _b: True,
    spare: int = 20,
    progress: Progress = SILENT,
) -> list[Drawn]:
    """At most `per_band` pairs of each band (lower bound included, upper excluded), by band and then by key.

    `vectors`: `(n, dim)` float32, L2-normalised. `keep` is called for each band, last band first, and decides about its
    pairs until there are enough; it can choose among `spare` times `per_band` pairs.
    """
    held = per_band * spare
    best: list[tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]] = [
        (np.empty(0, np.uint64), np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)) for _ in bands
    ]
    count = len(vectors)
    with progress.stage("drawing", count, "texts") as stage:
        for start in range(0, count, _BLOCK):
            rows = vectors[start : start + _BLOCK]
            for left in range(start, count, _BLOCK):
                cosine = np.asarray(rows @ vectors[left : left + _BLOCK].T, np.float64)
                for number, (low, high) in enumerate(bands):
                    a, b = np.nonzero((cosine >= low) & (cosine < high))
                    scores = cosine[a, b]
                    a, b = a + start, b + left
                    upper = a < b
                    best[number] = _lowest(best[number], (a[upper], b[upper], scores[upper]), seed, count, held)
            stage.advance(len(rows))
    drawn: list[Drawn] = []
    for number, (_, a, b, scores) in reversed(list(enumerate(best))):
        allowed = keep()
        chosen = islice((i for i in range(len(a)) if allowed(int(a[i]), int(b[i]))), per_band)
        drawn[:0] = [Drawn(int(a[i]), int(b[i]), float(scores[i]), number) for i in chosen]
    return drawn


def _lowest(
    best: tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]],
    pairs: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]],
    seed: int,
    count: int,
    held: int,
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    a, b, scores = pairs
    keys = _mixed(a.astype(np.uint64) * np.uint64(count) + b.astype(np.uint64), seed)
    keys, a, b = np.concatenate([best[0], keys]), np.concatenate([best[1], a]), np.concatenate([best[2], b])
    scores = np.concatenate([best[3], scores])
    order = np.lexsort((b, a, keys))[:held]
    return keys[order], a[order], b[order], scores[order]


def _mixed(values: NDArray[np.uint64], seed: int) -> NDArray[np.uint64]:
    """SplitMix64's finaliser (Steele et al. 2014): adjacent numbers give unrelated keys."""
    start = np.uint64(((seed + 1) * 0x9E3779B97F4A7C15) % (1 << 64))
    mixed = values + start
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


def draw_near(
    texts: Sequence[str], vectors: NDArray[np.float32], count: int, *, near: float, seed: int
) -> list[tuple[int, int, float, float]]:
    """`count` pairs `a < b`, or as many as there are, drawn uniformly from those whose cosine or Indel similarity is at
    least `near`; with cosine and Indel similarity, by position."""
    total = len(texts) * (len(texts) - 1) // 2
    rng = np.random.default_rng(seed)
    tried = rng.permutation(total) if total <= _MOST_PAIRS else rng.integers(total, size=_MOST_PAIRS)
    scores: dict[tuple[int, int], tuple[float, float]] = {}
    for start in range(0, len(tried), _BLOCK):
        # The pairs (0, 1), (0, 2), (1, 2), (0, 3) … are numbered from 0.
        numbers = tried[start : start + _BLOCK].astype(np.int64)
        b = ((1 + np.sqrt(1 + 8 * numbers.astype(np.float64))) / 2).astype(np.int64)
        a = numbers - b * (b - 1) // 2
        cosine = np.einsum("ij,ij->i", vectors[a], vectors[b]).astype(np.float64)
        left, right = [texts[i] for i in a.tolist()], [texts[i] for i in b.tolist()]
        indel = process.cpdist(left, right, scorer=fuzz.ratio, dtype=np.float64) / 100
        for i in np.flatnonzero((cosine >= near) | (indel >= near)).tolist():
            scores.setdefault((int(a[i]), int(b[i])), (float(cosine[i]), float(indel[i])))
            if len(scores) == count:
                return sorted((*pair, *scores) for pair, scores in scores.items())
    return sorted((*pair, *scores) for pair, scores in scores.items())
