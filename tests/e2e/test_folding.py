"""Scenarios folded by code actions, as editors use them."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

pytestmark = pytest.mark.asyncio(loop_scope="module")
Start = Callable[..., Awaitable[Any]]
SECONDS = 120.0
FILES = 40
NUMBERS = itertools.count()

SHOP = """\
Feature: 😀
  Scenario: apples
    Given the shop is open
    And I am "Zoë 😀"
    When I buy 2 apples
    Then I pay

  Scenario: pears
    Given the shop is open
    And I am "Zoë 😀"
    When I buy 30 apples
    Then I pay
"""
OUTLINE = """\
Feature: 😀
  Scenario Outline: <scenario>
    Given the shop is open
    And I am "Zoë 😀"
    When I buy <buy> apples
    Then I pay

    Examples:
      | scenario | buy |
      | apples   | 2   |
      | pears    | 30  |
"""
BACKGROUND = """\
Feature: 😀
  Background:
    Given the shop is open
    And I am "Zoë 😀"

  Scenario: apples
    When I buy 2 apples
    Then I pay

  Scenario: pears
    When I buy 30 apples
    Then I pay
"""
RULES = """\
Feature: rules
  Rule: one
    Scenario: a
      Given a thing
      Then it is
  Rule: two
    Scenario: b
      Given 1 thing
      Then I see it
    Scenario: c
      Given 2 thing
      Then I see it
"""
RULES_OUTLINE = """\
Feature: rules
  Rule: one
    Scenario: a
      Given a thing
      Then it is
  Rule: two
    Scenario Outline: <scenario>
      Given <thing> thing
      Then I see it

      Examples:
        | scenario | thing |
        | b        | 1     |
        | c        | 2     |
"""
INTO_OUTLINE = "Fold 2 scenarios into one Scenario Outline"
INTO_BACKGROUND = "Move the first 2 steps of every scenario into a Background"
CASES = [
    pytest.param(SHOP, 1, INTO_OUTLINE, OUTLINE, id="outline, from a name"),
    pytest.param(SHOP, 10, INTO_OUTLINE, OUTLINE, id="outline, from a step of the second"),
    pytest.param(SHOP.replace("\n", "\r\n"), 2, INTO_OUTLINE, OUTLINE.replace("\n", "\r\n"), id="outline, CRLF"),
    pytest.param(SHOP.rstrip(), 2, INTO_OUTLINE, OUTLINE.rstrip(), id="outline, no line end at the end"),
    pytest.param(SHOP, 2, INTO_BACKGROUND, BACKGROUND, id="background"),
    pytest.param(
        SHOP.replace("\n", "\r\n"), 8, INTO_BACKGROUND, BACKGROUND.replace("\n", "\r\n"), id="background, CRLF"
    ),
    pytest.param(RULES, 10, INTO_OUTLINE, RULES_OUTLINE, id="outline in a rule"),
]


def folds(actions: list[Any]) -> list[Any]:
    return [action for action in actions if action.title.startswith(("Fold ", "Move the first "))]


async def actions_at(editor: Any, uri: str, line: int, *only: str) -> list[Any]:
    place = types.Range(types.Position(line, 4), types.Position(line, 4))
    context = types.CodeActionContext([], only=[types.CodeActionKind(kind) for kind in only] or None)
    asked = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, context)
    return folds(list(await editor.client.text_document_code_action_async(asked) or ()))


async def offered(editor: Any, uri: str, line: int) -> list[Any]:
    """Folds on a line, once the document is read."""
    async with asyncio.timeout(SECONDS):
        while not (actions := await actions_at(editor, uri, line)):
            await asyncio.sleep(0.02)
    return actions


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """The text after edits in UTF-16 positions, the last edit first."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode("utf-16-le")))
    data = text.encode("utf-16-le")
    for edit in sorted(edits, key=lambda change: (change.range.start.line, change.range.start.character), reverse=True):
        start = starts[edit.range.start.line] + 2 * edit.range.start.character
        end = starts[edit.range.end.line] + 2 * edit.range.end.character
        data = data[:start] + edit.new_text.encode("utf-16-le") + data[end:]
    return data.decode("utf-16-le")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite with a file for each test."""
    path = tmp_path_factory.mktemp("folding")
    (path / "cukereuse.toml").write_text("")
    for number in range(FILES):
        (path / f"{number}.feature").write_text("Feature: what the editor has counts\n", "utf-8")
    return path


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["versioned", "plain"])
async def editor(request: pytest.FixtureRequest, start_once: Start, folder: Path, capabilities_of: Any) -> Any:
    """An editor with edits of versioned documents, or with edits by file."""
    versioned = request.param == "versioned"
    declared = capabilities_of("vscode" if versioned else "neovim", "utf-16")
    declared.workspace.workspace_edit.document_changes = versioned
    return await start_once(folder, declared=declared)


@pytest.fixture
def feature(folder: Path) -> Path:
    """A file that no other test has opened."""
    return folder / f"{next(NUMBERS)}.feature"


@pytest.mark.parametrize(("text", "line", "title", "expected"), CASES)
async def test_folded(editor: Any, feature: Path, text: str, line: int, title: str, expected: str) -> None:
    uri = await editor.open(feature, text)
    (action,) = [offer for offer in await offered(editor, uri, line) if offer.title == title]
    assert action.kind == types.CodeActionKind.RefactorRewrite
    assert action.edit is None
    edit = (await editor.client.code_action_resolve_async(action)).edit
    if editor.client.capabilities.workspace.workspace_edit.document_changes:
        (change,) = edit.document_changes
        assert (change.text_document.uri, change.text_document.version) == (uri, editor.version)
        edits = change.edits
    else:
        assert edit.document_changes is None
        ((changed, edits),) = edit.changes.items()
        assert changed == uri
    assert applied(text, edits) == expected


async def test_where_nothing_applies_nothing_is_offered(editor: Any, feature: Path) -> None:
    uri = await editor.open(feature, RULES)
    await offered(editor, uri, 7)
    assert [line for line in range(14) if await actions_at(editor, uri, line)] == [6, 7, 8, 9, 10, 11]
    assert await actions_at(editor, uri, 7, "quickfix") == []
    assert len(await actions_at(editor, uri, 7, "refactor")) == 1
    editor.change(uri, RULES.replace("Scenario: c", "# why\n    Scenario: c"))
    assert await actions_at(editor, uri, 7) == []
    editor.change(uri, "not Gherkin\n" + RULES)
    assert await actions_at(editor, uri, 8) == []


async def test_a_fold_of_an_older_text_is_disabled(editor: Any, feature: Path) -> None:
    uri = await editor.open(feature, SHOP)
    action, _ = await offered(editor, uri, 2)
    editor.change(uri, "\n" + SHOP)
    late = await editor.client.code_action_resolve_async(action)
    assert late.edit is None
    assert late.disabled is not None
