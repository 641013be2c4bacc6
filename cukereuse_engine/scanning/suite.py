"""From paths to suites, read and not yet compared."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from cukereuse_engine.gherkin.cache import parse_cache
from cukereuse_engine.gherkin.dialects import keywords
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES, discover
from cukereuse_engine.gherkin.feature import FeatureFile, KeywordType, Step
from cukereuse_engine.gherkin.listings import Listings
from cukereuse_engine.gherkin.read import read_files
from cukereuse_engine.gherkin.suites import group_by_suite
from cukereuse_engine.glue.sources import glue_root
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.step_text import ACTION, CONTEXT, OUTCOME, StepText
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
    glue: tuple[str, ...] = ()
    """The folders in which its step definitions are looked for, if they are not those around `root`."""

    @classmethod
    def of(cls, root: str, files: Iterable[FeatureFile], glue: tuple[str, ...] = ()) -> "Suite":
        read = tuple(files)
        steps_of: dict[str, list[Step]] = {}
        normal: dict[str, str] = {}
        for file in read:
            for step in file.steps:
                text = normal.get(step.text)
                if text is None:
                    text = normal[step.text] = normalise(step.text)
                if text:
                    steps_of.setdefault(text, []).append(step)
        texts = tuple(
            StepText(text, identity(text), template(text), len(steps), roles_of(steps))
            for text, steps in steps_of.items()
        )
        steps = {text.identity: tuple(steps_of[text.text]) for text in texts}
        return cls(root, read, texts, steps, glue)

    def without_keyword(self, line: str) -> str:
        """`line` without its keyword if, but for its arguments, that is a step and `line` is none: people copy whole
        lines of feature files."""
        wordings = {text.template.key for text in self.texts}
        dialects = dict.fromkeys(file.language for file in self.files)
        known = ("", "* ", *(word for language in dialects for word in keywords(language).steps))
        texts = (normalise(line).removeprefix(word) for word in known)
        return next((text for text in texts if template(text).key in wordings), line)


def roles_of(steps: Iterable[Step]) -> int:
    """The roles of steps as bits, for `StepText.roles`."""
    roles = 0
    for step in steps:
        roles |= role_of(step)
    return roles


def role_of(step: Step) -> int:
    """The role of a step as one of these bits; 0 if it is unknown."""
    resolved = step.resolved_type
    if resolved is KeywordType.ACTION:  # enumeration members are slow to hash
        return ACTION
    if resolved is KeywordType.OUTCOME:
        return OUTCOME
    return CONTEXT if resolved is KeywordType.CONTEXT else 0


@dataclass(frozen=True, slots=True)
class SuiteFiles:
    """A suite that is not read yet."""

    root: str
    paths: tuple[str, ...]
    """Feature files, sorted."""
    glue: tuple[str, ...] = ()
    """As `Suite.glue`."""

    @property
    def size(self) -> int:
        """The total size of its feature files in bytes."""
        return sum(map(_size, self.paths))


def find_suites(
    paths: Sequence[str | Path],
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    across: bool = False,
    roots: Sequence[str | Path] = (),
    listings: Listings | None = None,
) -> list[SuiteFiles]:
    """The suites below `paths`, by root; with `across`, one suite at the folder around the paths.

    `roots`: the roots of suites without a configuration, if they are not `paths`. `listings` knows what is below
    folders. Raises `CukereuseError` for a path that does not exist.
    """
    names = discover(paths, suffixes=FEATURE_SUFFIXES, include=include, exclude=exclude, listings=listings)
    groups = {_around(paths): names} if across else group_by_suite(names, roots or paths)
    glue = tuple(dict.fromkeys(glue_root(str(path)) for path in paths)) if across else ()
    return [SuiteFiles(root, tuple(group), glue) for root, group in groups.items()]


def read_found(
    suites: Sequence[SuiteFiles], *, jobs: int | None = None, use_cache: bool = True, progress: Progress = SILENT
) -> list[Suite]:
    """The same suites with their files read, all together. Raises `Cancelled` when `progress` does."""
    names = [name for suite in suites for name in suite.paths]
    read = iter(read_files(names, jobs=jobs, cache=parse_cache() if use_cache else None, progress=progress))
    return [Suite.of(suite.root, list(islice(read, len(suite.paths))), suite.glue) for suite in suites]


def read_suites(
    paths: Sequence[str | Path],
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    across: bool = False,
    roots: Sequence[str | Path] = (),
    jobs: int | None = None,
    use_cache: bool = True,
    listings: Listings | None = None,
    progress: Progress = SILENT,
) -> list[Suite]:
    """`find_suites`, with all suites read. Raises `Cancelled` when `progress` does."""
    suites = find_suites(paths, include=include, exclude=exclude, across=across, roots=roots, listings=listings)
    return read_found(suites, jobs=jobs, use_cache=use_cache, progress=progress)


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)  # noqa: PTH202
    except (OSError, ValueError):
        return 0


def _around(paths: Sequence[str | Path]) -> str:
    """The folder that contains all of the paths, relative if they are."""
    if len(paths) == 1:
        return str(paths[0])
    given = [os.path.normpath(path) for path in paths]
    try:
        common = os.path.commonpath(given)
        return common or os.path.relpath(os.path.commonpath([os.path.abspath(path) for path in given]))  # noqa: PTH100
    except ValueError:  # some are absolute and some are not, or on other drives
        try:
            return os.path.commonpath([os.path.abspath(path) for path in given])  # noqa: PTH100
        except ValueError:
            return given[0]
