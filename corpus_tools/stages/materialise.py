"""`repos.csv` -> clones of the feature files, and `clone_manifest.jsonl`.

Each clone is blobless, shallow and sparse: of the history one commit, of the tree only the files asked for. What can't
be had is a row of the manifest, never an end of the run. Nothing of a repository is executed: no hooks, no filters, no
submodules, no links.
"""

import contextlib
import errno
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

from corpus_tools.support.checkpoint import NO_ROOM, Stage, digest
from corpus_tools.support.repositories import (
    CLONES,
    MANIFEST,
    REPOSITORIES,
    Clone,
    Repository,
    read_manifest,
    read_repositories,
    slug,
    write_manifest,
)
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.storage import write_atomically

FEATURES = ("*.feature", "*.feature.md")
GLUE = ("*.py", "*.js", "*.mjs", "*.cjs", "*.jsx", "*.ts", "*.tsx", "*.mts", "*.cts", "*.java", "*.kt", "*.kts", "*.rb",
        "*.cs", "*.php", "*.go", "*.rs")  # fmt: skip
CONFIGURATION = ("cukereuse.toml", "pyproject.toml", "behave.ini", "setup.cfg", "tox.ini", "cucumber.*", "behat.*",
                 "*.csproj", "reqnroll.json", "specflow.json", "package.json", "Gemfile", "pom.xml", "go.mod",
                 "composer.json")  # fmt: skip
_GONE = ("not found", "does not exist", "not appear to be a git repository", "could not read username", "access denied",
         "authentication failed", "repository is disabled", "no such file or directory")  # fmt: skip
_FULL = ("no space left", "out of diskspace", "disk quota exceeded", "unable to write file", "failed to write")
"""What git complains of on a full disk; it goes on after some of them, with half a file."""
_SAFE = (
    "core.hooksPath=/dev/null",
    "core.symlinks=false",
    "core.autocrlf=false",
    "core.longpaths=true",
    "protocol.ext.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.detachedHead=false",
)


@dataclass(frozen=True, slots=True)
class MaterialiseOptions:
    glue: bool = False
    """Sources of step definitions too, and what says which runner is in use."""
    seconds: float = 300.0
    """For one repository."""
    maximum_files: int = 50_000
    """Of one repository, from which it is too large."""
    maximum_kb: int = 1_000_000
    jobs: int = 4


def materialise(
    corpus: Path,
    options: MaterialiseOptions = MaterialiseOptions(),
    *,
    commits: Mapping[str, str] | None = None,
    retry: bool = False,
    progress: Progress = SILENT,
) -> list[Clone]:
    """Clone every repository of `repos.csv`; gives the manifest, in the order of that file.

    `commits` pins repositories by name; others are taken at their default branch's head, and stay at the commit of an
    earlier run. `retry` tries again what was not "ok". Raises `CukereuseError` without git or `repos.csv`.
    """
    if shutil.which("git") is None:
        raise CukereuseError("git is not installed", "Materialising clones with it.")
    listed = corpus / REPOSITORIES
    repositories = read_repositories(listed)
    pinned = dict(commits or {})
    key = {"repositories": digest(listed), "glue": options.glue, "commits": sorted(pinned.items())}
    stage = Stage(corpus, "materialise", key)
    output = corpus / MANIFEST
    if stage.complete() and not retry:
        return read_manifest(output)
    if output.is_file() and stage.complete():
        for clone in read_manifest(output):
            if clone.status == "ok":
                write_atomically(stage.part(f"{slug(clone.full_name)}.json"), json.dumps(asdict(clone)).encode())
    clones: dict[str, Clone] = {}
    with progress.stage("cloning", len(repositories), "repositories") as watched:
        missing = []
        for repository in repositories:
            known = _known(stage.part(f"{slug(repository.full_name)}.json"), corpus / CLONES)
            if known is None:
                missing.append(repository)
            else:
                clones[repository.full_name] = known
                watched.advance()
        pool = ThreadPoolExecutor(options.jobs)
        try:
            futures = [
                pool.submit(_unit, stage, corpus / CLONES, one, pinned.get(one.full_name), options) for one in missing
            ]
            for future in as_completed(futures):
                clone = future.result()
                clones[clone.full_name] = clone
                watched.advance()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    manifest = [clones[repository.full_name] for repository in repositories]
    write_manifest(output, manifest)
    stage.finish([output])
    return manifest


def _known(part: Path, clones: Path) -> Clone | None:
    try:
        clone = Clone(**json.loads(part.read_bytes()))
    except (OSError, TypeError, ValueError):
        return None
    return clone if clone.status != "ok" or (clones / slug(clone.full_name)).is_dir() else None


def _unit(stage: Stage, clones: Path, repository: Repository, commit: str | None, options: MaterialiseOptions) -> Clone:
    clone = clone_one(clones, repository, commit, options)
    write_atomically(stage.part(f"{slug(repository.full_name)}.json"), json.dumps(asdict(clone)).encode())
    return clone


