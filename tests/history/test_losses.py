"""Steps that no longer do, check or use what they did."""

from pathlib import Path

import pytest

from cukereuse_engine.history.drift import DriftKind
from tests.history.drift_histories import (
    CHECK,
    EACH,
    FIND,
    GUEST,
    IGNORING,
    LOGGING,
    MORE,
    OPEN,
    PARKED,
    PAUSING,
    PY_CHECK,
    PY_STEPS,
    PY_WAIT,
    RUBY,
    SCALA,
    SHOW,
    SILENT,
    STEPS,
    TWO_CHECKS,
    drifts,
    told,
)
from tests.history.test_trend import commit


@pytest.mark.parametrize(
    ("versions", "kinds"),
    [
        pytest.param([{STEPS: CHECK}, {STEPS: SILENT}], [DriftKind.HOLLOW], id="a check goes"),
        pytest.param([{STEPS: CHECK}, {STEPS: SILENT}, {STEPS: CHECK}], [], id="a check comes back"),
        pytest.param(
            [{STEPS: CHECK}, {STEPS: CHECK.replace("  order =", "  Order.count\n  order =")}],
            [],
            id="a check stays",
        ),
        pytest.param(
            [{STEPS: RUBY}, {STEPS: "When('I pay by card') do\nend\n"}],
            [],
            id="an action is emptied: what it did is done elsewhere",
        ),
        pytest.param(
            [{STEPS: RUBY}, {STEPS: RUBY.replace("\n  ", "\n  # ")}],
            [DriftKind.HOLLOW],
            id="an action is commented out",
        ),
        pytest.param(
            [{STEPS: CHECK}, {STEPS: "Then('the order is confirmed') do\nend\n"}],
            [DriftKind.HOLLOW],
            id="an outcome is emptied",
        ),
        pytest.param(
            [
                {STEPS: CHECK.replace("Then", "When")},
                {STEPS: SILENT.replace("Then", "When")},
            ],
            [],
            id="an action is said after a Then",
        ),
        pytest.param(
            [
                {STEPS: CHECK.replace("Then('the order", "When('I verify that the order")},
                {STEPS: SILENT.replace("Then('the order", "When('I verify that the order")},
            ],
            [DriftKind.HOLLOW],
            id="a wording says that it checks, whatever the keyword",
        ),
        pytest.param(
            [
                {STEPS: CHECK.replace("Then", "And")},
                {STEPS: SILENT.replace("Then", "And")},
            ],
            [DriftKind.HOLLOW],
            id="steps tell that it is an outcome",
        ),
        pytest.param(
            [
                {STEPS: SILENT.replace("order = Order.last", "order = Order.last\n  click_on CONFIRM_BUTTON")},
                {STEPS: SILENT},
            ],
            [],
            id="a constant confirms nothing",
        ),
        pytest.param(
            [{STEPS: RUBY}, {STEPS: RUBY.replace("  visit", "  raise NotImplementedError\n  visit")}],
            [],
            id="a step tells its runner that it is pending",
        ),
        pytest.param(
            [
                {STEPS: FIND},
                {
                    STEPS: IGNORING.replace("'the order {string} is", '/^the order "([^"]*)" is').replace(
                        "') do", "$/) do", 1
                    )
                },
            ],
            [DriftKind.IGNORED],
            id="an argument is not used any more where the same wording is written otherwise",
        ),
        pytest.param(
            [{"features/A.scala": SCALA}, {"features/A.scala": SCALA.replace("OrdersPage", "// OrdersPage")}],
            [DriftKind.HOLLOW],
            id="a step that takes an argument is emptied in Scala",
        ),
        pytest.param([{STEPS: TWO_CHECKS}, {STEPS: PARKED}], [DriftKind.HOLLOW], id="a check is commented out"),
        pytest.param(
            [
                {STEPS: CHECK.replace("  expect(order.state).to eq 'confirmed'", "  wait 5")},
                {STEPS: SILENT},
            ],
            [],
            id="an outcome no longer pauses",
        ),
        pytest.param(
            [{STEPS: CHECK.replace("confirmed'", "confirmed at once'", 1)}, {STEPS: SILENT}],
            [],
            id="a check goes with what the wording said of it",
        ),
        pytest.param([{STEPS: TWO_CHECKS}, {STEPS: CHECK}], [], id="a check is given up, another one stays"),
        pytest.param(
            [{STEPS: CHECK}, {STEPS: CHECK.replace("expect(order.state).to eq 'confirmed'", "order.state")}],
            [DriftKind.HOLLOW],
            id="what was checked is only read",
        ),
        pytest.param(
            [{PY_STEPS: PY_CHECK}, {PY_STEPS: PY_CHECK.replace("assert not ", "")}],
            [DriftKind.HOLLOW],
            id="a keyword alone checked",
        ),
        pytest.param(
            [{PY_STEPS: PY_WAIT}, {PY_STEPS: PY_WAIT.replace("    until(order.is_confirmed)\n", "")}],
            [DriftKind.HOLLOW],
            id="what the wording says is not asked for any more",
        ),
        pytest.param(
            [{PY_STEPS: PY_WAIT}, {PY_STEPS: PY_WAIT.replace("until(order.is_confirmed)", "order.confirmed()")}],
            [],
            id="what the wording says is asked for in another way",
        ),
        pytest.param(
            [
                {PY_STEPS: PY_WAIT.replace("is_confirmed", "is_idle")},
                {PY_STEPS: PY_WAIT.replace("    until(order.is_confirmed)\n", "")},
            ],
            [],
            id="a wait for something else goes",
        ),
        pytest.param(
            [{PY_STEPS: PY_CHECK}, {PY_STEPS: PY_CHECK.replace("assert not ", "assert ")}],
            [],
            id="a keyword still checks",
        ),
        pytest.param(
            [
                {STEPS: EACH.replace("    expect(line.price)", "    line.reload\n    expect(line.price)")},
                {STEPS: EACH.replace("    expect(line.price)", "    # line.reload\n    expect(line.price)")},
            ],
            [],
            id="something else than a check of a loop is commented out",
        ),
        pytest.param(
            [{STEPS: EACH}, {STEPS: EACH.replace("    expect(line.price)", "    # expect(line.price)")}],
            [DriftKind.HOLLOW],
            id="one check of a loop is commented out",
        ),
        pytest.param(
            [
                {STEPS: CHECK.replace("  expect", "  sleep 2\n  expect")},
                {STEPS: "Then('the order is confirmed') do\n  sleep 2\nend\n"},
            ],
            [DriftKind.HOLLOW],
            id="an outcome only waits now",
        ),
        pytest.param(
            [
                {STEPS: PAUSING.replace("sleep 2", "wait_for 'h1'").replace("When", "Then")},
                {STEPS: OPEN.replace("visit '/basket'", "wait_for 'h1'").replace("When", "Then")},
            ],
            [],
            id="a step waits for what came by itself",
        ),
        pytest.param([{STEPS: FIND}, {STEPS: IGNORING}], [DriftKind.IGNORED], id="an argument is not used any more"),
        pytest.param(
            [{STEPS: FIND}, {STEPS: IGNORING.replace("|name|", "|_name|")}],
            [],
            id="an argument says that it is not used",
        ),
        pytest.param(
            [{STEPS: FIND}, {STEPS: FIND.replace("have_text(name)", "have_text(/#{name}/)")}],
            [],
            id="an argument is used within a text",
        ),
        pytest.param(
            [
                {STEPS: RUBY, MORE: GUEST},
                {MORE: GUEST.replace("  click", "  expect(page).to have_button('Pay')\n  click")},
            ],
            [],
            id="a wording says more, so its function may do more",
        ),
        pytest.param(
            [
                {STEPS: RUBY},
                {STEPS: RUBY.replace("  click", "  begin\n  hover\n  rescue NotImplementedError\n  end\n  click")},
            ],
            [],
            id="what is caught is not what is still to be written",
        ),
        pytest.param(
            [{STEPS: SHOW}, {STEPS: "Then('I print the last order') do\n  puts Order.last\nend\n"}],
            [],
            id="a step prints still",
        ),
        pytest.param(
            [{STEPS: CHECK}, {STEPS: "Then('the order is confirmed') do\n  puts 'not now'\nend\n"}],
            [DriftKind.HOLLOW],
            id="a step says only that it does nothing",
        ),
        pytest.param(
            [{STEPS: RUBY}, {STEPS: RUBY.replace("  click_button 'Pay'", "  click_button('Pay') || pending")}],
            [],
            id="a step does not go on where something is not there",
        ),
        pytest.param(
            [{PY_STEPS: LOGGING}, {PY_STEPS: LOGGING.replace("utils.logger", "logger")}],
            [],
            id="only the logger is another one",
        ),
    ],
)
def test_steps_that_lost_something(
    drifting: Path, versions: list[dict[str, str | None]], kinds: list[DriftKind]
) -> None:
    assert told(drifting, versions) == kinds


