"""A repository's history against a fresh count of every commit."""

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.git import Commit, GitRepository
from cukereuse_engine.history.sampling import Every, sampled
from cukereuse_engine.history.trend import trend
from cukereuse_engine.report import trend as report
from cukereuse_engine.scanning.suite import read_suites


def git(folder: Path, *arguments: str, when: int = 1_700_000_000) -> str:
    stamp = f"{when} +0000"
    environment = {
        "PATH": "/usr/bin:/bin:/usr/local/bin",
        "HOME": str(folder),
        "GIT_AUTHOR_DATE": stamp,
        "GIT_COMMITTER_DATE": stamp,
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    names = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    command = ["git", "-C", str(folder), *names, *arguments]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def commit(folder: Path, files: dict[str, str | None], *, when: int = 1_700_000_000, tag: str = "") -> None:
    """Write files (None: remove) and commit them."""
    for name, content in files.items():
        path = folder / name
        if content is None:
            path.unlink(missing_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "a change", when=when)
    if tag:
        git(folder, "tag", tag)


def feature(*steps: str) -> str:
    return "Feature: f\n  Scenario: s\n" + "".join(f"    Given {step}\n" for step in steps)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    return tmp_path


def test_what_came_and_what_was_resolved(repository: Path) -> None:
    week = 7 * 86_400
    start = 1_700_000_000
    one, other = "I open the shopping basket page", "I open shopping basket page"
    commit(repository, {"a.feature": feature(one)}, when=start, tag="v1")
    commit(repository, {"b.feature": feature(other, one)}, when=start + week)
    commit(repository, {"docs/moved.feature": feature(other, one), "b.feature": None}, when=start + 2 * week)
    commit(repository, {"docs/moved.feature": feature(one, one)}, when=start + 3 * week, tag="v2")
    found = trend(str(repository), every=Every.COMMIT)
    assert [(point.files, point.steps, point.texts, point.wordings) for point in found.points] == [
        (1, 1, 1, 1),
        (2, 3, 2, 2),
        (2, 3, 2, 2),
        (2, 3, 1, 1),
    ]
    assert [(len(point.came), len(point.resolved)) for point in found.points] == [(0, 0), (1, 0), (0, 0), (0, 1)]
    (duplicate,) = found.duplicates.values()
    assert duplicate.wordings == (one, other)
    assert [point.commit.tags for point in trend(str(repository), every=Every.TAG).points] == [("v1",), ("v2",)]
    assert len(trend(str(repository / "docs"), every=Every.COMMIT).points) == 4
    assert trend(str(repository / "docs"), every=Every.COMMIT).points[0].files == 0
    assert len(trend(str(repository), every=Every.COMMIT, since="v1").points) == 3
    assert git(repository, "status", "--porcelain") == ""


TEXTS = st.lists(st.sampled_from(["I wait", "I wait for 3 s", "I wait for 5 s", "* def a = 1", ""]), max_size=4)
CHANGES = st.dictionaries(st.sampled_from(["a.feature", "b.feature", "c/d.feature"]), st.none() | TEXTS, max_size=3)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=st.lists(CHANGES, min_size=1, max_size=5))
def test_each_point_is_what_reading_its_files_gives(history, tmp_path_factory) -> None:
    folder = tmp_path_factory.mktemp("history")
    git(folder, "init", "-q")
    expected = []
    for changes in history:
        commit(folder, {name: None if texts is None else feature(*texts) for name, texts in changes.items()})
        files = list(folder.rglob("*.feature"))
        suites = read_suites([folder], use_cache=False) if files else []
        texts = [text for suite in suites for text in suite.texts]
        expected.append((len(files), sum(text.occurrences for text in texts), len({text.text for text in texts})))
    found = trend(str(folder), every=Every.COMMIT)
    assert [(point.files, point.steps, point.texts) for point in found.points] == expected


def test_sampling() -> None:
    day = 86_400
    monday = 1_704_067_200  # 2024-01-01, a Monday
    commits = [Commit(str(i), monday + i * day, ("v1",) if i == 2 else (), "") for i in (0, 2, 6, 7, 40)]
    assert [one.id for one in sampled(commits, Every.WEEK)] == ["6", "7", "40"]
    assert [one.id for one in sampled(commits, Every.MONTH)] == ["7", "40"]
    assert [one.id for one in sampled(commits, Every.TAG)] == ["2", "40"]
    assert sampled(commits, Every.COMMIT) == commits
    assert sampled([], Every.WEEK) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({}, "HEAD"), ({"ref": "no-such"}, "no-such"), ({"since": "--output=x"}, "--output=x")],
)
def test_bad_revisions_are_told(repository: Path, arguments: dict[str, str], message: str) -> None:
    with pytest.raises(CukereuseError, match=message):
        trend(str(repository), **arguments)


def test_a_folder_outside_of_git_is_told(tmp_path: Path) -> None:
    with pytest.raises(CukereuseError, match="not in a git repository"):
        GitRepository(tmp_path)


def test_odd_names_and_contents(repository: Path) -> None:
    (repository / "bad.feature").write_bytes(b"Feature: x\n  Scenario: s\n    Given caf\xe9\n")
    commit(repository, {'ü "x"/a b.feature': feature("I wait"), "empty.feature": "", "link.txt": "x"})
    (repository / "link.feature").symlink_to("link.txt")
    commit(repository, {})
    (first, second) = trend(str(repository), every=Every.COMMIT).points
    assert (first.files, second.files) == (3, 3)
    assert first.unread >= 1
    assert first.steps == 1


def test_reports(repository: Path) -> None:
    commit(repository, {"a.feature": feature("I see <b>x</b> & y")})
    commit(repository, {"a.feature": feature("I see <b>x</b> & y", "I see the <b>x</b> & y")}, when=1_710_000_000)
    found = trend(str(repository), every=Every.COMMIT)
    document = json.loads(report.encoded(found))
    assert [point["steps"] for point in document["points"]] == [1, 2]
    assert document["schema_version"] == report.SCHEMA_VERSION
    page = report.page(found).decode()
    assert page.count("<svg") == 4
    assert "<b>x</b>" not in page
    assert "http-equiv=Content-Security-Policy" in page
    assert report.page(found) == report.page(trend(str(repository), every=Every.COMMIT))
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install 'cukereuse[parquet]'")
    import pyarrow as pa

    assert pq.read_table(pa.BufferReader(report.parquet(found))).column("steps").to_pylist() == [1, 2]


def test_a_history_without_features(repository: Path) -> None:
    commit(repository, {"readme": "x"})
    found = trend(str(repository))
    assert [(point.files, point.steps, point.repetition) for point in found.points] == [(0, 0, 0.0)]
    assert b"<svg" in report.page(found)
