"""Clusters, tables and figures of small corpora whose figures one can count by hand."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow.parquet as pq
import pytest
from matplotlib.axes import Axes

from corpus_tools.stages.analyse import figures
from corpus_tools.stages.analyse.clusters import find_members, step_texts
from corpus_tools.stages.analyse.database import arrow_of, karate_statements, open_corpus
from corpus_tools.stages.analyse.rollups import reference
from corpus_tools.stages.analyse.run import AnalyseOptions, analyse, strategy
from corpus_tools.stages.datasheet import datasheet
from corpus_tools.stages.parse import STEP_COLUMNS, parse
from corpus_tools.support import arrow, markdown
from cukereuse_engine.errors import Cancelled, CukereuseError
from cukereuse_engine.gherkin.karate import karate_statements as engine_statements
from cukereuse_engine.text.identity import identity

EXACT = AnalyseOptions((strategy("exact"),), model=None)
BOTH = AnalyseOptions((strategy("exact"), strategy("near-exact")), model=None)


def steps_file(path: Path, rows: list[tuple[str, str, str, str]]) -> Path:
    """Write rows of (repo, file, text, licence class) as `steps.parquet`."""
    empty = dict.fromkeys(STEP_COLUMNS)
    full = [
        {**empty, "repo": repo, "file_path": file, "text": text, "license_class": licence, "is_background": False,
         "is_outline": False, "line": i + 1, "scenario_line": 1, "scenario": "s", "feature": "f"}
        for i, (repo, file, text, licence) in enumerate(rows)
    ]  # fmt: skip
    arrow.write(path, STEP_COLUMNS, [arrow.table(STEP_COLUMNS, [list(row.values()) for row in full])])
    return path


@pytest.fixture
def counted(tmp_path: Path) -> Path:
    """a: 6 steps, b: 3, c: 1. "x" occurs 3 + 1 times, "y" twice, "the x door" and "the x doors" once each …"""
    rows = [
        ("o/a", "1.feature", "open the door", "permissive"),
        ("o/a", "1.feature", "open  the door", "permissive"),
        ("o/a", "2.feature", "open the door", "permissive"),
        ("o/a", "2.feature", "shut the window", "permissive"),
        ("o/a", "2.feature", "shut the window", "permissive"),
        ("o/a", "2.feature", "a fox sleeps", "permissive"),
        ("p/b", "1.feature", "open the door", "copyleft"),
        ("p/b", "1.feature", "open the doors", "copyleft"),
        ("p/b", "1.feature", "birds", "copyleft"),
        ("q/c", "1.feature", "", "unlicensed"),
        ("q/c", "1.feature", "stones", "unlicensed"),
    ]
    steps_file(tmp_path / "steps.parquet", rows)
    return tmp_path


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures take seconds, and a test of tables needs none."""
    monkeypatch.setattr(figures, "draw", lambda *_: [])


