"""Formatting of a document, of a part, and of a table while its bars are typed."""

from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types

if TYPE_CHECKING:
    from tests.e2e.features.conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")

TEXT = "\ufeffFeature: f\r\n  Scenario: 😀\r\n  Given a\r\n  |a 😀|b|\r\n  | c | d |\r\n    When b\r\n"
WHOLE = (
    "\ufeffFeature: f\r\n  Scenario: 😀\r\n    Given a\r\n      | a 😀 | b |\r\n      | c    | d |\r\n    When b\r\n"
)
OPTIONS = types.FormattingOptions(tab_size=2, insert_spaces=True)


def applied(desk: "Desk", text: str, edits: Any) -> str:
    lines = text.split("\r\n")
    for edit in edits:
        line = lines[edit.range.start.line]
        assert (edit.range.start.line, edit.range.start.character) == (edit.range.end.line, 0)
        assert edit.range.end.character == desk.units(line)
        lines[edit.range.start.line] = edit.new_text
    return "\r\n".join(lines)


async def test_a_whole_document(desk: "Desk") -> None:
    uri = await desk.show("try.feature", TEXT)
    params = types.DocumentFormattingParams(types.TextDocumentIdentifier(uri), OPTIONS)
    edits = await desk.editor.client.text_document_formatting_async(params)
    assert applied(desk, TEXT, edits) == WHOLE
    await desk.show("try.feature", WHOLE)
    assert not await desk.editor.client.text_document_formatting_async(params)


async def test_a_part_takes_the_whole_of_a_table_along(desk: "Desk") -> None:
    uri = await desk.show("try.feature", TEXT)
    part = types.Range(types.Position(4, 0), types.Position(5, 0))
    params = types.DocumentRangeFormattingParams(types.TextDocumentIdentifier(uri), part, OPTIONS)
    edits = await desk.editor.client.text_document_range_formatting_async(params)
    assert applied(desk, TEXT, edits) == WHOLE.replace("    Given", "  Given")


async def test_a_table_follows_its_bars(desk: "Desk") -> None:
    text = TEXT.replace("| c | d |", "| c | d |e|")
    uri = await desk.show("try.feature", text)
    identifier = types.TextDocumentIdentifier(uri)
    params = types.DocumentOnTypeFormattingParams(identifier, types.Position(4, 13), "|", OPTIONS)
    edits = await desk.editor.client.text_document_on_type_formatting_async(params)
    assert {edit.range.start.line for edit in edits} == {3, 4}
    assert edits[1].new_text == "      | c    | d | e |"
    elsewhere = types.DocumentOnTypeFormattingParams(identifier, types.Position(2, 5), "|", OPTIONS)
    assert not await desk.editor.client.text_document_on_type_formatting_async(elsewhere)
