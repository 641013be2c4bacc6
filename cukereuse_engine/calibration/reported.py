"""Evaluates what a scan reports on suites that people have labelled in full: precision and recall.

A reported pair is right if any reader calls it the same or maybe. Sure pairs form groups; a group is found if one of
its sure pairs is reported. Scans are real ones: of the suite's own files if they are there, else of feature files with
each wording as often as it is used.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from cukereuse_engine.calibration.intents import Pair, ReadSuite, wording_key
from cukereuse_engine.calibration.metrics import group_folds
from cukereuse_engine.embedding_models.embedder import Embedder
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.scan import ScanOptions, scan
from cukereuse_engine.settings import Settings

LEVELS = (Severity.WARNING, Severity.INFORMATION, Severity.HINT)
"""The surest first; each level's figures hold those above it too."""
PROMISES: Mapping[Severity, float] = {Severity.WARNING: 0.95, Severity.INFORMATION: 0.80, Severity.HINT: 0.50}
"""Share of what is reported that should be right, from this severity up."""
_KEYWORDS = {"C": "Given", "A": "When", "O": "Then"}
_RESAMPLES = 1000
_FOLDS = 5

Reported = Mapping[Pair, tuple[Severity, float]]
"""Reported pairs of one suite, with the severity and the probability that they were reported with."""
Scan = Callable[[ReadSuite], Reported]


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of one suite, or of several together."""

    reported: int = 0
    right: int = 0
    groups: int = 0
    groups_found: int = 0
    sure: int = 0
    sure_found: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(mine + theirs for mine, theirs in zip(self.values, other.values, strict=True)))

    @property
    def values(self) -> tuple[int, ...]:
        return self.reported, self.right, self.groups, self.groups_found, self.sure, self.sure_found

    @property
    def precision(self) -> float:
        """The precision of reported pairs; 1 if nothing is reported."""
        return self.right / self.reported if self.reported else 1.0

    @property
    def group_recall(self) -> float:
        return self.groups_found / self.groups if self.groups else 0.0

    @property
    def pair_recall(self) -> float:
        return self.sure_found / self.sure if self.sure else 0.0

    def to_json(self) -> dict[str, float | int]:
        return {
            "reported": self.reported,
            "right": self.right,
            "precision": self.precision,
            "groups": self.groups,
            "groups_found": self.groups_found,
            "group_recall": self.group_recall,
            "sure": self.sure,
            "sure_found": self.sure_found,
            "pair_recall": self.pair_recall,
        }


def count(suite: ReadSuite, pairs: Iterable[Pair]) -> Counts:
    """The counts of these reported pairs, compared with the readers' groups."""
    reported = frozenset(pairs)
    sure = suite.sure & reported
    return Counts(
        reported=len(reported),
        right=len(suite.right & reported),
        groups=len(suite.groups),
        groups_found=sum(1 for group in suite.groups if any(wording in group for wording, _ in sure)),
        sure=len(suite.sure),
        sure_found=len(sure),
    )


@dataclass(frozen=True, slots=True)
class LevelReport:
    """One severity and everything above it."""

    severity: Severity
    suites: Mapping[str, Counts]
    interval: Mapping[str, tuple[float, float]]
    """2.5 and 97.5 percentiles of "precision", "group_recall" and "pair_recall" when suites are drawn again."""
    held_out: Counts
    """The counts with thresholds chosen on other suites so that the severity's promise holds there."""

    @property
    def total(self) -> Counts:
        return sum(self.suites.values(), Counts())

    def to_json(self) -> dict[str, Any]:
        return {
            **self.total.to_json(),
            "interval": dict(self.interval),
            "promise": PROMISES[self.severity],
            "held_out": self.held_out.to_json(),
            "suites": {name: counts.to_json() for name, counts in self.suites.items()},
        }


@dataclass(frozen=True, slots=True)
class IntentsReport:
    levels: tuple[LevelReport, ...]
    """Reports in the order of `LEVELS`."""
    model: str | None

    def to_json(self) -> dict[str, Any]:
        return {"model": self.model, "levels": {level.severity.value: level.to_json() for level in self.levels}}


def measure(
    suites: Sequence[ReadSuite], scan_of: Scan, model: str | None, progress: Progress = SILENT
) -> IntentsReport:
    """Scan every suite, and compare the reported pairs with its readers' groups."""
    reported: dict[str, Reported] = {}
    with progress.stage("scanning", len(suites), "suites") as stage:
        for suite in suites:
            reported[suite.name] = scan_of(suite)
            stage.advance()
    return IntentsReport(tuple(_level(suites, reported, level) for level in LEVELS), model)


