"""A strategy is one row, and everything about strategies covers all of them."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from cukereuse_engine.calibration.calibrate import SCORES, calibrate
from cukereuse_engine.cli.scan import command as scan
from cukereuse_engine.detection.detect import detect
from cukereuse_engine.detection.options import StrategyOptions
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.report import json_report
from cukereuse_engine.report.schema import updated
from cukereuse_engine.settings.table import SETTINGS
from cukereuse_engine.strategies.table import AUTO, STRATEGIES, Measure, VectorUse, by_unit, with_vectors


def test_the_published_schema_is_up_to_date() -> None:
    text = files("cukereuse_engine.report.schema").joinpath("cukereuse-report-2.schema.json").read_text("utf-8")
    assert updated(text) == text, "run `python -m cukereuse_engine.report.schema`"


def test_each_strategy_is_searched_measured_and_published() -> None:
    published = json_report.schema()["properties"]["strategy"]["enum"]
    assert published == list(STRATEGIES) == list(SETTINGS["strategy"].allowed)
    assert set(SCORES) == set(Measure)
    assert SETTINGS["strategy"].default == AUTO.name


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_row_is_whole(name: str) -> None:
    row = STRATEGIES[name]
    assert 0 < row.threshold <= 1
    assert row.joins == bool(row.unit)
    assert not row.joins or name in by_unit()[row.unit]
    assert row.is_judged == (row.confidence is None) == (row.limit == "")
    assert row.unit in SETTINGS["threshold"].help
    assert StrategyOptions(name).effective_threshold == row.threshold


@pytest.mark.parametrize("name", sorted(with_vectors(VectorUse.NEEDED)))
def test_what_needs_a_model_says_what_does_not(name: str) -> None:
    with pytest.raises(CukereuseError) as refusal:
        detect([], StrategyOptions(name))
    assert all(other in refusal.value.sentences for other in STRATEGIES if other not in with_vectors(VectorUse.NEEDED))


def test_without_a_model_all_others_are_measured(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(
        '{"text_a": "I log in", "text_b": "I sign in", "label": 1}\n'
        '{"text_a": "I log in", "text_b": "I log out", "label": 0}\n' * 5
    )
    measured = {report.name: report for report in calibrate(pairs).strategies}
    assert set(measured) == with_vectors(VectorUse.UNUSED, VectorUse.USED)
    assert all(np.isfinite(report.best.f1) for report in measured.values())


def test_unknown_names_are_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown strategy 'nearly'"):
        StrategyOptions("nearly")
    output = CliRunner().invoke(scan, [str(tmp_path), "--strategy", "nearly"]).output
    assert all(repr(name) in output for name in STRATEGIES)
