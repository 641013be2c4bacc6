"""Findings about step definitions in the glue code itself, and the actions there."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

pytestmark = pytest.mark.asyncio
Start = Callable[..., Awaitable[Any]]

FEATURE = """Feature: F
  Scenario: S
    When I set the start date to '1'
    And I set the end date to '2'
    And the basket gets '3' books
    And I put '4' books into the basket
"""
GLUE = """from behave import when


@when("I set the start date to '{date}'")
def set_start(context, date):
    context.page.fill("start", date)


@when("I set the end date to '{date}'")
def set_end(context, date):
    context.page.fill("start", date)


@when("the basket gets '{count}' books")
def gets(context, count):
    context.basket.fill(count)


@when("I put '{count}' books into the basket")
def put(context, count):
    context.basket.fill(count)


@when("nobody says this")
def nobody(context):
    context.page.hide()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "features" / "steps").mkdir(parents=True)
    (tmp_path / "features" / "a.feature").write_text(FEATURE, "utf-8")
    (tmp_path / "features" / "steps" / "steps.py").write_text(GLUE, "utf-8")
    return tmp_path


async def actions_at(editor: Any, uri: str, line: int) -> list[types.CodeAction]:
    place = types.Range(types.Position(line, 0), types.Position(line, 0))
    context = types.CodeActionContext(list(editor.client.diagnostics.get(uri, ())))
    asked = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, context)
    return list(await editor.client.text_document_code_action_async(asked) or ())


async def test_glue_code_shows_what_it_does(start: Start, folder: Path, capabilities_of: Any) -> None:
    editor = await start(folder, declared=capabilities_of("neovim"))
    await editor.open(folder / "features" / "a.feature")
    await editor.ready()
    uri = await editor.open(folder / "features" / "steps" / "steps.py")
    diagnostics = await editor.diagnostics(uri, at_least=4)
    by_line = {diagnostic.range.start.line: diagnostic for diagnostic in diagnostics}
    assert {line: diagnostic.code for line, diagnostic in by_line.items()} == {
        3: "suspect-definition",
        8: "suspect-definition",
        18: "same-code",
        23: "unused-definition",
    }
    assert list(by_line[23].tags) == [types.DiagnosticTag.Unnecessary]
    assert "“start” and “end”" in by_line[8].message


async def test_definitions_become_one_where_they_stand(start: Start, folder: Path, capabilities_of: Any) -> None:
    editor = await start(folder, declared=capabilities_of("neovim"))
    await editor.open(folder / "features" / "a.feature")
    await editor.ready()
    path = folder / "features" / "steps" / "steps.py"
    uri = await editor.open(path)
    await editor.diagnostics(uri)
    titles = [action.title for action in await actions_at(editor, uri, 24)]
    assert titles == ["Delete the unused step definition “nobody says this”"]
    merge, wording, silence = await actions_at(editor, uri, 18)
    assert silence.title == "Ignore same-code here, with a reason"
    assert wording.title == "Use “the basket gets '{count}' books” everywhere, and remove this step definition"
    assert merge.title == "Put both expressions on the function of “the basket gets '{count}' books”"
    done = merge if merge.edit is not None else await editor.client.code_action_resolve_async(merge)
    changes = done.edit.changes or {change.text_document.uri: change.edits for change in done.edit.document_changes}
    lines = GLUE.split("\n")
    for edit in sorted(changes[uri], key=lambda change: -change.range.start.line):
        assert (edit.range.start.character, edit.range.end.character) == (0, 0)
        lines[edit.range.start.line : edit.range.end.line] = edit.new_text.split("\n")[:-1]
    text = "\n".join(lines)
    assert (
        "@when(\"I put '{count}' books into the basket\")\n@when(\"the basket gets '{count}' books\")\ndef gets" in text
    )
    assert "def put" not in text


