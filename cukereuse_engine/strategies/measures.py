"""What a strategy can measure of two texts; `detection/detect.py` finds pairs by it, `calibration/calibrate.py` scores
labelled ones."""

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
