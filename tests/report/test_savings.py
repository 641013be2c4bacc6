import pytest

from cukereuse_engine.detection.options import Cluster
from cukereuse_engine.judging.judge import Kind
from cukereuse_engine.report.savings import cluster_savings
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template


def cluster(strategy: str, kind: Kind, **occurrences: int) -> Cluster:
    texts = tuple(StepText(text, identity(text), template(text), count) for text, count in occurrences.items())
    return Cluster("0" * 12, strategy, kind, texts[0].text, texts, 1.0, ())


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
def test_equation_1(strategy: str, kind: Kind, expected: float) -> None:
    assert cluster_savings(cluster(strategy, kind, a=6, b=4)) == pytest.approx(expected)
