"""Scenario Outlines and Backgrounds that run the same; scenarios that can't be folded stay as they are."""

import re

import pytest
from hypothesis import given, settings, target
from hypothesis import strategies as st

from cukereuse_engine.gherkin.read import read_bytes
from cukereuse_engine.refactor.background import backgrounds
from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.feature_scenarios import Scenarios, pickles
from cukereuse_engine.refactor.outline import outlines


def after(suggestions, text: str) -> str:
    for suggestion in suggestions:
        text = edited_bytes(suggestion.file, text.encode()).decode()
    return text


FOLDED = [
    (
        """\
Feature: F

  # who
  @smoke
  Scenario: Anna logs in
    Given I log in as "anna"
    Then I see 3 of "anna"

  @smoke
  Scenario: Ben logs in
    Given I log in as "ben|x"
    Then I see 12 of "ben|x"

  Scenario: other
    Given I wait
""",
        """\
Feature: F

  # who
  @smoke
  Scenario Outline: <scenario>
    Given I log in as "<value>"
    Then I see <see> of "<value>"

    Examples:
      | scenario      | value  | see |
      | Anna logs in  | anna   | 3   |
      | Ben logs in   | ben\\|x | 12  |

  Scenario: other
    Given I wait
""",
    ),
    (
        "Feature: F\r\n\tScenario: with 1 item\r\n\t\tGiven 1 item\r\n\tScenario: with 2 item\r\n\t\tGiven 2 item",
        "Feature: F\r\n\tScenario Outline: with <item> item\r\n\t\tGiven <item> item\r\n\r\n\t\tExamples:\r\n"
        "\t\t\t| item |\r\n\t\t\t| 1    |\r\n\t\t\t| 2    |",
    ),
    (
        '# language: fr\nFonctionnalité: F\n  Scénario: S\n    Soit "a" là\n  Scénario: S\n    Soit "b" là\n',
        '# language: fr\nFonctionnalité: F\n  Plan du scénario: S\n    Soit "<là>" là\n\n    Exemples:\n'
        "      | là |\n      | a  |\n      | b  |\n",
    ),
    (  # blank lines, and keywords that are set deeper
        "Feature: F\n  Scenario: S\n    Given a\n      And 1 tea\n\n     When b\n  Scenario: S\n    Given a\n"
        "    And 2 tea\n    When b\n",
        "Feature: F\n  Scenario Outline: S\n    Given a\n      And <tea> tea\n\n     When b\n\n    Examples:\n"
        "      | tea |\n      | 1   |\n      | 2   |\n",
    ),
]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I have <5> teas", "teas"),
        ("the user <5> exists", "user"),
        ("I go to <5>", "value"),
        ("the status should be <5>", "status"),
        ("the exit code is <5>", "code"),
        ("the list is of <5>", "list"),
        ("it should be <5>", "value"),
        ("is <5>", "value"),
        ("I should see <5>", "see"),
    ],
)
def test_a_column_is_called_what_the_step_says(text, name):
    text = f"Feature: F\n  Scenario: S\n    Then {text}\n  Scenario: S\n    Then {text}\n".replace("<5>", "5", 1)
    assert f"<{name}>" in after(outlines("a.feature", text.replace("<5>", "6").encode()), text.replace("<5>", "6"))


@pytest.mark.parametrize(("text", "expected"), FOLDED)
def test_folded(text, expected):
    assert _tables(after(outlines("a.feature", text.encode()), text)) == _tables(expected)


def _tables(text: str) -> list[str]:
    """Lines without the padding of tables."""
    return [" | ".join(line.split()) if "|" in line else line for line in text.split("\n")]


@pytest.mark.parametrize(
    "second",
    [
        "  @other\n  Scenario: B\n    Given I have 2 teas\n",  # other tags
        "  Scenario: B\n    When I have 2 teas\n",  # another keyword
        "  Scenario: B\n    Given I have 2 cups\n",  # other words
        "  Scenario: B\n    Given I have 1 teas\n",  # nothing differs but the name
        "  Scenario: B\n    text\n    Given I have 2 teas\n",  # a description
        "  Scenario: B\n    # why\n    Given I have 2 teas\n",  # a comment
        '  Scenario: B\n    Given I have "no" teas\n',  # a text, where the first one has a number
        "  Scenario: B\n    Given I have 2 teas\n      | a |\n",  # a table
        "  Scenario Outline: B\n    Given I have 2 teas\n    Examples:\n      | a |\n      | b |\n",
        "  Scenario: A\n    Given I have 2 teas\n  Scenario: A\n    Given I have 1 teas\n",  # one is there twice
    ],
)
def test_not_folded(second):
    text = f"Feature: F\n  Scenario: A\n    Given I have 1 teas\n{second}"
    assert outlines("a.feature", text.encode()) == []


