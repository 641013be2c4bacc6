"""One scenario is damaged; every other one reads exactly as the official parser read it before."""

import random
import re
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from gherkin.errors import ParserError
from hypothesis import given, settings
from hypothesis import strategies as st

from cukereuse_engine.gherkin.dialects import keywords
from cukereuse_engine.gherkin.parse import parse

Row = tuple[Any, ...]
LINE, SCENARIO_LINE, ARGUMENT, EXAMPLES = 1, 7, -1, -2


class Target:
    """The scenario that is damaged: indices of lines in `lines`."""

    def __init__(self, lines: list[str], rows: list[Row], title_line: int, language: str) -> None:
        own = [row for row in rows if row[SCENARIO_LINE] == title_line]
        self.lines = lines
        self.title = title_line - 1
        self.steps = [row[LINE] - 1 for row in own]
        self.bare = [row[LINE] - 1 for row in own if row[ARGUMENT] is None]
        self.with_doc_string = [row[LINE] - 1 for row in own if row[ARGUMENT] == "docstring"]
        self.with_table = [row[LINE] - 1 for row in own if row[ARGUMENT] == "table"]
        self.indent = re.match(r"\s*", lines[self.steps[-1]]).group()  # type: ignore[union-attr]
        self.keywords = keywords(language)

    def insert(self, at: int, *new: str) -> list[str]:
        return self.lines[:at] + [self.indent + line for line in new] + self.lines[at:]


Damage = Callable[[Target], "list[str] | None"]


def half_typed(target: Target) -> list[str] | None:
    return target.insert(target.steps[-1], "the user cl") if len(target.steps) > 1 else None


def several_half_typed(target: Target) -> list[str] | None:
    """A colon after each keyword but the first."""
    lines = list(target.lines)
    for step in target.steps[1:]:
        lines[step] = re.sub(r"(\w+) ", r"\1: ", lines[step], count=1)
    return lines if lines != target.lines else None


def half_typed_with_table(target: Target) -> list[str] | None:
    return target.insert(target.steps[-1], "the user ha", "| a |", "| b |") if len(target.steps) > 1 else None


def _no_step(target: Target, rest: str) -> list[str] | None:
    """The line is no step: "Etant donné que: a" is a step in French, of "Etant donné "."""
    lines = (f"{word}{rest}" for word in target.keywords.words)
    line = next((line for line in lines if not line.startswith(target.keywords.steps)), None)
    return target.insert(target.steps[-1], line) if line and len(target.steps) > 1 else None


def colon_after_keyword(target: Target) -> list[str] | None:
    return _no_step(target, ": a")


def tab_after_keyword(target: Target) -> list[str] | None:
    return _no_step(target, "\ta")


def ragged_table(target: Target) -> list[str] | None:
    return target.insert(target.bare[-1] + 1, "| a | b |", "| c |") if target.bare else None


def row_loses_a_cell(target: Target) -> list[str] | None:
    for step in target.with_table:
        for at in (step + 1, step + 2):
            if at < len(target.lines) and target.lines[at].strip().startswith("|"):
                lines = list(target.lines)
                lines[at] += " more |"
                if at + 1 < len(lines) and lines[at + 1].strip().startswith("|"):
                    return lines
    return None


def open_doc_string(target: Target) -> list[str] | None:
    return target.insert(target.bare[-1] + 1, '"""', "never closed") if target.bare else None


def closing_fence_deleted(target: Target) -> list[str] | None:
    fences = _fences(target)
    return [*target.lines[: fences[1]], "", *target.lines[fences[1] + 1 :]] if fences else None


def opening_fence_deleted(target: Target) -> list[str] | None:
    fences = _fences(target)
    return [*target.lines[: fences[0]], "", *target.lines[fences[0] + 1 :]] if fences else None


def _fences(target: Target) -> tuple[int, int] | None:
    for step in target.with_doc_string:
        opener = step + 1
        fence = target.lines[opener].strip()[:3]
        closer = next((i for i in range(opener + 1, len(target.lines)) if target.lines[i].strip() == fence), None)
        inside = target.lines[opener + 1 : closer]
        titles = tuple(f"{word}:" for word, _ in target.keywords.titles)
        if fence in ('"""', "```") and closer and any(line.strip() for line in inside):
            # Gherkin inside a DocString without its fence can't be told from the suite's own
            harmless = not any(
                line.strip().startswith((*titles, *target.keywords.steps, "@", "|", "#", "*")) for line in inside
            )
            return (opener, closer) if harmless else None
    return None