def table(corpus: Path, name: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = pq.read_table(corpus / "tables" / f"{name}.parquet").to_pylist()
    return rows


def test_texts_are_numbered_in_their_order(counted: Path) -> None:
    connection = open_corpus(counted / "steps.parquet")
    occurrences = {text.text: text.occurrences for text in step_texts(connection)}
    texts = list(occurrences)
    assert texts == sorted(texts)
    assert occurrences["open the door"] == 4
    assert "" not in texts


def test_sorted_results_stay_sorted_as_tables(tmp_path: Path) -> None:
    many = [("o/a", f"{i % 7}.feature", f"text {(i * 7919) % 60000}", "unknown") for i in range(60000)]
    connection = open_corpus(steps_file(tmp_path / "steps.parquet", many), threads=2)
    texts = [text.text for text in step_texts(connection)]
    assert texts == sorted(texts)
    ids = arrow_of(connection, "SELECT text_id FROM texts ORDER BY text DESC").column(0).to_pylist()
    assert ids == list(range(59999, -1, -1))


@pytest.mark.usefixtures("undrawn")
def test_exact_figures(counted: Path) -> None:
    analyse(counted, EXACT)
    clusters = pq.read_table(counted / "clusters_exact.parquet").to_pylist()
    assert [(row["canonical_text"], row["count"], row["occurrence_files"]) for row in clusters] == [
        ("open the door", 4, 3),
        ("shut the window", 2, 1),
    ]
    first = clusters[0]
    assert (first["n_distinct_repos"], first["n_distinct_owners"], first["permissive_fraction"]) == (2, 2, 0.5)
    overview = {row["figure"]: row["value"] for row in table(counted, "overview")}
    assert (overview["steps"], overview["steps with a text"], overview["distinct texts"]) == (11, 10, 6)
    assert (overview["repositories"], overview["files with steps"]) == (3, 4)
    names = ("scenarios", "distinct scenario texts", "distinct scenario structures")
    assert [overview[name] for name in names] == [4, 4, 4]
    assert [(row["steps"], row["scenarios"]) for row in table(counted, "scenario_lengths")] == [(2, 2), (3, 1), (4, 1)]
    patterns = {row["scope"]: row["patterns"] for row in table(counted, "patterns")}
    assert patterns == {"file": 0, "repository": 0, "owners": 0}
    assert table(counted, "windows")[0] == {"length": 2, "windows": 3}
    pooled = {row["notion"]: row["pooled"] for row in table(counted, "prevalence")}
    assert pooled["1 - distinct / steps"] == pytest.approx(1 - 6 / 10)
    assert pooled["has a twin in the repository"] == pytest.approx(5 / 10)
    assert pooled["has a twin in the corpus"] == pytest.approx(6 / 10)
    by_repository = {row["repo"]: row for row in table(counted, "repositories")}
    assert by_repository["o/a"]["duplicate_rate"] == pytest.approx(3 / 6)
    # Of the three lines that "open the door" saves, three quarters are a's; "shut the window" saves one.
    assert by_repository["o/a"]["savings_exact"] == pytest.approx(3 * 3 / 4 + 1)
    assert by_repository["p/b"]["savings_exact"] == pytest.approx(3 / 4)
    assert sum(row["savings_exact"] for row in by_repository.values()) == pytest.approx(4)
    assert [(row["tier"], row["repositories"], row["eliminable_lines"]) for row in table(counted, "tiers")] == [
        ("Small", 3, pytest.approx(4))
    ]


@pytest.mark.usefixtures("undrawn")
def test_joined_texts_save_more(counted: Path) -> None:
    analyse(counted, BOTH)
    rows = {row["strategy"]: row for row in table(counted, "savings")}
    assert (rows["exact"]["savings"], rows["exact"]["aggregate"], rows["exact"]["surplus"]) == (4.0, 4.0, 0)
    near = rows["near-exact"]
    assert (near["occurrences"], near["lines"], near["surplus"]) == (7, 5, 1)
    assert near["aggregate"] == pytest.approx(4 + 0.83)
    assert near["savings"] == pytest.approx(4 * 0.83 + 1)  # the window's cluster repeats one text
    steps = {row["confidence"]: row["aggregate"] for row in table(counted, "sensitivity")}
    assert (steps[0.0], steps[1.0]) == (4, 5)
    member = pq.read_table(counted / "cluster_members_near-exact.parquet").to_pylist()
    assert [row["text"] for row in member if row["cluster_id"] == 0] == ["open the door", "open the doors"]


@pytest.mark.usefixtures("undrawn")
def test_licence_tests_match_scipy_and_hand(counted: Path) -> None:
    analyse(counted, EXACT)
    strata = {row["license_class"]: row for row in table(counted, "licences")}
    assert (strata["permissive"]["steps"], strata["permissive"]["unique_texts"]) == (6, 3)
    tests = {row["classes"]: row for row in table(counted, "licence_tests")}
    assert tests["all classes"]["freedom"] == 2
    # Rates 1/2 of 6 and 0 of 3: pooled 1/3, z = .5 / sqrt(2/9 * (1/6 + 1/3)) = 1.5, h = pi/2.
    pair = tests["permissive / copyleft"]
    assert pair["statistic"] == pytest.approx(1.5)
    assert pair["effect"] == pytest.approx(1.5707963)


@pytest.mark.usefixtures("undrawn")
def test_reuse_and_rewording_are_told_apart(tmp_path: Path) -> None:
    """Counted by hand: the near-exact cluster of 6 steps has 3 texts of 2 wordings."""
    texts = ['I add "tea" to it', 'I add "tea" to it', 'I add "milk" to it', 'I add "milk" to its', "stones", "birds"]
    steps_file(tmp_path / "steps.parquet", [("o/a", "1.feature", text, "unknown") for text in texts])
    analyse(tmp_path, AnalyseOptions((strategy("near-exact", threshold=0.7),), model=None))
    lines = {row["differs_by"]: row["lines"] for row in table(tmp_path, "kinds") if row["strategy"] == "near-exact"}
    assert lines == {"same text": 1, "other arguments": 1, "other words": 1}
    saved = {row["strategy"]: row["lines"] for row in table(tmp_path, "savings")}
    assert sum(lines.values()) == saved["near-exact"]
    (cluster,) = pq.read_table(tmp_path / "clusters_near-exact.parquet").to_pylist()
    assert (cluster["wording"], cluster["n_distinct_variants"], cluster["n_distinct_wordings"]) == (
        "I add … to it",
        3,
        2,
    )
    shares = {row["top"]: (row["texts"], row["wordings"]) for row in table(tmp_path, "coverage")}
    assert shares[1] == (pytest.approx(2 / 6), pytest.approx(3 / 6))
    assert shares[10] == (pytest.approx(1), pytest.approx(1))
    overview = {row["figure"]: row["value"] for row in table(tmp_path, "overview")}
    assert (overview["scenarios"], overview["distinct texts"], overview["wordings"]) == (1, 5, 4)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "<h1>1 of 4 wordings means the same as another one (6 steps of 1 repository)</h1>" in page
    assert "I add … to it" in page


@pytest.mark.usefixtures("undrawn")
def test_a_chain_is_told_beside_its_convergence(tmp_path: Path) -> None:
    texts = [("o/a", "abcdefgh"), ("p/b", "abcdefgx"), ("q/c", "abcdefxx")]
    steps_file(tmp_path / "steps.parquet", [(repo, "1.feature", text, "unknown") for repo, text in texts])
    analyse(tmp_path, AnalyseOptions((strategy("near-exact", threshold=0.8, linkage="single"),), model=None))
    (row,) = table(tmp_path, "convergence_near-exact")
    assert (row["n_distinct_repos"], row["n_repos_of_text"]) == (3, 1)
    assert "the cluster is a chain" in (tmp_path / "report.html").read_text("utf-8")


def test_exact_by_query_is_exact_by_the_engine(counted: Path) -> None:
    connection = open_corpus(counted / "steps.parquet")
    texts = step_texts(connection)
    from corpus_tools.stages.analyse.clusters import exact_members

    by_query = [row for part in exact_members(connection) for row in part.to_pylist()]
    by_engine = [row for part in find_members(texts, strategy("exact"), None) for row in part.to_pylist()]

    def seen(rows: list[dict[str, object]]) -> set[tuple[object, ...]]:
        return {(row["text_id"], row["id"], row["kind"], row["canonical"]) for row in rows}

    assert seen(by_query) == seen(by_engine)


def test_statements_of_karate_are_compared_no_further(tmp_path: Path) -> None:
    """As a scan does; the same words in a file of sentences are sentences."""
    code = ["method get", "def order = call read('a')", "the orders are paid", "status 200"]
    prose = ["the order is shown", "the order is shown", "a fox sleeps", "an order is shown"]
    rows = [("o/a", "karate.feature", text, "permissive") for text in [*code, "an order is paid", "def x = 1"]]
    rows += [("o/a", "prose.feature", text, "permissive") for text in prose]
    steps_file(tmp_path / "steps.parquet", rows)
    steps = [
        SimpleNamespace(path=file, text=text) for _, file, text, _ in rows
    ]  # what `karate_statements` of the engine reads of a step
    by_text: dict[str, list[SimpleNamespace]] = {}
    for step in steps:
        by_text.setdefault(identity(step.text), []).append(step)
    statements = karate_statements(open_corpus(tmp_path / "steps.parquet"))
    assert statements == engine_statements(by_text)  # type: ignore[arg-type]
    assert statements == {identity(text) for text in [*code, "an order is paid", "def x = 1"]}


@pytest.mark.usefixtures("undrawn")
def test_clusters_as_json_are_the_parquet_files(counted: Path) -> None:
    analyse(counted, BOTH)
    data = json.loads((counted / "clusters_near-exact.json").read_text("utf-8"))
    assert (data["schema_version"], data["strategy"]) == (1, "near-exact")
    clusters = pq.read_table(counted / "clusters_near-exact.parquet").to_pylist()
    members = pq.read_table(counted / "cluster_members_near-exact.parquet").to_pylist()
    assert [(cluster["cluster_id"], cluster["canonical_text"], cluster["count"]) for cluster in data["clusters"]] == [
        (row["cluster_id"], row["canonical_text"], row["count"]) for row in clusters
    ]
    texts = [
        (cluster["cluster_id"], text["text"], text["count"])
        for cluster in data["clusters"]
        for text in cluster["texts"]
    ]
    assert texts == [(row["cluster_id"], row["text"], row["count"]) for row in members]
    assert ("open the doors", 1) in [text[1:] for text in texts]


@pytest.mark.parametrize(
    ("strategies", "counted"),
    [(["exact"], "exact"), (["exact", "semantic", "auto"], "auto"), (["auto", "hybrid"], "hybrid"),
     (["exact", "semantic", "near-exact"], "semantic")],
)  # fmt: skip
def test_whose_lines_the_savings_rate_counts(strategies: list[str], counted: str) -> None:
    assert reference(strategies) == counted


def test_fractions_of_a_column_have_as_many_digits() -> None:
    rows = [("a", 851.0, 0.00001, 1), ("b|c", 15_856.25, 0.5, 1_000)]
    assert markdown.cells_of(rows) == [["a", "851.0", "1.0e-05", "1"], ["b|c", "15,856.2", "0.5000", "1,000"]]
    assert markdown.table(("name", "lines", "p", "n"), rows).splitlines()[3] == "| b\\|c | 15,856.2 |  0.5000 | 1,000 |"
    assert markdown.table(("name",), []) == "| name |\n| ---- |\n"


def test_a_strategy_is_drawn_alike_in_every_figure(counted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, set[tuple[object, ...]]] = {}
    plot = Axes.plot

    def note(axes: Axes, *points: Any, **style: Any) -> object:
        drawn.setdefault(style["label"], set()).add((style["color"], style["linestyle"]))
        return plot(axes, *points, **style)

    monkeypatch.setattr(Axes, "plot", note)
    analyse(counted, AnalyseOptions((strategy("auto"), strategy("near-exact")), model=None))
    assert set(drawn) == {"exact", "auto", "near-exact", "steps", "distinct texts"}
    assert all(len(styles) == 1 for styles in drawn.values())
    lines = [style for name in ("exact", "auto", "near-exact") for _, style in drawn[name]]
    assert len(set(lines)) == 3, "in a black and white print they differ by their lines"


def test_the_report_shows_any_text_as_text(tmp_path: Path) -> None:
    rows = [
        ("o/a", "1.feature", "<script>alert(1)</script>\u202e & more", "permissive"),
        ("p/b", "1.feature", "<script>alert(1)</script>\u202e & more", "copyleft"),
    ]
    steps_file(tmp_path / "steps.parquet", rows)
    analyse(tmp_path, EXACT)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\\u202e &amp; more" in page
    assert "http" not in page.replace("http-equiv", "")
    assert page.count("data:image/svg+xml;base64,") >= 4
    assert "2 steps of 2 repositories" in page


def test_stopped_between_strategies_it_gives_the_same_bytes(build_corpus: Callable[[str], Path]) -> None:
    whole, cut = build_corpus("whole"), build_corpus("cut")
    for corpus in (whole, cut):
        parse(corpus)
    expected = analyse(whole, BOTH)

    def find(texts, options, vectors, statements, progress):  # type: ignore[no-untyped-def]
        if options.strategy == "near-exact":
            raise Cancelled
        return find_members(texts, options, vectors, statements, progress)

    with pytest.raises(Cancelled):
        analyse(cut, BOTH, find=find)
    outputs = analyse(cut, BOTH)
    assert len(outputs) == len(expected) == 4 + 2 + 1 + 2 * (16 + 4) + 16
    for path in outputs:
        assert path.read_bytes() == (whole / path.relative_to(cut)).read_bytes(), path.name


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("memory", ["100KB", "1MB"])
def test_memory_that_does_not_suffice_is_told(counted: Path, memory: str) -> None:
    with pytest.raises(CukereuseError, match=f"with {memory}.*Out of Memory") as raised:
        analyse(counted, replace(EXACT, memory=memory))
    assert "--memory" in (raised.value.hint or "")
    assert analyse(counted, EXACT)


@pytest.mark.usefixtures("undrawn")
def test_what_a_killed_run_left_is_swept(counted: Path) -> None:
    (counted / "tables").mkdir()
    left = [
        counted / name for name in ("tables/.prevalence.md.b4cb817a.tmp", ".report.html.99.tmp", ".DATASHEET.md.1.tmp")
    ]
    for path in left:
        path.write_bytes(b"half")
    analyse(counted, EXACT)
    datasheet(counted)
    assert [path for path in left if path.exists()] == []


def test_without_steps_or_model(tmp_path: Path, counted: Path) -> None:
    with pytest.raises(CukereuseError, match="does not exist"):
        analyse(tmp_path / "none", EXACT)
    with pytest.raises(CukereuseError, match="needs an embedding model"):
        analyse(counted, AnalyseOptions((strategy("semantic"),), model=None))
    (counted / "steps.parquet").write_bytes(b"no parquet")
    with pytest.raises(CukereuseError, match="can't be read"):
        analyse(counted, EXACT)
