"""Reads a repository's commits, trees and blobs from git. Only asks git, without a shell; changes nothing."""

import itertools
import os
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from cukereuse_engine.errors import CukereuseError

Takes = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Commit:
    id: str
    time: int
    """Committer's time, in seconds since 1970 (UTC)."""
    tags: tuple[str, ...]
    subject: str


@dataclass(frozen=True, slots=True)
class Blob:
    id: str
    path: str
    """From the root of the repository, with `/`."""


@dataclass(frozen=True, slots=True)
class CommitChange:
    """The changes of one commit in some files, compared with its first parent."""

    commit: Commit
    files: tuple[Blob, ...]
    """The files after the commit; a file that is gone, or no regular file any more, has an empty id."""
    added: frozenset[str]
    """Paths that did not exist before."""


def check_is_checkout(folder: str | Path, hint: str = "Name a clone of it.") -> None:
    """Raises `CukereuseError` for the folder of a bare repository, which its file names show. Does not run git."""
    place = Path(folder)
    if (place / "HEAD").is_file() and (place / "objects").is_dir() and (place / "refs").is_dir():
        raise CukereuseError(f"{folder} is a bare git repository, which has no files", hint)


def _any_path(_: str) -> bool:
    return True


class GitRepository:
    """The repository around a folder. Raises `CukereuseError` with `hint` where there is no git or no repository."""

    def __init__(self, folder: str | Path, hint: str = "") -> None:
        place = Path(folder)
        self._at = place if place.is_dir() else place.parent
        self._hint = hint
        check_is_checkout(folder)
        problem = f"{folder} is not in a git repository"
        self.root = Path(self.run("rev-parse", "--show-toplevel", problem=problem, hint=hint).rstrip("\n"))
        shown = self.run("rev-parse", "--show-prefix").rstrip("\n")
        self.prefix = shown if place.is_dir() else f"{shown}{place.name}"
        """The folder or file in the repository, with `/`; empty for its root."""
        self._at = self.root

    @property
    def is_shallow(self) -> bool:
        """True for a clone that has only the newest commits."""
        return self.run("rev-parse", "--is-shallow-repository").strip() == "true"

    @property
    def is_partial(self) -> bool:
        """True for a clone that gets contents from its remote when git needs them, which is never done here."""
        try:
            return "true" in self.run("config", "--get-regexp", r"^remote\..*\.promisor$")
        except CukereuseError:
            return False

    def resolve(self, ref: str) -> str:
        """The commit that `ref` names. Raises `CukereuseError`."""
        if ref == "HEAD" and not self.run("rev-list", "--max-count=1", "--all").strip():
            raise CukereuseError(f"{self.root} has no commit yet")
        hint = "Name a branch (see `git branch --all`), a tag or a commit. In a shallow clone, fetch more history."
        problem = f"git does not know the revision {ref!r} in {self.root}"
        arguments = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
        return self.run(*arguments, problem=problem, hint=hint).strip()

    def resolve_since(self, since: str, tip: str) -> str | None:
        """The commit after which a history begins: as `resolve`, or for a day the last one before it, along the first
        parents of the commit `tip`; None if there is none. Raises `CukereuseError`."""
        try:
            return self.resolve(since)
        except CukereuseError:
            try:
                day = date.fromisoformat(since)
            except ValueError:
                day = None
            if day is None:
                raise
        before = f"--before={day}T00:00:00Z"
        return self.run("rev-list", "--max-count=1", "--first-parent", before, tip).strip() or None

    def commits(self, ref: str = "HEAD", *, after: str | None = None) -> list[Commit]:
        """The commits along the first parents of `ref`, oldest first; with `after`, only those after that commit."""
        wanted = f"{after}..{ref}" if after else ref
        printed = self.run("log", "--first-parent", "--reverse", f"--format={_COMMIT}", wanted, "--")
        return [_commit(*line.split("\0", 3)) for line in printed.split("\n") if line]

    def changes(self, ref: str, paths: Iterable[str]) -> list[CommitChange]:
        """The commits along the first parents of `ref` that change the files at `paths`, oldest first. A renamed file
        counts as removed and added."""
        request = "".join(f"{line}\n" for line in (ref, "--", *paths))
        options = ("--first-parent", "-m", "--root", "--reverse", "--raw", "-z", "--no-abbrev", "--no-renames")
        arguments = ("--literal-pathspecs", "log", *options, f"--format=%x01{_COMMIT}", "--stdin")
        printed = self.run(*arguments, given=os.fsencode(request))
        return [_change(each) for each in _BEGIN.split(printed)[1:]]

    def removed(self, commit: str, suffixes: Sequence[str]) -> list[Blob]:
        """Files that a commit removed whose names, in lower case, have one of the suffixes, as they were before."""
        options = ("--root", "-r", "-m", "--first-parent", "--no-renames", "--diff-filter=D", "--raw", "--no-abbrev")
        rest = self.run("log", "-1", "--format=", "-z", *options, commit, "--").split("\0")
        pairs = [(header.lstrip("\n:").split(), path) for header, path in zip(rest[::2], rest[1::2], strict=False)]
        return [Blob(header[2], path) for header, path in pairs if header and path.lower().endswith(tuple(suffixes))]

    def files(self, commit: str, suffixes: Sequence[str], takes: Takes = _any_path) -> list[Blob]:
        """A commit's regular files below the folder whose names, in lower case, have one of the suffixes; by path.
        `takes`: whether a file counts, by its path below the folder."""
        printed = self.run("ls-tree", "-r", "-z", "--full-tree", commit, "--", *([self.prefix] if self.prefix else []))
        blobs = []
        for entry in filter(None, printed.split("\0")):
            header, path = entry.split("\t", 1)
            mode, kind, id_ = header.split()
            if kind == "blob" and mode != "120000" and self._is_wanted(path, suffixes, takes):
                blobs.append(Blob(id_, path))
        return blobs

    def _is_wanted(self, path: str, suffixes: Sequence[str], takes: Takes) -> bool:
        return path.lower().endswith(tuple(suffixes)) and takes(path[len(self.prefix) :].lstrip("/") or path)

    def trees(self, commits: Sequence[str], suffixes: Sequence[str], takes: Takes = _any_path) -> list[list[Blob]]:
        """`files` of each commit, by two processes in all. A commit that changes nothing shares the list before it."""
        if not commits:
            return []
        trees = [self.files(commits[0], suffixes, takes)]
        held = {blob.path: blob for blob in trees[0]}
        asked = "".join(f"{commit} {before}\n" for before, commit in itertools.pairwise(commits))
        options = ("diff-tree", "--stdin", "-r", "-z", "--raw", "--no-abbrev", "--no-renames")
        paths = ("--", *([self.prefix] if self.prefix else []))
        printed = self.run("--literal-pathspecs", *options, *paths, given=asked.encode())
        by_commit: dict[str, list[str]] = {}
        changes: list[str] = []
        tokens = iter(printed.split("\0")[:-1])
        for token in tokens:
            if token[0] == ":":
                changes += (token, next(tokens))
            else:
                changes = by_commit[token.strip()] = []
        for commit in commits[1:]:
            changes = by_commit.get(commit, [])
            is_same = True
            for header, path in zip(changes[::2], changes[1::2], strict=True):
                if self._is_wanted(path, suffixes, takes):
                    _, mode, _, id_, _ = header[1:].split()
                    is_same = False
                    held.pop(path, None)
                    if mode.startswith("100"):
                        held[path] = Blob(id_, path)
            trees.append(trees[-1] if is_same else sorted(held.values(), key=lambda blob: os.fsencode(blob.path)))
        return trees

    def sizes(self, commit: str) -> list[tuple[Blob, int]]:
        """Every regular file of a commit in the whole repository, with its bytes; by path. -1: git lacks the object."""
        sizes = []
        for entry in filter(None, self.run("ls-tree", "-r", "-l", "-z", "--full-tree", commit).split("\0")):
            header, path = entry.split("\t", 1)
            mode, kind, id_, size = header.split()
            if kind == "blob" and mode != "120000":
                sizes.append((Blob(id_, path), int(size) if size.isdecimal() else -1))
        return sizes

    def merge_base(self, ref: str) -> str:
        """The commit where HEAD's history left that of `ref`. Without a common one (unrelated histories, a shallow
        clone, no commit yet), `ref`'s own. Raises `CukereuseError` for an unknown revision."""
        commit = self.resolve(ref)
        try:
            return self.run("merge-base", commit, "HEAD").strip()
        except CukereuseError:
            return commit

    def differing(self, commit: str, *, deleted: bool = False) -> list[str]:
        """Paths of the work tree's files that differ from a commit, including untracked ones; with `deleted`, also
        those that are gone."""
        chosen = () if deleted else ("--diff-filter=d",)
        problem = f"git could not compare with {commit!r}"
        changed = self.run("diff", "--name-only", "--no-renames", *chosen, "-z", commit, "--", problem=problem)
        untracked = self.run("ls-files", "--others", "--exclude-standard", "-z", problem=problem)
        return [name for name in (changed + untracked).split("\0") if name]

    def contents(self, ids: Iterable[str], *, lenient: bool = False) -> Iterator[tuple[str, bytes]]:
        """Each blob's id and bytes, in order, from one process for all. An object that git lacks is empty if `lenient`;
        otherwise it raises `CukereuseError`."""
        command = ["git", "-C", str(self.root), "cat-file", "--batch"]
        pipe, silent = subprocess.PIPE, subprocess.DEVNULL
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=silent, env=_environment()) as git:
            assert git.stdin is not None
            assert git.stdout is not None
            try:
                for id_ in ids:
                    git.stdin.write(id_.encode() + b"\n")
                    git.stdin.flush()
                    header = git.stdout.readline().split()
                    if len(header) != 3 and lenient:
                        yield id_, b""
                        continue
                    if len(header) != 3:
                        raise CukereuseError(
                            f"git lacks the object {id_}", "If this is a partial clone, fetch its complete history."
                        )
                    content = git.stdout.read(int(header[2]) + 1)
                    yield id_, content[:-1]
            finally:
                with suppress(OSError):
                    git.stdin.close()
                git.kill()

    def run(self, *arguments: str, problem: str = "", hint: str = "", given: bytes = b"") -> str:
        """Run git at the root; its standard output, file names decoded as the system does. `given`: standard input.

        Raises `CukereuseError` with `problem` and `hint` if git fails.
        """
        command = ["git", "-C", str(self._at), *arguments]
        try:
            done = subprocess.run(command, capture_output=True, check=False, env=_environment(), input=given)
        except FileNotFoundError:
            raise CukereuseError("git is not installed", self._hint) from None
        except OSError as error:
            raise CukereuseError(f"git can't be run: {error}") from None
        if done.returncode:
            message = done.stderr.decode("utf-8", "replace").strip()
            if "dubious ownership" in message:
                raise CukereuseError(f"git does not trust {self._at}", message.splitlines()[-1].strip())
            raise CukereuseError(problem or f"git {arguments[0]} failed: {message}", hint)
        return os.fsdecode(done.stdout)


_COMMIT = "%H%x00%ct%x00%D%x00%s"
_BEGIN = re.compile("\x01(?=[0-9a-f]{40,64}\0)")


def _commit(id_: str, time: str, names: str, subject: str) -> Commit:
    tags = tuple(name[5:] for name in names.split(", ") if name.startswith("tag: "))
    return Commit(id_, int(time), tags, subject)


def _change(printed: str) -> CommitChange:
    """The change that `log --raw -z` prints: the commit, then modes, ids, status and path of each file."""
    id_, time, names, subject, *rest = printed.split("\0")
    files, added = [], set()
    for header, path in zip(rest[::2], rest[1::2], strict=False):
        if ":" not in header:
            break
        _, mode, _, after, status = header.lstrip("\n:").split()
        is_file = status[0] != "D" and mode.startswith("100")
        files.append(Blob(after if is_file else "", path))
        if status[0] == "A":
            added.add(path)
    return CommitChange(_commit(id_, time, names, subject), tuple(files), frozenset(added))


def _environment() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}
