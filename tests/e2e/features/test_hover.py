"""Hovers as an editor asks for them."""

from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

if TYPE_CHECKING:
    from tests.e2e.features.conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")


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
    hovered = await desk.editor.client.text_document_hover_async(params)
    assert hovered.contents.kind == types.MarkupKind.Markdown
    for part in expected:
        assert part in hovered.contents.value
    assert hovered.range.start.line == line - 1