@pytest.mark.parametrize(("tag", "count"), [("@smoke", 1), ("@Ignore", 0)])
def test_steps_that_specflow_never_runs_are_no_uses(drifting: Path, tag: str, count: int) -> None:
    source = (
        'using TechTalk.SpecFlow;\n[Binding]\npublic class S {\n  [Then("the order is listed")]\n'
        "  public void Listed() {\n    %s\n  }\n}\n"
    )
    feature = f"Feature: f\n  {tag}\n  Scenario: s\n    Then the order is listed\n"
    check = "Assert.That(page.Orders.Contains(order), Is.True);"
    commit(drifting, {"features/f.feature": feature, "features/S.cs": source % check})
    commit(drifting, {"features/S.cs": source % ""}, when=1_700_000_001)
    assert len(drifts(drifting)) == count


SENDS = """
When('{string} sends the {string} offer') do |name, kind|
  actor(name).send_offer(kind)
end

Given('{string} is connected') do |name|
  actor(name).connect
end

Then('{string} has the {string} offer') do |name, kind|
  actor(name).check(kind)
end
"""


@pytest.mark.parametrize(
    ("steps", "change", "argument"),
    [
        pytest.param(
            ['Given "Bob" is connected', 'When "Bob" sends the "new" offer'], "actor(name).send_offer", "", id="it is"
        ),
        pytest.param(
            ['Given "Ann" is connected', 'When "Bob" sends the "new" offer'],
            "actor(name).send_offer",
            "name",
            id="another one is",
        ),
        pytest.param(
            ['When "Bob" sends the "new" offer', 'When "Bob" sends the "new" offer'],
            "actor(name).send_offer",
            "name",
            id="only this step says it, twice",
        ),
        pytest.param(
            ['Given "Bob" is connected', 'Then "Bob" has the "new" offer'],
            "actor(name).check",
            "name",
            id="a check is to find it",
        ),
        pytest.param(
            [
                'Given "<who>" is connected',
                'When "<who>" sends the "new" offer',
                "Examples:\n    | who |\n    | Bob |\n    | Ann |",
            ],
            "actor(name).send_offer",
            "",
            id="each row is",
        ),
        pytest.param(
            [
                'Given "Bob" is connected',
                'When "<who>" sends the "new" offer',
                "Examples:\n    | who |\n    | Bob |\n    | Ann |",
            ],
            "actor(name).send_offer",
            "name",
            id="one row is not",
        ),
    ],
)
def test_an_ignored_argument_of_an_action_may_be_what_the_scenario_is_about(
    drifting: Path, steps: list[str], change: str, argument: str
) -> None:
    kind = "Scenario Outline" if "Examples" in steps[-1] else "Scenario"
    feature = f"Feature: f\n  {kind}: s\n    " + "\n    ".join(steps) + "\n"
    commit(drifting, {"features/f.feature": feature, STEPS: SENDS})
    commit(drifting, {STEPS: SENDS.replace(change, change.replace("name", "'Bob'"))}, when=1_700_000_001)
    assert [finding.drift.argument for finding in drifts(drifting)] == ([argument] if argument else [])


