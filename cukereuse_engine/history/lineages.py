"""The step definitions at a commit, each with its earlier versions: matched by wording and place, not by lines.

Follows only the histories of sources that define steps. If a commit adds such a source, the definitions that it removes
elsewhere are followed too, so that a moved definition keeps its past.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from cukereuse_engine.gherkin.walk import by_names
from cukereuse_engine.git import Blob, Commit, CommitChange, GitRepository
from cukereuse_engine.glue.languages.base import suffixes
from cukereuse_engine.history.definitions import DefinitionState, may_define, read_versions
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.storage.blob_store import Blobs

MIN_WEIGHT = 4
"""Names that a function must say to be recognised by what it does alone."""
_MOST_REMOVED_FILES = 300
"""If a commit removed more files, their past is not looked for."""


@dataclass(frozen=True, slots=True)
class DefinitionVersion:
    """A step definition from one commit on."""

    since: int
    """Number of the commit, oldest first."""
    commit: Commit
    path: str
    blob: str
    """The last one that has it so."""
    state: DefinitionState


@dataclass(eq=False)
class Lineage:
    """One step definition over time."""

    versions: list[DefinitionVersion] = field(default_factory=list)
    """Oldest first; a new one where its form, wording or path changed."""
    seen: DefinitionVersion | None = None
    """The last version that was seen."""

    @property
    def now(self) -> DefinitionVersion:
        return self.versions[-1]

    def at(self, number: int) -> DefinitionVersion | None:
        """The version after the commit of that number; None if there was none yet."""
        return next((version for version in reversed(self.versions) if version.since <= number), None)


@dataclass(frozen=True, slots=True)
class Past:
    repository: GitRepository
    commits: tuple[Commit, ...]
    """That changed a source of step definitions, oldest first."""
    lineages: tuple[Lineage, ...]
    """Lineages of the definitions at the end, by path and line."""


def past(
    repository: GitRepository,
    ref: str,
    *,
    jobs: int | None = None,
    cache: Blobs | None = None,
    progress: Progress = SILENT,
) -> Past:
    """The past of a repository. Raises `CukereuseError` if git lacks an object, `Cancelled` when `progress` does."""
    commit = repository.resolve(ref)
    sources = repository.files(commit, suffixes(), by_names())
    now = _read(repository, sources, jobs, cache, progress)
    changes = _changes(repository, commit, [blob.path for blob in sources if blob.id in now], progress)
    blobs = {blob.id: blob for change in changes for blob in change.files if blob.id}
    states = _read(repository, list(blobs.values()), jobs, cache, progress)
    lineages = _followed(changes, states)
    wanted = tuple(blob.path for blob in sources)
    inside = frozenset(wanted)
    kept = [lineage for lineage in lineages if lineage.now.path in inside]
    kept.sort(key=lambda lineage: (lineage.now.path, lineage.now.state.line, lineage.now.state.start))
    return Past(repository, tuple(change.commit for change in changes), tuple(kept))


def _read(
    repository: GitRepository, blobs: Sequence[Blob], jobs: int | None, cache: Blobs | None, progress: Progress
) -> dict[str, list[DefinitionState]]:
    pairs = list({blob.id: blob.path for blob in blobs}.items())
    contents = repository.contents((id_ for id_, _ in pairs), lenient=True)
    return read_versions(pairs, contents, jobs=jobs, cache=cache, progress=progress)


def _changes(repository: GitRepository, ref: str, paths: Iterable[str], progress: Progress) -> list[CommitChange]:
    """The changes of the files at `paths` and of those from which they came."""
    followed: set[str] = set()
    waiting = sorted(set(paths))
    files: dict[str, dict[str, Blob]] = {}
    commits: dict[str, Commit] = {}
    asked: set[str] = set()
    with progress.stage("reading history", None, "commits") as stage:
        while waiting:
            followed.update(waiting)
            came: set[str] = set()
            for change in repository.changes(ref, waiting):
                commits[change.commit.id] = change.commit
                files.setdefault(change.commit.id, {}).update((blob.path, blob) for blob in change.files)
                if change.added:
                    came.add(change.commit.id)
                stage.advance()
            waiting = []
            for id_ in sorted(came - asked):
                removed = [blob for blob in repository.removed(id_, suffixes()) if blob.path not in followed]
                if len(removed) <= _MOST_REMOVED_FILES:
                    contents = repository.contents((blob.id for blob in removed), lenient=True)
                    waiting += [
                        blob.path
                        for blob, (_, data) in zip(removed, contents, strict=True)
                        if may_define(blob.path, data)
                    ]
            asked |= came
            waiting = sorted(set(waiting))
    order = [commit.id for commit in repository.commits(ref)]
    return [CommitChange(commits[id_], tuple(files[id_].values()), frozenset()) for id_ in order if id_ in commits]


def _followed(changes: Sequence[CommitChange], states: Mapping[str, Sequence[DefinitionState]]) -> list[Lineage]:
    """The lineages alive after the last change."""
    alive: dict[str, list[Lineage]] = {}
    for number, change in enumerate(changes):
        gone: list[Lineage] = []
        come: list[DefinitionVersion] = []
        for blob in change.files:
            before = alive.pop(blob.path, [])
            after = [
                DefinitionVersion(number, change.commit, blob.path, blob.id, definition)
                for definition in states.get(blob.id, ())
            ]
            kept, left, new = _matched(before, after)
            if kept:
                alive[blob.path] = kept
            gone += left
            come += new
        for lineage, version in _moved(gone, come):
            _add(lineage, version)
            alive.setdefault(version.path, []).append(lineage)
        for version in come:
            alive.setdefault(version.path, []).append(Lineage([version], version))
    return [lineage for group in alive.values() for lineage in group]


def _matched(
    before: Sequence[Lineage], after: Sequence[DefinitionVersion]
) -> tuple[list[Lineage], list[Lineage], list[DefinitionVersion]]:
    """In one file: lineages that continue, lineages that end, and new versions. By wording, and its number there."""
    waiting: dict[str, list[Lineage]] = defaultdict(list)
    for lineage in before:
        waiting[_wording(lineage.seen or lineage.now)].append(lineage)
    kept: list[Lineage] = []
    new: list[DefinitionVersion] = []
    for version in after:
        same = waiting[_wording(version)]
        if same:
            lineage = same.pop(0)
            _add(lineage, version)
            kept.append(lineage)
        else:
            new.append(version)
    return kept, [lineage for group in waiting.values() for lineage in group], new


def _moved(gone: list[Lineage], come: list[DefinitionVersion]) -> Iterator[tuple[Lineage, DefinitionVersion]]:
    """Definitions that one commit moved to another place: matched by wording, then by what the function does. Matched
    items are removed from both lists."""
    for key in (_wording, _form):
        by_key: dict[str, list[Lineage]] = defaultdict(list)
        for lineage in gone:
            by_key[key(lineage.seen or lineage.now)].append(lineage)
        for version in list(come):
            version_key = key(version)
            candidates = by_key.get(version_key, []) if version_key else []
            if candidates:
                best = min(
                    candidates, key=lambda candidate: _distance((candidate.seen or candidate.now).path, version.path)
                )
                candidates.remove(best)
                gone.remove(best)
                come.remove(version)
                yield best, version


def _wording(version: DefinitionVersion) -> str:
    return version.state.wording.lower()


def _form(version: DefinitionVersion) -> str:
    return version.state.form if version.state.weight >= MIN_WEIGHT else ""


def _distance(path: str, other: str) -> tuple[bool, bool]:
    return path != other, PurePosixPath(path).name != PurePosixPath(other).name


def _add(lineage: Lineage, version: DefinitionVersion) -> None:
    last = lineage.now
    lineage.seen = version
    if not version.state.is_known and version.path == last.path:
        return  # a function that could not be read proves nothing
    same = last.state.form == version.state.form and last.path == version.path
    if same and _wording(last) == _wording(version):
        lineage.versions[-1] = replace(last, blob=version.blob, state=version.state)
    else:
        lineage.versions.append(version)
