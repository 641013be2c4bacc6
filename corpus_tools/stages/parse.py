"""Clones -> `steps.parquet` and `errors.parquet`: one row a step, one row a thing that could not be read.

One unit is one repository, read in batches of files, so that memory does not grow with the corpus.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from corpus_tools.support import arrow
from corpus_tools.support.checkpoint import Stage
from corpus_tools.support.repositories import Source, slug, sources
from corpus_tools.support.workers import Runner, local_runner
from cukereuse_engine.gherkin.discovery import discover
from cukereuse_engine.gherkin.model import FeatureFile
from cukereuse_engine.gherkin.read import read_files
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.report.visible import encodable
from cukereuse_engine.text.template import template

if TYPE_CHECKING:
    import pyarrow as pa

STEPS = "steps.parquet"
ERRORS = "errors.parquet"
STEP_COLUMNS = {
    "repo": "string",
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
"""By repository, path and line. Name to pyarrow's name of the type."""
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


@dataclass(frozen=True, slots=True)
class _Task:
    source: Source
    steps: Path
    errors: Path
    every_file: bool


def parse(
    corpus: Path,
    *,
    every_file: bool = False,
    jobs: int = 1,
    runner: Runner | None = None,
    progress: Progress = SILENT,
) -> Parsed:
    """Read every repository of the corpus.

    `every_file` reads dependencies and ignored folders too, as the paper did. Raises `CukereuseError` where there is
    nothing to read, `Cancelled` when `progress` does.
    """
    found = sources(corpus)
    key = [[source.repo, source.commit_sha, source.license_spdx] for source in found]
    stage = Stage(corpus, "parse", {"format": _FORMAT, "every_file": every_file, "sources": key})
    outputs = [corpus / STEPS, corpus / ERRORS]
    if not stage.complete():
        tasks = [
            _Task(
                source, stage.part(f"{slug(source.repo)}.steps"), stage.part(f"{slug(source.repo)}.errors"), every_file
            )
            for source in found
        ]
        with progress.stage("parsing", len(tasks), "repositories") as watched:
            open_tasks = [task for task in tasks if not task.steps.is_file()]
            watched.advance(len(tasks) - len(open_tasks))
            (runner or local_runner(jobs))(parse_repository, _largest_first(open_tasks), watched)
        arrow.write(outputs[0], STEP_COLUMNS, (table for task in tasks for table in arrow.batches(task.steps)))
        arrow.write(outputs[1], ERROR_COLUMNS, (table for task in tasks for table in arrow.batches(task.errors)))
        stage.finish(outputs)
    import pyarrow.parquet as pq

    steps, errors = (pq.read_metadata(path).num_rows for path in outputs)
    return Parsed(len(found), steps, errors)


def parse_repository(task: _Task) -> None:
    """One unit: writes both parts, the steps last, whose presence says that the unit is done."""
    names = discover([task.source.folder], include=["*.feature", "*.feature.md"] if task.every_file else ())
    errors: list[tuple[object, ...]] = []

    def tables() -> "Iterator[pa.Table]":
        remaining = iter(names)
        while batch := list(islice(remaining, _FILES_AT_ONCE)):
            files = read_files(batch, jobs=1)
            errors.extend(row for file in files for row in _error_rows(task.source, file))
            yield arrow.table(STEP_COLUMNS, [row for file in files for row in _step_rows(task.source, file)])

    temporary = task.steps.with_suffix(".unfinished")
    arrow.write(temporary, STEP_COLUMNS, tables())
    arrow.write(task.errors, ERROR_COLUMNS, [arrow.table(ERROR_COLUMNS, errors)])
    temporary.replace(task.steps)


def _largest_first(tasks: list[_Task]) -> list[_Task]:
    """The longest unit must not be the last to start."""
    sizes = {task.source.repo: sum(1 for _ in task.source.folder.rglob("*.feature*")) for task in tasks}
    return sorted(tasks, key=lambda task: (-sizes[task.source.repo], task.source.repo))


def _relative(source: Source, path: str) -> str:
    return encodable(Path(path).relative_to(source.folder).as_posix())


def _step_rows(source: Source, file: FeatureFile) -> Iterator[tuple[object, ...]]:
    path = _relative(source, file.path)
    for step in file.steps:
        yield (
            source.repo,
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


def _error_rows(source: Source, file: FeatureFile) -> Iterator[tuple[object, ...]]:
    path = _relative(source, file.path)
    for error in file.errors:
        place = (source.repo, source.commit_sha, path, error.line, error.column)
        yield *place, encodable(error.message), file.encoding, len(file.steps)


@lru_cache(maxsize=1 << 16)
def _argument_kinds(text: str) -> list[str]:
    return [argument.type.value for argument in template(text).arguments]
