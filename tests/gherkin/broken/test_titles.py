"""Titles that are written badly, and prose that looks like one."""

import pytest
from gherkin.dialect import DIALECTS

from cukereuse_engine.gherkin.feature import FeatureFile
from cukereuse_engine.gherkin.read import read_bytes, read_text


def read(text: str) -> FeatureFile:
    return read_bytes("a.feature", text.encode())


BAD_TITLES = [
    ("Scénario : ajouter", "fr", "Scénario: ajouter"),
    ("Scénario\u00a0: ajouter", "fr", "Scénario: ajouter"),
    ("Scenario add one", "en", "Scenario: add one"),
    ("Scenario add one:", "en", "Scenario: add one"),
    ("Scenario\uff1aadd one", "en", "Scenario: add one"),
    ("Background", "en", "Background:"),
    ("Background :", "en", "Background:"),
    ("Example x", "en", "Example: x"),
    ("Scenario Outline counts", "en", "Scenario Outline: counts"),
    ("Scenario Template counts", "en", "Scenario Template: counts"),
    ("Scenario Outline : counts", "en", "Scenario Outline: counts"),
    ("scenario: add", "en", "Scenario: add"),
    ("场景：加", "zh-CN", "场景: 加"),
    ("场景 ：加", "zh-CN", "场景: 加"),
    ("シナリオ：足す", "ja", "シナリオ: 足す"),
    ("Сценарий : один", "ru", "Сценарий: один"),
    ("Grundlage", "de", "Grundlage:"),
    ("Scenario outline counts", "en", "Scenario Outline: counts"),
    ("ScenarioOutline counts", "en", "Scenario Outline: counts"),
    ("Scenario-Outline: counts", "en", "Scenario Outline: counts"),
    ("SCENARIO OUTLINE counts:", "en", "Scenario Outline: counts"),
    ("Esquema do cenario conta", "pt", "Esquema do Cenario: conta"),
    ("Plan du scénario : compte", "fr", "Plan du scénario: compte"),
]
"""A text that the official parser does not read as a title, its language, and the correct title."""


def _words(language: str) -> tuple[str, str, str, str]:
    spec = DIALECTS[language]
    step = next(word for word in spec["given"] if word != "* ")
    return spec["feature"][0], spec["rule"][0], spec["scenario"][0], step


@pytest.mark.parametrize("above", ["feature", "description", "rule"])
@pytest.mark.parametrize(("title", "language", "better"), BAD_TITLES)
def test_a_badly_written_title_above_the_first_scenario(title: str, language: str, better: str, above: str) -> None:
    feature, rule, scenario, step = _words(language)
    head = f"# language: {language}\n{feature}: f\n"
    head += {"feature": "", "description": "  As somebody\n\n", "rule": f"  {rule}: r\n"}[above]
    file = read(f"{head}  {title}\n    {step}a\n\n  {scenario}: s\n    {step}b\n")
    assert [step.text for step in file.steps] == ["b"]
    assert [(error.line, error.message) for error in file.errors] == [
        (head.count("\n") + 1, f'Not a title. Write "{better}".')
    ]


@pytest.mark.parametrize(("title", "language", "better"), BAD_TITLES)
def test_a_badly_written_title_below_steps_ends_their_scenario(title: str, language: str, better: str) -> None:
    if better.rstrip(":") in ("Background", "Grundlage"):
        return
    feature, _, scenario, step = _words(language)
    head = f"# language: {language}\n{feature}: f\n  {scenario}: s\n    {step}a\n\n"
    file = read(f"{head}  {title}\n    {step}b\n")
    assert [step.text for step in file.steps] == ["a", "b"]
    assert [error.message for error in file.errors] == [f'Not a title. Write "{better}".']
    assert file.steps[1].scenario == better.partition(":")[2].strip()


@pytest.mark.parametrize(
    "line",
    [
        "Scenarios are what this is about",
        "Background, of course, matters",
        "Example of a sentence that ends here.",
        "The scenario: all is well",
        "Rule of thumb",
    ],
)
def test_prose_is_no_title(line: str) -> None:
    assert read(f"Feature: f\n  {line}\n  more of it\n\n  Scenario: s\n    Given a\n").errors == ()


