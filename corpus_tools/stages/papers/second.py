"""The second paper: the figures that its release reports, with those of its labelled windows and of a corpus."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corpus_tools.pages.paper_rows import MISSING, PaperTable, Row, compared
from corpus_tools.stages.papers.first import read_figures
from corpus_tools.stages.slices.pool import WorthinessEvaluation, evaluate, read_labels
from cukereuse_engine.errors import CukereuseError

_WINDOWS = (
    "needs every step of the corpus, which the release does not contain; name an analysed corpus to see its figures"
)
_MODEL = "another model: gradient boosting here, XGBoost there, on other folds"
_SCOPES = {"RQ1": "rq1_within_file_candidates", "RQ2": "rq2_within_repo_candidates", "RQ3": "rq3_cross_repo_candidates"}


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
        _headline(release),
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
        compared(f"windows of {length} steps", _printed(count), ours.get(length), same_corpus=False, why=_WINDOWS)
        for length, count in paper.items()
    )
    return PaperTable("Windows by length", tuple(rows))


def _patterns(release: Path, corpus: Path | None) -> PaperTable:
    paper = _read(release, "exact_subsequence_summary")
    ours = read_figures(corpus, "patterns", "scope", "patterns")
    rows = (
        compared(f"patterns, {scope}", _printed(paper[name]), ours.get(scope.lower()), same_corpus=False, why=_WINDOWS)
        for scope, name in _SCOPES.items()
    )
    return PaperTable("Patterns that recur, by scope", tuple(rows))


def _lengths(release: Path, corpus: Path | None) -> PaperTable:
    paper = _read(release, "scenario_length_distribution")
    overview = read_figures(corpus, "overview", "figure", "value")
    names = {"n_scenarios": "scenarios", "n_steps": "steps", "n_repos": "repositories"}
    rows = [
        compared(shown, _printed(paper[name]), overview.get(shown), same_corpus=False, why=_WINDOWS)
        for name, shown in names.items()
    ]
    rows += [
        Row(f"steps of a scenario, {name}", _printed(paper[name]), "", MISSING, _WINDOWS)
        for name in ("median", "mean", "p75", "p90", "p99", "max")
    ]
    return PaperTable("Lengths of scenarios", tuple(rows))


def _headline(release: Path) -> PaperTable:
    paper = _read(release, "post_classifier_headline")
    scenarios = paper["scenario_level_extraction_worthy"]
    why = "needs their model's answer for every pattern, which the release does not contain"
    rows = (
        Row(
            f"scenarios with a worthy window, {scope}, %",
            _printed(scenarios[f"pct_with_{scope.lower()}_ew"]),
            "",
            MISSING,
            why,
        )
        for scope in _SCOPES
    )
    return PaperTable("Scenarios that contain a window worth extracting", tuple(rows))


def _printed(value: float) -> str:
    """A figure as a paper prints it: at most four decimals."""
    return str(value) if isinstance(value, int) else f"{value:.4f}".rstrip("0").rstrip(".")
