"""What a scan says of step definitions by their code."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.code_findings import code_findings
from cukereuse_engine.scanning.functions import load_functions
from cukereuse_engine.scanning.repository import read_repository
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


def test_a_reason_names_only_words_that_are_there(reported: Scan, tmp_path: Path) -> None:
    code = "    context.page.press('x')\n    context.page.save()\n"
    texts = ("I remove a director", "I remove the last director")
    steps = "".join(f"@when('{text}')\ndef f{number}(context):\n{code}\n" for number, text in enumerate(texts))
    (tmp_path / "features/steps/steps.py").write_text(f"from behave import when\n\n{steps}", "utf-8")
    feature = "Feature: F\n  Scenario: S\n" + "".join(f"    When {text}\n" for text in texts)
    (tmp_path / "features/a.feature").write_text(feature, "utf-8")
    (finding,) = [finding for finding in reported() if finding.rule == "suspect-definition"]
    assert finding.reasons[0].text == "their wordings differ only in “last”"


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


STEP = {
    "rb": "{keyword}('{wording}') do {taken}\n  {code}\nend\n",
    "php": "<?php\nclass {name} implements Context {{\n  /** @{keyword} {wording} */\n  public function f({taken}) "
    "{{\n    {code}\n  }}\n}}\n",
}
NAME = {"rb": "features/step_definitions/{name}.rb", "php": "features/bootstrap/{name}.php"}


@pytest.mark.parametrize(
    ("language", "definitions", "steps", "expected"),
    [
        pytest.param(
            "rb",
            [("one", "When", "I open the list of letters to send", "", "visit(letters)"),
             ("two", "When", "I open the list of invoices to send", "", "visit(letters)")],
            ["When I open the list of letters to send", "When I open the list of invoices to send"],
            [("suspect-definition", "hint")],
            id="one World, two files: another word in one sentence is looked at",
        ),
        pytest.param(
            "php",
            [("One", "When", "I open the list of letters to send", "", "$this->go();"),
             ("Two", "When", "I open the list of invoices to send", "", "$this->go();")],
            ["When I open the list of letters to send", "When I open the list of invoices to send"],
            [],
            id="two classes, little code, other words: chance",
        ),
        pytest.param(
            "rb",
            [("one", "Then", "the log contains {string}", "|text|", "book.has(text)"),
             ("one", "Then", "the log contains the lines", "|text|", "book.has(text)")],
            ["Then the log contains 'a'", 'Then the log contains the lines\n      """\n      a\n      """'],
            [("same-code", "hint")],
            id="a DocString and a captured text are two ways to say a thing",
        ),
        pytest.param(
            "rb",
            [("one", "Given", "I have received the letter", "", "count_is(letters, 1)"),
             ("one", "Then", "I have not received the letter", "", "count_is(letters, 1)")],
            ["Given I have received the letter", "Then I have not received the letter"],
            [("same-code", "hint")],
            id="a state and an outcome that deny one another",
        ),
        pytest.param(
            "rb",
            [("one", "Given", "I leave as {string}", "|_name|", "click(exit)"),
             ("one", "When", "I leave", "", "click(exit)")],
            ["Given I leave as 'Ann'", "When I leave"],
            [("suspect-definition", "hint")],
            id="an argument that one ignores and the other does not say",
        ),
        pytest.param(
            "rb",
            [("one", "When", "I wait {int} hours", "|n|", "wait"), ("one", "Then", "{int} hours pass", "|n|", "see")],
            ["When I wait 3 hours", "Then 3 hours pass"],
            [("suspect-definition", "warning")],
            id="a number that an outcome does not look at, called by one letter; an action may",
        ),
        pytest.param(
            "rb",
            [("one", "When", "I add the lid to", "|text|", "write(text)"),
             ("one", "When", "I remove the lid from", "|text|", "write(text)")],
            [f'When I {what}\n      """\n      a\n      """' for what in ("add the lid to", "remove the lid from")],
            [("suspect-definition", "hint")],
            id="a DocString may say what they claim",
        ),
        pytest.param(
            "rb",
            [("one", "When", "I open the lid", "", "lift(lid, 1)"),
             ("one", "When", "I lift it", "", "step 'I open the lid'")],
            ["When I open the lid", "When I lift it"],
            [("same-code", "hint")],
            id="one only calls the other, which says something else",
        ),
        pytest.param(
            "rb",
            [("one", "Wenn", "I open the lid", "", "lift(lid, 1)"),
             ("two", "When", "I open the lid", "", "lift(lid, 1)")],
            ["When I open the lid"],
            [("same-code", "hint")],
            id="one wording written twice in one project, whatever the dialect",
        ),
        pytest.param(
            "rb",
            [("one", "Angenommen", "the lid is open", "", "lift(lid, 1)"),
             ("one", "Wenn", "I lift it", "", "lift(lid, 1)")],
            ["Given the lid is open", "When I lift it"],
            [("same-code", "hint")],
            id="a state and an action of any dialect",
        ),
        pytest.param(
            "rb",
            [("one", "When", "I go to {string}", "|page|", "visit(page)"),
             ("one", "Then", "I should be on {string}", "|page|", "visit(page)")],
            ["When I go to 'x'", "Then I should be on 'x'"],
            [("same-code", "hint"), ("suspect-definition", "hint")],
            id="an outcome that does what an action does, and checks nothing",
        ),
        pytest.param(
            "rb",
            [("one", "When", "I look at {string}", "|page|", "expect(current).to eq(page)"),
             ("one", "Then", "I should be on {string}", "|page|", "expect(current).to eq(page)")],
            ["When I look at 'x'", "Then I should be on 'x'"],
            [("same-code", "hint")],
            id="an outcome that does what an action does may well check something",
        ),
        pytest.param(
            "rb",
            [("one", "Given", "the shop is open", "", "puts 'open'"), ("one", "When", "I go in", "", "puts 'in'"),
             ("one", "Then", "the bell rings", "", "puts 'rings'"), ("one", "Then", "the bell tolls", "", "")],
            ["Given the shop is open", "When I go in", "Then the bell rings", "And the bell tolls"],
            [("suspect-definition", "hint"), ("suspect-definition", "hint")],
            id="an action and an outcome that only log; what is so may be so without",
        ),
        pytest.param(
            "rb",
            [("one", "When", "I log the answer", "", "puts answer"), ("one", "Then", "we print it", "", "puts 'it'"),
             ("one", "When", "I log in", "", "puts 'log in'"), ("one", "Then", "the log is long", "", "puts 'log'"),
             ("one", "Then", "the log tells of it", "", "log.should_have('it')")],
            ["When I log the answer", "Then we print it", "When I log in", "Then the log is long",
             "And the log tells of it"],
            [("suspect-definition", "hint"), ("suspect-definition", "hint")],
            id="a step that says that it logs may log, and a log may be what is tested",
        ),
        pytest.param(
            "rb",
            [("one", "When", "I look at {string}", "|page|", "reach page"),
             ("one", "Then", "I should be on {string}", "|page|", "reach page"),
             ("two", "When", "I go", "", "go\nend\n\ndef reach(page)\n  expect(current).to eq(page)")],
            ["When I look at 'x'", "Then I should be on 'x'", "When I go"],
            [("same-code", "hint")],
            id="an outcome that does what an action does may check something in another file",
        ),
        pytest.param(
            "rb",
            [("one", "When", "I order tea", "", "log 'tea'"), ("one", "When", "I order cake", "", "puts 'cake'"),
             ("two", "When", "I pay", "", "pay\nend\n\ndef log(text)\n  click_on text")],
            ["When I order tea", "When I order cake", "When I pay"],
            [("suspect-definition", "hint")],
            id="what another file says of a function's name decides whether it logs",
        ),
        pytest.param(
            "rb",
            [("one", "When", "I am at a large map and zoom in", "", "page.scale(2)"),
             ("one", "When", "I am at a large map and zoom out", "", "page.scale(2)")],
            ["When I am at a large map and zoom in", "When I am at a large map and zoom out"],
            [("suspect-definition", "hint")],
            id="what is suspect is not to become one as well",
        ),
    ],
)  # fmt: skip
def test_where_and_how_twins_stand(
    tmp_path: Path,
    language: str,
    definitions: list[tuple[str, str, str, str, str]],
    steps: list[str],
    expected: list[tuple[str, str]],
) -> None:
    write_suite(tmp_path, language, definitions, steps)
    result = scan([tmp_path], ScanOptions(Settings(jobs=1), use_cache=False))
    findings = [finding for suite in result.suites for finding in suite.findings]
    assert [(rule, severity) for rule, severity, _ in brief(findings)] == expected
    if any(rule == "suspect-definition" for rule, _ in expected):
        assert not [finding for finding in findings if finding.rule == "divergent-definition"]


def write_suite(
    folder: Path, language: str, definitions: list[tuple[str, str, str, str, str]], steps: list[str]
) -> None:
    for name, keyword, wording, taken, code in definitions:
        path = folder / NAME[language].format(name=name)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = STEP[language].format(keyword=keyword, wording=wording, taken=taken, code=code, name=name)
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    scenarios = "".join(f"  Scenario: S{at}\n    {step}\n" for at, step in enumerate(steps))
    (folder / "features" / "a.feature").write_text(f"Feature: F\n{scenarios}", "utf-8")


@pytest.mark.parametrize(
    ("definitions", "steps", "expected"),
    [
        pytest.param(
            [("one", "When", "I open the lid", "", "lift(lid, 1)"),
             ("one", "When", "we open a lid", "", "step 'I open the lid'")],
            ["When I open the lid", "When we open a lid"],
            [("same-code", "information")],
            id="one only calls the other, which says the same",
        ),
        pytest.param(
            [("one", "When", "for {string} I enter {string}", "|field, text|", "fill_in field, with: text"),
             ("one", "When", "I enter {string} for {string}", "|text, field|", "fill_in field, with: text")],
            ["When for 'a' I enter 'b'", "When I enter 'b' for 'a'"],
            [("same-code", "hint")],
            id="the same words and arguments in another order are there on purpose",
        ),
        pytest.param(
            [("one", "When", "открываю дверь", "", "lift(lid, 1)"),
             ("one", "When", "быстро открываю дверь", "", "lift(lid, 1)")],
            ["When открываю дверь", "When быстро открываю дверь"],
            [("same-code", "information")],
            id="code in other letters names nothing that a wording says",
        ),
        pytest.param(
            [("one", "Given", "a lid is shut", "", "step 'a lid should be shut'"),
             ("one", "Then", "a lid should be shut", "", "expect(lid).to be_shut")],
            ["Given a lid is shut", "Then a lid should be shut"],
            [("same-code", "hint")],
            id="who states a thing by checking it does so on purpose",
        ),
        pytest.param(
            [("one", "When", "I send the following mail", "", "deliver(letter)"),
             ("one", "When", "I send the following email", "", "deliver(letter)")],
            ["When I send the following mail", "When I send the following email"],
            [("same-code", "information")],
            id="words that people would make one claim nothing different",
        ),
    ],
)  # fmt: skip
def test_what_code_says_where_wordings_tell_as_much(
    tmp_path: Path, definitions: list[tuple[str, str, str, str, str]], steps: list[str], expected: list[tuple[str, str]]
) -> None:
    """A scan tells of such pairs by their wordings; `merge` asks for what the code says."""
    write_suite(tmp_path, "rb", definitions, steps)
    repository = read_repository([str(tmp_path)], Settings(), lambda _: Settings(), use_cache=False)
    ((suite, workspace),) = repository.named
    findings = code_findings(suite, workspace.glue, load_functions(workspace.glue, jobs=1))
    assert [(rule, severity) for rule, severity, _ in brief(list(findings))] == expected


def test_steps_of_one_text_tell_of_the_definitions_of_each_module(tmp_path: Path) -> None:
    """pytest-bdd: each test module has steps of its own, though they say the same."""
    for name, other in (("one", "I shut the lid"), ("two", "we opened a lid")):
        (tmp_path / f"{name}.feature").write_text(
            f"Feature: {name}\n  Scenario: S\n    When I open the lid\n    And {other}\n", "utf-8"
        )
        (tmp_path / f"test_{name}.py").write_text(
            f"from pytest_bdd import scenarios, when\n\nscenarios('{name}.feature')\n\n\n"
            f"@when('I open the lid')\ndef a(shop):\n    shop.lift('{name}', 1)\n\n\n"
            f"@when('{other}')\ndef b(shop):\n    shop.lift('{name}', {len(other) - 14})\n",
            "utf-8",
        )
    result = scan([tmp_path], ScanOptions(Settings(jobs=1), use_cache=False))
    findings = [finding for suite in result.suites for finding in suite.findings if finding.rule == "same-code"]
    others = [subject.definitions[0] for finding in findings for subject in finding.others]
    assert [Path(definition.path).name for definition in others] == ["test_two.py"]


def test_one_wording_that_two_modules_define_alike_is_told(tmp_path: Path) -> None:
    for name, other in (("one", "shut"), ("two", "open")):
        (tmp_path / f"{name}.feature").write_text(f"Feature: {name}\n  Scenario: S\n    When I lift the lid\n", "utf-8")
        (tmp_path / f"test_{name}.py").write_text(
            f"from pytest_bdd import scenarios, when\n\nscenarios('{name}.feature')\n\n\n"
            f"@when('I lift the lid')\ndef {other}(shop):\n    shop.lift('lid', 1)\n",
            "utf-8",
        )
    result = scan([tmp_path], ScanOptions(Settings(jobs=1), use_cache=False))
    findings = [finding for suite in result.suites for finding in suite.findings]
    assert [(rule, severity) for rule, severity, _ in brief(findings)] == [("same-code", "hint")]


def test_equal_code_of_steps_that_differ_in_an_argument_is_told_once(tmp_path: Path) -> None:
    for name, thing in (("one", "lid"), ("two", "pot")):
        (tmp_path / f"{name}.feature").write_text(
            f"Feature: {name}\n  Scenario: S\n    When I lift the '{thing}'\n", "utf-8"
        )
        (tmp_path / f"test_{name}.py").write_text(
            f"from pytest_bdd import parsers, scenarios, when\n\nscenarios('{name}.feature')\n\n\n"
            f"@when(parsers.parse(\"I lift the '{{thing}}'\"))\ndef _(shop, thing):\n    shop.lift(thing, 1)\n",
            "utf-8",
        )
    result = scan([tmp_path], ScanOptions(Settings(jobs=1), use_cache=False))
    assert [finding.rule for suite in result.suites for finding in suite.findings] == ["same-code"]


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
