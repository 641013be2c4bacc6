"""One whole comparison of a suite's templates, from immutable input to accepted pairs: what a thread computes.

The same candidates and the same judge as a scan. Never touches the state of a suite.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.detection.candidates import candidate_pairs
from cukereuse_engine.detection.canonical import canonical
from cukereuse_engine.detection.options import LOCAL, Joins
from cukereuse_engine.judging.adapted_judge import AdaptedJudge
from cukereuse_engine.judging.model import Judge, Judgement, Probabilities, StepText
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.similarity.embedder import Vectors
from cukereuse_engine.text.words import detect_languages

_PAIRS_AT_ONCE = 1024
"""Judged in one go: some milliseconds, for which a question may have to wait."""
_EXPLAINED = 20_000
"""Explanations that are remembered."""


class SharedJudge:
    """The judge of one suite, for the loop and one thread; remembers what it explained until it learns.

    A `Judge`: a text that it does not know yet is taken in without changing the suite's statistics.
    """

    def __init__(self, texts: Sequence[StepText], bound: Mapping[str, str]) -> None:
        """`bound`: identity of a text to the function that serves it, as `bound_functions` gives them."""
        self.bound = {text.identity: bound[text.identity] for text in texts if text.identity in bound}
        """What it learnt to begin with."""
        self._judge = AdaptedJudge.for_bound_suite(texts, self.bound)
        self.name = self._judge.name
        self.languages = detect_languages(text.template.masked for text in texts)
        self._lock = threading.Lock()
        self._explained: dict[tuple[str, str, float | None], Judgement] = {}

    def adapt(self, bound: Iterable[tuple[StepText, str | None]]) -> None:
        """Each text is served by this function from now on, or (None) by none: what a new judge of the same texts would
        have learnt."""
        changes = list(bound)
        with self._lock:
            self._judge.forget(text for text, function in changes if function is None)
            self._judge.learn((text, function) for text, function in changes if function is not None)
            self._explained.clear()

    def probabilities(
        self,
        texts: Sequence[StepText],
        a: NDArray[np.int32],
        b: NDArray[np.int32],
        cosine: NDArray[np.float64] | None = None,
    ) -> Probabilities:
        with self._lock:
            return self._judge.probabilities(texts, a, b, cosine)

    def explain(self, one: StepText, other: StepText, cosine: float | None = None) -> Judgement:
        key = (one.text, other.text, cosine)
        found = self._explained.get(key)
        if found is None:
            with self._lock:
                found = self._judge.explain(one, other, cosine)
            if len(self._explained) >= _EXPLAINED:
                self._explained.clear()
            self._explained[key] = found
        return found


@dataclass(frozen=True, slots=True)
class Nodes:
    """The templates of a suite at one moment."""

    keys: tuple[str, ...]
    shown: tuple[StepText, ...]
    """The canonical text of each."""

    @classmethod
    def of(cls, texts: Sequence[StepText]) -> "Nodes":
        groups: dict[str, list[StepText]] = {}
        for text in texts:
            groups.setdefault(text.template.key, []).append(text)
        return cls(tuple(groups), tuple(canonical(group) for group in groups.values()))

    def only(self, wanted: Callable[[str], bool]) -> "Nodes":
        """Those whose key is wanted."""
        kept = [row for row, key in enumerate(self.keys) if wanted(key)]
        return Nodes(tuple(self.keys[row] for row in kept), tuple(self.shown[row] for row in kept))


def accepted_pairs(
    nodes: Nodes,
    judge: Judge,
    languages: tuple[str, ...],
    threshold: float,
    vectors: Vectors | None = None,
    progress: Progress = SILENT,
    joins: Joins = LOCAL,
) -> list[tuple[str, str]]:
    """Keys of the pairs of templates that the judge accepts; `vectors` are those of `nodes`.

    Raises `Cancelled` when `progress` does.
    """
    masked = [text.template.masked for text in nodes.shown]
    a, b, cosine = candidate_pairs(masked, vectors, languages, progress, joins)
    accepted: list[tuple[str, str]] = []
    with progress.stage("comparing", len(a), "pairs") as stage:
        for start in range(0, len(a), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            near = None if cosine is None else cosine[part]
            scores = judge.probabilities(nodes.shown, a[part], b[part], near).p_one_intent
            found = (np.flatnonzero(scores >= threshold) + start).tolist()
            accepted += [(nodes.keys[a[pair]], nodes.keys[b[pair]]) for pair in found]
            stage.advance(len(scores))
    return accepted
