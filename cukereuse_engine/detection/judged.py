"""Shows candidate pairs to a judge, and keeps those that it accepts, with their kinds. Each pair is judged on its
own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, eq=False)
class Judging:
    """A judge of pairs of nodes, and the probability of one intent from which it accepts them."""

    nodes: Sequence[StepText]
    judge: Judge
    threshold: float
    progress: Progress = SILENT


def judge_pairs(judging: Judging, candidates: Candidates) -> Accepted:
    """The candidates that the judge accepts, in their order."""
    kept, score = accept_pairs(judging, candidates)
    a, b, cosine = some = taken(candidates, kept)
    return ScoredPairs(a, b, score), kinds_of(judging, some), cosine


def taken(candidates: Candidates, places: NDArray[np.int64] | slice) -> Candidates:
    a, b, cosine = candidates
    return a[places], b[places], None if cosine is None else cosine[places]


def kinds_of(judging: Judging, accepted: Candidates) -> NDArray[np.int8]:
    kinds = np.array(list(map(KINDS.index, judging.judge.kinds(judging.nodes, *accepted))), np.int8)
    return np.minimum(kinds, KINDS.index(Kind.PARAPHRASE), out=kinds)  # the threshold may be below the judge's own


def accept_pairs(
    judging: Judging, candidates: Candidates, seconds: float = inf
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Positions of the candidates that the judge accepts, and the score of each. `seconds`: approximate CPU time of the
    judge for each batch."""
    a, b, cosine = candidates
    score = np.empty(len(a))
    start, size = 0, _MOST_AT_ONCE if seconds == inf else _FIRST_AT_ONCE
    with judging.progress.stage("comparing", len(a), "pairs") as stage:
        while start < len(a):
            part, began = slice(start, start + size), thread_time()
            near = None if cosine is None else cosine[part]
            score[part] = judging.judge.probabilities(judging.nodes, a[part], b[part], near).p_one_intent
            stage.advance(len(score[part]))
            start += size
            faster = min(max(seconds / max(thread_time() - began, 1e-3), 0.5), 2.0)
            size = min(max(round(size * faster), _FEWEST_AT_ONCE), _MOST_AT_ONCE)
    kept = np.flatnonzero(score >= judging.threshold)
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
