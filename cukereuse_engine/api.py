"""The public interface for programs. It is stable within a major version; what is not in `__all__` is private.

    >>> import cukereuse
    >>> result = cukereuse.scan("tests/suites/webshop", model=False)
    >>> result.suites[0].step_count > 0
    True
    >>> [step.text for step in cukereuse.similar("I press Login", "tests/suites/webshop", limit=1)] != []
    True

Nothing here uses the network or executes code of a workspace. Settings are read from the suite's own files, as the
command line does; keyword arguments with the names of settings take precedence. Importing this module loads nothing
heavy.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cukereuse_engine import __version__
from cukereuse_engine.errors import Cancelled, CukereuseError
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.settings import SETTINGS, Settings, load_settings
from cukereuse_engine.spelling import nearest

if TYPE_CHECKING:
    from cukereuse_engine.embedding_models.embedder import Embedder
    from cukereuse_engine.findings.finding import Finding
    from cukereuse_engine.gherkin.feature import Step
    from cukereuse_engine.glue.definition import StepDefinition
    from cukereuse_engine.refactor.rename_plan import RenamePlan
    from cukereuse_engine.scanning.result import ScanResult
    from cukereuse_engine.scanning.suite import Suite

__all__ = [
    "Cancelled",
    "CukereuseError",
    "DefinitionUse",
    "Finding",
    "Rename",
    "ScanResult",
    "Settings",
    "SimilarStep",
    "Step",
    "StepDefinition",
    "__version__",
    "rename",
    "scan",
    "settings_for",
    "similar",
    "steps",
]

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
"""A folder or a feature file, or several of them."""


def settings_for(path: str | os.PathLike[str], **settings: Any) -> Settings:
    """The settings that hold for a path: defaults, its configuration file, the environment, then `settings`.

    Raises `CukereuseError` naming every bad value.
    """
    for name in settings:
        if name not in SETTINGS:
            close = nearest(name, SETTINGS)
            raise CukereuseError(f"there is no setting {name!r}", f"Did you mean {close!r}?" if close else "")
    return load_settings(Path(path), flags=settings).checked()


def scan(paths: Paths, *, model: bool = True, progress: Progress = SILENT, **settings: Any) -> ScanResult:
    """Find steps, definitions and scenarios that do the same thing, as `cukereuse scan` does.

    `model` False compares wording only; True uses the embedding model where it is on this machine, and notes where it
    is not. `settings`: `strategy="hybrid"`, `ignore=["^I wait"]`, … Raises `CukereuseError` for a path that does not
    exist, a bad setting, or a strategy that needs a model that is not here; `Cancelled` when `progress` does.
    """
    from cukereuse_engine.scanning.scan import ScanOptions
    from cukereuse_engine.scanning.scan import scan as scan_paths

    work = _Work(paths, settings)
    embedder, notes = work.embedder(wanted=model)
    options = ScanOptions(work.settings, settings_of=work.settings_of)
    return scan_paths(work.paths, options, embedder=embedder, notes=notes, progress=progress)


@dataclass(frozen=True, slots=True)
class SimilarStep:
    """A wording of a suite that is similar to a given text."""

    text: str
    """The most similar step text with this wording."""
    score: float
    """0 to 1; the list is sorted by it."""
    occurrences: int
    """Number of the suite's steps with this wording."""
    p_one_intent: float
    """Probability that both mean the same."""
    p_same_definition: float
    """Probability that one step definition would serve both."""
    steps: tuple[Step, ...]
    """The steps with this wording, by text, path and line."""


def similar(
    text: str, paths: Paths, *, limit: int = 10, model: bool = True, progress: Progress = SILENT, **settings: Any
) -> tuple[SimilarStep, ...]:
    """The wordings below `paths` that are most similar to `text`, best first. `limit`: how many, over all suites
    together.

    `model`, `settings` and errors as for `scan`.
    """
    import numpy as np

    from cukereuse_engine.embedding_models.embedder import coarse
    from cukereuse_engine.scanning.bound import judge_for
    from cukereuse_engine.scanning.loading import load_glue
    from cukereuse_engine.scanning.scan import vectors_of
    from cukereuse_engine.scanning.similar_wordings import similar_wordings
    from cukereuse_engine.text.template import mask

    work = _Work(paths, settings)
    embedder, _ = work.embedder(wanted=model)
    embed = vectors_of(coarse(embedder) or embedder, use_cache=True, progress=progress)
    similar_steps: list[SimilarStep] = []
    for suite in work.suites(progress):
        cosine = None
        if embed is not None and suite.texts:
            vectors = embed([mask(text), *(step_text.template.masked for step_text in suite.texts)])
            cosine = (vectors[1:] @ vectors[0]).astype(np.float64)
        glue = load_glue(suite, work.settings_of(suite.root), use_cache=True, progress=progress)
        judge = judge_for(suite.texts, suite.steps, glue, embedder)
        similar_steps += [
            SimilarStep(
                wording.text.text,
                wording.score,
                wording.occurrences,
                wording.judgement.p_one_intent,
                wording.judgement.p_same_definition,
                tuple(step for step_text in wording.texts for step in suite.steps.get(step_text.identity, ())),
            )
            for wording in similar_wordings(text, suite.texts, judge, cosine, limit)
        ]
    return tuple(sorted(similar_steps, key=lambda step: -step.score)[:limit])


