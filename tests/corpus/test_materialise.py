"""Clones of local repositories: what arrives, what does not, and how a run continues."""

import errno
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from corpus_tools.stages.materialise import MaterialiseOptions, materialise
from corpus_tools.support.git import check_room
from corpus_tools.support.repositories import Clone, ListedRepository, write_manifest, write_repositories
from cukereuse_engine.cli.main import run

FEATURE = "Feature: f\n  Scenario: s\n    Given a step\n"


def git(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for role in ("AUTHOR", "COMMITTER"):
        environment |= {
            f"GIT_{role}_NAME": "n",
            f"GIT_{role}_EMAIL": "e@example.org",
            f"GIT_{role}_DATE": "2026-01-01T00:00:00Z",
        }
    done = subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def make(folder: Path, files: dict[str, str]) -> str:
    """Make a repository with one commit; returns its id."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    for name in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        git(folder, "config", name, "true")
    return commit(folder, files)


def commit(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "c")
    return git(folder, "rev-parse", "HEAD")


def listed(corpus: Path, origin: Path, names: list[str]) -> None:
    write_repositories(
        corpus / "repos.csv",
        [
            ListedRepository(name, (origin / name).as_uri(), "main", 10, "2026-01-01", "MIT", "permissive", "", False)
            for name in names
        ],
    )


def files_of(corpus: Path, name: str) -> list[str]:
    folder = corpus / "clones" / name
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """Two repositories with features, one without; a fourth is listed and missing."""
    folder = tmp_path / "origin"
    make(
        folder / "a/full",
        {"features/x y.feature": FEATURE, "features/ü.feature": FEATURE, "steps/s.py": "1", "big.bin": "0" * 999},
    )
    make(folder / "b/markdown", {"doc/z.feature.md": "# Feature: f\n", "README.md": "r"})
    make(folder / "c/none", {"README.md": "r"})
    (folder / "e/empty").mkdir(parents=True)
    git(folder / "e/empty", "init", "-q")
    return folder


def test_only_features_arrive(origin: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    listed(corpus, origin, ["a/full", "b/markdown", "c/none", "d/gone", "e/empty"])
    manifest = materialise(corpus)
    assert [(clone.full_name, clone.status, clone.n_feature_files) for clone in manifest] == [
        ("a/full", "ok", 2),
        ("b/markdown", "ok", 1),
        ("c/none", "no-features", 0),
        ("d/gone", "gone", 0),
        ("e/empty", "no-features", 0),
    ]
    assert files_of(corpus, "a__full") == ["features/x y.feature", "features/ü.feature"]
    assert manifest[0].commit_sha == git(origin / "a/full", "rev-parse", "HEAD")
    assert manifest[3].error
    assert [json.loads(line)["full_name"] for line in (corpus / "clone_manifest.jsonl").read_text().splitlines()] == [
        "a/full", "b/markdown", "c/none", "d/gone", "e/empty",
    ]  # fmt: skip
    assert {path.name for path in (corpus / "clones").iterdir()} == {"a__full", "b__markdown"}


_FULL_DISK = (
    (
        "fetch",
        "fatal: sha1 file '.git/index.lock' write error. Out of diskspace",
    ),
    ("checkout", "error: unable to write file features/ü.feature"),
    ("init", "error: copy-fd: write returned: No space left on device"),
    ("checkout", ""),
)


@pytest.mark.skipif(os.name != "posix", reason="the git that complains is a shell script")
@pytest.mark.parametrize(("command", "complaint"), _FULL_DISK)
def test_a_full_disk_ends_the_run_and_leaves_no_half_clone(
    origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, complaint: str
) -> None:
    """git does its work, then complains; if it does not mention the disk, nothing can be written either."""
    corpus = tmp_path / "corpus"
    listed(corpus, origin, ["a/full", "b/markdown", "c/none"])
    script = tmp_path / "bin" / "git"
    script.parent.mkdir()
    said = complaint or "fatal: unknown"
    script.write_text(
        f'#!/bin/sh\n"{shutil.which("git")}" "$@" || exit\n'
        f'case " $* " in *" {command} "*) printf "%s\\n" "{said}" >&2; exit 128;; esac\n'
    )
    script.chmod(0o755)
    with monkeypatch.context() as patched:
        patched.setenv("PATH", f"{script.parent}{os.pathsep}{os.environ['PATH']}")
        if not complaint:
            patched.setattr(Path, "write_bytes", _no_room)
        with pytest.raises(OSError, match=re.escape(os.strerror(errno.ENOSPC))):
            materialise(corpus)
    assert not (corpus / "clone_manifest.jsonl").exists()
    assert not [path for path in (corpus / "clones").iterdir() if path.name.startswith("a__")]
    manifest = materialise(corpus)
    assert [clone.status for clone in manifest] == ["ok", "ok", "no-features"]


def _no_room(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_of_the_other_side_is_no_end(tmp_path: Path) -> None:
    check_room(tmp_path, "remote: fatal: No space left on device\nfatal: early EOF")
    assert not list(tmp_path.iterdir())


def test_glue_too(origin: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    listed(corpus, origin, ["a/full"])
    materialise(corpus, MaterialiseOptions(glue=True))
    assert "steps/s.py" in files_of(corpus, "a__full")
    assert "big.bin" not in files_of(corpus, "a__full")


def test_glue_is_added_at_the_same_commit_and_stays(origin: Path, tmp_path: Path) -> None:
    """A stage that reads glue needs it later; a run that does not mention it takes nothing away."""
    corpus = tmp_path / "corpus"
    listed(corpus, origin, ["a/full"])
    first = materialise(corpus)[0]
    commit(origin / "a/full", {"features/later.feature": FEATURE})
    for options in (MaterialiseOptions(glue=True), MaterialiseOptions()):
        clone = materialise(corpus, options)[0]
        assert (clone.commit_sha, clone.glue) == (first.commit_sha, True)
        assert files_of(corpus, "a__full") == ["features/x y.feature", "features/ü.feature", "steps/s.py"]
    assert materialise(corpus, update=True)[0].commit_sha != first.commit_sha
    assert "steps/s.py" in files_of(corpus, "a__full")
    assert "features/later.feature" in files_of(corpus, "a__full")


def test_pinned_commits(origin: Path, tmp_path: Path) -> None:
    first = git(origin / "a/full", "rev-parse", "HEAD")
    commit(origin / "a/full", {"features/later.feature": FEATURE})
    corpus = tmp_path / "corpus"
    listed(corpus, origin, ["a/full"])
    assert materialise(corpus, commits={"a/full": first})[0].commit_sha == first
    assert "features/later.feature" not in files_of(corpus, "a__full")
    lost = materialise(corpus, commits={"a/full": "1" * 40})[0]
    assert lost.status != "ok"
    assert lost.error


@pytest.mark.parametrize(("commit_sha", "is_reported"), [(None, False), ("1" * 40, True)])
def test_what_may_work_another_time_is_told(
    origin: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], commit_sha: str | None, is_reported: bool
) -> None:
    corpus = tmp_path / "corpus"
    listed(corpus, origin, ["a/full", "c/none"])
    pins = tmp_path / "pins.jsonl"
    write_manifest(pins, [Clone("a/full", "ok", 1, 1, commit_sha, "")] if commit_sha else [])
    assert run(["corpus", "materialise", str(corpus), "--commits", str(pins)]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"1 {'failed' if is_reported else 'ok'}, 1 no-features\n"
    assert ("materialise --retry" in printed.err) == is_reported


def test_limits_are_rows(origin: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    listed(corpus, origin, ["a/full"])
    few = materialise(corpus, MaterialiseOptions(maximum_files=1))[0]
    assert (few.status, few.n_feature_files) == ("too-large", 2)
    again = materialise(corpus, MaterialiseOptions(maximum_kb=0), retry=True)[0]
    assert again.status == "too-large"
    late = materialise(corpus, MaterialiseOptions(seconds=0.000001), retry=True)[0]
    assert late.status == "timeout"
    assert materialise(corpus, retry=True)[0].status == "ok"


def test_no_hook_filter_or_link_of_a_repository_works(tmp_path: Path) -> None:
    origin, corpus = tmp_path / "origin", tmp_path / "corpus"
    make(origin / "a/bad", {"x.feature": FEATURE, ".gitattributes": "*.feature filter=evil\n"})
    (origin / "a/bad/link.feature").symlink_to("/etc/passwd")
    commit(origin / "a/bad", {})
    listed(corpus, origin, ["a/bad"])
    assert materialise(corpus)[0].status == "ok"
    link = corpus / "clones/a__bad/link.feature"
    assert not link.is_symlink()
    assert link.read_text() == "/etc/passwd"


def test_paths_that_can_not_be_written_cost_only_themselves(origin: Path, tmp_path: Path) -> None:
    """A name of 300 bytes is too long for the file system here; git itself does not mind."""
    folder = origin / "a/full"
    blob = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"], cwd=folder, input=FEATURE, text=True, capture_output=True, check=True
    )
    git(folder, "update-index", "--add", "--cacheinfo", f"100644,{blob.stdout.strip()},{'n' * 300}.feature")
    git(folder, "commit", "-q", "-m", "long")
    corpus = tmp_path / "corpus"
    listed(corpus, origin, ["a/full"])
    clone = materialise(corpus)[0]
    assert (clone.status, clone.n_feature_files) == ("ok", 2)
    assert "1 paths could not be written" in clone.error


def test_what_is_done_is_not_done_again(origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    for corpus in (whole, cut):
        listed(corpus, origin, ["a/full", "b/markdown", "c/none"])
    materialise(whole)
    import corpus_tools.stages.materialise as module

    real, done = module.clone_one, []

    def stops(clones: Path, repository: ListedRepository, *rest: object) -> Clone:
        if repository.full_name == "b/markdown" and not done:
            done.append(1)
            raise KeyboardInterrupt
        return real(clones, repository, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "clone_one", stops)
    with pytest.raises(KeyboardInterrupt):
        materialise(cut, MaterialiseOptions(jobs=1))
    assert not (cut / "clone_manifest.jsonl").exists()
    started: list[str] = []

    def counts(clones: Path, repository: ListedRepository, *rest: object) -> Clone:
        started.append(repository.full_name)
        return real(clones, repository, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "clone_one", counts)
    materialise(cut)
    assert "a/full" not in started
    name = "clone_manifest.jsonl"
    assert (whole / name).read_bytes() == (cut / name).read_bytes()
    assert files_of(whole, "a__full") == files_of(cut, "a__full")
