"""One wording with its own definition in several suites of a runner: a rename changes all of them.

The result on disk is read and bound again, suite by suite.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import Outcome, ReadSuites, RefusedPlanError
from cukereuse_engine.refactor.request import request_for

WORDINGS = (
    ("I add :what to the bag", '/^I add "([^"]*)" to the bag$/', 'I add "{}" to the bag'),
    ("I wait", "/^I (?:wait|rest)$/", "I wait"),
    ("I pay :sum euros", "/^I pay (\\d+) euros$/", "I pay {} euros"),
    ("the :one is in the :other", '/^the "([^"]*)" is in the "([^"]*)"$/', 'the "{}" is in the "{}"'),
)
"""For each wording a Turnip pattern, a regular expression and a step."""
TARGETS = ("into the bag {1} goes", "time passes", "{1} euros: paid", '"{1}", in "{2}"')
VALUES = ("tea", "3", "12", "a b")


@st.composite
def configurations(draw: st.DrawFn) -> dict[str, str]:
    """Feature files with several suites of Behat, each with one definition of each wording."""
    count = draw(st.integers(1, 4))
    common = draw(st.lists(st.booleans(), min_size=len(WORDINGS), max_size=len(WORDINGS)))
    """Wordings that one context defines for all."""
    tagged = draw(st.booleans())
    files: dict[str, str] = {
        "steps/Common.php": _context("Common", [w for w, is_shared in enumerate(common) if is_shared], draw)
    }
    lines = ["default:", "  suites:"]
    for suite in range(count):
        shared = draw(st.booleans()) or suite == 0
        paths = [f"features/own{suite}", *(["features/shared"] if shared else [])]
        own = [w for w, is_shared in enumerate(common) if not is_shared]
        files[f"steps/Own{suite}.php"] = _context(f"Own{suite}", own, draw)
        files[f"features/own{suite}/a.feature"] = _feature(draw)
        lines += [
            f"    s{suite}:",
            f"      contexts: [Common, Own{suite}]",
            "      paths: [" + ", ".join(f'"%paths.base%/{path}"' for path in paths) + "]",
            *(['      filters: {tags: "@t&&~@u"}'] if tagged and suite else []),
        ]
    files["features/shared/b.feature"] = _feature(draw)
    files["behat.yml"] = "\n".join(lines) + "\n"
    return files


def _context(name: str, wordings: list[int], draw: st.DrawFn) -> str:
    methods = []
    for number in wordings:
        turnip, regex, step = WORDINGS[number]
        expression = draw(st.sampled_from([turnip, regex]))
        parameters = ", ".join(f"${'abc'[place]}" for place in range(step.count("{}")))
        methods.append(f"    /** @Given {expression} */\n    public function f{number}({parameters}) {{}}\n")
    return f"<?php\n\nclass {name} implements Context\n{{\n" + "\n".join(methods) + "}\n"


def _feature(draw: st.DrawFn) -> str:
    lines = ["Feature: F", ""]
    for number in range(draw(st.integers(1, 3))):
        lines += ["  @t", f"  Scenario: S{number}"]
        for wording in draw(st.lists(st.sampled_from(range(len(WORDINGS))), min_size=1, max_size=4)):
            step = WORDINGS[wording][2]
            lines.append("    Given " + step.format(*(draw(st.sampled_from(_values(step))) for _ in "ab")))
    return "\n".join(lines) + "\n"


def _values(step: str) -> tuple[str, ...]:
    return VALUES if '"' in step else ("3", "12")


def bound(workspace: ReadSuites) -> Iterator[tuple[str, int, list[list[tuple[str, str, list[str | None]]]]]]:
    """For each step in each suite that runs it: the files and functions that serve it, and their captures."""
    assert workspace.glue is not None
    for file in workspace.files.values():
        for step in file.steps:
            scopes = [
                [
                    (
                        match.definition.path,
                        match.definition.function_name,
                        [argument.value for argument in match.arguments],
                    )
                    for match in matches
                ]
                for text in workspace.glue.bind(step).texts
                for matches in (text.scopes or (text.matches,))
            ]
            yield (
                step.path,
                step.line,
                [[(a, b, [v and v.strip('"') for v in c]) for a, b, c in scope] for scope in scopes],
            )


@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(files=configurations(), order=st.permutations(range(len(WORDINGS))))
def test_each_suite_keeps_its_definitions(files, order, disk):
    with tempfile.TemporaryDirectory() as folder:
        suite = disk(Path(folder))
        suite.write(files)
        before = list(bound(suite.workspace()))
        for number in order:
            workspace = suite.workspace()
            words = WORDINGS[number][2].partition("{}")[0]
            source = next((text.text for text in workspace.texts if text.text.startswith(words)), None)
            if source is None:
                continue
            plan = plan_rename(request_for(workspace, source, TARGETS[number]), workspace)
            assert not plan.left_out
            assert {change.outcome for change in plan.definitions} <= {Outcome.REWRITTEN}
            event(f"{len(plan.definitions)} expressions rewritten")
            suite.apply(plan)
            now = suite.workspace()
            assert source not in {text.text for text in now.texts}
            assert list(bound(now)) == before


CONTEXT = "<?php\n\nclass NAME implements Context\n{\n    /** @Given EXPRESSION */\n    public function f($a) {}\n}\n"


def two_suites(suite, one: str, other: str, step: str = 'I add "tea"', more: str = "") -> ReadSuites:
    """One feature that two suites of Behat run, each with its own context."""
    suite.write(
        {
            "behat.yml": "default:\n  suites:\n    one: {contexts: [One]}\n    two: {contexts: [Two]}\n",
            "features/a.feature": f"Feature: F\n  Scenario: S\n    Given {step}\n",
            "steps/One.php": CONTEXT.replace("NAME", "One").replace("EXPRESSION", one),
            "steps/Two.php": CONTEXT.replace("NAME", "Two").replace("EXPRESSION", other + more),
        }
    )
    return suite.workspace()


def test_suites_that_know_a_step_by_different_expressions(tmp_path, disk):
    workspace = two_suites(disk(tmp_path), "I add :what", '/^I (?:add|put) "([^"]*)"$/u')
    plan = plan_rename(request_for(workspace, 'I add "tea"', "I take {1}"), workspace)
    assert [
        (definition.new_expression, definition.uses_before, definition.uses_after) for definition in plan.definitions
    ] == [
        ("I take :what", 1, 1),
        ('^I take "([^"]*)"$', 1, 1),
    ]
    disk(tmp_path).apply(plan)
    assert '@Given /^I take "([^"]*)"$/u' in (tmp_path / "steps" / "Two.php").read_text("utf-8")


def test_one_that_says_the_same_stands_beside_the_other(tmp_path, disk):
    workspace = two_suites(disk(tmp_path), "I add :what", "I add :what")
    plan = plan_rename(request_for(workspace, 'I add "tea"', "I take {1}"), workspace)
    (change,) = plan.definitions
    assert change.definition.path.endswith("One.php")
    assert [place.path.rpartition("/")[2] for place in change.also] == ["Two.php"]
    assert len(plan.files) == 3


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ("I add tea", "capture different arguments"),
        ('/^I (add "[^"]*")$/', "capture different arguments"),
    ],
)
def test_definitions_that_take_different_arguments(other, message, tmp_path, disk):
    workspace = two_suites(disk(tmp_path), "I add :what", other, "I add tea")
    plan = plan_rename(request_for(workspace, "I add tea", "I take tea"), workspace)
    assert not plan.files
    assert all(message in group.reason or "it has no step definition" in group.reason for group in plan.left_out)


def test_the_target_in_one_suite_only_is_refused(tmp_path, disk):
    """The other suite would lose the step."""
    workspace = two_suites(disk(tmp_path), "I add :what", "I add :what")
    path = tmp_path / "steps" / "Two.php"
    text = path.read_text("utf-8")
    path.write_text(text.rstrip()[:-1] + "    /** @Given I take :x */\n    public function g($x) {}\n}\n", "utf-8")
    workspace = disk(tmp_path).workspace()
    with pytest.raises(RefusedPlanError, match="several step definitions would match"):
        plan_rename(request_for(workspace, 'I add "tea"', "I take {1}"), workspace)


def test_a_suite_whose_contexts_are_not_all_known(tmp_path, disk):
    """Definitions of another suite are not its own, even if a step may bind to any."""
    suites = "".join(
        f"    {name}: {{contexts: [{name}, Missing], paths: ['%paths.base%/features/{name}']}}\n"
        for name in ("One", "Two")
    )
    files = {
        "behat.yml": f"default:\n  suites:\n{suites}",
        "features/One/a.feature": 'Feature: F\n  Scenario: S\n    Given I add "tea"\n    And I add "milk"\n',
        "features/Two/a.feature": 'Feature: F\n  Scenario: S\n    Given I add "tea"\n',
        "steps/One.php": CONTEXT.replace("NAME", "One").replace("EXPRESSION", "I add :what"),
        "steps/Two.php": CONTEXT.replace("NAME", "Two").replace("EXPRESSION", '/^I add "([^"]*)"$/'),
    }
    disk(tmp_path).write(files)
    workspace = disk(tmp_path).workspace()
    plan = plan_rename(request_for(workspace, 'I add "tea"', "I take {1}"), workspace)
    assert {definition.new_expression for definition in plan.definitions} == {"I take :what", '^I take "([^"]*)"$'}
    before = list(bound(workspace))
    disk(tmp_path).apply(plan)
    assert list(bound(disk(tmp_path).workspace())) == before
