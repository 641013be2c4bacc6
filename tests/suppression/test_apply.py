"""Findings without the silenced ones, and findings limited to some files."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.gherkin.feature import FeatureFile
from cukereuse_engine.suppression.apply import IgnorePatterns, suppress
from cukereuse_engine.suppression.limit import ReportedFiles, limit_findings
from cukereuse_engine.suppression.pragmas import Pragmas

MakeFinding = Callable[..., Finding]
MakeFile = Callable[..., FeatureFile]

LOG_IN = [("I log in", "a.feature", 3), ("I log in", "b.feature", 5)]
SIGN_IN = [("I sign in", "a.feature", 8), ("I sign in", "c.feature", 2), ("I sign in", "c.feature", 9)]


def places(finding: Finding) -> list[tuple[str, int]]:
    return [(place.path, place.line) for other in finding.others for place in other.places]


CASES = [
    ("nothing", {}, [], [("a.feature", 3), ("b.feature", 5)]),
    ("one place", {"a.feature": {2: "ignore[divergent-wording]"}}, [], [("b.feature", 5)]),
    ("by kind", {"a.feature": {2: "ignore[reworded]"}}, [], [("b.feature", 5)]),
    ("another rule", {"a.feature": {2: "ignore[unread]"}}, [], [("a.feature", 3), ("b.feature", 5)]),
    ("another kind", {"a.feature": {2: "ignore[paraphrase]"}}, [], [("a.feature", 3), ("b.feature", 5)]),
    ("a file", {"b.feature": {1: "ignore-file"}}, [], [("a.feature", 3)]),
    ("every place", {"a.feature": {2: "ignore"}, "b.feature": {4: "ignore"}}, [], None),
    ("one place of the preferred", {"a.feature": {7: "ignore"}}, [], [("a.feature", 3), ("b.feature", 5)]),
    ("all of the preferred", {"a.feature": {7: "ignore"}, "c.feature": {1: "ignore-file"}}, [], None),
    ("pattern on the wording", {}, ["^I log"], None),
    ("pattern on the preferred", {}, ["sign"], None),
    ("pattern on neither", {}, ["^log"], [("a.feature", 3), ("b.feature", 5)]),
]


@pytest.mark.parametrize(("pragmas", "patterns", "left"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_suppress(
    make_finding: MakeFinding,
    make_file: MakeFile,
    pragmas: dict[str, dict[int, str]],
    patterns: list[str],
    left: list[tuple[str, int]] | None,
) -> None:
    lines = {"a.feature": (3, 8), "b.feature": (5,), "c.feature": (2, 9)}
    files = [
        make_file({line: f"# cukereuse: {text}" for line, text in pragmas.get(path, {}).items()}, lines[path], path)
        for path in lines
    ]
    finding = make_finding(LOG_IN, SIGN_IN)
    done = suppress([finding], Pragmas(files), IgnorePatterns(patterns))
    assert done.count == (left is None)
    assert [places(remaining) for remaining in done.findings] == ([] if left is None else [left])
    assert all(remaining.fingerprint == finding.fingerprint for remaining in done.findings)


def test_bad_pattern() -> None:
    with pytest.raises(CukereuseError, match=r"'\(' is not a regular expression"):
        IgnorePatterns(["("])


LIMITS = [
    ("the wording's file", ["b.feature"], [("b.feature", 5)]),
    ("both files of the wording", ["a.feature", "b.feature"], [("a.feature", 3), ("b.feature", 5)]),
    ("some of the preferred", ["c.feature"], None),
    ("another file", ["d.feature"], None),
    ("no file", [], None),
]


@pytest.mark.parametrize(("files", "left"), [case[1:] for case in LIMITS], ids=[case[0] for case in LIMITS])
def test_limit(make_finding: MakeFinding, files: list[str], left: list[tuple[str, int]] | None) -> None:
    limited = limit_findings([make_finding(LOG_IN, SIGN_IN)], ReportedFiles(files))
    assert [places(finding) for finding in limited] == ([] if left is None else [left])


def test_a_new_preferred_wording_is_reported_at_the_old_one(make_finding: MakeFinding) -> None:
    limited = limit_findings([make_finding(LOG_IN, SIGN_IN[1:])], ReportedFiles(["c.feature"]))
    assert [places(finding) for finding in limited] == [[("a.feature", 3), ("b.feature", 5)]]


def test_files_are_the_same_by_any_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a#b").mkdir()
    (tmp_path / "a#b" / "x.feature").touch()
    (tmp_path / "link").symlink_to(tmp_path / "a#b")
    monkeypatch.chdir(tmp_path)
    files = ReportedFiles([Path("a#b/x.feature")])
    for path in ("a#b/x.feature", "./a#b/x.feature", "link/x.feature", os.fspath(tmp_path / "a#b" / "x.feature")):
        assert path in files
    assert "x.feature" not in files


def test_all_files_of_a_folder(tmp_path: Path) -> None:
    files = ReportedFiles([], [tmp_path / "a"])
    assert str(tmp_path / "a" / "deep" / "x.feature") in files
    assert str(tmp_path / "ab" / "x.feature") not in files
