"""The language server as an editor sees it, over a workspace of 71,000 steps: start, latency while indexing, edits.

    python tests/benchmarks/bench_server.py WORKSPACE [--seconds N] [--trace FILE]

Makes WORKSPACE from the suites of `CUKEREUSE_SHARED` (or `../shared`) if it does not exist. A cold run with an empty
cache, then a warm one; at the end a table of each figure with its limit. All times are what the client waits; the table
also has the CPU seconds of all processes, because wall time says little on a busy machine. A third run shows all
findings of the workspace and is left alone, while it is asked again and again as VS Code asks. What the server's own
loops did comes from `CUKEREUSE_SERVER_TRACE`: a stall of the main loop with no callback as long in CPU is the
machine's.
"""

import argparse
import asyncio
import contextlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import psutil
from lsprotocol import types
from pygls.exceptions import JsonRpcException
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
HOVER_EVERY = 0.02
KEYSTROKES, COMPLETIONS = 20, 20
DEBOUNCE = 150
IDLE_SECONDS, ASK_EVERY = 20.0, 2.0
"""Seconds for which the server is left alone, and between two questions of VS Code meanwhile."""
CALM_SECONDS = 5.0
"""Seconds after which everything has begun that waits for a pause of the typist."""
STEP = (b"Given ", b"When ", b"Then ", b"And ", b"* ")
OTHER_WORDING = """
  Scenario: the save button
    When I click the "Save" button
    When I click the "Cancel" button
    When I press the "Save" button
"""
"""Text for the open file, so that there is a finding."""


def make_workspace(folder: Path) -> None:
    shared = Path(os.environ.get("CUKEREUSE_SHARED") or Path(__file__).parents[3] / "shared") / "suites"
    for name in SUITES:
        shutil.copytree(shared / name, folder / name)


def thousand_lines(folder: Path) -> Path:
    """The feature file with the most steps among those of about a thousand lines."""
    sizes = {path: path.read_bytes().splitlines() for path in folder.rglob("*.feature")}
    near = [path for path, lines in sizes.items() if 900 <= len(lines) <= 1100]
    return max(near, key=lambda path: (sum(line.strip().startswith(STEP) for line in sizes[path]), path))


@dataclass
class Table:
    """The measured figures."""

    rows: list[tuple[str, str, str, str, str]] = field(default_factory=list)

    def add(self, name: str, value: float, limit: float | None, unit: str, cpu: str = "") -> None:
        verdict = "" if limit is None else "yes" if value <= limit else "NO"
        shown = "" if limit is None else f"<= {limit:g} {unit}"
        self.rows.append((name, shown, f"{value:.{0 if value >= 10 else 1}f} {unit}", verdict, cpu))
        print(f"{name}: {self.rows[-1][2]} {cpu}", flush=True)

    def show(self) -> None:
        rows = [("figure", "limit", "measured", "ok", "CPU"), *self.rows]
        widths = [max(len(row[column]) for row in rows) for column in range(5)]
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


class Run:
    def __init__(self, folder: Path, cache: Path, trace: Path | None, *, pulls: bool = False) -> None:
        """`pulls`: ask for diagnostics of the whole workspace, as VS Code does; otherwise wait for pushed ones."""
        self.folder, self.cache, self.trace, self.pulls = folder, cache, trace, pulls
        self.client = LanguageClient("bench", "1")
        self.published: list[tuple[float, types.PublishDiagnosticsParams]] = []
        self.ended: dict[str, tuple[float, float]] = {}
        """Maps a task to the seconds, and the CPU seconds, until it ended."""
        self.began = 0.0
        client = self.client

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.published.append((monotonic(), params))

        @client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def created(params: types.WorkDoneProgressCreateParams) -> None:
            del params

        @client.feature(types.WORKSPACE_DIAGNOSTIC_REFRESH)
        def refresh(params: None) -> None:
            del params

        @client.feature(types.WINDOW_LOG_MESSAGE)
        def logged(params: types.LogMessageParams) -> None:
            del params

        @client.feature(types.PROGRESS)
        def progress(params: types.ProgressParams) -> None:
            value = params.value
            kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", "")
            if kind == "end":
                self.ended.setdefault(str(params.token).split("/")[1], (monotonic() - self.began, self.cpu()))

    async def start(self) -> None:
        env = {**os.environ, "CUKEREUSE_CACHE_DIR": str(self.cache), "CUKEREUSE_SERVER_TRACE": str(self.trace or "")}
        self.began = monotonic()
        await self.client.start_io(str(Path(sys.executable).with_name("cukereuse")), "serve", env=env)
        declared = types.ClientCapabilities(
            window=types.WindowClientCapabilities(work_done_progress=True),
            text_document=types.TextDocumentClientCapabilities(
                publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True),
                diagnostic=types.DiagnosticClientCapabilities(related_information=True) if self.pulls else None,
                document_symbol=types.DocumentSymbolClientCapabilities(hierarchical_document_symbol_support=True),
                code_action=types.CodeActionClientCapabilities(
                    data_support=True, resolve_support=types.ClientCodeActionResolveOptions(["edit"])
                ),
            ),
        )
        if self.pulls:
            declared.workspace = types.WorkspaceClientCapabilities(
                diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
            )
        params = types.InitializeParams(
            capabilities=declared,
            workspace_folders=[types.WorkspaceFolder(self.folder.as_uri(), self.folder.name)],
            process_id=os.getpid(),
            initialization_options={"settings": {"workspaceDiagnostics": self.pulls}},
        )
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
        """Resident memory in MB, with child processes."""
        return sum(process.memory_info().rss for process in self.processes()) / 1e6

    def cpu(self) -> float:
        return sum(sum(process.cpu_times()[:2]) for process in self.processes())

    def first(self) -> float:
        """Seconds until the first diagnostics other than `unread` were published; 0 if none were."""
        moments = (at for at, p in self.published if any(d.code != "unread" for d in p.diagnostics))
        return next(moments, self.began) - self.began

    async def timed(self, method: str, params: object) -> float:
        """Milliseconds of a request."""
        start = monotonic()
        await self.client.protocol.send_request_async(method, params)
        return 1000 * (monotonic() - start)

    async def settled(self, seconds: float) -> None:
        """Wait until every suite has passed all stages: the progress of a task may end between two suites."""
        end = monotonic() + seconds
        while monotonic() < end:
            status = await self.client.protocol.send_request_async("cukereuse/status", {})
            if status.settled:
                break
            await asyncio.sleep(1.0)

    async def quiet(self, seconds: float = 30.0, still: float = 0.5) -> None:
        """Wait until the server has computed nothing for `still` seconds, at most `seconds`."""
        end = monotonic() + seconds
        since, before = monotonic(), self.cpu()
        while monotonic() < end and monotonic() - since < still:
            await asyncio.sleep(0.5)
            if (now := self.cpu()) - before >= 0.04:
                since = monotonic()
            before = now

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client._server.wait()
        await self.client.stop()


