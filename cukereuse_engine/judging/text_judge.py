"""The judge that knows texts only: template, wording, guards, and the frames of the suite at hand.

Uses no step definition and needs no vector; the cosine of masked texts helps where it is given.
"""

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging import intent
from cukereuse_engine.judging import wording as reasons
from cukereuse_engine.judging.features import Column, text_features
from cukereuse_engine.judging.fillers import FrameFillers
from cukereuse_engine.judging.model import Judgement, Kind, Probabilities, StepText
from cukereuse_engine.judging.parameters import Parameters, shipped, sigmoid
from cukereuse_engine.judging.templates import Pairs, Templates
from cukereuse_engine.text.guards import GUARDS
from cukereuse_engine.text.words import detect_languages

_BATCH = 50_000
"""Pairs judged at once: enough for speed, little enough for memory."""


class TextJudge:
    """The default judge. `for_suite` gives one that knows the frames of a suite."""

    name = "text"

    def __init__(self, languages: tuple[str, ...] = ("en",), parameters: Parameters | None = None) -> None:
        self.parameters = parameters or shipped()
        self.templates = Templates(languages)
        self.meanings = intent.MeaningTable(self.templates)
        self.fillers = FrameFillers(self.templates)

    @classmethod
    def for_suite(cls, texts: Sequence[StepText], parameters: Parameters | None = None) -> Self:
        """A judge for one suite, from all of its texts."""
        judge = cls(detect_languages(text.template.masked for text in texts), parameters)
        for text in texts:
            judge.templates.add(text.template.masked)
        return judge

    def probabilities(
        self,
        texts: Sequence[StepText],
        a: NDArray[np.int32],
        b: NDArray[np.int32],
        cosine: Column | None = None,
    ) -> Probabilities:
        rows = self.rows(texts, a, b)
        same, one_intent = np.empty(len(a)), np.zeros(len(a))
        cosines = np.full(len(a), np.nan) if cosine is None else cosine
        for start in range(0, len(a), _BATCH):
            part = slice(start, start + _BATCH)
            same[part], one_intent[part] = self._judge(rows[a[part]], rows[b[part]], cosines[part])
        return Probabilities(same, one_intent)

    def rows(self, texts: Sequence[StepText], *indices: NDArray[np.int32]) -> NDArray[np.int64]:
        """(len(texts),) row of the template of each text that `indices` name; -1 for the others."""
        rows, named = np.full(len(texts), -1, np.int64), np.zeros(len(texts), np.bool_)
        for index in indices:
            named[index] = True
        found = np.flatnonzero(named)
        add = self.templates.add
        rows[found] = [add(texts[index].template.masked, member=False) for index in found.tolist()]
        return rows

    def _judge(self, a: NDArray[np.int64], b: NDArray[np.int64], cosine: Column) -> tuple[Column, Column]:
        same, one_intent = np.full(len(a), self.parameters.same_template), np.zeros(len(a))
        apart = np.flatnonzero(a != b)
        if len(apart):
            pairs = Pairs(self.templates, a[apart], b[apart])
            same[apart], one_intent[apart] = self._judge_apart(pairs, cosine[apart])
        return same, one_intent

    def _judge_apart(self, pairs: Pairs, cosine: Column) -> tuple[Column, Column]:
        """Both probabilities of pairs of different templates."""
        same = sigmoid(self.logit(pairs))
        return same, intent.one_intent(pairs, self.meanings, same, cosine)

    def logit(self, pairs: Pairs) -> Column:
        """(n,) log odds that one definition serves both, for pairs of different templates."""
        return self.parameters.text.logit(text_features(pairs, self.fillers.of(pairs)))

    def explain(self, one: StepText, other: StepText, cosine: float | None = None) -> Judgement:
        if one.identity == other.identity:
            return Judgement(1.0, 0.0, Kind.EXACT, ("the same text",))
        row_a, row_b = (self.templates.add(text.template.masked, member=False) for text in (one, other))
        if row_a == row_b:
            reason = reasons.other_arguments(one, other)
            return Judgement(self.parameters.same_template, 0.0, Kind.PARAMETRIC, (reason,))
        pairs = Pairs(self.templates, np.array([row_a]), np.array([row_b]))
        found = self._judge_apart(pairs, np.array([np.nan if cosine is None else cosine]))
        same, one_intent = (float(column[0]) for column in found)
        barred = tuple(guard for guard, differs in pairs.guards().items() if differs[0])
        if barred:
            return Judgement(same, 0.0, Kind.DISTINCT, tuple(GUARDS[guard] for guard in barred), barred)
        kind = self._kind(pairs, same, one_intent)
        support = int(self.fillers.of(pairs).support[0])
        found_reasons = reasons.of_pair(pairs, kind, support) + self.learnt_reasons(pairs)
        return Judgement(same, one_intent, kind, found_reasons)

    def learnt_reasons(self, pairs: Pairs) -> tuple[str, ...]:
        """What this suite's definitions say about one pair; nothing here."""
        del pairs
        return ()

    def _kind(self, pairs: Pairs, same: float, one_intent: float) -> Kind:
        if one_intent >= 0.5:
            one, other = self.meanings.columns(pairs.a)[0], self.meanings.columns(pairs.b)[0]
            return Kind.REWORDED if (one[:3] == other[:3]).any() else Kind.PARAPHRASE
        return Kind.PARAMETRIC if same >= 0.5 else Kind.DISTINCT
