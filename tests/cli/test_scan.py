"""`cukereuse scan` as a user meets it: reports, exit codes, baseline, files, revisions, models."""

import base64
import gzip
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cukereuse_engine.report import json_report
from cukereuse_engine.settings import SETTINGS

Run = Callable[..., Any]

API = """\
Feature: API
  Scenario: One
    When I request tea
    Then the response status is 200
  Scenario: Two
    When I request coffee
    Then the response status is 404
"""
OTHER = """\
Feature: Other
  Scenario: Three
    When I request milk
    Then the response status should be 404
"""


@pytest.fixture(autouse=True)
def no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, a machine without the weights and without a network: fast, and the same everywhere."""
    from cukereuse_engine.similarity import weights

    monkeypatch.setattr(weights, "_places", lambda _: iter(()))
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "nowhere").as_uri())
    monkeypatch.setenv("PIP_NO_INDEX", "1")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: a suite of two files, of which the second words one intent in its own way."""
    root = tmp_path / "a#b 100% ünï"
    (root / "features").mkdir(parents=True)
    (root / "behave.ini").touch()
    (root / "features" / "api.feature").write_text(API, "utf-8")
    (root / "features" / "other.feature").write_text(OTHER, "utf-8")
    monkeypatch.chdir(root)
    monkeypatch.setenv("CUKEREUSE_SEVERITY", "divergent-wording=warning")
    return root


def findings(outcome: Any) -> list[tuple[str, str]]:
    data = json.loads(outcome.out)
    jsonschema.validate(data, json_report.schema())
    return [(finding["others"][0]["text"], finding["preferred"]["text"]) for finding in data["findings"]]


WORDING = ("the response status should be 404", "the response status is 200")


