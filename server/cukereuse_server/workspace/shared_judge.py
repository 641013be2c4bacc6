"""The judge of one suite, shared by the loop and one thread."""

import hashlib
import threading
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.embedding_models.embedder import TokenTable
from cukereuse_engine.index.pairs import Positions
from cukereuse_engine.judging.adapted_judge import AdaptedJudge
from cukereuse_engine.judging.evidence import Evidence
from cukereuse_engine.judging.judge import Judgement, Kind, Probabilities
from cukereuse_engine.text.step_text import StepText

_EXPLAINED = 20_000
"""The number of explanations that are kept."""


class SharedJudge:
    """The judge of one suite, for the loop and one thread; remembers what it explained until it learns.

    A `Judge`: a text that it does not know yet is taken in without changing the suite's statistics.
    """

    def __init__(self, texts: Sequence[StepText], bound: Mapping[str, str]) -> None:
        """`bound` maps the identity of a text to the function that serves it, as `bound_functions` does."""
        self.bound = {text.identity: bound[text.identity] for text in texts if text.identity in bound}
        """The initial bindings."""
        self._judge = AdaptedJudge.for_bound_suite(texts, self.bound)
        self.name = self._judge.name
        self.languages = self._judge.templates.languages
        self._lock = threading.Lock()
        self._explained: dict[tuple[str, str, float | None], Judgement] = {}

    def fingerprint(self) -> str:
        """A digest of everything beside the pair on which the probability of one intent depends: no bindings."""
        with self._lock:
            templates = self._judge.templates
            read = "read" if self._judge.intent.reader is not None else ""
            masked = "\0".join((read, *self.languages, *(templates.masked[row] for row in templates.members)))
        return hashlib.blake2b(masked.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def adapt(self, bound: Iterable[tuple[StepText, str | None]]) -> None:
        """Set the function of each text (None: no function): the judge learns what a new judge of the same texts would
        have learnt."""
        with self._lock:
            self._judge.learn(bound)
            self._explained.clear()

    def read_with(self, tokens: TokenTable | None) -> None:
        """Read pairs by a language model's tokens from now on."""
        with self._lock:
            self._judge.read_with(tokens)
            self._explained.clear()

    def probabilities(
        self, texts: Sequence[StepText], a: Positions, b: Positions, cosine: NDArray[np.float64] | None = None
    ) -> Probabilities:
        with self._lock:
            return self._judge.probabilities(texts, a, b, cosine)

    def kinds(
        self, texts: Sequence[StepText], a: Positions, b: Positions, cosine: NDArray[np.float64] | None = None
    ) -> list[Kind]:
        with self._lock:
            return self._judge.kinds(texts, a, b, cosine)

    def weigh(self, left: StepText, right: StepText) -> Mapping[Evidence, float]:
        with self._lock:
            return self._judge.weigh(left, right)

    def explain(self, left: StepText, right: StepText, cosine: float | None = None) -> Judgement:
        return self.explain_all(left, [right], [cosine])[0]

    def explain_all(
        self, left: StepText, others: Sequence[StepText], cosine: Sequence[float | None]
    ) -> list[Judgement]:
        pairs = [(left.text, right.text, near) for right, near in zip(others, cosine, strict=True)]
        known = {pair: self._explained[pair] for pair in pairs if pair in self._explained}
        new = [place for place, pair in enumerate(pairs) if pair not in known]
        if new:
            asked = [others[place] for place in new], [cosine[place] for place in new]
            with self._lock:
                judged = self._judge.explain_all(left, *asked)
            told = dict(zip([pairs[place] for place in new], judged, strict=True))
            if len(self._explained) + len(told) > _EXPLAINED:
                self._explained.clear()
            self._explained |= told
            known |= told
        return [known[pair] for pair in pairs]
