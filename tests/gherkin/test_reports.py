"""Reports of users about readers of Gherkin: a text, its steps, and the least number of errors."""

import pytest

from cukereuse_engine.gherkin.read import read_text

READING = [
    (
        "jonsamwell/dart_gherkin#29",
        "# language: fr\nFonctionnalité: f\nScénario: s\nLorsqu'il entre\n",
        ["il entre"],
        0,
    ),
    ("behave/behave#777", "# language: fr\nFonctionnalité: f\nScénario: s\nEtant donné qu'il entre\n", ["il entre"], 0),
    ("cucumber/gherkin#243", "# language: ga\nGné: f\nSampla: s\nCuir i gcás go bhfuil sé\n", None, 0),
    (
        "Behat/Gherkin#86",
        "#language: nl\nFunctionaliteit:\nBackground:\n  Given x\nScenario:\n  Stel y\n",
        ["y"],
        1,
    ),
    (
        "cucumber-attic/gherkin#106",
        'Feature: f\nBackground:\n  Given x\n    | 1 |\n\n  # c\n  """\n  text\n  """\nScenario: s\n  When y\n',
        ["x", "y"],
        0,
    ),
    (
        "cucumber-attic/gherkin2#50",
        "Feature: f\nScenario: s\n  Given x\n    | a | b | # c\n    | 1 | 2 |\n  When y\n",
        ["x", "y"],
        0,
    ),
    (
        "cucumber-rs/gherkin#45",
        'Feature: f\nScenario Outline: s\n  Given <a>\nExamples:\n  | a |\n  | 1 |\n\n"""\nnote\n"""\n'
        "Rule: r\n  Scenario: t\n    When y\n",
        ["<a>", "y"],
        1,
    ),
    (
        "jonsamwell/dart_gherkin#15",
        "Feature: f\n  Rules of life\n  > The grid.\n\n  Scenario: s\n    Given x\n",
        ["x"],
        0,
    ),
    ("cucumber/gherkin#333", "Feature: f\n\nSome words\n# Comment\nMore words\n\nScenario: s\n  Given x\n", ["x"], 0),
    (
        "cucumber/gherkin#223",
        "Feature: f\nScenario: s\n  Given x\n    | a | b |\n    | 1 | \\ \nScenario: t\n  When y\n",
        ["x", "y"],
        0,
    ),
    (
        "ducminh-phan/reformat-gherkin#67",
        "Feature: f\nScenario: s\n  Given x\n# | a | b |\n    | 1 | 2 |\n  When y\n",
        ["x", "y"],
        0,
    ),
    (
        "cucumber/common#1544",
        '#Given: no\n#"""\n#|\n#@ a\n## b\nFeature: f\nScenario: s\n  Given x\n    | a |\n',
        ["x"],
        0,
    ),
    ("Behat/Behat#212", "# language: de\nFunktionalität: f\nSzenario: s\nWenn <a>\nBeispiele:\n|a|\n|b|\n", ["<a>"], 0),
]


@pytest.mark.parametrize(("report", "feature", "texts", "errors"), READING, ids=[row[0] for row in READING])
def test_report_of_reading(report: str, feature: str, texts: list[str] | None, errors: int) -> None:
    file = read_text("a.feature", feature)
    if texts is not None:
        assert [step.text for step in file.steps] == texts, report
    assert len(file.errors) >= errors, report
    assert not any(step.text.startswith(" ") for step in file.steps)
