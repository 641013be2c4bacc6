"""Every strategy compared with a brute-force twin that compares all with all."""

import itertools
import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from rapidfuzz import fuzz

from cukereuse_engine.detection.detect import detect
from cukereuse_engine.detection.judged import KINDS
from cukereuse_engine.detection.options import Cluster, Detection, StrategyOptions
from cukereuse_engine.embedding_models.embedder import COARSE_MARGIN
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.index.linkage import link
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.index.token_join import token_join
from cukereuse_engine.judging.judge import Judge, Judgement, Kind
from cukereuse_engine.judging.tagging import tagged
from cukereuse_engine.text.guards import differing_guards
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template
from tests.judging.pairwise import PairwiseJudge

SUBJECTS = ["I open", "I do not open", "the user opens", 'I open "a"', 'I open "b"', "I click on", "I see"]
OBJECTS = ["the cart", "a cart", "the cart page", "3 carts", "4 carts", "the profile", "cart <id>"]
TEXTS = st.dictionaries(
    st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(OBJECTS)).map(" ".join), st.integers(1, 5), max_size=14
).map(lambda counts: [StepText(text, identity(text), template(text), count) for text, count in counts.items()])


def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    """Bags of words with a little of the order: similar for similar texts, without a model."""
    rows = np.zeros((len(texts), 64), np.float32)
    for row, text in zip(rows, texts, strict=True):
        for position, word in enumerate(text.split()):
            rng = random.Random(word)
            row += np.array([rng.gauss(0, 1 - position / 50) for _ in range(64)], np.float32)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.maximum(norms, 1e-9)).astype(np.float32)


def coarse_vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    """The same vectors with an error of some hundredths."""
    rows = vectors(texts)
    for row, text in zip(rows, texts, strict=True):
        rng = random.Random(f"noise in {text}")
        row += np.array([rng.gauss(0, 0.002) for _ in row], np.float32)
    return (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)).astype(np.float32)


def twin(texts: list[StepText], accept: Callable[[int, int], float | None]) -> list[tuple[int, int, float]]:
    scored = ((i, j, accept(i, j)) for i, j in itertools.combinations(range(len(texts)), 2))
    return [(i, j, score) for i, j, score in scored if score is not None]


def pairs_of(detection: Detection) -> list[tuple[int, int, float]]:
    pairs = detection.pairs
    return list(zip(pairs.a.tolist(), pairs.b.tolist(), pairs.score.tolist(), strict=True))


def check_clusters(detection: Detection, linkage: str, by_template: bool = False) -> None:
    """Check that linkage of the accepted pairs gives these clusters, and that their data is true."""
    texts, pairs = detection.texts, detection.pairs
    nodes: dict[str, list[int]] = {}
    for position, wording in enumerate(texts):
        nodes.setdefault(wording.template.key if by_template else wording.identity, []).append(position)
    node_of = {position: node for node, group in enumerate(nodes.values()) for position in group}
    node_pairs = ScoredPairs.of(
        np.array([node_of[i] for i in pairs.a.tolist()], np.int32),
        np.array([node_of[i] for i in pairs.b.tolist()], np.int32),
        pairs.score,
    )
    labels = link(len(nodes), node_pairs, linkage).labels
    expected: dict[int, set[str]] = {}
    for position, wording in enumerate(texts):
        expected.setdefault(int(labels[node_of[position]]), set()).add(wording.text)
    counts = {text.text: text.occurrences for text in texts}
    assert {frozenset(text.text for text in cluster.texts) for cluster in detection.clusters} == {
        frozenset(group) for group in expected.values() if sum(counts[wording] for wording in group) >= 2
    }
    for cluster in detection.clusters:
        assert cluster.texts[0].text == cluster.canonical
        assert cluster.reasons
        assert (cluster.kind is Kind.EXACT) == (len(cluster.texts) == 1)
        assert (cluster.kind is Kind.PARAMETRIC) or cluster.wordings > 1 or cluster.kind is Kind.EXACT


@settings(deadline=None, max_examples=60)
@given(TEXTS, st.booleans(), st.sampled_from(["complete", "single"]), st.sampled_from([0.6, 0.8, 0.9]))
def test_near_exact(texts: list[StepText], guards: bool, linkage: str, threshold: float) -> None:
    def accept(i: int, j: int) -> float | None:
        score = fuzz.ratio(texts[i].text, texts[j].text) / 100
        barred = guards and differing_guards(texts[i].text, texts[j].text)
        return score if score >= threshold and not barred else None

    detection = detect(texts, StrategyOptions("near-exact", threshold, guards=guards, linkage=linkage))
    assert pairs_of(detection) == twin(texts, accept)
    check_clusters(detection, linkage)


