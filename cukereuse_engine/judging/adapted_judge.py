"""The judge that learns from the suite's own step definitions.

The same judge as `TextJudge`, adapted: how much this suite's definitions merge, which frames and which words vary under
one definition, and which definitions are near. Where nothing is known it gives what `TextJudge` gives.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from cukereuse_engine.embedding_models.embedder import TokenTable
from cukereuse_engine.judging import reasons
from cukereuse_engine.judging.adapted_features import adapted_features
from cukereuse_engine.judging.bound_neighbours import BoundNeighbours
from cukereuse_engine.judging.features import Column, Measured
from cukereuse_engine.judging.knowledge import Knowledge
from cukereuse_engine.judging.parameters import Parameters
from cukereuse_engine.judging.templates import Pairs
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.text.step_text import StepText

_BOUND_ALIKE = float(np.log(0.995 / 0.005))
"""Log odds of two templates whose steps bind to one definition; those of two definitions are its opposite."""
_FEWEST = 4
"""Bound templates from which anything is learnt: on unseen suites two made the judge worse, five better."""
_TELLING = 3
"""Pairs or definitions from which a reason is worth telling a person: "0 of 1" tells nothing."""


class AdaptedJudge(TextJudge):
    """Learns and forgets bindings as glue code changes; `for_suite` starts with those that are known."""

    name = "adapted"

    def __init__(self, languages: tuple[str, ...] = ("en",), parameters: Parameters | None = None) -> None:
        super().__init__(languages, parameters)
        self.knowledge = Knowledge(self.templates)
        self.neighbours = BoundNeighbours(self.templates, self.knowledge)

    @classmethod
    def for_bound_suite(
        cls,
        texts: Sequence[StepText],
        bindings: Mapping[str, str],
        parameters: Parameters | None = None,
        tokens: TokenTable | None = None,
    ) -> "AdaptedJudge":
        """A judge for one suite: all of its texts, and the definition (any unique name, such as `StepDefinition.id`) of
        those that are bound, by the identity of the text; `tokens` of a language model that is at hand."""
        judge = cls.for_suite(texts, parameters).read_with(tokens)
        judge.learn((text, bindings[text.identity]) for text in texts if text.identity in bindings)
        return judge

    def learn(self, bindings: Iterable[tuple[StepText, str | None]]) -> None:
        """Each text binds to this definition from now on, or (None) to none that is known. A text that has come since
        the judge was made joins no statistics: at each key of a bound step, all pairs would be judged anew."""
        add = self.templates.add
        self.knowledge.learn(
            (add(text.template.masked, member=False), text.identity, definition) for text, definition in bindings
        )

    def logit(self, asked: Measured) -> Column:
        if not len(self.knowledge):
            return asked.same
        pairs, codes = asked.pairs, self.knowledge.codes()
        left, right = codes[pairs.a], codes[pairs.b]
        both_bound = (left >= 0) & (right >= 0)
        certain = np.where(left == right, _BOUND_ALIKE, -_BOUND_ALIKE)
        learnt = asked.same
        if len(self.knowledge) >= _FEWEST:
            of_bindings = adapted_features(pairs, self.knowledge, self.neighbours)
            learnt = self.parameters.adapted.logit({**asked.features, **of_bindings})
        return np.asarray(np.where(both_bound, certain, learnt), np.float64)

    def learnt_reasons(self, pairs: Pairs, alone: Sequence[str]) -> tuple[str, ...]:
        if not len(self.knowledge):
            return ()
        codes = self.knowledge.codes()
        left, right = int(codes[pairs.a[0]]), int(codes[pairs.b[0]])
        if left >= 0 and right >= 0:
            return ("one step definition serves both" if left == right else reasons.HAVE_ONE_EACH,)
        return (*self._reasons_of_frame(pairs), *self._reasons_of_words(alone))

    def _reasons_of_frame(self, pairs: Pairs) -> Iterator[str]:
        same, total = (int(counts[0]) for counts in self.knowledge.frame_counts(pairs))
        is_near = 2 * (pairs.prefix[0] + pairs.suffix[0]) >= max(pairs.length_a[0], pairs.length_b[0])
        if total >= _TELLING and is_near:  # nearly all pairs of steps like “I …” are two things, in any suite
            count = f"{_of(same, total)} pairs of steps"
            yield f"{_side(same, total)}in this suite {count} like “{reasons.frame(pairs)}” share a definition"

    def _reasons_of_words(self, alone: Sequence[str]) -> Iterator[str]:
        for word in alone[:3]:
            varied, steady = self.knowledge.word_counts(self.templates.words.number(word))
            if varied + steady >= _TELLING:
                shown = f"{_of(varied, varied + steady)} definitions of steps with {reasons.quoted(word)}"
                yield f"{_side(varied, varied + steady)}in this suite {shown} also serve steps without it"


def _side(some: int, total: int) -> str:
    """What a reason begins with that speaks against one wording: the suite mostly keeps such steps apart."""
    return "against one wording: " if 2 * some < total else ""


def _of(some: int, total: int) -> str:
    if some == total:
        return f"all {total:,}"
    return f"{some:,} of the {total:,}" if some else f"none of the {total:,}"