def tag_with_a_blank(target: Target) -> list[str] | None:
    return target.insert(target.title, "@a b")


def tags_for_nothing(target: Target) -> list[str] | None:
    return target.insert(target.steps[-1], "@lost") if len(target.steps) > 1 else None


def merge_conflict(target: Target) -> list[str] | None:
    if not target.bare or target.bare[-1] == target.steps[0]:
        return None
    at = target.bare[-1]
    step = target.lines[at]
    return [
        *target.lines[:at],
        "<<<<<<< HEAD",
        step,
        "=======",
        f"{step} too",
        ">>>>>>> other",
        *target.lines[at + 1 :],
    ]


def base_in_conflict(target: Target) -> list[str] | None:
    damaged = merge_conflict(target)
    if damaged is None:
        return None
    at = damaged.index("=======", target.title)
    return [*damaged[:at], "||||||| base", f"{damaged[at - 1]} once", *damaged[at:]]


def misspelt_title(target: Target) -> list[str] | None:
    lines = list(target.lines)
    head, colon, rest = lines[target.title].partition(":")
    if not colon or len(head.strip()) < 5 or not head.strip().isascii():
        return None
    lines[target.title] = f"{head[:-2]}{head[-1]}{head[-2]}:{rest}"
    return lines if lines != target.lines else None


FENCES = (open_doc_string, closing_fence_deleted, opening_fence_deleted)
DAMAGES: list[Damage] = [
    half_typed,
    half_typed_with_table,
    colon_after_keyword,
    tab_after_keyword,
    ragged_table,
    row_loses_a_cell,
    open_doc_string,
    closing_fence_deleted,
    opening_fence_deleted,
    tag_with_a_blank,
    tags_for_nothing,
    merge_conflict,
    base_in_conflict,
    misspelt_title,
]


def others(rows: list[Row], title_line: int, before: list[str], after: list[str]) -> list[Row]:
    """Rows of the other scenarios, at their lines after the damage."""
    changed = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(before))
    shift = len(after) - len(before)

    def moved(line: int) -> int:
        return line + shift if line > changed else line

    result = []
    for row in rows:
        if row[SCENARIO_LINE] != title_line:
            examples = tuple((moved(line), *rest) for line, *rest in row[EXAMPLES])
            new = list(row)
            new[LINE], new[SCENARIO_LINE], new[EXAMPLES] = moved(row[LINE]), moved(row[SCENARIO_LINE]), examples
            result.append(tuple(new))
    return result


def is_accepted(text: str, official: Callable[..., list[Row]]) -> bool:
    try:
        official(text)
    except ParserError:
        return False
    return True


def check(
    text: str,
    damage: Damage,
    pick: int,
    official: Callable[..., list[Row]],
    ours: Callable[..., list[Row]],
    ending: str = "\n",
) -> bool:
    """False if the damage has no place in the file, or makes another valid file of it. `text` has LF endings."""
    rows = official(text)
    titles = sorted({row[SCENARIO_LINE] for row in rows})
    if not titles:
        return False
    title = titles[pick % len(titles)]
    lines = text.split("\n")
    language = parse(text, "utf-8").language
    damaged = damage(Target(lines, rows, title, language))
    if damaged is None or (damage in FENCES and is_accepted("\n".join(damaged), official)):
        return False  # Gherkin inside a DocString came out of it: the official parser sees no damage, so we see none
    record = parse(ending.join(damaged), "utf-8")
    kept = {row[SCENARIO_LINE] for row in others(rows, title, lines, damaged)}
    left = [row for row in ours(record) if row[SCENARIO_LINE] in kept]
    assert left == others(rows, title, lines, damaged)
    assert record.notes, "the damage is not reported"
    return True


SUITE = '''# language: en
@suite @slow
Feature: Lending books
  Prose about lending.

  Background:
    Given a library with these books
      | title | copies |
      | Emma  | 2      |
    And a reader "Ada"

  @first
  Scenario: borrow
    When she borrows "Emma"
    Then one copy is left
    And she is told
      """
      Enjoy reading.
      Return it in time.
      """

  Scenario Outline: fees
    Given a book <days> late
    When it is returned
    Then the fee is <fee>

    @cheap
    Examples: short
      | days | fee |
      | 1    | 1   |

    Examples:
      | days | fee |
      | 30   | 9   |

  Rule: at most three
    Background:
      Given three books are lent

    Scenario: a fourth
      When she borrows another
      Then it is refused
      But she may reserve it
        ```json
        {"reserve": true}
        ```

    Example: after a return
      * she returns one
      * she borrows another
'''


