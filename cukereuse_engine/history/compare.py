"""What a branch adds to and removes from the findings of its suites: both versions are scanned in the same way.

The other version is the commit at which HEAD left the named revision, so that later changes there do not count.
Settings of the work tree apply to both.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from msgspec import structs

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.findings.finding import Finding, Place, Subject
from cukereuse_engine.findings.messages import renamed
from cukereuse_engine.gherkin.feature import FeatureFile
from cukereuse_engine.git import GitRepository
from cukereuse_engine.glue.definition import SourceSpan, StepDefinition
from cukereuse_engine.history.gone import Gone, Read
from cukereuse_engine.history.revision import laid_out
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.scanning.result import Comparison, GoneFinding, How, ScanResult, SuiteScan
from cukereuse_engine.settings import Settings
from cukereuse_engine.suppression.baseline import Baseline, new_errors

SettingsOf = Callable[[str], Settings]
Scan = Callable[[Sequence[Path], SettingsOf], ScanResult]
"""Scans paths, with settings by the root of a suite."""


def compared(
    now: ScanResult,
    paths: Sequence[Path],
    ref: str,
    scan: Scan,
    settings_of: SettingsOf,
    *,
    baseline: Baseline | None = None,
    progress: Progress = SILENT,
) -> ScanResult:
    """`now`, the scan of the present `paths`, without the findings and errors that `ref` had.

    `scan` scans the other version. `baseline`: findings to ignore in both. Raises `CukereuseError` if the paths are not
    in one git repository or git does not know `ref`; `Cancelled` when `progress` does.
    """
    repository = _repository(paths)
    commit = repository.merge_base(ref)
    suites = suites_at(repository, commit, paths, scan, settings_of, baseline=baseline, progress=progress)
    changed = _Changed(repository.root, repository.differing(commit, deleted=True))
    mine, others = Baseline.of(_findings(now.suites)), Baseline.of(_findings(suites))
    lost, moved_too = _only_new(suites, mine, changed)
    went = Gone(suites, now.suites, _reading_at(repository, commit), _read)
    silenced = Baseline.of(finding for suite in now.suites for finding in suite.silenced)
    gone = tuple(each for suite in lost for finding in suite.findings for each in _gone(finding, suite, silenced, went))
    unread = Baseline.of((), (error for suite in suites for error in suite.errors))
    after, moved = _only_new(now.suites, others, changed)
    after = tuple(replace(suite, files=new_errors(suite.files, unread)) for suite in after)
    return replace(now, suites=after, comparison=Comparison(ref, commit, suites, gone, moved + moved_too))


def _gone(finding: Finding, suite: SuiteScan, silenced: Baseline, went: Gone) -> Iterator[GoneFinding]:
    """Yields how a finding went: what is silenced now, and the rest."""
    yield from (GoneFinding(each, suite, went.how(each, suite)) for each in silenced.new((finding,)))
    yield from (GoneFinding(each, suite, How.SILENCED) for each in silenced.known((finding,)))


def _read(path: str) -> bytes | None:
    try:
        return Path(path).read_bytes()
    except OSError:
        return None


def _reading_at(repository: GitRepository, commit: str) -> Read:
    root = repository.root.resolve()

    @cache
    def ids() -> dict[str, str]:  # git takes seconds for a large repository
        return {blob.path: blob.id for blob, _ in repository.sizes(commit)}

    def read(path: str) -> bytes | None:
        id_ = ids().get(os.path.relpath(os.path.realpath(path), root).replace(os.sep, "/"))
        return next((data for _, data in repository.contents([id_], lenient=True)), None) if id_ is not None else None

    return read


def suites_at(
    repository: GitRepository,
    commit: str,
    paths: Sequence[Path],
    scan: Scan,
    settings_of: SettingsOf,
    *,
    baseline: Baseline | None = None,
    progress: Progress = SILENT,
) -> tuple[SuiteScan, ...]:
    """A scan of the `paths` in a commit, without what a baseline has; none if the commit has none of them. Places are
    named as in the work tree. Otherwise as `compared`."""
    with laid_out(repository, commit, progress) as folder:
        layout = _Layout(repository.root.resolve(), folder)
        there = [place for place in map(layout.there, paths) if place.exists()]
        found = scan(there, lambda root: layout.settings(settings_of(layout.here(root)))) if there else None
        suites = tuple(layout.suite(suite) for suite in found.suites) if found is not None else ()
    if baseline is None:
        return suites
    return tuple(
        replace(suite, findings=baseline.new(suite.findings), files=new_errors(suite.files, baseline))
        for suite in suites
    )


def _repository(paths: Sequence[Path]) -> GitRepository:
    repositories = {
        str(repository.root): repository
        for repository in (GitRepository(path, "--compare needs one.") for path in paths)
    }
    if len(repositories) > 1:
        raise CukereuseError("--compare needs paths in one repository", f"These are in {' and '.join(repositories)}.")
    return next(iter(repositories.values()))


def _findings(suites: Iterable[SuiteScan]) -> Iterable[Finding]:
    return (finding for suite in suites for finding in suite.findings)


def _only_new(
    suites: tuple[SuiteScan, ...], baseline: Baseline, changed: "_Changed"
) -> tuple[tuple[SuiteScan, ...], int]:
    """The suites with findings only that are not known and that a change concerns; and how many no change concerns."""
    suites_left, elsewhere = [], 0
    for suite in suites:
        new = baseline.new(suite.findings)
        here = tuple(finding for finding in new if changed.concerns(finding))
        elsewhere += len(new) - len(here)
        suites_left.append(replace(suite, findings=here))
    return tuple(suites_left), elsewhere


class _Changed:
    """The files that differ between the versions."""

    def __init__(self, root: Path, names: Iterable[str]) -> None:
        self._files = {os.path.realpath(root / name) for name in names}

    def concerns(self, finding: Finding) -> bool:
        places = {place.path for subject in finding.subjects for place in subject.places}
        paths = places.union(definition.path for definition in finding.definitions)
        return any(os.path.realpath(path) in self._files for path in paths)


@dataclass(frozen=True, slots=True)
class _Layout:
    """The work tree's root, and the folder that contains the other version."""

    root: Path
    folder: Path

    def there(self, path: Path) -> Path:
        return self.folder / Path(os.path.realpath(path)).relative_to(self.root)

    def here(self, path: str) -> str:
        """A path in the work tree's style: relative to the working folder if it is below."""
        real = os.path.realpath(path)
        try:
            below = Path(real).relative_to(self.folder)
        except ValueError:
            return path
        place = self.root / below
        try:
            return str(place.relative_to(Path.cwd().resolve())) or "."
        except ValueError:
            return str(place)

    def settings(self, settings: Settings) -> Settings:
        """Settings whose paths to step definitions lead into the other version, as far as it has them."""
        there = (self.there(Path(path)) if self._is_inside(path) else Path(path) for path in settings.glue)
        return replace(settings, glue=tuple(str(path) for path in there if path.exists()))

    def _is_inside(self, path: str) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(self.root)

    def suite(self, suite: SuiteScan) -> SuiteScan:
        return replace(
            suite,
            root=self.here(suite.root),
            files=tuple(self._file(file) for file in suite.files),
            findings=tuple(self._finding(finding) for finding in suite.findings),
        )

    def _file(self, file: FeatureFile) -> FeatureFile:
        errors = tuple(replace(error, path=self.here(error.path)) for error in file.errors)
        return replace(file, path=self.here(file.path), errors=errors)

    def _finding(self, finding: Finding) -> Finding:
        preferred = self._subject(finding.preferred) if finding.preferred is not None else None
        message = renamed(finding.message, (definition.path for definition in finding.definitions), self.here)
        return replace(finding, message=message, others=tuple(map(self._subject, finding.others)), preferred=preferred)

    def _subject(self, subject: Subject) -> Subject:
        definitions = tuple(map(self._definition, subject.definitions))
        return replace(subject, places=tuple(map(self._place, subject.places)), definitions=definitions)

    def _place(self, place: Place) -> Place:
        step = structs.replace(place.step, path=self.here(place.step.path)) if place.step is not None else None
        return replace(place, path=self.here(place.path), step=step)

    def _definition(self, definition: StepDefinition) -> StepDefinition:
        function = self._span(definition.function) if definition.function is not None else None
        return replace(definition, literal=self._span(definition.literal), function=function)

    def _span(self, span: SourceSpan) -> SourceSpan:
        return replace(span, path=self.here(span.path))
