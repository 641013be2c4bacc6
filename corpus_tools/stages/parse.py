"""Clones -> `steps.parquet` and `errors.parquet`: a row for each step, and a row for each place that could not be read.

A unit is a repository, read in batches of files, so that memory does not grow with the corpus. Units are kept, so that
a new repository costs one more unit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from corpus_tools.support import arrow
from corpus_tools.support.checkpoint import CheckpointedStage, unit
from corpus_tools.support.repositories import Checkout, absent, slug, sources
from corpus_tools.support.workers import UnitRunner, local_runner
from cukereuse_engine.gherkin.discovery import discover
from cukereuse_engine.gherkin.feature import FeatureFile
from cukereuse_engine.gherkin.read import read_files
from cukereuse_engine.gherkin.suites import group_by_suite
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.report.visible import encodable
from cukereuse_engine.text.template import template

if TYPE_CHECKING:
    import pyarrow as pa

STEPS = "steps.parquet"
ERRORS = "errors.parquet"
STEP_COLUMNS = {
    "repo": "string",  # "owner/name"; of a suite that is a unit of its own "owner/name//folder"
    "commit_sha": "string",
    "file_path": "string",  # relative to the repository, with `/`
    "line": "int32",  # 1-based
    "column": "int32",  # 1-based, code points
    "keyword": "string",  # as written, trimmed
    "keyword_type": "string",  # context, action, outcome, conjunction or unknown
    "resolved_type": "string",  # a conjunction's is that of the step that it continues
    "text": "string",
    "scenario": "string",
    "scenario_line": "int32",
    "rule": "string",  # null outside rules
    "feature": "string",
    "tags": "[string]",  # inherited ones first
    "is_background": "bool",
    "is_outline": "bool",
    "argument": "string",  # "docstring", "table" or null
    "argument_kinds": "[string]",  # types of the slots in the text, left to right
    "language": "string",  # Gherkin dialect
    "encoding": "string",
    "recovered": "bool",  # the official parser refuses the file
    "license_spdx": "string",
    "license_class": "string",
}
"""Maps a column to pyarrow's name of its type. Rows are by repository, path and line."""
ERROR_COLUMNS = {
    "repo": "string",
    "commit_sha": "string",
    "file_path": "string",
    "line": "int32",  # 0 where none can be named
    "column": "int32",
    "message": "string",
    "encoding": "string",
    "steps": "int32",  # that were read from the file all the same
}
_FILES_AT_ONCE = 128
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Parsed:
    repositories: int
    steps: int
    errors: int
    absent: int
    """Repositories in the manifest that are not on this machine."""


@dataclass(frozen=True)
class _Task:
    source: Checkout
    steps: Path
    errors: Path
    options: "ParseOptions"


@dataclass(frozen=True, slots=True)
class ParseOptions:
    every_file: bool = False
    """True to read dependencies and ignored folders too, as in the paper."""
    by_suite: bool = False
    """True if each suite of a repository is a repository of its own in the tables: `owner/name//path`."""


def parse(
    corpus: Path,
    options: ParseOptions = ParseOptions(),
    *,
    jobs: int = 1,
    runner: UnitRunner | None = None,
    progress: Progress = SILENT,
) -> Parsed:
    """Read every repository of the corpus.

    Raises `CukereuseError` if there is nothing to read, `Cancelled` when `progress` does.
    """
    repositories = sources(corpus)
    shared = {"format": _FORMAT, "options": asdict(options)}
    key = {**shared, "sources": [_inputs(source) for source in repositories]}
    stage = CheckpointedStage(corpus, "parse", key, of_parts=shared)
    outputs = [corpus / STEPS, corpus / ERRORS]
    if not stage.complete():
        tasks = []
        for source in repositories:
            name = unit(slug(source.repo), *_inputs(source))
            tasks.append(_Task(source, stage.part(f"{name}.steps"), stage.part(f"{name}.errors"), options))
        with progress.stage("parsing", len(tasks), "repositories") as watched:
            open_tasks = [task for task in tasks if not task.steps.is_file()]
            watched.advance(len(tasks) - len(open_tasks))
            (runner or local_runner(jobs))(parse_repository, _largest_first(open_tasks), watched)
        arrow.write(outputs[0], STEP_COLUMNS, (table for task in tasks for table in arrow.batches(task.steps)))
        arrow.write(outputs[1], ERROR_COLUMNS, (table for task in tasks for table in arrow.batches(task.errors)))
        stage.finish(outputs, keep={part for task in tasks for part in (task.steps, task.errors)})
    import pyarrow.parquet as pq

    steps, errors = (pq.read_metadata(path).num_rows for path in outputs)
    return Parsed(len(repositories), steps, errors, len(absent(corpus, repositories)))


