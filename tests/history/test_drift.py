"""Drift from a user's view: histories of a few commits, each with the findings that must be reported."""

from pathlib import Path

import pytest

from cukereuse_engine.history.drift import DriftKind
from cukereuse_engine.history.survey import DriftFinding, survey
from tests.history.test_trend import commit, git

RUBY = """
When('I pay by card') do
  visit checkout_path
  fill_in 'number', with: card_number
  click_button 'Pay'
end
"""
COPY = RUBY.replace("I pay by card", "I pay by a card")
GUEST = RUBY.replace("I pay by card", "I pay by card as a guest")
OTHER_INTENT = RUBY.replace("I pay by card", "the gift voucher expires")
MORE_ARGUMENTS = RUBY.replace("'I pay by card') do", "'I pay by card {string}') do |_|")
WAITING = COPY.replace("  click_button", "  expect(page).to have_button('Pay')\n  click_button")
WAITS = WAITING.replace("by a card", "by card")
FEATURE = """Feature: f
  Scenario: s
    When I pay by card
    When I pay by a card
    When the gift voucher expires
    When I pay by card "x"
    Then the order is confirmed
    When I open the basket page
    When I open the Case Details tab
    When I open the case details tab
    When I print the last order
    When I do not fill in the note
    When kullanıcı bir isim yazmaz
    Then the order "a" is listed
"""
PYTHON = """
from behave import when


@when("I pay by card")
def pay(context):
    context.visit("checkout")
    context.choose("card")
    context.press("Pay")
"""
LOGGING = """
import utils
from behave import when


@when("I open the basket page")
def basket(context):
    utils.logger.info("The basket is open already.")
"""
OTHER_PYTHON = PYTHON.replace("by card", "by a card")
CHECK = """
Then('the order is confirmed') do
  order = Order.last
  expect(order.state).to eq 'confirmed'
end
"""
SILENT = CHECK.replace("  expect(order.state).to eq 'confirmed'\n", "")
PY_STEPS = "features/steps/orders.py"
PY_CHECK = """
from behave import then


@then("the order is confirmed")
def confirmed(context):
    assert not context.shop.items(context.order)
"""
PY_WAIT = PY_CHECK.replace(
    "    assert not context.shop.items(context.order)", "    order = context.shop.last()\n    until(order.is_confirmed)"
)
OPEN = """
When('I open the basket page') do
  visit '/basket'
end
"""
PAUSING = OPEN.replace("  visit '/basket'", "  visit '/basket'\n  sleep 2")
EACH = """
Then('the order is confirmed') do
  Order.last.lines.each do |line|
    expect(line.price).to be_positive
    expect(line.state).to eq 'confirmed'
  end
end
"""
OPEN_DETAILS = """
When('I open the Case Details tab') do
  click_link 'Case Details'
end
"""
OPEN_TAB = OPEN_DETAILS.replace("Case Details", "case details")
SHOW = """
When('I print the last order') do
  order = Order.last
  announce order.to_s
end
"""
FIND = """
Then('the order {string} is listed') do |name|
  visit orders_path
  expect(page).to have_text(name)
end
"""
SCALA = """
import io.cucumber.scala.{EN, ScalaDsl}

class A extends ScalaDsl with EN {
  Then("the order {string} is listed") { (name: String) =>
    OrdersPage.listed(name) shouldBe true
  }
}
"""
IGNORING = FIND.replace("have_text(name)", "have_text('Orders')")
TWO_CHECKS = CHECK.replace("  expect", "  expect(order.total).to be_positive\n  expect")
PARKED = TWO_CHECKS.replace("  expect(order.total)", "  # expect(order.total)")
LEAVE_OUT = """
When('I do not fill in the note') do
  order = Order.last
  order.note.clear
end
"""
STEPS, MORE = "features/step_definitions/a.rb", "features/step_definitions/b.rb"


def drifts(folder: Path, **options: str) -> list[DriftFinding]:
    return list(survey([str(folder)], use_cache=False, **options).findings)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    commit(tmp_path, {"features/f.feature": FEATURE}, when=1_600_000_000)
    return tmp_path