async def test_definitions_that_claim_different_things_are_not_offered_to_be_merged(
    start: Start, folder: Path, capabilities_of: Any
) -> None:
    editor = await start(folder, declared=capabilities_of("neovim"))
    await editor.open(folder / "features" / "a.feature")
    await editor.ready()
    uri = await editor.open(folder / "features" / "steps" / "steps.py")
    await editor.diagnostics(uri, at_least=4)
    for line in (3, 8):
        assert [action.title for action in await actions_at(editor, uri, line)] == [
            "Ignore suspect-definition here, with a reason"
        ]


async def test_at_a_step_its_definition_can_be_merged(start: Start, folder: Path, capabilities_of: Any) -> None:
    editor = await start(folder, declared=capabilities_of("neovim"))
    uri = await editor.open(folder / "features" / "a.feature")
    await editor.ready()
    titles = [action.title for action in await actions_at(editor, uri, 5)]
    assert "Put both expressions on the function of “the basket gets '{count}' books”" in titles


async def edited(editor: Any, action: types.CodeAction, texts: dict[str, str]) -> dict[str, str]:
    """The texts, by URI, after an action."""
    done = action if action.edit is not None else await editor.client.code_action_resolve_async(action)
    assert done.edit is not None, done.disabled
    changes = done.edit.changes or {change.text_document.uri: change.edits for change in done.edit.document_changes}
    contents = dict(texts)
    for uri, edits in changes.items():
        lines = contents[uri].split("\n")
        for edit in sorted(edits, key=lambda change: (-change.range.start.line, -change.range.start.character)):
            start, end = edit.range.start, edit.range.end
            last = lines[end.line][end.character :] if end.line < len(lines) else ""
            new = lines[start.line][: start.character] + edit.new_text + last
            lines[start.line : end.line + 1] = new.split("\n")
        contents[uri] = "\n".join(lines)
    return contents


async def test_one_wording_is_kept_from_the_step_that_says_the_other(
    start: Start, folder: Path, capabilities_of: Any
) -> None:
    editor = await start(folder, declared=capabilities_of("neovim"))
    feature = await editor.open(folder / "features" / "a.feature")
    await editor.ready()
    glue = await editor.open(folder / "features" / "steps" / "steps.py")
    title = "Use “the basket gets '{count}' books” everywhere, and remove this step definition"
    action = next(action for action in await actions_at(editor, feature, 5) if action.title == title)
    after = await edited(editor, action, {feature: FEATURE, glue: GLUE})
    assert "And the basket gets '4' books" in after[feature]
    assert "def put" not in after[glue]


async def test_a_constant_becomes_a_parameter(start: Start, folder: Path, capabilities_of: Any) -> None:
    source = GLUE.replace('fill("start", date)', 'fill("end", date)', 2).replace('fill("end"', 'fill("start"', 1)
    (folder / "features" / "steps" / "steps.py").write_text(source, "utf-8")
    editor = await start(folder, declared=capabilities_of("neovim"))
    await editor.open(folder / "features" / "a.feature")
    await editor.ready()
    uri = await editor.open(folder / "features" / "steps" / "steps.py")
    offered = await actions_at(editor, uri, 8)
    title = "Make “text” a parameter: one step definition for this and “I set the start date to '{date}'”"
    action = next(candidate for candidate in offered if candidate.title == title)
    after = (await edited(editor, action, {uri: source}))[uri]
    assert "@when(\"I set the {text:w} date to '{date}'\")" in after
    assert "def set_end" not in after


async def test_a_definition_tells_its_twins(start: Start, folder: Path, capabilities_of: Any) -> None:
    editor = await start(folder, declared=capabilities_of("neovim"))
    await editor.open(folder / "features" / "a.feature")
    await editor.ready()
    uri = await editor.open(folder / "features" / "steps" / "steps.py")
    place = types.Position(18, 8)
    document = types.TextDocumentIdentifier(uri)
    hover = await editor.client.text_document_hover_async(types.HoverParams(document, place))
    assert "the same as [`features/steps/steps.py:14`]" in hover.contents.value
    assert "`the basket gets '{count}' books`" in hover.contents.value
    asked = types.ReferenceParams(types.ReferenceContext(include_declaration=True), document, place)
    references = await editor.client.text_document_references_async(asked)
    assert [reference.range.start.line for reference in references] == [18, 13, 5]
    asked.context.include_declaration = False
    references = await editor.client.text_document_references_async(asked)
    assert [reference.range.start.line for reference in references] == [5]


