"""`cukereuse scan` as a user meets it: reports, exit codes, files, settings."""

import base64
import gzip
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cukereuse_engine.report.formats import FORMATS
from cukereuse_engine.settings import SETTINGS
from tests.cli.shop import API, OTHER, WORDING, findings, scan_json

pytestmark = pytest.mark.usefixtures("no_model")

Run = Callable[..., Any]


def test_a_finding_at_the_level_fails(run: Run, shop: Path) -> None:
    del shop
    outcome = run("scan")
    assert outcome.code == 1
    assert all(text in outcome.out for text in WORDING)
    assert "features/other.feature:4:10" in outcome.out
    assert scan_json(run) == [WORDING]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--fail-on", "warning"], 1),
        (["--fail-on", "information"], 1),
        (["--fail-on", "error"], 0),
        (["--fail-on", "off"], 0),
        (["--severity", "divergent-wording=information"], 0),
        (["--severity", "divergent-wording=off", "--fail-on", "hint"], 0),
        (["--severity", "divergent-wording=error", "--fail-on", "error"], 1),
        (["--ignore", "status should be"], 0),
        (["--ignore", "^status"], 1),
        (["--exclude", "other.feature"], 0),
        (["--threshold", "1"], 0),
        (["--strategy", "exact"], 0),
    ],
)
def test_exit_code(run: Run, shop: Path, arguments: list[str], code: int) -> None:
    del shop
    assert run("scan", *arguments).code == code


@pytest.mark.parametrize("severity", ["hint", "warning", "error", "off"])
@pytest.mark.parametrize("level", ["hint", "warning", "error"])
def test_the_json_summary_agrees_with_the_exit_code(run: Run, shop: Path, severity: str, level: str) -> None:
    (shop / "features" / "broken.feature").write_text("Feature: x\n  Scenario: y\n    Givn z\n", "utf-8")
    shown = ("--severity", "divergent-wording=off", "--severity", f"unread={severity}", "--fail-on", level)
    outcome = run("scan", "--json", *shown)
    counts = json.loads(outcome.out)["summary"]["findings"]
    levels = ["hint", "information", "warning", "error"]
    failing = sum(counts["by_severity"].get(each, 0) for each in levels[levels.index(level) :])
    assert outcome.code == (failing > 0)
    assert counts["total"] == sum(counts["by_severity"].values()) == sum(counts["by_rule"].values())
    assert counts["by_rule"].get("unread", 0) == (severity != "off")


def test_unread_is_a_warning(run: Run, shop: Path) -> None:
    (shop / "features" / "broken.feature").write_text("Feature: x\n  Scenario: y\n    Givn z\n", "utf-8")
    quiet = ("--severity", "divergent-wording=off")
    assert run("scan", *quiet).code == 1
    assert "broken.feature:3" in run("scan", *quiet).out
    assert run("scan", *quiet, "--severity", "unread=off").code == 0


@pytest.mark.parametrize("strategy", ["auto", "exact", "near-exact"])
@pytest.mark.parametrize("linkage", ["complete", "single"])
@pytest.mark.parametrize("guards", ["--guards", "--no-guards"])
def test_strategies(run: Run, shop: Path, strategy: str, linkage: str, guards: str) -> None:
    del shop
    outcome = run("scan", "--json", "--strategy", strategy, "--linkage", linkage, guards, "--threshold", "0.9")
    data = json.loads(outcome.out)
    assert data["strategy"] == strategy
    assert data["parameters"]["linkage"] == linkage
    assert data["parameters"]["guards"] is (guards == "--guards")
    assert outcome.code in (0, 1)


def test_min_count(run: Run, shop: Path) -> None:
    del shop
    data = json.loads(run("scan", "--json", "--min-count", "3").out)
    assert {cluster["occurrences"] for cluster in data["clusters"]} == {3}
    assert len(json.loads(run("scan", "--json", "--min-count", "1").out)["clusters"]) > len(data["clusters"])