def test_a_background_says_what_scenarios_are_about(drifting: Path) -> None:
    feature = (
        'Feature: f\n  Background:\n    Given "Bob" is connected\n  Scenario: s\n    When "Bob" sends the "new" offer\n'
    )
    commit(drifting, {"features/f.feature": feature, STEPS: SENDS})
    commit(drifting, {STEPS: SENDS.replace("actor(name).send_offer", "offer")}, when=1_700_000_001)
    assert drifts(drifting) == []


PY_SENDS = """
from behave import given, when


@when('{name} sends the {kind} offer')
def send(context, kind, name):
    context.actors[name].send_offer(kind)


@given('{name} is connected')
def connect(context, name):
    context.actors[name].connect()
"""


@pytest.mark.parametrize(("name", "count"), [("Bob", 0), ("Ann", 1)])
def test_arguments_that_are_passed_by_name_are_told_apart_by_it(drifting: Path, name: str, count: int) -> None:
    feature = f"Feature: f\n  Scenario: s\n    Given {name} is connected\n    When Bob sends the new offer\n"
    commit(drifting, {"features/f.feature": feature, PY_STEPS: PY_SENDS})
    commit(drifting, {PY_STEPS: PY_SENDS.replace("actors[name].send", "offers.send")}, when=1_700_000_001)
    assert len(drifts(drifting)) == count


