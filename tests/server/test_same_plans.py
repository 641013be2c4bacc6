"""The editor and the command line plan the same: the same edits, the same reported places, or the same reason to
refuse. Each case is a repository of its own, with calls in files without step definitions."""

import json
import subprocess
from pathlib import Path

import pytest
from cukereuse_server.protocol.folding import OUTLINE, FoldsAt, PlanFold
from cukereuse_server.protocol.plans import Plan
from cukereuse_server.protocol.rename import PlanRename
from cukereuse_server.worker.handlers.folding import fold, folds_at
from cukereuse_server.worker.handlers.rename import rename

from cukereuse_engine.cli.main import run

RUBY = 'Given(/^I add "([^"]*)"$/) { |x| }\nGiven(/^I add (\\d+) more$/) { |n| }\nGiven(/^I wait$/) { }\n'
FEATURE = 'Feature: F\n  Scenario: S\n    Given I add "tea"\n    And I add 3 more\n    And I wait\n'
JS = "const { Given } = require('@cucumber/cucumber');\n"
CASES = {
    "a helper of Cucumber for Ruby": (
        {
            "features/a.feature": FEATURE,
            "features/step_definitions/s.rb": RUBY,
            "features/support/world.rb": (
                'module Tea\n  def tea\n    step %{I add "milk"}\n    step "I add \\"a\\""\n  end\nend\n'
            ),
        },
        "features/a.feature:3",
        'I buy "tea"',
    ),
    "a helper elsewhere in the repository": (
        {
            "app/features/a.feature": FEATURE,
            "app/features/steps/s.rb": RUBY,
            "shared/helpers.rb": 'def tea\n  step %{I add "milk"}\nend\n',
            "other/features/b.feature": 'Feature: G\n  Scenario: T\n    Given I add "x"\n',
        },
        "app/features/a.feature:3",
        'I buy "tea"',
    ),
    "behave's helpers": (
        {
            "features/a.feature": FEATURE,
            "features/steps/s.py": (
                "from behave import given\n\n@given('I add \"{x}\"')\ndef a(context, x): ...\n\n"
                "@given('I add {n:d} more')\ndef b(context, n): ...\n\n@given('I wait')\ndef c(context): ...\n"
            ),
            "features/helpers.py": "def tea(context):\n    context.execute_steps('Given I add \"milk\"')\n",
        },
        "features/a.feature:3",
        'I buy "tea"',
    ),
    "a definition that several suites share": (
        {
            "a/features/a.feature": FEATURE,
            "a/cucumber.yml": "default: --format pretty\n",
            "b/features/b.feature": FEATURE.replace("tea", "milk"),
            "b/cucumber.yml": "default: --format pretty\n",
            "common/s.rb": RUBY,
        },
        "a/features/a.feature:3",
        'I buy "tea"',
    ),
    "refused: another function": (
        {
            "features/a.feature": FEATURE,
            "features/s.js": JS + "Given('I add {string}', () => 1);\nGiven('I add {int} more', () => 2);\n"
            "Given(/^I w/, () => 3);\nGiven('I wait', () => 4);\n",
        },
        "features/a.feature:3",
        "I add 3 more",
    ),
    "another order": (
        {
            "features/a.feature": 'Feature: F\n  Scenario: S\n    Given I put 3 in "bag"\n',
            "features/s.rb": "Given('I put {int} in {string}') { |n, x| p n, x }\n",
        },
        "features/a.feature:3",
        'into "bag" I put 3',
    ),
}


def edits(plan: Plan, root: Path) -> list[tuple[str, int, int, str]]:
    """The edits by file, line and column of their beginning."""
    return sorted(
        (str(Path(change.path).relative_to(root)), edit.place.line, edit.place.column, edit.new_text)
        for change in plan.changes
        for edit in change.edits
    )


