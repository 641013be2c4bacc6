"""How many step lines could be saved: the paper's consolidation-savings model.

Counts lines, never hours or money, because no publication relates them.
"""

from cukereuse_engine.detection.options import Cluster
from cukereuse_engine.judging.judge import Kind
from cukereuse_engine.strategies.table import STRATEGIES

CONFIDENCE_OF_KIND: dict[Kind, float] = {
    Kind.EXACT: 1.00,
    Kind.PARAMETRIC: 0.98,
    Kind.REWORDED: 0.83,
    Kind.PARAPHRASE: 0.57,
    Kind.DISTINCT: 0.0,
}
"""The confidence of a kind of cluster whose strategy has none. Template equality agrees with maintainers' step
definitions at a precision of .98 to .996; the lower end is used. The other two are the paper's figures for the
strategies that find such clusters (near-exact, hybrid)."""


def confidence(cluster: Cluster) -> float:
    """The confidence in equation 1: by strategy, for `auto` and for repetition of one text by kind."""
    if cluster.kind is Kind.EXACT:
        return CONFIDENCE_OF_KIND[Kind.EXACT]
    of_strategy = STRATEGIES[cluster.strategy].confidence
    return CONFIDENCE_OF_KIND[cluster.kind] if of_strategy is None else of_strategy


def cluster_savings(cluster: Cluster) -> float:
    """Paper, equation 1: `(occurrences - 1) * conf`."""
    return (cluster.occurrences - 1) * confidence(cluster)
