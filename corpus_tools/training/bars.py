"""Thresholds of `p_one_intent`: the probability from which a severity's promise holds."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.calibration.intents import ReadSuite
from cukereuse_engine.calibration.reported import as_feature
from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.objections import Effect, Pair, objections
from cukereuse_engine.detection.options import Detection, StrategyOptions
from cukereuse_engine.detection.units import by_template, units_of
from cukereuse_engine.gherkin.discovery import discover
from cukereuse_engine.gherkin.read import read_files, read_text
from cukereuse_engine.scanning.suite import Suite
from cukereuse_engine.text.template import template

SHARES = (0.98, 0.95, 0.9, 0.8, 0.65, 0.5, 0.3)
"""The shares of right findings that severities promise, at any sensitivity."""


def bars_of(probability: NDArray[np.float64], right: NDArray[np.bool_]) -> dict[float, float]:
    """Promise to the probability from which on it holds on suites that the judge never saw, each pair counting once, as
    a promise is about what is reported; 2 where it never does."""
    order = np.argsort(-probability, kind="stable")
    precision = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    last = np.append(np.diff(probability[order]) < 0, True)  # all of one probability, or none
    bars = {}
    for promise in SHARES:
        precise = np.flatnonzero((precision >= promise) & last)
        bars[promise] = round(float(probability[order][precise[-1]]), 4) if len(precise) else 2.0
    return bars


class Sayable(NamedTuple):
    """(n,) each: what a scan may say of pairs of wordings, however likely they are one intent."""

    at_all: NDArray[np.bool_]
    """No objection keeps the two apart."""
    loudly: NDArray[np.bool_]
    """Nothing is objected: the pair may be more than a hint."""


def sayable(suite: ReadSuite, pairs: NDArray[np.int64], suites: Path | None = None) -> Sayable:
    """What a scan may report of pairs of a suite's wordings, `(n, 2)` ids; by its own feature files if `suites` has a
    folder of its name, otherwise by its readers' data: no tables, no scenarios."""
    own = None if suites is None or not (suites / suite.name).is_dir() else suites / suite.name
    files = [read_text("wordings.feature", as_feature(suite))] if own is None else read_files(discover([own]))
    written = Suite.of(suite.name, files)
    context = Context(Detection(StrategyOptions(), written.texts), written.steps)
    units = units_of(by_template(written.texts).values(), context)
    unit_of = {texts[0].template.key: unit for unit in units for texts in unit.templates}
    of_wording = {number: unit_of.get(template(wording.text).key) for number, wording in suite.wordings.items()}

    def objected(first: int, second: int) -> tuple[bool, bool]:
        left, right = of_wording[first], of_wording[second]
        if left is None or right is None or left is right:
            return False, False
        held = objections(Pair(left, right))
        return not any(objection.effect is Effect.APART for objection in held), not held

    both = np.array([objected(first, second) for first, second in pairs.tolist()], np.bool_).reshape(-1, 2)
    return Sayable(both[:, 0], both[:, 1])
