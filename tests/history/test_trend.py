"""A repository's history compared with a fresh count of every commit."""

import json
import re
import sqlite3
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cukereuse_engine.api import scan
from cukereuse_engine.blocks.findings import find_repetition
from cukereuse_engine.blocks.options import RepetitionOptions
from cukereuse_engine.cli.main import run
from cukereuse_engine.cli.trend import _lines
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.walk import by_names
from cukereuse_engine.git import Commit, GitRepository
from cukereuse_engine.history.sampling import Every, sampled
from cukereuse_engine.history.trend import DIVERGENT, trend
from cukereuse_engine.report import trend as report
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.suite import read_suites
from cukereuse_engine.storage.blob_store import BlobStore
from cukereuse_engine.suppression.baseline import Baseline, write_baseline


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
    history = trend(str(repository), every=Every.COMMIT)
    assert [(point.files, point.steps, point.texts, point.wordings) for point in history.points] == [
        (1, 1, 1, 1),
        (2, 3, 2, 2),
        (2, 3, 2, 2),
        (2, 3, 1, 1),
    ]
    assert [(len(point.came(DIVERGENT)), len(point.resolved(DIVERGENT))) for point in history.points] == [
        (0, 0),
        (1, 0),
        (0, 0),
        (0, 1),
    ]
    (duplicate,) = history.duplicates.values()
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
    points = trend(str(folder), every=Every.COMMIT)
    assert [(point.files, point.steps, point.texts) for point in points.points] == expected


SCENARIOS = st.lists(
    st.tuples(
        st.sampled_from(["", "  @slow\n"]),
        st.sampled_from(["one", "other"]),
        st.lists(
            st.sampled_from(
                [
                    *("I wait", "I wait for 3 s", "I wait for 5 s", "it is done"),
                    *("a table\n      | a |\n      | 1 |", "a table\n      | a |\n      | 2 |"),
                    'a text\n      """\n      x\n      """',
                ]
            ),
            min_size=1,
            max_size=4,
        ),
    ),
    min_size=1,
    max_size=6,
)  # fmt: skip
TWO_ALIKE = [("", "one", ["I wait", "it is done"]), ("", "other", ["I wait", "it is done"])]
FILES = st.dictionaries(
    st.sampled_from(["a.feature", "b.feature"]), st.none() | st.tuples(st.booleans(), SCENARIOS), max_size=2
)


def several(opens: bool, scenarios: list[tuple[str, str, list[str]]]) -> str:
    background = "  Background:\n    Given I am here\n" if opens else ""
    text = "".join(
        f"{tags}  Scenario: {name}\n" + "".join(f"    Given {step}\n" for step in steps)
        for tags, name, steps in scenarios
    )
    return f"Feature: f\n{background}{text}"


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=st.lists(FILES, min_size=1, max_size=4))
@example(history=[dict.fromkeys(("a.feature", "b.feature"), (True, TWO_ALIKE)), {"a.feature": None}])
@example(history=[dict.fromkeys(("a.feature", "b.feature"), (True, TWO_ALIKE[1:]))])
def test_repetition_at_each_point_is_what_a_scan_finds(history, tmp_path_factory) -> None:
    folder = tmp_path_factory.mktemp("history")
    git(folder, "init", "-q")
    expected = []
    options = RepetitionOptions({"repeated-block": Severity.OFF}, limit=0)
    for changes in history:
        commit(folder, {name: None if texts is None else several(*texts) for name, texts in changes.items()})
        steps = [
            step
            for suite in (read_suites([folder], use_cache=False) if list(folder.rglob("*.feature")) else ())
            for group in suite.steps.values()
            for step in group
        ]
        findings = find_repetition(steps, lambda path: Path(path).read_bytes(), options=options).findings
        expected.append(Counter(rule for rule, _ in {(finding.rule, finding.fingerprint) for finding in findings}))
    points = trend(str(folder), every=Every.COMMIT).points
    assert [
        Counter({rule: len(ids) for rule, ids in point.findings.items() if ids and rule != DIVERGENT})
        for point in points
    ] == expected


