"""`cukereuse scan` with known findings: baseline, revisions, pragmas."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.shop import API, WORDING, findings, scan_json

pytestmark = pytest.mark.usefixtures("no_model")

Run = Callable[..., Any]


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


def test_a_baseline_of_nothing_is_written_too(run: Run, shop: Path) -> None:
    baseline = ("--baseline", "known.json")
    shutil.rmtree(shop / "features")
    (shop / "clean.feature").write_text("Feature: f\n  Scenario: s\n    Given I log in\n    Then it is blue\n", "utf-8")
    outcome = run("scan", "clean.feature", *baseline, "--write-baseline")
    assert (outcome.code, outcome.err) == (0, "known.json: 0 entries written\n")
    assert scan_json(run, "clean.feature", *baseline) == []


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
    assert ("I go to the plot", "I visit the plot") in [tuple(sorted(wordings)) for wordings in scan_json(run)]
    run("scan", "--write-baseline")
    assert (shop / "known.json").read_bytes() != written
    (shop / "features" / "new.feature").unlink()
    run("scan", "--update-baseline")
    assert (shop / "known.json").read_bytes() == written, "what is gone is forgotten, what stays is the same text"


def test_entries_that_outnumber_the_findings_are_explained(run: Run, shop: Path) -> None:
    steps = ["    Given I sign in as a guest", "    Given I log in as a guest", "    Given I log on as a guest"]
    (shop / "features" / "more.feature").write_text(broken(*steps), "utf-8")
    written = run("scan", "--baseline", "known.json", "--write-baseline").err
    entries = len(json.loads((shop / "known.json").read_text("utf-8"))["findings"])
    assert f"{entries} entries written for 2 findings; each wording has its own\n" in written
    left = run("scan", "--baseline", "known.json", "--update-baseline").err
    assert f"0 entries removed, {entries} left; each wording has its own\n" in left


def broken(*lines: str) -> str:
    return "\n".join(("Feature: x", "  Scenario: y", *lines, ""))


def test_update_of_a_baseline_adds_nothing(run: Run, shop: Path) -> None:
    del shop
    Path("known.json").write_text('{"version": 1, "findings": []}')
    outcome = run("scan", "--baseline", "known.json", "--update-baseline")
    assert outcome.code == 1
    assert "0 entries removed, 0 left" in outcome.err


def test_a_baseline_takes_what_could_not_be_read(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries have file, message and count: moved lines bring nothing back, one more of a kind is new."""
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
    """The baseline has no unread place: all are new, and the headline counts them."""
    baseline = ("--baseline", "known.json")
    run("scan", *baseline, "--write-baseline")
    (shop / "features" / "broken.feature").write_text(broken("    Givn z"), "utf-8")
    outcome = run("scan", *baseline)
    assert outcome.code == 1
    assert "1 thing to look at: 1 warning. 1 suppressed.\n1 place could not be read." in outcome.out
    assert run("scan", *baseline, "--severity", "unread=off").code == 0
    assert "0 entries removed, 1 left" in run("scan", *baseline, "--update-baseline").err
