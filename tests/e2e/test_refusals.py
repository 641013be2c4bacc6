"""The client's answer, and the log, if a request is refused or can't be read: raw messages, as unusual clients send
them."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

pytestmark = pytest.mark.asyncio
SECONDS = 120.0


class Raw:
    """A client that sends arbitrary messages."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self.sink, self.source = process, process.stdin, process.stdout
        self.count = 0

    def send(self, **message: Any) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def write(self, body: bytes) -> None:
        self.sink.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    async def request(self, method: str, params: Any) -> Any:
        """The whole answer; meanwhile, questions of the server get null, and notifications are ignored."""
        self.count += 1
        self.send(id=self.count, method=method, params=params)
        while True:
            message = await asyncio.wait_for(self.receive(), SECONDS)
            if "method" not in message and message.get("id") == self.count:
                return message
            if "method" in message and "id" in message:
                self.send(id=message["id"], result=None)

    async def receive(self) -> Any:
        length = 0
        while line := (await self.source.readline()).strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return json.loads(await self.source.readexactly(length))

    async def log(self) -> str:
        """The log, after the session has ended."""
        await self.request("shutdown", None)
        self.send(method="exit")
        assert self.process.stderr is not None
        log = (await asyncio.wait_for(self.process.stderr.read(), SECONDS)).decode()
        assert await asyncio.wait_for(self.process.wait(), SECONDS) == 0
        return log


@pytest_asyncio.fixture
async def raw(shop: Path, tmp_path: Path, command: Path) -> AsyncIterator[Raw]:
    pipe = asyncio.subprocess.PIPE
    env = {
        **os.environ,
        "CUKEREUSE_CACHE_DIR": str(tmp_path / "cache"),
        "CUKEREUSE_MODEL_DIR": str(tmp_path / "no model"),
    }
    process = await asyncio.create_subprocess_exec(str(command), "serve", stdin=pipe, stdout=pipe, stderr=pipe, env=env)
    client = Raw(process)
    folder = {"uri": shop.as_uri(), "name": "shop"}
    await client.request("initialize", {"processId": None, "capabilities": {}, "workspaceFolders": [folder]})
    client.send(method="initialized", params={})
    text = (shop / "two.feature").read_text("utf-8")
    document = {"uri": (shop / "two.feature").as_uri(), "languageId": "cucumber", "version": 1, "text": text}
    client.send(method="textDocument/didOpen", params={"textDocument": document})
    yield client
    if process.returncode is None:
        process.kill()
        await process.wait()


@pytest.fixture
def uri(shop: Path) -> str:
    return (shop / "two.feature").as_uri()


async def hover(raw: Raw, uri: str) -> Any:
    """The hover at the first step, after the file is read."""
    place = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 9}}
    async with asyncio.timeout(SECONDS):
        while (answer := await raw.request("textDocument/hover", place))["result"] is None:
            await asyncio.sleep(0.05)
    return answer["result"]


async def test_a_refused_rename_is_one_line_in_the_log(raw: Raw, uri: str) -> None:
    wish = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 9}, "newName": "I pay {"}
    async with asyncio.timeout(SECONDS):
        answer = await raw.request("textDocument/rename", wish)
        while "still being read" in answer["error"]["message"]:
            await asyncio.sleep(0.05)
            answer = await raw.request("textDocument/rename", wish)
    assert answer["error"]["code"] == -32803
    assert "a single {" in answer["error"]["message"]
    (line,) = [line for line in (await raw.log()).splitlines() if "a single {" in line]
    assert line.startswith("WARNING cukereuse_server.rpc: refused: ")


