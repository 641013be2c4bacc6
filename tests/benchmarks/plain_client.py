"""A client of the server as VS Code is one, in plain JSON: for benchmarks."""

import asyncio
import json
import os
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any

import psutil

CAPABILITIES = {
    "window": {"workDoneProgress": True},
    "workspace": {
        "diagnostics": {"refreshSupport": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "codeLens": {"refreshSupport": True},
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]},
    },
    "textDocument": {
        "diagnostic": {"relatedInformation": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "completion": {"completionItem": {"snippetSupport": True}},
        "codeAction": {
            "dataSupport": True,
            "disabledSupport": True,
            "resolveSupport": {"properties": ["edit"]},
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor"]}},
        },
    },
}
COMMANDS = ["cukereuse.findSimilarSteps", "cukereuse.renameCluster", "cukereuse.extractSteps"]


class Client:
    """A client in plain JSON: making objects of long answers would cost what is measured here."""

    def __init__(self, folder: Path, cache: Path, trace: Path) -> None:
        self.folder, self.trace = folder, trace
        self._env = {**os.environ, "CUKEREUSE_CACHE_DIR": str(cache), "CUKEREUSE_SERVER_TRACE": str(trace)}
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._numbers = count(1)

    async def start(self) -> None:
        command, pipe = str(Path(sys.executable).with_name("cukereuse")), asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(command, "serve", stdin=pipe, stdout=pipe, env=self._env)
        self._reading = asyncio.create_task(self._read())
        folder = {"uri": self.folder.as_uri(), "name": self.folder.name}
        options = {"settings": {"workspaceDiagnostics": False}, "commands": COMMANDS}
        await self.ask(
            "initialize",
            {
                "processId": os.getpid(),
                "capabilities": CAPABILITIES,
                "workspaceFolders": [folder],
                "initializationOptions": options,
            },
        )
        self.tell("initialized", {})

    async def ask(self, method: str, params: Any) -> Any:
        """The result; an error is returned as `{"error": …}`."""
        number = next(self._numbers)
        self._waiting[number] = future = asyncio.get_running_loop().create_future()
        self._send({"id": number, "method": method, "params": params})
        return await future

    def tell(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    async def settled(self, seconds: float) -> None:
        end = monotonic() + seconds
        while not (await self.ask("cukereuse/status", {}))["settled"] and monotonic() < end:
            await asyncio.sleep(0.5)

    async def quiet(self, seconds: float, still: float) -> None:
        """Wait until the server has computed nothing for `still` seconds, at most `seconds`."""
        end = monotonic() + seconds
        since, before = monotonic(), self.cpu()
        while monotonic() < end and monotonic() - since < still:
            await asyncio.sleep(0.25)
            if (now := self.cpu()) - before >= 0.04:
                since = monotonic()
            before = now

    def cpu(self) -> float:
        return sum(sum(process.cpu_times()[:2]) for process in self.processes())

    def memory(self) -> float:
        """Resident memory in MB, with child processes."""
        return sum(process.memory_info().rss for process in self.processes()) / 1e6

    def processes(self) -> list[psutil.Process]:
        main = psutil.Process(self._process.pid)
        return [main, *main.children(recursive=True)]

    async def stop(self) -> None:
        await self.ask("shutdown", None)
        self.tell("exit", None)
        await self._process.wait()
        self._reading.cancel()

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    async def _read(self) -> None:
        source = self._process.stdout
        assert source is not None
        with suppress(asyncio.IncompleteReadError):
            while True:
                head = await source.readuntil(b"\r\n\r\n")
                length = next(int(line[15:]) for line in head.split(b"\r\n") if line.startswith(b"Content-Length:"))
                message = json.loads(await source.readexactly(length))
                if "method" in message and "id" in message:
                    items = (message.get("params") or {}).get("items") or ()
                    configuration = message["method"] == "workspace/configuration"
                    self._send({"id": message["id"], "result": [None] * len(items) if configuration else None})
                elif "id" in message:
                    answer = {"error": message["error"]} if "error" in message else message["result"]
                    self._waiting.pop(message["id"]).set_result(answer)