@pytest.mark.parametrize(
    ("versions", "kinds"),
    [
        pytest.param(
            [{STEPS: RUBY, MORE: COPY}, {MORE: WAITING}],
            [DriftKind.COPY],
            id="a copy is changed alone",
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: OTHER_INTENT}, {MORE: OTHER_INTENT.replace("  click", "  sleep 1\n  click")}],
            [],
            id="a function of another intent is changed",
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: MORE_ARGUMENTS}, {MORE: MORE_ARGUMENTS.replace("  click", "  sleep 1\n  click")}],
            [],
            id="one that takes other arguments is changed",
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: COPY}, {MORE: COPY.replace("visit checkout", "visit guest_checkout")}],
            [],
            id="what a change names is what only its own wording says",
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: COPY}, {MORE: WAITING, STEPS: WAITING.replace("by a card", "by card")}],
            [],
            id="both are changed",
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: COPY}, {MORE: WAITING}, {STEPS: WAITING.replace("by a card", "by card")}],
            [],
            id="the other one follows later",
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: COPY}, {MORE: COPY.replace("'Pay'\n", "'Pay' # now\n").replace("do\n", "do\n\n")}],
            [],
            id="layout and comments do not count",
        ),
        *(
            pytest.param(
                [{STEPS: RUBY, MORE: COPY}, {MORE: COPY.replace("  click", f"  {log}\n  click")}],
                [],
                id=f"a copy says more: {log}",
            )
            for log in ("puts page.body", "$stderr.puts(page.body)")
        ),
        *(
            pytest.param(
                [
                    {"a/s.py": PYTHON, "b/s.py": OTHER_PYTHON},
                    {"b/s.py": OTHER_PYTHON.replace("    context.press", f"{log}    context.press")},
                ],
                told,
                id=f"a copy in Python says more: {log}",
            )
            for log, told in (
                ("    pprint(context.page)\n", []),
                ("    if context.debug:\n        print(context.page)\n", []),
                ("    for line in context.lines:\n        print(line)\n", []),
                ("    if context.is_open():\n        print(context.page)\n", [DriftKind.COPY]),
                ("    if context.debug:\n        context.stop()\n", [DriftKind.COPY]),
            )
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: COPY}, {MORE: None, "features/step_definitions/c/d.rb": COPY}, {MORE: None}],
            [],
            id="a copy moves",
        ),
        pytest.param(
            [
                {STEPS: RUBY, MORE: COPY},
                {MORE: None, "features/step_definitions/c/d.rb": COPY},
                {"features/step_definitions/c/d.rb": WAITING},
            ],
            [DriftKind.COPY],
            id="a copy moves, and is changed there",
        ),
        pytest.param([{STEPS: RUBY}, {STEPS: RUBY + WAITING}], [], id="what was never the same is no copy"),
        pytest.param([{STEPS: CHECK}, {STEPS: SILENT}], [DriftKind.HOLLOW], id="a check goes"),
        pytest.param([{STEPS: CHECK}, {STEPS: SILENT}, {STEPS: CHECK}], [], id="a check comes back"),
        pytest.param(
            [{STEPS: CHECK}, {STEPS: CHECK.replace("  order =", "  Order.count\n  order =")}],
            [],
            id="a check stays",
        ),
        pytest.param(
            [{STEPS: RUBY}, {STEPS: "When('I pay by card') do\nend\n"}],
            [DriftKind.HOLLOW],
            id="a step is emptied",
        ),
        pytest.param(
            [{STEPS: RUBY}, {STEPS: RUBY.replace("  visit", "  raise NotImplementedError\n  visit")}],
            [],
            id="a step tells its runner that it is pending",
        ),
        pytest.param(
            [{STEPS: LEAVE_OUT}, {STEPS: "When('I do not fill in the note') do\nend\n"}],
            [],
            id="a step that says that nothing is done does nothing",
        ),
        pytest.param(
            [
                {STEPS: LEAVE_OUT.replace("I do not fill in the note", "kullanıcı bir isim yazmaz")},
                {STEPS: "When('kullanıcı bir isim yazmaz') do\nend\n"},
            ],
            [],
            id="a step that says so in another language",
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
            [{STEPS: RUBY}, {STEPS: "When('I pay by card') do\n  # the step before does that already\nend\n"}],
            [],
            id="a step says why it does nothing",
        ),
        pytest.param(
            [{STEPS: RUBY}, {STEPS: "When('I pay by card') do\n  # TODO do that with the new form\nend\n"}],
            [DriftKind.HOLLOW],
            id="a step says that it does nothing yet",
        ),
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
            [{STEPS: PAUSING}, {STEPS: PAUSING.replace("  visit '/basket'\n", "")}],
            [DriftKind.HOLLOW],
            id="a step only waits now",
        ),
        pytest.param(
            [
                {STEPS: PAUSING.replace("sleep 2", "wait_for 'h1'")},
                {STEPS: OPEN.replace("visit '/basket'", "wait_for 'h1'")},
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
            [{STEPS: SHOW}, {STEPS: "When('I print the last order') do\n  puts Order.last\nend\n"}],
            [],
            id="a step prints still",
        ),
        pytest.param(
            [{STEPS: SHOW}, {STEPS: "When('I print the last order') do\n  puts 'not now'\nend\n"}],
            [DriftKind.HOLLOW],
            id="a step says only that it does nothing",
        ),
        pytest.param(
            [{STEPS: RUBY}, {STEPS: RUBY.replace("  click_button 'Pay'", "  click_button('Pay') || pending")}],
            [],
            id="a step does not go on where something is not there",
        ),
        pytest.param(
            [
                {STEPS: RUBY, MORE: COPY},
                {MORE: COPY.replace("click_button 'Pay'", "checkout_page.pay.click")},
            ],
            [],
            id="a copy does the same in another way",
        ),
        pytest.param(
            [{STEPS: RUBY, MORE: RUBY}, {MORE: WAITING.replace("by a card", "by card")}],
            [],
            id="two files have one wording each for itself",
        ),
        pytest.param(
            [{STEPS: OPEN_DETAILS}, {STEPS: OPEN_DETAILS.replace("'Case Details'", "'Application'")}],
            [DriftKind.OTHER],
            id="a step opens another tab than it names",
        ),
        pytest.param(
            [{STEPS: OPEN_DETAILS}, {STEPS: OPEN_DETAILS.replace("Case Details", "Application")}],
            [],
            id="the wording follows",
        ),
        pytest.param(
            [{STEPS: OPEN_TAB}, {STEPS: OPEN_TAB.replace("'case details'", "'application'")}],
            [],
            id="a tab that is described and not named has another label",
        ),
        pytest.param(
            [{STEPS: OPEN}, {STEPS: OPEN.replace("/basket", "/cart")}],
            [],
            id="the page has moved",
        ),
        pytest.param(
            [
                {STEPS: "When('I open the basket page') do\n  list.wait_for_items\nend\n"},
                {STEPS: "When('I open the basket page') do\nend\n"},
            ],
            [],
            id="an action only waited",
        ),
        pytest.param(
            [{PY_STEPS: LOGGING}, {PY_STEPS: LOGGING.replace("utils.logger", "logger")}],
            [],
            id="only the logger is another one",
        ),
        pytest.param([{STEPS: "def broken("}, {STEPS: "When('a') do"}], [], id="nothing can be read"),
    ],
)
def test_what_is_told(repository: Path, versions: list[dict[str, str | None]], kinds: list[DriftKind]) -> None:
    for number, files in enumerate(versions):
        commit(repository, files, when=1_700_000_000 + number)
    findings = drifts(repository)
    assert [finding.drift.kind for finding in findings] == kinds
    assert git(repository, "status", "--porcelain") == ""


