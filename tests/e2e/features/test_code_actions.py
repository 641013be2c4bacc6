"""Code actions, commands and requests as editors use them."""

import ast
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

pytestmark = pytest.mark.asyncio
in_one_session = pytest.mark.asyncio(loop_scope="module")
Start = Callable[..., Awaitable[Any]]


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["vscode", "neovim"])
async def editor(request: pytest.FixtureRequest, start_once: Start, shop_once: Path, capabilities_of: Any) -> Any:
    """An editor for tests that change nothing, with UTF-32 positions, after `two.feature` was opened and analysed."""
    declared = capabilities_of(request.param)
    declared.general = types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf32])
    editor = await start_once(shop_once, declared=declared)
    await editor.diagnostics(await editor.open(shop_once / "two.feature"))
    await editor.ready()
    return editor


@pytest.fixture
def uri(shop_once: Path) -> str:
    return (shop_once / "two.feature").as_uri()


@pytest.fixture(params=["vscode", "neovim"])
def declared(request: pytest.FixtureRequest, capabilities_of: Callable[..., types.ClientCapabilities]) -> Any:
    return capabilities_of(request.param)


async def actions_at(editor: Any, uri: str, line: int) -> list[types.CodeAction]:
    place = types.Range(types.Position(line, 9), types.Position(line, 9))
    context = types.CodeActionContext(list(editor.client.diagnostics.get(uri, ())))
    asked = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, context)
    return list(await editor.client.text_document_code_action_async(asked) or ())


