"""What a scan says of step definitions by their code."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cukereuse_engine.detection.model import Finding
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.scan import ScanOptions, scan
from cukereuse_engine.settings import Settings

GLUE = """
from behave import given, when, then


@when("I set the start date to '{date}'")
def set_start(context, date):
    context.page.fill("start", date)


@when("I set the end date to '{date}'")
def set_end(context, date):
    context.page.fill("start", date)


@when("the kettle gets '{name}'")
def kettle(context, name):
    context.page.choose(name)
    context.page.save()


@when("someone picks '{name}' for it")
def pick(context, name):
    context.page.choose(name)
    context.page.save()


@given("the shop is open")
def shop_open(context):
    context.shop.open("now")


@when("I open the shop")
def open_shop(context):
    context.shop.open("now")


@then("it was updated by '{hours}' hours")
def updated(context, hours):
    context.page.refresh()
    assert context.page.title


@when("I press Go")
def press_go(context):
    context.page.press("go")


@when("I press Stop")
def press_stop(context):
    context.page.press("stop")


@when("nobody does this")
def nobody(context):
    context.page.hide()
"""
FEATURE = """Feature: F
  Scenario: S
    Given the shop is open
    When I set the start date to '1'
    And I set the end date to '2'
    And the kettle gets 'tea'
    And the kettle gets 'milk'
    And someone picks 'tea' for it
    And I open the shop
    And I press Go
    And I press Stop
    Then it was updated by '3' hours
"""
Scan = Callable[..., list[Finding]]


@pytest.fixture
def found(tmp_path: Path) -> Scan:
    (tmp_path / "features" / "steps").mkdir(parents=True)
    (tmp_path / "features" / "a.feature").write_text(FEATURE, "utf-8")
    (tmp_path / "features" / "steps" / "steps.py").write_text(GLUE, "utf-8")

    def run(settings: Settings = Settings()) -> list[Finding]:  # noqa: B008 - it never changes
        result = scan([tmp_path], ScanOptions(replace(settings, jobs=1), use_cache=False))
        return [finding for suite in result.suites for finding in suite.findings]

    return run


def brief(findings: list[Finding]) -> list[tuple[str, str, list[str]]]:
    return sorted(
        (one.rule, one.severity.value, [subject.text for subject in one.subjects])
        for one in findings
        if one.rule in ("same-code", "suspect-definition", "unused-definition")
    )


def test_what_definitions_do(found: Scan) -> None:
    assert brief(found()) == [
        ("same-code", "hint", ["I press Go", "I press Stop"]),
        ("same-code", "hint", ["the kettle gets 'tea'", "someone picks 'tea' for it"]),
        ("same-code", "hint", ["the shop is open", "I open the shop"]),
        ("suspect-definition", "warning", ["I set the start date to '1'", "I set the end date to '2'"]),
        ("suspect-definition", "warning", ["it was updated by '3' hours"]),
    ]


def test_messages_say_where_and_what(found: Scan) -> None:
    told = {one.message.split(", defined")[0]: one.message for one in found() if one.rule == "suspect-definition"}
    (dates,) = [message for message in told.values() if " date to" in message]
    assert "claim different things (“start” and “end”) and run the same code" in dates
    assert "steps.py:5" in dates
    assert any("captures “hours”, which its function never uses" in message for message in told.values())


def test_findings_stand_in_the_glue_code(found: Scan) -> None:
    for finding in found():
        if finding.rule in ("same-code", "suspect-definition"):
            places = [place for subject in finding.others for place in subject.places]
            assert places
            assert all(place.path.endswith("steps.py") and place.step is None for place in places)


def test_the_constant_that_would_be_a_parameter_is_named(found: Scan) -> None:
    (finding,) = [one for one in found() if one.rule == "same-code" and "except for" in one.message]
    assert "“go” and “stop”" in finding.message
    assert "a parameter" in finding.message


def test_unused_definitions_are_told_where_that_is_asked_for(found: Scan) -> None:
    settings = Settings(severity={"unused-definition": Severity.HINT.value})
    assert ("unused-definition", "hint", ["nobody does this"]) in brief(found(settings))