def test_both_sides_and_the_commit(repository: Path) -> None:
    commit(repository, {STEPS: RUBY, MORE: COPY})
    commit(repository, {MORE: WAITING}, tag="changed")
    commit(repository, {"features/step_definitions/c.rb": "# nothing\n" + CHECK, MORE: "# moved down\n" + WAITING})
    (finding,) = drifts(repository)
    assert finding.drift.commit is not None
    assert finding.drift.commit.id == git(repository, "rev-parse", "changed").strip()
    assert [side.version.state.expression for side in finding.drift.sides] == [
        "I pay by card",
        "I pay by a card",
    ]
    assert [side.uses.steps for side in finding.drift.sides] == [1, 1]
    assert finding.drift.sides[1].version.state.line == 3
    assert "have_button" in finding.code[1]
    assert "have_button" not in finding.code[0]
    assert drifts(repository, since="changed") == []
    for before in ("changed^", "2001-01-01"):  # with several repositories, one may be younger than the day
        assert len(drifts(repository, since=before)) == 1
    assert drifts(repository, ref="changed^") == []


def test_steps_that_nothing_says_are_left_out(repository: Path) -> None:
    commit(repository, {STEPS: RUBY, MORE: COPY, "features/f.feature": "Feature: f\n"})
    commit(repository, {MORE: WAITING})
    assert drifts(repository) == []


