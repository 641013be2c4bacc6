"""The judge that knows texts only: template, wording, guards, and the frames of the suite at hand.

Uses no step definition and needs no vector; the cosine of masked texts helps if it is given, and so do the tokens of a
language model.
"""

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.embedding_models.embedder import TokenTable
from cukereuse_engine.index.pairs import Positions
from cukereuse_engine.judging import reasons
from cukereuse_engine.judging.alignment import Alignment, align_together, alignment_between
from cukereuse_engine.judging.evidence import Evidence, denied_within
from cukereuse_engine.judging.features import Column, Measured, Roles, text_features
from cukereuse_engine.judging.fillers import FrameFillers
from cukereuse_engine.judging.intent import IntentJudge
from cukereuse_engine.judging.judge import Difference, Judgement, Kind, Probabilities
from cukereuse_engine.judging.parameters import Parameters, shipped, sigmoid
from cukereuse_engine.judging.templates import Pairs, Templates
from cukereuse_engine.judging.usage import Usage
from cukereuse_engine.text.guards import GUARDS
from cukereuse_engine.text.identity import is_other_form
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.words import detect_languages

_LIKELY = 0.5
"""The probability from which a pair has a kind: by one intent the kind of its words, or else by one definition."""
_BATCH = 50_000
"""Pairs judged at once: many for speed, few for memory."""


