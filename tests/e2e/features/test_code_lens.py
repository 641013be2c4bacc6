"""Code lenses as an editor asks for them."""

from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

if TYPE_CHECKING:
    from tests.e2e.features.conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")


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
