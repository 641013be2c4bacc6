"""The second paper: the figures that its release reports, with those of its labelled windows and of a corpus."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from corpus_tools.pages.paper_rows import PaperTable, Row, compared
from corpus_tools.stages.papers.first import of_corpus, read_figures
from corpus_tools.stages.slices.pool import WorthinessEvaluation, evaluate, read_labels
from cukereuse_engine.errors import CukereuseError

_MODEL = "another model: gradient boosting here, XGBoost there, on other folds"
_SCOPES = {
    "RQ1": ("rq1_within_file_candidates", "file"),
    "RQ2": ("rq2_within_repo_candidates", "repository"),
    "RQ3": ("rq3_cross_repo_candidates", "owners"),
}
"""The scope of each question: the paper's name for its patterns, and ours."""
_SHARES = {"median": 0.5, "p75": 0.75, "p90": 0.9, "p99": 0.99, "max": 1.0}


def second_paper(release: Path, corpus: Path | None = None) -> list[PaperTable]:
    """The tables of the second paper. Raises `CukereuseError` if `release` lacks the labels or a file of figures."""
    windows = read_labels(release)
    labels = evaluate(windows)
    return [
        _labels(release, labels, len(windows)),
        _rules(release, labels),
        _model(release, labels),
        _mechanism(release, labels),
        _windows(release, corpus),
        _patterns(release, corpus),
        _lengths(release, corpus),
        _headline(release, corpus),
    ]


def _read(release: Path, name: str) -> dict[str, Any]:
    path = release / f"{name}.json"
    try:
        document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CukereuseError(
            f"{path} can't be read: {error}", "The file belongs to the second paper's release."
        ) from None
    return document


def _labels(release: Path, ours: WorthinessEvaluation, windows: int) -> PaperTable:
    paper = _read(release, "labels_summary")
    rows = (
        compared("Fleiss' kappa, worth extracting", _printed(paper["fleiss_kappa_extraction_worthy_4cat"]),
                 ours.kappa["extraction_worthy"]),
        compared("Fleiss' kappa, mechanism", _printed(paper["fleiss_kappa_mechanism_5cat"]), ours.kappa["mechanism"]),
        compared("windows labelled", _printed(paper["n_total"]), float(windows)),
    )  # fmt: skip
    return PaperTable("Labelled windows: agreement", rows)


def _rules(release: Path, ours: WorthinessEvaluation) -> PaperTable:
    paper = _read(release, "rule_baseline_metrics")["rule_baselines"]
    rows: list[Row] = []
    for name, key, score in (
        ("outlier share below .3", "R1_outlier_fraction_lt_0.3", ours.scores[1]),
        ("all yes", "trivial_predict_all_yes", ours.scores[0]),
    ):
        rows += [
            compared(f"{name}: {measure}", _printed(paper[key][measure]), getattr(score, measure))
            for measure in ("precision", "recall", "f1")
        ]
    return PaperTable("Which windows are worth extracting: rules", tuple(rows))


def _model(release: Path, ours: WorthinessEvaluation) -> PaperTable:
    paper = _read(release, "rule_baseline_metrics")["xgboost_oof"]
    rows = (
        compared(
            f"model, out of fold: {measure}", _printed(paper[measure]), getattr(ours.scores[-1], measure), why=_MODEL
        )
        for measure in ("precision", "recall", "f1")
    )
    return PaperTable("Which windows are worth extracting: a model", tuple(rows))


def _mechanism(release: Path, ours: WorthinessEvaluation) -> PaperTable:
    paper = _read(release, "mechanism_classifier_metrics")
    rule = paper["rule_based_baseline"]["accuracy"]
    rows = (
        compared("worthy windows", _printed(paper["n_train_yes_only"]), float(ours.worthy)),
        compared("predicted from the scope alone: accuracy", _printed(rule), ours.mechanism_by_scope),
        compared("model: accuracy", _printed(paper["xgb_classifier"]["oof_accuracy"]), None,
                 why="the scope alone predicts it better, so we have no model"),
    )  # fmt: skip
    return PaperTable("How windows would be extracted", rows)


def _windows(release: Path, corpus: Path | None) -> PaperTable:
    paper: Mapping[str, int] = _read(release, "slices_summary")["slices_per_L"]
    ours = read_figures(corpus, "windows", "length", "windows")
    rows = (
        of_corpus(f"windows of {length} steps", _printed(count), ours.get(length), corpus)
        for length, count in paper.items()
    )
    return PaperTable("Windows by length", tuple(rows))


def _patterns(release: Path, corpus: Path | None) -> PaperTable:
    paper = _read(release, "exact_subsequence_summary")
    ours = read_figures(corpus, "patterns", "scope", "patterns")
    rows = (
        of_corpus(f"patterns, {question}", _printed(paper[name]), ours.get(scope), corpus)
        for question, (name, scope) in _SCOPES.items()
    )
    return PaperTable("Patterns that recur, by scope", tuple(rows))


def _lengths(release: Path, corpus: Path | None) -> PaperTable:
    paper = _read(release, "scenario_length_distribution")
    overview = read_figures(corpus, "overview", "figure", "value")
    names = {"n_scenarios": "scenarios", "n_steps": "steps", "n_repos": "repositories"}
    rows = [of_corpus(shown, _printed(paper[name]), overview.get(shown), corpus) for name, shown in names.items()]
    ours = _spread(
        {int(steps): int(n) for steps, n in read_figures(corpus, "scenario_lengths", "steps", "scenarios").items()}
    )
    rows += [
        of_corpus(f"steps of a scenario, {name}", _printed(paper[name]), ours.get(name), corpus)
        for name in ("median", "mean", "p75", "p90", "p99", "max")
    ]
    return PaperTable("Lengths of scenarios", tuple(rows))


def _spread(scenarios: Mapping[int, int]) -> dict[str, float]:
    """The mean of the steps of a scenario, and the least number that a share of scenarios does not exceed; empty for
    no scenarios. `scenarios`: how many have a number of steps."""
    if not scenarios:
        return {}
    steps = np.array(sorted(scenarios))
    counts = np.array([scenarios[number] for number in steps.tolist()])
    upto = np.cumsum(counts)
    spread = {name: float(steps[np.searchsorted(upto, share * upto[-1])]) for name, share in _SHARES.items()}
    return {"mean": float(np.average(steps, weights=counts)), **spread}


def _headline(release: Path, corpus: Path | None) -> PaperTable:
    paper = _read(release, "post_classifier_headline")
    scenarios = paper["scenario_level_extraction_worthy"]
    ours = read_figures(corpus, "patterns", "scope", "worthy_scenario_share")
    why = "needs their model's answer for every pattern, which the release does not contain"
    if ours:
        why += "; ours is of another corpus, by a rule about length, support and outliers"
    rows = (
        compared(
            f"scenarios with a worthy window, {question}, %",
            _printed(scenarios[f"pct_with_{question.lower()}_ew"]),
            100 * ours[scope] if scope in ours else None,
            same_corpus=False,
            why=why,
        )
        for question, (_, scope) in _SCOPES.items()
    )
    return PaperTable("Scenarios that contain a window worth extracting", tuple(rows))


def _printed(value: float) -> str:
    """A figure as a paper prints it: at most four decimals."""
    return str(value) if isinstance(value, int) else f"{value:.4f}".rstrip("0").rstrip(".")
