"""Windows of steps compared with a plain count, and the labelled windows."""

import json
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_tools.pages import shared_blocks_page
from corpus_tools.pages.shared_blocks_page import SharedBlock
from corpus_tools.stages.analyse import figures as plots
from corpus_tools.stages.parse import STEP_COLUMNS, STEPS
from corpus_tools.stages.slices import corpus, patterns, windows
from corpus_tools.stages.slices.pool import evaluate, read_labels
from corpus_tools.stages.slices.sequences import LEAST, ClusterSequences
from corpus_tools.stages.slices.shared import shared_blocks, shared_table
from corpus_tools.stages.slices.steps import read_steps, sums_of
from corpus_tools.stages.slices.tables import slice_tables
from corpus_tools.stages.slices.windows import MOST, SCOPES, figures
from corpus_tools.support import arrow
from cukereuse_engine.errors import CukereuseError

STEP = st.tuples(
    st.sampled_from(["one/a", "one/b", "two/c"]),
    st.sampled_from(["x", "y"]),
    st.sampled_from(["s", "t", "u", ""]),
    st.one_of(st.none(), st.integers(0, 3)),
)
OF_LONG_SCENARIOS = st.tuples(st.sampled_from(["one/a", "two/c"]), st.just("x"), st.just("s"), st.integers(0, 2))


def sequences(rows):
    """Steps as (repository, file, name of the scenario, cluster)."""
    repositories, paths, names, clusters = zip(*rows, strict=True) if rows else ((), (), (), ())
    numbers = ([sorted(set(column)).index(value) + bool(value) for value in column] for column in (repositories, paths))
    named = [["", *sorted(set(names) - {""})].index(name) for name in names]
    held = [-1 if cluster is None else cluster for cluster in clusters]
    return ClusterSequences.of(*(np.array(column, np.int32) for column in (*numbers, named, held)))


