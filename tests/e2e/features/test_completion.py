"""Completion as an editor requests it: a document with the cursor at `│`, the items, and the line afterwards."""

import re
from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types

if TYPE_CHECKING:
    from tests.e2e.features.conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")
FILE = "try.feature"


async def offered(desk: "Desk", marked: str) -> list[types.CompletionItem]:
    place = await desk.at(FILE, marked)
    completions = await desk.editor.client.text_document_completion_async(types.CompletionParams(**place))
    assert completions is None or completions.is_incomplete
    return list(completions.items) if completions is not None else []


def accepted(desk: "Desk", marked: str, item: types.CompletionItem) -> str:
    """The cursor's line after an item is accepted; tab stops stay as they are."""
    before, _, after = marked.partition("│")
    line = before.rpartition("\n")[2] + after.partition("\n")[0]
    span = item.text_edit.range
    assert span.start.line == span.end.line == before.count("\n")
    assert span.start.character <= desk.units(before.rpartition("\n")[2]) <= span.end.character
    cut = [next(i for i in range(len(line) + 1) if desk.units(line[:i]) == p.character) for p in (span.start, span.end)]
    return line[: cut[0]] + item.text_edit.new_text + line[cut[1] :]


def in_scenario(line: str, more: str = "") -> str:
    return f"Feature: f\n  Scenario: s\n    {line}\n{more}"


@pytest.mark.parametrize(
    ("marked", "label", "line"),
    [
        ('When I add│', 'I add "{product}" to the basket', '    When I add "${1:Brot}" to the basket'),
        ('When I add "│', 'I add "{product}" to the basket', '    When I add "${1:Brot}" to the basket'),
        ('When I add "Eis 😀│', 'I add "{product}" to the basket', '    When I add "${1:Brot}" to the basket'),
        ('When I add "Eis 😀" t│', 'I add "Eis 😀" to the basket', '    When I add "${1:Eis 😀}" to the basket'),
        ('And they add "Eis" to basket│', 'I add "Eis" to the basket', '    And I add "${1:Eis}" to the basket'),
        ('* I put "a$b}" in basket│', 'I add "a$b}" to the basket', '    * I add "${1:a\\$b\\}}" to the basket'),
        ("Then basket 3 products│", "the basket contains 3 products", "    Then the basket contains ${1:3} products"),
        ("Then the basket│ contains 9 things", "the basket contains 9 products",
         "    Then the basket contains ${1:9} products"),
        ("Given the sho│", "the shop is open", "    Given the shop is open"),
        ("Then │", "the basket contains {n} products", "    Then the basket contains ${1:2} products"),
        ("Then nobody│", "nobody says this {much}", "    Then nobody says this ${1:much}"),
        ("Then nobody sais that 5│", "nobody says this 5", "    Then nobody says this ${1:5}"),
    ],
)  # fmt: skip
async def test_a_step_is_offered_first(desk: "Desk", marked: str, label: str, line: str) -> None:
    document = in_scenario(marked)
    items = await offered(desk, document)
    assert min(items, key=lambda item: item.sort_text).label == label
    first = items[0]
    typed = document.partition("│")[0].rpartition("\n")[2].lstrip().partition(" ")[2]
    assert first.preselect == (first.kind == types.CompletionItemKind.Function or None)
    # a client keeps the item while its own text is being typed, a blank at a word's end too
    assert first.filter_text.startswith(typed)
    text = re.sub(r"\$\{\d:(.*?)(?<!\\)\}", r"\1", first.text_edit.new_text).replace("\\", "")
    assert text.endswith(first.filter_text[len(typed) :].lstrip())
    assert first.insert_text_format in (types.InsertTextFormat.Snippet, types.InsertTextFormat.PlainText)
    assert accepted(desk, document, first) == line


async def test_how_often_and_where(desk: "Desk") -> None:
    first = (await offered(desk, in_scenario("When I add│")))[0]
    assert (first.detail, first.documentation) == ("used 4×", "steps/steps.py:9 add")
    unused = (await offered(desk, in_scenario("Then nobody│")))[0]
    assert (unused.detail, unused.documentation) == ("not used yet", "steps/steps.py:29 unused")


