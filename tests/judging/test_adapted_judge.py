"""The judge learns from bindings, forgets them, and never invents any."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.judging.adapted_judge import AdaptedJudge
from cukereuse_engine.judging.bound_neighbours import BoundNeighbours
from cukereuse_engine.judging.fillers import FrameFillers
from cukereuse_engine.judging.knowledge import Knowledge
from cukereuse_engine.judging.templates import Pairs, Templates
from cukereuse_engine.judging.text_judge import TextJudge
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import SLOT

Build = Callable[..., list[StepText]]
PAGES = [f"I go to the {page} page" for page in ("home", "cart", "login", "help", "news", "order")]


def _same(judge: TextJudge, texts: list[StepText], one: int, other: int) -> float:
    return float(
        judge.probabilities(texts, np.array([one], np.int32), np.array([other], np.int32)).p_same_definition[0]
    )


def test_knows_nothing_without_bindings(step_texts: Build) -> None:
    texts = step_texts(*PAGES)
    assert _same(AdaptedJudge.for_suite(texts), texts, 0, 1) == _same(TextJudge.for_suite(texts), texts, 0, 1)


def test_a_frame_that_one_definition_serves_joins_and_one_that_several_serve_parts(step_texts: Build) -> None:
    texts = step_texts(*PAGES)
    joined = AdaptedJudge.for_bound_suite(texts, {text.identity: "page" for text in texts[2:]})
    parted = AdaptedJudge.for_bound_suite(texts, {text.identity: text.text for text in texts[2:]})
    alone = _same(TextJudge.for_suite(texts), texts, 0, 1)
    assert _same(joined, texts, 0, 1) > max(0.5, alone)
    assert _same(parted, texts, 0, 1) <= alone
    assert "none of the 6 pairs" in str(parted.explain(texts[0], texts[1]).reasons)
    assert "all 6 pairs" in str(joined.explain(texts[0], texts[1]).reasons)


def test_both_bound_is_certain(step_texts: Build) -> None:
    texts = step_texts(*PAGES)
    judge = AdaptedJudge.for_bound_suite(
        texts, {texts[0].identity: "a", texts[1].identity: "a", texts[2].identity: "b"}
    )
    assert _same(judge, texts, 0, 1) > 0.99
    assert _same(judge, texts, 0, 2) < 0.01


def test_a_bound_text_that_comes_later_leaves_what_is_said_of_others(step_texts: Build) -> None:
    *texts, late = step_texts(*PAGES, "I sign in", "I log in", "they go to the buyer page")
    judge = AdaptedJudge.for_bound_suite(texts, {text.identity: "page" for text in texts[2:5]})
    before, members = judge.explain(texts[-2], texts[-1]), list(judge.templates.members)
    judge.learn([(late, "page")])
    assert judge.explain(texts[-2], texts[-1]).p_one_intent == before.p_one_intent
    assert judge.templates.members == members, "all pairs of a suite would be judged again at each key"
    assert "one step definition serves both" in judge.explain(late, texts[2]).reasons


def test_pairs_are_explained_together_as_one_by_one(step_texts: Build) -> None:
    left, *others = step_texts(*PAGES, "I visit the home page", 'I see "a"', 'I see "b"', PAGES[0])
    judge = AdaptedJudge.for_bound_suite([left, *others], {text.identity: "page" for text in others[1:4]})
    cosines = [None, 0.5, None, 0.9, 0.1, 0.8, None, None, None]
    for one in (left, others[-2]):
        together = judge.explain_all(one, others, cosines)
        assert len({judgement.kind for judgement in together}) > 1
        for judgement, other, cosine in zip(together, others, cosines, strict=True):
            alone = judge.explain(one, other, cosine)
            assert replace(judgement, p_same_definition=0, p_one_intent=0) == replace(
                alone, p_same_definition=0, p_one_intent=0
            )
            assert judgement.p_same_definition == pytest.approx(alone.p_same_definition)
            assert judgement.p_one_intent == pytest.approx(alone.p_one_intent)


_BINDINGS = st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["x", "y", "z", None])), max_size=60)


@given(_BINDINGS)
def test_learning_and_forgetting_equals_starting_afresh(changes: list[tuple[int, str | None]]) -> None:
    templates = Templates(("en",))
    for text in PAGES:
        templates.add(text)
    knowledge, bound = Knowledge(templates), {}
    for row, definition in changes:
        knowledge.learn([(row, "text", definition)])
        bound[row] = definition
    bound = {row: definition for row, definition in bound.items() if definition is not None}
    fresh = Knowledge(templates)
    fresh.learn((row, "text", definition) for row, definition in bound.items())
    a, b = np.triu_indices(len(templates), 1)
    pairs = Pairs(templates, a.astype(np.int64), b.astype(np.int64))
    for mine, theirs in zip(knowledge.frame_counts(pairs), fresh.frame_counts(pairs), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_array_equal(knowledge.word_rates(), fresh.word_rates())
    assert knowledge.merging() == fresh.merging()
    assert len(knowledge) == len(bound)


def test_definitions_that_are_forgotten_leave_nothing() -> None:
    """In an editor, each edit of a source gives new names to the functions below it."""
    templates = Templates(("en",))
    for text in ("I open the shop", "I shut the shop", "the shop is open"):
        templates.add(text)
    knowledge = Knowledge(templates)
    knowledge.learn([(2, "text", "steps.py@0")])
    for edit in range(1_500):
        knowledge.learn((row, "text", f"steps.py@{row}{edit}") for row in range(2))
        assert len(set(knowledge.codes().tolist())) == 3
    assert knowledge.codes().max() < 1_100
    assert len(knowledge._rows) == 3


def test_pairs_that_are_taken_out_are_those_of_their_rows() -> None:
    templates = Templates(("en",))
    for text in ("I open the shop", "I do not open the shop", "I open the cart", "the shop is open"):
        templates.add(text)
    a, b = (side.astype(np.int64) for side in np.triu_indices(len(templates), 1))
    pairs, places = Pairs(templates, a, b), np.array([4, 0, 3])
    assert len(pairs.frames[0].numbers)  # they are those of the pairs that are left
    taken, alone = pairs.take(places), Pairs(templates, a[places], b[places])
    for measure in (Pairs.indel, Pairs.jaccard, lambda some: some.suffix, lambda some: some.frames[0].numbers):
        np.testing.assert_array_equal(measure(taken), measure(alone))
    assert {name: column.tolist() for name, column in taken.guards.items()} == {
        name: column.tolist() for name, column in alone.guards.items()
    }


_WORDS = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=5).map(" ".join), min_size=2, max_size=12)


@given(_WORDS)
def test_frames_and_neighbours_equal_a_plain_search(texts: list[str]) -> None:
    templates = Templates(("en",))
    rows = [templates.add(text) for text in texts]
    words = {row: text.split() for row, text in zip(rows, texts, strict=True)}
    a, b = np.triu_indices(len(templates), 1)
    pairs = Pairs(templates, a.astype(np.int64), b.astype(np.int64))
    frames, where = pairs.frames
    fitting = {int(place): set() for place in range(len(frames.prefix))}
    for places, owners, rows_ in templates.fitting(frames):
        for place, row in zip(places[owners].tolist(), rows_.tolist(), strict=True):
            fitting[place].add(row)
    values = np.random.default_rng(0).normal(size=len(templates.array("numbers")))
    least = pairs.middle_min(values)
    fillers = FrameFillers(templates).of(pairs)
    for i in range(len(pairs)):
        prefix, suffix = int(pairs.prefix[i]), int(pairs.suffix[i])
        between = [
            values[templates.array("offsets")[row] + place]
            for row in (a[i], b[i])
            for place in range(prefix, len(words[int(row)]) - suffix)
        ]
        assert least[i] == min([0.0, *between])
        start, end = words[int(a[i])][:prefix], words[int(a[i])][len(words[int(a[i])]) - suffix :]
        fits = {
            row
            for row, line in words.items()
            if len(line) >= prefix + suffix and line[:prefix] == start and line[len(line) - suffix :] == end
        }
        assert fitting[int(where[i])] == fits
        middles = [words[row][prefix : len(words[row]) - suffix] for row in fits]
        assert fillers.support[i] == len(fits)
        assert fillers.single[i] == sum(len(filler) == 1 for filler in middles) / len(fits)
        following = {(words[row][prefix:] or [""])[0] for row in fits}
        assert fillers.variety[i] == len(following) / len(fits)
    knowledge = Knowledge(templates)
    knowledge.learn((row, "text", f"definition {row}") for row in range(len(templates)))
    codes, similarity = BoundNeighbours(templates, knowledge).of(np.arange(len(templates)))
    np.testing.assert_array_equal(codes[:, 0], np.arange(len(templates)))
    np.testing.assert_array_equal(similarity[:, 0], 1.0)


def test_reasons_never_show_the_sign_of_a_slot(step_texts: Build) -> None:
    """A frame with an argument in it, and a word that an argument replaces."""
    texts = step_texts(*(f'I see "a" in the {page}' for page in ("page", "cart", "list", "menu")), 'I see "a" in "b"')
    judge = AdaptedJudge.for_bound_suite(texts, {text.identity: text.text for text in texts[1:]})
    shown = [reason for other in texts[1:] for reason in judge.explain(texts[0], other).reasons]
    assert not [reason for reason in shown if SLOT in reason]
    none = "in this suite none of the 3 pairs of steps like “I see <argument> in the …” share a definition"
    assert f"against one wording: {none}" in shown


def test_a_frame_that_any_two_steps_share_is_no_reason(step_texts: Build) -> None:
    texts = step_texts(*(f"I {did} the {thing}" for did in ("see", "open") for thing in ("page", "cart")), "I log out")
    judge = AdaptedJudge.for_bound_suite(texts, {text.identity: text.text for text in texts})
    left, right = step_texts("I have gone away", "I leave it now")
    assert not [reason for reason in judge.explain(left, right).reasons if "“I …”" in reason]


def test_what_a_suite_says_of_a_word_is_told_of_words_that_only_one_step_has(step_texts: Build) -> None:
    """A synonym, or the little words around it, stand for something in the other step."""
    steps = [
        f"{step} {thing}" for step in ("visit the", "fill new", "fill") for thing in ("box", "page", "form", "list")
    ]
    texts = step_texts(*(f"{who} {step}" for who in ("I", "we") for step in steps))
    definitions = {text.identity: text.text.split(" ", 1)[1].replace("new ", "") for text in texts}
    judge = AdaptedJudge.for_bound_suite(texts, definitions)

    def told(*wordings: str) -> list[str]:
        return [reason for reason in judge.explain(*step_texts(*wordings)).reasons if "in this suite" in reason]

    assert told("I close new door", "I close door") == [
        "in this suite all 4 definitions of steps with “new” also serve steps without it"
    ]
    assert told("I visit the shop", "I navigate to the shop") == []
