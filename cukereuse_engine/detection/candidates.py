"""Selects the pairs of templates that `auto` shows to the judge: similar wording, shared meaning words, or similar
vectors.

It decides nothing: a needless candidate costs the judge some microseconds, a missed one is lost.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.detection.options import LOCAL, Joins
from cukereuse_engine.index.crowds import by_length, of_same_words
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.index.vector_join import pairwise_cosine
from cukereuse_engine.progress import SILENT, Progress

LEXICAL_THRESHOLD = 0.75
"""Indel similarity of the masked texts."""
MEANING_THRESHOLD = 0.50
"""Jaccard similarity of the sets of meaning words; synonyms count as one word. Over nine suites, the pairs from .6
contained all 1,371 pairs that the text judge accepts among those with Indel similarity .5 or Jaccard similarity .4;
there were 51,000 candidates, against 1.2 million from .5."""
COSINE_THRESHOLD = 0.60
"""Cosine of the masked texts' vectors; nine of ten pairs that people would merge reach it."""

VectorsAt = Callable[[NDArray[np.int64]], NDArray[np.float32]]
"""Vectors of the masked texts at these positions."""


class CandidatePairs(NamedTuple):
    a: NDArray[np.int32]
    b: NDArray[np.int32]
    """Pairs `a < b` of positions, sorted, each once."""
    cosine: NDArray[np.float64] | None
    """The cosine of each pair if there are vectors; NaN if one of the two is no example of its crowd."""
    uncompared: int
    """Number of texts that are not compared because a crowd of near copies is: the longest of a crowd, in any order of
    the texts."""


def candidate_pairs(
    masked: Sequence[str],
    vectors: VectorsAt | None,
    languages: tuple[str, ...] = ("en",),
    progress: Progress = SILENT,
    joins: Joins = LOCAL,
    margin: float = 0.0,
) -> CandidatePairs:
    """The candidates among masked texts. `margin`: maximum error of the vectors' cosines."""
    meanings = joins.meanings(masked, languages)
    at = joins.crowds(masked, meanings).left
    lowered, words = [masked[i].lower() for i in at.tolist()], [meanings[i] for i in at.tolist()]
    joined = [joins.lexical(lowered, LEXICAL_THRESHOLD, progress), joins.words(words, MEANING_THRESHOLD, progress)]
    rows = vectors(at) if vectors is not None and len(at) else None
    if rows is None:
        pairs, cosine = ScoredPairs.together(joined), None
    else:
        pairs = _measured(rows, joins.vector(rows, COSINE_THRESHOLD - margin, progress), joined)
        cosine = pairs.score
    place = at.astype(np.int32)
    left, right = place[pairs.a], place[pairs.b]
    if len(at) == len(masked):
        return CandidatePairs(left, right, cosine, 0)
    twins = of_same_words(meanings, by_length(masked), set(at.tolist()))
    left, right = np.concatenate([left, twins[:, 0]]), np.concatenate([right, twins[:, 1]])
    order = np.lexsort((right, left))
    if cosine is not None:
        cosine = np.concatenate([cosine, np.full(len(twins), np.nan)])[order]
    return CandidatePairs(left[order], right[order], cosine, len(masked) - len(np.union1d(at, twins)))


def _measured(rows: NDArray[np.float32], near: ScoredPairs, others: Sequence[ScoredPairs]) -> ScoredPairs:
    """All pairs with their cosines, which the join of the vectors has measured for those that are `near`."""
    pairs = ScoredPairs.together([near, *(ScoredPairs(part.a, part.b, np.full(len(part), np.nan)) for part in others)])
    missing = np.flatnonzero(np.isnan(pairs.score))
    pairs.score[missing] = pairwise_cosine(rows, pairs.a[missing], pairs.b[missing])
    return pairs