def test_what_a_baseline_does_not_know(repository: Path) -> None:
    pay = "I open the {} page\n    And I press pay\n    Then all is paid"
    scenario = "  Scenario: {}\n    Given {}\n"
    old = "Feature: f\n" + "".join(scenario.format(name, pay.format("cart")) for name in ("one", "two"))
    commit(repository, {"a.feature": old})
    wordings = "    Given I open the shopping basket page\n    And I open shopping basket page\n"
    new = f"Feature: f\n  Scenario: x\n{wordings}{old[11:]}"
    commit(repository, {"a.feature": new}, when=1_710_000_000)
    (first,) = scan([str(repository)]).suites
    assert {finding.rule for finding in first.findings} >= {"duplicate-scenario", DIVERGENT}

    def ahead(*rules: str) -> list[tuple[str, int | None]]:
        new = [finding for finding in first.findings if finding.rule in rules]
        history = trend(str(repository), every=Every.COMMIT, new_at=lambda _: new)
        assert history.ahead is not None
        return [(finding.rule, finding.since and finding.since.time) for finding in history.ahead]

    assert ahead() == []
    assert ahead(DIVERGENT, "duplicate-scenario") == [("duplicate-scenario", 1_700_000_000), (DIVERGENT, 1_710_000_000)]
    assert trend(str(repository), every=Every.COMMIT).ahead is None


STEPS = """from behave import given

@given("I open the shopping basket page")
@given("I open shopping basket page")
def opens(context):
    context.shop.basket()

@given("I pay with {card}")
def pays(context, card):
    context.shop.pay()
"""