@dataclass(frozen=True, slots=True)
class DefinitionUse:
    """A step definition with the steps that it serves."""

    suite: str
    """Folder of the suite."""
    definition: StepDefinition
    steps: tuple[Step, ...]
    """Steps by path and line; empty if no step uses it."""


def steps(paths: Paths, *, progress: Progress = SILENT, **settings: Any) -> tuple[DefinitionUse, ...]:
    """The step definitions of the suites below `paths`, with their uses, by suite, path and line.

    A step that several definitions match is a use of each. Errors as for `scan`.
    """
    from cukereuse_engine.scanning.loading import load_glue

    work = _Work(paths, settings)
    definition_uses: list[DefinitionUse] = []
    for suite in work.suites(progress):
        glue = load_glue(suite, work.settings_of(suite.root), use_cache=True, progress=progress)
        uses: dict[str, list[Step]] = {definition.id: [] for definition in glue.own_definitions}
        definitions = {definition.id: definition for definition in glue.own_definitions}
        for file in suite.files:
            for step in file.steps:
                for definition in glue.bind(step).definitions if step.text else ():
                    definitions.setdefault(definition.id, definition)
                    uses.setdefault(definition.id, []).append(step)
        by_place = sorted(
            definitions.values(),
            key=lambda definition: (definition.literal.path, definition.literal.line, definition.literal.column),
        )
        definition_uses += [
            DefinitionUse(suite.root, definition, tuple(uses[definition.id])) for definition in by_place
        ]
    return tuple(definition_uses)


@dataclass(frozen=True, slots=True)
class Rename:
    """A rename that was planned and checked; nothing is written yet."""

    plan: RenamePlan
    root: str
    """The folder that contains all files of the plan; `cukereuse rename --undo` finds it there."""

    @property
    def files(self) -> tuple[str, ...]:
        """Paths that would change."""
        return tuple(file.path for file in self.plan.files)

    def diff(self) -> str:
        """The change as a unified diff. Raises `CukereuseError` if a file has changed since."""
        from cukereuse_engine.refactor.diff import unified_diff
        from cukereuse_engine.refactor.rename_plan import read_from_disk

        return "".join(unified_diff(self.plan.files, read_from_disk))

    def apply(self) -> None:
        """Write all files or none. Raises `CukereuseError` if a file has changed since; `OSError`."""
        from cukereuse_engine.refactor.journal import Journal

        if self.plan.files:
            Journal(self.root).apply(self.plan.files, f"rename to {self.plan.target}")


def rename(
    paths: Paths, source: str, target: str, *, move: bool = False, progress: Progress = SILENT, **settings: Any
) -> Rename:
    """Plan one wording for a step: all steps of its definition below `paths`, and the definition itself.

    `source` is a step's text, or a phrasing with slots; `target` a phrasing with slots, `{1}` or `{name}`. `move` lets
    another definition serve the steps. Raises `CukereuseError` if there is no such step, and its subclass
    `RefusedPlanError` if the suite would not run the same afterwards.
    """
    from cukereuse_engine.refactor.plan import plan_rename
    from cukereuse_engine.refactor.request import request_for
    from cukereuse_engine.scanning.repository import read_repository
    from cukereuse_engine.scanning.suspect_moves import with_cautions

    work = _Work(paths, settings)
    repository = read_repository(work.paths, work.settings, work.settings_of, progress=progress)
    if repository.suites is None or not repository.named:
        raise CukereuseError("no feature files were found")
    request = request_for(repository.suites, source, target, move=move, within=repository.within)
    plan = with_cautions(plan_rename(request, repository.suites), repository.named, jobs=work.settings.jobs or None)
    return Rename(plan, repository.root)


class _Work:
    """Paths with the settings that hold for them."""

    def __init__(self, paths: Paths, settings: Mapping[str, Any]) -> None:
        given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
        if not given:
            raise CukereuseError("no path was given")
        self.paths = [os.fspath(path) for path in given]
        self._flags = {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}
        self.settings = settings_for(self.paths[0], **self._flags)

    def settings_of(self, root: str) -> Settings:
        from cukereuse_engine.settings.paths import expanded

        loaded = settings_for(root, **self._flags)
        return replace(loaded, glue=expanded(loaded.glue))

    def suites(self, progress: Progress) -> list[Suite]:
        from cukereuse_engine.scanning.suite import read_suites

        return read_suites(
            self.paths,
            include=self.settings.include,
            exclude=self.settings.exclude,
            jobs=self.settings.jobs or None,
            progress=progress,
        )

    def embedder(self, *, wanted: bool) -> tuple[Embedder | None, tuple[str, ...]]:
        """The model if it is on this machine, and a note if it is not; never downloads one."""
        from cukereuse_engine.embedding_models.opening import open_embedder

        if not wanted:
            return None, ("Only wordings are compared: the model was not requested.",)
        try:
            return open_embedder(self.settings.model, threads=self.settings.jobs or None), ()
        except CukereuseError as error:
            return None, (f"Only wordings are compared: {error.sentences}",)


_ELSEWHERE = {
    "Finding": "cukereuse_engine.findings.finding",
    "ScanResult": "cukereuse_engine.scanning.result",
    "Step": "cukereuse_engine.gherkin.feature",
    "StepDefinition": "cukereuse_engine.glue.definition",
}
"""Types that are loaded when they are first used: name to module."""


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        import importlib

        return getattr(importlib.import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
