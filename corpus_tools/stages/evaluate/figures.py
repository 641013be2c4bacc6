"""Every figure of the paper's evaluation that labelled pairs and released clusters determine, compared with ours."""

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import ROUND_HALF_UP, Decimal
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from corpus_tools.stages.evaluate import score_free, statistics
from corpus_tools.stages.evaluate.baselines import BASELINE_GRID, baseline_scores
from corpus_tools.stages.evaluate.benchmark import Benchmark, band, read_benchmark, read_ratings, read_rows
from corpus_tools.stages.evaluate.statistics import SEED, HeldOut
from corpus_tools.support import arrow
from cukereuse_engine.calibration import metrics
from cukereuse_engine.calibration.calibrate import HYBRID_LEXICAL, grid_of, strategy_scores
from cukereuse_engine.calibration.metrics import Labels, Scores
from cukereuse_engine.embedding_models.embedder import Embedder
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.strategies.table import STRATEGIES

PAIRS = "labeled_pairs.jsonl"
OVERLAP = "labeled_pairs_overlap.jsonl"
IN_PAPER = ("semantic", "near-exact", "hybrid")
"""The paper's strategies, in the order in which they use one generator."""

Figures = dict[str, dict[str, float]]
"""Maps subjects and figures to unrounded values."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    figures: Figures
    model: str | None
    """The model; None: the file's recorded cosines were used, or there were none."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PaperFigure:
    subject: str
    figure: str
    paper: str
    ours: str
    """Our figure with one decimal more than the paper prints; "-" if the data do not determine it."""
    difference: str
    """0 where the paper's figure is a rounding of ours."""


def evaluate(folder: Path, *, embedder: Embedder | None = None, progress: Progress = SILENT) -> Evaluation:
    """Measure everything for which `folder` has the files: labelled pairs, and optionally the overlap subset, clusters,
    repositories and manifest. `folder` may be a file of labelled pairs. Raises `CukereuseError` without pairs."""
    pairs_path = folder if folder.is_file() else folder / PAIRS
    benchmark = read_benchmark(pairs_path)
    notes: list[str] = []
    scores = _scores(benchmark, embedder, notes, progress)
    protocol, _ = score_free.labels(benchmark.pairs.text_a, benchmark.pairs.text_b)
    figures: Figures = {"calibration": _labels(benchmark, protocol, scores.get("semantic"))}
    overlap = pairs_path.parent / OVERLAP
    if overlap.is_file():
        figures["overlap"] = _overlap(overlap)
    rng = np.random.default_rng(SEED)
    baselines = baseline_scores(benchmark.pairs.text_a, benchmark.pairs.text_b)
    order = [name for name in IN_PAPER if name in scores]
    order += [name for name in [*scores, *baselines] if name not in order]
    with progress.stage("resampling", len(order), "strategies") as stage:
        for name in order:
            score = scores.get(name, baselines.get(name))
            if score is not None:
                figures[name] = _strategy(name, score, benchmark, protocol, rng)
            stage.advance()
    if folder.is_dir():
        figures["corpus"] = _corpus(folder)
    return Evaluation({subject: value for subject, value in figures.items() if value}, _model(embedder), tuple(notes))


def compare(figures: Figures) -> list[PaperFigure]:
    """Each figure of the paper with ours, at the precision that the paper prints."""
    rows = []
    for subject, printed in published().items():
        for figure, paper in printed.items():
            ours = figures.get(subject, {}).get(figure)
            if ours is None:
                rows.append(PaperFigure(subject, figure, paper, "-", "-"))
                continue
            shown, difference = _against(ours, Decimal(paper))
            rows.append(PaperFigure(subject, figure, paper, shown, difference))
    return rows


def _against(ours: float, paper: Decimal) -> tuple[str, str]:
    """Ours, and its difference from a printed figure. The paper's figures were rounded to four decimals and then again,
    ties either way (.8955 became .895, .9225 became .923), so that half a unit of the last place is no difference."""
    unit = Decimal(1).scaleb(int(paper.as_tuple().exponent))
    places = unit if unit == 1 else min(unit / 10, Decimal("0.1"))
    shown = Decimal(repr(ours)).quantize(places, ROUND_HALF_UP)
    difference = shown - paper
    return str(shown), "0" if abs(difference) <= unit / 2 else f"{difference:+}"


def published() -> dict[str, dict[str, str]]:
    """The paper's figures, as printed."""
    text = files("corpus_tools.stages.evaluate").joinpath("paper.toml").read_text("utf-8")
    document: dict[str, dict[str, Any]] = tomllib.loads(text, parse_float=str)
    return {subject: {name: str(value) for name, value in printed.items()} for subject, printed in document.items()}


def _model(embedder: Embedder | None) -> str | None:
    return embedder.model_id if embedder is not None else None


def _scores(
    benchmark: Benchmark, embedder: Embedder | None, notes: list[str], progress: Progress
) -> Mapping[str, Scores]:
    scores = strategy_scores(benchmark.pairs, {}, embedder, progress)
    recorded = benchmark.recorded_cosine
    if embedder is None and recorded is not None:
        low, high = HYBRID_LEXICAL
        lexical = scores["near-exact"]
        scores["semantic"] = recorded
        scores["hybrid"] = np.where((lexical >= low) & (lexical <= high), recorded, -1.0)
        notes.append("No embedding model: the cosines recorded in the file were used.")
    for name, ours, theirs in (
        ("cosine", scores.get("semantic"), recorded if embedder is not None else None),
        ("Indel similarity", scores["near-exact"], benchmark.recorded_indel),
    ):
        if ours is not None and theirs is not None:
            notes.append(f"Largest difference from the recorded {name}: {np.abs(ours - theirs).max():.1e}.")
    return scores


