"""The second paper's labelled windows: how well rules and a model predict which are worth extracting.

A window counts as worth it if the labellers say "yes"; ties are left out. Folds are grouped by repository, so that no
model is tested on a repository from which it learnt.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.errors import CukereuseError

LABELS = "labels.jsonl"
FOLDS = 5
MECHANISM = {"RQ1": "background", "RQ2": "reusable_scenario", "RQ3": "shared_higher_level_step"}

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Score:
    name: str
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class WorthinessEvaluation:
    windows: int
    worthy: int
    repositories: int
    scores: tuple[Score, ...]
    mechanism_by_scope: float
    """The share of the worthy windows whose mechanism follows from the scope."""
    kappa: dict[str, float]
    """Fleiss' kappa of the windows that all three label: of worthiness (four answers) and mechanism."""


def _none(_: Row) -> bool:
    return True


RULES: Mapping[str, Callable[[Row], bool]] = {
    "all yes": _none,
    "outlier share below .3 (the paper's rule)": lambda row: row["outlier_fraction"] < 0.3,
    "outlier share at most .5": lambda row: row["outlier_fraction"] <= 0.5,
    "outlier share at most .5, and not three steps or fewer twice": lambda row: (
        row["outlier_fraction"] <= 0.5 and not (row["L"] <= 3 and row["support_total"] == 2)
    ),
}


def read_labels(folder: Path) -> list[Row]:
    """The labelled windows. Raises `CukereuseError` if there are none."""
    path = folder / LABELS
    try:
        return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise CukereuseError(f"{path} can't be read: {error}", "It needs one labelled window per line.") from None


def evaluate(labels: Sequence[Row]) -> WorthinessEvaluation:
    """Evaluate every rule, and the model out of fold. Raises `CukereuseError` for fewer repositories than folds."""
    decided = [row for row in labels if row["label_extraction_worthy"] != "tie"]
    truth = np.array([row["label_extraction_worthy"] == "yes" for row in decided])
    groups = [row["example_repo"] for row in decided]
    if len(set(groups)) < FOLDS:
        raise CukereuseError(f"{FOLDS} folds need windows of {FOLDS} repositories")
    scores = [_score(name, np.array([rule(row) for row in decided]), truth) for name, rule in RULES.items()]
    scores.append(_score(f"gradient boosting, {FOLDS} folds by repository", out_of_fold(decided, truth, groups), truth))
    worthy = [
        row for row, yes in zip(decided, truth, strict=True) if yes and row["label_mechanism"] in MECHANISM.values()
    ]
    right = sum(MECHANISM[row["scope"]] == row["label_mechanism"] for row in worthy)
    kappa = {name: _kappa(labels, name) for name in ("extraction_worthy", "mechanism")}
    share = right / len(worthy) if worthy else 0.0
    return WorthinessEvaluation(len(decided), int(truth.sum()), len(set(groups)), tuple(scores), share, kappa)


def out_of_fold(rows: Sequence[Row], truth: NDArray[np.bool_], groups: Sequence[str]) -> NDArray[np.bool_]:
    """The prediction for each window by a model that learnt only from other repositories."""
    from sklearn.ensemble import GradientBoostingClassifier
    from sklearn.model_selection import GroupKFold, cross_val_predict

    model = GradientBoostingClassifier(n_estimators=60, max_depth=2, random_state=0)
    features = np.array([_features(row) for row in rows], float)
    predicted: NDArray[np.bool_] = cross_val_predict(model, features, truth, groups=groups, cv=GroupKFold(FOLDS))
    return predicted.astype(bool)


def _features(row: Row) -> list[float]:
    texts = row["canonical_text_seq"]
    return [
        row["L"],
        math.log(row["support_total"]),
        row["outlier_fraction"],
        row["outlier_fraction"] <= 0.5,
        row["L"] <= 3 and row["support_total"] == 2,
        math.log1p(row["n_distinct_repos"]),
        math.log1p(row["n_distinct_files"]),
        math.log1p(row["max_within_file_recurrence"]),
        math.log1p(row["max_within_repo_files"]),
        row["scope"] == "RQ1",
        row["scope"] == "RQ2",
        sum(len(text.split()) for text in texts) / len(texts),
        len(set(texts)) / len(texts),
    ]


def _score(name: str, predicted: NDArray[np.bool_], truth: NDArray[np.bool_]) -> Score:
    right = int((predicted & truth).sum())
    precision = right / int(predicted.sum()) if predicted.any() else 0.0
    recall = right / int(truth.sum()) if truth.any() else 0.0
    both = precision + recall
    return Score(name, precision, recall, 2 * precision * recall / both if both else 0.0)


def _kappa(labels: Sequence[Row], question: str) -> float:
    """Fleiss 1971, over the windows that most people label."""
    most = max((len(row["labels_per_author"]) for row in labels), default=0)
    answers = [
        [label[question] for label in row["labels_per_author"].values()]
        for row in labels
        if len(row["labels_per_author"]) == most > 1
    ]
    if not answers:
        return math.nan
    names = sorted({name for row in answers for name in row})
    counts = np.array([[row.count(name) for name in names] for row in answers], float)
    agreed = ((counts**2).sum(axis=1) - most) / (most * (most - 1))
    chance = ((counts.sum(axis=0) / counts.sum()) ** 2).sum()
    return float((agreed.mean() - chance) / (1 - chance)) if chance < 1 else 1.0
