"""Step definitions that run the same code: those that should become one, and those that claim different things."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.scanning.code_findings import code_findings
from cukereuse_engine.scanning.functions import load_functions
from cukereuse_engine.scanning.repository import read_repository
from cukereuse_engine.scanning.scan import ScanOptions, scan
from cukereuse_engine.settings import Settings


def scanned(folder: Path) -> list[Finding]:
    result = scan([folder], ScanOptions(Settings(jobs=1), use_cache=False))
    return [finding for suite in result.suites for finding in suite.findings]


def by_code(findings: Iterable[Finding]) -> list[tuple[str, str]]:
    rules = ("same-code", "suspect-definition")
    return sorted((finding.rule, finding.severity.value) for finding in findings if finding.rule in rules)


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
            [("one", "Then", "the lid is open", "", "expect(lid).to be_up"),
             ("one", "Then", "the lid is not locked", "", "expect(lid).to be_up")],
            ["Then the lid is open", "And the lid is not locked\n      | a |", *["And the lid is not locked"] * 2],
            [("suspect-definition", "hint")],
            id="a table below one step of many says nothing of the definition",
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
    findings = scanned(tmp_path)
    assert by_code(findings) == expected
    if any(rule == "suspect-definition" for rule, _ in expected):
        assert not [finding for finding in findings if finding.rule == "divergent-definition"]


FIELD = """import io.cucumber.java.en.When;
public class {name} {{
  private Shop {shop};
  @When("{wording}") public void f() {{ {shop}.open(); {shop}.lists().show(1); }}
}}
"""


@pytest.mark.parametrize(
    ("sources", "steps", "difference"),
    [
        pytest.param(
            {"features/step_definitions/a.rb": "When('I send {string} to {string}') do |what, whom|\n"
             "  mail.deliver(what, whom)\nend\nWhen('{string} hears of {string}') do |whom, what|\n"
             "  mail.deliver(what, whom)\nend\n"},
            ["When I send 'a' to 'b'", "When 'b' hears of 'a'"],
            "with their parameters at other places",
            id="arguments in another order",
        ),
        pytest.param(
            {f"src/test/java/{name}.java": FIELD.format(name=name, shop=shop, wording=wording)
             for name, shop, wording in (("One", "shop", "I list it"), ("Two", "store", "a customer looks around"))},
            ["When I list it", "When a customer looks around"],
            "fields",
            id="fields of two classes",
        ),
    ],
)  # fmt: skip
def test_what_must_hold_for_functions_to_be_the_same(
    tmp_path: Path, sources: dict[str, str], steps: list[str], difference: str
) -> None:
    feature = "Feature: f\n  Scenario: s\n" + "".join(f"    {step}\n" for step in steps)
    for path, text in (*sources.items(), ("features/a.feature", feature)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (finding,) = [finding for finding in scanned(tmp_path) if finding.rule == "same-code"]
    assert difference in finding.reasons[0].text


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
    """A scan reports such pairs by their wordings; `merge` needs the facts of the code."""
    write_suite(tmp_path, "rb", definitions, steps)
    repository = read_repository([str(tmp_path)], Settings(), lambda _: Settings(), use_cache=False)
    ((suite, workspace),) = repository.named
    findings = code_findings(suite, workspace.glue, load_functions(workspace.glue, jobs=1))
    assert by_code(findings) == expected


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        pytest.param(
            [
                ("I open the lid", "'I open the lid'", "lift('one', 1)"),
                ("I shut the lid", "'I shut the lid'", "lift('one', 0)"),
            ],
            [
                ("I open the lid", "'I open the lid'", "lift('two', 1)"),
                ("we opened a lid", "'we opened a lid'", "lift('two', 1)"),
            ],
            [("same-code", "information", ["test_two.py"])],
            id="steps of one text run the code of their module",
        ),
        pytest.param(
            [("I lift the lid", "'I lift the lid'", "lift('lid', 1)")],
            [("I lift the lid", "'I lift the lid'", "lift('lid', 1)")],
            [("same-code", "hint", ["test_two.py"])],
            id="one wording is defined alike in both",
        ),
        pytest.param(
            [("I lift the 'lid'", "parsers.parse(\"I lift the '{thing}'\")", "lift(thing, 1)")],
            [("I lift the 'pot'", "parsers.parse(\"I lift the '{thing}'\")", "lift(thing, 1)")],
            [("same-code", "hint", ["test_two.py"])],
            id="equal code of steps that differ in an argument is told once",
        ),
    ],
)
def test_modules_of_pytest_bdd(
    tmp_path: Path,
    one: list[tuple[str, str, str]],
    two: list[tuple[str, str, str]],
    expected: list[tuple[str, str, list[str]]],
) -> None:
    """Each test module has steps of its own, though they say the same."""
    for name, definitions in (("one", one), ("two", two)):
        steps, code = "", f"from pytest_bdd import parsers, scenarios, when\n\nscenarios('{name}.feature')\n"
        for number, (step, expression, body) in enumerate(definitions):
            steps += f"    When {step}\n"
            parameters = "shop, thing" if "thing" in body else "shop"
            code += f"\n\n@when({expression})\ndef {name}_{number}({parameters}):\n    shop.{body}\n"
        (tmp_path / f"{name}.feature").write_text(f"Feature: {name}\n  Scenario: S\n{steps}", "utf-8")
        (tmp_path / f"test_{name}.py").write_text(code, "utf-8")
    assert [
        (finding.rule, finding.severity.value, [Path(other.definitions[0].path).name for other in finding.others])
        for finding in scanned(tmp_path)
    ] == expected
