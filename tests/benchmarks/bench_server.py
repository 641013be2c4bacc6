"""The language server as an editor sees it, over a workspace of 71,000 steps: start, latency while indexing, edits.

    python tests/benchmarks/bench_server.py WORKSPACE [--seconds N]

Makes WORKSPACE from the suites of `CUKEREUSE_SHARED` (or `../shared`) where it does not exist. A cold run with an empty
cache, then a warm one. All times are what the client waits; the CPU seconds of all processes stand beside them, because
wall time says little on a busy machine.
"""

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path
from time import monotonic

import psutil
from lsprotocol import types
from pygls.lsp.client import LanguageClient

SUITES = (
    "3scale__porta",
    "DataDog__datadog-api-client-python",
    "activeadmin__activeadmin",
    "api-platform__core",
    "cucumber__cucumber-ruby",
    "git-town__git-town",
    "hmcts__ccd-data-store-api",
    "learningequality__kolibri",
)
HEARTBEAT = 0.02
OTHER_WORDING = """
  Scenario: the save button
    When I click the "Save" button
    When I click the "Cancel" button
    When I press the "Save" button
"""
"""Appended to the open file, so that there is something to find."""


def make_workspace(folder: Path) -> None:
    shared = Path(os.environ.get("CUKEREUSE_SHARED") or Path(__file__).parents[3] / "shared") / "suites"
    for name in SUITES:
        shutil.copytree(shared / name, folder / name)


def longest(folder: Path) -> Path:
    """The feature file nearest to a thousand lines."""
    sizes = {path: len(path.read_bytes().splitlines()) for path in folder.rglob("*.feature")}
    return min(sizes, key=lambda path: abs(sizes[path] - 1000))


class Run:
    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder, self.cache = folder, cache
        self.client = LanguageClient("bench", "1")
        self.published: list[tuple[float, types.PublishDiagnosticsParams]] = []
        self.ended: dict[str, float] = {}
        self.began = 0.0
        client = self.client

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.published.append((monotonic(), params))

        @client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def created(params: types.WorkDoneProgressCreateParams) -> None:
            del params

        @client.feature(types.PROGRESS)
        def progress(params: types.ProgressParams) -> None:
            value = params.value
            kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", "")
            if kind == "end":
                self.ended.setdefault(str(params.token).split("/")[1], monotonic() - self.began)

    async def start(self) -> None:
        env = {**os.environ, "CUKEREUSE_CACHE_DIR": str(self.cache)}
        self.began = monotonic()
        await self.client.start_io(str(Path(sys.executable).with_name("cukereuse")), "serve", env=env)
        declared = types.ClientCapabilities(
            window=types.WindowClientCapabilities(work_done_progress=True),
            text_document=types.TextDocumentClientCapabilities(
                publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True)
            ),
        )
        folders = [types.WorkspaceFolder(self.folder.as_uri(), self.folder.name)]
        params = types.InitializeParams(capabilities=declared, workspace_folders=folders, process_id=os.getpid())
        await self.client.initialize_async(params)
        self.client.initialized(types.InitializedParams())

    def open(self, path: Path, text: str) -> str:
        item = types.TextDocumentItem(path.as_uri(), "cucumber", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return path.as_uri()

    def processes(self) -> list[psutil.Process]:
        main = psutil.Process(self.client._server.pid)
        return [main, *main.children(recursive=True)]

    def memory(self) -> float:
        """Resident, in MB, child processes included."""
        return sum(process.memory_info().rss for process in self.processes()) / 1e6

    def cpu(self) -> float:
        return sum(sum(process.cpu_times()[:2]) for process in self.processes())

    async def timed(self, method: str, params: object) -> float:
        """Milliseconds."""
        start = monotonic()
        await self.client.protocol.send_request_async(method, params)
        return 1000 * (monotonic() - start)

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client._server.wait()
        await self.client.stop()


def shown(name: str, values: list[float]) -> str:
    ordered = sorted(values)
    at = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.95)]
    return (
        f"{name}: median {at[0]:.0f} ms, 95th percentile {at[1]:.0f} ms, most {ordered[-1]:.0f} ms (n={len(ordered)})"
    )


