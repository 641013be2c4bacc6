"""A block is extracted by a code action, and by the request of editors."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

pytestmark = pytest.mark.asyncio
Start = Callable[..., Awaitable[Any]]

STEPS = """\
from behave import given, then, when


@given('I open the "{page}" page')
def open_page(context, page):
    pass


@given('I fill in the name "{name}"')
def fill_in(context, name):
    pass


@given("I press the button")
def press(context):
    pass


@when("I pay")
def pay(context):
    pass


@then("all is done")
def done(context):
    pass
"""
SCENARIO = """\
  Scenario: {name}
    Given I open the "login" page
    And I fill in the name "{name}"
    And I press the button
{act}    Then all is done

"""
NAMES = [
    "Ann",
    "Zoë😀",
    "Bob",
    "Cid",
    "Dan",
    "Eve",
    "Ian",
    "Joe",
    "Kim",
    "Lea",
    "Mia",
    "Ned",
    "Oda",
    "Pam",
    "Quin",
    "Ray",
]


def feature(numbers: list[int]) -> str:
    scenarios = (
        SCENARIO.format(name=NAMES[number], act="    When I pay\n" if number % 2 else "") for number in numbers
    )
    return "Feature: 😀\n" + "".join(scenarios)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "features/steps").mkdir(parents=True)
    (tmp_path / "features/steps/steps.py").write_text(STEPS, encoding="utf-8")
    (tmp_path / "features/a.feature").write_text(feature([0, 1]), encoding="utf-8")
    (tmp_path / "features/b.feature").write_text(feature(list(range(2, len(NAMES)))), encoding="utf-8")
    return tmp_path


@pytest.mark.heavy
@pytest.mark.parametrize("editor", ["vscode", "neovim"])
async def test_found_moved_and_taken_out(start: Start, capabilities_of: Any, root: Path, editor: str) -> None:
    client = await start(root, declared=capabilities_of(editor))
    path = root / "features/a.feature"
    uri = await client.open(path)
    text = path.read_text("utf-8")

    async def lines(expected: list[int]) -> None:
        """Wait until the block is reported at these lines."""

        def told() -> bool:
            last = next((params for params in reversed(client.published) if params.uri == uri), None)
            its = [mark.range.start.line for mark in last.diagnostics if mark.code == "repeated-block"] if last else []
            return its == expected

        await client.until(told)

    await lines([2, 8])
    client.change(uri, f"# above\n{text}")
    await lines([3, 9])
    client.change(uri, text.replace('"login"', '"logout"', 1))
    await lines([8])
    client.change(uri, text)

    asked = {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 8}}
    plan = await client.request("cukereuse/extractPlan", **asked)
    assert plan.wording == "I open the login page, fill in the name {name} and press the button"
    assert (plan.places, plan.files) == (16, 3)
    refused = await client.request("cukereuse/extractPlan", **asked, wording="I am logged in")
    assert "needs these parameters" in refused.refused
    plan = await client.request("cukereuse/extractPlan", **asked, wording='I am logged in as "{name}"')
    edit = repr(plan.edit)
    assert edit.count('I am logged in as "') == 17
    assert "open_page(context, " in edit

    params = types.CodeActionParams(
        types.TextDocumentIdentifier(uri),
        types.Range(types.Position(3, 0), types.Position(3, 0)),
        types.CodeActionContext([]),
    )
    actions = await client.client.text_document_code_action_async(params)
    title = "Extract these 3 steps into one step (16 places"
    action = next(action for action in actions or () if action.title.startswith(title))
    if action.edit is None:
        action = await client.client.code_action_resolve_async(action)
    assert repr(action.edit).count("I open the login page, fill in the name") == 17


async def test_a_block_of_karates_statements_becomes_a_scenario_to_call(
    start: Start, capabilities_of: Any, tmp_path: Path
) -> None:
    signs_in = "    * url base\n    * path 'login'\n    * request { a: 1 }\n    * method post\n    * status 200\n"
    for number in range(4):
        text = f"Feature: f{number}\n  Scenario: s\n{signs_in}    * def end{number} = 1\n"
        (tmp_path / f"{number}.feature").write_text(text, "utf-8")
    client = await start(tmp_path, declared=capabilities_of("vscode"))
    uri = await client.open(tmp_path / "1.feature")
    await client.until(lambda: any(params.diagnostics for params in client.published if params.uri == uri))
    asked = {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 8}, "wording": "Sign in"}
    plan = await client.request("cukereuse/extractPlan", **asked)
    assert (plan.wording, plan.places, plan.files) == ("call read('sign-in.feature')", 4, 5)
    created, *_ = plan.edit.documentChanges
    assert (created.kind, created.uri.rsplit("/", 1)[1]) == ("create", "sign-in.feature")
    assert repr(plan.edit).count("call read('sign-in.feature')") == 4
