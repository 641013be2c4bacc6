"""The judge learns as files change, and then knows the same as a new one."""

import random
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from cukereuse_server.workspace.shared_judge import SharedJudge
from cukereuse_server.workspace.suite import SuiteState

if TYPE_CHECKING:
    from tests.server.conftest import World

FEATURE = """Feature: f
  Scenario: s
    Given I go to the home page
    And I go to the cart page
    When I go to the <page> page
    And I click "a"
    And I press "b"
    And I click on the "c" link
    Then I should see "x"
    And I should not see "x"
    And I see "y":
      | a |
    And 3 things
    And 4 things are open
  Scenario Outline: o
    When I <verb> the <thing>
    Then the <thing> is <state>
    Examples:
      | verb  | thing | state |
      | open  | door  | open  |
      | close | cart  | empty |
"""
DEFINITIONS = [
    "@given('I go to the {page} page')",
    "@when('I go to the {page} page')",
    "@step('I go to the home page')",
    "@when('I click {what}')",
    "@when('I press {what}')",
    "@then('I should see {what}')",
    "@then('I see {what}')",
    "@then('{n:d} things')",
    "@step('{n:d} things are open')",
    "@when('I open the {thing}')",
    "@when('I close the {thing}')",
    "@then('the door is open')",
    "@then('the {thing} is {state}')",
]


def source(chance: random.Random) -> str:
    chosen = chance.sample(DEFINITIONS, chance.randrange(len(DEFINITIONS)))
    lines = ["from behave import *\n"]
    for number, text in enumerate(chosen):
        again = f"\n{chosen[number - 1]}" if chance.random() < 0.3 and number else ""
        lines.append(f"\n{text}{again}\ndef f{number}(context, **k):\n    pass\n")
    return "".join(lines)


def judged(suite: SuiteState, judge: Any) -> tuple[Any, Any, list[Any]]:
    texts = suite.texts.language(suite.all_texts())
    a, b = np.triu_indices(len(texts), 1)
    probabilities = judge.probabilities(texts, a.astype(np.int32), b.astype(np.int32))
    reasons = [judge.explain(texts[one], texts[other]).reasons for one, other in combinations(range(len(texts)), 2)]
    return probabilities.p_same_definition, probabilities.p_one_intent, reasons


def fresh(suite: SuiteState) -> SharedJudge:
    bound: dict[str, str] = {}
    for text in suite.texts.texts:
        bound |= suite.bindings.function_of(text)
    return SharedJudge(suite.texts.language(suite.all_texts()), bound)


def assert_as_if_fresh(suite: SuiteState) -> None:
    assert suite.judge is not None
    (same, intent, reasons), expected = judged(suite, suite.judge), judged(suite, fresh(suite))
    np.testing.assert_array_equal(same, expected[0])
    np.testing.assert_array_equal(intent, expected[1])
    assert reasons == expected[2]


@pytest.mark.parametrize("seed", range(3))
def test_a_judge_that_adapted_equals_a_new_one(world: "World", seed: int) -> None:
    chance = random.Random(seed)
    world.write("features/one.feature", FEATURE)
    paths = [world.write(f"features/steps/{name}.py", source(chance)) for name in "ab"]
    world.configure()
    world.settled()
    (suite,) = world.workspace.suites.values()
    judge = suite.judge
    learnt = []
    for _ in range(5):
        path = chance.choice(paths)
        path.unlink() if path.exists() and chance.random() < 0.2 else path.write_text(source(chance))
        world.workspace.changed_on_disk([str(path)])
        world.settled()
        learnt.append(dict(suite.bindings._functions))
        assert_as_if_fresh(suite)
    assert suite.judge is judge
    assert any(one != other for one, other in pairwise(learnt))


@pytest.mark.parametrize("seed", range(3))
def test_what_changes_while_a_judge_is_made_is_learnt(world: "World", seed: int) -> None:
    chance = random.Random(seed)
    world.write("features/one.feature", FEATURE)
    path = world.write("features/steps/a.py", source(chance))
    world.configure()
    world.settled()
    (suite,) = world.workspace.suites.values()
    world.workspace.pipeline.renew(exactly=True)
    for _ in range(20):
        if chance.random() < 0.3:
            path.write_text(source(chance))
            world.workspace.changed_on_disk([str(path)])
        world.host.step()
    world.settled()
    assert_as_if_fresh(suite)


