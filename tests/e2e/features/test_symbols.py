"""Symbols and folding ranges as an editor asks for them."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types

if TYPE_CHECKING:
    from tests.e2e.features.conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_document_symbols(desk: "Desk") -> None:
    uri = await desk.show("shop.feature", desk.text("shop.feature"))
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
    symbols = await desk.editor.client.text_document_document_symbol_async(params)

    def shape(symbol: types.DocumentSymbol) -> Any:
        return (
            symbol.name,
            symbol.range.start.line + 1,
            symbol.range.end.line + 1,
            [shape(child) for child in symbol.children],
        )

    assert [shape(symbol) for symbol in symbols] == [
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
    feature = SimpleNamespace(uri=uri, range=symbols[0].selection_range)
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
    symbols = await desk.editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query))
    assert [desk.said(symbol.location) for symbol in symbols or ()] == expected


async def test_folding(desk: "Desk") -> None:
    uri = await desk.show("shop.feature", desk.text("shop.feature"))
    params = types.FoldingRangeParams(types.TextDocumentIdentifier(uri))
    foldings = await desk.editor.client.text_document_folding_range_async(params)
    assert [(folding.start_line + 1, folding.end_line + 1) for folding in foldings] == [
        (1, 21),
        (2, 3),
        (6, 9),
        (11, 21),
        (13, 14),
        (17, 21),
    ]
