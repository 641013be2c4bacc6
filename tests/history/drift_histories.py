"""Step definitions and features of histories that drift."""

from pathlib import Path

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
    When I try to pay by card
    When the gift voucher expires
    When I pay by card "x"
    Then the order is confirmed
    When I verify that the order is confirmed
    When I open the basket page
    When I open the Case Details tab
    When I open the case details tab
    When I print the last order
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
Then('I print the last order') do
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
STEPS, MORE = "features/step_definitions/a.rb", "features/step_definitions/b.rb"


def drifts(folder: Path, **options: str) -> list[DriftFinding]:
    return list(survey([str(folder)], use_cache=False, **options).findings)


def told(repository: Path, versions: list[dict[str, str | None]]) -> list[DriftKind]:
    """What is found after a commit for each version. The repository is left as it was."""
    for number, files in enumerate(versions):
        commit(repository, files, when=1_700_000_000 + number)
    findings = drifts(repository)
    assert git(repository, "status", "--porcelain") == ""
    return [finding.drift.kind for finding in findings]
