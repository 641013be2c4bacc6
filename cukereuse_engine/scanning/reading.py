"""From paths to suites that were read and not compared: files, distinct texts, and where each stands."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cukereuse_engine.gherkin.cache import ParseCache
from cukereuse_engine.gherkin.discovery import discover
from cukereuse_engine.gherkin.model import FeatureFile, Step
from cukereuse_engine.gherkin.read import read_files
from cukereuse_engine.gherkin.suites import group_by_suite
from cukereuse_engine.judging.model import StepText
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.template import template


@dataclass(frozen=True, slots=True)
class Suite:
    root: str
    files: tuple[FeatureFile, ...]
    """By path."""
    texts: tuple[StepText, ...]
    """Distinct, non-empty step texts in order of first appearance."""
    steps: Mapping[str, tuple[Step, ...]]
    """Identity to every step with that text, by path and line."""


def read_suites(
    paths: Sequence[str | Path],
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    jobs: int | None = None,
    cache: ParseCache | None = None,
    progress: Progress = SILENT,
) -> tuple[Suite, ...]:
    """The suites of all feature files below `paths`, by root; see `discover` and `read_files`."""
    found = discover(paths, include=include, exclude=exclude)
    files = dict(zip(found, read_files(found, jobs=jobs, cache=cache, progress=progress), strict=True))
    groups = group_by_suite(found, paths)
    return tuple(_suite(root, tuple(files[path] for path in members)) for root, members in groups.items())


def _suite(root: str, files: tuple[FeatureFile, ...]) -> Suite:
    texts, steps = step_texts(step for file in files for step in file.steps)
    return Suite(root, files, texts, steps)


def step_texts(steps: Iterable[Step]) -> tuple[tuple[StepText, ...], dict[str, tuple[Step, ...]]]:
    """Distinct texts in order of first appearance, and the steps of each by identity; empty texts are left out."""
    places: dict[str, list[Step]] = {}
    for step in steps:
        if text := normalise(step.text):
            places.setdefault(text, []).append(step)
    texts = tuple(StepText(text, identity(text), template(text), len(where)) for text, where in places.items())
    return texts, {text.identity: tuple(places[text.text]) for text in texts}