BESIDE = "Feature: f\n  Scenario: s\n    Then the order is confirmed\n"
SAID_BESIDE = BESIDE + "    And the state of the order is right\n"
ROWS = "    Examples:\n      | what         |\n      | the order is |\n"
ANOTHER = BESIDE.replace("s\n", "t\n")


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        pytest.param([BESIDE], [SAID_BESIDE], 0, id="a step beside it came with the change"),
        pytest.param([BESIDE], [BESIDE], 1, id="nothing came"),
        pytest.param([SAID_BESIDE], [BESIDE], 1, id="a step beside it went"),
        pytest.param([BESIDE, ANOTHER, ANOTHER], [SAID_BESIDE, ANOTHER, ANOTHER], 1, id="most have no new step"),
        pytest.param([BESIDE], [BESIDE + "  Scenario: t\n    When I pay by card\n"], 1, id="it came elsewhere"),
        pytest.param(
            [BESIDE.replace("Scenario", "Scenario Outline").replace("the order is", "<what>") + ROWS],
            [SAID_BESIDE.replace("Scenario", "Scenario Outline").replace("the order is", "<what>") + ROWS],
            0,
            id="in an outline",
        ),
    ],
)
def test_a_check_may_move_to_a_step_beside_it(drifting: Path, before: list[str], after: list[str], count: int) -> None:
    for steps, kept in ((SILENT, count), (CHECK.replace("  expect", "  # expect"), 1)):
        for when, (features, now) in enumerate([(before, CHECK), (after, steps)]):
            files: dict[str, str | None] = {f"features/{number}.feature": text for number, text in enumerate(features)}
            commit(drifting, {**files, "features/f.feature": None, STEPS: now}, when=1_700_000_000 + when)
        assert len(drifts(drifting)) == kept, "what waits in a comment did not move"


@pytest.mark.parametrize(
    ("names", "count"),
    [
        pytest.param("aaaaa", 0, id="all say the same"),
        pytest.param("aaaab", 1, id="one says another one"),
        pytest.param("aaaa", 1, id="a few say the same"),
    ],
)
def test_an_ignored_argument_may_be_part_of_the_wording(drifting: Path, names: str, count: int) -> None:
    steps = "".join(f'    Then the order "{name}" is listed\n' for name in names)
    commit(drifting, {"features/f.feature": f"Feature: f\n  Scenario: s\n{steps}", STEPS: FIND})
    commit(drifting, {STEPS: IGNORING}, when=1_700_000_001)
    assert len(drifts(drifting)) == count
