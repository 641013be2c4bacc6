"""The rest of a known block, offered while its third step is written; and a step that replaces the steps above."""

from time import thread_time
from typing import TYPE_CHECKING

import pytest
from cukereuse_server.protocol.completion import Above, Blank, Suggestion
from cukereuse_server.protocol.extraction import ExtractsAt, PlanExtraction
from cukereuse_server.worker.handlers.extraction import extract, extracts_at
from cukereuse_server.workspace.completion import suggest
from cukereuse_server.workspace.stages.mining import mine

from tests.server.known_block import FEATURE, STEPS

if TYPE_CHECKING:
    from tests.server.conftest import World

GLUE = (
    STEPS
    + """

@step('I end as "{title}"')
def end(context, title):
    done(context)
    wait(context, 5)
    greet(context, "me", title)
"""
)
BEGUN = 'Feature: new\n  Scenario: New\n    Given I open the "login" page\n    And I fill in the name "Eve"\n'
ENDED = "Feature: new\n  Scenario: New\n    * all is done\n    * I wait {} days\n"


@pytest.fixture
def mined(world: "World") -> "World":
    world.write("steps/steps.py", GLUE)
    world.write("a.feature", FEATURE)
    world.write("new.feature", "Feature: new\n")
    world.write("behave.ini", "")
    world.configure()
    (suite,) = world.settled().suites.values()
    for snapshot in suite.repetition.snapshot(suite.glue, {}):
        if snapshot is not None:
            suite.repetition.use(mine(snapshot, suite.repetition.options(), thread_time))
    return world


def suggestions(world: "World", begun: str, line: str, more: str = "") -> list[Suggestion]:
    path = str(world.root / "new.feature")
    world.workspace.open(path, 1, f"{begun}    {line}\n{more}")
    world.settled()
    place_and_items = suggest(world.workspace, path, begun.count("\n") + 1, len(f"    {line}") + 1)
    assert place_and_items is not None
    place, items = place_and_items
    assert place.indentation == "    "
    return items


def offered(world: "World", line: str, more: str = "") -> list[Suggestion]:
    return [suggestion for suggestion in suggestions(world, BEGUN, line, more) if suggestion.kind == "block"]


def test_the_rest_of_a_block(mined: "World") -> None:
    (item,) = offered(mined, "When ")
    assert item.occurrences == 4
    assert item.pieces == [
        'I greet "Eve" as "',
        Blank("Dr", "title", together=item.pieces[1].together if isinstance(item.pieces[1], Blank) else 0),
        '"\nThen all is done',
    ]


@pytest.mark.parametrize(
    ("line", "more", "count"),
    [
        ("", "", 1),
        ("Wh", "", 1),
        ("Gi", "", 0),
        ("When I gr", "", 1),
        ("When I op", "", 0),
        ("Then ", "", 0),
        ("And ", "", 0),
        ("When ", "    Then all is done\n", 0),
        ("When ", "    Then I wait 5 days\n", 1),
        ("When ", "  Scenario: other\n    Then all is done\n", 1),
    ],
)
def test_only_where_it_goes_on_so(mined: "World", line: str, more: str, count: int) -> None:
    suggestions = offered(mined, line, more)
    assert len(suggestions) == count
    for item in suggestions:
        begins = item.pieces[0] if isinstance(item.pieces[0], str) else ""
        assert begins.startswith("I greet" if " " in line else "When I greet")


@pytest.mark.parametrize(
    ("begun", "line", "expected", "above"),
    [
        (BEGUN, "When ", 'I am "Eve" on "login"', Above(3, 5, "Given ", 2, 0)),
        (BEGUN, "", 'I am "Eve" on "login"', Above(3, 5, "Given ", 2, 0)),
        (BEGUN, "When I am", 'I am "Eve" on "login"', Above(3, 5, "Given ", 2, 0)),
        (BEGUN, "When I gr", "", None),
        (BEGUN.replace("    And", "\n    And"), "When ", "", None),
        (BEGUN + '    And I greet "Eve" as "Dr"\n', "Then ", "", None),
        (ENDED.format(5), "* ", 'I end as "…"', Above(3, 5, "* ", 2, 1)),
        (ENDED.format(6), "* ", "", None),
    ],
)  # fmt: skip
def test_the_short_form_of_the_steps_above(mined: "World", begun: str, line: str, expected: str, above: Above) -> None:
    items = [suggestion for suggestion in suggestions(mined, begun, line) if suggestion.kind == "short"]
    texts = ["".join(piece if isinstance(piece, str) else piece.value for piece in item.pieces) for item in items]
    assert [(text, item.above) for text, item in zip(texts, items, strict=True)] == (
        [(expected, above)] if expected else []
    )


def test_a_step_that_says_it_already(mined: "World") -> None:
    path = str(mined.root / "a.feature")
    mined.workspace.open(path, 1, "# moved down\n" + (mined.root / "a.feature").read_text("utf-8"))
    mined.settled()
    (first, *_) = extracts_at(mined.workspace, ExtractsAt(path=path, line=4)) or []
    assert (first.says, first.steps, first.places) == ('I am "Ann" on "login"', 2, 4)
    plan = extract(mined.workspace, PlanExtraction(path=path, line=4, block=first.id))
    assert (plan.refused, plan.steps, len(plan.changes)) == ("", 4, 1)
    assert [edit.new_text for edit in plan.changes[0].edits][:1] == ['I am "Ann" on "login"']
