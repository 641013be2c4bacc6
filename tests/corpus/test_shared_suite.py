"""A judge that is read in slices and sees a few templates gives the verdicts of the judge that has read all."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.on_ray.shared_suite import SharedSuite, read_templates
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template

WORDS = (
    "I",
    "open",
    "opened",
    "the",
    "old",
    "gate",
    "door",
    "doors",
    "Shop",
    "is",
    "not",
    "shut",
    '"x"',
    "a@b",
    "sign in",
)
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), min_size=2, max_size=40)


def shared(texts: list[StepText], languages: tuple[str, ...], slices: int) -> SharedSuite:
    masked = [text.template.masked for text in texts]
    size = len(masked) // slices + 1
    readings = [read_templates(masked[start : start + size], languages) for start in range(0, len(masked), size)]
    buffers: list[pickle.PickleBuffer] = []
    sent = pickle.dumps(SharedSuite.of(languages, readings), protocol=5, buffer_callback=buffers.append)
    suite: SharedSuite = pickle.loads(sent, buffers=[buffer.raw().toreadonly() for buffer in buffers])
    return suite


@pytest.mark.parametrize("languages", [("en",), ("fr", "en")])
@given(texts=TEXTS, seed=st.integers(0, 99), slices=st.integers(1, 4))
def test_the_same_verdicts(languages: tuple[str, ...], texts: list[str], seed: int, slices: int) -> None:
    distinct = {template(text).key: text for text in texts}.values()
    suite = [StepText(text, identity(text), template(text), 1) for text in distinct]
    whole = TextJudge(languages)
    for text in suite:
        whole.templates.add(text.template.masked)
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(suite))[: max(2, len(suite) // 2)]
    some = [suite[row] for row in rows.tolist()]
    judge = shared(suite, languages, slices).judge(rows, [text.template.masked for text in some])
    a, b = np.triu_indices(len(some), 1)
    pairs = some, a.astype(np.int32), b.astype(np.int32)
    for own, expected in zip(
        *(
            (told.p_same_definition, told.p_one_intent, their.kinds(*pairs))
            for their in (judge, whole)
            for told in [their.probabilities(*pairs)]
        ),
        strict=True,
    ):
        assert np.array_equal(own, expected)


def test_what_is_shared_is_in_arrays() -> None:
    """All that grows with the suite is outside the pickle: processes of one machine have it once."""
    texts = [f"I open the {a} {b} {c}" for a in "abcdefghij" for b in "klmnopqrst" for c in "uvwxyz"]
    suite = [StepText(text, identity(text), template(text), 1) for text in texts]
    sizes = []
    for count in (300, 600):
        buffers: list[pickle.PickleBuffer] = []
        sent = pickle.dumps(shared(suite[:count], ("en",), 2), protocol=5, buffer_callback=buffers.append)
        sizes.append((len(sent), sum(buffer.raw().nbytes for buffer in buffers)))
    (small, shared_by_few), (large, shared_by_many) = sizes
    assert large < small + 500
    assert shared_by_many > 1.9 * shared_by_few
