"""A scan's findings about step definitions by their code."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cukereuse_engine.findings.finding import Finding
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
def reported(tmp_path: Path) -> Scan:
    (tmp_path / "features" / "steps").mkdir(parents=True)
    (tmp_path / "features" / "a.feature").write_text(FEATURE, "utf-8")
    (tmp_path / "features" / "steps" / "steps.py").write_text(GLUE, "utf-8")

    def run(settings: Settings = Settings()) -> list[Finding]:  # noqa: B008 - it never changes
        result = scan([tmp_path], ScanOptions(replace(settings, jobs=1), use_cache=False))
        return [finding for suite in result.suites for finding in suite.findings]

    return run


def brief(findings: list[Finding]) -> list[tuple[str, str, list[str]]]:
    return sorted(
        (finding.rule, finding.severity.value, [subject.text for subject in finding.subjects])
        for finding in findings
        if finding.rule in ("same-code", "suspect-definition", "unused-definition")
    )


def test_what_definitions_do(reported: Scan) -> None:
    assert brief(reported()) == [
        ("same-code", "hint", ["I press Go", "I press Stop"]),
        ("same-code", "hint", ["the shop is open", "I open the shop"]),
        ("suspect-definition", "hint", ["the kettle gets 'tea'", "someone picks 'tea' for it"]),
        ("suspect-definition", "warning", ["I set the start date to '1'", "I set the end date to '2'"]),
        ("suspect-definition", "warning", ["it was updated by '3' hours"]),
    ]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        *((f"I remove the {word} director", f"“{word}”") for word in ("last", "Last", "lastXY")),
        ("I remove the last known director", "“last known”"),
        ("I remove the last of the known director", "“last” and “known”"),
    ],
)
def test_a_reason_names_only_words_that_are_there(text: str, claims: str, reported: Scan, tmp_path: Path) -> None:
    code = "    context.page.press('x')\n    context.page.save()\n"
    texts = ("I remove a director", text)
    steps = "".join(f"@when('{text}')\ndef f{number}(context):\n{code}\n" for number, text in enumerate(texts))
    (tmp_path / "features/steps/steps.py").write_text(f"from behave import when\n\n{steps}", "utf-8")
    feature = "Feature: F\n  Scenario: S\n" + "".join(f"    When {text}\n" for text in texts)
    (tmp_path / "features/a.feature").write_text(feature, "utf-8")
    (finding,) = [finding for finding in reported() if finding.rule == "suspect-definition"]
    assert finding.reasons[0].text == f"their wordings differ in {claims}"


def test_a_reason_tells_an_ignored_argument_from_words(reported: Scan, tmp_path: Path) -> None:
    body = "    context.mocks.add(key, context.text)\n    context.mocks.save()\n"
    glue = (
        "from behave import given\n\n"
        f"@given('the resource \"{{key}}\" will return')\ndef one(context, key):\n{body}\n"
        f'@given(\'for input "{{key}}", the state "{{state}}" will return\')\ndef two(context, key, state):\n{body}\n'
    )
    (tmp_path / "features/steps/steps.py").write_text(glue, "utf-8")
    steps = ('the resource "Lambda" will return', 'for input "C", the state "First" will return')
    feature = "Feature: F\n  Scenario: S\n" + "".join(f"    Given {step}\n" for step in steps)
    (tmp_path / "features/a.feature").write_text(feature, "utf-8")
    (finding,) = (each for each in reported() if each.rule == "suspect-definition" and len(each.others) == 2)
    assert finding.reasons[0].text == "their functions never use “First”"


def test_what_one_definition_ignores_is_told_beside_what_it_shares(reported: Scan, tmp_path: Path) -> None:
    body = "    assert context.page.total()\n"
    glue = "from behave import then\n\n" + "".join(
        f"@then('the total {{amount:d}} is {word}')\ndef f{number}(context, amount):\n{body}\n"
        for number, word in enumerate(("shown", "not shown"))
    )
    (tmp_path / "features/steps/steps.py").write_text(glue, "utf-8")
    feature = "Feature: F\n  Scenario: S\n    Then the total 5 is shown\n    And the total 5 is not shown\n"
    (tmp_path / "features/a.feature").write_text(feature, "utf-8")
    assert brief(reported()) == [
        ("suspect-definition", "warning", ["the total 5 is not shown"]),
        ("suspect-definition", "warning", ["the total 5 is shown"]),
        ("suspect-definition", "warning", ["the total 5 is shown", "the total 5 is not shown"]),
    ]


def test_messages_say_where_and_what(reported: Scan) -> None:
    messages = {
        finding.message.split(", defined")[0]: finding.message
        for finding in reported()
        if finding.rule == "suspect-definition"
    }
    (dates,) = [message for message in messages.values() if " date to" in message]
    assert "claim different things (“start” and “end”) and run the same code" in dates
    assert "steps.py:5" in dates
    assert any("captures “hours”, which its function never uses" in message for message in messages.values())


def test_findings_stand_in_the_glue_code(reported: Scan) -> None:
    for finding in reported():
        if finding.rule in ("same-code", "suspect-definition"):
            places = [place for subject in finding.others for place in subject.places]
            assert places
            assert all(place.path.endswith("steps.py") and place.step is None for place in places)


def test_the_constant_that_would_be_a_parameter_is_named(reported: Scan) -> None:
    (finding,) = [finding for finding in reported() if finding.rule == "same-code" and "except for" in finding.message]
    assert "“go” and “stop”" in finding.message
    assert "a parameter" in finding.message


def test_three_that_differ_in_a_constant_are_named_without_a_promise(reported: Scan, tmp_path: Path) -> None:
    glue = (tmp_path / "features/steps/steps.py").read_text("utf-8")
    third = '@when("I press Back")\ndef press_back(context):\n    context.page.press("back")\n'
    (tmp_path / "features/steps/steps.py").write_text(f"{glue}\n\n{third}", "utf-8")
    with (tmp_path / "features/a.feature").open("a", encoding="utf-8") as feature:
        feature.write("    When I press Back\n")
    (finding,) = [finding for finding in reported() if "except for" in finding.message]
    assert len(finding.subjects) == 3
    assert ",," not in finding.message
    assert "would serve" not in finding.message
    assert finding.preferred is None


def test_unused_definitions_are_told_where_that_is_asked_for(reported: Scan) -> None:
    settings = Settings(severity={"unused-definition": Severity.HINT.value})
    assert ("unused-definition", "hint", ["nobody does this"]) in brief(reported(settings))


def test_a_definition_is_not_called_unused_whose_steps_another_one_is_only_assumed_to_match(
    reported: Scan, tmp_path: Path
) -> None:
    (tmp_path / "features/steps/steps.py").unlink()
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_shop.py").write_text(
        "from pytest_bdd import parsers, then\n\nfrom kinds import KIND\n\n\n"
        '@then(parsers.parse("the shop {is_so:Kind} shut", KIND))\ndef is_shut(is_so):\n    assert is_so\n\n\n'
        '@then(parsers.parse("the shop of {name} {is_so:Kind} shut", KIND))\n'
        "def of_one_is_shut(name, is_so):\n    assert name\n\n\n"
        '@then("nobody says this")\ndef nobody():\n    assert not Shop.people\n',
        "utf-8",
    )
    (tmp_path / "features/a.feature").write_text(
        "Feature: F\n  Scenario: S\n    Then the shop of Ann is not shut\n", "utf-8"
    )
    settings = Settings(severity={"unused-definition": Severity.HINT.value})
    assert [subjects for rule, _, subjects in brief(reported(settings)) if rule == "unused-definition"] == [
        ["nobody says this"]
    ]


@pytest.mark.parametrize(("check", "expected"), [("{count:d}", []), ("5", ["parametric-variant"])])
def test_a_state_and_its_check_in_the_same_words_are_no_variants(
    check: str, expected: list[str], tmp_path: Path
) -> None:
    (tmp_path / "features" / "steps").mkdir(parents=True)
    (tmp_path / "features" / "a.feature").write_text(
        "Feature: F\n  Scenario: S\n    Given I have 3 points\n    Then I have 5 points\n", "utf-8"
    )
    (tmp_path / "features" / "steps" / "steps.py").write_text(
        "from behave import given, then\n\n\n@given('I have {count:d} points')\n"
        "def give(context, count):\n    context.game.add(count)\n\n\n"
        f"@then('I have {check} points')\ndef check(context, count=5):\n    assert context.game.count() == count\n",
        "utf-8",
    )
    result = scan([tmp_path], ScanOptions(Settings(jobs=1), use_cache=False))
    assert [finding.rule for suite in result.suites for finding in suite.findings] == expected