async def test_a_constant_is_told_at_the_step_too(start: Start, folder: Path, capabilities_of: Any) -> None:
    (folder / "features" / "steps" / "steps.py").write_text(GLUE.replace('"start"', '"end"', 1), "utf-8")
    editor = await start(folder, declared=capabilities_of("neovim"))
    uri = await editor.open(folder / "features" / "a.feature")
    await editor.ready()
    asked = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(2, 12))
    hover = await editor.client.text_document_hover_async(asked)
    assert "the same except for `end` and `start` as [`features/steps/steps.py:9`]" in hover.contents.value


async def test_a_message_says_what_is_found_and_the_hover_why(start: Start, folder: Path, capabilities_of: Any) -> None:
    editor = await start(folder, declared=capabilities_of("vscode"))
    await editor.open(folder / "features" / "a.feature")
    await editor.ready()
    uri = await editor.open(folder / "features" / "steps" / "steps.py")
    messages = [
        diagnostic.message for diagnostic in await editor.diagnostics(uri, at_least=4) if diagnostic.code == "same-code"
    ]
    assert messages
    assert all(message.endswith(" run the same code.") for message in messages)


async def test_a_comment_silences_a_finding_as_it_is_written(start: Start, folder: Path, capabilities_of: Any) -> None:
    editor = await start(folder, declared=capabilities_of("neovim"))
    await editor.open(folder / "features" / "a.feature")
    await editor.ready()
    uri = await editor.open(folder / "features" / "steps" / "steps.py")
    await editor.diagnostics(uri, at_least=4)
    title = "Ignore suspect-definition here, with a reason"
    action = next(action for action in await actions_at(editor, uri, 8) if action.title == title)
    after = (await edited(editor, action, {uri: GLUE}))[uri]
    assert '# cukereuse: ignore[suspect-definition] -- reason\n@when("I set the end date' in after
    version = editor.change(uri, after)
    await editor.until(lambda: editor.has_published(uri, version, 2))
    diagnostics = await editor.diagnostics(uri)
    assert [diagnostic.code for diagnostic in diagnostics] == ["same-code", "unused-definition"]


async def test_a_function_that_is_registered_by_name_stands_apart(
    start: Start, tmp_path: Path, capabilities_of: Any
) -> None:
    steps = {"I lift the lid": "lift", "I raise the lid": "raise", "nobody says this": "nobody"}
    lines = [f"func {name}() error {{ return lid.Up({len(name)}) }}" for name in steps.values()]
    lines[1] = lines[1].replace("5", "4")
    calls = [f"\tctx.When(`^{text}$`, {name})" for text, name in steps.items()]
    source = "\n".join(
        ["package lids", *lines, "func InitializeScenario(ctx *godog.ScenarioContext) {", *calls, "}", ""]
    )
    (tmp_path / "lids_test.go").write_text(source, "utf-8")
    (tmp_path / "a.feature").write_text("Feature: F\n  Scenario: S\n    When I lift the lid\n    And I raise the lid\n")
    editor = await start(tmp_path, declared=capabilities_of("neovim"))
    await editor.open(tmp_path / "a.feature")
    await editor.ready()
    uri = await editor.open(tmp_path / "lids_test.go")
    await editor.diagnostics(uri)
    titles = {line: [action.title for action in await actions_at(editor, uri, line)] for line in range(1, 8)}
    assert [line for line, shown in titles.items() if any("Delete the unused" in title for title in shown)] == [3, 7]
    action = next(action for action in await actions_at(editor, uri, 7) if "Delete the unused" in action.title)
    after = (await edited(editor, action, {uri: source}))[uri]
    assert after == source.replace(f"{lines[2]}\n", "").replace(f"{calls[2]}\n", "")
