"""Scores, labels, intervals and folds of the evaluation, and the paper's figures if their data is available."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.stages.evaluate import baselines, score_free, statistics
from corpus_tools.stages.evaluate.benchmark import band
from corpus_tools.stages.evaluate.figures import compare, evaluate
from corpus_tools.stages.evaluate.tables import as_markdown, document
from corpus_tools.stages.parse import parse
from cukereuse_engine.calibration import metrics
from cukereuse_engine.cli.main import run
from cukereuse_engine.errors import CukereuseError

WORDS = st.lists(st.sampled_from(["open", "the", "door", "param", "a"]), max_size=6)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('I add "green tea" to cart 12', ["i", "add", "param", "to", "cart", "param"]),
        ("it's <role>, isn't it", ["it", "param", "t", "it"]),
        ("", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert baselines.words(text) == words


@pytest.mark.parametrize(
    ("name", "a", "b", "expected"),
    [
        ("jaccard", "a b b", "a b c", 2 / 3),
        ("token_bag", "a b b", "a b c", 2 / 3),
        ("token_bag", "b b", "b b", 1.0),
        ("common_subsequence", "a b c d", "a x c d", 3 / 4),
        ("token_run", "a b c d", "a x c d", 2 / 4),
        ("token_run", "x a b", "a b x", 2 / 3),
        ("characteristic_vectors", "a b", "a b", 1.0),
        ("characteristic_vectors", "a b", "c d", 0.0),
        ("characteristic_vectors", "a b", "a c", 1 - 4 / 6),
    ],
)
def test_baseline(name: str, a: str, b: str, expected: float) -> None:
    assert getattr(baselines, name)(a.split(), b.split()) == pytest.approx(expected)


@given(WORDS, WORDS)
def test_baselines_are_symmetric_and_bounded(a: list[str], b: list[str]) -> None:
    for score in baselines._OF_WORDS.values():
        assert 0 <= score(a, b) <= 1
        assert score(a, b) == pytest.approx(score(b, a))
        assert not a or score(a, a) == pytest.approx(1)


def test_compression_ranks_likeness() -> None:
    scores = baselines.baseline_scores(["I open the old door"] * 2, ["I open the new door", "a fox sleeps in mud"])
    for name in ("NCD zlib (Irshad)", "NCD lzma (Irshad)", "TF-IDF char n-gram"):
        assert 1 >= scores[name][0] > scores[name][1] >= 0, name


@pytest.mark.parametrize(
    ("a", "b", "same", "rule"),
    [
        ("call helper", "callonce helper", False, "R4"),
        ("def x = 1", "set x = 1", False, "R4"),
        ('I send "GET"', 'I send "PUT"', False, "R5"),
        ("the door is open", "the door is not open", False, "R6"),
        ("file x should exist", "the content of file x", False, "R7"),
        ("i open the door", "the door", False, "R8"),
        ('I add "tea"', "I add 'milk'", True, "P1"),
        ("fetch the file", "retrieve a file", True, "P1"),
        ("green door opens", "opens green door", True, "P2"),
        ("red green blue door", "red green blue door opens", True, "P3"),
        ("a b c d e f", "f x d c b a e g", False, "R10"),
        ("red green blue black door", "door black red white green blue", True, "P4"),
        ("red door", "blue window", False, "R10"),
    ],
)
def test_score_free_rule(a: str, b: str, same: bool, rule: str) -> None:
    assert score_free.label(a, b) == (same, rule)
    assert score_free.label(b, a) == (same, rule)


def test_kappas_of_published_examples() -> None:
    # Cohen 1960 in two categories: 20 of 50 both yes, 15 both no, 5 and 10 split.
    one = np.array([1] * 25 + [0] * 25, bool)
    other = np.array([1] * 20 + [0] * 5 + [1] * 10 + [0] * 15, bool)
    assert statistics.cohen_kappa(one, other).kappa == pytest.approx(0.4)
    # Fleiss 1971: three raters, hand-computed.
    ratings = np.array([[1, 1, 1], [0, 0, 0], [1, 1, 0], [0, 0, 1]])
    assert statistics.fleiss_kappa(ratings).kappa == pytest.approx((2 / 3 - 0.5) / 0.5)
    assert statistics.unanimous(ratings) == 2


def test_bootstrap_holds_the_point_and_repeats() -> None:
    rng = np.random.default_rng(1)
    scores = rng.random(200)
    same = scores + rng.normal(0, 0.2, 200) > 0.5
    first, again = (statistics.bootstrap(scores, same, 0.5, np.random.default_rng(42)) for _ in range(2))
    point = metrics.at(scores, same, 0.5)
    assert first == again
    assert first["f1"].low < point.f1 < first["f1"].high
    assert first["precision"].high - first["precision"].low < 0.25


def test_folds() -> None:
    same = np.array([True] * 11 + [False] * 9)
    folds = statistics.published_folds(same)
    assert np.bincount(folds[same]).tolist() == [3, 2, 2, 2, 2]
    assert np.bincount(folds[~same]).tolist() == [2, 2, 2, 2, 1]


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=30))
def test_components_keep_a_text_together(pairs: list[tuple[int, int]]) -> None:
    a, b = [str(x) for x, _ in pairs], [str(y) for _, y in pairs]
    names = statistics.text_components(a, b)
    by_text: dict[str, set[str]] = {}
    for one, other, name in zip(a, b, names, strict=True):
        by_text.setdefault(one, set()).add(name)
        by_text.setdefault(other, set()).add(name)
    assert all(len(labels) == 1 for labels in by_text.values())


def test_published_sweep_prefers_a_later_threshold_within_rounding() -> None:
    scores = np.array([0.5, 0.6, 0.7])
    same = np.array([True, True, True])
    assert statistics.sweep_as_published(scores, same, (0.3, 0.4)) == 0.3
    # F1 of 2/3 is .6667 when rounded, so that an equal later one does not exceed it; 0.8889 does.
    assert statistics.sweep_as_published(scores, np.array([False, False, True]), (0.5, 0.65)) == 0.65


@pytest.mark.parametrize(
    ("cosine", "name"), [(0.5, "[0.50,0.70)"), (0.7, "[0.70,0.80)"), (0.999, "[0.95,1.00)"), (0.2, "")]
)
def test_band(cosine: float, name: str) -> None:
    assert band(cosine) == name


def test_evaluation_of_own_pairs(pairs_file: Path) -> None:
    evaluation = evaluate(pairs_file)
    semantic = evaluation.figures["semantic"]
    assert semantic["threshold"] == 0.87
    assert semantic["F1"] == 1.0
    assert semantic["F1 low"] == semantic["F1 high"] == 1.0
    assert evaluation.figures["calibration"]["positives, primary"] == 8
    assert "the cosines recorded in the file were used" in as_markdown(evaluation)
    assert json.loads(json.dumps(document(evaluation)))["figures"]["semantic"]["F1"] == 1.0
    assert {row.difference for row in compare(evaluation.figures) if row.subject == "corpus"} == {"-"}


def test_missing_pairs_are_told(tmp_path: Path) -> None:
    with pytest.raises(CukereuseError, match="no such file"):
        evaluate(tmp_path)


@pytest.mark.shared
def test_every_figure_of_the_paper_but_one(shared: Path) -> None:
    """With the recorded cosines. The exception is a count of repositories that the release contradicts."""
    rows = compare(evaluate(shared / "reference").figures)
    assert len(rows) == 93
    assert [(row.figure, row.ours) for row in rows if row.difference != "0"] == [("repositories with 100 stars", "114")]


@pytest.mark.parametrize(
    "command", [["evaluate"], ["analyse", "--strategy", "semantic"], ["analyse", "--strategy", "auto"], ["dashboard"]]
)
def test_another_model_may_be_named(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    """The commands name the extra that they need; a model that is asked for is not replaced by none."""
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    parse(corpus)
    name, *options = command
    assert run(["corpus", name, str(corpus), *options, "--model", "some/other", "--offline"]) == 2
    assert "the model some/other needs sentence-transformers" in capsys.readouterr().err
