"""`repos.csv` -> clones of the feature files, and `clone_manifest.jsonl`.

Each clone is blobless, shallow and sparse: one commit of the history, and only the requested files of the tree. A
repository that can't be cloned is a row of the manifest and does not end the run. A clone stays at its commit, however
the list changes, until an update is requested. Nothing of a repository is executed (`support.git`).
"""

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

from corpus_tools.support.checkpoint import NO_ROOM, CheckpointedStage, unit
from corpus_tools.support.files import CONFIGURATION, FEATURES, GLUE, SUITES
from corpus_tools.support.git import Git, GitFailed
from corpus_tools.support.repositories import (
    CLONES,
    MANIFEST,
    REPOSITORIES,
    Clone,
    ListedRepository,
    as_row,
    read_manifest,
    read_repositories,
    slug,
    write_manifest,
)
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.progress import SILENT, Progress, Stage
from cukereuse_engine.storage import write_atomically


@dataclass(frozen=True, slots=True)
class MaterialiseOptions:
    glue: bool = False
    """True to clone sources of step definitions too, and files that tell the runner. A clone with them keeps them."""
    seconds: float = 300.0
    """Time limit for one repository."""
    maximum_files: int = 50_000
    """Maximum number of one repository's files."""
    maximum_kb: int = 1_000_000
    jobs: int = 4


def materialise(
    corpus: Path,
    options: MaterialiseOptions = MaterialiseOptions(),
    *,
    commits: Mapping[str, str] | None = None,
    local: Sequence[Clone] | None = None,
    retry: bool = False,
    update: bool = False,
    progress: Progress = SILENT,
) -> list[Clone]:
    """Clone every repository of `repos.csv`. Returns the manifest in the order of that file, then the checkouts `local`
    (None: those in the manifest).

    `commits` pins repositories by name; others are cloned at their default branch's head, and stay at the commit of an
    earlier run. `retry` repeats those that were not "ok", `update` requests the present head of all that are not
    pinned. Raises `CukereuseError` without git, or if there is nothing to clone.
    """
    output = corpus / MANIFEST
    before = read_manifest(output) if output.is_file() else []
    checkouts = local if local is not None else _local(before)
    wanted = _wanted(corpus / REPOSITORIES, commits or {}, may_lack=bool(checkouts))
    repositories = [want.key for want in wanted]
    key = {"repositories": repositories, "local": list(map(as_row, checkouts)), "glue": options.glue}
    stage = CheckpointedStage(corpus, "materialise", key, of_parts={})
    if stage.complete() and not retry and not update:
        return before
    with progress.stage("cloning", len(wanted), "repositories") as watched:
        wanted = [want.as_known(stage, corpus / CLONES) for want in wanted]
        missing = [want for want in wanted if want.is_to_clone(glue=options.glue, retry=retry, update=update)]
        watched.advance(len(wanted) - len(missing))
        if missing and shutil.which("git") is None:
            raise CukereuseError("git is not installed", "Cloning needs git.")
        fresh = _by_name(_cloned(missing, stage, corpus / CLONES, options, update=update), watched)
    manifest = [*(want.now(fresh) for want in wanted), *checkouts]
    write_manifest(output, manifest)
    stage.finish([output], keep={want.part(stage) for want in wanted})
    return manifest


def _local(clones: Iterable[Clone]) -> list[Clone]:
    """The user's own checkouts."""
    return [clone for clone in clones if clone.folder]


def _by_name(clones: Iterable[Clone], watched: Stage) -> dict[str, Clone]:
    by_name = {}
    for clone in clones:
        by_name[clone.full_name] = clone
        watched.advance()
    return by_name


