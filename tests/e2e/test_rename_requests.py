"""Renaming a cluster with the user asked in between, as VS Code and Neovim do it."""

import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.asyncio
Start = Callable[..., Awaitable[Any]]
WEBSHOP = Path(__file__).parents[1] / "suites" / "webshop"


@pytest.fixture
def webshop(tmp_path: Path) -> Path:
    return Path(shutil.copytree(WEBSHOP, tmp_path / "web#shop 100%"))


@pytest.fixture(params=["vscode", "neovim"])
def declared(request: pytest.FixtureRequest, capabilities_of: Any) -> Any:
    return capabilities_of(request.param)


async def at(editor: Any, file: Path, text: str) -> dict[str, Any]:
    """The place of a step, as requests name it."""
    uri = await editor.open(file)
    await editor.ready()
    line = next(i for i, one in enumerate(file.read_text("utf-8").split("\n")) if text in one)
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": 8}}


async def plan_of(editor: Any, place: dict[str, Any], **wish: Any) -> Any:
    """The plan, once the step definitions are known."""
    while True:
        plan = await editor.request("cukereuse/renamePlan", **place, **wish)
        if "still being read" not in getattr(plan, "refused", ""):
            return plan


def edits_of(plan: Any) -> dict[str, list[str]]:
    """File name to new texts."""
    edit = plan.edit
    changes = getattr(edit, "documentChanges", None)
    pairs = (
        [(change.textDocument.uri, change.edits) for change in changes]
        if changes
        else [(uri, getattr(edit.changes, uri)) for uri in edit.changes._fields]
    )
    return {uri.rpartition("/")[2]: [one.newText for one in edits] for uri, edits in pairs}


async def test_each_wording_of_the_cluster_is_a_candidate(start: Start, webshop: Path, declared: Any) -> None:
    editor = await start(webshop, declared=declared)
    place = await at(editor, webshop / "features" / "checkout.feature", "Your basket is empty")
    found = await editor.request("cukereuse/renameCandidates", **place)
    assert [(one.phrasing, one.occurrences) for one in found.candidates] == [
        ('I should see the message "{1}"', 2),
        ('I see the message "{1}"', 1),
        ('the message "{1}" should be shown', 1),
    ]


async def test_a_step_of_its_own_is_its_only_candidate(start: Start, webshop: Path, declared: Any) -> None:
    editor = await start(webshop, declared=declared)
    place = await at(editor, webshop / "features" / "checkout.feature", "a receipt is sent")
    found = await editor.request("cukereuse/renameCandidates", **place)
    assert [one.phrasing for one in found.candidates] == ['a receipt is sent to "{1}"']


async def test_a_plan_names_what_would_change(start: Start, webshop: Path, capabilities_of: Any) -> None:
    editor = await start(webshop, declared=capabilities_of("vscode"))
    place = await at(editor, webshop / "features" / "checkout.feature", "Your basket is empty")
    plan = await plan_of(editor, place, target='the page says "{1}"', cluster=True)
    assert (plan.target, plan.steps, plan.files) == ('the page says "{1}"', 4, 3)
    changed = edits_of(plan)
    assert sorted(changed) == ["basket.feature", "checkout.feature", "shop.py"]
    assert sorted(changed["checkout.feature"]) == ['the page says "Thank you"', 'the page says "Your basket is empty"']
    assert not hasattr(plan.edit, "changeAnnotations")


async def test_an_edit_without_step_definitions_asks_for_confirmation(
    start: Start, webshop: Path, capabilities_of: Any
) -> None:
    shutil.rmtree(webshop / "features" / "steps")
    editor = await start(webshop, declared=capabilities_of("vscode"))
    place = await at(editor, webshop / "features" / "checkout.feature", "Your basket is empty")
    plan = await plan_of(editor, place, target='it says "{1}"', cluster=True)
    assert plan.edit.changeAnnotations.cukereuse.needsConfirmation is True
    assert all(one.annotationId == "cukereuse" for change in plan.edit.documentChanges for one in change.edits)


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("", "empty"),
        ("it says {2}", "number them {1}"),
        ("I pay by card", "argument"),
    ],
)
async def test_a_plan_that_would_break_the_suite_is_refused_with_the_reason(
    start: Start, webshop: Path, capabilities_of: Any, target: str, reason: str
) -> None:
    editor = await start(webshop, declared=capabilities_of("vscode"))
    place = await at(editor, webshop / "features" / "checkout.feature", "Your basket is empty")
    plan = await plan_of(editor, place, target=target, cluster=True)
    assert reason in plan.refused, plan.refused
    assert not hasattr(plan, "edit")


async def test_where_a_finding_is_shown_already_there_are_its_candidates(
    start: Start, webshop: Path, declared: Any
) -> None:
    file = webshop / "features" / "checkout.feature"
    first = await start(webshop, declared=declared)
    place = await at(first, file, "I see the message")
    await first.diagnostics(place["textDocument"]["uri"])
    await first.client.shutdown_session()
    first.client.capabilities = None  # ended already
    second = await start(webshop, declared=declared)
    uri = await second.open(file)
    await second.diagnostics(uri)  # remembered
    found = await second.request("cukereuse/renameCandidates", **place)
    assert len(found.candidates) == 3