def at_share(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def spread(values: Sequence[float]) -> str:
    return f"median {at_share(values, 0.5):.0f}, most {max(values):.0f} (n={len(values)})"


async def measure(run: Run, label: str, seconds: float, table: Table) -> None:
    print(f"== {label}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    await run.start()
    path = thousand_lines(run.folder)
    text = path.read_text("utf-8") + OTHER_WORDING
    uri = run.open(path, text)
    hovers: list[float] = []
    peak = first = first_cpu = 0.0
    place = types.Position(text.split("\n").index(_step_of(text)), 12)
    position = types.HoverParams(types.TextDocumentIdentifier(uri), place)
    end = monotonic() + seconds
    while monotonic() < end and not {"index", "vectors"} <= run.ended.keys():
        hovers.append(await run.timed("textDocument/hover", position))
        peak = max(peak, run.memory())
        if not first and run.first():
            first, first_cpu = run.first(), run.cpu()
        await asyncio.sleep(HOVER_EVERY)
    indexed = monotonic()
    missing = (seconds, run.cpu())
    cold = label == "cold"
    table.add(f"{label}: first findings", first or seconds, 15 if cold else 2, "s", f"{first_cpu:.1f} s")
    for task, name, limit in (("index", "compared by wording", 15), ("vectors", "steps embedded", 60)):
        wall, cpu = run.ended.get(task, missing)
        table.add(f"{label}: {name}", wall, limit if cold else None, "s", f"{cpu:.1f} s")
    await run.settled(seconds)
    table.add(f"{label}: compared by meaning", monotonic() - run.began, 60 if cold else None, "s", f"{run.cpu():.1f} s")
    table.add(f"{label}: hover while indexing, p95", at_share(hovers, 0.95), 100, "ms", spread(hovers))
    stalls(run, label, indexed, table)
    await run.quiet(60, CALM_SECONDS)
    await edits(run, uri, text, label, table)
    await completions(run, uri, text, label, table)
    table.add(f"{label}: memory, most", max(peak, run.memory()), 700, "MB", f"now {run.memory():.0f} MB")
    await run.stop()


async def idle(run: Run, seconds: float, table: Table) -> None:
    """Nothing changes; one file is open, and the client shows the findings of all."""
    await run.start()
    path = thousand_lines(run.folder)
    uri = run.open(path, path.read_text("utf-8"))
    end = monotonic() + seconds
    asking = asyncio.create_task(ask_for_workspace(run))
    while monotonic() < end and not {"index", "vectors"} <= run.ended.keys():
        await asyncio.sleep(0.1)
    result_id = await ask_for_file(run, uri, None)
    await run.settled(seconds)
    await run.quiet(60, CALM_SECONDS)
    began, cpu = monotonic(), run.cpu()
    while monotonic() < began + IDLE_SECONDS:
        await asyncio.sleep(ASK_EVERY)
        result_id = await ask_for_file(run, uri, result_id)
    spent, took = run.cpu() - cpu, monotonic() - began
    table.add("idle: of one core", 100 * spent / took, 0.5, "%", f"{spent:.2f} s in {took:.0f} s")
    asking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asking
    await run.stop()


async def ask_for_file(run: Run, uri: str, known: str | None) -> str | None:
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri), previous_result_id=known)
    with contextlib.suppress(JsonRpcException):  # the client should ask again
        report = await run.client.text_document_diagnostic_async(params)
        return report.result_id
    return known


