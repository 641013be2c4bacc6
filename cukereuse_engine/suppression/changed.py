"""Which files changed since a git revision: committed, staged, unstaged and untracked ones."""

from pathlib import Path

from cukereuse_engine.git import GitRepository


def changed_files(folder: Path, ref: str) -> frozenset[Path]:
    """Files of the repository around `folder` that changed since HEAD's history left that of `ref`, as absolute paths.

    They are compared with the merge base of `ref` and HEAD, so that later changes on `ref` do not count. Deleted files
    are left out; untracked files count unless they are ignored. Raises `CukereuseError` where there is no git, no
    repository or no such revision.
    """
    repository = GitRepository(folder, "--since needs a git repository; name the changed files instead.")
    return frozenset(repository.root / name for name in repository.differing(repository.merge_base(ref)))
