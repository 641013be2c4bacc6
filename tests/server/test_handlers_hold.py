"""For any document and any cursor there are answers, and their places are inside the document."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cukereuse_server.protocol.code_lens import CountUses, ListCounted
from cukereuse_server.protocol.completion import Complete
from cukereuse_server.protocol.definition import FindDefinitions
from cukereuse_server.protocol.hover import Describe
from cukereuse_server.protocol.places import Place
from cukereuse_server.protocol.references import FindHere, FindUses
from cukereuse_server.protocol.semantic_tokens import ListColours
from cukereuse_server.protocol.symbols import FindSymbols, ListFolds, ListSymbols, Symbol
from cukereuse_server.worker.handlers import handler_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cukereuse_engine.gherkin.lines import split_lines

if TYPE_CHECKING:
    from tests.server.conftest import World

LINES = [
    "Feature: f 😀",
    "# language: de",
    "Funktionalität: f",
    "  Rule: r",
    "  Background:",
    "  Scenario: s",
    "  Scenario Outline: <a>",
    '    Given I add "tea" to <a>',
    "    * ",
    "    When",
    '    And I add "',
    "    Givn I add",
    "    Examples:",
    "      | a | b\\| |",
    "      | 1 | 2 |",
    "      | 1 |",
    '      """',
    "  @tag @other # not a tag",
    "  # comment",
    "",
    "prose\u2028more",
    "<<<<<<< ours",
    "\tGiven\tnothing",
]
GLUE = "from behave import step\n@step('I add \"{what}\" to {n}')\ndef add(c, what, n):\n    pass\n"
ENDINGS = st.sampled_from(["\n", "\r\n", "\r"])


@pytest.fixture
def settled(world: "World") -> "World":
    world.write("x/behave.ini", "")
    world.write("x/one.feature", 'Feature: f\n  Scenario: s\n    Given I add "milk" to 3\n    When I pour "milk"\n')
    world.write("x/steps/steps.py", GLUE)
    world.configure()
    world.settled()
    return world


def places(answer: object) -> Iterator[Place]:
    match answer:
        case Place():
            yield answer
        case list():
            for part in answer:
                yield from places(part)
        case Symbol():
            yield answer.place
            yield from places(answer.children)
        case _ if hasattr(answer, "__struct_fields__"):
            for name in answer.__struct_fields__:
                yield from places(getattr(answer, name))


def within(symbols: list[Symbol], start: int, end: int) -> None:
    for symbol in symbols:
        assert symbol.name
        assert start <= symbol.line <= symbol.place.line <= symbol.end_line <= end
        within(symbol.children, symbol.line, symbol.end_line)
    for symbol, following in pairwise(symbols):
        assert symbol.end_line < following.line


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(LINES), max_size=14), ENDINGS, st.sampled_from([".feature", ".feature.md"]), st.data())
def test_answers_lie_inside_the_document(
    settled: "World", lines: list[str], ending: str, suffix: str, data: st.DataObject
) -> None:
    workspace = settled.workspace
    path = str(Path(settled.root) / "x" / f"try{suffix}")
    text = ending.join(lines)
    workspace.open(path, 1, text)
    settled.settled()
    shown = split_lines(text)[0]
    line = data.draw(st.integers(1, len(lines) + 2))
    column = data.draw(st.integers(1, len(shown[line - 1]) + 1 if line <= len(shown) else 1))
    asked = [
        Describe(path=path, line=line),
        FindUses(path=path, line=line, declaration=True),
        FindDefinitions(path=path, line=line, column=column),
        FindHere(path=path, line=line),
        ListCounted(path=path),
        CountUses(path=path, line=line),
        Complete(path=path, line=line, column=column),
        ListSymbols(path=path),
        ListFolds(path=path),
        ListColours(path=path),
        FindSymbols(query="add"),
    ]
    answers = {type(request): handler_of(type(request))(workspace, request) for request in asked}
    for place in places(list(answers.values())):
        if place.path == path:
            there = shown[place.line - 1] if place.line <= len(shown) else ""
            assert 1 <= place.column <= place.end_column <= len(there) + 1
            assert place.line_text in ("", there)
            assert place.line_text or there.isascii()
    within(answers[ListSymbols], 1, max(len(shown), 1))
    assert all(1 <= fold.line < fold.end_line <= len(shown) for fold in answers[ListFolds])
    for token, following in pairwise(answers[ListColours]):
        assert (token.place.line, token.place.end_column) <= (following.place.line, following.place.column) or (
            token.place.line < following.place.line
        )
    completion = answers[Complete]
    if completion is not None:
        assert completion.place.line == line
        assert completion.place.column <= column <= completion.place.end_column
        assert (
            completion.typed
            == (shown[line - 1] if line <= len(shown) else "")[completion.place.column - 1 : column - 1]
        )
    workspace.close(path)
