"""Layout of feature files: what changes, and that nothing else does."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cukereuse_engine.gherkin.decode import decode
from cukereuse_engine.gherkin.layout import Style, laid_out, tables
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.outline import MarkKind, outline
from cukereuse_engine.gherkin.read import read_text

BEFORE = """\
# language: en
  @shop   @fast
Feature:   Shop
As a user
  I buy

# about it
Background:
Given a shop
|name|n|
# a comment
  | very long | 1,000 |
   |日本|-2.5|
      @slow
   Rule: rules
# of one
Scenario Outline: one
  When   I say
      \"\"\"json
      {
        "a": 1

    }
      \"\"\"
  #And not this
  Then it is <n>

     Examples:
   | n |
   |a \\| b|
# the end"""
AFTER = """\
# language: en
@shop   @fast
Feature: Shop
  As a user
    I buy

  # about it
  Background:
    Given a shop
      | name      | n     |
      # a comment
      | very long | 1,000 |
      | 日本      | -2.5  |
  @slow
  Rule: rules
    # of one
    Scenario Outline: one
      When I say
        \"\"\"json
        {
          "a": 1

        }
        \"\"\"
      #And not this
      Then it is <n>

      Examples:
        | n      |
        | a \\| b |
        # the end"""
MARKDOWN = """\
# Feature: Shop

   Free text, | with bars |

## Scenario: one

* Given a shop
  | name | n |
  |---|:-:|
  | very long | 1 |
"""
STYLES = [Style(), Style("\t", numbers_right=True), Style("    ", flat_scenarios=True, flat_arguments=True)]


def text_of(path: str, text: str, style: Style = STYLES[0]) -> str:
    lines = laid_out(path, text, style)
    return "\n".join([*lines, ""] if text.endswith("\n") else lines)


def said(path: str, text: str) -> Any:
    """Everything that a reader gets from it."""
    file = read_text(path, text)
    steps = [(step.keyword, step.text, step.scenario, step.tags, step.examples, step.argument) for step in file.steps]
    return steps, [error.message for error in file.errors], [comment.text for comment in file.comments]


def test_a_whole_file() -> None:
    assert text_of("a.feature", BEFORE) == AFTER


def test_numbers_to_the_right_and_what_is_level() -> None:
    style = Style("    ", numbers_right=True, flat_scenarios=True, flat_arguments=True)
    text = "Feature: f\n  Scenario: s\n    Given a\n      |n|\n      |1000|\n      |2|\n      |x|"
    expected = "Feature: f\nScenario: s\n    Given a\n    | n    |\n    | 1000 |\n    |    2 |\n    | x    |"
    assert text_of("a.feature", text, style) == expected


def test_markdown_has_its_tables_aligned_and_nothing_else() -> None:
    expected = MARKDOWN.replace("| name | n |", "| name      | n   |").replace("|---|:-:|", "| --------- | :-: |")
    expected = expected.replace("| very long | 1 |", "| very long | 1   |")
    assert text_of("a.feature.md", MARKDOWN) == expected


def test_rows_with_more_or_fewer_cells_are_rows_too() -> None:
    text = "Feature: f\n Scenario: s\n  Given a\n |a|b|\n\n  |c|d|e|\n  # c\n|long|\n  When |x|\n"
    expected = (
        "Feature: f\n  Scenario: s\n    Given a\n      | a    | b |\n\n"
        "      | c    | d | e |\n    # c\n      | long |\n    When |x|\n"
    )
    assert text_of("a.feature", text) == expected


def test_tables_are_told_apart() -> None:
    assert tables("a.feature", AFTER) == [range(10, 14), range(29, 31)]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "text",
    [
        BEFORE,
        "",
        "Feature: f\n  Scenario: s\n    Given a\n    nonsense here\n  | no table",
        "Given a\nFeature: f\n<<<<<<< HEAD\n Scenario: s\n=======\n",
        'Feature: f\n Scenario: s\n  Given a\n  """\n  open\n   | x |',
        "Feature: f\n Scenario: s\n  Given a\n  | a | b\n  | a\n  ||\n  |\n  | a | b | rest",
        "# language: ja\n機能:名\n シナリオ:一\n  前提注文\n  |あ|\n  |ab|",
        "Feature: f\n Scenario:\n  * \n  Given\n  ```\n\t\tx\n\n  ```",
    ],
)
def test_nothing_else_is_said_and_twice_is_once(text: str, style: Style) -> None:
    for path in ("a.feature", "a.feature.md"):
        once = text_of(path, text, style)
        assert said(path, once) == said(path, text)
        assert text_of(path, once, style) == once


LINES = st.sampled_from(
    """\
Feature: f
Rule: r
Background:
 Scenario: s
Scenario Outline: o
Examples:
@t  @u
# c

\x20
Given a <x>
  And  b
*  c
| a|b |
|x\\||
| 1 |
  \"\"\"
   ```md
\tfree text
Given
|
\f""".split("\n")  # noqa: SIM905 - as they stand in a file
)


@settings(max_examples=100, deadline=None)
@example(["Background:", "Given a <x>", '  """', "Examples:"], STYLES[0])
@example(["Background:", "Given a <x>", '  """', "# c", "  And  b", "Given a <x>"], STYLES[0])
@example(["Scenario Outline: o", "Given a <x>", '  """', "   ```md", "Given a <x>", "| 1 |"], STYLES[0])
@example(["Feature: f", "@t  @u", "Background:", "Given a <x>", '  """', "Examples:", '  """'], STYLES[0])
@example(["Background:", "Given a <x>", "   ```md", "Examples:", '  """'], STYLES[0])
@given(st.lists(LINES, max_size=14), st.sampled_from(STYLES))
def test_any_lines(lines: list[str], style: Style) -> None:
    text = "\n".join(lines)
    once = text_of("a.feature", text, style)
    assert said("a.feature", once) == said("a.feature", text)
    assert text_of("a.feature", once, style) == once
    assert docstrings(once) == docstrings(text)


def docstrings(text: str) -> str:
    plan = outline("a.feature", text)
    spans = [range(mark.line, mark.end_line + 1) for mark in plan.marks if mark.kind is MarkKind.DOCSTRING]
    return "\n".join(plan.lines[line - 1].strip() for span in spans for line in span).rstrip()


@pytest.mark.shared
@pytest.mark.heavy
def test_real_suites(suites: list[Path]) -> None:
    """Files that a formatter has already laid out stay byte for byte."""
    files, stable = 0, 0
    for path in suites[::7]:
        try:
            text = decode(path.read_bytes()).text
        except (OSError, ValueError):
            continue
        once = text_of(str(path), text)
        assert said(str(path), once) == said(str(path), text), path
        assert text_of(str(path), once) == once, path
        files += 1
        stable += split_lines(text)[0] == split_lines(once)[0]
    assert stable > files / 3
