"""The outline and the reader agree about the kind of each line, in whole and in broken texts."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.gherkin.outline import TITLES, MarkKind, outline
from cukereuse_engine.gherkin.read import read_text

WHOLE = '''# language: fr
@a @b
Fonctionnalité: panier
  des mots
  Contexte:
    Soit un panier
      """json
      Soit rien
      """

  @t
  Plan du scénario: prix
    Quand j'achète <a>
      | 1 | 2 |
  # remarque
    Exemples: tous
      | a |
      | 1 |

  Règle: une
    Scénario: vide
'''


def test_kinds_and_sections() -> None:
    marks = outline("x.feature", WHOLE)
    assert marks.language == "fr"
    assert [(mark.kind, mark.line, mark.end_line) for mark in marks.marks] == [
        (MarkKind.LANGUAGE, 1, 1),
        (MarkKind.TAGS, 2, 2),
        (MarkKind.FEATURE, 3, 3),
        (MarkKind.BACKGROUND, 5, 5),
        (MarkKind.STEP, 6, 6),
        (MarkKind.DOCSTRING, 7, 9),
        (MarkKind.TAGS, 11, 11),
        (MarkKind.OUTLINE, 12, 12),
        (MarkKind.STEP, 13, 13),
        (MarkKind.ROW, 14, 14),
        (MarkKind.COMMENT, 15, 15),
        (MarkKind.EXAMPLES, 16, 16),
        (MarkKind.ROW, 17, 17),
        (MarkKind.ROW, 18, 18),
        (MarkKind.RULE, 20, 20),
        (MarkKind.SCENARIO, 21, 21),
    ]
    ends = {mark.line: marks.section_end(at) for at, mark in enumerate(marks.marks) if mark.kind in TITLES}
    assert ends == {3: 21, 5: 9, 12: 18, 16: 18, 20: 21, 21: 21}


@pytest.mark.parametrize(
    ("added", "docstring"),
    [("\nFonctionnalité: encore\n", (7, 9)), ("\n@a b\nScénario: w\n", (7, 9)), ("\nQua\n", (7, 9))],
)
def test_broken_text_keeps_its_docstrings(added: str, docstring: tuple[int, int]) -> None:
    marks = outline("x.feature", WHOLE + added).marks
    assert [(mark.line, mark.end_line) for mark in marks if mark.kind is MarkKind.DOCSTRING] == [docstring]


def test_what_stands_behind_the_closing_fence_ends_no_docstring_later() -> None:
    text = 'Feature: a\n  Scenario: b\n    Given c\n      """\n      d\n      """x\n\n  Scenario: e\nQua\n'
    marks = outline("x.feature", text).marks
    assert [(mark.line, mark.end_line) for mark in marks if mark.kind is MarkKind.DOCSTRING] == [(4, 6)]


def test_open_docstring_ends_at_the_next_title() -> None:
    text = 'Feature: a\n  Scenario: b\n    Given c\n      """\n      d\n  Scenario: e\n    Given f\n'
    marks = outline("x.feature", text).marks
    assert [(mark.line, mark.end_line) for mark in marks if mark.kind is MarkKind.DOCSTRING] == [(4, 5)]


def test_markdown() -> None:
    marks = outline("x.feature.md", "# Feature: a\n## Scenario: b\n* Given c\n  | a | b |\n").marks
    assert [(mark.kind, mark.column) for mark in marks] == [
        (MarkKind.FEATURE, 3),
        (MarkKind.SCENARIO, 4),
        (MarkKind.STEP, 3),
        (MarkKind.ROW, 3),
    ]


LINES = [
    "Feature: f",
    "  Rule: r",
    "  Background:",
    "  Scenario: s",
    "  Scenario Outline: o",
    "    Given a step",
    "    * another",
    "    When <x>",
    "    Givn typo",
    "    Examples:",
    "      | x |",
    "      | 1 | 2 |",
    '      """',
    "      ```",
    "  @tag",
    "  @bad tag",
    "  # comment",
    "",
    "prose",
    "<<<<<<< ours",
]


@given(st.lists(st.sampled_from(LINES), max_size=25))
def test_steps_are_those_of_the_reader(lines: list[str]) -> None:
    text = "\n".join(lines)
    file, marks = read_text("x.feature", text), outline("x.feature", text)
    assert marks.language == file.language
    steps = [(mark.line, mark.keyword, mark.text) for mark in marks.marks if mark.kind is MarkKind.STEP]
    assert {(step.line, step.keyword, step.text) for step in file.steps} <= set(steps)
    places = [(mark.line, mark.end_line) for mark in marks.marks]
    assert places == sorted(places)
    assert all(end < line for (_, end), (line, _) in pairwise(places))
    for at, mark in enumerate(marks.marks):
        if mark.kind in TITLES:
            assert mark.line <= marks.section_end(at) <= max(len(marks.lines), 1)