def scan_json(run: Run, *arguments: str | Path) -> list[tuple[str, str]]:
    return findings(run("scan", "--json", "-", *arguments))


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
    names = ("html", "json", "sarif", "parquet")
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
        (["bare.git"], "bare.git is a bare git repository, which has no files\nName a clone of it."),
    ],
)
def test_bad_arguments(
    run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(shop.parent.parent))
    subprocess.run(["git", "init", "-q", "--bare", "bare.git"], check=True)
    outcome = run("scan", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert "Traceback" not in outcome.err


def test_every_setting_that_a_scan_reads_has_a_flag(run: Run) -> None:
    help_text = run("scan", "--help").out
    offered = {name for name, setting in SETTINGS.items() if re.search(rf"{setting.flag}\b", help_text)}
    assert offered == {name for name, setting in SETTINGS.items() if setting.heading is not None}


def test_empty_folder_is_clean(run: Run, tmp_path: Path) -> None:
    outcome = run("scan", tmp_path)
    assert outcome.code == 0
    assert json.loads(run("scan", "--json", "-", tmp_path).out)["summary"]["steps"] == 0


# What is reported, not what is compared.


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


def test_errors_of_other_files_are_not_reported(run: Run, shop: Path) -> None:
    (shop / "features" / "broken.feature").write_text("Feature: x\n  Scenario: y\n    Givn z\n", "utf-8")
    outcome = run("scan", "features/api.feature", "--severity", "divergent-wording=off")
    assert outcome.code == 0
    assert "broken" not in outcome.out


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false", "-c", "core.hooksPath=")
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_since(run: Run, shop: Path) -> None:
    other = shop / "features" / "other.feature"
    text = other.read_text("utf-8")
    other.unlink()
    git(shop, "init", "-q", "-b", "main")
    git(shop, "add", ".")
    git(shop, "commit", "-qm", "one")
    other.write_text(text, "utf-8")
    assert scan_json(run, "--since", "main") == [WORDING]
    assert scan_json(run, "--since", "main", "features/api.feature") == []
    git(shop, "add", ".")
    git(shop, "commit", "-qm", "two")
    assert scan_json(run, "--since", "main") == []
    assert scan_json(run, "--since", "HEAD~1", "features") == [WORDING]
    outcome = run("scan", "--since", "nosuch")
    assert outcome.code == 2
    assert "git does not know the revision 'nosuch'" in outcome.err


# Suppression.


def test_pragmas(run: Run, shop: Path) -> None:
    other = shop / "features" / "other.feature"
    text = other.read_text("utf-8")
    other.write_text(text.replace("    Then", "    # cukereuse: ignore[divergent-wording] -- legal\n    Then"), "utf-8")
    outcome = run("scan", "--json")
    assert (outcome.code, findings(outcome)) == (0, [])
    assert json.loads(outcome.out)["summary"]["findings"]["suppressed"] == 1
    other.write_text(f"# cukereuse: ignore-file\n{text}", "utf-8")
    assert run("scan").code == 0
    other.write_text(f"# cukereuse: ignore-file[divergent-words]\n{text}", "utf-8")
    outcome = run("scan", "--all")
    assert outcome.code == 1
    assert "did you mean 'divergent-wording'?" in outcome.out


def test_baseline(run: Run, shop: Path) -> None:
    baseline = ("--baseline", "known.json")
    outcome = run("scan", *baseline, "--write-baseline")
    assert outcome.code == 0
    assert "known.json: 1 entry written for 1 finding\n" in outcome.err
    written = (shop / "known.json").read_bytes()
    assert scan_json(run, *baseline) == []
    (shop / "cukereuse.toml").write_text("baseline = 'known.json'\n")
    assert run("scan").code == 0, "the setting does the same"

    new = "Feature: n\n  Scenario: o\n    When I visit the plot\n    And I go to the plot\n"
    (shop / "features" / "new.feature").write_text(f"\n\n# moved\n{new}", "utf-8")
    (shop / "features" / "api.feature").write_text("\n\n" + API, "utf-8")
    assert WORDING not in scan_json(run)
    assert ("I go to the plot", "I visit the plot") in [tuple(sorted(one)) for one in scan_json(run)]
    run("scan", "--write-baseline")
    assert (shop / "known.json").read_bytes() != written
    (shop / "features" / "new.feature").unlink()
    run("scan", "--update-baseline")
    assert (shop / "known.json").read_bytes() == written, "what is gone is forgotten, what stays is the same text"


def test_update_of_a_baseline_adds_nothing(run: Run, shop: Path) -> None:
    del shop
    Path("known.json").write_text('{"version": 1, "findings": []}')
    outcome = run("scan", "--baseline", "known.json", "--update-baseline")
    assert outcome.code == 1
    assert "0 entries removed, 0 left" in outcome.err


def broken(*lines: str) -> str:
    return "\n".join(("Feature: x", "  Scenario: y", *lines, ""))


def test_a_baseline_takes_what_could_not_be_read(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its file and message, and by how many are alike: moved lines bring nothing back, one more of them is new."""
    file = shop / "features" / "broken.feature"
    file.write_text(broken("    @a b", "    Given z", "    Givn z"), "utf-8")
    count = len(json.loads(run("scan", "--json").out)["errors"])
    assert count
    baseline = ("--baseline", "known.json")
    outcome = run("scan", *baseline, "--write-baseline")
    places = "1 unread place" if count == 1 else f"{count} unread places"
    assert (outcome.code, outcome.err) == (0, f"known.json: {count + 1} entries written for 1 finding and {places}\n")
    assert f"Nothing new: 1 finding and {places} are suppressed." in outcome.out
    known = (shop / "known.json").read_bytes()
    assert '"file": "features/broken.feature"' in known.decode()

    file.write_text("\n\n# moved\n" + file.read_text("utf-8"), "utf-8")
    outcome = run("scan", *baseline)
    assert outcome.code == 0
    assert "broken.feature" not in outcome.out
    assert f"{places} in the baseline" in outcome.out
    data = json.loads(run("scan", *baseline, "--json").out)
    assert (data["errors"], data["summary"]["findings"]["suppressed"]) == ([], count + 1)
    monkeypatch.chdir(shop / "features")
    assert run("scan", "--baseline", "../known.json", "broken.feature").code == 0, "seen from any folder"
    monkeypatch.chdir(shop)

    more = file.read_text("utf-8")
    file.write_text(more + "  Scenario: w\n    Given z\n    Givn z\n", "utf-8")
    outcome = run("scan", *baseline)
    assert outcome.code == 1
    assert "1 thing to look at: 1 warning. " in outcome.out
    (error,) = json.loads(run("scan", *baseline, "--json").out)["errors"]
    assert error["line"] == len(more.splitlines()) + 3

    file.write_text(more, "utf-8")
    assert "0 entries removed" in run("scan", *baseline, "--update-baseline").err
    assert (shop / "known.json").read_bytes() == known
    file.unlink()
    assert f"{counted(count)} removed, 1 left\n" in run("scan", *baseline, "--update-baseline").err


def counted(entries: int) -> str:
    return "1 entry" if entries == 1 else f"{entries} entries"


def test_an_older_baseline_leaves_what_could_not_be_read(run: Run, shop: Path) -> None:
    """It has none of it: that is new, and the headline counts it."""
    baseline = ("--baseline", "known.json")
    run("scan", *baseline, "--write-baseline")
    (shop / "features" / "broken.feature").write_text(broken("    Givn z"), "utf-8")
    outcome = run("scan", *baseline)
    assert outcome.code == 1
    assert "1 thing to look at: 1 warning. 1 suppressed\n1 place could not be read." in outcome.out
    assert run("scan", *baseline, "--severity", "unread=off").code == 0
    assert "0 entries removed, 1 left" in run("scan", *baseline, "--update-baseline").err


# GitHub.


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


# The model.


@pytest.mark.model
@pytest.mark.parametrize("strategy", ["auto", "semantic", "hybrid"])
def test_with_the_model(run_process: Run, shop: Path, model_files: object, strategy: str) -> None:
    del model_files
    outcome = run_process("scan", "--json", "--strategy", strategy, cwd=shop, CUKEREUSE_OFFLINE="1")
    data = json.loads(outcome.out)
    assert data["model"] == "sentence-transformers/all-MiniLM-L6-v2"
    assert data["notes"] == []
    assert any(len(cluster["texts"]) > 1 for cluster in data["clusters"])


@pytest.mark.model
def test_model_is_shown(run_process: Run, model_files: object) -> None:
    del model_files
    outcome = run_process("model")
    assert outcome.code == 0
    assert "sentence-transformers/all-MiniLM-L6-v2 is used from" in outcome.out
    assert "is already here" in run_process("model", "download").out


def test_without_the_model_auto_is_lexical_and_says_so(run: Run, shop: Path) -> None:
    del shop
    outcome = run("scan", "--json")
    data = json.loads(outcome.out)
    assert (outcome.code, data["model"]) == (1, None)
    (note,) = data["notes"]
    assert "cukereuse model download" in note
    assert "lexical only" in run("scan").out


@pytest.mark.parametrize("strategy", ["semantic", "hybrid"])
@pytest.mark.parametrize("flags", [[], ["--offline"]])
def test_without_the_model_a_strategy_that_needs_it_says_what_to_do(
    run: Run, shop: Path, strategy: str, flags: list[str]
) -> None:
    del shop
    outcome = run("scan", "--strategy", strategy, *flags)
    assert (outcome.code, outcome.out) == (2, "")
    assert "cukereuse model download" in outcome.err


def test_a_download_that_fails_is_one_note(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del shop
    monkeypatch.delenv("CUKEREUSE_OFFLINE")
    outcome = run("scan", "--json")
    assert outcome.code == 1
    assert "downloading" in outcome.err
    assert len(json.loads(outcome.out)["notes"]) == 1
    assert "downloading" not in run("scan", "--json", "--offline").err


@pytest.mark.parametrize("strategy", ["exact", "near-exact"])
def test_lexical_strategies_do_not_speak_of_the_model(run: Run, shop: Path, strategy: str) -> None:
    del shop
    outcome = run("scan", "--json", "--strategy", strategy)
    assert json.loads(outcome.out)["notes"] == []
    assert outcome.err == ""


def test_model_commands_without_the_model(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = run("model")
    assert outcome.code == 2
    assert "not on this machine" in outcome.err
    monkeypatch.delenv("CUKEREUSE_OFFLINE")
    outcome = run("model", "download")
    assert outcome.code == 2
    assert "error: " in outcome.err


# Processes.


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
    """Not for the first of them; and both have their step definitions."""
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
