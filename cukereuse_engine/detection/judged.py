"""Shows candidate pairs to a judge, and keeps those that it accepts, with their kinds. Each pair is judged on its
own."""

from collections.abc import Callable, Sequence
from math import inf
from time import thread_time

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.index.pairs import Positions, ScoredPairs
from cukereuse_engine.index.vector_join import CosinesOf
from cukereuse_engine.judging.judge import Judge, Kind
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.text.step_text import StepText

KINDS: tuple[Kind, ...] = tuple(Kind)
"""Kinds by their number in `Detection.kinds`, the closest kind first."""

Candidates = tuple[Positions, Positions, NDArray[np.float64] | None]
"""Pairs `a < b` of nodes, and the cosine of each if known."""
Accepted = tuple[ScoredPairs, NDArray[np.int8], NDArray[np.float64] | None]
"""Pairs with the strategy's score, each one's kind as its position in `KINDS`, and its cosine if known."""


_MOST_AT_ONCE, _FIRST_AT_ONCE, _FEWEST_AT_ONCE = 1 << 16, 1 << 12, 1 << 8
"""Pairs judged at once: the maximum, for memory; the first batch, before their time is known; the minimum."""


def judge_pairs(
    nodes: Sequence[StepText], candidates: Candidates, judge: Judge, threshold: float, progress: Progress = SILENT
) -> Accepted:
    """The candidates, in their order, to which `judge` gives a probability of one intent of at least `threshold`."""
    kept, score = accept_pairs(nodes, candidates, judge, threshold, progress)
    a, b, cosine = candidates
    a, b = a[kept], b[kept]
    cosine = None if cosine is None else cosine[kept]
    kinds = np.array(list(map(KINDS.index, judge.kinds(nodes, a, b, cosine))), np.int8)
    np.minimum(kinds, KINDS.index(Kind.PARAPHRASE), out=kinds)  # the threshold may be below the judge's own
    return ScoredPairs(a, b, score), kinds, cosine


def accept_pairs(
    nodes: Sequence[StepText],
    candidates: Candidates,
    judge: Judge,
    threshold: float,
    progress: Progress = SILENT,
    seconds: float = inf,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Positions of the candidates that `judge` accepts, and the score of each. `seconds`: approximate CPU time of the
    judge for each batch."""
    a, b, cosine = candidates
    score = np.empty(len(a))
    start, size = 0, _MOST_AT_ONCE if seconds == inf else _FIRST_AT_ONCE
    with progress.stage("comparing", len(a), "pairs") as stage:
        while start < len(a):
            part, began = slice(start, start + size), thread_time()
            near = None if cosine is None else cosine[part]
            score[part] = judge.probabilities(nodes, a[part], b[part], near).p_one_intent
            stage.advance(len(score[part]))
            start += size
            faster = min(max(seconds / max(thread_time() - began, 1e-3), 0.5), 2.0)
            size = min(max(round(size * faster), _FEWEST_AT_ONCE), _MOST_AT_ONCE)
    kept = np.flatnonzero(score >= threshold)
    return kept, score[kept]


def judged_within(
    judged: Callable[[Candidates], Accepted],
    accepted: Callable[[Candidates], NDArray[np.int64]],
    candidates: Candidates,
    margin: float,
    exact: CosinesOf,
) -> Accepted:
    """The candidates that `judged` accepts if their cosines are right within `margin`, with the upper bounds that it
    saw. For the few that `accepted` (which returns positions) rejects at the lower bound, `exact` gives the cosines."""
    a, b, cosine = candidates
    if cosine is None or not len(a) or not margin:
        return judged(candidates)
    pairs, kinds, shown = judged((a, b, cosine + margin))
    assert shown is not None
    is_sure = np.zeros(len(pairs), np.bool_)
    is_sure[accepted((pairs.a, pairs.b, shown - 2 * margin))] = True
    doubtful = np.flatnonzero(~is_sure)
    if len(doubtful):
        left, right = pairs.a[doubtful], pairs.b[doubtful]
        shown[doubtful] = exact(left, right)
        is_sure[doubtful[accepted((left, right, shown[doubtful]))]] = True
    return pairs.subset(is_sure), kinds[is_sure], shown[is_sure]
