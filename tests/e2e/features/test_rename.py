"""F2 on a step: what can be renamed, what changes with it, and refusals."""

from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from tests.e2e.features.conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def place(desk: "Desk", name: str, line: int, character: int = 12) -> dict[str, Any]:
    uri = await desk.show(name, desk.text(name))
    return {
        "text_document": types.TextDocumentIdentifier(uri),
        "position": types.Position(line - 1, character),
    }


def edits(desk: "Desk", edit: types.WorkspaceEdit) -> dict[str, str]:
    """Maps replaced texts to new ones."""
    if desk.is_vscode:
        assert edit.changes is None
        changed = {change.text_document.uri: change.edits for change in edit.document_changes}
    else:
        assert edit.document_changes is None
        changed = dict(edit.changes)
    return {
        desk.said(types.Location(uri, edit.range)): edit.new_text for uri, edits in changed.items() for edit in edits
    }


@pytest.mark.parametrize(
    ("name", "line", "text"),
    [
        ("shop.feature", 7, 'I add "grüner Tee 😀" to the basket'),
        ("german.feature", 6, "passiert nichts"),
        ("shop.feature", 6, None),
        ("shop.feature", 14, None),
        ("steps/steps.py", 11, None),
    ],
)
async def test_what_can_be_renamed(desk: "Desk", name: str, line: int, text: str | None) -> None:
    params = types.PrepareRenameParams(**await place(desk, name, line))
    answer = await desk.editor.client.text_document_prepare_rename_async(params)
    if text is None:
        assert answer is None
    else:
        assert answer.placeholder == text
        uri = params.text_document.uri
        assert desk.said(types.Location(uri, answer.range)).partition(" ")[2] == text


async def test_all_with_the_template_are_renamed_and_their_definition(desk: "Desk") -> None:
    where = await place(desk, "shop.feature", 7)
    params = types.RenameParams(new_name='"grüner Tee 😀" goes into the basket', **where)
    edit = await desk.editor.client.text_document_rename_async(params)
    assert edits(desk, edit) == {
        'german.feature:4 I add "Brot" to the basket': '"Brot" goes into the basket',
        'shop.feature:7 I add "grüner Tee 😀" to the basket': '"grüner Tee 😀" goes into the basket',
        'shop.feature:8 I add "black tea" to the basket': '"black tea" goes into the basket',
        'shop.feature:12 I add "<product>" to the basket': '"<product>" goes into the basket',
        "steps.py:9 'I add \"{product}\" to the basket'": "'\"{product}\" goes into the basket'",
    }
    if desk.is_vscode:
        versions = {change.text_document.uri: change.text_document.version for change in edit.document_changes}
        assert versions[where["text_document"].uri] == desk.editor.version or versions[where["text_document"].uri] > 0


async def test_a_closed_file_is_named_without_a_version(desk: "Desk") -> None:
    params = types.RenameParams(new_name="the shop has opened", **await place(desk, "shop.feature", 3))
    edit = await desk.editor.client.text_document_rename_async(params)
    assert edits(desk, edit) == {
        "shop.feature:3 the shop is open": "the shop has opened",
        'steps.py:4 "the shop is open"': '"the shop has opened"',
    }


@pytest.mark.parametrize(
    ("line", "name", "reason"),
    [
        (7, "", "empty"),
        (7, "I pay {", "a single {"),
        (7, 'I add "grüner Tee 😀" to the basket', "already have this wording"),
        (7, "I add things", "argument"),
        (6, "whatever", "no step"),
    ],
)
async def test_what_would_break_the_suite_is_refused(desk: "Desk", line: int, name: str, reason: str) -> None:
    params = types.RenameParams(new_name=name, **await place(desk, "shop.feature", line))
    with pytest.raises(JsonRpcException) as refused:
        await desk.editor.client.text_document_rename_async(params)
    assert refused.value.code == types.LSPErrorCodes.RequestFailed
    assert reason in str(refused.value.message)