FIRST_TITLES = [
    ("# language: fr\nFonctionnalité : f\n  Scénario: s\n    Soit a\n", {2: "Fonctionnalité: f"}),
    (
        "# language: fr\nFonctionnalité\u00a0: f\n  Scénario\u00a0: s\n    Soit a\n",
        {2: "Fonctionnalité: f", 3: "Scénario: s"},
    ),
    ("# language: zh-CN\n功能：f\n  场景：s\n    假如a\n", {2: "功能: f", 3: "场景: s"}),
    ("Feature: f\n  Scenario - s\n    Given a\n", {2: "Scenario: s"}),
    ("Feature: f\n\n  Scenario s\n    It counts.\n    Given a\n\n  Scenario: t\n    Given b\n", {3: "Scenario: s"}),
    ("Feature f\n  Scenario: s\n    Given a\n", {1: "Feature: f"}),
    ("# language: de\nFunktion f\n\n  Szenario: s\n    Wenn a\n", {2: "Funktion: f"}),
    ("Feature: f\n\n  Rule : r\n    Example: e\n      Given a\n", {3: "Rule: r"}),
    ("Feature: f\n\n  Rule r\n    Example: e\n      Given a\n", {3: "Rule: r"}),
    (
        "Feature: f\n  Rule: q\n    Example: d\n      Given a\n\n  Rule：r\n    Example: e\n      Given b\n",
        {6: "Rule: r"},
    ),
    ("Feature: f\n  Scenario Outlines: s\n    Given <a>\n", {2: "Scenario Outline: s"}),
    ("Feature: f\n  Scenario; s\n    Given a\n", {2: "Scenario: s"}),
    ("Feature: f\n  Background; because it holds,\n  it stays.\n\n  Scenario: t\n    Given b\n", {}),
    ("Feature: f\n  Scenario Outline: s\n    Given <a>\n    Examples\n      | a |\n      | b |\n", {4: "Examples:"}),
    ("Feature: f\n  Scenario planning is hard\n  And so we write.\n\n  Scenario: t\n    Given b\n", {}),
    ("Feature: f\n\n  Rule of thumb,\n  as they say\n\n  Scenario: t\n    Given b\n", {}),
    ("Feature: f\n  Scenario planning is hard,\n  it takes long.\n  Scenario: t\n    Given b\n", {}),
    ("Feature: f\n  Examples of it\n  Given by people\n  are rare\n  Scenario: t\n    Given b\n", {}),
]
"""A file, and the correct lines by number."""


@pytest.mark.parametrize(
    "line", ["Examples\n      | a |\n      | 1 |", "Examples; see below", "    Background; it stays", "Examples"]
)
def test_a_word_between_steps_is_no_title(line: str) -> None:
    """Without a placeholder of the table above it, `Examples` is no title."""
    file = read(f"Feature: f\n  Scenario: s\n    Given x\n    {line}\n    Then y\n")
    assert [step.text for step in file.steps] == ["x", "y"]
    assert [step.scenario for step in file.steps] == ["s", "s"]


@pytest.mark.parametrize(("text", "better"), FIRST_TITLES)
def test_titles_that_are_written_badly_are_told_from_the_first_on(text: str, better: dict[int, str]) -> None:
    errors = {error.line: error.message for error in read(text).errors}
    assert errors == {line: f'Not a title. Write "{title}".' for line, title in better.items()}


def test_a_title_in_english_amid_another_language() -> None:
    text = "# language: nl\nFunctionaliteit: f\n  Background:\n    Given a\n  Scenario: s\n    Stel b\n"
    assert [error.message for error in read(text).errors] == ['Not a title in the language "nl". Write "Achtergrond:".']
    prose = "# language: nl\nFunctionaliteit: f\n  Background: dit is zo\n  en blijft zo\n  Scenario: s\n    Stel b\n"
    assert read(prose).errors == ()


def test_a_heading_of_markdown_without_a_colon() -> None:
    text = "# Feature: f\n\n## Scenario one\n\n* Given a\n\n## Scenario: two\n\n* Given b\n"
    file = read_text("a.feature.md", text)
    assert [step.text for step in file.steps] == ["b"]
    (error,) = file.errors
    assert (error.line, error.message[:44]) == (5, "Not a step: it is outside any scenario. Writ")
