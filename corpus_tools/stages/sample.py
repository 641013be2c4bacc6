"""Pairs of step texts by cosine band, to be labelled (paper, section "Labelled pairs").

From a table with a column of texts to JSON lines in the columns of the paper's `unlabeled_pairs.jsonl`.
"""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz

from corpus_tools.stages.evaluate.benchmark import BANDS, band
from corpus_tools.support import arrow
from corpus_tools.support.bands import draw
from cukereuse_engine.embedding_models.embedder import Embedder
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.index.vector_cache import embed_cached
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.storage import write_atomically
from cukereuse_engine.text.identity import normalise

COLUMNS = ("text", "canonical_text")


@dataclass(frozen=True, slots=True)
class Sampled:
    pairs: int
    texts: int
    """The number of distinct texts among which pairs were drawn."""
    of_band: dict[str, int]
    """The number of pairs by band, such as "[0.50,0.70)"; every band is included."""


def sample(
    source: Path,
    output: Path,
    embedder: Embedder,
    *,
    per_band: int = 170,
    texts: int = 20_000,
    seed: int = 42,
    progress: Progress = SILENT,
) -> Sampled:
    """Draw `per_band` pairs of each band among at most `texts` distinct texts drawn from `source`.

    No text is in two pairs of one band. Raises `CukereuseError` if `source` has no column of texts.
    """
    named = [name for name in COLUMNS if name in arrow.names(source)]
    if not named:
        raise CukereuseError(f"{source} has no column {' or '.join(COLUMNS)}")
    values = arrow.read(source, {named[0]: "string"}).column(0).unique().to_pylist()
    distinct = sorted({normalise(text) for text in values if text and normalise(text)})
    rng = np.random.default_rng(seed)
    if len(distinct) > texts:
        distinct = [distinct[i] for i in np.sort(rng.choice(len(distinct), texts, replace=False)).tolist()]

    vectors = embed_cached(distinct, embedder, progress=progress)
    drawn = draw(vectors, BANDS, per_band, seed=seed, keep=_Once, progress=progress)
    order = rng.permutation(len(drawn)).tolist()
    lines = []
    for number, i in enumerate(order):
        pair = drawn[i]
        a, b = distinct[pair.a], distinct[pair.b]
        row = {"id": number, "text_a": a, "text_b": b, "cos": round(pair.cosine, 4)}
        lines.append(json.dumps(row | {"lev": round(fuzz.ratio(a, b) / 100, 4), "cos_band": band(pair.cosine)}))
    write_atomically(output, "".join(f"{line}\n" for line in lines).encode("utf-8"))
    counts = Counter(pair.band for pair in drawn)
    return Sampled(len(lines), len(distinct), {band(low): counts[number] for number, (low, _) in enumerate(BANDS)})


class _Once:
    """Refuses a pair if one of its texts was drawn before."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def __call__(self, a: int, b: int) -> bool:
        if a in self._seen or b in self._seen:
            return False
        self._seen |= {a, b}
        return True
