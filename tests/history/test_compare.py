"""Findings that a branch adds and removes, compared with scans of the same suite at both commits."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cukereuse_engine.cli.main import run as run_command
from cukereuse_engine.git import Blob, GitRepository
from cukereuse_engine.history.revision import laid_out
from cukereuse_engine.report import json_report
from cukereuse_engine.scanning.result import How

GOOD = """Feature: Responses
  Scenario: One
    When I request tea
    Then the response status is 200
  Scenario: Two
    When I request coffee
    Then the response status is 200
"""
ODD = """Feature: Odd
  Scenario: Three
    When I request milk
    Then the response status should be 404
"""
STEPS = "from behave import given\n@given('only here')\ndef f(context):\n    pass\n"
Run = Callable[..., tuple[int, Any]]


def git(*arguments: str) -> str:
    names = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "core.hooksPath=")
    return subprocess.run(["git", *names, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def commit(files: dict[str, str | None], message: str = "c") -> str:
    for name, text in files.items():
        path = Path(name)
        if text is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", message)
    return git("rev-parse", "HEAD")


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: a suite without findings, on its main branch."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CUKEREUSE_SEVERITY", "divergent-wording=warning")
    monkeypatch.setenv("CUKEREUSE_OFFLINE", "1")
    from cukereuse_engine.embedding_models import weights

    monkeypatch.setattr(weights, "_places", lambda _: iter(()))
    git("init", "-q", "-b", "main")
    commit({"behave.ini": "", "features/good.feature": GOOD, "features/steps/s.py": STEPS})
    return tmp_path


@pytest.fixture
def compare(capfd: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, Any]:
        capfd.readouterr()
        code = run_command(["scan", "--json", "-", *arguments])
        captured = capfd.readouterr()
        if code > 1:
            return code, captured.err
        report = json.loads(captured.out)
        jsonschema.validate(report, json_report.schema())
        return code, report

    return call


def wordings(findings: list[dict[str, Any]]) -> list[str]:
    return [finding["others"][0]["text"] for finding in findings]


ODD_WORDING = "the response status should be 404"


@pytest.mark.usefixtures("suite")
def test_what_a_branch_adds(compare: Run) -> None:
    first = git("rev-parse", "HEAD")
    git("checkout", "-q", "-b", "topic")
    commit({"features/odd.feature": ODD})
    code, report = compare("--compare", "main")
    assert code == 1
    assert wordings(report["findings"]) == [ODD_WORDING]
    assert report["resolved"] == []
    before = report["compared_with"]
    assert (before["ref"], before["commit"], before["steps"], before["feature_files"]) == ("main", first, 4, 1)
    assert report["summary"]["steps"] == 6
    assert compare("--compare", "topic") == (0, compare("--compare", "topic")[1])
    assert wordings(compare("--compare", "topic")[1]["findings"]) == []


@pytest.mark.usefixtures("suite")
@pytest.mark.parametrize("committed", [True, False])
def test_what_a_branch_removes(compare: Run, committed: bool) -> None:
    """Shown at their old places; the work tree counts, committed or not."""
    commit({"features/odd.feature": ODD})
    git("checkout", "-q", "-b", "topic")
    Path("features/odd.feature").write_text(ODD.replace("should be", "is"))
    if committed:
        commit({})
    code, report = compare("--compare", "main")
    assert code == 0
    assert report["findings"] == []
    assert wordings(report["resolved"]) == [ODD_WORDING]
    assert report["resolved"][0]["others"][0]["places"][0]["path"] == os.path.join("features", "odd.feature")  # noqa: PTH118


TWIN = "  Scenario: {}\n    Given a bed\n    When I dig it\n    And I rake it\n    Then it is even\n"
TWINS = f"Feature: t\n{TWIN.format('one')}{TWIN.format('two')}"
BLOCK = "    When I dig the bed\n    And I rake the bed\n    And I water the bed\n    And I sow the beans\n"
BLOCKS = "Feature: t\n" + "".join(
    f"  Scenario: {number}\n    Given {garden}\n{BLOCK}    Then {check}\n"
    for number, (garden, check) in enumerate(
        (
            ("a garden is mine", "the hens are asleep"),
            ("it has rained", "my hands are cold"),
            ("spring begins", "nobody is hungry"),
            ("a neighbour helps", "the fence stands"),
        )
    )
)
FOLDED = BLOCKS.replace(BLOCK, "    When I plant the beans\n")
CHECKS = "from behave import then\n" + "".join(
    f'@then("the total {words}")\ndef {name}(context):\n    shown = context.page.total()\n    {check}\n'
    for name, words, check in (("a", "is shown", "assert shown"), ("b", "is not shown", "assert shown"))
)
TOTALS = "Feature: t\n  Scenario: s\n    When I pay\n    Then the total is shown\n    And the total is not shown\n"


@pytest.mark.usefixtures("suite")
@pytest.mark.parametrize(
    ("before", "after", "how"),
    [
        pytest.param(ODD, ODD.replace("should be", "is"), "resolved", id="reworded"),
        pytest.param(ODD, ODD.replace("should be", "is").replace("Three", "3"), "resolved", id="scenario renamed"),
        pytest.param(ODD, ODD.rpartition("    Then")[0], "gone_with_steps", id="step deleted"),
        pytest.param(ODD, f"# why\n{ODD.partition('  Scenario')[0]}", "gone_with_steps", id="scenario deleted"),
        pytest.param(ODD, None, "gone_with_steps", id="file deleted"),
        pytest.param(TWINS, TWINS.replace(TWIN.format("two"), ""), "resolved", id="twin deleted"),
        pytest.param(TWINS, "Feature: t\n", "gone_with_steps", id="both twins deleted"),
        pytest.param(TWINS, TWINS.rpartition("    Then")[0], "gone_with_steps", id="a twin's check deleted"),
        pytest.param(BLOCKS, FOLDED, "resolved", id="block made one step"),
        pytest.param(BLOCKS, BLOCKS.replace(BLOCK, ""), "gone_with_steps", id="block deleted"),
        pytest.param(BLOCKS, FOLDED.partition("  Scenario: 3")[0], "resolved", id="made one step, and one deleted"),
    ],
)
def test_what_goes_with_its_steps_is_not_resolved(
    before: str, after: str | None, how: str, compare: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    commit({"features/odd.feature": before})
    git("checkout", "-q", "-b", "topic")
    commit({"features/odd.feature": after, "features/more.feature": "Feature: m\n  Scenario: m\n    Given a day\n"})
    report = compare("--compare", "main")[1]
    lists = {name: len(report[name]) for name in ("resolved", "gone_with_steps", "gone_with_check") if report[name]}
    assert lists == {how: 1}
    run_command(["scan", "--compare", "main"])
    said = capfd.readouterr().out
    assert ("Resolved (1)" in said, "steps or checks were deleted" in said) == (how == "resolved", how != "resolved")
    assert ("Gone, because steps were deleted (1)" in said) == (how != "resolved")


SILENCED = ODD.replace("    Then", "    # cukereuse: ignore -- agreed\n    Then")
TWO = f"{ODD}    And the response status shall be 404\n"
HALF = TWO.replace("    And", "    # cukereuse: ignore\n    And")
UNCHECKED = CHECKS.replace('@then("the total', '# cukereuse: ignore\n@then("the total')


@pytest.mark.parametrize(
    ("before", "after", "lists"),
    [
        pytest.param({"odd.feature": ODD}, {"odd.feature": SILENCED}, {"silenced": 1}, id="in a feature file"),
        pytest.param({"odd.feature": TWO}, {"odd.feature": HALF}, {"silenced": 1}, id="one of two wordings"),
        pytest.param(
            {"odd.feature": TWO},
            {"odd.feature": HALF.replace("should be", "is")},
            {"resolved": 1, "silenced": 1},
            id="one of two wordings, and the other is reworded",
        ),
        pytest.param(
            {"odd.feature": TOTALS, "steps/t.py": CHECKS},
            {"steps/t.py": UNCHECKED},
            {"silenced": 1},
            id="in the code of step definitions",
        ),
    ],
)
def test_what_a_comment_silences_is_not_resolved(
    before: dict[str, str],
    after: dict[str, str],
    lists: dict[str, int],
    suite: Path,
    compare: Run,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    commit({f"features/{name}": text for name, text in before.items()})
    git("checkout", "-q", "-b", "topic")
    commit({f"features/{name}": text for name, text in after.items()})
    code, report = compare("--compare", "main")
    assert (code, report["findings"]) == (0, [])
    assert {how.value: len(report[how.value]) for how in How if report[how.value]} == lists
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(suite / "summary.md"))
    run_command(["scan", "--compare", "main", "--github", "--sarif", "out.sarif"])
    said = capfd.readouterr().out
    assert "Silenced by a comment (1)" in said
    assert f"resolves {lists.get('resolved', 'nothing')}. Comments silence 1 finding." in said
    assert "### Silenced by a comment" in (suite / "summary.md").read_text("utf-8")
    results = json.loads(Path("out.sarif").read_text("utf-8"))["runs"][0]["results"]
    assert {result["properties"]["how"] for result in results} == set(lists)


@pytest.mark.usefixtures("suite")
def test_steps_that_moved_are_not_deleted(compare: Run) -> None:
    commit({"features/odd.feature": ODD})
    git("checkout", "-q", "-b", "topic")
    moved = ODD.partition("\n")[2].replace("should be", "is")
    commit({"features/odd.feature": None, "features/good.feature": GOOD + moved})
    report = compare("--compare", "main")[1]
    assert wordings(report["resolved"]) == [ODD_WORDING]


@pytest.mark.usefixtures("suite")
@pytest.mark.parametrize(
    ("glue", "how"),
    [
        pytest.param(CHECKS.removesuffix("    assert shown\n"), "gone_with_check", id="check deleted"),
        pytest.param(
            CHECKS.removesuffix("assert shown\n") + "assert shown.isdigit()\n", "resolved", id="another check"
        ),
    ],
)
def test_what_goes_with_a_check_is_not_resolved(glue: str, how: str, compare: Run) -> None:
    commit({"features/odd.feature": TOTALS, "features/steps/totals.py": CHECKS})
    git("checkout", "-q", "-b", "topic")
    commit({"features/steps/totals.py": glue})
    report = compare("--compare", "main")[1]
    lists = {name: len(report[name]) for name in ("resolved", "gone_with_steps", "gone_with_check") if report[name]}
    assert lists == {how: 1}, report["findings"]


@pytest.mark.usefixtures("suite")
def test_git_lists_the_other_version_as_often_for_two_sources_as_for_one(
    compare: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[str] = []
    sizes = GitRepository.sizes

    def counted(repository: GitRepository, commit: str) -> list[tuple[Blob, int]]:
        listed.append(commit)
        return sizes(repository, commit)

    monkeypatch.setattr(GitRepository, "sizes", counted)
    counts = []
    for number in range(2):
        steps: dict[str, str | None] = {}
        features: dict[str, str | None] = {}
        for each in range(number + 1):
            steps[f"features/steps/{each}.py"] = CHECKS.replace("total", f"total{each}")
            features[f"features/{each}.feature"] = TOTALS.replace("total", f"total{each}")
        commit({**steps, **features})
        git("checkout", "-q", "-B", "topic")
        unchecked = CHECKS.removesuffix("    assert shown\n")
        for path in steps:
            steps[path] = unchecked.replace("total", f"total{Path(path).stem}")
        commit(steps)
        listed.clear()
        assert len(compare("--compare", "main")[1]["gone_with_check"]) == number + 1
        counts.append(len(listed))
        git("checkout", "-q", "main")
    assert counts[0] == counts[1]


@pytest.mark.usefixtures("suite")
def test_what_is_gone_says_where_it_was(compare: Run, capfd: pytest.CaptureFixture[str]) -> None:
    """Paths are in the work tree, not in the temporary folder of the other version. The sentence is whole."""
    steps = f"features/steps/{'twice_' * 15}.py"
    twice = "".join(
        f"@when('I {words}')\ndef {words}(context):\n    context.shop.order(1)\n    context.shop.pay('all')\n"
        for words in ("order", "purchase")
    )
    feature = "Feature: f\n  Scenario: s\n    When I order\n    When I purchase\n"
    commit({steps: f"from behave import when\n{twice}", "features/twice.feature": feature})
    git("checkout", "-q", "-b", "topic")
    commit({steps: None, "features/twice.feature": None})
    resolved = compare("--compare", "main")[1]["gone_with_steps"]
    assert len(resolved) == 1
    assert f"defined at {Path(steps)}:2" in resolved[0]["message"]
    run_command(["scan", "--compare", "main"])
    assert resolved[0]["message"] in capfd.readouterr().out


@pytest.mark.usefixtures("suite")
def test_what_happens_on_the_other_side_meanwhile_counts_for_neither(compare: Run) -> None:
    git("checkout", "-q", "-b", "topic")
    commit({"notes.txt": "x"})
    git("checkout", "-q", "main")
    commit({"features/odd.feature": ODD})
    git("checkout", "-q", "topic")
    _, report = compare("--compare", "main")
    assert (report["findings"], report["resolved"]) == ([], [])
    assert report["compared_with"]["elsewhere"] == 0


@pytest.mark.usefixtures("suite")
def test_what_moved_is_not_new(compare: Run) -> None:
    """Findings do not change if lines, files or step definitions move; nor do findings about blocks."""
    steps = "".join(f"    Given the {thing} is here\n" for thing in ("cat", "dog", "cow", "hen", "fox"))
    texts = ("walk home", "eat bread", "sing songs", "read books", "cut wood", "milk cows", "sell eggs", "bake cakes")
    many = "Feature: f\n" + "".join(
        f"  Scenario: {it}\n    Given we {it}\n{steps}    Then they {it} too\n    And all {it} {i * 'again '}\n"
        for i, it in enumerate(texts)
    )
    glue = STEPS + "@given('the {thing} is here')\ndef g(context, thing):\n    look(thing)\n"
    commit({"features/odd.feature": ODD, "features/many.feature": many, "features/steps/s.py": glue})
    now = compare()[1]["findings"]
    assert {"repeated-block", "divergent-wording"} <= {finding["rule"] for finding in now}
    git("checkout", "-q", "-b", "topic")
    commit(
        {
            "features/odd.feature": None,
            "features/deep/er.feature": f"# moved\n\n{ODD}",
            "features/many.feature": many.replace("Feature: f", "Feature: f\n  Moved down."),
            "features/steps/s.py": f"# moved\n{glue}",
        }
    )
    _, report = compare("--compare", "main")
    assert (report["findings"], report["resolved"]) == ([], [])


@pytest.mark.usefixtures("suite")
def test_new_errors_only(compare: Run) -> None:
    """Moved errors are not new; one more of a kind is, also in the same file, whatever a baseline contains."""
    scenario = "  Scenario: s\n    Given a\n    | x |\n    | y | z |\n"
    commit({"features/old.feature": f"Feature: f\n{scenario}"})
    assert compare("--baseline", "b.json", "--write-baseline")[0] == 0
    git("checkout", "-q", "-b", "topic")
    more = {
        "features/old.feature": f"\nFeature: f\n{scenario}{scenario}",
        "features/new.feature": f"Feature: g\n{scenario}",
    }
    commit(more)
    for arguments in ((), ("--baseline", "b.json")):
        code, report = compare("--compare", "main", *arguments)
        assert code == 1
        errors = [(Path(error["path"]).name, error["line"]) for error in report["errors"]]
        assert errors == [("new.feature", 5), ("old.feature", 10)]


@pytest.mark.usefixtures("suite")
def test_settings_and_baseline_of_the_work_tree_hold_for_both(compare: Run) -> None:
    commit({"features/odd.feature": ODD})
    git("checkout", "-q", "-b", "topic")
    commit({"cukereuse.toml": "ignore = ['404']\n", "features/odd.feature": ODD.replace("should be", "is")})
    assert compare("--compare", "main")[1]["resolved"] == []
    Path("cukereuse.toml").unlink()
    git("checkout", "-q", "main", "--", "features")
    assert compare("--baseline", "b.json", "--write-baseline")[0] == 0
    Path("features/odd.feature").write_text(ODD.replace("should be", "is"))
    assert compare("--compare", "main", "--baseline", "b.json")[1]["resolved"] == []


@pytest.mark.usefixtures("suite")
@pytest.mark.parametrize("where", ["features/new", "features/new/x.feature"])
def test_what_the_other_side_does_not_have(compare: Run, where: str) -> None:
    git("checkout", "-q", "-b", "topic")
    commit({"features/new/x.feature": ODD})
    code, report = compare("--compare", "main", where)
    assert code in (0, 1)
    assert report["resolved"] == []


@pytest.mark.usefixtures("suite")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--compare", "nowhere"), "git does not know the revision 'nowhere'"),
        (("--compare", "origin/main"), "see `git branch --all`"),
        (("--compare", "main", "--since", "main"), "can't be combined"),
        (("--compare", "main", "--write-baseline", "--baseline", "b"), "can't be combined"),
    ],
)
def test_bad_input(compare: Run, arguments: tuple[str, ...], message: str) -> None:
    code, output = compare(*arguments)
    assert code == 2
    assert message in output


def test_outside_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compare: Run) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.feature").write_text(GOOD)
    code, output = compare("--compare", "main")
    assert code == 2
    assert "is not in a git repository" in output


def test_every_report_says_both(suite: Path, capfd: pytest.CaptureFixture[str]) -> None:
    commit({"features/odd.feature": ODD})
    git("checkout", "-q", "-b", "topic")
    commit(
        {"features/odd.feature": ODD.replace("should be", "is"), "features/more.feature": ODD.replace("status", "code")}
    )
    summary = suite / "summary.md"
    os.environ["GITHUB_STEP_SUMMARY"] = str(summary)
    try:
        assert run_command(["scan", "--compare", "main", "--github", "--sarif", "out.sarif", "--html", "o.html"]) in (
            0,
            1,
        )
    finally:
        del os.environ["GITHUB_STEP_SUMMARY"]
    output = capfd.readouterr().out
    assert "Compared with main, this branch adds" in output
    assert "Resolved (1)" in output
    assert "+1 feature file, +2 steps" in output
    assert "### Resolved" in summary.read_text()
    results = json.loads(Path("out.sarif").read_text())["runs"][0]["results"]
    assert "absent" in {result["baselineState"] for result in results}


def test_only_what_is_read_is_laid_out(suite: Path) -> None:
    """No link, nothing outside, no filter; and the folder is removed in the end."""
    mark = suite / "ran"
    Path(".gitattributes").write_text("*.feature filter=evil\n")
    git("config", "filter.evil.smudge", f"touch {mark}")
    Path("link.feature").symlink_to("/etc/passwd")
    commit(
        {
            "big.bin": "0" * 99,
            "features/deep/x.feature.md": "# Feature: f\n",
            "package.json": "{}",
            "a.gemspec": "",
            "Gemfile.lock": "",
        }
    )
    repository = GitRepository(suite)
    with laid_out(repository, "HEAD") as folder:
        names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        assert names == [
            "Gemfile.lock",
            "a.gemspec",
            "behave.ini",
            "features/deep/x.feature.md",
            "features/good.feature",
            "features/steps/s.py",
            "package.json",
        ]
        assert not mark.exists()
    assert not folder.exists()