def test_every_report_at_once(run: Run, shop: Path) -> None:
    pytest.importorskip("pyarrow")
    names = tuple(FORMATS)
    flags = [argument for name in names for argument in (f"--{name}", f"out.{name}")]
    outcome = run("scan", *flags)
    assert outcome.code == 1
    assert WORDING[0] in outcome.out, "the terminal's report is shown beside files"
    assert "<!doctype html>" in (shop / "out.html").read_text("utf-8").lower()
    assert json.loads((shop / "out.json").read_text("utf-8"))["summary"]["steps"] == 6
    sarif = json.loads((shop / "out.sarif").read_text("utf-8"))
    assert sarif["runs"][0]["results"][0]["ruleId"] == "divergent-wording"
    import pyarrow.parquet as pq

    table = pq.read_table(shop / "out.parquet")
    assert {row["text"] for row in table.to_pylist()} >= set(WORDING)
    assert sorted(path.name for path in shop.iterdir() if path.name.startswith("out")) == sorted(
        f"out.{name}" for name in names
    )


def test_places_of_the_html_report_lead_where_the_template_says(shop: Path, run: Run) -> None:
    run("scan", "--html", "out.html", "--html-links", "https://git.example/{path}#L{line}", "--fail-on", "off")
    packed = re.search(r'id="data">([^<]+)<', (shop / "out.html").read_text("utf-8"))
    assert packed
    data = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    assert "https://git.example/features/other.feature#L{line}" in data["hrefs"]


