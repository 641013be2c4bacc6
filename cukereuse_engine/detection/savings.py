"""How many step lines could be said once: the paper's consolidation-savings model.

Counts lines, never hours or money: nothing published ties the two.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from cukereuse_engine.detection.model import Cluster
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.judging.model import Kind
from cukereuse_engine.strategies import STRATEGIES

CONFIDENCE_OF_KIND: dict[Kind, float] = {
    Kind.EXACT: 1.00,
    Kind.PARAMETRIC: 0.98,
    Kind.REWORDED: 0.83,
    Kind.PARAPHRASE: 0.57,
    Kind.DISTINCT: 0.0,
}
"""conf where the strategy has none of its own, by the kind of a cluster. Template equality agrees with maintainers'
step definitions at a precision of .98 to .996; the lower end is used. The other two are the paper's figures for the
strategies that find such clusters (near-exact, hybrid)."""


def confidence(cluster: Cluster) -> float:
    """conf(s) of equation 1: by strategy, for `auto` and for one text alone by kind."""
    if cluster.kind is Kind.EXACT:
        return CONFIDENCE_OF_KIND[Kind.EXACT]
    of_strategy = STRATEGIES[cluster.strategy].confidence
    return CONFIDENCE_OF_KIND[cluster.kind] if of_strategy is None else of_strategy


def cluster_savings(cluster: Cluster) -> float:
    """Paper, equation 1: `(occurrences - 1) * conf`."""
    return (cluster.occurrences - 1) * confidence(cluster)


def suite_savings(clusters: Iterable[Cluster]) -> float:
    """The sum of equation 1 over the clusters."""
    return sum(map(cluster_savings, clusters))


def file_savings(clusters: Iterable[Cluster], steps: Mapping[str, Sequence[Step]]) -> dict[str, float]:
    """Each file's part of `suite_savings`, by its share of each cluster's steps; `steps` by identity."""
    saved: Counter[str] = Counter()
    for cluster in clusters:
        places = Counter(step.path for text in cluster.texts for step in steps.get(text.identity, ()))
        total = sum(places.values())
        for path, count in places.items():
            saved[path] += cluster_savings(cluster) * count / total  # type: ignore[assignment]
    return dict(sorted(saved.items()))


def aggregate_savings(clusters: Iterable[Cluster]) -> float:
    """The paper's aggregate: repetition of one text at confidence 1.00, what joining texts adds at the strategy's."""
    return sum(
        sum(text.occurrences - 1 for text in cluster.texts) + (len(cluster.texts) - 1) * confidence(cluster)
        for cluster in clusters
    )
