"""Figures of agreement: the paper's if its data is available, exact ones on pairs made by hand."""

import json
from pathlib import Path

import numpy as np
import pytest

from cukereuse_engine.calibration import metrics
from cukereuse_engine.calibration.calibrate import calibrate
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.strategies.table import STRATEGIES, VectorUse


def test_average_precision_counts_ties_once() -> None:
    same = np.array([True, False, True, False])
    assert metrics.average_precision(np.array([0.9, 0.8, 0.7, 0.1]), same) == pytest.approx((1 + 2 / 3) / 2)
    assert metrics.average_precision(np.full(4, 0.5), same) == pytest.approx(0.5)


def test_first_best_threshold_wins() -> None:
    assert metrics.best_threshold(np.array([0.9, 0.1]), np.array([True, False]), (0.5, 0.6, 0.95)) == 0.5


def test_folds_keep_groups_together_and_strata_even() -> None:
    folds = metrics.group_folds(["a", "b", "a", "c", "b", "a"], 2)
    assert folds[0] == folds[2] == folds[5]
    assert folds[1] == folds[4]
    strata = metrics.stratified_folds(np.array([True] * 5 + [False] * 10))
    assert np.bincount(strata[:5]).tolist() == [1] * 5
    assert np.bincount(strata[5:]).tolist() == [2] * 5


def _pairs_file(path: Path) -> Path:
    rows = [
        {"text_a": 'I log in as "a"', "text_b": 'I log in as "bcdefghijklmnopqrstuvw"', "label": 1},
        {"text_a": "I open the door", "text_b": "the sun shines", "label": 0},
    ] * 5
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_masking_beats_raw_similarity(tmp_path: Path) -> None:
    report = calibrate(_pairs_file(tmp_path / "pairs.jsonl")).to_json()
    assert report["pairs"] == 10
    assert set(report["strategies"]) == {
        name for name, row in STRATEGIES.items() if row.vectors is not VectorUse.NEEDED
    }
    assert report["strategies"]["auto"]["default"]["f1"] == 1
    assert report["strategies"]["auto"]["held_out"]["f1"] == 1
    assert report["strategies"]["near-exact"]["default"]["f1"] == 0


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", "", "no pairs"),
        ("a.jsonl", "{", "not JSON"),
        ("a.jsonl", "[1]", "not a JSON object"),
        ("a.jsonl", '{"text_a": "x", "text_b": "y"}', "no column label or same_def"),
        ("a.csv", "x", "neither"),
    ],
)
def test_says_what_is_wrong_with_a_file(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(CukereuseError, match=message):
        calibrate(tmp_path / name)


@pytest.mark.shared
def test_near_exact_equals_the_paper(shared: Path) -> None:
    report = calibrate(shared / "reference" / "labeled_pairs.jsonl").to_json()
    figures = report["strategies"]["near-exact"]["default"]
    assert (figures["threshold"], figures["f1"]) == (0.80, pytest.approx(0.862, abs=0.001))


@pytest.mark.shared
@pytest.mark.heavy(seconds=10)
def test_auto_agrees_with_maintainers_and_bindings_help(shared: Path) -> None:
    bindings = shared / "reference" / "bindings"
    report = calibrate(bindings / "pairs.parquet", texts_path=bindings / "texts.parquet", known=0.3, by="text", seed=1)
    auto = report.to_json()["strategies"]["auto"]
    assert auto["held_out"]["f1"] >= 0.88
    assert auto["adapted"]["f1"] > auto["default"]["f1"] + 0.02
    assert auto["adapted"]["f1_differs"] > auto["default"]["f1_differs"] + 0.1
