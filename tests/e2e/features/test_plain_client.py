"""A client that declares nothing beyond the protocol's first version: everything has a plain form."""

from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from lsprotocol import types

if TYPE_CHECKING:
    from tests.e2e.features.conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def plain(sit_down: Any) -> "Desk":
    return await sit_down("neovim", "utf-16", declared=types.ClientCapabilities())


async def at(desk: "Desk", line: int, name: str = "shop.feature") -> dict[str, Any]:
    uri = await desk.show(name, desk.text(name))
    return {"text_document": types.TextDocumentIdentifier(uri), "position": types.Position(line - 1, 12)}


async def test_completion_is_plain_text(plain: "Desk") -> None:
    place = await plain.at("try.feature", 'Feature: f\n  Scenario: s\n    When I add "x│')
    completions = await plain.editor.client.text_document_completion_async(types.CompletionParams(**place))
    assert completions.items[0].text_edit.new_text == 'I add "Brot" to the basket'
    assert completions.items[0].insert_text_format == types.InsertTextFormat.PlainText


async def test_hover_is_plain_text(plain: "Desk") -> None:
    hovered = await plain.editor.client.text_document_hover_async(types.HoverParams(**await at(plain, 7)))
    assert hovered.contents.kind == types.MarkupKind.PlainText
    assert hovered.contents.value.split("\n\n") == [
        "used 4× in 2 files",
        'Step definition: steps/steps.py:9 add — I add "{product}" to the basket',
        'Arguments: product = "grüner Tee 😀"',
    ]


async def test_other_wordings_are_plain_too(plain: "Desk") -> None:
    params = types.HoverParams(**await at(plain, 7, "german.feature"))
    hovered = await plain.editor.client.text_document_hover_async(params)
    assert hovered.contents.value.split("\n\n") == [
        "used 2× in 1 file · 1 other wording",
        'Other wordings:\n  I press the "Käse" button 1×',
        "No step definition matches.",
        'Arguments: "Ja"',
    ]


async def test_definitions_are_locations(plain: "Desk") -> None:
    definitions = await plain.editor.client.text_document_definition_async(types.DefinitionParams(**await at(plain, 7)))
    assert [plain.said(definition) for definition in definitions] == ["steps.py:9 'I add \"{product}\" to the basket'"]


async def test_symbols_are_a_list(plain: "Desk") -> None:
    params = types.DocumentSymbolParams((await at(plain, 7))["text_document"])
    symbols = await plain.editor.client.text_document_document_symbol_async(params)
    assert [(symbol.name, symbol.container_name) for symbol in symbols[:4]] == [
        ("Läden 😀", None),
        ("Background", "Läden 😀"),
        ("Given the shop is open", "Background"),
        ("buying 😀", "Läden 😀"),
    ]


async def test_a_lens_is_a_text(plain: "Desk") -> None:
    client = plain.editor.client
    document = (await at(plain, 7, "german.feature"))["text_document"]
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    resolved = await client.code_lens_resolve_async(lenses[3])
    assert (resolved.command.title, resolved.command.command) == ("used 2× · 1 other wording", "")


async def test_a_rename_is_edits_by_file(plain: "Desk") -> None:
    params = types.RenameParams(new_name="the shop has opened", **await at(plain, 3))
    edit = await plain.editor.client.text_document_rename_async(params)
    assert edit.document_changes is None
    assert sorted(change.new_text for edits in edit.changes.values() for change in edits) == [
        '"the shop has opened"',
        "the shop has opened",
    ]
