"""The judge that knows texts only: template, wording, guards, and the frames of the suite at hand.

Uses no step definition and needs no vector; the cosine of masked texts helps where it is given, and so do the tokens
of a language model.
"""

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging import intent, reasons
from cukereuse_engine.judging.alignment import difference
from cukereuse_engine.judging.attention import Reader
from cukereuse_engine.judging.evidence import Evidence, PairEvidence, denied_within
from cukereuse_engine.judging.features import Column, text_features
from cukereuse_engine.judging.fillers import FrameFillers
from cukereuse_engine.judging.judge import Difference, Judgement, Kind, Probabilities
from cukereuse_engine.judging.parameters import Parameters, shipped, sigmoid
from cukereuse_engine.judging.templates import Pairs, Templates
from cukereuse_engine.judging.usage import Usage
from cukereuse_engine.judging.votes import Roles, Votes
from cukereuse_engine.similarity.embedder import TokenTable
from cukereuse_engine.text.guards import GUARDS
from cukereuse_engine.text.identity import is_other_form
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.words import detect_languages

_BATCH = 50_000
"""Pairs judged at once: enough for speed, little enough for memory."""


class TextJudge:
    """The default judge. `for_suite` gives one that knows the frames of a suite."""

    name = "text"

    def __init__(self, languages: tuple[str, ...] = ("en",), parameters: Parameters | None = None) -> None:
        self.parameters = parameters or shipped()
        self.templates = Templates(languages)
        self.fillers = FrameFillers(self.templates)
        self.evidence = PairEvidence(Usage(self.templates), languages)
        self.votes: Votes | None = None
        """For one that is asked about the same pairs again; None: nothing is kept."""
        self._reader: Reader | None = None

    @property
    def is_reading(self) -> bool:
        """Whether a language model's tokens tell."""
        return self._reader is not None

    def read_with(self, tokens: TokenTable | None) -> Self:
        """From now on a language model's tokens tell too; None: no more. Answers given before may be others now."""
        self._reader = None if tokens is None else Reader(intent.shipped_intent().attention, tokens)
        if self.votes is not None:
            self.votes = Votes()
        return self

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
        roles = np.fromiter((text.roles for text in texts), np.int8, len(texts))
        same, one_intent = np.empty(len(a)), np.zeros(len(a))
        cosines = np.full(len(a), np.nan) if cosine is None else cosine
        for start in range(0, len(a), _BATCH):
            part = slice(start, start + _BATCH)
            first, second = a[part], b[part]
            same[part], one_intent[part] = self._judge(
                rows[first], rows[second], cosines[part], (roles[first], roles[second])
            )
        return Probabilities(same, one_intent)

    def rows(self, texts: Sequence[StepText], *indices: NDArray[np.int32]) -> NDArray[np.int64]:
        """(len(texts),) row of the template of each text that `indices` name; -1 for the others."""
        rows, named = np.full(len(texts), -1, np.int64), np.zeros(len(texts), np.bool_)
        for index in indices:
            named[index] = True
        positions = np.flatnonzero(named)
        add = self.templates.add
        rows[positions] = [add(texts[index].template.masked, member=False) for index in positions.tolist()]
        return rows

    def _judge(self, a: NDArray[np.int64], b: NDArray[np.int64], cosine: Column, roles: Roles) -> tuple[Column, Column]:
        same, one_intent = np.full(len(a), self.parameters.same_template), np.zeros(len(a))
        apart = np.flatnonzero(a != b)
        if len(apart):
            pairs = Pairs(self.templates, a[apart], b[apart])
            of_apart = roles[0][apart], roles[1][apart]
            same[apart], one_intent[apart] = self._judge_apart(pairs, cosine[apart], of_apart)
        return same, one_intent

    def _judge_apart(self, pairs: Pairs, cosine: Column, roles: Roles) -> tuple[Column, Column]:
        """Both probabilities of pairs of different templates."""
        if self.votes is not None:
            self.votes.hold(len(self.templates.members), is_read=self.is_reading)
        base = text_features(pairs, self.fillers.of(pairs))
        by_text = self.parameters.text.logit(base)
        parameters = intent.shipped_intent()
        one_intent = intent.one_intent(
            pairs, self.evidence, base, by_text, cosine, roles, parameters, self._reader, self.votes
        )
        return sigmoid(self.logit(pairs, base, by_text)), one_intent

    def logit(self, pairs: Pairs, base: Mapping[str, Column], by_text: Column) -> Column:
        """(n,) log odds that one definition serves both, for pairs of different templates; `base` are their features,
        `by_text` what these say without bindings."""
        del pairs, base
        return by_text

    def explain(self, left: StepText, right: StepText, cosine: float | None = None) -> Judgement:
        if left.identity == right.identity:
            return Judgement(1.0, 0.0, Kind.EXACT, ("the same text",))
        row_a, row_b = (self.templates.add(text.template.masked, member=False) for text in (left, right))
        if row_a == row_b:
            reason = reasons.other_arguments(left, right)
            return Judgement(self.parameters.same_template, 0.0, Kind.PARAMETRIC, (reason,))
        pairs = Pairs(self.templates, np.array([row_a]), np.array([row_b]))
        roles = np.array([left.roles], np.int8), np.array([right.roles], np.int8)
        columns = self._judge_apart(pairs, np.array([np.nan if cosine is None else cosine]), roles)
        same, one_intent = (float(column[0]) for column in columns)
        alignment = self.evidence.aligned(row_a, row_b)
        differing = difference(alignment)
        settled = {"polarity"} if denied_within(alignment) else set()
        barred = tuple(guard for guard, differs in pairs.guards().items() if differs[0] and guard not in settled)
        support = int(self.fillers.of(pairs).support[0])
        kind = _kind(differing, 0.0 if barred else same, one_intent)
        is_form = is_other_form(left.template.key, right.template.key)
        because = (
            ("they differ in their Unicode normal form only",)
            if is_form
            else (
                *reasons.of_alignment(alignment, reasons.frame_of(pairs, support) if kind is Kind.PARAMETRIC else None),
                *(GUARDS[guard] for guard in barred),
                *self.learnt_reasons(pairs),
            )
        )
        return Judgement(same, one_intent, kind, because, barred, differing)

    def weigh(self, left: StepText, right: StepText) -> dict[Evidence, float]:
        """What speaks for (above 0) and against one intent, in log odds, what weighs most first; nothing for two texts
        of one template."""
        row_a, row_b = (self.templates.add(text.template.masked, member=False) for text in (left, right))
        if row_a == row_b:
            return {}
        features = self._features(row_a, row_b, (left.roles, right.roles))
        alike = self._features(row_a, row_a, (left.roles, left.roles))
        reading = None
        if self._reader is not None:
            reading = intent.reading_of(self._reader, Pairs(self.templates, np.array([row_a]), np.array([row_b])))
        return intent.weighed(features, alike, intent.shipped_intent(), reading)

    def _features(self, row: int, other: int, roles: tuple[int, int]) -> dict[str, Column]:
        pairs = Pairs(self.templates, np.array([row]), np.array([other]))
        base = text_features(pairs, self.fillers.of(pairs))
        of_roles = np.array(roles[:1], np.int8), np.array(roles[1:], np.int8)
        by_text = self.parameters.text.logit(base)
        return intent.evidence_of(pairs, self.evidence, base, by_text, of_roles, np.zeros(1, np.int64))

    def learnt_reasons(self, pairs: Pairs) -> tuple[str, ...]:
        """What this suite's definitions say about one pair; nothing here."""
        del pairs
        return ()


def _kind(differing: Difference, same: float, one_intent: float) -> Kind:
    if one_intent >= 0.5:
        return Kind.PARAPHRASE if differing is Difference.WORDS else Kind.REWORDED
    return Kind.PARAMETRIC if same >= 0.5 else Kind.DISTINCT
