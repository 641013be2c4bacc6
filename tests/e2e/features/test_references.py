"""References and highlights as an editor asks for them."""

from types import SimpleNamespace
from typing import TYPE_CHECKING

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
    references = await desk.editor.client.text_document_references_async(params)
    assert [desk.said(reference) for reference in references or ()] == expected


async def test_highlight(desk: "Desk") -> None:
    uri = await desk.show("shop.feature", desk.text("shop.feature"))
    params = types.DocumentHighlightParams(types.TextDocumentIdentifier(uri), types.Position(6, 12))
    highlights = await desk.editor.client.text_document_document_highlight_async(params)
    places = [SimpleNamespace(uri=uri, range=highlight.range) for highlight in highlights]
    assert [desk.said(place) for place in places] == ADDS[1:]
