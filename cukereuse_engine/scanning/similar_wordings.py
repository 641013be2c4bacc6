"""The wordings of a suite that are most similar to a text: for `cukereuse similar`, completion and "find similar
steps".

Ranks and decides nothing: opposites that a guard keeps apart stay in the list and are marked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.grouped import grouped
from cukereuse_engine.judging.judge import Judge, Judgement
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template


@dataclass(frozen=True, slots=True)
class SimilarWording:
    """A template of the suite, compared with the query."""

    text: StepText
    """The text of this wording that is nearest to the query, including its arguments."""
    texts: tuple[StepText, ...]
    """All texts of this wording, most used first."""
    score: float
    """The sort key of the list, 0 to 1; see `similar_wordings`. It must not be compared with a threshold."""
    indel: float
    """Indel similarity of the masked texts."""
    cosine: float | None
    """Cosine similarity of the masked texts, if there are vectors."""
    judgement: Judgement

    @property
    def occurrences(self) -> int:
        return sum(text.occurrences for text in self.texts)


def similar_wordings(
    query: str,
    texts: Sequence[StepText],
    judge: Judge,
    cosine: NDArray[np.float64] | None = None,
    limit: int = 10,
) -> tuple[SimilarWording, ...]:
    """The `limit` wordings of `texts` that are most like `query`, most similar first.

    `cosine` is `(len(texts),)`: of the query's and each text's masked forms; NaN if unknown. The score is the mean of
    masked Indel similarity, Jaccard similarity of masked tokens, the judge's probability of one definition, and the
    cosine if it is known. For synonyms that maintainers bound to one function, each of these has the other wording
    among its first five for four queries in five; together they do so on more suites than any alone.
    """
    query = normalise(query)
    if not texts or not query or limit < 1:
        return ()
    wanted = StepText(query, identity(query), template(query), 0)
    wordings = _by_template(texts)
    # One text represents its wording: all of them have the same masked form.
    first = np.array([places[0] for places in wordings], np.int64)
    masked = [texts[place].template.key for place in first]
    indel = _indel(wanted.template.key, masked)
    cosines = None if cosine is None else np.asarray(cosine, np.float64)[first]
    scores = _scores(wanted, [texts[place] for place in first], indel, cosines, judge)
    used = np.array([sum(texts[place].occurrences for place in places) for places in wordings])
    order = sorted(range(len(wordings)), key=lambda i: (-scores[i], -used[i], masked[i]))[:limit]
    members = [[texts[place] for place in wordings[i]] for i in order]
    nearest = [_nearest(query, texts_of) for texts_of in members]
    similarities = [_or_none(cosines, i) for i in order]
    judgements = judge.explain_all(wanted, nearest, similarities)
    return tuple(
        SimilarWording(text, _most_used_first(texts_of), float(scores[i]), float(indel[i]), similarity, judgement)
        for i, text, texts_of, similarity, judgement in zip(
            order, nearest, members, similarities, judgements, strict=True
        )
    )


def _or_none(cosines: NDArray[np.float64] | None, place: int) -> float | None:
    return None if cosines is None or np.isnan(cosines[place]) else float(cosines[place])


def _most_used_first(texts: Sequence[StepText]) -> tuple[StepText, ...]:
    return tuple(sorted(texts, key=lambda text: (-text.occurrences, text.text)))


def _by_template(texts: Sequence[StepText]) -> list[list[int]]:
    return list(grouped((text.template.key, place) for place, text in enumerate(texts)).values())


def _indel(masked: str, others: Sequence[str]) -> NDArray[np.float64]:
    from rapidfuzz import fuzz, process

    ratios: NDArray[np.float64] = process.cdist([masked], others, scorer=fuzz.ratio, dtype=np.float64)[0]
    return ratios / 100


def _scores(
    wanted: StepText,
    others: Sequence[StepText],
    indel: NDArray[np.float64],
    cosine: NDArray[np.float64] | None,
    judge: Judge,
) -> NDArray[np.float64]:
    tokens = set(wanted.template.key.split())
    jaccard = np.array([_jaccard(tokens, set(text.template.key.split())) for text in others])
    pairs = np.arange(1, len(others) + 1, dtype=np.int32)
    same = judge.probabilities([wanted, *others], np.zeros_like(pairs), pairs, cosine).p_same_definition
    total, count = indel + jaccard + same, np.full(len(others), 3)
    if cosine is not None:
        here = ~np.isnan(cosine)
        total, count = total + np.where(here, cosine, 0.0), count + here
    scores: NDArray[np.float64] = np.clip(total / count, 0.0, 1.0)
    return scores


def _jaccard(left: set[str], right: set[str]) -> float:
    union = len(left | right)
    return len(left & right) / union if union else 1.0


def _nearest(query: str, members: Sequence[StepText]) -> StepText:
    indel = _indel(query, [text.text for text in members])
    return min(zip(members, indel, strict=True), key=lambda pair: (-pair[1], -pair[0].occurrences, pair[0].text))[0]
