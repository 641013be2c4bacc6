"""Which files changed since a git revision: committed, staged, unstaged and untracked ones.

Asks git and changes nothing. Never goes through a shell.
"""

import os
import subprocess
from pathlib import Path

from cukereuse_engine.errors import CukereuseError


def changed_files(folder: Path, ref: str) -> frozenset[Path]:
    """Files of the repository around `folder` that differ from where the work tree left `ref`, absolute paths.

    Compares with the merge base of `ref` and HEAD, so that what happened on `ref` meanwhile is not taken for a change
    here. Deleted files are left out, untracked ones that are not ignored are in. Raises `CukereuseError` where there is
    no git, no repository or no such revision.
    """
    top = Path(_git(folder, "rev-parse", "--show-toplevel", problem=_no_repository(folder)).rstrip("\n"))
    unknown = f"git knows no revision {ref!r} in {top}"
    hint = "Name a branch, tag or commit, such as origin/main. A shallow clone may lack it: fetch more history."
    commit = _git(
        top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}", problem=(unknown, hint)
    )
    base = _merge_base(top, commit.strip())
    problem = (f"git could not compare with {ref!r}", "")
    differing = _git(top, "diff", "--name-only", "--no-renames", "--diff-filter=d", "-z", base, "--", problem=problem)
    untracked = _git(top, "ls-files", "--others", "--exclude-standard", "-z", problem=problem)
    return frozenset(top / name for name in (differing + untracked).split("\0") if name)


def _merge_base(top: Path, commit: str) -> str:
    try:
        return _git(top, "merge-base", commit, "HEAD", problem=("", "")).strip()
    except CukereuseError:  # unrelated histories, a shallow clone, or no commit yet
        return commit


def _no_repository(folder: Path) -> tuple[str, str]:
    return f"{folder} is not in a git repository", "--since needs one; name the changed files instead."


def _git(folder: Path, *arguments: str, problem: tuple[str, str]) -> str:
    """git's standard output; `problem` is the message and hint when git refuses."""
    environment = {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=False, env=environment, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        raise CukereuseError("git is not installed", "--since needs it; name the changed files instead.") from None
    except OSError as error:
        raise CukereuseError(f"git can't be run: {error}") from None
    if done.returncode:
        message, hint = problem
        said = done.stderr.decode("utf-8", "replace").strip()
        if "dubious ownership" in said:
            message, hint = f"git does not trust {folder}", said.splitlines()[-1].strip()
        raise CukereuseError(message, hint)
    return os.fsdecode(done.stdout)
