"""Selects the pairs of templates that `auto` shows to the judge: similar wording, shared meaning words, or similar
vectors.

It decides nothing: a needless candidate costs the judge some microseconds, a missed one is lost.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.detection.options import LOCAL, Joins
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.progress import SILENT, Progress

LEXICAL_THRESHOLD = 0.75
"""Indel similarity of the masked texts."""
MEANING_THRESHOLD = 0.50
"""Jaccard similarity of the sets of meaning words; synonyms count as one word. Over nine suites, the pairs from .6
contained all 1,371 pairs that the text judge accepts among those with Indel similarity .5 or Jaccard similarity .4;
there were 51,000 candidates, against 1.2 million from .5."""
COSINE_THRESHOLD = 0.60
"""Cosine of the masked texts' vectors; nine of ten pairs that people would merge reach it."""


def candidate_pairs(
    masked: Sequence[str],
    vectors: NDArray[np.float32] | None,
    languages: tuple[str, ...] = ("en",),
    progress: Progress = SILENT,
    joins: Joins = LOCAL,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64] | None]:
    """Pairs `a < b` of positions, sorted and distinct, and the cosine of each if there are `vectors`."""
    lowered = [text.lower() for text in masked]
    meanings = joins.meanings(masked, languages)
    joined = [joins.lexical(lowered, LEXICAL_THRESHOLD, progress), joins.words(meanings, MEANING_THRESHOLD, progress)]
    if vectors is not None:
        joined.append(joins.vector(vectors, COSINE_THRESHOLD, progress))
    pairs = ScoredPairs.of(*(np.concatenate([getattr(part, name) for part in joined]) for name in ("a", "b", "score")))
    return pairs.a, pairs.b, None if vectors is None else pairwise_cosine(vectors, pairs.a, pairs.b)


def pairwise_cosine(
    vectors: NDArray[np.float32], a: NDArray[np.int32], b: NDArray[np.int32], block: int = 1 << 13
) -> NDArray[np.float64]:
    """Cosine similarity of the rows `a[i]` and `b[i]`, which are L2-normalised."""
    cosine = np.empty(len(a))
    for start in range(0, len(a), block):
        part = slice(start, start + block)
        cosine[part] = np.einsum("ij,ij->i", vectors[a[part]], vectors[b[part]])
    return cosine