def clone_one(clones: Path, repository: Repository, commit: str | None, options: MaterialiseOptions) -> Clone:
    """One repository into `clones/OWNER__NAME`, without its `.git`. Never raises for what a repository is like; raises
    `OSError` where the disk is full."""
    name = repository.full_name
    folder = clones / slug(name)
    unfinished = clones / f".{slug(name)}.unfinished"
    for left in (folder, unfinished):
        shutil.rmtree(left, ignore_errors=True)
    unfinished.mkdir(parents=True)
    sha = ""
    try:
        git = _Git(unfinished, options.seconds)
        git.run("init", "-q")
        git.run("remote", "add", "origin", "--", repository.clone_url)
        # A promisor remote lets the checkout fetch the blobs that it needs, all at once.
        git.run("config", "remote.origin.promisor", "true")
        git.run("config", "remote.origin.partialclonefilter", "blob:none")
        git.run("fetch", "-q", "--depth=1", "--filter=blob:none", "--no-tags", "origin", commit or "HEAD")
        sha = git.run("rev-parse", "FETCH_HEAD^{commit}").decode().strip()
        wanted = _wanted(git.run("ls-tree", "-r", "-z", "--name-only", sha))
        if not wanted:
            return Clone(name, "no-features", 0, 0, sha, "")
        if len(wanted) > options.maximum_files:
            return Clone(name, "too-large", len(wanted), 0, sha, f"{len(wanted):,} feature files")
        patterns = [*FEATURES, *(GLUE + CONFIGURATION if options.glue else ())]
        git.run("sparse-checkout", "set", "--no-cone", *patterns)
        problem = git.attempt("checkout", "-q", "--detach", sha)
        return _finish(unfinished, folder, Clone(name, "ok", len(wanted), 0, sha, ""), wanted, problem, options)
    except _Failed as error:
        return Clone(name, error.status, 0, 0, sha, error.message)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise
        return Clone(name, "failed", 0, 0, sha, str(error))
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _finish(
    unfinished: Path, folder: Path, clone: Clone, wanted: Sequence[str], problem: str, options: MaterialiseOptions
) -> Clone:
    """Count what is there, and put it into its place."""
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
    unfinished.replace(folder)
    return Clone(row[0], "ok", *row[1:], error)


def _wanted(listing: bytes) -> list[str]:
    paths = [os.fsdecode(path) for path in listing.split(b"\0") if path]
    return [path for path in paths if path.endswith((".feature", ".feature.md"))]


class _Failed(Exception):  # noqa: N818 - becomes a row
    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class _Git:
    """git in one folder, all commands together within `seconds`, with nobody to ask."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self._folder = folder
        self._clock = time.monotonic
        self._end = time.monotonic() + seconds
        self._environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_LFS_SKIP_SMUDGE": "1",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "LC_ALL": "C",
        }

    def run(self, *arguments: str) -> bytes:
        """Its output. Raises `_Failed`."""
        output, problem = self._call(arguments)
        if problem is not None:
            gone = any(sign in problem.lower() for sign in _GONE)
            raise _Failed("gone" if gone else "failed", problem)
        return output

    def attempt(self, *arguments: str) -> str:
        """What it complains of; empty where it succeeds. Raises `_Failed` on running out of time."""
        return self._call(arguments)[1] or ""

    def _call(self, arguments: Sequence[str]) -> tuple[bytes, str | None]:
        remaining = self._end - self._clock()
        if remaining <= 0:
            raise _Failed("timeout", f"no time left for git {arguments[0]}")
        command = ["git", *(part for setting in _SAFE for part in ("-c", setting)), *arguments]
        process = subprocess.Popen(
            command, cwd=self._folder, env=self._environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        try:
            output, errors = process.communicate(timeout=remaining)
        except subprocess.TimeoutExpired:
            _end_group(process)
            raise _Failed("timeout", f"git {arguments[0]} took too long") from None
        except BaseException:
            _end_group(process)
            raise
        if process.returncode == 0:
            return output, None
        said = errors.decode("utf-8", "replace").strip()
        _check_room(self._folder, said)
        return output, " ".join(said.split())[:500] or f"git {arguments[0]} failed with {process.returncode}"


def _check_room(folder: Path, said: str) -> None:
    """Raises `OSError` where the disk is full, by what git `said` of this machine or by a trial."""
    here = " ".join(line for line in said.lower().splitlines() if not line.startswith("remote:"))
    if any(sign in here for sign in _FULL):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))
    trial = folder / ".room"
    try:
        trial.write_bytes(bytes(1 << 16))
    except OSError as error:
        if error.errno in NO_ROOM:
            raise
    finally:
        trial.unlink(missing_ok=True)


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    """git and whatever it started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()