async def resolved(editor: Any, action: types.CodeAction) -> types.CodeAction:
    return action if action.edit is not None else await editor.client.code_action_resolve_async(action)


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """The text after edits in UTF-32 positions, none of which replaces a line end."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda change: (-change.range.start.line, -change.range.start.character)):
        line = lines[edit.range.start.line]
        start, end = edit.range.start.character, edit.range.end.character
        lines[edit.range.start.line] = line[:start] + edit.new_text + line[end:]
    return "\n".join(lines)


def edits_of(edit: types.WorkspaceEdit, uri: str) -> list[types.TextEdit]:
    if edit.changes is not None:
        return list(edit.changes.get(uri, ()))
    return [
        text_edit
        for change in edit.document_changes or ()
        if change.text_document.uri == uri
        for text_edit in change.edits
    ]


@in_one_session
async def test_use_the_wording_in_use(editor: Any, shop_once: Path, uri: str) -> None:
    (first, *others) = await actions_at(editor, uri, 2)
    assert first.title == 'Use existing step “I click the "Füll 😀" button” (used 2×)'
    assert first.kind == types.CodeActionKind.QuickFix
    assert first.is_preferred
    assert [diagnostic.code for diagnostic in first.diagnostics or ()] == ["divergent-wording"]
    edit = (await resolved(editor, first)).edit
    assert applied((shop_once / "two.feature").read_text("utf-8"), edits_of(edit, uri)).splitlines()[2] == (
        '    When I click the "Füll 😀" button'
    )
    titles = [group.title for group in others]
    assert "Ignore divergent-wording here, with a reason" in titles
    assert "Find similar steps" in titles
    assert [title for title in titles if title.startswith("Rename all")] == [
        'Rename all wordings to “I click the "Füll 😀" button”',
        'Rename all wordings to “I press the "Füll 😀" button”',
    ]


async def test_ignoring_takes_the_finding_away(start: Start, shop: Path, declared: Any) -> None:
    editor = await start(shop, declared=declared)
    uri = await editor.open(shop / "two.feature")
    await editor.diagnostics(uri)
    (action,) = [action for action in await actions_at(editor, uri, 2) if action.title.startswith("Ignore")]
    edit = (await resolved(editor, action)).edit
    text = applied((shop / "two.feature").read_text("utf-8"), edits_of(edit, uri))
    assert text.splitlines()[2] == "    # cukereuse: ignore[divergent-wording] -- reason"
    version = editor.change(uri, text)
    await editor.until(lambda: editor.has_published(uri, version, 0))


@in_one_session
async def test_rename_all_wordings(editor: Any, shop_once: Path, uri: str) -> None:
    (action,) = [action for action in await actions_at(editor, uri, 2) if "wordings to “I press" in action.title]
    edit = (await resolved(editor, action)).edit
    can_ask = editor.client.capabilities.workspace.workspace_edit.change_annotation_support is not None
    assert [change_annotation.needs_confirmation for change_annotation in (edit.change_annotations or {}).values()] == [
        True
    ] * can_ask
    other = shop_once / "one.feature"
    text = applied(other.read_text("utf-8"), edits_of(edit, other.as_uri()))
    assert [line.strip() for line in text.splitlines() if "button" in line] == [
        'When I press the "Save" button',
        'When I press the "Cancel" button',
    ]
    assert edits_of(edit, uri) == []


async def test_an_action_for_an_older_text_is_disabled(start: Start, shop: Path, capabilities_of: Any) -> None:
    editor = await start(shop, declared=capabilities_of("vscode"))
    uri = await editor.open(shop / "two.feature")
    await editor.diagnostics(uri)
    (first, *_) = await actions_at(editor, uri, 2)
    editor.change(uri, "\n" + (shop / "two.feature").read_text("utf-8"))
    late = await editor.client.code_action_resolve_async(first)
    assert late.edit is None
    assert late.disabled is not None


@in_one_session
async def test_similar_steps(editor: Any, shop_once: Path, uri: str) -> None:
    answer = await editor.request("cukereuse/similar", text="I push the button", limit=3)
    assert answer.items[0].text.endswith(" button")
    assert answer.items[0].locations[0].range.start.line in (2, 5)
    position = {"line": 2, "character": 9}
    answer = await editor.request("cukereuse/similar", textDocument={"uri": uri}, position=position)
    assert answer.items[0].occurrences == 2
    command = types.ExecuteCommandParams("cukereuse.similar", [uri, position])
    locations = await editor.client.workspace_execute_command_async(command)
    assert locations[0]["uri"] == (shop_once / "one.feature").as_uri()


@in_one_session
async def test_cluster(editor: Any, uri: str) -> None:
    answer = await editor.request("cukereuse/cluster", textDocument={"uri": uri}, position={"line": 2, "character": 0})
    assert [wording.occurrences for wording in answer.wordings] == [2, 1]
    assert answer.canonical.startswith("I click the")
    nowhere = {"line": 0, "character": 0}
    assert await editor.request("cukereuse/cluster", textDocument={"uri": uri}, position=nowhere) is None


async def test_commands_that_the_client_declares(start: Start, shop: Path, capabilities_of: Any) -> None:
    options = {"commands": ["cukereuse.findSimilarSteps", "cukereuse.renameCluster"]}
    editor = await start(shop, declared=capabilities_of("vscode"), options=options)
    uri = await editor.open(shop / "two.feature")
    await editor.ready()
    # lsprotocol reads an action with a command as a bare command whose name is the text of that command
    commands = [ast.literal_eval(str(action.command)) for action in (await actions_at(editor, uri, 3))[-2:]]
    assert [command["command"] for command in commands] == options["commands"]
    for command in commands:
        assert command["arguments"] == [{"textDocument": {"uri": uri}, "position": {"line": 3, "character": 9}}]


async def test_what_another_repository_has(start: Start, shop: Path, capabilities_of: Any) -> None:
    """Such steps are marked, and follow the suite's own. The file may come later than the editor."""
    entries = [
        {"step": text, "text": text, "key": key, "owners": [{"repo": repo, "uses": 3, "text": text}]}
        for text, key, repo in (
            ("I press the moon button", "i press the moon button", "team/space"),
            ("the rocket starts", "the rocket starts", "team/space"),
            ("the rocket stays", "the rocket stays", "team/space"),
        )
    ]
    document = {"version": 1, "repositories": 1, "entries": entries}
    (shop / "catalogue.json").write_text(json.dumps(document), "utf-8")
    (shop / "cukereuse.toml").write_text("catalogue = 'catalogue.json'\n", "utf-8")
    (shop / "steps").mkdir()
    definition = "from behave import when\n\n\n@when('the rocket stays')\ndef stays(context):\n    pass\n"
    (shop / "steps/steps.py").write_text(definition, "utf-8")
    (shop / "catalogue.json").rename(shop / "later.json")
    editor = await start(shop, declared=capabilities_of("vscode"))
    uri = await editor.open(shop / "two.feature")
    await editor.ready()
    assert any("catalogue" in message.message for message in editor.client.messages)
    (shop / "later.json").rename(shop / "catalogue.json")
    answer = await editor.request("cukereuse/similar", text="I press the moon button", textDocument={"uri": uri})
    assert [item.knownTo for item in answer.items if item.text == "I press the moon button"] == [["team/space"]]
    own = [not item.knownTo for item in answer.items]
    assert own == sorted(own, reverse=True)
    assert True in own
    text = (shop / "two.feature").read_text("utf-8")
    editor.change(uri, f"{text}    When the rocket st\n")
    position = types.Position(len(text.splitlines()), len("    When the rocket st"))
    asked = types.CompletionParams(types.TextDocumentIdentifier(uri), position)
    items = (await editor.client.text_document_completion_async(asked)).items
    assert [(item.label, item.detail) for item in items] == [
        ("the rocket stays", "not used yet"),
        ("the rocket starts", "team/space has this step"),
    ]
