"""Navigation as an editor asks for it, under the capabilities of VS Code and Neovim, in three position encodings."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types

if TYPE_CHECKING:
    from tests.e2e.features.conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")

ADDS = [
    'german.feature:4 I add "Brot" to the basket',
    'shop.feature:7 I add "grüner Tee 😀" to the basket',
    'shop.feature:8 I add "black tea" to the basket',
    'shop.feature:12 I add "<product>" to the basket',
]
ADD = "steps.py:9 'I add \"{product}\" to the basket'"


@pytest.mark.parametrize(
    ("name", "line", "column", "declaration", "expected"),
    [
        ("shop.feature", 7, 10, False, ADDS),
        ("shop.feature", 7, 0, True, [ADD, *ADDS]),
        ("german.feature", 4, 99, False, ADDS),
        ("german.feature", 5, 9, False, ['german.feature:5 I press the "Käse" button']),
        ("shop.feature", 5, 4, False, ["shop.feature:5 @slow"]),
        ("shop.feature", 99, 4, False, []),
        ("steps/steps.py", 9, 12, False, ADDS),
        ("steps/steps.py", 9, 12, True, [ADD, *ADDS]),
        ("steps/steps.py", 19, 12, False, ["shop.feature:13 I ask for <thing>"]),
        ("steps/steps.py", 29, 12, False, []),
        ("steps/steps.py", 11, 2, False, []),
    ],
)
async def test_references(
    desk: "Desk", name: str, line: int, column: int, declaration: bool, expected: list[str]
) -> None:
    uri = await desk.show(name, desk.text(name))
    params = types.ReferenceParams(
        types.ReferenceContext(declaration), types.TextDocumentIdentifier(uri), types.Position(line - 1, column)
    )
    found = await desk.editor.client.text_document_references_async(params)
    assert [desk.said(one) for one in found or ()] == expected


@pytest.mark.parametrize(
    ("line", "mark", "expected"),
    [
        (3, "the shop", ['steps.py:4 "the shop is open"']),
        (8, "And", [ADD]),
        (12, "add", [ADD]),
        (13, "ask", ['steps.py:19 "I ask for the bill"', 'steps.py:24 "I ask for a bag"']),
        (20, "the bill", ['steps.py:19 "I ask for the bill"']),
        (21, "a bag", ['steps.py:24 "I ask for a bag"']),
        (21, "coffee", [ADD]),
        (18, "thing", ['steps.py:19 "I ask for the bill"', 'steps.py:24 "I ask for a bag"']),
        (14, "a |", []),
        (15, "total", []),
        (1, "Feature", []),
    ],
)
async def test_definition(desk: "Desk", line: int, mark: str, expected: list[str]) -> None:
    uri = await desk.show("shop.feature", desk.text("shop.feature"))
    text = desk.text("shop.feature").split("\n")[line - 1]
    position = types.Position(line - 1, desk.units(text[: text.index(mark)]))
    params = types.DefinitionParams(types.TextDocumentIdentifier(uri), position)
    found = await desk.editor.client.text_document_definition_async(params)
    assert all(isinstance(one, types.LocationLink) for one in found or ())
    plain = [SimpleNamespace(uri=one.target_uri, range=one.target_selection_range) for one in found or ()]
    assert [desk.said(one) for one in plain] == expected
    for one in found or ():
        assert one.origin_selection_range.start.line == line - 1


@pytest.mark.parametrize(
    ("name", "line", "expected"),
    [
        ("shop.feature", 7, ["**used 4×** in 2 files",
                             "steps/steps.py:9", "`add`", 'Arguments: product = `"grüner Tee 😀"`']),
        ("shop.feature", 9, ["**used 1×** in 1 file", "Arguments: n = `2`"]),
        ("shop.feature", 13, ["Step definitions:", "`bill`", "`bag`"]),
        ("german.feature", 5, ["**used 1×** in 1 file · 1 other wording", '`I click the "Ja" button` 2×']),
        ("german.feature", 6, ["No step definition matches."]),
        ("steps/steps.py", 9, ["**used 4×** in 2 files", 'I add "Brot" to the basket` 4×']),
        ("steps/steps.py", 29, ["no step uses"]),
    ],
)  # fmt: skip
async def test_hover(desk: "Desk", name: str, line: int, expected: list[str]) -> None:
    uri = await desk.show(name, desk.text(name))
    params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line - 1, 12))
    found = await desk.editor.client.text_document_hover_async(params)
    assert found.contents.kind == types.MarkupKind.Markdown
    for part in expected:
        assert part in found.contents.value
    assert found.range.start.line == line - 1


async def test_highlight(desk: "Desk") -> None:
    uri = await desk.show("shop.feature", desk.text("shop.feature"))
    params = types.DocumentHighlightParams(types.TextDocumentIdentifier(uri), types.Position(6, 12))
    found = await desk.editor.client.text_document_document_highlight_async(params)
    places = [SimpleNamespace(uri=uri, range=one.range) for one in found]
    assert [desk.said(one) for one in places] == ADDS[1:]


async def test_code_lens_is_counted_when_it_is_seen(desk: "Desk") -> None:
    uri = await desk.show("german.feature", desk.text("german.feature"))
    client = desk.editor.client
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(types.TextDocumentIdentifier(uri)))
    assert [lens.range.start.line + 1 for lens in lenses] == [4, 5, 7, 8]
    assert all(lens.command is None for lens in lenses)
    resolved = await client.code_lens_resolve_async(lenses[2])
    assert resolved.command.title == "used 2× · 1 other wording"
    assert (await client.code_lens_resolve_async(lenses[0])).command.title == "used 4×"
    if desk.is_vscode:
        assert resolved.command.command == "cukereuse.showReferences"
        assert resolved.command.arguments[0] == uri
        assert resolved.command.arguments[1]["line"] == 6
    else:
        assert resolved.command.command == ""
    desk.editor.change(uri, desk.text("german.feature") + "\n")
    assert (await client.code_lens_resolve_async(lenses[1])).command.title == ""


async def test_document_symbols(desk: "Desk") -> None:
    uri = await desk.show("shop.feature", desk.text("shop.feature"))
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
    found = await desk.editor.client.text_document_document_symbol_async(params)

    def shape(one: types.DocumentSymbol) -> Any:
        return one.name, one.range.start.line + 1, one.range.end.line + 1, [shape(child) for child in one.children]

    assert [shape(one) for one in found] == [
        ("Läden 😀", 1, 21, [
            ("Background", 2, 3, [("Given the shop is open", 3, 3, [])]),
            ("buying 😀", 6, 9, [
                ('When I add "grüner Tee 😀" to the basket', 7, 7, []),
                ('And I add "black tea" to the basket', 8, 8, []),
                ("Then the basket contains 2 products", 9, 9, []),
            ]),
            ("prices", 11, 21, [
                ('When I add "<product>" to the basket', 12, 12, []),
                ("And I ask for <thing>", 13, 14, []),
                ("Then the total is <total> euros", 15, 15, []),
                ("some", 17, 21, []),
            ]),
        ])
    ]  # fmt: skip
    feature = SimpleNamespace(uri=uri, range=found[0].selection_range)
    assert desk.said(feature) == "shop.feature:1 Läden 😀"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("buying", ["shop.feature:6 buying 😀"]),
        ("ask thing", ["shop.feature:13 I ask for <thing>"]),
        ("nobody", ['steps.py:29 "nobody says this {much:d}"']),
        ("käse", ['german.feature:5 I press the "Käse" button']),
        ("", []),
        ("is not anywhere", []),
    ],
)
async def test_workspace_symbols(desk: "Desk", query: str, expected: list[str]) -> None:
    await desk.show("shop.feature", desk.text("shop.feature"))
    found = await desk.editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query))
    assert [desk.said(one.location) for one in found or ()] == expected


async def test_folding(desk: "Desk") -> None:
    uri = await desk.show("shop.feature", desk.text("shop.feature"))
    params = types.FoldingRangeParams(types.TextDocumentIdentifier(uri))
    found = await desk.editor.client.text_document_folding_range_async(params)
    assert [(one.start_line + 1, one.end_line + 1) for one in found] == [
        (1, 21),
        (2, 3),
        (6, 9),
        (11, 21),
        (13, 14),
        (17, 21),
    ]


async def test_semantic_tokens_by_setting(desk: "Desk") -> None:
    uri = await desk.show("shop.feature", desk.text("shop.feature"))
    params = types.SemanticTokensParams(types.TextDocumentIdentifier(uri))
    found = await desk.editor.client.text_document_semantic_tokens_full_async(params)
    if not desk.is_vscode:
        assert found is None
        return
    legend = ["keyword", "parameter", "string", "number", "decorator", "comment"]
    line = character = 0
    tokens = []
    for at in range(0, len(found.data), 5):
        down, right, length, kind, _ = found.data[at : at + 5]
        line, character = line + down, right if down else character + right
        span = types.Range(types.Position(line, character), types.Position(line, character + length))
        tokens.append((desk.said(SimpleNamespace(uri=uri, range=span)).partition(":")[2], legend[kind]))
    assert tokens[:7] == [
        ("1 Feature", "keyword"),
        ("2 Background", "keyword"),
        ("3 Given", "keyword"),
        ("5 @slow", "decorator"),
        ("6 Scenario", "keyword"),
        ("7 When", "keyword"),
        ('7 "grüner Tee 😀"', "string"),
    ]
    assert ("9 2", "number") in tokens
    assert ("13 <thing>", "parameter") in tokens
    assert ("19 # cheap", "comment") in tokens