BACKGROUND = [
    (
        """\
Feature: F
  why

  # first
  @a
  Scenario: A
    Given the shop is open
    And I am "anna"
    When I buy 1 tea

  Scenario: B
    Given the shop is open
    And I am "anna"
    And I have money
    When I buy 2 teas
""",
        """\
Feature: F
  why

  Background:
    Given the shop is open
    And I am "anna"

  # first
  @a
  Scenario: A
    When I buy 1 tea

  Scenario: B
    Given I have money
    When I buy 2 teas
""",
    ),
    (
        "Feature: F\r\n  Background:\r\n    Given a\r\n\r\n  Scenario: A\r\n    Given b\r\n    And c\r\n    When x\r\n"
        "  Scenario: B\r\n    Given b\r\n    And c\r\n    When y\r\n",
        "Feature: F\r\n  Background:\r\n    Given a\r\n    And b\r\n    And c\r\n\r\n  Scenario: A\r\n    When x\r\n"
        "  Scenario: B\r\n    When y\r\n",
    ),
    (  # a style in which what follows "Given" is set deeper
        "Feature: F\n\tBackground:\n\t\tGiven a\n\t\t\tAnd b\n\tScenario: A\n    Given c\n      And d\n    When x\n"
        "\tScenario: B\n    Given c\n      And d\n    When y\n",
        "Feature: F\n\tBackground:\n\t\tGiven a\n\t\t\tAnd b\n\t\t\tAnd c\n\t\t\tAnd d\n\tScenario: A\n    When x\n"
        "\tScenario: B\n    When y\n",
    ),
    (  # what remains begins where the first step began, without the blank lines that separated it
        "Feature: F\n  Scenario: A\n    Given a\n      And b\n      And c\n\n     When x\n"
        "  Scenario: B\n    Given a\n      And b\n\n     When y\n",
        "Feature: F\n  Background:\n    Given a\n      And b\n\n  Scenario: A\n    Given c\n\n     When x\n"
        "  Scenario: B\n     When y\n",
    ),
    (  # a Background whose steps say "Given" each time
        "Feature: F\n  Background:\n    Given a\n    Given b\n  Scenario: A\n    Given c\n    And d\n    When x\n"
        "  Scenario: B\n    Given c\n    And d\n    When y\n",
        "Feature: F\n  Background:\n    Given a\n    Given b\n    Given c\n    And d\n  Scenario: A\n    When x\n"
        "  Scenario: B\n    When y\n",
    ),
    (  # a Background that ends with an outcome, which "And" would continue
        "Feature: F\n  Background:\n    Given a\n    And b\n    Then c\n  Scenario: A\n    Given d\n    And e\n"
        "    When x\n"
        "  Scenario: B\n    Given d\n    And e\n    When y\n",
        "Feature: F\n  Background:\n    Given a\n    And b\n    Then c\n    Given d\n    And e\n  Scenario: A\n"
        "    When x\n"
        "  Scenario: B\n    When y\n",
    ),
    (  # a comment about the step that moves, and comments about the scenarios
        "Feature: F\n  Background:\n    Given a\n  Scenario: A\n\t# tidy up\n    Given b\n    And c\n\n"
        "    # act\n    When x\n  Scenario: B\n    # tidy up\n    Given b\n    And c\n    When y\n",
        "Feature: F\n  Background:\n    Given a\n    # tidy up\n    And b\n    And c\n  Scenario: A\n"
        "    # act\n    When x\n  Scenario: B\n    When y\n",
    ),
    (
        "Feature: F\n  Scenario: A\n    # slow\n    Given b\n    And c\n    When x\n"
        "  Scenario: B\n    Given b\n    And c\n    When y\n",
        "Feature: F\n  Background:\n    Given b\n    And c\n\n  Scenario: A\n    # slow\n    When x\n"
        "  Scenario: B\n    When y\n",
    ),
]


