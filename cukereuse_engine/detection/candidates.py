"""Selects the pairs of templates that `auto` shows to the judge: similar wording, shared meaning words, or similar
vectors.

It decides nothing: a needless candidate costs the judge some microseconds, a missed one is lost.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.detection.options import LOCAL, Joins
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.index.token_join import without_crowds
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


CROWD, CROWD_SHARE, CROWD_NEARNESS, EXAMPLES = 500, 0.02, 0.4, 10
"""Templates that make a crowd, at least so many and such a share of the suite, all with this Jaccard similarity (as
above) to one of them: generated steps come in thousands of near copies, one sentence with values. Of a crowd so many
examples near each template are compared, and what has the same meaning words: "I click the cart button" and "I press
the cart button" beside 500 other buttons. Of 17,500 sentences around SQL statements, in which 31 million pairs are near
in wording, 1,100 are left, and 2,900 pairs of the same words; of the 30 largest of 535 public suites one other has a
crowd."""

VectorsAt = Callable[[NDArray[np.int64]], NDArray[np.float32]]
"""Vectors of the masked texts at these positions."""


class CandidatePairs(NamedTuple):
    a: NDArray[np.int32]
    b: NDArray[np.int32]
    """Pairs `a < b` of positions, sorted, each once."""
    cosine: NDArray[np.float64] | None
    """Of each pair, where there are vectors; NaN where one of the two is no example of its crowd."""
    uncompared: int
    """Texts that are compared with no other, as each has a crowd of near ones that are: the longest of a crowd, in
    whichever order the texts come."""


def candidate_pairs(
    masked: Sequence[str],
    vectors: VectorsAt | None,
    languages: tuple[str, ...] = ("en",),
    progress: Progress = SILENT,
    joins: Joins = LOCAL,
    margin: float = 0.0,
) -> CandidatePairs:
    """`margin`: within which the cosines of the vectors are right."""
    meanings = joins.meanings(masked, languages)
    by_length = sorted(range(len(masked)), key=lambda i: (len(masked[i]), masked[i]))
    crowd = max(CROWD, int(CROWD_SHARE * len(masked)))
    at = without_crowds(meanings, CROWD_NEARNESS, crowd, EXAMPLES, by_length)
    lowered, words = [masked[i].lower() for i in at.tolist()], [meanings[i] for i in at.tolist()]
    joined = [joins.lexical(lowered, LEXICAL_THRESHOLD, progress), joins.words(words, MEANING_THRESHOLD, progress)]
    rows = vectors(at) if vectors is not None and len(at) else None
    if rows is not None:
        joined.append(joins.vector(rows, COSINE_THRESHOLD - margin, progress))
    pairs = ScoredPairs.of(*(np.concatenate([getattr(part, name) for part in joined]) for name in ("a", "b", "score")))
    cosine = None if rows is None else pairwise_cosine(rows, pairs.a, pairs.b)
    place = at.astype(np.int32)
    left, right = place[pairs.a], place[pairs.b]
    if len(at) == len(masked):
        return CandidatePairs(left, right, cosine, 0)
    twins = _of_same_words(meanings, by_length, set(at.tolist()))
    left, right = np.concatenate([left, twins[:, 0]]), np.concatenate([right, twins[:, 1]])
    order = np.lexsort((right, left))
    if cosine is not None:
        cosine = np.concatenate([cosine, np.full(len(twins), np.nan)])[order]
    return CandidatePairs(left[order], right[order], cosine, len(masked) - len(np.union1d(at, twins)))


def _of_same_words(meanings: Sequence[frozenset[str]], order: Iterable[int], examples: set[int]) -> NDArray[np.int32]:
    """(n, 2) pairs `a < b` of which not both are `examples`, among the first texts of the same meaning words."""
    groups: dict[frozenset[str], list[int]] = {}
    for position in order:
        group = groups.setdefault(meanings[position], [])
        if len(group) < EXAMPLES:
            group.append(position)
    pairs = [pair for group in groups.values() for pair in combinations(sorted(group), 2)]
    return np.array([pair for pair in pairs if not examples.issuperset(pair)], np.int32).reshape(-1, 2)
