"""The rest of a known block as a completion: several lines, with varying values as tab stops."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.server.known_block import FEATURE, STEPS

pytestmark = [pytest.mark.asyncio, pytest.mark.heavy]
Start = Callable[..., Awaitable[Any]]

BEGUN = '  Scenario: New\n    Given I open the "login" page\n    And I fill in the name "Eve"\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "features/steps").mkdir(parents=True)
    (tmp_path / "features/steps/steps.py").write_text(STEPS, encoding="utf-8")
    (tmp_path / "features/a.feature").write_text(FEATURE, encoding="utf-8")
    (tmp_path / "features/new.feature").write_text("Feature: new\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("editor", ["vscode", "neovim", "plain"])
async def test_the_third_step_offers_the_rest(start: Start, capabilities_of: Any, root: Path, editor: str) -> None:
    declared = types.ClientCapabilities() if editor == "plain" else capabilities_of(editor)
    client = await start(root, declared=declared)
    path = root / "features/new.feature"
    uri = await client.open(path)

    async def offered(line: str, more: str = "", wanted: str = "usually follow") -> list[types.CompletionItem]:
        text = f"Feature: new\n{BEGUN}    {line}\n{more}"
        client.change(uri, text)
        place = types.Position(4, len(f"    {line}"))
        completions = await client.client.text_document_completion_async(
            types.CompletionParams(types.TextDocumentIdentifier(uri), place)
        )
        items = completions.items if completions is not None else []
        return [item for item in items if wanted in item.label]

    for _ in range(600):  # the suite is mined once nobody types
        if items := await offered("When "):
            break
        await asyncio.sleep(0.2)
    (item,) = items
    assert item.label == 'I greet "Eve" as "{title}" … and the step that usually follows'
    assert item.detail == "in 4 places"
    title = '"${1:Dr}"' if editor != "plain" else '"Dr"'
    indentation = "" if editor != "plain" else "    "
    assert item.text_edit.new_text == f'I greet "Eve" as {title}\n{indentation}Then all is done'
    assert item.text_edit.range.start == types.Position(4, 9)

    (item,) = await offered("")
    assert item.label.startswith('When I greet "Eve" as')
    assert (await offered("Wh"))[0].text_edit.new_text.startswith("When I greet")
    assert (await offered("When I gr"))[0].filter_text.startswith("I greet")
    assert not await offered("When I op")
    assert not await offered("Then ")
    assert not await offered("When ", "    Then all is done\n")

    (short,) = await offered("When ", wanted="short for")
    assert short.label == 'I am "Eve" on "login" … short for the 2 steps above'
    (removal,) = short.additional_text_edits
    assert (removal.range.start, removal.range.end) == (types.Position(2, 4), short.text_edit.range.start)
    assert (removal.new_text, short.text_edit.new_text) == ("Given ", 'I am "Eve" on "login"')