def _inputs(source: Checkout) -> list[str]:
    return [source.repo, source.version, source.commit_sha, source.license_spdx, source.license_class]


def parse_repository(task: _Task) -> None:
    """The work of a unit: writes both parts, the steps last, because their presence means that the unit is done."""
    source = task.source
    names = discover([source.folder], include=["*.feature", "*.feature.md"] if task.options.every_file else ())
    repo_of = _units(source, names) if task.options.by_suite else {}
    errors: list[tuple[object, ...]] = []

    def tables() -> "Iterator[pa.Table]":
        remaining = iter(names)
        while batch := list(islice(remaining, _FILES_AT_ONCE)):
            files = read_files(batch, jobs=1)
            errors.extend(row for file in files for row in _error_rows(source, file, repo_of.get(file.path)))
            rows = [row for file in files for row in _step_rows(source, file, repo_of.get(file.path))]
            yield arrow.table(STEP_COLUMNS, rows)

    temporary = task.steps.with_suffix(".unfinished")
    arrow.write(temporary, STEP_COLUMNS, tables())
    arrow.write(task.errors, ERROR_COLUMNS, [arrow.table(ERROR_COLUMNS, errors)])
    temporary.replace(task.steps)


def _units(source: Checkout, names: Sequence[str]) -> dict[str, str]:
    """Maps a feature file's path to the name of its suite: the repository's, and `//` and the folder below its root."""
    suite_of: dict[str, str] = {}
    for root, files in group_by_suite(names, [source.folder]).items():
        suite_of |= dict.fromkeys(files, source.of_suite(root).repo)
    return suite_of


def _largest_first(tasks: list[_Task]) -> list[_Task]:
    """The longest unit must not be the last to start."""
    sizes = {task.source.repo: sum(1 for _ in task.source.folder.rglob("*.feature*")) for task in tasks}
    return sorted(tasks, key=lambda task: (-sizes[task.source.repo], task.source.repo))


def _relative(source: Checkout, path: str) -> str:
    return encodable(Path(path).relative_to(source.folder).as_posix())


def _step_rows(source: Checkout, file: FeatureFile, unit_: str | None) -> Iterator[tuple[object, ...]]:
    path = _relative(source, file.path)
    for step in file.steps:
        yield (
            unit_ or source.repo,
            source.commit_sha,
            path,
            step.line,
            step.column,
            step.keyword.strip(),
            step.keyword_type.value,
            step.resolved_type.value,
            encodable(step.text),
            encodable(step.scenario),
            step.scenario_line,
            step.rule if step.rule is None else encodable(step.rule),
            encodable(step.feature),
            [encodable(tag) for tag in step.tags],
            step.is_background,
            step.is_outline,
            step.argument,
            _argument_kinds(step.text),
            file.language,
            file.encoding,
            step.recovered,
            source.license_spdx,
            source.license_class,
        )


def _error_rows(source: Checkout, file: FeatureFile, unit_: str | None) -> Iterator[tuple[object, ...]]:
    path = _relative(source, file.path)
    for error in file.errors:
        place = (unit_ or source.repo, source.commit_sha, path, error.line, error.column)
        yield *place, encodable(error.message), file.encoding, len(file.steps)


@lru_cache(maxsize=1 << 16)
def _argument_kinds(text: str) -> list[str]:
    return [argument.type.value for argument in template(text).arguments]
