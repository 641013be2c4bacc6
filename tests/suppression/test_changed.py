"""Files that changed since a revision, by a real git."""

import shutil
import subprocess
from pathlib import Path

import pytest

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.suppression.changed import changed_files

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false", "-c", "core.hooksPath=")
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "a#b 100% ünï"
    (folder / "sub").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    for name in ("same", "edited", "staged", "deleted", "renamed", "sub/inner"):
        (folder / f"{name}.feature").write_text(name)
    (folder / ".gitignore").write_text("ignored*\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "one")
    return folder


def names(folder: Path, ref: str = "HEAD", start: Path | None = None) -> set[str]:
    return {path.relative_to(folder.resolve()).as_posix() for path in changed_files(start or folder, ref)}


def test_every_kind_of_change(repository: Path) -> None:
    (repository / "edited.feature").write_text("2")
    (repository / "staged.feature").write_text("2")
    git(repository, "add", "staged.feature")
    (repository / "deleted.feature").unlink()
    git(repository, "mv", "renamed.feature", "ne\tw ü.feature")
    (repository / "untracked\nfile.feature").write_text("u")
    (repository / "ignored.feature").write_text("i")
    expected = {"edited.feature", "staged.feature", "ne\tw ü.feature", "untracked\nfile.feature"}
    assert names(repository) == expected
    assert names(repository, start=repository / "sub") == expected, "from a folder inside too"


def test_only_what_changed_on_this_side_counts(repository: Path) -> None:
    git(repository, "checkout", "-qb", "topic")
    (repository / "edited.feature").write_text("2")
    git(repository, "commit", "-qam", "two")
    git(repository, "checkout", "-q", "main")
    (repository / "same.feature").write_text("2")
    git(repository, "commit", "-qam", "three")
    git(repository, "checkout", "-q", "topic")
    assert names(repository, "main") == {"edited.feature"}
    assert names(repository, "HEAD") == set()


@pytest.mark.parametrize("ref", ["nosuch", "--output=x", "-x", "", "HEAD; touch x", "main..HEAD"])
def test_bad_revision(repository: Path, ref: str) -> None:
    with pytest.raises(CukereuseError, match="git does not know the revision"):
        changed_files(repository, ref)
    assert not (repository / "x").exists()


def test_outside_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(CukereuseError, match="is not in a git repository"):
        changed_files(tmp_path, "HEAD")


def test_repository_without_a_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    with pytest.raises(CukereuseError, match="has no commit yet"):
        changed_files(tmp_path, "HEAD")


def test_without_git(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CukereuseError, match="git is not installed"):
        changed_files(repository, "HEAD")