async def test_a_request_that_can_not_be_read_is_answered(raw: Raw, uri: str) -> None:
    document = {"textDocument": {"uri": uri}}
    requests: list[tuple[str, Any]] = [
        ("textDocument/hover", {**document, "position": {"line": -1, "character": 0}}),
        ("textDocument/hover", {**document, "position": {"line": "x", "character": 0}}),
        ("textDocument/hover", {**document, "position": {"line": 1e30, "character": 0}}),
        ("textDocument/hover", document),
        ("textDocument/codeAction", {**document, "range": None}),
        ("textDocument/completion", []),
        ("textDocument/rename", None),
    ]
    for method, params in requests:
        answer = await raw.request(method, params)
        assert answer["error"]["code"] == -32602, (method, params)
        assert method in answer["error"]["message"]
    log = await raw.log()
    assert "Traceback" not in log
    methods = [method for line in log.splitlines() for method in dict(requests) if method in line]
    assert methods == [method for method, _ in requests]


async def test_what_is_no_request_is_passed_over(raw: Raw, uri: str) -> None:
    raw.send(method="textDocument/didChange", params={"textDocument": {"uri": uri}, "contentChanges": 3})
    raw.send(method="textDocument/didOpen", params={})
    raw.send(method="workspace/didChangeConfiguration", params=None)
    raw.send(method="$/cancelRequest", params={"id": 12345})
    raw.send(id=99999, result={"nobody": "asked"})
    raw.write(b"no json")
    raw.write(b"[]")
    raw.write(b'"text"')
    raw.write(b'{"jsonrpc": "1.0"}')
    hovered = await hover(raw, uri)
    assert "used 1×" in hovered["contents"]["value"]


async def test_half_of_a_surrogate_pair_is_a_character_like_any_other(raw: Raw, shop: Path) -> None:
    """Editors whose texts are UTF-16 may send it, as `\\ud83d` in JSON."""
    uri = (shop / "new.feature").as_uri()
    text = 'Feature: n\n  Scenario: s\n    When I press the "\ud83d" button\n'
    raw.send(
        method="textDocument/didOpen",
        params={"textDocument": {"uri": uri, "languageId": "cucumber", "version": 1, "text": text}},
    )
    hovered = await hover(raw, uri)
    assert hovered["range"] == {"start": {"line": 2, "character": 9}, "end": {"line": 2, "character": 31}}
    answer = await raw.request("cukereuse/similar", {"text": "I press \ud83d", "textDocument": {"uri": uri}})
    assert answer["result"]["items"]
    assert "Error" not in await raw.log()


async def test_parameters_out_of_bounds_are_refused(raw: Raw, uri: str) -> None:
    document = {"textDocument": {"uri": uri}}
    for method, params in (
        ("cukereuse/cluster", {**document, "position": {"line": -5, "character": 0}}),
        ("cukereuse/similar", {**document, "position": {"line": True, "character": 0}}),
        ("cukereuse/similar", {"text": "x", "limit": True}),
        ("cukereuse/renamePlan", {**document, "position": {"line": 2, "character": 2**40}, "target": "x"}),
        ("workspace/executeCommand", {"command": "cukereuse.similar", "arguments": None}),
        ("workspace/executeCommand", {"command": "cukereuse.similar", "arguments": [uri, {"line": -1}]}),
        ("workspace/executeCommand", {"command": "cukereuse.unknown"}),
    ):
        answer = await raw.request(method, params)
        assert answer["error"]["code"] == -32602, (method, params)
    assert "Traceback" not in await raw.log()


async def test_what_is_no_action_of_ours_is_disabled(raw: Raw, uri: str) -> None:
    for data in (
        {"uri": uri, "version": 1, "line": 3, "do": "use"},
        {"uri": uri, "version": 1, "line": 99, "do": "ignore", "rule": "x"},
        {"uri": uri, "version": 1, "line": -4, "do": "ignore", "rule": "x"},
        {"uri": uri, "version": 1, "line": 3, "do": "dance"},
        {"uri": [uri], "version": 1, "line": 3},
    ):
        answer = await raw.request("codeAction/resolve", {"title": "x", "data": data})
        assert answer["result"]["disabled"]["reason"], data
        assert "edit" not in answer["result"]