def _level(suites: Sequence[ReadSuite], reported: Mapping[str, Reported], level: Severity) -> LevelReport:
    counts = {
        suite.name: count(
            suite, (pair for pair, (severity, _) in reported[suite.name].items() if severity.rank >= level.rank)
        )
        for suite in suites
    }
    return LevelReport(level, counts, _interval(list(counts.values())), _held_out(suites, reported, PROMISES[level]))


def _interval(counts: Sequence[Counts]) -> dict[str, tuple[float, float]]:
    rng = np.random.default_rng(42)
    table = np.array([suite_counts.values for suite_counts in counts])
    drawn = table[rng.integers(0, len(table), (_RESAMPLES, len(table)))].sum(axis=1)
    totals = [Counts(*map(int, row)) for row in drawn]
    return {
        name: tuple(
            np.percentile([getattr(total_counts, name) for total_counts in totals], (2.5, 97.5)).round(4).tolist()
        )
        for name in ("precision", "group_recall", "pair_recall")
    }


def _held_out(suites: Sequence[ReadSuite], reported: Mapping[str, Reported], promise: float) -> Counts:
    folds = group_folds([suite.name for suite in suites], min(_FOLDS, len(suites)))
    total = Counts()
    for fold in np.unique(folds):
        chosen_on = [suite for suite, of in zip(suites, folds, strict=True) if of != fold]
        threshold = keeping(promise, [(reported[suite.name], suite) for suite in chosen_on])
        for suite, of in zip(suites, folds, strict=True):
            if of == fold:
                pairs = reported[suite.name].items()
                total += count(suite, (pair for pair, (_, probability) in pairs if probability >= threshold))
    return total


def keeping(promise: float, judged: Iterable[tuple[Reported, ReadSuite]]) -> float:
    """The lowest probability from which at least this share of reported pairs is right; above 1 if there is none."""
    ranked = sorted(
        ((probability, pair in suite.right) for pairs, suite in judged for pair, (_, probability) in pairs.items()),
        reverse=True,
    )
    if not ranked:
        return 2.0
    probabilities = np.array([probability for probability, _ in ranked])
    precision = np.cumsum([right for _, right in ranked]) / np.arange(1, len(ranked) + 1)
    last_of_its_probability = np.append(np.diff(probabilities) < 0, True)
    precise = np.flatnonzero((precision >= promise) & last_of_its_probability)
    return float(probabilities[precise[-1]]) if len(precise) else 2.0


# -- what a scan reports


def scanning(settings: Settings, embedder: Embedder | None, folder: Path | None, *, use_cache: bool = True) -> Scan:
    """Scans by these settings: of `folder`/NAME where that is, else of each wording as often as it is used."""

    def scan_of(suite: ReadSuite) -> Reported:
        if folder is not None and (folder / suite.name).is_dir():
            return _scanned(suite, folder / suite.name, settings, embedder, use_cache)
        with TemporaryDirectory() as place:
            written = Path(place) / "wordings.feature"
            written.write_text(as_feature(suite), "utf-8")
            return _scanned(suite, Path(place), settings, embedder, use_cache)

    return scan_of


def as_feature(suite: ReadSuite) -> str:
    """A feature with a scenario for every use of a wording, in its roles."""
    lines = [f"Feature: {suite.name}"]
    for number, wording in suite.wordings.items():
        roles = sorted(wording.roles & _KEYWORDS.keys()) or ["A"]
        for use in range(max(wording.uses, len(roles))):
            lines += [f"  Scenario: {number} {use}", f"    {_KEYWORDS[roles[use % len(roles)]]} {wording.text}"]
    return "\n".join(lines) + "\n"


def _scanned(suite: ReadSuite, path: Path, settings: Settings, embedder: Embedder | None, use_cache: bool) -> Reported:
    result = scan([path], ScanOptions(settings, use_cache=use_cache), embedder=embedder)
    reported: dict[Pair, tuple[Severity, float]] = {}
    for finding in (finding for scanned in result.suites for finding in scanned.findings):
        if finding.severity.rank < LEVELS[-1].rank:
            continue
        for pair in pairs_of(finding, suite):
            if pair not in reported or reported[pair][0].rank < finding.severity.rank:
                reported[pair] = (finding.severity, 1.0 if finding.confidence is None else finding.confidence)
    return reported


def pairs_of(finding: Finding, suite: ReadSuite) -> set[Pair]:
    """The ids of every two of the finding's wordings from different sides, without those that its readers never saw."""
    ids: list[set[int]] = []
    for subject in finding.subjects:
        keys = {wording_key(step.text) for step in subject.steps} or {wording_key(subject.text)}
        ids.append({suite.id_of[key] for key in keys if key in suite.id_of})
    between = (pair for left, right in combinations(ids, 2) for pair in _products(left, right))
    return set(between)


def _products(left: set[int], right: set[int]) -> Iterable[Pair]:
    return ((min(a, b), max(a, b)) for a in left for b in right if a != b)
