"""The steps that step definitions serve at one commit."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from cukereuse_engine.functions.relations import passed_by_name
from cukereuse_engine.gherkin.feature import FeatureFile, KeywordType, Step
from cukereuse_engine.git import GitRepository
from cukereuse_engine.glue.definition import Match
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.sources import ReadSources
from cukereuse_engine.history.drift import Argument, Uses
from cukereuse_engine.history.lineages import DefinitionVersion
from cukereuse_engine.history.revision import laid_out
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.scanning.loading import load_glue
from cukereuse_engine.scanning.suite import read_suites
from cukereuse_engine.settings import Settings

Place = tuple[str, int, str]
"""Path in the repository, line, expression of a definition."""


MIN_CONSTANT = 5
"""Steps that pass the same value for it make an argument a constant: part of the wording."""


@dataclass(slots=True)
class _Argument:
    values: set[str | None] = field(default_factory=set)
    is_repeated: bool = True

    def add(self, value: str | None, *, is_repeated: bool) -> None:
        self.values.add(value)
        self.is_repeated &= is_repeated


@dataclass(slots=True)
class _Count:
    """What is counted of one definition."""

    steps: int = 0
    outcomes: int = 0
    files: set[str] = field(default_factory=set)
    suites: set[str] = field(default_factory=set)
    texts: Counter[str] = field(default_factory=Counter)
    arguments: dict[Argument, _Argument] = field(default_factory=lambda: defaultdict(_Argument))

    def add(self, step: Step, suite: str, matches: Iterable[Match], takers: Mapping[str, set[str]]) -> None:
        """Count a step with its matches, one for each Examples row. `takers`: the definitions that get a value in the
        step's scenario."""
        self.steps += 1
        self.outcomes += step.resolved_type is KeywordType.OUTCOME
        self.files.add(step.path)
        self.suites.add(suite)
        self.texts[step.text] += 1
        for match in matches:
            by_name = passed_by_name(match.definition, [argument.name for argument in match.arguments])
            for place, argument in enumerate(match.arguments):
                others = takers.get(argument.value or "", set()) - {match.definition.id}
                self.arguments[argument.name if by_name else place].add(argument.value, is_repeated=bool(others))

    def uses(self) -> Uses:
        text = min(self.texts, key=lambda text: (-self.texts[text], text))
        arguments = self.arguments.items()
        repeated = frozenset(key for key, argument in arguments if argument.is_repeated)
        constant = frozenset(key for key, argument in arguments if len(argument.values) == 1)
        return Uses(
            self.steps,
            len(self.files),
            self.outcomes,
            text,
            frozenset(self.suites),
            repeated,
            constant if self.steps >= MIN_CONSTANT else frozenset(),
        )


def uses_at(
    repository: GitRepository,
    commit: str,
    settings: Settings | None = None,
    *,
    use_cache: bool = True,
    progress: Progress = SILENT,
) -> dict[Place, Uses]:
    """The uses in the repository. Raises `CukereuseError` if git lacks an object, `Cancelled` when `progress` does."""
    settings = settings or Settings()
    counts: dict[Place, _Count] = defaultdict(_Count)
    with laid_out(repository, commit, progress, lenient=True) as folder:
        read = ReadSources()
        suites = read_suites([folder], jobs=settings.jobs or None, use_cache=use_cache, progress=progress)
        with progress.stage("binding steps", len(suites), "suites") as stage:
            for suite in suites:
                root = Path(suite.root).relative_to(folder).as_posix()
                glue = load_glue(suite, settings, use_cache=use_cache, read=read, progress=progress)
                for step, by_definition, takers in _steps(suite.files, glue) if glue.definitions else ():
                    for matches in by_definition.values():
                        definition = matches[0].definition
                        place = _place(folder, definition.path, definition.line, definition.shown)
                        counts[place].add(step, root, matches, takers)
                stage.advance()
    return {place: count.uses() for place, count in counts.items()}


def _steps(
    files: Iterable[FeatureFile], glue: Glue
) -> Iterator[tuple[Step, Mapping[str, list[Match]], Mapping[str, set[str]]]]:
    """Each step with its matches by definition, and the definitions that get a value in its scenario, by the value."""
    for file in files:
        bound = [(step, _run_by(step, glue)) for step in file.steps]
        first = [each for each in bound if each[0].is_background]
        for _, group in groupby(bound, lambda each: each[0].scenario_line):
            scenario = list(group)
            takers: dict[str, set[str]] = defaultdict(set)
            for match in (match for _, matches in [*first, *scenario] for match in matches):
                for argument in match.arguments:
                    if argument.value:
                        takers[argument.value].add(match.definition.id)
            for step, matches in scenario:
                by_definition: dict[str, list[Match]] = defaultdict(list)
                for match in matches:
                    by_definition[match.definition.id].append(match)
                yield step, by_definition, takers


def _run_by(step: Step, glue: Glue) -> list[Match]:
    """The matches of a step, with every Examples row, without definitions whose runner ignores its scenario, by a tag
    of its own."""
    is_ignored = "@ignore" in map(str.lower, step.tags)
    matches = [match for text in glue.bind(step).texts for match in text.matches]
    return [each for each in matches if not (is_ignored and each.definition.framework in ("specflow", "reqnroll"))]


def _place(folder: Path, path: str, line: int, expression: str) -> Place:
    return Path(path).relative_to(folder).as_posix(), line, expression


def place_of(version: DefinitionVersion) -> Place:
    return version.path, version.state.line, version.state.expression
