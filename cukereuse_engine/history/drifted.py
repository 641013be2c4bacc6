"""The drift in and between repositories."""

from collections.abc import Mapping

from cukereuse_engine.history.copies import copied, pair, places
from cukereuse_engine.history.drift import Drift, DriftSides, SurveyedSuites, order, together
from cukereuse_engine.history.lineages import Past
from cukereuse_engine.history.losses import lost
from cukereuse_engine.history.others import others


def drifted(pasts: Mapping[str, Past], suites: SurveyedSuites) -> list[Drift]:
    """The drift in repositories, by name; most worth looking at first."""
    drifts: list[Drift] = []
    for name, past in pasts.items():
        side = DriftSides(name, suites)
        drifts += [*lost(past, side), *copied(past, side), *others(past, side)]
    drifts += places(pasts, suites, {pair(drift) for drift in drifts})
    return sorted(together(drifts), key=order)