@pytest.mark.parametrize("name", CASES)
def test_renames(name, world, monkeypatch, capfd):
    files, place, target = CASES[name]
    world.root.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(world.root)], check=True)
    for path, text in files.items():
        world.write(path, text)
    world.configure()
    workspace = world.settled()
    path, _, line = place.partition(":")
    suite = workspace.suite_of(str(world.root / path))
    assert suite is not None
    asked = PlanRename(path=str(world.root / path), line=int(line), target=target, cluster=False)
    plan = rename(workspace, asked)
    step = files[path].splitlines()[int(line) - 1].strip().partition(" ")[2]
    monkeypatch.chdir(world.root)
    named = str(Path(suite.root).relative_to(world.root))
    code = run(["rename", named, "--from", step, "--to", target, "--json", "plan.json", "--no-cache"])
    printed = capfd.readouterr()
    if code:
        reason = printed.err.partition("refused: ")[2].splitlines()[0]
        assert reason
        assert plan.refused.replace(f"{world.root}/", "").startswith(reason)
        return
    (document,) = json.loads(Path("plan.json").read_text("utf-8"))["plans"]
    by_command = sorted(
        (file["path"], edit["line"], edit["column"], edit["new"])
        for file in document["files"]
        for edit in file["edits"]
    )
    assert edits(plan, world.root) == by_command
    assert len(by_command) > 1
    assert [warning.replace(f"{world.root}/", "") for warning in plan.warnings] == document["warnings"]


FOLDED = """\
Feature: F
  Scenario: one
    Given I add "tea"
    Then I have "tea"

  Scenario: two
    Given I add "milk"
    Then I have "milk"
"""


@pytest.mark.parametrize(
    ("path", "text", "is_refused"),
    [
        ("test_f.py", 'from pytest_bdd import scenario\n@scenario("a.feature", "two")\ndef test_two(): ...\n', True),
        (".ci/run.sh", "cucumber features/a.feature:6\n", True),
        (".ci/run.sh", "cucumber features/b.feature:6\n", False),
    ],
)
def test_folds_ask_who_looks_scenarios_up(path, text, is_refused, world, monkeypatch, capfd):
    feature = world.write("features/a.feature", FOLDED)
    world.write(path, text)
    subprocess.run(["git", "init", "-q", str(world.root)], check=True)
    world.configure()
    world.workspace.open(str(feature), 1, FOLDED)
    workspace = world.settled()
    offered = folds_at(workspace, FoldsAt(path=str(feature), line=2))
    assert offered is not None
    assert [fold.kind for fold in offered.found] == [OUTLINE]
    plan = fold(workspace, PlanFold(path=str(feature), line=2, kind=OUTLINE))
    monkeypatch.chdir(world.root)
    run(["fold", "features", "--all"])
    errors = capfd.readouterr().err
    assert ("refused" in errors) is is_refused
    assert bool(plan.refused) is is_refused
    assert (f"{path}:" in plan.refused) is is_refused
    assert bool(plan.changes) is not is_refused


PAIR = """\
from behave import when


@when('I set the start date to "{day}"')
def first(context, day):
    context.page.find("#date").send_keys(day, context.locale)


@when('{other}')
def second(context, day):
    context.page.find("#date").send_keys(day, context.locale)
"""


@pytest.mark.parametrize(
    ("other", "is_suspect"),
    [('I set the end date to "{day}"', True), ('I enter the start date as "{day}"', False)],
)
def test_a_move_between_suspect_definitions_is_cautioned(other, is_suspect, world, monkeypatch, capfd):
    """Equal code lets a step move, but not without a word where a finding doubts that it should be equal."""
    world.write("features/steps/s.py", PAIR.replace("{other}", other))
    said, target = 'I set the start date to "today"', other.replace('"{day}"', "{1}")
    lines = f"    When {said}\n    When {other.replace('{day}', 'now')}\n"
    world.write("features/a.feature", f"Feature: F\n  Scenario: S\n{lines}")
    subprocess.run(["git", "init", "-q", str(world.root)], check=True)
    world.configure()
    workspace = world.settled()
    plan = rename(
        workspace, PlanRename(path=str(world.root / "features/a.feature"), line=3, target=target, cluster=False)
    )
    monkeypatch.chdir(world.root)
    assert run(["rename", "features", "--from", said, "--to", target, "--no-cache"]) == 0
    printed = capfd.readouterr().err
    assert "moves: 1 step from first" in printed
    for told in ("\n".join(plan.moves), printed):
        assert ("claim different things" in told) is is_suspect