async def ask_for_workspace(run: Run) -> None:
    held: dict[str, str] = {}
    while True:
        known = [types.PreviousResultId(uri, result) for uri, result in held.items()]
        report = await run.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(known))
        held |= {item.uri: item.result_id for item in report.items if item.result_id}
        await asyncio.sleep(ASK_EVERY)


def stalls(run: Run, label: str, until: float, table: Table) -> None:
    """The time that the loops were blocked while the workspace was indexed."""
    assert run.trace is not None
    lines = [json.loads(line) for line in run.trace.read_text("utf-8").splitlines()]
    lines = [line for line in lines if run.began <= line["at"] <= until]
    late = max((line for line in lines if line["name"] == "stall"), key=lambda line: line["wall"], default=None)
    for process, limit in (("main", 50), ("worker", None)):
        pieces = [line for line in lines if line["process"] == process]
        own = [piece for piece in pieces if piece["name"] != "stall" and not piece["name"].startswith("thread")]
        longest_piece = max(own, key=lambda line: line["cpu"], default=None)
        if longest_piece is not None:
            name = str(longest_piece["name"]).split(" /")[0]
            table.add(f"{label}: longest piece of the {process} loop, CPU", longest_piece["cpu"], limit, "ms", name)
    if late is not None:
        cpu = f"{late['cpu']:.0f} ms of CPU meanwhile"
        table.add(f"{label}: longest stall of the main loop", late["wall"], 50, "ms", cpu)


async def edits(run: Run, uri: str, text: str, label: str, table: Table) -> None:
    """Keystrokes in the long file: from the change to its diagnostics, debounce included."""
    lines, took = text.split("\n"), []
    at = lines.index(_step_of(text))
    shown = [lines[at]]
    with spent(run) as cpu:
        for version in range(2, 2 + KEYSTROKES):
            place = types.Range(types.Position(at, 0), types.Position(at + len(shown), 0))
            shown = [*([""] if version % 2 else []), lines[at] + "xy"[version % 2] * version]
            document = types.VersionedTextDocumentIdentifier(uri=uri, version=version)
            change = types.TextDocumentContentChangePartial(place, "".join(f"{line}\n" for line in shown))
            start = monotonic()
            run.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
            while not any(p.uri == uri and p.version == version for _, p in run.published):
                if monotonic() - start > 10:
                    break
                await asyncio.sleep(0.005)
            took.append(1000 * (monotonic() - start))
        await run.quiet(10)
    shown = f"{1000 * cpu[0] / KEYSTROKES:.0f} ms a keystroke; {spread(took)}"
    table.add(
        f"{label}: keystroke to diagnostics, debounce included, p95", at_share(took, 0.95), DEBOUNCE + 300, "ms", shown
    )


async def completions(run: Run, uri: str, text: str, label: str, table: Table) -> None:
    line = text.split("\n").index(_step_of(text))
    document = types.TextDocumentIdentifier(uri)
    params = types.CompletionParams(document, types.Position(line, len(_step_of(text)) - 4))
    with spent(run) as cpu:
        took = [await run.timed("textDocument/completion", params) for _ in range(COMPLETIONS)]
    shown = f"{1000 * cpu[0] / COMPLETIONS:.0f} ms each; {spread(took)}"
    table.add(f"{label}: completion, p95", at_share(took, 0.95), None, "ms", shown)


@contextmanager
def spent(run: Run) -> Iterator[list[float]]:
    """CPU seconds of all processes inside the block."""
    cpu, before = [0.0], run.cpu()
    yield cpu
    cpu[0] = run.cpu() - before


def _step_of(text: str) -> str:
    """A step's line in the middle of the file."""
    lines = text.split("\n")
    steps = [line for line in lines if line.strip().startswith(("Given ", "When ", "Then ", "And "))]
    return steps[len(steps) // 2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--seconds", type=float, default=120.0, help="to wait for the index at most")
    parser.add_argument("--trace", type=Path, help="keep the trace of the server's loops in this file")
    options: Any = parser.parse_args()
    if not options.workspace.exists():
        make_workspace(options.workspace)
    table = Table()
    with tempfile.TemporaryDirectory() as folder:
        trace = options.trace or Path(folder) / "trace"
        for label in ("cold", "warm"):
            run = Run(options.workspace.resolve(), Path(folder) / "cache", trace)
            asyncio.run(measure(run, label, options.seconds, table))
        alone = Run(options.workspace.resolve(), Path(folder) / "cache", None, pulls=True)
        asyncio.run(idle(alone, options.seconds, table))
    table.show()


if __name__ == "__main__":
    main()
