"""A cluster is renamed in stages with questions to the user, as in VS Code and Neovim."""

import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

pytestmark = pytest.mark.asyncio
in_one_session = pytest.mark.asyncio(loop_scope="module")
in_vscode = pytest.mark.parametrize("editor", ["vscode"], indirect=True)
Start = Callable[..., Awaitable[Any]]
WEBSHOP = Path(__file__).parents[1] / "suites" / "webshop"
CHECKOUT = Path("features", "checkout.feature")
EDITORS = ("vscode", "neovim")


@pytest.fixture
def webshop(tmp_path: Path) -> Path:
    return Path(shutil.copytree(WEBSHOP, tmp_path / "web#shop 100%"))


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=EDITORS)
async def editor(
    request: pytest.FixtureRequest,
    start_once: Start,
    tmp_path_factory: pytest.TempPathFactory,
    capabilities_of: Callable[[str], Any],
) -> Any:
    """An editor for tests that change nothing, with `CHECKOUT` open."""
    root = shutil.copytree(WEBSHOP, tmp_path_factory.mktemp("web#shop 100%") / "webshop")
    editor = await start_once(root, declared=capabilities_of(request.param))
    editor.uri = await editor.open(root / CHECKOUT)
    await editor.ready()
    return editor


def place_of(uri: str, text: str) -> dict[str, Any]:
    """The place of a step of `CHECKOUT`, in the form of requests."""
    line = next(i for i, source in enumerate((WEBSHOP / CHECKOUT).read_text("utf-8").split("\n")) if text in source)
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": 8}}


async def plan_of(editor: Any, place: dict[str, Any], **wish: Any) -> Any:
    """The plan, after the step definitions are known."""
    while True:
        plan = await editor.request("cukereuse/renamePlan", **place, **wish)
        if "still being read" not in getattr(plan, "refused", ""):
            return plan


def edits_of(plan: Any) -> dict[str, list[str]]:
    """Maps a file's name to its new texts."""
    edit = plan.edit
    changes = getattr(edit, "documentChanges", None)
    pairs = (
        [(change.textDocument.uri, change.edits) for change in changes]
        if changes
        else [(uri, getattr(edit.changes, uri)) for uri in edit.changes._fields]
    )
    return {uri.rpartition("/")[2]: [edit.newText for edit in edits] for uri, edits in pairs}


@in_one_session
async def test_each_wording_of_the_cluster_is_a_candidate(editor: Any) -> None:
    answer = await editor.request("cukereuse/renameCandidates", **place_of(editor.uri, "Your basket is empty"))
    assert [(candidate.phrasing, candidate.occurrences) for candidate in answer.candidates] == [
        ('I should see the message "{1}"', 2),
        ('I see the message "{1}"', 1),
        ('the message "{1}" should be shown', 1),
    ]


@in_one_session
async def test_a_step_of_its_own_is_its_only_candidate(editor: Any) -> None:
    answer = await editor.request("cukereuse/renameCandidates", **place_of(editor.uri, "a receipt is sent"))
    assert [candidate.phrasing for candidate in answer.candidates] == ['a receipt is sent to "{1}"']


@in_one_session
@in_vscode
async def test_a_plan_names_what_would_change(editor: Any) -> None:
    plan = await plan_of(
        editor, place_of(editor.uri, "Your basket is empty"), target='the page says "{1}"', cluster=True
    )
    assert (plan.target, plan.steps, plan.files) == ('the page says "{1}"', 4, 3)
    changed = edits_of(plan)
    assert sorted(changed) == ["basket.feature", "checkout.feature", "shop.py"]
    assert sorted(changed["checkout.feature"]) == ['the page says "Thank you"', 'the page says "Your basket is empty"']
    moved = [warning for warning in plan.warnings if "would serve 1 step instead of" in warning]
    assert plan.edit.changeAnnotations.cukereuse.label == "; ".join(moved)
    assert moved
    alone = await plan_of(
        editor,
        place_of(editor.uri, "Your basket is empty"),
        target='the page says "{1}"',
        cluster=True,
        move=False,
    )
    assert not hasattr(alone.edit, "changeAnnotations")
    assert any("another function would run" in group.reason for group in alone.leftOut)


async def test_an_edit_without_step_definitions_asks_for_confirmation(
    start: Start, webshop: Path, capabilities_of: Any
) -> None:
    shutil.rmtree(webshop / "features" / "steps")
    editor = await start(webshop, declared=capabilities_of("vscode"))
    place = place_of(await editor.open(webshop / CHECKOUT), "Your basket is empty")
    await editor.ready()
    plan = await plan_of(editor, place, target='it says "{1}"', cluster=True)
    assert plan.edit.changeAnnotations.cukereuse.needsConfirmation is True
    assert all(edit.annotationId == "cukereuse" for change in plan.edit.documentChanges for edit in change.edits)


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("", "empty"),
        ("it says {2}", "number them {1}"),
        ("I pay by card", "argument"),
    ],
)
@in_one_session
@in_vscode
async def test_a_plan_that_would_break_the_suite_is_refused_with_the_reason(
    editor: Any, target: str, reason: str
) -> None:
    place = place_of(editor.uri, "Your basket is empty")
    plan = await plan_of(editor, place, target=target, cluster=True)
    assert reason in plan.refused, plan.refused
    assert not hasattr(plan, "edit")


@pytest.mark.parametrize("name", EDITORS)
async def test_where_a_finding_is_shown_already_there_are_its_candidates(
    start: Start, webshop: Path, capabilities_of: Callable[[str], Any], name: str
) -> None:
    declared = capabilities_of(name)
    first = await start(webshop, declared=declared)
    uri = await first.open(webshop / CHECKOUT)
    await first.diagnostics(uri)
    await first.client.shutdown_session()
    first.client.capabilities = None  # ended already
    second = await start(webshop, declared=declared)
    await second.open(webshop / CHECKOUT)
    await second.diagnostics(uri)  # remembered
    answer = await second.request("cukereuse/renameCandidates", **place_of(uri, "I see the message"))
    assert len(answer.candidates) == 3