def _labels(benchmark: Benchmark, protocol: Labels, cosine: Scores | None) -> dict[str, float]:
    same, total = benchmark.same, len(benchmark.pairs)
    kappa = statistics.cohen_kappa(same, protocol)
    recorded = benchmark.recorded_cosine if benchmark.recorded_cosine is not None else cosine
    bands = statistics.names_of_bands([band(value) for value in recorded.tolist()]) if recorded is not None else {}
    return {
        "pairs": total,
        "positives, primary": int(same.sum()),
        "negatives, primary": total - int(same.sum()),
        "positives, score-free": int(protocol.sum()),
        "negatives, score-free": total - int(protocol.sum()),
        "positive rate %, primary": 100 * float(same.mean()),
        "positive rate %, score-free": 100 * float(protocol.mean()),
        "disagreements": int(np.count_nonzero(same != protocol)),
        "disagreement %": 100 * (1 - kappa.observed),
        "disagreement by chance %": 100 * (1 - kappa.expected),
        "Cohen's kappa": kappa.kappa,
        **{f"band {name}": count for name, count in bands.items()},
    }


def _overlap(path: Path) -> dict[str, float]:
    ratings = read_ratings(path)
    agreed = statistics.unanimous(ratings)
    return {
        "pairs": len(ratings),
        "unanimous": agreed,
        "unanimous %": 100 * agreed / len(ratings),
        "Fleiss' kappa": statistics.fleiss_kappa(ratings).kappa,
    }


def _strategy(
    name: str, scores: Scores, benchmark: Benchmark, protocol: Labels, rng: np.random.Generator
) -> dict[str, float]:
    grid = _grid(name)
    same = benchmark.same
    threshold = statistics.sweep_as_published(scores, same, grid)
    best = metrics.at(scores, same, threshold)
    intervals = statistics.bootstrap(scores, same, threshold, rng)
    free = statistics.sweep_as_published(scores, protocol, grid)
    best_free = metrics.at(scores, protocol, free)
    result = {"threshold": threshold}
    for letter, key in (("P", "precision"), ("R", "recall"), ("F1", "f1")):
        result[letter] = asdict(best)[key]
        result[f"{letter} low"], result[f"{letter} high"] = intervals[key].low, intervals[key].high
    result |= {
        "threshold score-free": free,
        "P score-free": best_free.precision,
        "F1 score-free": best_free.f1,
    }
    components = statistics.text_components(benchmark.pairs.text_a, benchmark.pairs.text_b)
    folds = {
        "held-out": statistics.published_folds(same),
        "held-out, NumPy's folds,": metrics.stratified_folds(same),
        "held-out, no text in both,": metrics.group_folds(components),
    }
    for prefix, fold in folds.items():
        held_out = HeldOut.of(scores, same, fold, grid)
        result |= {
            f"{prefix} F1": held_out.mean,
            f"{prefix} deviation": held_out.deviation,
            f"{prefix} lowest": held_out.low,
            f"{prefix} highest": held_out.high,
        }
    return result


def _grid(name: str) -> tuple[float, ...]:
    if name in STRATEGIES:
        return grid_of(STRATEGIES[name])
    return BASELINE_GRID


def _corpus(folder: Path) -> dict[str, float]:
    """The figures from released clusters and lists, if they are there: counts, and the savings of equation 1."""
    figures: dict[str, float] = {}
    rates = {}
    for strategy in ("exact", "hybrid"):
        path = folder / f"clusters_{strategy}.parquet"
        if not path.is_file():
            continue
        table = arrow.read(path, dict.fromkeys(("count", "occurrence_files", "n_distinct_repos"), "int64"))
        counts = table.column("count").to_numpy()
        rates[strategy] = counts
        top = int(np.argmax(counts))
        figures |= {
            f"clusters, {strategy}": len(counts),
            f"occurrences, {strategy}": int(counts.sum()),
            f"top cluster, {strategy}": int(counts[top]),
            f"top cluster, {strategy}: files": table.column("occurrence_files")[top].as_py(),
            f"top cluster, {strategy}: repositories": table.column("n_distinct_repos")[top].as_py(),
        }
    if "exact" in rates:
        exact = int((rates["exact"] - 1).sum())
        figures["savings, exact"] = exact
        if "hybrid" in rates:
            of_hybrid = STRATEGIES["hybrid"].confidence or 0.0
            surplus = int((rates["hybrid"] - 1).sum()) - exact
            figures["hybrid surplus"] = surplus
            figures["savings with hybrid"] = exact + surplus * of_hybrid
            figures["savings, hybrid confidence 1"] = exact + surplus
            figures["further occurrences, hybrid"] = int(rates["hybrid"].sum() - rates["exact"].sum())
    return figures | _lists(folder)


def _lists(folder: Path) -> dict[str, float]:
    figures: dict[str, float] = {}
    manifest, repositories = folder / "clone_manifest.jsonl", folder / "repos.csv"
    if manifest.is_file():
        rows: list[dict[str, Any]] = read_rows(manifest)
        figures["repositories cloned"] = sum(row.get("status") == "ok" for row in rows)
    if repositories.is_file():
        with repositories.open(encoding="utf-8", newline="") as file:
            stars = [row["stargazers_count"] for row in csv.DictReader(file)]
        try:
            figures["repositories found"] = len(stars)
            figures["repositories with 100 stars"] = sum(int(count) >= 100 for count in stars)
        except ValueError as error:
            raise CukereuseError(f"{repositories}: {error}") from error
    return figures