async def test_what_is_said_in_this_file_goes_first(desk: "Desk") -> None:
    lines = "    Given the shop is open\n", "    Then the basket contains 4 products\n"
    first = [(await offered(desk, in_scenario("Then the │", line)))[0].label for line in lines]
    assert first == ["the shop is open", "the basket contains {n} products"]


async def test_a_text_is_offered_once_and_never_itself(desk: "Desk") -> None:
    items = await offered(desk, in_scenario('When I add "x" to the basket│'))
    labels = [item.label for item in items]
    assert len(labels) == len(set(labels))
    assert 'I add "x" to the basket' not in labels


TITLES = ["Scenario: ", "Scenario Outline: ", "Examples: ", "Rule: "]


@pytest.mark.parametrize(
    ("marked", "some", "none"),
    [
        ("│", ["Feature: "], ["Given ", "Scenario: "]),
        ("Fea│", ["Feature: "], []),
        ("Feature: f\n  │", ["Background: ", "Scenario: ", "Rule: "], ["Given ", "Examples: "]),
        ("Feature: f\n  sc│", ["Scenario: ", "Scenario Outline: "], ["Background: "]),
        (
            "Feature: f\n  Scenario: s\n    │",
            ["Given ", "When ", "Then ", "And ", "But ", *TITLES],
            ["* ", "Feature: "],
        ),
        ("Feature: f\n  Scenario: s\n    Gi│", ["Given "], ["When "]),
        ("Feature: f\n  Scenario: s\n    Given a\n    T│\n    Then b", ["Then "], []),
        ("# language: fr\nFonctionnalité: f\n  Scénario: s\n    étant d│", ["Étant donné ", "Étant donné que "], []),
        ("# language: ja\n機能: f\n  シナリオ: s\n    もし│", [], ["もし"]),
        ("# language: ja\n機能: f\n  シナリオ: s\n    も│", ["もし"], ["Given "]),
    ],
)
async def test_keywords_of_the_language(desk: "Desk", marked: str, some: list[str], none: list[str]) -> None:
    texts = [item.text_edit.new_text for item in await offered(desk, marked)]
    assert [text for text in some if text not in texts] == []
    assert [text for text in none if text in texts] == []


@pytest.mark.parametrize(
    "marked",
    [
        'Feature: f\n  Scenario: s\n    Given a\n      """\n      Given I│\n      """\n',
        "Feature: f\n  Scenario: s\n    Given a\n      | I│ |\n",
        "Feature: f\n  # Given I│\n  Scenario: s\n",
        "Feature: f\n  Given I add│\n",
        "Feature: f\n  @I│\n  Scenario: s\n    Given a\n",
        "Feature: f\n  Scenario Outline: s\n    Given <a>\n    Examples:\n      | a│ |\n      | 1 |\n",
    ],
)
async def test_nothing_where_no_step_can_be(desk: "Desk", marked: str) -> None:
    assert await offered(desk, marked) == []


async def test_markdown(desk: "Desk") -> None:
    global_file = "try.feature.md"
    place = await desk.at(global_file, "# Feature: f\n## Scenario: s\n* When I add│\n")
    completions = await desk.editor.client.text_document_completion_async(types.CompletionParams(**place))
    assert completions.items[0].label == 'I add "{product}" to the basket'


async def test_features_can_be_left_to_others(sit_down: Any) -> None:
    settings = {"disabledFeatures": "completion, definition", "codeLens": False}
    desk = await sit_down("vscode", "utf-16", settings)
    assert await offered(desk, in_scenario("When I add│")) == []
    uri = await desk.show("shop.feature", desk.text("shop.feature"))
    document, position = types.TextDocumentIdentifier(uri), types.Position(6, 12)
    client = desk.editor.client
    assert await client.text_document_definition_async(types.DefinitionParams(document, position)) is None
    assert await client.text_document_code_lens_async(types.CodeLensParams(document)) is None
    hover = await client.text_document_hover_async(types.HoverParams(document, position))
    assert "used" in hover.contents.value