def _cloned(
    missing: Sequence["_Wanted"], stage: CheckpointedStage, folder: Path, options: MaterialiseOptions, *, update: bool
) -> Iterator[Clone]:
    """Yields each clone as soon as it is complete."""
    pool = ThreadPoolExecutor(options.jobs)
    try:
        futures = [pool.submit(_unit, stage, folder, want, options, update) for want in missing]
        for future in as_completed(futures):
            yield future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A repository to clone: a unit."""

    repository: ListedRepository
    commit: str | None
    """The commit to which it is pinned, if any."""
    known: Clone | None = None
    """The clone of an earlier run."""

    @property
    def key(self) -> list[str]:
        return [self.repository.full_name, self.repository.clone_url, self.commit or ""]

    def is_to_clone(self, *, glue: bool, retry: bool, update: bool) -> bool:
        """True if no earlier run has cloned it, if its glue is missing, or if it is requested again."""
        if self.known is None:
            return True
        is_ok = self.known.status == "ok"
        return (glue and is_ok and not self.known.glue) or (retry and not is_ok) or (update and self.commit is None)

    def as_known(self, stage: CheckpointedStage, clones: Path) -> "_Wanted":
        """The unit with the clone of an earlier run, if any."""
        return replace(self, known=_earlier_clone(self.part(stage), clones))

    def target(self, *, update: bool) -> str | None:
        """The commit to clone: where a clone stays, it is that of the clone; None for the head."""
        stays = self.known is not None and self.known.status == "ok" and not update
        return self.known.commit_sha if stays and self.known is not None else self.commit

    def now(self, fresh: Mapping[str, Clone]) -> Clone:
        clone = fresh.get(self.repository.full_name, self.known)
        assert clone is not None
        return clone

    def part(self, stage: CheckpointedStage) -> Path:
        return stage.part(f"{unit(slug(self.repository.full_name), *self.key)}.json")


def _wanted(listed: Path, commits: Mapping[str, str], *, may_lack: bool) -> list[_Wanted]:
    """The repositories of `repos.csv`. Raises `CukereuseError` without that file, unless it `may_lack`."""
    repositories = read_repositories(listed) if listed.is_file() or not may_lack else []
    return [_Wanted(repository, commits.get(repository.full_name)) for repository in repositories]


def _earlier_clone(part: Path, clones: Path) -> Clone | None:
    try:
        clone = Clone(**json.loads(part.read_bytes()))
    except (OSError, TypeError, ValueError):
        return None
    return clone if clone.status != "ok" or (clones / slug(clone.full_name)).is_dir() else None


def _unit(stage: CheckpointedStage, clones: Path, wanted: _Wanted, options: MaterialiseOptions, update: bool) -> Clone:
    clone = clone_one(clones, wanted.repository, wanted.target(update=update), options, wanted.known)
    write_atomically(wanted.part(stage), json.dumps(as_row(clone)).encode())
    return clone


def clone_one(
    clones: Path,
    repository: ListedRepository,
    commit: str | None,
    options: MaterialiseOptions,
    kept: Clone | None = None,
) -> Clone:
    """Clone one repository into `clones/OWNER__NAME`, without its `.git`. Never raises for the contents of a
    repository; raises `OSError` if the disk is full.

    If `kept` is "ok", the existing clone is kept, if it has all that is wanted of this commit, or can't be fetched.
    """
    name = repository.full_name
    folder = clones / slug(name)
    unfinished = clones / f".{slug(name)}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    old = kept if kept is not None and kept.status == "ok" else None
    options = replace(options, glue=options.glue or (old is not None and old.glue))
    sha = ""
    try:
        git = Git(unfinished, options.seconds)
        sha = _fetch(git, repository.clone_url, commit or "HEAD")
        if old is not None and (old.commit_sha, old.glue, old.error) == (sha, options.glue, ""):
            return old
        return _check_out(git, unfinished, folder, Clone(name, "ok", 0, 0, sha, ""), options)
    except GitFailed as error:
        if old is not None:
            return replace(old, error=f"still at this commit: {error.message}")
        return Clone(name, error.status, 0, 0, sha, error.message)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise
        return Clone(name, "failed", 0, 0, sha, str(error))
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _fetch(git: Git, address: str, commit: str) -> str:
    """Fetch one commit without its blobs. Returns its id; empty for the head of a repository that has no commits.
    Raises `GitFailed`."""
    git.begin()
    git.run("remote", "add", "origin", "--", address)
    # with a promisor remote, the checkout fetches all blobs that it needs at once
    git.run("config", "remote.origin.promisor", "true")
    git.run("config", "remote.origin.partialclonefilter", "blob:none")
    try:
        git.run("fetch", "-q", "--depth=1", "--filter=blob:none", "--no-tags", "origin", commit)
    except GitFailed as error:
        if "remote ref HEAD" not in error.message or git.run("ls-remote", "origin").strip():
            raise
        return ""
    return git.run("rev-parse", "FETCH_HEAD^{commit}").decode().strip()


def _check_out(git: Git, unfinished: Path, folder: Path, clone: Clone, options: MaterialiseOptions) -> Clone:
    """Write the files of a fetched commit. Raises `GitFailed`."""
    wanted = _feature_paths(git.run("ls-tree", "-r", "-z", "--name-only", clone.commit_sha)) if clone.commit_sha else []
    if not wanted:
        _remove(folder)
        problem = "" if clone.commit_sha else "the repository has no commits"
        return replace(clone, status="no-features", error=problem)
    if len(wanted) > options.maximum_files:
        problem = f"{len(wanted):,} feature files"
        return replace(clone, status="too-large", n_feature_files=len(wanted), error=problem)
    patterns = [*FEATURES, *SUITES, *(GLUE + CONFIGURATION if options.glue else ())]
    git.run("sparse-checkout", "set", "--no-cone", *patterns)
    problem = git.attempt("checkout", "-q", "--detach", clone.commit_sha)
    return _finish(unfinished, folder, clone, wanted, problem, options)


def _remove(folder: Path) -> None:
    """Remove a folder, or a link to one."""
    if folder.is_symlink():
        folder.unlink()
    else:
        shutil.rmtree(folder, ignore_errors=True)


def _finish(
    unfinished: Path, folder: Path, clone: Clone, wanted: Sequence[str], problem: str, options: MaterialiseOptions
) -> Clone:
    """Count the files of a clone, and move it to its folder."""
    shutil.rmtree(unfinished / ".git", ignore_errors=True)
    written = [path for path in unfinished.rglob("*") if path.is_file()]
    kilobytes = -(-sum(path.stat().st_size for path in written) // 1024)
    here = [name for name in wanted if os.path.lexists(unfinished / name)]
    row = (clone.full_name, len(here), kilobytes, clone.commit_sha)
    if not here:
        return Clone(row[0], "failed", *row[1:], problem or "no feature file could be written")
    if kilobytes > options.maximum_kb:
        return Clone(row[0], "too-large", *row[1:], f"{kilobytes:,} KiB")
    missing = [name for name in wanted if name not in set(here)]
    error = f"{len(missing)} paths could not be written, such as {missing[0]!r}" if missing else ""
    _remove(folder)
    unfinished.replace(folder)
    return Clone(row[0], "ok", *row[1:], error, glue=options.glue)


def _feature_paths(listing: bytes) -> list[str]:
    paths = [os.fsdecode(path) for path in listing.split(b"\0") if path]
    return [path for path in paths if path.lower().endswith((".feature", ".feature.md"))]
