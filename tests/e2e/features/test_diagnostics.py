"""Diagnostics as editors get them."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from cukereuse_engine.rules import RULES

pytestmark = pytest.mark.asyncio
Start = Callable[..., Awaitable[Any]]


@pytest.fixture(params=["vscode", "neovim"])
def declared(request: pytest.FixtureRequest, capabilities_of: Callable[..., types.ClientCapabilities]) -> Any:
    return capabilities_of(request.param)


@pytest.fixture
def publishing(capabilities_of: Callable[..., types.ClientCapabilities]) -> Any:
    """The capabilities of an editor to which diagnostics are published; the tests need no particular one."""
    return capabilities_of("neovim")


async def test_another_wording_is_shown_where_it_stands(start: Start, shop: Path, declared: Any) -> None:
    editor = await start(shop, declared=declared)
    uri = await editor.open(shop / "two.feature")
    (diagnostic,) = await editor.diagnostics(uri)
    assert diagnostic.code == "divergent-wording"
    assert diagnostic.source == "cukereuse"
    assert diagnostic.severity == types.DiagnosticSeverity.Information
    assert diagnostic.range.start == types.Position(2, 9)
    assert diagnostic.data["fingerprint"]
    assert editor.published[-1].version == editor.version
    assert diagnostic.related_information
    assert diagnostic.related_information[0].location.uri == (shop / "one.feature").as_uri()
    assert diagnostic.related_information[0].location.range.start == types.Position(2, 9)


async def test_the_rule_links_to_the_guide_of_the_rules(start: Start, shop: Path, declared: Any) -> None:
    editor = await start(shop, declared=declared)
    uri = await editor.open(shop / "two.feature")
    (diagnostic,) = await editor.diagnostics(uri)
    if not declared.text_document.publish_diagnostics.code_description_support:
        assert diagnostic.code_description is None
        return
    page, _, anchor = diagnostic.code_description.href.partition("#")
    assert anchor == diagnostic.code
    name = page.partition("/blob/main/")[2]
    headings = (Path(__file__).parents[3] / name).read_text("utf-8").splitlines()
    assert [rule for rule in RULES if f"### {rule}" not in headings] == []


@pytest.mark.parametrize(("encoding", "end"), [("utf-8", 40), ("utf-16", 37), ("utf-32", 36)])
async def test_positions_are_in_the_units_that_were_agreed_on(
    start: Start, shop: Path, capabilities_of: Any, encoding: str, end: int
) -> None:
    editor = await start(shop, declared=capabilities_of("neovim", encoding))
    uri = await editor.open(shop / "two.feature")
    (diagnostic,) = await editor.diagnostics(uri)
    assert diagnostic.range == types.Range(types.Position(2, 9), types.Position(2, end))


async def test_typing_brings_and_takes_diagnostics(start: Start, shop: Path, declared: Any) -> None:
    editor = await start(shop, declared=declared)
    first = await editor.open(shop / "one.feature")
    uri = await editor.open(shop / "two.feature")
    await editor.diagnostics(uri)
    text = (shop / "two.feature").read_text("utf-8")
    version = editor.change(uri, text.replace("press", "click"))
    await editor.until(lambda: editor.has_published(uri, version, 0))
    version = editor.change(uri, "\n" + text)
    await editor.until(lambda: editor.has_published(uri, version, 1))
    assert editor.client.diagnostics[uri][0].range.start.line == 3
    many = "".join(f'    When I press the "{n}" button\n' for n in range(4))
    version = editor.change(uri, text + many)  # the other wording is in use more now
    await editor.until(lambda: editor.client.diagnostics.get(first))
    assert editor.client.diagnostics[first][0].range.start.line == 2
    await editor.until(lambda: not editor.client.diagnostics[uri])


async def test_half_typed_files_are_read_as_far_as_they_go(start: Start, shop: Path, publishing: Any) -> None:
    editor = await start(shop, declared=publishing)
    uri = await editor.open(shop / "two.feature")
    await editor.diagnostics(uri)
    text = (shop / "two.feature").read_text("utf-8")
    version = editor.change(uri, text + "    whe\n")
    await editor.until(lambda: editor.has_published(uri, version, 2))
    codes = {diagnostic.code: diagnostic for diagnostic in editor.client.diagnostics[uri]}
    assert codes["unread"].range.start.line == 4
    assert codes["unread"].severity == types.DiagnosticSeverity.Warning


async def test_severity_can_be_set(start: Start, shop: Path, publishing: Any) -> None:
    settings = {"severity": {"divergent-wording": "error"}, "threshold": "high"}
    editor = await start(shop, declared=publishing, settings=settings, options={"settings": settings})
    uri = await editor.open(shop / "two.feature")
    (diagnostic,) = await editor.diagnostics(uri)
    assert diagnostic.severity == types.DiagnosticSeverity.Error
    await editor.until(lambda: any("threshold" in message.message for message in editor.client.messages))


async def test_the_whole_workspace_by_setting(start: Start, shop: Path, publishing: Any) -> None:
    settings = {"workspaceDiagnostics": True}
    editor = await start(shop, declared=publishing, settings=settings, options={"settings": settings})
    uri = (shop / "two.feature").as_uri()
    await editor.diagnostics(uri)
    assert editor.published[-1].version is None


async def test_closing_takes_diagnostics_away(start: Start, shop: Path, publishing: Any) -> None:
    editor = await start(shop, declared=publishing)
    uri = await editor.open(shop / "two.feature")
    await editor.diagnostics(uri)
    document = types.TextDocumentIdentifier(uri)
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(document))
    await editor.until(lambda: not editor.client.diagnostics[uri])


async def test_pull_where_the_client_pulls(start: Start, shop: Path, capabilities_of: Any) -> None:
    editor = await start(shop, declared=capabilities_of("vscode", pull=True))
    uri = await editor.open(shop / "two.feature")
    await editor.ready()
    document = types.TextDocumentIdentifier(uri)
    report = await editor.client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))
    assert [item.code for item in report.items] == ["divergent-wording"]
    again = types.DocumentDiagnosticParams(document, previous_result_id=report.result_id)
    report = await editor.client.text_document_diagnostic_async(again)
    assert isinstance(report, types.RelatedUnchangedDocumentDiagnosticReport)
    await editor.until(lambda: editor.client.diagnostic_refresh_count)
    assert not editor.published


async def test_whoever_asks_for_the_workspace_again_waits_for_news(
    start: Start, shop: Path, capabilities_of: Any
) -> None:
    editor = await start(shop, declared=capabilities_of("vscode", pull=True), settings={"workspaceDiagnostics": True})
    await editor.ready()
    held: dict[str, str] = {}
    answers: list[list[str]] = []

    async def ask() -> None:
        previous = [types.PreviousResultId(uri, result) for uri, result in held.items()]
        report = await editor.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(previous))
        held.update((item.uri, item.result_id) for item in report.items if item.result_id)
        answers.append([item.kind for item in report.items])

    asking = asyncio.create_task(ask())
    while True:  # as VS Code does, without its two seconds between
        done, _ = await asyncio.wait([asking], timeout=1.5)
        if not done:
            break
        asking = asyncio.create_task(ask())
    assert ["full"] in answers
    assert held.keys() == {(shop / "two.feature").as_uri()}
    seen = len(answers)
    (shop / "one.feature").unlink()
    event = types.FileEvent((shop / "one.feature").as_uri(), types.FileChangeType.Deleted)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await asyncio.wait_for(asking, 30)
    assert answers[seen:] == [["full"]]  # emptied


async def test_what_changes_on_disk_is_seen(start: Start, shop: Path, capabilities_of: Any) -> None:
    editor = await start(shop, declared=capabilities_of("vscode"))
    uri = await editor.open(shop / "two.feature")
    await editor.diagnostics(uri)
    (shop / "one.feature").unlink()
    event = types.FileEvent((shop / "one.feature").as_uri(), types.FileChangeType.Deleted)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await editor.until(lambda: not editor.client.diagnostics[uri])


async def test_folders_come_and_go(start: Start, shop: Path, tmp_path: Path, capabilities_of: Any) -> None:
    other = tmp_path / "other"
    other.mkdir()
    editor = await start(other, declared=capabilities_of("vscode"))
    uri = await editor.open(shop / "two.feature")
    await editor.ready()
    assert not editor.client.diagnostics.get(uri)
    folder = types.WorkspaceFolder(shop.as_uri(), "shop")

    def tell(added: list[types.WorkspaceFolder], removed: list[types.WorkspaceFolder]) -> None:
        event = types.WorkspaceFoldersChangeEvent(added=added, removed=removed)
        editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))

    tell([folder], [])
    await editor.diagnostics(uri)
    tell([], [folder])
    await editor.until(lambda: not editor.client.diagnostics[uri])


async def test_what_changed_elsewhere_is_seen_at_a_save_where_no_files_are_watched(
    start: Start, shop: Path, capabilities_of: Any
) -> None:
    declared = capabilities_of("neovim")
    declared.workspace.did_change_watched_files = None
    editor = await start(shop, declared=declared)
    uri = await editor.open(shop / "two.feature")
    await editor.diagnostics(uri)
    saved = types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri))
    for setting, count in (("off", 0), ("warning", 1)):
        (shop / "cukereuse.toml").write_text(f'[severity]\ndivergent-wording = "{setting}"\n')
        editor.client.text_document_did_save(saved)
        await editor.until(lambda count=count: len(editor.client.diagnostics[uri]) == count)
    assert editor.client.diagnostics[uri][0].severity == types.DiagnosticSeverity.Warning
    (shop / ".gitignore").write_text("one.feature\n")
    (shop / ".git").mkdir()
    editor.client.text_document_did_save(saved)
    await editor.until(lambda: not editor.client.diagnostics[uri])