@pytest.fixture(scope="module", autouse=True)
def _many_small_parts():
    """What is looked at a part at a time is so in small corpora too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(patterns, "_BUCKET", 7)
        patch.setattr(windows, "_SCENARIOS", 3)
        patch.setattr(windows, "_PLACES", 5)
        yield


@settings(max_examples=200, deadline=None)
@given(st.lists(STEP, max_size=60) | st.lists(OF_LONG_SCENARIOS, min_size=20, max_size=60))
def test_counts_are_those_of_a_plain_count(rows):
    scenarios = defaultdict(list)
    for repository, file, name, cluster in rows:
        if name and cluster is not None:
            scenarios[repository, file, name].append(cluster)
    scenarios = {key: symbols for key, symbols in scenarios.items() if len(symbols) >= LEAST}
    slices, places = defaultdict(int), defaultdict(list)
    for key, symbols in scenarios.items():
        for length in range(LEAST, MOST + 1):
            for start in range(len(symbols) - length + 1):
                slices[length] += 1
                places[tuple(symbols[start : start + length])].append(key)
    recurring = {scope: set() for scope in SCOPES}
    for pattern, keys in places.items():
        in_file, in_repository = defaultdict(set), defaultdict(set)
        for key in keys:
            in_file[key[:2]].add(key)
            in_repository[key[0]].add(key[:2])
        if max(map(len, in_file.values())) > 1:
            recurring["file"].add(pattern)
        if max(map(len, in_repository.values())) > 1:
            recurring["repository"].add(pattern)
        if len(in_repository) > 1:
            recurring["owners"].add(pattern)
    measured = figures(sequences(rows))
    assert measured.scenarios == len(scenarios)
    assert {length: count for length, count in measured.slices.items() if count} == slices
    assert (measured.distinct, measured.recurring) == (len(places), sum(len(keys) > 1 for keys in places.values()))
    for scope in SCOPES:
        assert measured.patterns[scope] == len(recurring[scope])
        holding = {key for pattern in recurring[scope] for key in places[pattern]}
        assert measured.scenario_share[scope] == pytest.approx(len(holding) / max(len(scenarios), 1))
        worthy = {pattern for pattern in recurring[scope] if len(pattern) > 3 or len(places[pattern]) > 2}
        assert measured.worthy_patterns[scope] == len(worthy)
        of_worthy = {key for pattern in worthy for key in places[pattern]}
        assert measured.worthy_scenario_share[scope] == pytest.approx(len(of_worthy) / max(len(scenarios), 1))
        assert measured.saved[scope] == plain_cover(scenarios, scope)


def plain_cover(scenarios, scope):
    """The steps that a greedy cover saves, window by window."""
    free = {key: [True] * len(symbols) for key, symbols in scenarios.items()}
    total = 0
    for length in range(MOST, LEAST - 1, -1):
        places = defaultdict(list)
        for key, symbols in scenarios.items():
            for start in range(len(symbols) - length + 1):
                if all(free[key][start : start + length]):
                    places[tuple(symbols[start : start + length])].append((key, start))
        wanted = set()
        for pattern, found in places.items():
            keys = {key for key, _ in found}
            outer = {
                "file": [key[:2] for key in keys],
                "repository": [key[0] for key in {key[:2]: key for key in keys}.values()],
                "owners": [0 for _ in {key[0] for key in keys}],
            }[scope]
            if len(outer) > len(set(outer)):
                wanted.add(pattern)
        uses = defaultdict(int)
        for key, symbols in scenarios.items():
            for start in range(len(symbols) - length + 1):
                pattern = tuple(symbols[start : start + length])
                if pattern in wanted and all(free[key][start : start + length]):
                    free[key][start : start + length] = [False] * length
                    uses[pattern] += 1
        total += sum(max(0, count * (length - 1) - length) for count in uses.values())
    return total


@pytest.mark.parametrize("above", [0, 1 << 32])
def test_only_equal_sequences_are_one(above):
    """Also those of numbers that places have too, in any order."""
    sequences = [each for length in (1, 2, 3, 4) for each in product(range(4), repeat=length)]
    symbols = np.concatenate(sequences * 2) + above
    sums = sums_of(symbols, np.array([len(each) for each in sequences * 2])).reshape(2, -1)
    assert len(set(sums[0].tolist())) == len(sequences)
    assert np.array_equal(*sums)


ROW = st.tuples(
    st.sampled_from(["x", "y"]),
    st.integers(1, 3),
    st.sampled_from(["s", "s", "t", "", None]),
    st.sampled_from(["a", "A", "b", "b", "c", "", None]),
    st.sampled_from([None, "table", "docstring"]),
    st.booleans(),
)


def sorted_rows(rows):
    return sorted(rows, key=lambda row: row[:2])


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(ROW, max_size=12).map(sorted_rows), size=st.integers(1, 5))
def test_figures_do_not_depend_on_how_many_steps_are_held_at_a_time(rows, size, tmp_path_factory):
    """Of two repositories with the same files in small row groups, each read alone, and of all in one."""
    names = ["repo", "file_path", "scenario_line", "scenario", "text", "argument", "is_background"]
    rows = [(repository, *row) for repository in ("one/a", "two/c") for row in rows]
    columns = map(list, zip(*rows, strict=True)) if rows else [[] for _ in names]
    types = [pa.string(), pa.string(), pa.int32(), pa.string(), pa.string(), pa.string(), pa.bool_()]
    table = pa.table([pa.array(*both) for both in zip(columns, types, strict=True)], names)
    written = pa.table({
        "text": ["a", "A", "b"], "text_id": pa.array([0, 0, 1], pa.int32()),
        "wording_id": pa.array([0, 0, 0], pa.int32()), "cluster_id": pa.array([0, 0, 1], pa.int64()),
    })  # fmt: skip
    folder = tmp_path_factory.mktemp("corpus")
    results = []
    for name, rows_of_group in (("parts", size), ("whole", 100)):
        path = folder / f"{name}.parquet"
        pq.write_table(table, path, row_group_size=rows_of_group)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(corpus, "read_steps", lambda path: read_steps(path, groups=1))
            results.append(corpus.figures(path, written))
    assert results[0] == results[1]
    lengths = Counter(tuple(row[:3]) for row in rows if not row[-1])
    assert results[0][0].lengths == Counter(lengths.values())


def test_files_of_different_parts_stay_apart():
    part = [("one/a", "x", "s", 0), ("one/a", "x", "s", 1)]
    assert figures(ClusterSequences.joined([sequences(part), sequences(part)])).patterns["file"] == 0


def test_a_corpus_that_has_lost_its_steps(tmp_path):
    arrow.write(tmp_path / STEPS, STEP_COLUMNS, [arrow.table(STEP_COLUMNS, [])])
    assert [(len(steps.text), len(steps.texts)) for steps in read_steps(tmp_path / STEPS)] == [(0, 0)]


def test_a_saving_counts_no_step_twice():
    run = [("o/r", f"f{number}", "s", cluster) for number in range(3) for cluster in (1, 2, 3, 4)]
    assert figures(sequences(run)).saved["repository"] == 3 * 3 - 4


def test_blocks_that_several_owners_have(tmp_path):
    path = tmp_path / "steps.parquet"
    rows = []
    for repository in ("a/one", "a/two", "b/one"):
        names = ["x", "y", "z"] if repository != "a/two" else ["v", "w", "x"]
        for name in names:
            texts = ["I open the page", f'I enter "{name}"', "I press send", f"{repository} {name} is there"]
            texts = texts if repository != "a/two" else [*texts[:2], "I wait"]
            for line, text in enumerate(texts):
                rows.append((repository, "f.feature", ord(name), ord(name) + line, text, None, False))
    names = ["repo", "file_path", "scenario_line", "line", "text", "argument", "is_background"]
    pq.write_table(pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))), path)
    (block,) = shared_blocks(path)
    assert block.steps == ("I open the page", 'I enter "x"', "I press send")
    assert (block.owners, block.repositories, block.scenarios) == (("a", "b"), 2, 6)
    assert [place[0] for place in block.places] == ["a/one", "b/one"]
    assert shared_table([block]).to_pylist()[0]["places"][0]["path"] == "f.feature"


def test_the_plots_of_windows_and_patterns(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'cukereuse[corpus]'")
    rows = [("o/r", "f", f"s{number}", cluster) for number in range(3) for cluster in (1, 2, 3)]
    monkeypatch.setattr(plots, "FIGURES", {name: plots.FIGURES[name] for name in ("windows", "patterns")})
    written = plots.draw(slice_tables(figures(sequences(rows))), tmp_path)
    assert [path.name for path in written] == ["windows.svg", "windows.png", "patterns.svg", "patterns.png"]
    assert plots.draw(slice_tables(figures(sequences([]))), tmp_path) == []


@pytest.mark.browser
def test_shared_blocks_are_searched_without_a_server(browser, tmp_path):
    hostile = "</script><script>document.title='hit'</script>"
    places = (("a/one", "f.feature", 3), ("b/two", "g.feature", 7))
    blocks = [
        SharedBlock(("I open the page", "I press <b>send</b>", hostile), ("a", "b"), 2, 5, places),
        *(SharedBlock((f"step {number}", "x", "y"), ("a", "b"), 2, 3, places) for number in range(120)),
    ]
    page = tmp_path / "shared.html"
    page.write_bytes(shared_blocks_page.render(blocks))
    browser.get(page.as_uri())
    wait = pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait(browser, 10)
    wait.until(lambda page: page.find_element("id", "count").text == "121 blocks")
    assert "2 repositories" in browser.find_element("id", "lede").text
    browser.find_element("css selector", "input[type=search]").send_keys("press send")
    wait.until(lambda page: page.find_element("id", "count").text == "1 block")
    browser.find_element("css selector", "tbody summary").click()
    wait.until(lambda page: "b/two g.feature:7" in page.find_element("css selector", "tbody").text)
    assert hostile in browser.find_element("css selector", "tbody").text
    assert browser.title.startswith("Blocks that owners share")
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_what_a_program_wrote_is_no_worth():
    generated = [("o/r", "f", f"s{number}", cluster) for number in range(100) for cluster in (1, 2)]
    written = [("o/r", "g", f"s{number}", cluster) for number in range(3) for cluster in (1, 3)]
    measured = figures(sequences(generated + written))
    assert (measured.outlier_files, measured.outlier_windows) == (1, 100 / 103)
    assert (measured.patterns["file"], measured.worthy_patterns["file"]) == (2, 1)
    assert measured.worthy_scenario_share["file"] == pytest.approx(3 / 103)


@pytest.mark.shared
def test_the_labelled_windows(shared: Path):
    figures = evaluate(read_labels(shared / "reference" / "slices"))
    f1 = {score.name: round(score.f1, 3) for score in figures.scores}
    assert (figures.windows, figures.worthy) == (197, 143)
    assert list(f1.values())[:4] == [0.841, 0.836, 0.894, 0.9]
    assert list(f1.values())[4] >= 0.91
    assert round(figures.mechanism_by_scope, 3) == 0.972
    assert (round(figures.kappa["extraction_worthy"], 2), round(figures.kappa["mechanism"], 3)) == (0.56, 0.788)


@pytest.mark.parametrize("content", [None, "not json\n"])
def test_labels_that_can_not_be_read(tmp_path, content):
    if content is not None:
        (tmp_path / "labels.jsonl").write_text(content)
    with pytest.raises(CukereuseError, match="can't be read"):
        read_labels(tmp_path)


def test_too_few_repositories():
    with pytest.raises(CukereuseError, match="5 repositories"):
        evaluate([json.loads('{"label_extraction_worthy": "yes", "example_repo": "a"}')])
