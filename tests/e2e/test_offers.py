"""Offered code actions keep the meaning of a step, and impossible ones give the reason."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.e2e.test_rename_requests import plan_of

pytestmark = pytest.mark.asyncio
Start = Callable[..., Awaitable[Any]]

GLUE = """\
from behave import then


@then("I should see the 404 page")
def not_found(context): ...


@then("I see the 503 page")
def unavailable(context): ...


@then('I should see the "{name}" page')
def named(context, name): ...
"""
FEATURE = """\
Feature: Errors
  Scenario: One
    Then I should see the 404 page
    And I should see the 404 page
  Scenario: Two
    Then I see the 503 page
    And I see the "login" page
    And I should see the "home" page
"""


async def actions_at(editor: Any, uri: str, line: int, trigger: Any = None) -> list[Any]:
    place = types.Range(types.Position(line, 9), types.Position(line, 9))
    context = types.CodeActionContext(list(editor.client.diagnostics.get(uri, ())), trigger_kind=trigger)
    asked = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, context)
    return list(await editor.client.text_document_code_action_async(asked) or ())


@pytest.fixture
def errors(tmp_path: Path) -> Path:
    folder = tmp_path / "errors"
    (folder / "steps").mkdir(parents=True)
    (folder / "behave.ini").write_text("")
    (folder / "steps" / "steps.py").write_text(GLUE)
    (folder / "errors.feature").write_text(FEATURE)
    return folder


@pytest.mark.parametrize("editor", ["vscode", "neovim"])
async def test_no_offer_changes_a_value(start: Start, errors: Path, capabilities_of: Any, editor: str) -> None:
    session = await start(errors, declared=capabilities_of(editor))
    uri = await session.open(errors / "errors.feature")
    await session.ready()
    for line, value in ((2, "404"), (5, "503"), (6, '"login"')):
        titles = [action.title for action in await actions_at(session, uri, line)]
        offered = [title for title in titles if title.startswith(("Use existing", "Did you mean"))]
        assert all(value in title for title in offered), offered
    titles = [action.title for action in await actions_at(session, uri, 6)]
    assert any("I should see the" in title and '"login" page' in title for title in titles), (
        "its own value is carried over"
    )


async def test_an_offer_holds_no_value_that_the_step_definition_does_not_take(
    start: Start, errors: Path, capabilities_of: Any
) -> None:
    glue = "from behave import step, use_step_matcher\nuse_step_matcher('re')\n"
    (errors / "steps" / "steps.py").write_text(
        f"{glue}@step(r'I wait (\\d+) second(s?)')\ndef wait(context, n, s): ...\n"
    )
    steps = ["Given I wait 1 second", "And I wait 2 seconds", 'And I wait 5 seconds for "Jack"']
    (errors / "errors.feature").write_text(
        "\n".join(["Feature: f", "  Scenario: s", *("    " + step for step in steps), ""])
    )
    session = await start(errors, declared=capabilities_of("vscode"))
    uri = await session.open(errors / "errors.feature")
    await session.ready()
    titles = [action.title for action in await actions_at(session, uri, 4)]
    assert any("Create step definition" in title for title in titles)
    assert not [title for title in titles if "second" in title]


@pytest.mark.parametrize("editor", ["vscode", "neovim"])
async def test_what_is_offered_can_be_done(start: Start, shop: Path, capabilities_of: Any, editor: str) -> None:
    session = await start(shop, declared=capabilities_of(editor))
    uri = await session.open(shop / "two.feature")
    await session.diagnostics(uri)
    await session.ready()
    tried = 0
    for line in range(2, 6):
        for action in await actions_at(session, uri, line, types.CodeActionTriggerKind.Invoked):
            if isinstance(action, types.CodeAction) and action.disabled is None and action.data is not None:
                answer = await session.client.code_action_resolve_async(action)
                assert answer.edit is not None, (action.title, answer.disabled)
                tried += 1
    assert tried > 3


async def test_an_action_that_is_refused_says_why(start: Start, shop: Path, capabilities_of: Any) -> None:
    editor = await start(shop, declared=capabilities_of("vscode"))
    uri = await editor.open(shop / "two.feature")
    await editor.diagnostics(uri)
    (action,) = [action for action in await actions_at(editor, uri, 2) if "wordings to “I press" in action.title]
    data = {"uri": uri, "version": editor.version, "line": 3, "do": "rename", "text": "I press {7}"}
    answer = await editor.client.code_action_resolve_async(types.CodeAction(action.title, data=data))
    assert answer.edit is None
    command = answer.command
    await editor.client.workspace_execute_command_async(types.ExecuteCommandParams(command.command, command.arguments))
    await editor.until(
        lambda: any(message.message.startswith("Nothing was changed: ") for message in editor.client.messages)
    )


async def test_a_reason_names_files_as_the_workspace_does(start: Start, errors: Path, capabilities_of: Any) -> None:
    editor = await start(errors, declared=capabilities_of("vscode"))
    uri = await editor.open(errors / "errors.feature")
    place = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 9}}
    plan = await plan_of(editor, place, target='I should see the "home" page')
    assert "named (steps/steps.py:12) instead of not_found (steps/steps.py:4)" in plan.refused
    assert "\nerrors.feature:3: I should see the 404 page" in plan.refused


PAGES = """\
from behave import then


@then("the page of order 404 is shown")
def lost(context):
    assert context.browser.status == 404


@then("the page of order 503 is shown")
def busy(context):
    assert context.browser.status == 503
"""
ORDERS = """\
Feature: Orders
  Scenario: One
    Then the page of order 404 is shown
    And the page of order 404 is shown
  Scenario: Two
    Then the page of order 503 is shown
"""


async def test_for_values_that_differ_the_offer_is_one_definition_with_a_parameter(
    start: Start, errors: Path, capabilities_of: Any
) -> None:
    glue = errors / "steps" / "steps.py"
    glue.write_text(PAGES, "utf-8")
    (errors / "errors.feature").write_text(ORDERS, "utf-8")
    session = await start(errors, declared=capabilities_of("vscode"))
    uri = await session.open(errors / "errors.feature")
    await session.ready()
    offered = await actions_at(session, uri, 5)
    assert not [action.title for action in offered if action.title.startswith("Use existing")]
    (action,) = [offer for offer in offered if offer.title.startswith("Make “")]
    assert (
        action.title == "Make “status” a parameter: one step definition for this and “the page of order 404 is shown”"
    )
    edit = (await session.client.code_action_resolve_async(action)).edit
    (change,) = edit.document_changes
    assert change.text_document.uri == glue.as_uri()
    written = "".join(edit.new_text for edit in change.edits)
    assert "the page of order {status_value:d} is shown" in written
    assert written.count("status_value") == 3
