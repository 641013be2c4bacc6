"""The strategies: the ways to say which step texts belong together, a row each.

Settings, the command line, reports and the corpus read the table; what a row does is `detection/strategies.py`, and how
its scores are measured is `calibration/calibrate.py`; `python -m cukereuse_engine.report.schema` publishes the names.
Tests compare all of these.
"""

from dataclasses import dataclass
from enum import Enum


class VectorUse(Enum):
    """What a strategy does with an embedding model."""

    UNUSED = "unused"
    USED = "used if there is a model"
    NEEDED = "needed"


@dataclass(frozen=True, slots=True)
class Strategy:
    name: str
    threshold: float
    """Two texts with this score belong together, unless the settings say otherwise: `sensitivity` does for `auto`."""
    unit: str
    """Unit of the threshold, the scores and a cluster's weakest link; empty: a score is 0 or 1."""
    vectors: VectorUse
    confidence: float | None
    """conf(s) of the paper's equation 1, the precision of what the strategy joins; None: known by kind of cluster
    (`report/savings.py`)."""
    limit: str
    """A sentence on what it does not compare; empty: it compares everything."""
    is_judged: bool = False
    """Whether a judge gives probabilities, so that the threshold and confidence of a finding are such."""
    joins: bool = True
    """Whether it joins different texts at all."""
    has_window: bool = False
    """Whether `lev_min` and `lev_max` bound the Indel similarity of its pairs."""


_NEAR_TEXTS = "This strategy compares how similar texts are; `auto` also judges their meaning."

STRATEGIES: dict[str, Strategy] = {
    row.name: row
    for row in (
        Strategy("auto", 0.3, "probability of one intent", VectorUse.USED, None, "", is_judged=True),
        Strategy(
            "exact",
            1.0,
            "",
            VectorUse.UNUSED,
            1.00,
            "This strategy joins only equal texts; `auto` compares their meaning.",
            joins=False,
        ),
        Strategy("near-exact", 0.80, "Indel similarity", VectorUse.UNUSED, 0.83, _NEAR_TEXTS),
        Strategy("semantic", 0.82, "cosine similarity", VectorUse.NEEDED, 0.83, _NEAR_TEXTS),
        Strategy("hybrid", 0.82, "cosine similarity", VectorUse.NEEDED, 0.57, _NEAR_TEXTS, has_window=True),
    )
}
"""Name to row. The thresholds of the last three are the paper's best-F1 points. It states the confidences of exact,
near-exact and hybrid, and none for semantic: .83 is the primary-rubric precision of its calibration table (.828), on
the high side, because its labels follow the same cosine; its score-free precision is not published."""

AUTO = STRATEGIES["auto"]
"""The product's own, and the default; the others are the paper's four."""
EXACT = STRATEGIES["exact"]


def with_vectors(*kinds: VectorUse) -> frozenset[str]:
    """Names of the strategies of which the table says one of `kinds`."""
    return frozenset(row.name for row in STRATEGIES.values() if row.vectors in kinds)


def by_unit() -> dict[str, tuple[str, ...]]:
    """Unit to the strategies that count in it, in the order of the table."""
    units = dict.fromkeys(row.unit for row in STRATEGIES.values() if row.unit)
    return {unit: tuple(row.name for row in STRATEGIES.values() if row.unit == unit) for unit in units}