@pytest.mark.parametrize("strategy", ["semantic", "hybrid"])
@settings(deadline=None, max_examples=40)
@given(texts=TEXTS, guards=st.booleans(), linkage=st.sampled_from(["complete", "single"]))
def test_by_vectors(strategy: str, texts: list[StepText], guards: bool, linkage: str) -> None:
    embedded = vectors([text.text for text in texts]).astype(np.float64)

    def accept(i: int, j: int) -> float | None:
        cosine = float(embedded[i] @ embedded[j])
        lev = fuzz.ratio(texts[i].text, texts[j].text) / 100
        barred = guards and differing_guards(texts[i].text, texts[j].text)
        near = cosine >= 0.82 and (strategy == "semantic" or 0.30 <= lev <= 0.95)
        return cosine if near and not barred else None

    detection = detect(texts, StrategyOptions(strategy, guards=guards, linkage=linkage), vectors=vectors)
    expected = twin(texts, accept)
    assert [pair[:2] for pair in pairs_of(detection)] == [pair[:2] for pair in expected]
    assert detection.pairs.score == pytest.approx([pair[2] for pair in expected], abs=1e-5)
    check_clusters(detection, linkage)


@pytest.mark.parametrize("with_vectors", [False, True])
def test_auto(judge: Judge, with_vectors: bool) -> None:
    @settings(deadline=None, max_examples=40)
    @given(TEXTS, st.sampled_from(["complete", "single"]))
    def check(texts: list[StepText], linkage: str) -> None:
        by_template: dict[str, list[StepText]] = {}
        for text in texts:
            by_template.setdefault(text.template.key, []).append(text)
        shown = {
            min(group, key=lambda t: (-t.occurrences, t.text.count('"'), len(t.text), t.text)).text
            for group in by_template.values()
        }
        masked = vectors([text.template.masked for text in texts]).astype(np.float64)

        options = StrategyOptions(linkage=linkage)

        def accept(i: int, j: int) -> float | None:
            if texts[i].text not in shown or texts[j].text not in shown:
                return None
            one, other = (tagged(texts[k].template.masked).meaning_words for k in (i, j))
            cosine = float(masked[i] @ masked[j])
            near = fuzz.ratio(texts[i].template.key, texts[j].template.key) >= 75
            if not (near or len(one & other) >= len(one | other) / 2 or (with_vectors and cosine >= 0.6)):
                return None
            p = judge.explain(texts[i], texts[j], cosine if with_vectors else None).p_one_intent
            return p if p >= options.effective_threshold else None

        detection = detect(texts, options, judge=judge, vectors=vectors if with_vectors else None)
        expected = twin(texts, accept)
        assert [pair[:2] for pair in pairs_of(detection)] == [pair[:2] for pair in expected]
        assert detection.pairs.score == pytest.approx([pair[2] for pair in expected], abs=1e-4)
        check_clusters(detection, linkage, by_template=True)

    check()


class GateJudge(PairwiseJudge):
    """A judge that uses the cosine only as a gate, as the shipped judge does."""

    def explain(self, one: StepText, other: StepText, cosine: float | None = None) -> Judgement:
        lexical = fuzz.ratio(one.template.key, other.template.key) / 100
        p = lexical if (cosine or 0.0) + lexical / 2 >= 1 else 0.001
        return Judgement(p, p, Kind.REWORDED, ())


@settings(deadline=None, max_examples=60)
@given(TEXTS)
def test_coarse_vectors_change_nothing(texts: list[StepText]) -> None:
    exactly_embedded: list[str] = []

    def exact(masked: Sequence[str]) -> NDArray[np.float32]:
        exactly_embedded.extend(masked)
        return vectors(masked)

    expected = detect(texts, StrategyOptions(), judge=GateJudge(), vectors=vectors)
    detection = detect(texts, StrategyOptions(), judge=GateJudge(), vectors=exact, coarse=coarse_vectors)
    assert pairs_of(detection) == pairs_of(expected)
    assert detection.clusters == expected.clusters
    if expected.cosine is not None:
        assert detection.cosine == pytest.approx(expected.cosine, abs=2 * COARSE_MARGIN)
    assert len(set(exactly_embedded)) == len(exactly_embedded) <= len(texts)


