"""Code actions at a step that no definition matches."""

from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

if TYPE_CHECKING:
    from tests.e2e.features.conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="session")


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
    code_actions = await desk.editor.client.text_document_code_action_async(params)
    asked = [action for action in code_actions if action.title.startswith("Did you mean")]
    assert [action.title for action in asked[:1]] == ([title] if title is not None else [])
    if not asked:
        return
    assert code_actions[0] is asked[0]
    assert code_actions[0].is_preferred
    assert not any(getattr(action, "is_preferred", None) for action in code_actions[1:])
    edit = (await desk.editor.client.code_action_resolve_async(code_actions[0])).edit
    (change,) = edit.changes[uri] if edit.changes is not None else edit.document_changes[0].edits
    assert change.new_text == code_actions[0].title.partition("“")[2].partition("”")[0]
    start = types.Position(2, desk.units("    When " if "When" in step else "    Then "))
    assert change.range == types.Range(start, types.Position(2, desk.units(f"    {step}")))


async def test_a_definition_is_created_below_its_neighbours(desk: "Desk") -> None:
    text = (
        'Feature: f\n  Scenario: s\n    When I ask for the bill\n    Then a "Füll 😀" receipt of 5 lines is printed\n'
    )
    uri = await desk.show("try.feature", text)
    there = lambda: any(mark.range.start.line == 3 for mark in desk.editor.client.diagnostics.get(uri, ()))  # noqa: E731
    await desk.editor.until(there)
    marked = desk.editor.client.diagnostics[uri]
    assert [(mark.code, mark.severity) for mark in marked] == [("undefined-step", types.DiagnosticSeverity.Warning)]
    place = types.Range(types.Position(3, 10), types.Position(3, 10))
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, types.CodeActionContext(list(marked)))
    actions = await desk.editor.client.text_document_code_action_async(params)
    titles = [action.title for action in actions if action.title.startswith("Create step definition")]
    assert titles == ["Create step definition in steps/steps.py", "Create step definition in a new file, steps/try.py"]
    (action,) = [action for action in actions if action.title == titles[0]]
    action = await desk.editor.client.code_action_resolve_async(action)
    (edit,) = (
        action.edit.changes[desk.uri("steps/steps.py")]
        if action.edit.changes is not None
        else action.edit.document_changes[0].edits
    )
    assert edit.new_text == (
        "\n\n@then('a \"{text}\" receipt of {number:d} lines is printed')\n"
        "def a_receipt_of_lines_is_printed(context, text, number):\n"
        "    raise NotImplementedError('STEP: Then a \"{text}\" receipt of {number:d} lines is printed')\n"
    )
    assert edit.range.start.line == desk.text("steps.py").rstrip("\n").count("\n") + 1
    assert action.command.command == "cukereuse.show"
    assert action.command.arguments[1]["line"] == edit.range.start.line + 2


async def test_a_definition_is_created_in_a_new_file(desk: "Desk") -> None:
    text = "Feature: f\n  Scenario: s\n    When I ask for the bill\n    Then the bill is torn up\n"
    uri = await desk.show("try.feature", text)
    place = types.Range(types.Position(3, 10), types.Position(3, 10))
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, types.CodeActionContext([]))
    code_actions = await desk.editor.client.text_document_code_action_async(params)
    (action,) = [
        action for action in code_actions if action.title == "Create step definition in a new file, steps/try.py"
    ]
    action = await desk.editor.client.code_action_resolve_async(action)
    made, change = action.edit.document_changes
    assert made == types.CreateFile(desk.uri("steps/try.py"))
    assert (change.text_document.uri, change.text_document.version) == (desk.uri("steps/try.py"), None)
    (edit,) = change.edits
    assert edit.range == types.Range(types.Position(0, 0), types.Position(0, 0))
    assert edit.new_text == (
        'from behave import then\n\n\n@then("the bill is torn up")\ndef the_bill_is_torn_up(context):\n'
        "    raise NotImplementedError('STEP: Then the bill is torn up')\n"
    )


async def test_all_missing_definitions_are_created_at_once(desk: "Desk") -> None:
    steps = ["When I ask for the bill", "Then the bill is torn up", "And 3 plates fly", "And 4 plates fly"]
    uri = await desk.show("try.feature", "\n    ".join(["Feature: f\n  Scenario: s", *steps]) + "\n")
    place = types.Range(types.Position(4, 10), types.Position(4, 10))
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, types.CodeActionContext([]))
    code_actions = await desk.editor.client.text_document_code_action_async(params)
    title = "Create all missing step definitions of this file in steps/steps.py"
    (action,) = [action for action in code_actions if action.title == title]
    edit = (await desk.editor.client.code_action_resolve_async(action)).edit
    (made,) = edit.changes.values() if edit.changes is not None else [edit.document_changes[0].edits]
    written = [line for line in made[0].new_text.splitlines() if line.startswith("@")]
    assert written == ['@then("the bill is torn up")', '@then("{number:d} plates fly")']
    uri = await desk.show("try.feature", "\n    ".join(["Feature: f\n  Scenario: s", *steps[2:]]) + "\n")
    params.range = types.Range(types.Position(2, 10), types.Position(2, 10))
    code_actions = await desk.editor.client.text_document_code_action_async(params)
    assert title not in [action.title for action in code_actions], "one definition serves both"