def test_what_one_commit_did_to_many_is_told_once(repository: Path) -> None:
    commit(repository, {STEPS: CHECK + SHOW})
    commit(repository, {STEPS: "Then('the order is confirmed') do\nend\nWhen('I print the last order') do\nend\n"})
    (finding,) = drifts(repository)
    assert finding.drift.sides[1].version.state.expression == "the order is confirmed"
    assert [side.version.state.expression for side in finding.drift.also] == ["I print the last order"]


def test_one_wording_in_two_suites(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    feature = "Feature: f\n  Scenario: s\n    When I pay by card\n"
    for suite in ("shop", "admin"):
        files = {"cucumber.yml": "", "features/f.feature": feature, STEPS: RUBY}
        commit(tmp_path, {f"{suite}/{path}": content for path, content in files.items()})
    commit(tmp_path, {f"admin/{STEPS}": WAITS})
    (finding,) = drifts(tmp_path)
    assert finding.drift.kind is DriftKind.COPY
    assert [side.version.path for side in finding.drift.sides] == [f"shop/{STEPS}", f"admin/{STEPS}"]


@pytest.mark.parametrize(
    ("one", "two", "changed"),
    [
        ([RUBY], [WAITS], None),
        ([RUBY], [RUBY, WAITS], "two"),
        ([RUBY, WAITS], [RUBY], "one"),
        ([RUBY, RUBY.replace("'Pay'", "'Buy'")], [RUBY, WAITS], None),
        ([RUBY, WAITS], [None, None, RUBY], None),
    ],
    ids=["two sources", "the second is changed", "the first is changed", "both go their ways", "an old copy"],
)
def test_one_wording_in_two_repositories(
    tmp_path: Path, one: list[str | None], two: list[str | None], changed: str | None
) -> None:
    """Copies, if one of them was changed after both did the same."""
    for name, sources in (("one", one), ("two", two)):
        (tmp_path / name).mkdir()
        git(tmp_path / name, "init", "-q")
        for number, source in enumerate(sources):
            files = {"features/f.feature": FEATURE, STEPS: source, "README.md": name}
            commit(tmp_path / name, files, when=1_700_000_000 + number)
    (finding,) = survey([str(tmp_path / name) for name in ("one", "two")], use_cache=False).findings
    drift = finding.drift
    assert {side.repository for side in drift.sides} == {"one", "two"}
    assert drift.kind is (DriftKind.PLACES if changed is None else DriftKind.COPY)
    assert (drift.commit.time if drift.commit is not None else None) == (1_700_000_001 if changed else None)
    assert changed in (None, drift.sides[1].repository)


def test_a_fork_is_no_other_suite(tmp_path: Path) -> None:
    """Each is for its own version of what it tests."""
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    git(one, "init", "-q")
    commit(one, {"features/f.feature": FEATURE, STEPS: RUBY})
    git(tmp_path, "clone", "-q", str(one), str(two))
    commit(two, {STEPS: WAITS}, when=1_700_000_001)
    assert survey([str(one), str(two)], use_cache=False).findings == ()


@pytest.mark.parametrize(("tag", "told"), [("@smoke", 1), ("@Ignore", 0)])
def test_steps_that_specflow_never_runs_are_no_uses(repository: Path, tag: str, told: int) -> None:
    source = (
        'using TechTalk.SpecFlow;\n[Binding]\npublic class S {\n  [Then("the order is listed")]\n'
        "  public void Listed() {\n    %s\n  }\n}\n"
    )
    feature = f"Feature: f\n  {tag}\n  Scenario: s\n    Then the order is listed\n"
    check = "Assert.That(page.Orders.Contains(order), Is.True);"
    commit(repository, {"features/f.feature": feature, "features/S.cs": source % check})
    commit(repository, {"features/S.cs": source % ""}, when=1_700_000_001)
    assert len(drifts(repository)) == told


def test_what_steps_say_tells_copies(repository: Path) -> None:
    """An expression may capture words too; to both steps its slots look the same."""
    one = RUBY.replace("'I pay by card') do", "/^(this order) is paid by card$/) do |order|")
    two = RUBY.replace("'I pay by card') do", '/^the ("[^"]+" order of [a-z]+) is paid by card$/) do |order|')
    steps = ["this order is paid by card", 'the "first" order of shoes is paid by card']
    feature = "Feature: f\n  Scenario: s\n" + "".join(f"    When {step}\n" for step in steps)
    commit(repository, {"features/f.feature": feature, STEPS: one, MORE: two})
    waiting = two.replace("  click_button", "  expect(page).to have_button('Pay')\n  click_button")
    commit(repository, {MORE: waiting}, when=1_700_000_001)
    assert drifts(repository) == []
