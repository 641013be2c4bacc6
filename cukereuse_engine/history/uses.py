"""The steps that step definitions serve at one commit."""

from collections import Counter, defaultdict
from pathlib import Path

from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.git import GitRepository
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.sources import ReadSources
from cukereuse_engine.history.drift import Uses
from cukereuse_engine.history.lineages import DefinitionVersion
from cukereuse_engine.history.revision import laid_out
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.scanning.loading import load_glue
from cukereuse_engine.scanning.suite import read_suites
from cukereuse_engine.settings import Settings

Place = tuple[str, int, str]
"""Path in the repository, line, expression of a definition."""


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
    steps: Counter[Place] = Counter()
    outcomes: Counter[Place] = Counter()
    files: dict[Place, set[str]] = defaultdict(set)
    texts: dict[Place, Counter[str]] = defaultdict(Counter)
    suites_of: dict[Place, set[str]] = defaultdict(set)
    with laid_out(repository, commit, progress, lenient=True) as folder:
        read = ReadSources()
        suites = read_suites([folder], jobs=settings.jobs or None, use_cache=use_cache, progress=progress)
        with progress.stage("binding steps", len(suites), "suites") as stage:
            for suite in suites:
                root = Path(suite.root).relative_to(folder).as_posix()
                glue = load_glue(suite, settings, use_cache=use_cache, read=read, progress=progress)
                for text in suite.texts if glue.definitions else ():
                    group = suite.steps[text.identity]
                    for step in group:
                        for definition in _run_by(step, glue):
                            place = _place(folder, definition.path, definition.line, definition.shown)
                            steps[place] += 1
                            outcomes[place] += step.resolved_type is KeywordType.OUTCOME
                            files[place].add(step.path)
                            suites_of[place].add(root)
                            texts[place][text.text] += 1
                stage.advance()
    return {
        place: Uses(
            count,
            len(files[place]),
            outcomes[place],
            min(texts[place], key=lambda text: (-texts[place][text], text)),
            frozenset(suites_of[place]),
        )
        for place, count in steps.items()
    }


def _run_by(step: Step, glue: Glue) -> list[StepDefinition]:
    """The definitions of a step, without those whose runner ignores its scenario, by a tag of its own."""
    is_ignored = "@ignore" in map(str.lower, step.tags)
    bound = glue.bind(step).definitions
    return [each for each in bound if not (is_ignored and each.framework in ("specflow", "reqnroll"))]


def _place(folder: Path, path: str, line: int, expression: str) -> Place:
    return Path(path).relative_to(folder).as_posix(), line, expression


def place_of(version: DefinitionVersion) -> Place:
    return version.path, version.state.line, version.state.expression
