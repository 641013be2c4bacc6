"""The strategies: the ways to say which step texts belong together, a row each.

Settings, the command line, reports and the corpus read the table; `python -m cukereuse_engine.report.schema` publishes
the names. By what a strategy measures, `detection/detect.py` finds pairs, and `calibration/calibrate.py` scores
labelled ones.
"""

from dataclasses import dataclass
from enum import Enum


class VectorUse(Enum):
    """What a measure does with an embedding model."""

    UNUSED = "unused"
    USED = "used if there is a model"
    NEEDED = "needed"


class Measure(Enum):
    EQUALITY = "", VectorUse.UNUSED
    INDEL = "Indel similarity", VectorUse.UNUSED
    COSINE = "cosine similarity", VectorUse.NEEDED
    COSINE_IN_WINDOW = "cosine similarity", VectorUse.NEEDED, True
    INTENT = "probability of the same meaning", VectorUse.USED
    """A judge gives it, so that the threshold and confidence of a finding are probabilities."""

    def __init__(self, unit: str, vectors: VectorUse, has_window: bool = False) -> None:
        self.unit = unit
        """Of a threshold, the scores and a cluster's weakest link; empty: a score is 0 or 1."""
        self.vectors = vectors
        self.has_window = has_window
        """True if `lev_min` and `lev_max` bound the Indel similarity of its pairs."""


@dataclass(frozen=True, slots=True)
class Strategy:
    name: str
    method: str
    """A phrase for the settings' reference: what it compares."""
    measure: Measure
    threshold: float
    """Two texts with this score belong together, unless the settings say otherwise: `sensitivity` does for `auto`."""
    confidence: float | None = None
    """conf(s) of the paper's equation 1, the precision of what the strategy joins; None: known by kind of cluster
    (`report/savings.py`)."""
    limit: str = ""
    """A sentence on what it does not compare; empty: it compares everything."""

    @property
    def unit(self) -> str:
        return self.measure.unit

    @property
    def vectors(self) -> VectorUse:
        return self.measure.vectors

    @property
    def is_judged(self) -> bool:
        """True if a judge gives its scores."""
        return self.measure is Measure.INTENT

    @property
    def joins(self) -> bool:
        """True if it joins different texts at all."""
        return self.measure is not Measure.EQUALITY

    @property
    def has_window(self) -> bool:
        return self.measure.has_window


_EQUAL_TEXTS = "This strategy joins only equal texts; `auto` compares their meaning."
_NEAR_TEXTS = "This strategy compares how similar texts are; `auto` also judges their meaning."

STRATEGIES: dict[str, Strategy] = {
    row.name: row
    for row in (
        Strategy("auto", "masks parameters and judges the rest", Measure.INTENT, 0.3),
        Strategy("exact", "joins only equal texts", Measure.EQUALITY, 1.0, 1.00, _EQUAL_TEXTS),
        Strategy("near-exact", "compares letters", Measure.INDEL, 0.80, 0.83, _NEAR_TEXTS),
        Strategy("semantic", "compares vectors", Measure.COSINE, 0.82, 0.83, _NEAR_TEXTS),
        Strategy(
            "hybrid",
            "compares vectors of texts with similar letters",
            Measure.COSINE_IN_WINDOW,
            0.82,
            0.57,
            _NEAR_TEXTS,
        ),
    )
}
"""Name to row. The thresholds of near-exact, semantic and hybrid are the paper's best-F1 points. It states the
confidences of exact, near-exact and hybrid, and none for semantic: .83 is the primary-rubric precision of its
calibration table (.828), on the high side, because its labels follow the same cosine; its score-free precision is not
published."""

AUTO = STRATEGIES["auto"]
"""The default."""
EXACT = STRATEGIES["exact"]


def with_vectors(*kinds: VectorUse) -> frozenset[str]:
    """The names of strategies whose use of vectors is among `kinds`."""
    return frozenset(row.name for row in STRATEGIES.values() if row.vectors in kinds)


def by_unit() -> dict[str, tuple[str, ...]]:
    """Unit to the strategies that count in it, in the order of the table."""
    units = dict.fromkeys(row.unit for row in STRATEGIES.values() if row.unit)
    return {unit: tuple(row.name for row in STRATEGIES.values() if row.unit == unit) for unit in units}