SUITE_ABOUT_GHERKIN = '''Feature: A runner of features
  Background:
    Given a file "one.feature":
    """
    Feature: one
      Scenario: first
        Given a step
    """
    And a file "settings.yml":
    """
    suites:
      - one
    """

  Scenario: all of them
    When I run it
    Then it says:
    """
    Feature: one

      Scenario: first
        Given a step

    1 scenario, 1 step
    """

  Scenario: none of them
    Given a file "settings.yml":
    """
    suites: none
    """
    When I run it
    Then it says:
    """
    nothing to do
    """

    Scenario: indented more than the others
      When I run it twice
      Then it says:
        """
        Feature: one
        Feature: one
        """

  Scenario: quietly
    When I run it with "--quiet"
    Then it says nothing
'''
"""DocStrings that contain features, with fences at the steps' own indentation."""


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("pick", range(6))
@pytest.mark.parametrize("suite", [SUITE, SUITE_ABOUT_GHERKIN], ids=["a library", "about Gherkin"])
def test_other_scenarios_of_an_invented_suite(
    damage: Damage, pick: int, suite: str, official: Callable[..., list[Row]], ours: Callable[..., list[Row]]
) -> None:
    for ending in ("\n", "\r\n"):
        check(suite, damage, pick, official, ours, ending)


@pytest.mark.parametrize("fences", FENCES)
@pytest.mark.parametrize("damage", [*DAMAGES, several_half_typed])
def test_a_second_scenario_is_damaged(
    fences: Damage, damage: Damage, official: Callable[..., list[Row]], ours: Callable[..., list[Row]]
) -> None:
    """A fence is missing or too many in one scenario, and another one has another error: the rest is read."""
    rows = official(SUITE)
    titles = sorted({row[SCENARIO_LINE] for row in rows})
    done = 0
    for first, second in permutations(titles, 2):
        lines: list[str] | None = SUITE.split("\n")
        for title in sorted((first, second), reverse=True):  # the later one first: it moves no line of the other
            lines = lines and (fences if title == first else damage)(Target(lines, rows, title, "en"))
        if lines is not None:
            done += 1
            kept = {row[5:7] for row in rows if row[SCENARIO_LINE] not in (first, second)}
            left = [_without_lines(row) for row in ours(parse("\n".join(lines), "utf-8")) if row[5:7] in kept]
            assert left == [_without_lines(row) for row in rows if row[5:7] in kept], "\n".join(lines)
    assert done


def _without_lines(row: Row) -> Row:
    return (row[0], *row[2:SCENARIO_LINE], *row[SCENARIO_LINE + 1 : EXAMPLES], row[ARGUMENT])


@pytest.mark.parametrize("damage", DAMAGES)
def test_each_damage_finds_a_place(
    damage: Damage, official: Callable[..., list[Row]], ours: Callable[..., list[Row]]
) -> None:
    assert any(check(SUITE, damage, pick, official, ours) for pick in range(6))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(SUITE.split("\n")[10:]), min_size=1, max_size=12))
def test_lines_in_any_order_lose_no_scenario_behind_them(shuffled: list[str]) -> None:
    """Whatever is in the middle, a following scenario with less indentation is read."""
    text = (
        "Feature: f\nScenario: before\n  Given x\n\n" + "\n".join(shuffled) + "\n\nScenario: after\n  Given the end\n"
    )
    record = parse(text, "utf-8")
    blocks = [(block.name, [step.text for step in block.steps]) for block in record.blocks]
    assert blocks[0][0] == "before"
    assert blocks[0][1][:1] == ["x"]
    assert blocks[-1] == ("after", ["the end"])


@pytest.mark.shared
@pytest.mark.heavy
@pytest.mark.parametrize("damage", DAMAGES)
def test_other_scenarios_of_real_suites(
    damage: Damage, suites: list[Path], official: Callable[..., list[Row]], ours: Callable[..., list[Row]]
) -> None:
    chosen = random.Random(damage.__name__).sample(suites, 150)
    done = 0
    for number, path in enumerate(chosen):
        text = path.read_bytes().decode("utf-8-sig", "ignore").replace("\r\n", "\n")
        try:
            done += check(text, damage, number, official, ours)
        except ParserError:
            continue
        except AssertionError as error:
            raise AssertionError(f"{path}, scenario {number}") from error
    assert done > 10
