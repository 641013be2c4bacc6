"""Clones and checkouts -> `dashboard.parquet`, `dashboard.html`: every repository at a glance, with its trend.

Each repository is scanned as by `cukereuse scan`, suite by suite. If its history is on this disk, its months are
measured as by `cukereuse trend`. A unit is a repository.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from corpus_tools.pages import dashboard_page
from corpus_tools.support import arrow
from corpus_tools.support.bound_suites import relative
from corpus_tools.support.checkpoint import CheckpointedStage, unit
from corpus_tools.support.repositories import Checkout, slug, sources
from corpus_tools.support.workers import UnitRunner, local_runner
from cukereuse_engine.embedding_models.embedder import Embedder
from cukereuse_engine.embedding_models.opening import open_embedder
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.findings.messages import renamed
from cukereuse_engine.gherkin.cache import parse_cache
from cukereuse_engine.git import GitRepository
from cukereuse_engine.history.sampling import Every
from cukereuse_engine.history.trend import trend
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.report.visible import encodable
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.options import strategy_options
from cukereuse_engine.scanning.result import SuiteScan
from cukereuse_engine.scanning.scan import ScanOptions, scan
from cukereuse_engine.settings import Settings
from cukereuse_engine.storage import write_atomically

TABLE, PAGE = "dashboard.parquet", "dashboard.html"
COLUMNS = {
    "repo": "string",
    "commit_sha": "string",
    "suites": "int64",
    "files": "int64",
    "steps": "int64",  # with a text
    "texts": "int64",  # distinct ones
    "wordings": "int64",  # distinct templates
    "definitions": "int64",
    "repetition": "double",  # share of steps whose text another step of the suite has already
    "unread": "int64",  # places that had to be skipped
    "warnings": "int64",
    "information": "int64",
    "hints": "int64",
    "findings": "string",  # JSON: rule to number
    "worst_files": "string",  # JSON: [path, findings that have a place in it] of the five with most
    "first_findings": "string",  # JSON: messages of the three gravest
    "trend": "string",  # JSON: [seconds since 1970, steps, intents in several wordings] by month; [] without history
}
MONTHS = 60
"""The number of last months of a history: five years."""
_WORST = 5
_FIRST = 3
_FORMAT = 2


@dataclass(frozen=True, slots=True)
class DashboardOptions:
    model: str | None
    """Name of the embedding model, which must be on this machine; None: wording only."""
    history: bool = True
    by_suite: bool = False
    """True if each suite of a repository is a row of its own."""


@dataclass(frozen=True)
class _Task:
    source: Checkout
    part: Path
    options: DashboardOptions


def dashboard(
    corpus: Path,
    options: DashboardOptions,
    *,
    jobs: int = 1,
    runner: UnitRunner | None = None,
    progress: Progress = SILENT,
) -> list[dict[str, Any]]:
    """Write both files; returns the rows of `COLUMNS`. Raises `CukereuseError` if there is nothing to read, `Cancelled`
    when `progress` does."""
    repositories = sources(corpus)
    shared = {"format": _FORMAT, "options": asdict(options)}
    inputs = [[source.repo, source.commit_sha, _head(source), source.stamp] for source in repositories]
    stage = CheckpointedStage(corpus, "dashboard", {**shared, "sources": inputs}, of_parts=shared)
    outputs = [corpus / TABLE, corpus / PAGE]
    if not stage.complete():
        tasks = [
            _Task(source, stage.part(f"{unit(slug(source.repo), *key)}.json"), options)
            for source, key in zip(repositories, inputs, strict=True)
        ]
        with progress.stage("scanning", len(tasks), "repositories") as watched:
            missing = [task for task in tasks if not task.part.is_file()]
            watched.advance(len(tasks) - len(missing))
            (runner or local_runner(jobs))(look_at, missing, watched)
        rows = [row for task in tasks for row in json.loads(task.part.read_bytes())]
        arrow.write(outputs[0], COLUMNS, [arrow.table(COLUMNS, [[row[name] for name in COLUMNS] for row in rows])])
        write_atomically(outputs[1], dashboard_page.render(rows, options.model))
        stage.finish(outputs, keep={task.part for task in tasks})
    import pyarrow.parquet as pq

    written: list[dict[str, Any]] = pq.read_table(outputs[0]).to_pylist()
    return written


def look_at(task: _Task) -> None:
    """Scan a repository: the work of a unit."""
    embedder = _embedder(task.options.model)
    source = task.source
    suites = scan([source.folder], ScanOptions(Settings(jobs=1, repetition_limit=0)), embedder=embedder).suites
    units: list[_Unit] = _by_suite(source, suites) if task.options.by_suite else [(source, suites, source.folder, [])]
    rows = [
        {**_present(unit, its), "trend": json.dumps(_history(task, root, others, embedder))}
        for unit, its, root, others in units
    ]
    write_atomically(task.part, json.dumps(rows).encode())


_Unit = tuple[Checkout, Sequence[SuiteScan], Path, list[str]]
"""What has a row of its own: its name, its suites, its folder, and patterns of what is not its own there."""


def _by_suite(source: Checkout, suites: Sequence[SuiteScan]) -> list[_Unit]:
    roots = [Path(suite.root).absolute() for suite in suites]
    inside = [[_pattern(other.relative_to(root)) for other in roots if root in other.parents] for root in roots]
    return [
        (source.of_suite(str(root)), [suite], root, others)
        for suite, root, others in zip(suites, roots, inside, strict=True)
    ]


def _pattern(folder: Path) -> str:
    """A folder as gitignore writes it."""
    escaped = re.sub(r"([\\*?\[\]!# ])", r"\\\1", folder.as_posix())
    return f"/{escaped}/"


@lru_cache(maxsize=1)
def _embedder(model: str | None) -> Embedder | None:
    """Cached: one embedder per process."""
    return open_embedder(model, threads=1) if model is not None else None


def _present(source: Checkout, suites: Sequence[SuiteScan]) -> Mapping[str, object]:
    findings = sorted(
        (finding for suite in suites for finding in suite.findings), key=lambda finding: -finding.severity.rank
    )
    levels = Counter(finding.severity for finding in findings)
    steps = sum(suite.step_count for suite in suites)
    texts = sum(len(suite.texts) for suite in suites)
    return {
        "repo": source.repo,
        "commit_sha": source.commit_sha,
        "suites": len(suites),
        "files": sum(len(suite.files) for suite in suites),
        "steps": steps,
        "texts": texts,
        "wordings": sum(len({text.template.key for text in suite.texts}) for suite in suites),
        "definitions": sum(len(suite.definitions) for suite in suites),
        "repetition": 1 - texts / steps if steps else 0.0,
        "unread": sum(len(suite.errors) for suite in suites),
        "warnings": levels[Severity.WARNING] + levels[Severity.ERROR],
        "information": levels[Severity.INFORMATION],
        "hints": levels[Severity.HINT],
        "findings": json.dumps(dict(Counter(finding.rule for finding in findings).most_common())),
        "worst_files": json.dumps(_worst(source, findings)),
        "first_findings": json.dumps([_message(source, finding) for finding in findings[:_FIRST]]),
    }


def _message(source: Checkout, finding: Finding) -> str:
    paths = (definition.path for definition in finding.definitions)
    return encodable(renamed(finding.message, paths, lambda path: relative(source, path)))


def _worst(source: Checkout, findings: Iterable[Finding]) -> list[tuple[str, int]]:
    """Files with the most findings; a finding counts once for each file."""
    counts: Counter[str] = Counter()
    for finding in findings:
        counts.update({place.path for other in finding.others for place in other.places})
    named = ((relative(source, path), count) for path, count in counts.items())
    return sorted(named, key=lambda counted: (-counted[1], counted[0]))[:_WORST]


def _head(source: Checkout) -> str:
    """The commit, if the history is on this disk; otherwise empty."""
    try:
        repository = GitRepository(source.folder)
        return repository.resolve("HEAD") if repository.root.resolve() == source.folder.resolve() else ""
    except CukereuseError:
        return ""


def _history(
    task: _Task, folder: Path, without: Sequence[str], embedder: Embedder | None
) -> list[tuple[int, int, int]]:
    """Of the features below a folder, `without` those that patterns name."""
    if not task.options.history or not _head(task.source):
        return []
    try:
        history = trend(
            str(folder),
            every=Every.MONTH,
            exclude=without,
            options=strategy_options(Settings()),
            embedder=embedder,
            jobs=1,
            cache=parse_cache(),
        )
    except CukereuseError:  # a partial clone lacks the blobs that this would read
        return []
    return [(point.commit.time, point.steps, len(point.duplicates)) for point in history.points[-MONTHS:]]