class TextJudge:
    """The default judge. `for_suite` gives one that knows the frames of a suite."""

    name = "text"

    def __init__(
        self,
        languages: tuple[str, ...] = ("en",),
        parameters: Parameters | None = None,
        known: tuple[Templates, FrameFillers, Usage] | None = None,
    ) -> None:
        """`known`: what is known of a suite already; by default nothing."""
        self.parameters = parameters or shipped()
        if known is None:
            templates = Templates(languages)
            known = templates, FrameFillers(templates), Usage(templates)
        self.templates, self.fillers, usage = known
        self.intent = IntentJudge(self.templates, usage)

    def read_with(self, tokens: TokenTable | None) -> Self:
        """Use a language model's tokens too from now on, or (None) no longer. Answers may change."""
        self.intent.read_with(tokens)
        return self

    @classmethod
    def for_suite(cls, texts: Sequence[StepText], parameters: Parameters | None = None) -> Self:
        """A judge for one suite, from all of its texts."""
        judge = cls(detect_languages(text.template.masked for text in texts), parameters)
        for text in texts:
            judge.templates.add(text.template.masked)
        return judge

    def probabilities(
        self, texts: Sequence[StepText], a: Positions, b: Positions, cosine: Column | None = None
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
            asked = self.measure(a[apart], b[apart], (roles[0][apart], roles[1][apart]))
            same[apart], one_intent[apart] = sigmoid(self.logit(asked)), self.intent.probability(asked, cosine[apart])
        return same, one_intent

    def measure(self, a: NDArray[np.int64], b: NDArray[np.int64], roles: Roles) -> Measured:
        """Pairs of rows of `templates` with the roles of their steps and the features of their texts."""
        pairs = Pairs(self.templates, a, b)
        features = text_features(pairs, self.fillers.of(pairs))
        return Measured(pairs, roles, features, self.parameters.text.logit(features))

    def logit(self, asked: Measured) -> Column:
        """(n,) log odds that one definition serves both, for pairs of different templates."""
        return asked.same

    def kinds(self, texts: Sequence[StepText], a: Positions, b: Positions, cosine: Column | None = None) -> list[Kind]:
        told, rows = self.probabilities(texts, a, b, cosine), self.rows(texts, a, b)
        pairs, same = Pairs(self.templates, rows[a], rows[b]), told.p_same_definition >= _LIKELY
        kinds = [Kind.PARAMETRIC if each else Kind.DISTINCT for each in same.tolist()]
        is_open = (told.p_one_intent >= _LIKELY) | (same & np.any(list(pairs.guards.values()), axis=0))
        places = np.flatnonzero(is_open).tolist()  # the others need no alignment
        masked = [(texts[a[place]].template.masked, texts[b[place]].template.masked) for place in places]
        align_together(masked, self.templates.languages)
        for place, both in zip(places, masked, strict=True):
            probabilities = told.p_same_definition[place], told.p_one_intent[place]
            kinds[place] = self._compared(pairs, place, both, *probabilities)[0]
        return kinds

    def _compared(
        self, pairs: Pairs, place: int, masked: tuple[str, str], same: float, one_intent: float
    ) -> tuple[Kind, tuple[str, ...], Alignment]:
        """The kind of one of some pairs, the guards that bar one meaning, and the masked texts side by side."""
        alignment = alignment_between(*masked, self.templates.languages)
        settled = {"polarity"} if denied_within(alignment) else set()
        barred = tuple(guard for guard, differs in pairs.guards.items() if differs[place] and guard not in settled)
        if one_intent >= _LIKELY:
            kind = Kind.PARAPHRASE if alignment.difference is Difference.WORDS else Kind.REWORDED
        else:
            kind = Kind.PARAMETRIC if same >= _LIKELY and not barred else Kind.DISTINCT
        return kind, barred, alignment

    def explain(self, left: StepText, right: StepText, cosine: float | None = None) -> Judgement:
        return self.explain_all(left, [right], [cosine])[0]

    def explain_all(
        self, left: StepText, others: Sequence[StepText], cosine: Sequence[float | None]
    ) -> list[Judgement]:
        judged = [self._of_one_template(left, right) for right in others]
        if apart := [place for place, right in enumerate(others) if right.template.key != left.template.key]:
            asked = self._measured(left, [others[place] for place in apart])
            near = np.array([cosine[place] for place in apart], np.float64)  # NaN for None
            same, one_intent = sigmoid(self.logit(asked)).tolist(), self.intent.probability(asked, near).tolist()
            masked = [(left.template.masked, others[place].template.masked) for place in apart]
            align_together(masked, self.templates.languages)
            for number, place in enumerate(apart):
                both = left.template.key, others[place].template.key
                told = same[number], one_intent[number]
                judged[place] = self._explained(asked.pairs, number, both, masked[number], told)
        return judged

    def _of_one_template(self, left: StepText, right: StepText) -> Judgement:
        if left.identity == right.identity:
            return Judgement(1.0, 0.0, Kind.EXACT, ("the same text",))
        reason = reasons.other_arguments(left, right)
        return Judgement(self.parameters.same_template, 0.0, Kind.PARAMETRIC, (reason,))

    def _explained(
        self, pairs: Pairs, place: int, keys: tuple[str, str], masked: tuple[str, str], told: tuple[float, float]
    ) -> Judgement:
        """The judgement of one of some pairs, by what is `told`: the probabilities of one definition and one intent."""
        kind, barred, alignment = self._compared(pairs, place, masked, *told)
        if is_other_form(*keys):
            because: tuple[str, ...] = ("they differ in their Unicode normal form only",)
        else:
            pair, languages = pairs.take(np.array([place])), self.templates.languages
            in_frame = reasons.filled_frame(pair, self.fillers.of(pair)) if kind is Kind.PARAMETRIC else None
            of_both = reasons.of_alignment(alignment, masked, languages, in_frame)
            because = (*of_both, *map(GUARDS.__getitem__, barred))
            because += self.learnt_reasons(pair, reasons.unmatched(alignment, masked, languages)[0])
        return Judgement(*told, kind, because, barred, alignment.difference)

    def weigh(self, left: StepText, right: StepText) -> dict[Evidence, float]:
        """The evidence for (above 0) and against one intent, in log odds, greatest first; empty for two texts of one
        template."""
        if left.template.key == right.template.key:
            return {}
        return self.intent.weigh(self._measured(left, [right]), self._measured(left, [left]))

    def _measured(self, left: StepText, others: Sequence[StepText]) -> Measured:
        first, *rows = (self.templates.add(text.template.masked, member=False) for text in (left, *others))
        roles = np.full(len(rows), left.roles, np.int8), np.array([right.roles for right in others], np.int8)
        return self.measure(np.full(len(rows), first), np.array(rows), roles)

    def learnt_reasons(self, pairs: Pairs, alone: Sequence[str]) -> tuple[str, ...]:
        """The reasons that this suite's definitions give for one pair, of which one says the words `alone`."""
        del pairs, alone
        return ()
