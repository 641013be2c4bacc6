"""The wordings that are most similar to a text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.judging.judge import Judgement, Kind
from cukereuse_engine.scanning.similar_wordings import similar_wordings
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template
from tests.judging.pairwise import PairwiseJudge


class SameWords(PairwiseJudge):
    """The share of common words."""

    def explain(self, one: StepText, other: StepText, cosine: float | None = None) -> Judgement:
        first, second = set(one.template.key.split()), set(other.template.key.split())
        p = len(first & second) / max(len(first | second), 1)
        kind = Kind.EXACT if one.identity == other.identity else Kind.REWORDED
        return Judgement(p, p, kind, () if cosine is None else (f"cosine {cosine:.1f}",))


def step_text(text: str, occurrences: int = 1) -> StepText:
    text = normalise(text)
    return StepText(text, identity(text), template(text), occurrences)


SUITE = [
    step_text('I log in as "bob"', 2),
    step_text('I log in as "alice"', 7),
    step_text('I sign in as "alice"', 3),
    step_text("I log out", 5),
    step_text("the basket holds 3 items", 4),
    step_text("the basket holds 4 items", 1),
]


def test_the_wording_itself_comes_first_with_the_nearest_text() -> None:
    similar = similar_wordings('I  log in as "bob"', SUITE, SameWords())
    assert [wording.text.text for wording in similar[:3]] == ['I log in as "bob"', 'I sign in as "alice"', "I log out"]
    assert [text.text for text in similar[0].texts] == ['I log in as "alice"', 'I log in as "bob"']
    assert similar[0].occurrences == 9
    assert similar[0].judgement.kind is Kind.EXACT
    assert similar[0].score == pytest.approx(1.0)


def test_one_entry_a_wording() -> None:
    similar = similar_wordings("the basket holds 7 items", SUITE, SameWords())
    keys = [wording.text.template.key for wording in similar]
    assert len(keys) == len(set(keys)) == 4


def test_limit_and_nothing() -> None:
    assert len(similar_wordings("I log in", SUITE, SameWords(), limit=2)) == 2
    assert similar_wordings("I log in", SUITE, SameWords(), limit=0) == ()
    assert similar_wordings(" ", SUITE, SameWords()) == ()
    assert similar_wordings("I log in", [], SameWords()) == ()


def test_vectors_find_what_words_do_not() -> None:
    suite = [step_text("I authenticate"), step_text("I log out"), step_text("the door is red")]
    cosine = np.array([1.0, -0.9, np.nan])
    assert similar_wordings("I log in", suite, SameWords())[0].text.text == "I log out"
    similar = similar_wordings("I log in", suite, SameWords(), cosine)
    assert similar[0].text.text == "I authenticate"
    assert similar[0].judgement.reasons == ("cosine 1.0",)
    assert [wording.cosine for wording in similar if wording.text.text == "the door is red"] == [None]


def test_of_equally_similar_wordings_the_more_used_comes_first() -> None:
    suite = [step_text("I see b", 1), step_text("I see a", 1), step_text("I see c", 9)]
    similar = similar_wordings("I see", suite, SameWords())
    assert [wording.text.text for wording in similar] == ["I see c", "I see a", "I see b"]


words = st.sampled_from(["I", "see", "log", '"x"', '"y"', "3", "not", "ünï"])
sentences = st.lists(words, min_size=1, max_size=6).map(" ".join)


@given(sentences, st.lists(sentences, min_size=1, max_size=12, unique=True), st.randoms())
def test_order_of_the_suite_does_not_matter(query: str, texts: list[str], random: object) -> None:
    suite = [step_text(text, 1 + len(text) % 3) for text in texts]
    similar = similar_wordings(query, suite, SameWords(), limit=99)
    shuffled = list(suite)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert similar_wordings(query, shuffled, SameWords(), limit=99) == similar
    assert sum(wording.occurrences for wording in similar) == sum(text.occurrences for text in suite)
    assert [wording.score for wording in similar] == sorted((wording.score for wording in similar), reverse=True)
