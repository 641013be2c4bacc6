"""`cukereuse corpus papers`: both papers beside ours."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from corpus_tools.commands.papers import command
from corpus_tools.pages.paper_rows import DIFFERS, EQUAL, MISSING, OTHER, PaperTable, Row, compared
from corpus_tools.pages.papers_page import render
from cukereuse_engine.errors import CukereuseError


@pytest.mark.parametrize(
    ("paper", "ours", "same", "verdict", "shown"),
    [
        ("0.82", 0.8199, True, EQUAL, "0.820"),
        ("0.82", 0.8312, True, DIFFERS, "0.831"),
        ("347", 347, True, EQUAL, "347"),
        ("347", 232, False, OTHER, "232"),
        ("347", None, True, MISSING, ""),
    ],
)
def test_verdicts(paper: str, ours: float | None, same: bool, verdict: str, shown: str) -> None:
    row = compared("a", paper, ours, same_corpus=same, why="because")
    assert (row.verdict, row.ours) == (verdict, shown)
    assert row.why == ("" if verdict == EQUAL else "because")


def test_the_page_shows_every_row_and_runs_nothing() -> None:
    tables = [PaperTable("a <b>", (Row("f", "1", "", MISSING, "c & d"),))]
    page = render({"First": tables}).decode()
    assert "a &lt;b&gt;" in page
    assert "c &amp; d" in page
    assert "1 figure: 1 not had" in page
    assert "<script" not in page


def test_a_release_that_lacks_a_file(tmp_path: Path) -> None:
    outcome = CliRunner().invoke(command, [str(tmp_path)])
    assert isinstance(outcome.exception, CukereuseError)


_OURS = {
    "patterns, RQ1": "7", "patterns, RQ2": "8", "patterns, RQ3": "9",
    "scenarios with a worthy window, RQ2, %": "25.000",
    "steps of a scenario, median": "3", "steps of a scenario, p75": "3", "steps of a scenario, p90": "8",
    "steps of a scenario, max": "8", "steps of a scenario, mean": "3.37500", "windows of 2 steps": "",
}  # fmt: skip


def _analysed(corpus: Path) -> Path:
    """A corpus with some of an analysis' tables."""
    (corpus / "tables").mkdir(parents=True)
    scopes = {
        "scope": ["file", "repository", "owners"],
        "patterns": [7, 8, 9],
        "worthy_scenario_share": [0.5, 0.25, 0.125],
    }
    pq.write_table(pa.table(scopes), corpus / "tables/patterns.parquet")
    lengths = {"steps": [2, 3, 8], "scenarios": [2, 5, 1]}
    pq.write_table(pa.table(lengths), corpus / "tables/scenario_lengths.parquet")
    return corpus


@pytest.mark.shared
def test_the_releases(shared: Path, tmp_path: Path) -> None:
    release = shared / "reference"
    written = tmp_path / "papers.json"
    outcome = CliRunner().invoke(command, [str(release), "--json", str(written)])
    assert outcome.exit_code == 0, outcome.output
    papers = json.loads(written.read_text())
    rows = {title: [row for table in tables for row in table["rows"]] for title, tables in papers.items()}
    differing = [row["figure"] for row in rows["First paper"] if row["verdict"] == "differs"]
    assert differing == ["repositories with 100 stars"]
    assert sum(row["verdict"] == "equal" for row in rows["First paper"]) >= 92
    assert sum(row["verdict"] == "equal" for row in rows["Second paper"]) >= 11
    corpus = _analysed(tmp_path / "ours")
    outcome = CliRunner().invoke(command, [str(release), "--corpus", str(corpus), "--json", str(written)])
    assert outcome.exit_code == 0, outcome.output
    beside = {row["figure"]: row for table in json.loads(written.read_text())["Second paper"] for row in table["rows"]}
    assert {name: beside[name]["ours"] for name in _OURS} == _OURS
    assert "the corpus ours" in beside["patterns, RQ1"]["why"]
    assert "name an analysed corpus" not in json.dumps(beside)
    assert all(row["why"] for table in rows.values() for row in table if row["verdict"] != "equal")