def test_a_step_that_binds_to_something_else_in_a_feature_is_learnt(world: "World") -> None:
    feature = str(world.write("features/one.feature", FEATURE))
    world.write("features/steps/a.py", "from behave import *\n\n@given('{x}')\ndef f(context, x):\n    pass\n")
    world.configure()
    world.settled()
    (suite,) = world.workspace.suites.values()
    counts = []
    for text in (
        FEATURE,
        FEATURE.replace("Given I", "When I"),
        FEATURE.replace("When I go", "Given I go"),
        "",
        FEATURE,
    ):
        world.workspace.open(feature, 1, text)
        world.settled()
        known = suite.bindings._functions
        expected: dict[str, str] = {}
        for wording in suite.texts.texts:
            expected |= suite.bindings.function_of(wording)
        assert known == expected
        counts.append(len(known))
    assert counts == [2, 0, 6, 0, 2]


def test_explanations_do_not_outlive_what_they_rest_on(world: "World") -> None:
    world.write("features/one.feature", FEATURE)
    path = world.write("features/steps/a.py", source(random.Random(1)))
    world.configure()
    world.settled()
    (suite,) = world.workspace.suites.values()
    assert suite.judge is not None
    one, other = (suite.texts.step_text(text) for text in ('I click "a"', 'I press "b"'))
    judged = []
    for definitions in ("@when('I click {x}')\n@when('I press {x}')\ndef f", "@when('I click {x}')\ndef f"):
        path.write_text(f"from behave import *\n\n{definitions}(context, x):\n    pass\n")
        world.workspace.changed_on_disk([str(path)])
        world.settled()
        judged.append("one step definition serves both" in suite.judge.explain(one, other).reasons)
    assert judged == [True, False]


def test_findings_follow_what_was_learnt(world: "World") -> None:
    """The suite as a whole is not judged again."""
    world.write("features/one.feature", PUSHES)
    click, press = (f"@when('I {verb} the {{x}} button')" for verb in ("click", "press"))
    body = "\ndef f(context, x):\n    pass\n"
    one, two = f"{click}\n{press}{body}", f"{click}{body}\n{press}{body.replace('f(', 'g(')}"
    path = world.write("features/steps/a.py", f"from behave import *\n\n{one}")
    world.configure()
    world.settled()
    (suite,) = world.workspace.suites.values()
    judge, seen = suite.judge, []
    for definitions in (one, "", two, one):
        path.write_text(f"from behave import *\n\n{definitions}")
        world.workspace.changed_on_disk([str(path)])
        world.settled()
        seen.append([finding.rule for finding in suite.findings.all()])
    assert suite.judge is judge
    assert seen == [[], ["divergent-wording"], ["divergent-definition"], []]


def pushing(*calls: str) -> str:
    """Step definitions of one intent, each with a body."""
    return "from behave import *\n" + "".join(
        f"\n\n@when('I {verb} the {{x}} button')\ndef {verb}(context, x):\n    context.{call}(x)\n"
        for verb, call in zip(("click", "press"), calls, strict=True)
    )


PUSHES = 'Feature: f\n  Scenario: s\n    When I click the "a" button\n    And I press the "b" button\n'


def test_findings_follow_what_functions_do(world: "World") -> None:
    """Also after an edit that moves nothing."""
    world.write("features/one.feature", PUSHES)
    path = world.write("features/steps/a.py", pushing("page.push", "page.push"))
    world.configure()
    world.settled()
    (suite,) = world.workspace.suites.values()
    seen = []
    for call in ("page.push", "door.slam", "page.push"):
        path.write_text(pushing(call, "page.push"))
        world.workspace.changed_on_disk([str(path)])
        world.settled()
        seen.append([(finding.severity, finding.reasons[-1].text) for finding in suite.findings.all()])
    same, other = "their functions do the same", "their functions do different things"
    assert seen == [[("warning", same)], [("hint", other)], [("warning", same)]]


def test_findings_go_by_what_the_editor_holds(world: "World") -> None:
    """The editor's text counts from the start."""
    world.write("features/one.feature", PUSHES)
    path = world.write("features/steps/a.py", pushing("door.slam", "page.push"))
    world.workspace.open(str(path), 1, f"# better\n{pushing('page.push', 'page.push')}")
    world.configure()
    world.settled()
    (suite,) = world.workspace.suites.values()
    assert [(finding.severity, finding.reasons[-1].text) for finding in suite.findings.all()] == [
        ("warning", "their functions do the same")
    ]
