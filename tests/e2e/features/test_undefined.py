"""Code actions at a step that no definition matches."""

from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

if TYPE_CHECKING:
    from tests.e2e.features.conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("step", "title"),
    [
        ('When I ad "Eis 😀" to basket', 'Did you mean “I add "Eis 😀" to the basket”? (used 4×)'),
        ("Then nobody sais this 5", "Did you mean “nobody says this 5”? (not used yet)"),
        ('When I add "Eis" to the basket', None),
    ],
)
async def test_what_was_meant_is_the_first_action(desk: "Desk", step: str, title: str | None) -> None:
    text = f"Feature: f\n  Scenario: s\n    {step}\n"
    uri = await desk.show("try.feature", text)
    place = types.Range(types.Position(2, 10), types.Position(2, 10))
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, types.CodeActionContext([]))
    found = await desk.editor.client.text_document_code_action_async(params)
    asked = [one for one in found if one.title.startswith("Did you mean")]
    assert [one.title for one in asked[:1]] == ([title] if title is not None else [])
    if not asked:
        return
    assert found[0] is asked[0]
    assert found[0].is_preferred
    assert not any(getattr(one, "is_preferred", None) for one in found[1:])
    edit = (await desk.editor.client.code_action_resolve_async(found[0])).edit
    (change,) = edit.changes[uri] if edit.changes is not None else edit.document_changes[0].edits
    assert change.new_text == found[0].title.partition("“")[2].partition("”")[0]
    start = types.Position(2, desk.units("    When " if "When" in step else "    Then "))
    assert change.range == types.Range(start, types.Position(2, desk.units(f"    {step}")))
