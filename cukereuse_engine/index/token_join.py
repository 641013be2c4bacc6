"""All pairs of word sets whose Jaccard similarity reaches a threshold: complete, by a prefix filter."""

from collections.abc import Sequence

import numpy as np

from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.progress import SILENT, Progress


def token_join(bags: Sequence[frozenset[str]], threshold: float, progress: Progress = SILENT) -> ScoredPairs:
    """All pairs of sets of words with a Jaccard similarity >= `threshold`; an empty set has no partner.

    Prefix filter: with words ordered from the rarest on, two sets of sizes p and q can reach t only if their first
    `p - ceil(t * p) + 1` and `q - ceil(t * q) + 1` words share one.
    """
    frequency: dict[str, int] = {}
    for bag in bags:
        for word in bag:
            frequency[word] = frequency.get(word, 0) + 1
    postings: dict[str, list[int]] = {}
    a: list[int] = []
    b: list[int] = []
    score: list[float] = []
    with progress.stage("comparing words", len(bags), "texts") as stage:
        for position, bag in enumerate(bags):
            size = len(bag)
            prefix = size - int(np.ceil(threshold * size - 1e-9)) + 1
            rarest = sorted(bag, key=lambda word: (frequency[word], word))[:prefix]
            for other in set().union(*(postings.get(word, ()) for word in rarest)):
                shared = len(bag & bags[other])
                similarity = shared / (size + len(bags[other]) - shared)
                if similarity >= threshold:
                    a.append(other)
                    b.append(position)
                    score.append(similarity)
            for word in rarest:
                postings.setdefault(word, []).append(position)
            stage.advance()
    return ScoredPairs.of(np.array(a, np.int64), np.array(b, np.int64), np.array(score))