@pytest.mark.parametrize("name", ["html", "json", "sarif"])
def test_one_report_on_standard_output(run: Run, shop: Path, name: str) -> None:
    del shop
    alone = run("scan", f"--{name}")
    assert alone.out == run("scan", f"--{name}", "-").out
    assert alone.out.lstrip()[:1] == ("<" if name == "html" else "{"), "nothing is mixed in"
    assert alone.out.rstrip()[-1:] == (">" if name == "html" else "}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--json", "--sarif"], "--json and --sarif can't both write to standard output"),
        (["--json", "--github"], "--github writes to standard output"),
        (["--write-baseline"], "--write-baseline needs a file"),
        (["--update-baseline"], "--update-baseline needs a file"),
        (["--baseline", "b.json", "--write-baseline", "--update-baseline"], "can't be combined"),
        (["--baseline", "nowhere.json"], "baseline nowhere.json can't be read"),
        (["--baseline", "no/folder/b.json", "--write-baseline"], "can't be written: there is no folder"),
        (["--threshold", "0"], "threshold must be a number from 0.01 to 1, not 0"),
        (["--lev-min", "0.9", "--lev-max", "0.1"], "lev_min 0.9 is above lev_max 0.1"),
        (["--strategy", "fuzzy"], "'fuzzy' is not one of 'auto'"),
        (["--severity", "unread"], "must be of the form rule=severity"),
        (["--severity", "unraed=off"], "did you mean 'unread'?"),
        (["--ignore", "("], "is not a regular expression"),
        (["--html", "no/folder/x.html"], "can't be written: there is no folder"),
        (["features", "--html", "/"], "--html /: a folder, so no report can be written there"),
        (["features", "--sarif", "features"], "put features before --sarif if it should be read too"),
        (["features", "--json", "features/api.feature"], "a feature file, so no report can be written there"),
        (["--baseline", "features", "--write-baseline"], "features can't be written: it is a folder"),
        (["--html", "x.html", "--html-links", "javascript:{path}"], "must not begin with javascript"),
        (["--html-links", "{path}"], "--html-links needs --html"),
        (["--since", "main"], "is not in a git repository"),
        (["nowhere"], "nowhere: no such file or folder"),
        (["notes.md"], "notes.md: no feature file, and no source of step definitions\nFeature files end in .feature"),
        (["bare.git"], "bare.git is a bare git repository, which has no files\nName a clone of it."),
    ],
)
def test_bad_arguments(
    run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(shop.parent.parent))
    subprocess.run(["git", "init", "-q", "--bare", "bare.git"], check=True)
    (shop / "notes.md").write_text("# Notes\n")
    outcome = run("scan", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert "Traceback" not in outcome.err


def test_every_setting_that_a_scan_reads_has_a_flag(run: Run) -> None:
    help_text = run("scan", "--help").out
    offered = {name for name, setting in SETTINGS.items() if re.search(rf"{setting.flag}\b", help_text)}
    assert offered == {name for name, setting in SETTINGS.items() if setting.heading is not None}


@pytest.mark.parametrize("arguments", [(), ("--json",), ("--baseline", "b.json", "--write-baseline"), ("--github",)])
def test_a_folder_without_feature_files_cannot_be_scanned(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    """A suite that moved must not leave a check in CI green."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "features").mkdir()
    outcome = run("scan", "features", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert "no feature files below features" in outcome.err
    assert not (tmp_path / "b.json").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("merge",),
        ("merge", "--unused"),
        ("fold",),
        ("fold", "--json"),
        ("blocks",),
        ("blocks", "--json"),
        ("extract",),
        ("extract", "--block", "4fed6e"),
        ("rename", "--from", "a", "--to", "b"),
    ],
)
def test_no_command_takes_a_folder_without_feature_files_for_a_tidy_suite(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "features").mkdir()
    outcome = run(command[0], "features", *command[1:])
    assert (outcome.code, outcome.out) == (2, "")
    assert "no feature files below features" in outcome.err


def test_a_file_is_compared_with_its_suite(run: Run, shop: Path) -> None:
    assert scan_json(run, "features/other.feature") == [WORDING]
    assert scan_json(run, shop / "features" / "other.feature") == [WORDING]
    assert scan_json(run, "features/api.feature", "features/other.feature") == [WORDING]
    outcome = run("scan", "features/other.feature")
    assert outcome.code == 1
    assert "features/other.feature:4:10" in outcome.out


def test_a_file_that_uses_the_wording_in_use_is_clean(run: Run, shop: Path) -> None:
    (shop / "features" / "more.feature").write_text(
        "Feature: m\n  Scenario: n\n    Then the response status is 200\n", "utf-8"
    )
    outcome = run("scan", "features/more.feature")
    assert outcome.code == 0
    assert findings(run("scan", "--json", "-", "features/more.feature")) == []


def test_files_of_other_kinds_are_not_read_as_features(run: Run, shop: Path) -> None:
    (shop / "notes.md").write_text("# Notes\n")
    (shop / "features" / "steps.py").write_text("from behave import given\n\n@given('a')\ndef step(context): ...\n")
    (shop / "features" / "OTHERS.PY").write_text("from behave import given\n\n@given('b')\ndef step(context): ...\n")
    files = "features/steps.py", "features/OTHERS.PY", "features/api.feature"
    outcome = run("scan", "notes.md", *files, "--severity", "divergent-wording=off")
    assert (outcome.code, outcome.err) == (
        0,
        "note: notes.md is left out: no feature file, and no source of step definitions\n",
    )
    assert "2 feature files" in outcome.out


def test_errors_of_other_files_are_not_reported(run: Run, shop: Path) -> None:
    (shop / "features" / "broken.feature").write_text("Feature: x\n  Scenario: y\n    Givn z\n", "utf-8")
    outcome = run("scan", "features/api.feature", "--severity", "divergent-wording=off")
    assert outcome.code == 0
    assert "broken" not in outcome.out


def test_github(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = shop / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    outcome = run("scan", "--github")
    assert outcome.code == 1
    assert "::warning file=features/other.feature,line=4,col=10" in outcome.out
    text = summary.read_text("utf-8")
    assert text.startswith("before\n")
    assert WORDING[0] in text
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(shop))
    assert "GITHUB_STEP_SUMMARY) can't be written" in run("scan", "--github").err


def test_in_a_pipe(run_process: Run, shop: Path) -> None:
    outcome = run_process("scan", cwd=shop)
    assert outcome.code == 1
    assert outcome.err == ""
    assert "\x1b" not in outcome.out
    plain = run_process("scan", cwd=shop, PYTHONUTF8="0", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert plain.code == 1
    assert plain.err == ""


def test_cache_is_written_only_where_allowed(run: Run, shop: Path, own_cache: Path) -> None:
    del shop
    run("scan", "--no-cache")
    assert list(own_cache.iterdir()) == []
    run("scan")
    assert {path.name for path in own_cache.iterdir()} >= {"reading.sqlite"}


def test_suites_keep_their_own_settings(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = shop / "package"
    shutil.copytree(shop / "features", package / "features")
    (package / "cukereuse.toml").write_text("[severity]\ndivergent-wording = 'off'\n")

    def suites() -> set[str]:
        data = json.loads(run("scan", "--json").out)
        assert [suite["root"] for suite in data["suites"]] == [".", "package"]
        return {finding["suite"] for finding in data["findings"]}

    assert suites() == {".", "package"}, "a variable is above every file"
    monkeypatch.delenv("CUKEREUSE_SEVERITY")
    assert suites() == {"."}


def test_a_bad_file_of_a_suite_inside_stops_the_scan(run: Run, shop: Path) -> None:
    package = shop / "package"
    shutil.copytree(shop / "features", package / "features")
    (package / "cukereuse.toml").write_text("treshold = 1\n")
    outcome = run("scan")
    assert outcome.code == 2
    assert "package/cukereuse.toml: unknown setting 'treshold'" in outcome.err


def test_suites_compared_across_are_named_for_the_folder_around_them(run: Run, shop: Path) -> None:
    """They are not named for the first of them; and both have their step definitions."""
    for name, text in (("one", API), ("two", OTHER)):
        (shop / name / "features").mkdir(parents=True)
        (shop / name / "behave.ini").touch()
        (shop / name / "features" / f"{name}.feature").write_text(text, "utf-8")
        (shop / name / "features" / "steps.py").write_text(
            f"from behave import given\n@given('only {name}')\ndef f(context): pass\n"
        )
    assert run("scan", "--across", "--json", "-", "one", "two").code == 1
    data = json.loads(run("scan", "--across", "--json", "-", "one", "two").out)
    assert [(suite["root"], suite["step_definitions"]) for suite in data["suites"]] == [(".", 2)]
    assert {Path(place["path"]).parts[0] for f in data["findings"] for s in f["others"] for place in s["places"]} == {
        "two"
    }
    here = json.loads(run("scan", "--across", "--json", "-", str(shop / "one"), str(shop / "two")).out)
    assert [suite["root"] for suite in here["suites"]] == [str(shop)]


@pytest.mark.parametrize(
    ("glue", "source", "note"),
    [
        ([], "", "; --glue or the setting `glue` names their folder"),
        (["--glue", "none"], "", " below none, so a scan finds less; check --glue and the setting `glue`"),
        (["--glue", "none"], "@when('I request tea')", ""),
        (["--glue", "none"], "@when('I request tea'", ""),  # is told as a source that could not be read
    ],
)
def test_a_suite_without_step_definitions_is_told(
    run: Run, shop: Path, glue: list[str], source: str, note: str
) -> None:
    (shop / "none").mkdir()
    if source:
        (shop / "none" / "a.py").write_text(f"from behave import when\n{source}\ndef f(c): pass\n", "utf-8")
    text, data = run("scan", *glue).out, json.loads(run("scan", *glue, "--json").out)
    told = [*re.findall(r"^note: (\..*)", text, re.MULTILINE)]
    assert told == [each for each in data["notes"] if each.startswith(".: no step definitions were found")]
    assert [each.endswith(note) for each in told] == ([True] if note else [])