@pytest.mark.parametrize(("text", "expected"), BACKGROUND)
def test_background(text, expected):
    assert after(backgrounds("a.feature", text.encode()), text) == expected


@pytest.mark.parametrize(
    "steps",
    [
        ("When a\n    When b\n    Then x", "When a\n    When b\n    Then y"),  # not what sets up
        ("Given a\n    And b", "Given a\n    And b"),  # nothing would be left
        ("Given a\n    # why\n    And b\n    Then x", "Given a\n    And b\n    Then y"),  # a comment
        ("Given a\n    Then x", "Given a\n    Then y"),  # one step saved
        ("Given a <b>\n    And c <b>\n    Then x", "Given a <b>\n    And c <b>\n    Then y"),
        ("Given a\n    And b\n    Then x", "Given a\n    And b\n    Then y", ""),  # one without steps
        ("", "", ""),
    ],
)
def test_no_background(steps):
    text = "Feature: F\n" + "".join(f"  Scenario: S{n}\n    {step}\n" for n, step in enumerate(steps))
    assert backgrounds("a.feature", text.encode()) == []


values = st.text("ab|\\<> \"'1é", max_size=5)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["A", "B"]), values, st.integers(0, 20)), min_size=1, max_size=4),
    st.sampled_from(["\n", "\r\n"]),
)
def test_the_expanded_steps_are_the_same(rows, newline):
    """Our own reader gives the same for every scenario and row."""
    lines = ["Feature: F"]
    for name, value, number in rows:
        lines += [f"  Scenario: {name} {number}", f'    Given I have "{value}"', f"    And {number} more", "    Then x"]
    text = newline.join(lines)
    suggestions = [*outlines("a.feature", text.encode()), *backgrounds("a.feature", text.encode())]
    for suggestion in suggestions:
        changed = edited_bytes(suggestion.file, text.encode())
        assert expanded(changed) == expanded(text.encode())


def expanded(data: bytes) -> list[str]:
    """Texts of all steps in the order in which they run."""
    file = read_bytes("a.feature", data)
    assert not file.errors
    opening = [step.text for step in file.steps if step.is_background]
    scenarios: dict[int, list] = {}
    for step in file.steps:
        if not step.is_background:
            scenarios.setdefault(step.scenario_line, []).append(step)
    suggestions = []
    for steps in scenarios.values():
        tables = steps[0].examples
        for row in [dict(zip(t.header, row, strict=True)) for t in tables for row in t.rows] or [{}]:
            texts = [step.text for step in steps]
            for name, value in row.items():
                texts = [text.replace(f"<{name}>", value) for text in texts]
            suggestions += opening + texts
    return suggestions


BLOCKS = st.sampled_from(
    [
        '  @a\n  Scenario: A {0}\n    Given I have "{0}"\n    Then x\n',
        '  # said of B\n  Scenario: B {0}\n    Given I have "{0}"\n    Then x\n',
        '  Scenario: with text\n    Given I have "1"\n      """\n      Scenario: no title\n      """\n',
        "  Scenario Outline: O <n>\n    Given <n>\n    Examples:\n      | n |\n      | {0} |\n",
        "  Rule: R {0}\n\n  Background:\n    Given a rule\n\n",
    ]
)


@given(st.lists(BLOCKS, min_size=3, max_size=9).filter(lambda blocks: len(set(blocks)) < len(blocks)))
def test_what_is_compared_in_part_holds_for_the_whole_file(blocks):
    """A suggestion is checked on its own scenarios; the whole file still runs the same."""
    text = "Feature: F\n\n" + "\n".join(block.format(number) for number, block in enumerate(blocks))
    source = Scenarios.read("a.feature", text.encode())
    suggestions = [*outlines("a.feature", text.encode()), *backgrounds("a.feature", text.encode())]
    target(len(suggestions))
    for suggestion in suggestions:
        changed = Scenarios.read("a.feature", edited_bytes(suggestion.file, text.encode()))
        assert pickles(changed.document) == pickles(source.document)
        names = [set(re.findall(r"Scenario(?: Outline)?: (.*)", file.text)) for file in (source, changed)]
        assert set(suggestion.gone) == names[0] - names[1] - {"no title"}
