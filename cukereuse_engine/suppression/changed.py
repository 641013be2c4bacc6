"""Which files changed since a git revision: committed, staged, unstaged and untracked ones."""

from pathlib import Path

from cukereuse_engine.git import GitRepository


def changed_files(folder: Path, ref: str) -> frozenset[Path]:
    """Files of the repository around `folder` that differ from where the work tree left `ref`, absolute paths.

    Compares with the merge base of `ref` and HEAD, so that what happened on `ref` meanwhile is not taken for a change
    here. Deleted files are left out, untracked ones that are not ignored are in. Raises `CukereuseError` where there is
    no git, no repository or no such revision.
    """
    repository = GitRepository(folder, "--since needs a git repository; name the changed files instead.")
    return frozenset(repository.root / name for name in repository.differing(repository.merge_base(ref)))
