"""A judge with kept judgements gives the same as a fresh one, whatever happens in between."""

import zlib
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from cukereuse_engine.judging.evidence import PairEvidence
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.step_text import ACTION, CONTEXT, OUTCOME, StepText
from cukereuse_engine.text.template import template

VERBS = ("press", "click", "tap", "see", "should see")
THINGS = ("button", "basket", "cart", "error", "error message")


class Words:
    """A `TokenTable` as wide as the model that the shipped networks were trained with."""

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        return [np.array([zlib.crc32(word.encode()) % 500 for word in text.split()], np.int32) for text in texts]

    def token_embeddings(self, tokens: NDArray[np.int32]) -> NDArray[np.float32]:
        return np.array([np.random.default_rng(token).normal(size=384) for token in tokens.tolist()], np.float32)


def _texts(seed: int) -> list[StepText]:
    rng = np.random.default_rng(seed)
    texts = [f"I {verb} the {thing}" for verb in VERBS for thing in THINGS]
    roles = rng.choice([CONTEXT, ACTION, OUTCOME, ACTION | OUTCOME], len(texts)).tolist()
    return [StepText(text, identity(text), template(text), 1, role) for text, role in zip(texts, roles, strict=True)]


@pytest.mark.parametrize("seed", range(6))
def test_what_is_kept_is_what_would_be_said(seed: int) -> None:
    rng = np.random.default_rng(seed)
    texts = _texts(seed)
    keeping, tokens = TextJudge.for_suite(texts[:12]), None
    answers = set()
    for _ in range(12):
        match rng.integers(5):
            case 0:  # a template more: others are rarer now
                keeping.templates.add(texts[int(rng.integers(len(texts)))].template.masked)
            case 1:
                tokens = Words() if rng.random() < 0.5 else None
                keeping.read_with(tokens)
        plain = TextJudge(keeping.templates.languages).read_with(tokens)
        for row in keeping.templates.members:
            plain.templates.add(keeping.templates.masked[row])
        one, other = (texts[place] for place in rng.choice(len(texts), 2, replace=False))
        said_first, fresh_first = (judge.explain(one, other).p_one_intent for judge in (keeping, plain))
        assert abs(said_first - fresh_first) < 1e-6
        a, b = rng.integers(len(texts), size=(2, 60)).astype(np.int32)
        kept, fresh = (judge.probabilities(texts, a, b).p_one_intent for judge in (keeping, plain))
        assert np.abs(kept - fresh).max() < 1e-6
        answers.update(np.round(kept, 6).tolist())
    assert len(answers) > 10


def test_nothing_is_asked_twice_in_either_order(monkeypatch: pytest.MonkeyPatch) -> None:
    texts, looked_at = _texts(0), []
    columns = PairEvidence.columns
    monkeypatch.setattr(PairEvidence, "columns", lambda self, some: looked_at.append(1) or columns(self, some))
    judge = TextJudge.for_suite(texts)
    a, b = np.triu_indices(len(texts), 1)
    first = judge.probabilities(texts, a.astype(np.int32), b.astype(np.int32)).p_one_intent
    again = judge.probabilities(texts, b.astype(np.int32), a.astype(np.int32)).p_one_intent
    assert np.array_equal(first, again)
    assert looked_at == [1]


def test_who_reads_later_looks_only_at_what_the_trees_leave_open(monkeypatch: pytest.MonkeyPatch) -> None:
    texts, looked_at = _texts(0), []
    columns = PairEvidence.columns
    monkeypatch.setattr(
        PairEvidence, "columns", lambda self, some: looked_at.append(len(some.pairs.a)) or columns(self, some)
    )
    judge = TextJudge.for_suite(texts)
    a, b = (side.astype(np.int32) for side in np.triu_indices(len(texts), 1))
    judge.probabilities(texts, a, b)
    judge.read_with(Words()).probabilities(texts, a, b)
    judge.probabilities(texts, a, b)
    whole, open_ = looked_at
    assert 0 < open_ < whole
