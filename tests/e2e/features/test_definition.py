"""The step definitions of a step as an editor asks for them."""

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

if TYPE_CHECKING:
    from tests.e2e.features.conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")

ADD = "steps.py:9 'I add \"{product}\" to the basket'"


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
    definitions = await desk.editor.client.text_document_definition_async(params)
    assert all(isinstance(definition, types.LocationLink) for definition in definitions or ())
    plain = [
        SimpleNamespace(uri=definition.target_uri, range=definition.target_selection_range)
        for definition in definitions or ()
    ]
    assert [desk.said(location) for location in plain] == expected
    for definition in definitions or ():
        assert definition.origin_selection_range.start.line == line - 1