def test_only_what_coarse_vectors_leave_open_is_embedded_exactly() -> None:
    texts = [StepText(text, identity(text), template(text), 1) for text in ("a b c", "a b d", "x y z")]
    rows = {"a b c": [1.0, 0, 0], "a b d": [0.99, 0.14107, 0], "x y z": [0, 0, 1.0]}

    def coarse(masked: Sequence[str]) -> NDArray[np.float32]:
        return np.array([rows[text] for text in masked], np.float32)

    def exact(masked: Sequence[str]) -> NDArray[np.float32]:
        raise AssertionError(masked)

    detection = detect(texts, StrategyOptions(), judge=GateJudge(), vectors=exact, coarse=coarse)
    assert [pair[:2] for pair in pairs_of(detection)] == [(0, 1)]


def test_exact(text: Callable[..., StepText]) -> None:
    texts = [text("I wait", 3), text("I waited", 1), text("I sleep", 5)]
    clusters = detect(texts, StrategyOptions("exact")).clusters
    assert [(c.canonical, c.kind, c.occurrences, c.score) for c in clusters] == [
        ("I sleep", Kind.EXACT, 5, 1.0),
        ("I wait", Kind.EXACT, 3, 1.0),
    ]


def shape(clusters: Sequence[Cluster]) -> list[tuple[str, Kind, int]]:
    return [(cluster.canonical, cluster.kind, len(cluster.texts)) for cluster in clusters]


def test_several_wordings_come_before_repetition(text: Callable[..., StepText], judge: Judge) -> None:
    texts = [
        text("I wait", 90),
        text('I see "a"', 3),
        text('I see "b"', 4),
        text("the order is paid for", 5),
        text("an order is paid for", 2),
        text("the order is not paid for", 2),
    ]
    assert shape(detect(texts, StrategyOptions(), judge=judge).clusters) == [
        ("the order is paid for", Kind.REWORDED, 2),
        ("I wait", Kind.EXACT, 1),
        ('I see "b"', Kind.PARAMETRIC, 2),
        ("the order is not paid for", Kind.EXACT, 1),
    ]


def test_min_count_and_order_of_input_do_not_change_clusters(text: Callable[..., StepText], judge: Judge) -> None:
    texts = [text(f"the {noun} number {n} is shown", n) for noun in ("cart", "card", "profile") for n in range(1, 5)]
    clusters = detect(texts, StrategyOptions(min_count=11), judge=judge).clusters
    assert all(cluster.occurrences >= 11 for cluster in clusters)
    shuffled = random.Random(3).sample(texts, len(texts))
    assert detect(shuffled, StrategyOptions(min_count=11), judge=judge).clusters == clusters


@pytest.mark.parametrize("options", [{"strategy": "fuzzy"}, {"threshold": 0.0}, {"threshold": 1.2}])
def test_refuses_options(options: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        StrategyOptions(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("strategy", ["semantic", "hybrid", "auto"])
def test_says_what_is_missing(strategy: str, text: Callable[..., StepText]) -> None:
    with pytest.raises(CukereuseError, match=strategy):
        detect([text("a")], StrategyOptions(strategy))


@settings(deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("abcdef"), max_size=6).map(" ".join), max_size=25),
    st.sampled_from([0.5, 0.6, 2 / 3, 1.0]),
)
def test_token_join_equals_brute_force(texts: list[str], threshold: float) -> None:
    bags = [frozenset(text.split()) for text in texts]
    pairs = token_join(bags, threshold)
    assert list(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)) == [
        (i, j)
        for i, j in itertools.combinations(range(len(texts)), 2)
        if bags[i] and bags[j] and len(bags[i] & bags[j]) / len(bags[i] | bags[j]) >= threshold
    ]


def test_kinds_are_numbered_from_the_closest() -> None:
    assert KINDS == (Kind.EXACT, Kind.PARAMETRIC, Kind.REWORDED, Kind.PARAPHRASE, Kind.DISTINCT)


def test_statements_are_grouped_by_template_and_compared_no_further(
    text: Callable[..., StepText], judge: Judge
) -> None:
    texts = [text('def order = "1"'), text('def order = "2"'), text("an order is paid"), text("the order is paid")]
    everything = detect(texts, StrategyOptions(), judge=judge)
    assert [len(cluster.texts) for cluster in everything.clusters] == [2, 2]
    statements = {text.identity for text in texts[2:]}
    left = detect(texts, StrategyOptions(), judge=judge, statements=statements)
    assert [cluster.canonical for cluster in left.clusters] == ['def order = "1"']
