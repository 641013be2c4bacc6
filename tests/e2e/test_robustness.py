"""Events that must not end a session: a dead worker, malformed requests, wild edits, an early end."""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

pytestmark = pytest.mark.asyncio
Start = Callable[..., Awaitable[Any]]


@pytest.fixture(scope="session")
def command(installed_command: Path) -> Path:
    """Started as users start it, because the tests look at its processes."""
    return installed_command


def worker_of(editor: Any) -> psutil.Process:
    children = psutil.Process(editor.client._server.pid).children()
    (worker,) = [child for child in children if any("cukereuse_server.worker" in part for part in child.cmdline())]
    return worker


async def test_a_dead_worker_is_started_again(start: Start, shop: Path, capabilities_of: Any) -> None:
    editor = await start(shop, declared=capabilities_of("neovim"))
    uri = await editor.open(shop / "two.feature")
    await editor.diagnostics(uri)
    text = (shop / "two.feature").read_text("utf-8")
    version = editor.change(uri, "\n" + text)
    await editor.until(lambda: editor.has_published(uri, version, 1))
    worker_of(editor).kill()
    await editor.ready()
    version = editor.change(uri, "\n\n" + text)
    await editor.until(lambda: editor.has_published(uri, version, 1))
    assert editor.client.diagnostics[uri][0].range.start.line == 4


async def test_a_worker_that_is_given_up_is_told_of(start: Start, shop: Path, capabilities_of: Any) -> None:
    """Nobody waits for an answer that never comes, or sees that it is under way."""
    editor = await start(shop, declared=capabilities_of("neovim"))
    await editor.ready()
    killed: set[int] = set()
    while not (status := await editor.request("cukereuse/status")).failed:
        assert len(killed) < 6
        with contextlib.suppress(psutil.NoSuchProcess, ValueError):  # between two of them
            worker = worker_of(editor)
            if worker.pid not in killed:
                killed.add(worker.pid)
                worker.kill()
        await asyncio.sleep(0.05)
    assert status.complete
    assert status.suites == []
    assert editor.client.progress_reports
    for reports in editor.client.progress_reports.values():
        kinds = [report.kind for report in reports]
        assert (kinds[0], kinds[-1]) == ("begin", "end")
        assert kinds.count("end") == 1


async def test_malformed_requests_are_refused(start: Start, shop: Path, capabilities_of: Any) -> None:
    editor = await start(shop, declared=capabilities_of("neovim"))
    for method, params in (
        ("cukereuse/similar", {}),
        ("cukereuse/similar", {"text": 7}),
        ("cukereuse/similar", {"text": "x", "limit": -1}),
        ("cukereuse/cluster", {"textDocument": {"uri": "file:///nowhere.feature"}, "position": {"line": 0}}),
        ("cukereuse/cluster", {"textDocument": 3}),
        ("cukereuse/unknown", {}),
    ):
        with pytest.raises(JsonRpcException) as refused:
            await editor.request(method, **params)
        assert refused.value.code in (-32602, -32601), (method, params)
        assert (await editor.ready()).complete


async def test_null_stands_for_what_a_client_leaves_out(start: Start, shop: Path, capabilities_of: Any) -> None:
    """A change without a range replaces the whole text."""
    editor = await start(shop, declared=capabilities_of("neovim"))
    uri = await editor.open(shop / "two.feature")
    await editor.diagnostics(uri)
    text = (shop / "two.feature").read_text("utf-8")
    for version, change in enumerate(({"range": None}, {"range": None, "rangeLength": None}), 100):
        document = {"uri": uri, "version": version}
        params = {"textDocument": document, "contentChanges": [{**change, "text": "\n" * version + text}]}
        message = {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params}
        editor.client.protocol._send_data(message)
        await editor.until(lambda version=version: editor.has_published(uri, version, 1))
        assert editor.client.diagnostics[uri][0].range.start.line > version


async def test_wild_edits_leave_a_true_state(start: Start, shop: Path, capabilities_of: Any) -> None:
    editor = await start(shop, declared=capabilities_of("neovim"))
    uri = await editor.open(shop / "two.feature")
    await editor.diagnostics(uri)
    text = (shop / "two.feature").read_text("utf-8")
    chance = random.Random(7)
    pieces = ["\u2028", "\r", "😀", '"""', "\x00", "|", "Feature:", "\ufffd", "    When x\n"]
    wild = text
    for _ in range(60):
        at = chance.randrange(len(wild) + 1)
        wild = wild[:at] + chance.choice(pieces) + wild[at + chance.randrange(3) :]
        editor.change(uri, wild)
        if chance.random() < 0.2:
            await asyncio.sleep(0.01)
    editor.change(uri, text)
    await editor.until(
        lambda: [diagnostic.code for diagnostic in editor.client.diagnostics[uri]] == ["divergent-wording"]
    )
    assert not any(message.type == types.MessageType.Error for message in editor.client.messages)


async def test_shutdown_while_busy(start: Start, tmp_path: Path, capabilities_of: Any) -> None:
    folder = tmp_path / "big"
    folder.mkdir()
    for number in range(150):
        steps = "".join(f"    When I do thing {number} of kind {kind} now\n" for kind in "abcdefgh")
        (folder / f"{number}.feature").write_text(f"Feature: {number}\n  Scenario: x\n{steps}")
    editor = await start(folder, declared=capabilities_of("vscode"))
    await editor.open(folder / "1.feature")
    waiting = [asyncio.ensure_future(editor.request("cukereuse/similar", text="I do")) for _ in range(5)]
    arguments = [(folder / "1.feature").as_uri(), {"line": 2, "character": 0}]
    command = types.ExecuteCommandParams("cukereuse.similar", arguments)
    waiting.append(asyncio.ensure_future(editor.client.workspace_execute_command_async(command)))
    await editor.client.shutdown_session()
    assert editor.client._server.returncode == 0
    await asyncio.gather(*waiting, return_exceptions=True)
    assert editor.client.error is None
    editor.client.capabilities = None  # ended already


async def test_no_model_is_said_once(start: Start, shop: Path, capabilities_of: Any) -> None:
    declared = capabilities_of("neovim")
    declared.window.show_message = None
    editor = await start(shop, declared=declared)
    await editor.open(shop / "two.feature")
    await editor.until(lambda: editor.client.messages)
    (message,) = editor.client.messages
    assert "only the wording is compared" in message.message


async def test_what_is_registered(start: Start, shop: Path, capabilities_of: Any) -> None:
    editor = await start(shop, declared=capabilities_of("vscode"))
    await editor.until(lambda: len(editor.registered) == 2)
    assert {registration.method for registration in editor.registered} == {
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        types.WORKSPACE_DID_CHANGE_CONFIGURATION,
    }
