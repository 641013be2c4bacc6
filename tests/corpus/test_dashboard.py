"""The dashboard: figures equal to a scan's, a page that sorts, and its size for an organisation of 500."""

import json
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest

from corpus_tools.pages import dashboard_page
from corpus_tools.pages.page import shortened
from corpus_tools.stages.dashboard import MONTHS, DashboardOptions, dashboard
from corpus_tools.stages.materialise import materialise
from corpus_tools.support.checkouts import checkouts
from cukereuse_engine.cli.main import run
from cukereuse_engine.report.visible import visible
from cukereuse_engine.scanning.scan import ScanOptions, scan
from cukereuse_engine.settings import Settings

GOOD = """Feature: Responses
  Scenario: One
    When I request tea
    Then the response status is 200
  Scenario: Two
    When I request coffee
    Then the response status is 200
"""
ODD = "Feature: g\n  Scenario: t\n    When I request milk\n    Then the response status should be 404\n"
LEXICAL = DashboardOptions(None)


def git(folder: Path, *arguments: str, date: str = "2026-01-01") -> None:
    import os
    import subprocess

    stamp = f"{date}T00:00:00Z"
    names = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "core.hooksPath=")
    environment = {**os.environ, "GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
    subprocess.run(["git", "-C", str(folder), *names, *arguments], check=True, capture_output=True, env=environment)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose second month brings another wording."""
    folder = tmp_path / "team" / "shop"
    (folder / "features").mkdir(parents=True)
    git(folder, "init", "-q")
    for month, (name, text) in enumerate((("a", GOOD), ("b", ODD)), 1):
        (folder / "features" / f"{name}.feature").write_text(text)
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", name, date=f"2026-0{month}-03")
    return folder


def test_figures_are_those_of_a_scan_and_of_the_history(checkout: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    materialise(corpus, local=checkouts([checkout]))
    (row,) = dashboard(corpus, LEXICAL)
    result = scan([checkout], ScanOptions(Settings(jobs=1, repetition_limit=0)))
    (suite,) = result.suites
    assert (row["repo"], row["files"], row["steps"], row["texts"]) == ("team/shop", 2, 6, 5)
    assert row["warnings"] + row["information"] + row["hints"] == len(suite.findings) > 0
    assert sum(json.loads(row["findings"]).values()) == len(suite.findings)
    assert json.loads(row["worst_files"])[0][0].startswith("features/")
    assert [(steps, several) for _, steps, several in json.loads(row["trend"])] == [(4, 0), (6, 1)]
    assert pq.read_table(corpus / "dashboard.parquet").to_pylist() == [row]


def test_findings_name_files_as_the_repository_does(checkout: Path, tmp_path: Path) -> None:
    (checkout / "features" / "steps").mkdir()
    steps = [
        f'@then("the response status {verb} {{code}}")\n'
        f"def step_{verb[0]}(context, code):\n    assert code == context.code\n"
        for verb in ("is", "should be")
    ]
    (checkout / "features" / "steps" / "steps.py").write_text("from behave import then\n" + "".join(steps))
    corpus = tmp_path / "corpus"
    materialise(corpus, local=checkouts([checkout]))
    (row,) = dashboard(corpus, LEXICAL)
    assert "defined at features/steps/steps.py:2" in row["first_findings"]
    assert str(tmp_path) not in row["first_findings"]


def test_the_suites_of_a_monorepo_have_a_row_each(checkout: Path, tmp_path: Path) -> None:
    """Each with its own history."""
    for name in ("sub [1]/behave.ini", "sub [1]/c.feature", "behave.ini"):
        (checkout / name).parent.mkdir(exist_ok=True)
        (checkout / name).write_text(GOOD if name.endswith("feature") else "")
    git(checkout, "add", "-A")
    git(checkout, "commit", "-q", "-m", "c", date="2026-03-03")
    corpus = tmp_path / "corpus"
    materialise(corpus, local=checkouts([checkout]))
    rows = dashboard(corpus, DashboardOptions(None, by_suite=True))
    sizes = {row["repo"]: (row["files"], [steps for _, steps, _ in json.loads(row["trend"])]) for row in rows}
    assert sizes == {"team/shop": (2, [4, 6, 6]), "team/shop//sub [1]": (1, [0, 0, 4])}
    assert json.loads(rows[0]["worst_files"])[0][0].startswith("features/")
    (whole,) = dashboard(corpus, LEXICAL)
    assert (whole["suites"], whole["files"]) == (2, 3)


def test_what_did_not_change_is_not_scanned_again(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "corpus"
    other = checkout.with_name("bank")
    shutil.copytree(checkout, other)
    arguments = ["corpus", "dashboard", str(corpus), "--offline", "--jobs", "1"]
    monkeypatch.setattr("cukereuse_engine.embedding_models.weights._places", lambda _: iter(()))
    materialise(corpus, local=checkouts([checkout, other]))
    assert run(arguments) == 0, capsys.readouterr().err
    (other / "features" / "c.feature").write_text(GOOD)
    scanned: list[str] = []
    real = scan

    def counted(paths: list[Path], *rest: Any, **more: Any) -> Any:
        scanned.extend(map(str, paths))
        return real(paths, *rest, **more)

    monkeypatch.setattr("corpus_tools.stages.dashboard.scan", counted)
    assert run(arguments) == 0
    assert scanned == [str(other)]
    assert "only wordings are compared" in capsys.readouterr().err


NUMBERS = (
    "suites", "files", "steps", "texts", "wordings", "definitions", "unread", "warnings", "information", "hints",
)  # fmt: skip


def rows(count: int) -> list[dict[str, Any]]:
    chance = Random(5)
    made = []
    for number in range(count):
        numbers = {name: chance.randrange(9_000) for name in NUMBERS}
        trend = [[1_500_000_000 + 2_600_000 * i, chance.randrange(20_000), chance.randrange(90)] for i in range(MONTHS)]
        worst = [[f"features/{chance.random()}/a file of some length.feature", chance.randrange(50)] for _ in range(5)]
        made.append({
            "repo": f"team{number % 40}/suite-{number}", **numbers, "repetition": chance.random(),
            "trend": json.dumps(trend),
            "findings": json.dumps({"divergent-wording": 7, "repeated-block": 3}), "worst_files": json.dumps(worst),
            "first_findings": json.dumps([f"{chance.random()} " * 12 for _ in range(3)]),
        })  # fmt: skip
    return made


def test_five_hundred_repositories_are_a_small_page() -> None:
    assert len(dashboard_page.render(rows(500), None)) < 5_000_000


@pytest.mark.browser
@pytest.mark.parametrize(
    ("column", "name"), [("Steps", "steps"), ("Warnings", "warnings"), ("Repetition", "repetition")]
)
def test_the_page_sorts(browser: Any, tmp_path: Path, column: str, name: str) -> None:
    made = rows(40)
    page = tmp_path / "dashboard.html"
    page.write_bytes(dashboard_page.render(made, "model"))
    browser.get(page.as_uri())
    button = browser.find_element("xpath", f"//th/button[text()='{column}']")
    for down in (True, False):
        button.click()
        shown = [element.text for element in browser.find_elements("css selector", "tbody summary")]
        expected = sorted(made, key=lambda row: row[name], reverse=down)
        assert shown == [row["repo"] for row in expected]
    assert len(browser.find_elements("css selector", "svg.line polyline")) == 40
    browser.find_element("css selector", "tbody summary").click()
    assert "Files with most findings" in browser.find_element("css selector", "tbody").text
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


@pytest.mark.parametrize(("text", "shown"), [("abc", "abc"), ("abcd", "abc…"), ("a\u202eb", visible("a\u202eb"))])
def test_what_is_cut_says_so(text: str, shown: str) -> None:
    assert shortened(text, 3) == shown
