from collections.abc import Callable, Sequence

import pytest

from cukereuse_engine.detection.model import Cluster
from cukereuse_engine.detection.savings import aggregate_savings, cluster_savings, file_savings, suite_savings
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.judging.model import Kind
from cukereuse_engine.text.step_text import StepText

MakeText = Callable[..., StepText]


def cluster(strategy: str, kind: Kind, texts: Sequence[StepText]) -> Cluster:
    return Cluster("0" * 12, strategy, kind, texts[0].text, tuple(texts), 1.0, ())


@pytest.mark.parametrize(
    ("strategy", "kind", "expected"),
    [
        ("exact", Kind.EXACT, 9.0),
        ("hybrid", Kind.EXACT, 9.0),  # one text alone is certain, whatever the strategy
        ("near-exact", Kind.REWORDED, 7.47),
        ("near-exact", Kind.PARAMETRIC, 7.47),
        ("semantic", Kind.PARAPHRASE, 7.47),
        ("hybrid", Kind.REWORDED, 5.13),
        ("auto", Kind.PARAMETRIC, 8.82),
        ("auto", Kind.REWORDED, 7.47),
        ("auto", Kind.PARAPHRASE, 5.13),
    ],
)
def test_equation_1(strategy: str, kind: Kind, expected: float, text: MakeText) -> None:
    assert cluster_savings(cluster(strategy, kind, [text("a", 6), text("b", 4)])) == pytest.approx(expected)


def test_suite_and_aggregate(text: MakeText) -> None:
    clusters = [
        cluster("hybrid", Kind.REWORDED, [text("a", 6), text("b", 4)]),
        cluster("hybrid", Kind.EXACT, [text("c", 3)]),
    ]
    assert suite_savings(clusters) == pytest.approx(9 * 0.57 + 2)
    assert aggregate_savings(clusters) == pytest.approx((5 + 3) + 1 * 0.57 + 2)


def test_files_share_a_cluster_by_their_steps(text: MakeText, step: Callable[..., Step]) -> None:
    texts = [text("a", 3), text("b", 1)]
    steps = {
        texts[0].identity: [step("a", 1, "one.feature"), step("a", 2, "one.feature"), step("a", 1, "two.feature")],
        texts[1].identity: [step("b", 3, "two.feature")],
    }
    clusters = [cluster("near-exact", Kind.REWORDED, texts)]
    saved = file_savings(clusters, steps)
    assert saved == pytest.approx({"one.feature": 3 * 0.83 / 2, "two.feature": 3 * 0.83 / 2})
    assert sum(saved.values()) == pytest.approx(suite_savings(clusters))
