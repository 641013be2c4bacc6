"""A server with nothing to do does nothing: its wakes are counted, not its time."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

pytestmark = pytest.mark.asyncio
Start = Callable[..., Awaitable[Any]]

STILL_SECONDS = 11.0
"""Seconds: the slowest work that could begin by itself is writing the file of diagnostics, after ten seconds."""
POLLS = 5


@pytest.fixture(scope="session")
def command(installed_command: Path) -> Path:
    """Started as users start it, because the test looks at its processes."""
    return installed_command


def wakes(client: LanguageClient) -> dict[int, dict[int, int]]:
    """Maps each process of the server to the number of times that each of its threads stopped to wait, by thread id."""
    main = psutil.Process(client._server.pid)
    return {process.pid: dict(_of_threads(process.pid)) for process in (main, *main.children(recursive=True))}


def _of_threads(pid: int) -> Iterator[tuple[int, int]]:
    for thread in Path(f"/proc/{pid}/task").iterdir():
        fields = dict(line.split(":", 1) for line in (thread / "status").read_text().splitlines())
        yield int(thread.name), int(fields["voluntary_ctxt_switches"])


async def _still(editor: Any) -> None:
    """Wait until all stages have ended and no thread has woken for a while."""
    await _settled(editor)
    await _unmoved(editor, STILL_SECONDS)


async def _settled(editor: Any) -> None:
    for _ in range(600):
        if (await editor.request("cukereuse/status")).settled:
            return
        await asyncio.sleep(0.2)
    raise AssertionError("the server never came to an end")


async def _unmoved(editor: Any, seconds: float) -> None:
    """Wait until no thread has woken for so long."""
    end = time.monotonic() + 10 * seconds
    before, since = wakes(editor.client), time.monotonic()
    while time.monotonic() < end:
        await asyncio.sleep(0.5)
        after = wakes(editor.client)
        if after != before:
            before, since = after, time.monotonic()
        elif time.monotonic() - since >= seconds:
            return
    raise AssertionError("the server never came to rest")


@pytest.mark.heavy(seconds=50)
@pytest.mark.skipif(sys.platform != "linux", reason="wakes are counted by /proc")
async def test_no_thread_wakes_while_nothing_changes(
    start: Start, shop: Path, shop_once: Path, capabilities_of: Any
) -> None:
    """Two servers at once, because both mostly wait."""
    await asyncio.gather(
        _nothing_wakes_after_an_edit(start, shop, capabilities_of),
        _the_worker_sleeps_while_a_client_polls(start, shop_once, capabilities_of),
    )


async def _nothing_wakes_after_an_edit(start: Start, shop: Path, capabilities_of: Any) -> None:
    editor = await start(shop, declared=capabilities_of("neovim"), settings={"workspaceDiagnostics": True})
    uri = await editor.open(shop / "two.feature")
    await editor.diagnostics(uri)
    await _still(editor)
    # after an edit, too
    version = editor.change(uri, (shop / "two.feature").read_text("utf-8") + '    Then I should see "more"\n')
    await editor.until(lambda: any(params.version == version for params in editor.published))
    await _still(editor)


async def _the_worker_sleeps_while_a_client_polls(start: Start, shop: Path, capabilities_of: Any) -> None:
    editor = await start(shop, declared=capabilities_of("vscode", pull=True), settings={"workspaceDiagnostics": True})
    uri = await editor.open(shop / "two.feature")
    enough = asyncio.Event()
    asking = asyncio.create_task(_ask_for_workspace(editor, enough))
    await _settled(editor)
    document = types.TextDocumentIdentifier(uri)
    for _ in range(2):  # what is found meanwhile is another answer, which is written down
        report = await editor.client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))
        assert report.items
        await _unmoved(editor, STILL_SECONDS)
    _, *workers = wakes(editor.client)
    assert workers
    before = wakes(editor.client)
    for _ in range(POLLS):
        params = types.DocumentDiagnosticParams(document, previous_result_id=report.result_id)
        assert (await editor.client.text_document_diagnostic_async(params)).kind == "unchanged"
    after = wakes(editor.client)
    assert [after[pid] for pid in workers] == [before[pid] for pid in workers]
    assert not asking.done()
    enough.set()
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(document))  # news, which is answered
    await asking


async def _ask_for_workspace(editor: Any, enough: asyncio.Event) -> None:
    """Asks as VS Code does: repeatedly, with its previous results; the server answers when there is news."""
    held: dict[str, str] = {}
    while not enough.is_set():
        known = [types.PreviousResultId(uri, result) for uri, result in held.items()]
        report = await editor.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(known))
        held |= {item.uri: item.result_id for item in report.items if item.result_id}
        await asyncio.sleep(0.1)
