"""Tags: completed from those in use, found, renamed."""

from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from tests.e2e.features.conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")

TEXT = "Feature: f\n  @wip @slow # not @slow\n  Scenario: s\n    Given the shop is open\n    # @slow\n"


def places(locations: Any) -> list[tuple[str, int, int]]:
    return sorted(
        (location.uri.rpartition("/")[2], location.range.start.line, location.range.start.character)
        for location in locations
    )


@pytest.mark.parametrize(
    ("line", "labels"),
    [("  @│", ["@wip", "@wip2", "@slow"]), ("  @s│", ["@slow"]), ("  @slow @│", ["@wip", "@wip2"]), ("  a@│", [])],
)
async def test_tags_in_use_are_completed(desk: "Desk", line: str, labels: list[str]) -> None:
    text = f"Feature: f\n  @wip @wip2\n  Scenario: s\n    Given the shop is open\n\n{line}\n  Scenario: t\n    Given x"
    completions = await desk.editor.client.text_document_completion_async(
        types.CompletionParams(**await desk.at("try.feature", text))
    )
    items = [item.label for item in (completions.items if completions is not None else ())]
    assert sorted(items) == sorted(labels)


async def test_the_places_of_a_tag(desk: "Desk") -> None:
    at = await desk.at("try.feature", TEXT.replace("@slow #", "@sl│ow #"))
    params = types.ReferenceParams(context=types.ReferenceContext(include_declaration=False), **at)
    references = await desk.editor.client.text_document_references_async(params)
    assert places(references) == [("shop.feature", 4, 2), ("try.feature", 1, 7)]


async def test_a_tag_is_renamed_everywhere(desk: "Desk") -> None:
    at = await desk.at("try.feature", TEXT.replace("@slow #", "@sl│ow #"))
    client = desk.editor.client
    prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(**at))
    assert prepared.placeholder == "@slow"
    edit = await client.text_document_rename_async(types.RenameParams(new_name="nightly", **at))
    changes = edit.changes or {change.text_document.uri: change.edits for change in edit.document_changes}
    assert {uri.rpartition("/")[2]: [edit.new_text for edit in edits] for uri, edits in changes.items()} == {
        "shop.feature": ["@nightly"],
        "try.feature": ["@nightly"],
    }
    with pytest.raises(JsonRpcException, match="a tag is"):
        await client.text_document_rename_async(types.RenameParams(new_name="two words", **at))
