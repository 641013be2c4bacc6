"""Searches repositories for drift, and reads the code of both sides."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from textwrap import dedent

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.git import GitRepository
from cukereuse_engine.history.definitions import ignored_arguments
from cukereuse_engine.history.drift import Drift, Uses
from cukereuse_engine.history.drifted import drifted
from cukereuse_engine.history.lineages import DefinitionVersion, Past, past
from cukereuse_engine.history.neighbours import gained_neighbours
from cukereuse_engine.history.uses import Place, place_of, uses_at
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.settings import Settings
from cukereuse_engine.storage.blob_store import BlobStore

MOST_CHARACTERS = 6_000
"""Maximum length of one function's source."""


@dataclass(frozen=True, slots=True)
class DriftFinding:
    """A drift, with the sources of both functions."""

    drift: Drift
    code: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Survey:
    repositories: tuple[str, ...]
    definitions: int
    commits: int
    """That changed a source of step definitions."""
    findings: tuple[DriftFinding, ...]
    """The most worth looking at first."""


def past_cache() -> BlobStore:
    """The cache of what sources defined at any time, in the user's cache folder."""
    return BlobStore("past.sqlite")


def survey(
    folders: Sequence[str],
    *,
    ref: str = "HEAD",
    since: str | None = None,
    settings: Settings | None = None,
    use_cache: bool = True,
    progress: Progress = SILENT,
) -> Survey:
    """The drift in the repositories around `folders`, and between them, up to `ref`; `since`: only changes after that
    revision. Definitions below the folders count. Nothing is checked out or run.

    Raises `CukereuseError` if a folder is in no repository or git does not know a revision; `Cancelled` when `progress`
    does.
    """
    settings = settings or Settings()
    repositories = _repositories(folders)
    pasts: dict[str, Past] = {}
    ends: dict[str, str] = {}
    recent: set[str] = set()
    for name, repository in repositories.items():
        commit = repository.resolve(ref)
        store = past_cache() if use_cache else None
        pasts[name] = past(repository, commit, jobs=settings.jobs or None, cache=store, progress=progress)
        ends[name] = commit
        if since is not None:
            after = repository.resolve_since(since, commit)
            recent.update(each.id for each in repository.commits(commit, after=after))

    @cache
    def uses(name: str) -> dict[Place, Uses]:
        """Read only for repositories with possible drift, because it reads the whole suite."""
        return uses_at(repositories[name], ends[name], settings, use_cache=use_cache, progress=progress)

    findings = findings_of(pasts, lambda name, version: uses(name).get(place_of(version), Uses()))
    if since is not None:
        findings = [each for each in findings if each.drift.commit is not None and each.drift.commit.id in recent]
    definitions = sum(len(past.lineages) for past in pasts.values())
    commits = sum(len(past.commits) for past in pasts.values())
    return Survey(tuple(repositories), definitions, commits, tuple(findings))


def findings_of(pasts: dict[str, Past], uses: Callable[[str, DefinitionVersion], Uses]) -> list[DriftFinding]:
    """The findings in pasts, by the names of repositories. `uses`: of a present definition, by its repository."""
    suites = _Surveyed(pasts, uses)
    findings = (
        DriftFinding(drift, (left, right))
        for drift in drifted(pasts, suites)
        for left, right in [[suites.code(side.repository, side.version) for side in drift.sides]]
    )
    return list(filter(_is_seen, findings))


class _Surveyed:
    def __init__(self, pasts: dict[str, Past], uses: Callable[[str, DefinitionVersion], Uses]) -> None:
        self._pasts = pasts
        self.uses = uses

    def code(self, repository: str, version: DefinitionVersion) -> str:
        return source_of(version, self._source(repository, version))

    def gained_neighbours(self, repository: str, version: DefinitionVersion) -> bool:
        source = self._source(repository, version)
        return gained_neighbours(self._pasts[repository].repository, version, source)

    def arguments(self, repository: str, version: DefinitionVersion) -> list[tuple[str, bool]]:
        return ignored_arguments(version.path, self._source(repository, version), version.state)

    def _source(self, repository: str, version: DefinitionVersion) -> bytes:
        return next(iter(self._pasts[repository].repository.contents([version.blob])))[1]


def _repositories(folders: Sequence[str]) -> dict[str, GitRepository]:
    """Repositories by the names of their folders; those of one name by their paths."""
    hint = "Drift needs the history of a git repository."
    repositories: dict[str, GitRepository] = {}
    for repository in (GitRepository(folder, hint) for folder in folders):
        same = next((earlier for earlier in repositories.values() if earlier.root == repository.root), None)
        if same is not None and same.prefix != repository.prefix:
            raise CukereuseError(f"{repository.root} is given twice", "Name one folder of each repository.")
        name = PurePath(repository.root).name
        repositories[name if name not in repositories or same is not None else str(repository.root)] = repository
    return repositories


def _is_seen(finding: DriftFinding) -> bool:
    """True if the sides differ in the shown code, and not only in a helper."""
    left, right = finding.code
    return left.split() != right.split()


def source_of(version: DefinitionVersion, data: bytes) -> str:
    """The source of a definition's function in one version, from the beginning of its line."""
    state = version.state
    start = data.rfind(b"\n", 0, state.start) + 1
    text = data[start : state.end].decode("utf-8", "replace").replace("\r\n", "\n").expandtabs(4)
    shown = dedent(text).strip("\n")
    return shown if len(shown) <= MOST_CHARACTERS else f"{shown[:MOST_CHARACTERS]}…"
