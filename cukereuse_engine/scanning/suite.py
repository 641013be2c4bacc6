"""Paths to suites, read and not yet compared."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cukereuse_engine.gherkin.cache import parse_cache
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES, discover
from cukereuse_engine.gherkin.model import FeatureFile, KeywordType, Step
from cukereuse_engine.gherkin.read import read_files
from cukereuse_engine.gherkin.suites import group_by_suite
from cukereuse_engine.judging.model import ACTION, CONTEXT, OUTCOME, StepText
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

    @classmethod
    def of(cls, root: str, files: Iterable[FeatureFile]) -> "Suite":
        kept = tuple(files)
        found: dict[str, list[Step]] = {}
        normal: dict[str, str] = {}
        for file in kept:
            for step in file.steps:
                text = normal.get(step.text)
                if text is None:
                    text = normal[step.text] = normalise(step.text)
                if text:
                    found.setdefault(text, []).append(step)
        texts = tuple(
            StepText(text, identity(text), template(text), len(steps), roles_of(steps)) for text, steps in found.items()
        )
        steps = {text.identity: tuple(found[text.text]) for text in texts}
        return cls(root, kept, texts, steps)


_ROLES = {KeywordType.CONTEXT: CONTEXT, KeywordType.ACTION: ACTION, KeywordType.OUTCOME: OUTCOME}


def roles_of(steps: Iterable[Step]) -> int:
    """Bits of the roles in which steps stand, for `StepText.roles`."""
    roles = 0
    for resolved in {step.resolved_type for step in steps}:
        roles |= _ROLES.get(resolved, 0)
    return roles


def read_suites(
    paths: Sequence[str | Path],
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    across: bool = False,
    roots: Sequence[str | Path] = (),
    jobs: int | None = None,
    use_cache: bool = True,
    progress: Progress = SILENT,
) -> list[Suite]:
    """The suites below `paths`, by root; with `across`, one suite at the first path that holds them all.

    `roots`: the folders that a suite without a configuration is at, where they are not `paths`. Raises
    `CukereuseError` for a path that does not exist, `Cancelled` when `progress` does.
    """
    names = [str(path) for path in discover(paths, suffixes=FEATURE_SUFFIXES, include=include, exclude=exclude)]
    groups = {str(paths[0]): names} if across else group_by_suite(names, roots or paths)
    cache = parse_cache() if use_cache else None
    files = {file.path: file for file in read_files(names, jobs=jobs, cache=cache, progress=progress)}
    return [Suite.of(root, (files[name] for name in group)) for root, group in groups.items()]