def test_ahead_of_a_baseline_is_what_a_scan_reports(
    repository: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wordings that share a definition are no finding, and those about definitions are some."""
    baseline = tmp_path_factory.mktemp("baseline") / "baseline.json"
    baseline.write_text('{"version": 1, "findings": []}')
    texts = ("I open the shopping basket page", "I open shopping basket page")
    commit(repository, {"features/a.feature": feature(texts[0])})
    commit(repository, {"features/a.feature": feature(*texts)}, when=1_705_000_000)
    steps = {"behave.ini": "[behave]\n", "features/steps/s.py": STEPS}
    commit(repository, {"features/a.feature": feature(*texts, "I pay with gold"), **steps}, when=1_710_000_000)
    (suite,) = scan([str(repository)], offline=True).suites
    (repository / "features/steps/s.py").write_text("")  # the commit counts, not the work tree

    def ahead() -> list[tuple[str, str, str]]:
        options = ["--offline", "--every", "commit", "--baseline", str(baseline), "--no-cache"]
        assert run(["trend", str(repository), *options, "--json", "-"]) == 0
        document = json.loads(capsys.readouterr().out)
        return [(each["rule"], each["says"], each["date"]) for each in document["ahead_of_baseline"]]

    (finding,) = suite.findings
    assert ahead() == [(finding.rule, finding.message, "2024-03-09")]
    assert finding.rule == "suspect-definition"
    write_baseline(baseline, Baseline.of([finding]))
    assert ahead() == []


def test_a_finding_says_what_it_says_at_the_last_point(repository: Path) -> None:
    scenario = "  Scenario: {}\n    Given I open the cart\n    When I pay\n    Then all is paid\n"
    for when, names in enumerate((("one", "two"), ("two", "three"))):
        text = "Feature: f\n" + "".join(map(scenario.format, names))
        commit(repository, {"a.feature": text}, when=1_700_000_000 + when)
    history = trend(str(repository), every=Every.COMMIT)
    (id_,) = history.points[-1].findings["duplicate-scenario"]
    description = history.descriptions[id_]
    assert "three" in description
    assert "one" not in description


def test_duplicates_that_are_changed_alike_neither_come_nor_go(repository: Path) -> None:
    scenario = "  Scenario: {}\n    Given I open the cart\n    When I pay {}\n    Then all is paid\n"
    for when, (names, paid) in enumerate(((("one", "two"), "3"), (("one", "two"), "4"), (("one", "three"), "5"))):
        text = "Feature: f\n" + "".join(scenario.format(name, paid) for name in names)
        commit(repository, {"a.feature": text}, when=1_700_000_000 + when)
    points = trend(str(repository), every=Every.COMMIT).points
    assert [len(point.findings["duplicate-scenario"]) for point in points] == [1, 1, 1]
    changes = [(len(point.came("duplicate-scenario")), len(point.resolved("duplicate-scenario"))) for point in points]
    assert changes == [(0, 0), (0, 0), (1, 1)]


def test_foldable_scenarios_that_are_changed_alike_neither_come_nor_go(repository: Path) -> None:
    scenario = "  Scenario: {}\n    Given I open the {} of the shop\n    When I pay {}\n    Then all is paid\n"
    for when, (first, place) in enumerate((("a", "cart"), ("a", "door"), ("x", "gate"))):
        named = ((name, place, number) for number, name in enumerate((first, *"bcdefghijklm")))
        text = "Feature: f\n" + "".join(scenario.format(*each) for each in named)
        commit(repository, {"a.feature": text}, when=1_700_000_000 + when)
    history = trend(str(repository), every=Every.COMMIT)
    rule = "foldable-scenarios"
    assert [(len(point.came(rule)), len(point.resolved(rule))) for point in history.points] == [(0, 0), (0, 0), (1, 1)]
    (now,) = history.points[-1].findings[rule]
    assert history.descriptions[now] == "13 scenarios differ only in their arguments, of which “f: x” is the first"


@pytest.mark.parametrize(
    ("largest", "lines"),
    [(0, (0, 1)), (1, (0, 1)), (3, (0, 1, 2, 3)), (35, (0, 10, 20, 30, 40)), (86, (0, 50, 100)),
     (17_458, (0, 5_000, 10_000, 15_000, 20_000))],
)  # fmt: skip
def test_lines_of_a_plot_are_at_round_numbers(largest: float, lines: tuple[float, ...]) -> None:
    assert report._round_numbers(largest) == lines


@pytest.mark.parametrize(("columns", "bars"), [(200, 40), (80, 33), (20, 10)])
def test_lines_of_bars_fit_a_terminal(columns: int, bars: int) -> None:
    figures = [("a name with a great number of letters", [1, 2] * 50), ("b", [3] * 100)]
    lines = _lines(figures, columns)
    assert [len(line) - len(line.lstrip("▁▂▃▄▅▆▇█")) for line in lines] == [bars, bars]
    assert max(map(len, lines)) <= max(columns, 60)


def test_one_point_is_a_dot(repository: Path) -> None:
    commit(repository, {"a.feature": feature("I wait")})
    page = report.page(trend(str(repository))).decode()
    assert "1 point on 2023-11-14." in page
    assert page.count("<circle") == page.count("<polyline") == 7


def test_clocks_that_differ_draw_nothing_outside_of_a_plot(repository: Path) -> None:
    for number, when in enumerate((1_700_000_000, 1_600_000_000, 1_650_000_000)):
        commit(repository, {"a.feature": feature(*(f"step {n}" for n in range(number + 1)))}, when=when)
    page = report.page(trend(str(repository), every=Every.COMMIT)).decode()
    places = [
        float(place) for place in re.findall(r"(-?[\d.]+),-?[\d.]+", "".join(re.findall(r"points='(.*?)'", page)))
    ]
    assert 0 < min(places) < max(places) < 880


def test_what_is_kept_of_versions_serves_again_and_may_be_damaged(repository: Path, tmp_path_factory) -> None:
    attached = "Feature: f\n" + 2 * "  Scenario: s\n    Given a table\n      | a |\n    Then it is read\n"
    commit(repository, {"a.feature": attached, "b.feature": feature("I wait")})
    commit(repository, {"b.feature": None}, when=1_700_000_001)
    place = tmp_path_factory.mktemp("cache") / "cache.sqlite"

    def page() -> bytes:
        return report.page(trend(str(repository), every=Every.COMMIT, cache=BlobStore(place)))

    fresh = report.page(trend(str(repository), every=Every.COMMIT))
    assert [page(), page()] == [fresh, fresh]
    keys = {key for (key,) in sqlite3.connect(place).execute("SELECT key FROM blobs")}
    BlobStore(place).put_many(dict.fromkeys(keys, b"\xc1"))
    assert len(keys) == 3
    assert [page(), page()] == [fresh, fresh]


def test_trees_are_those_of_each_commit(repository: Path) -> None:
    commit(repository, {"a.feature": "1", "b/c.FEATURE": "2", "b/d.txt": "3"})
    commit(repository, {"b/d.txt": "4"})
    commit(repository, {"a.feature": "2", "é b/\ne.feature": "5"})
    commit(repository, {"a.feature": None, "a.feature/f.feature.md": "6", "b/c.FEATURE": None})
    (repository / "b" / "link.feature").symlink_to("d.txt")
    commit(repository, {"é b/\ne.feature": None, "b/g.feature": "7"})
    (repository / "b" / "link.feature").unlink()
    commit(repository, {"b/link.feature": "8"})
    for folder in (repository, repository / "b"):
        known = GitRepository(folder)
        commits = [each.id for each in known.commits()]
        trees = known.trees(commits, (".feature", ".feature.md"))
        assert trees == [known.files(each, (".feature", ".feature.md")) for each in commits]
        assert trees[1] is trees[0]
    assert known.trees([], (".feature",)) == []


def test_sampling() -> None:
    day = 86_400
    monday = 1_704_067_200  # 2024-01-01, a Monday
    commits = [Commit(str(i), monday + i * day, ("v1",) if i == 2 else (), "") for i in (0, 2, 6, 7, 40)]
    assert [commit.id for commit in sampled(commits, Every.WEEK)] == ["6", "7", "40"]
    assert [commit.id for commit in sampled(commits, Every.MONTH)] == ["7", "40"]
    assert [commit.id for commit in sampled(commits, Every.TAG)] == ["2", "40"]
    assert sampled(commits, Every.COMMIT) == commits
    assert sampled([], Every.WEEK) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({}, "has no commit yet"), ({"ref": "no-such"}, "no-such"), ({"since": "--output=x"}, "--output=x")],
)
def test_bad_revisions_are_told(repository: Path, arguments: dict[str, str], message: str) -> None:
    if "since" in arguments:
        commit(repository, {})
    with pytest.raises(CukereuseError, match=message):
        trend(str(repository), **arguments)


def test_since_a_day(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A tag of that name is a tag."""
    for number, tag in enumerate(("", "2023-11-15", "", "")):
        when = 1_700_000_000 + number * 86_400  # from 2023-11-14 on
        commit(repository, {"a.feature": feature(f"step {number}")}, when=when, tag=tag)
    for since, points in (("2023-11-15", 2), ("2023-11-16", 2), ("2023-11-17", 1), ("2030-01-01", 0)):
        assert len(trend(str(repository), every=Every.COMMIT, since=since).points) == points
    for since in ("2023-11-14", "2023-99-99"):
        assert run(["trend", str(repository), "--offline", "--since", since]) == 2
    errors = capsys.readouterr().err
    assert "has no commit before 2023-11-14" in errors
    assert "does not know the revision '2023-99-99'" in errors


def test_dependencies_and_excluded_files_are_left_out(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As a scan leaves them out; what is committed may be named in an ignore file."""
    names = ("a.feature", "sub/vendor/lib/x.feature", "sub/node_modules/y.feature", "sub/features/vendor/z.feature")
    commit(repository, dict.fromkeys((*names, "old/q.feature"), feature("I wait")))
    commit(repository, {"sub/vendor/lib/x.feature": feature("I go"), "sub/w.feature": feature("I go")})
    for folder, more, files in ((".", {}, [3, 4]), (".", {"exclude": ["/old"]}, [2, 3]), ("sub", {}, [1, 2]),
                                ("sub", {"include": ["vendor/"]}, [2, 3]), ("sub/vendor", {}, [1, 1])):  # fmt: skip
        points = trend(str(repository / folder), every=Every.COMMIT, **more).points
        assert [point.files for point in points] == files
    assert run(["trend", str(repository), "--offline", "--every", "commit", "--exclude", "old"]) == 0
    assert " 3 " in capsys.readouterr().out.splitlines()[-2]
    deep = "a/" * 1200 + "x.feature"
    assert (by_names()(deep), by_names()(f"venv/{deep}")) == (True, False)


def test_a_shallow_clone_is_told(repository: Path, tmp_path_factory, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(2):
        commit(repository, {"a.feature": feature(f"step {number}")})
    clone = tmp_path_factory.mktemp("clones") / "shallow"
    git(repository, "clone", "-q", "--depth=1", repository.as_uri(), str(clone))
    for command in ("trend", "drift"):
        for folder, is_told in ((clone, True), (repository, False)):
            assert run([command, str(folder)]) == 0
            assert ("git fetch --unshallow" in capsys.readouterr().err) == is_told


def test_a_partial_clone_is_told(repository: Path, tmp_path_factory, capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing is fetched; git's own complaints are not shown."""
    commit(repository, {"steps/s.py": "from behave import given\n\n@given('a')\ndef a(context):\n    pass\n"})
    git(repository, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path_factory.mktemp("clones") / "partial"
    git(repository, "clone", "-q", "--no-checkout", "--filter=blob:none", repository.as_uri(), str(clone))
    assert run(["drift", str(clone)]) == 0
    errors = capfd.readouterr().err
    assert "is a partial clone" in errors
    assert "promisor" not in errors


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
    history = trend(str(repository), every=Every.COMMIT)
    document = json.loads(json.dumps(report.document(history)))
    assert [point["steps"] for point in document["points"]] == [1, 2]
    assert document["schema_version"] == report.SCHEMA_VERSION
    page = report.page(history).decode()
    assert page.count("<svg") == 4
    assert "<b>x</b>" not in page
    assert "http-equiv=Content-Security-Policy" in page
    assert report.page(history) == report.page(trend(str(repository), every=Every.COMMIT))
    assert document["points"][1]["findings"]["divergent-wording"]["came"] == document["points"][1]["came"]
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install 'cukereuse[parquet]'")
    import pyarrow as pa

    assert pq.read_table(pa.BufferReader(report.parquet(history))).column("steps").to_pylist() == [1, 2]


@pytest.mark.parametrize("steps", [1, 2, 3, 7])
def test_a_line_of_the_grid_stands_where_its_number_says(repository: Path, steps: int) -> None:
    commit(repository, {"a.feature": feature(*(f"the step {number}" for number in range(steps)))})
    page = report.page(trend(str(repository))).decode()
    plot = page[page.index("aria-label='Steps over time'") :].partition("</svg>")[0]
    heights = {int(number): float(y) for y, number in re.findall(r" y=([\d.]+) text-anchor=end>(\d+)<", plot)}
    assert 0 in heights
    assert (top := max(heights)) >= steps
    for number, height in heights.items():
        assert (heights[0] - height) * top == pytest.approx((heights[0] - heights[top]) * number, abs=0.5)


def test_a_history_without_features(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commit(repository, {"readme": "x"})
    assert run(["trend", str(repository), "--offline"]) == 0
    assert "No commit in this range has feature files here." in capsys.readouterr().out
    history = trend(str(repository))
    assert [(point.files, point.steps, point.repetition) for point in history.points] == [(0, 0, 0.0)]
    assert b"<svg" in report.page(history)