async def measure(folder: Path, cache: Path, label: str, seconds: float) -> None:
    print(f"== {label}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    run = Run(folder, cache)
    await run.start()
    path = longest(folder)
    text = path.read_text("utf-8") + OTHER_WORDING
    uri = run.open(path, text)
    hovers, beats, peak = [], [], 0.0
    first = complete = 0.0
    place = types.Position(text.split("\n").index(_step_of(text)), 12)
    position = types.HoverParams(types.TextDocumentIdentifier(uri), place)
    end = monotonic() + seconds
    while monotonic() < end and not {"index", "vectors"} <= run.ended.keys():
        # The heartbeat is a request that the main loop answers alone: an unknown document has no diagnostics.
        beats.append(await run.timed("textDocument/codeAction", _nowhere()))
        hovers.append(await run.timed("textDocument/hover", position))
        peak = max(peak, run.memory())
        rule = next((at for at, p in run.published if any(d.code != "unread" for d in p.diagnostics)), 0.0)
        if rule and not first:
            first = rule - run.began
            print(f"first findings after {first:.1f} s ({run.cpu():.1f} s of CPU)")
        if "index" in run.ended and not complete:
            complete = run.ended["index"]
            print(f"all steps compared by their words after {complete:.1f} s ({run.cpu():.1f} s of CPU)")
        await asyncio.sleep(HEARTBEAT)
    print(f"ended: {run.ended} ({run.cpu():.1f} s of CPU)")
    print(shown("hover while indexing", hovers))
    print(shown("heartbeat of the main loop", beats))
    print(f"memory: most {peak:.0f} MB, now {run.memory():.0f} MB")
    await edits(run, uri, text)
    await run.stop()


async def edits(run: Run, uri: str, text: str) -> None:
    """Keystrokes in the long file: from the change to its diagnostics, debounce included."""
    lines, took, before = text.split("\n"), [], run.cpu()
    at = lines.index(_step_of(text))
    count = 20
    for version in range(2, 2 + count):
        changed = (
            [*lines[:at], "", lines[at] + "x" * version, *lines[at + 1 :]]
            if version % 2
            else [
                *lines[:at],
                lines[at] + "y" * version,
                *lines[at + 1 :],
            ]
        )
        document = types.VersionedTextDocumentIdentifier(uri=uri, version=version)
        change = types.TextDocumentContentChangeWholeDocument("\n".join(changed))
        start = monotonic()
        run.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        while not any(p.uri == uri and p.version == version for _, p in run.published):
            if monotonic() - start > 10:
                break
            await asyncio.sleep(0.005)
        took.append(1000 * (monotonic() - start))
    print(shown("keystroke to diagnostics, 150 ms of debounce included", took))
    print(f"{(run.cpu() - before) / count:.2f} s of CPU a keystroke")


def _nowhere() -> types.CodeActionParams:
    place = types.Position(0, 0)
    document = types.TextDocumentIdentifier("file:///nowhere.feature")
    return types.CodeActionParams(document, types.Range(place, place), types.CodeActionContext([]))


def _step_of(text: str) -> str:
    """A line in the middle of the file that is a step."""
    lines = text.split("\n")
    steps = [line for line in lines if line.strip().startswith(("Given ", "When ", "Then ", "And "))]
    return steps[len(steps) // 2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--seconds", type=float, default=120.0, help="to wait for the index at most")
    options = parser.parse_args()
    if not options.workspace.exists():
        make_workspace(options.workspace)
    with tempfile.TemporaryDirectory() as cache:
        asyncio.run(measure(options.workspace.resolve(), Path(cache), "cold", options.seconds))
        asyncio.run(measure(options.workspace.resolve(), Path(cache), "warm", options.seconds))


if __name__ == "__main__":
    main()
