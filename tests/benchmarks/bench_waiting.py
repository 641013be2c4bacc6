"""How long a user waits for each answer: a file is opened, read, typed in, its findings are fixed, glue code is
changed, a branch is switched; all as VS Code asks for it.

    python tests/benchmarks/bench_waiting.py WORKSPACE [--file FEATURE] [--cache FOLDER] [--answers FILE] [--trace FILE]

WORKSPACE has step definitions, and is changed and put back (use a copy). A table has the median, the 95th percentile
and the most milliseconds of each request, and a second one the longest pieces of both loops, in CPU: while one runs, no
question is answered. `--answers` writes what was answered, so that two versions of the server can be compared; the
answers while one types depend on the moment, so these are asked again after each word.
"""

import argparse
import asyncio
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from bench_server import CALM_SECONDS, at_share, thousand_lines
from plain_client import Client
from pygls.uris import to_fs_path

KEY_SECONDS = 0.08
TYPED = ("I should see the message", "the user is logged in", "I am on the home page", "I click the button")
MOST_DIAGNOSTICS = 60
SWITCHED = 300
KEYWORDS = ("Given ", "When ", "Then ", "And ", "But ", "* ")


class User:
    """Works in one feature file."""

    def __init__(self, run: Client, path: Path) -> None:
        self.run, self.path = run, path
        self.lines = path.read_text("utf-8").split("\n")
        self.versions: dict[str, int] = {}
        self.took: defaultdict[str, list[float]] = defaultdict(list)
        """Milliseconds by kind of request."""
        self.answers: dict[str, Any] = {}
        self.phases: list[tuple[str, float, float]] = []
        self.uri = path.as_uri()

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        began, cpu = monotonic(), self.run.cpu()
        yield
        self.phases.append((name, began, monotonic()))
        print(f"{name}: {monotonic() - began:.1f} s, {self.run.cpu() - cpu:.1f} s of CPU", flush=True)

    async def ask(self, kind: str, method: str, key: str = "", /, **params: Any) -> Any:
        """The answer, as plain data. `key`: keeps it for a comparison."""
        start = monotonic()
        answer = await self.run.ask(method, params)
        self.took[kind].append(1000 * (monotonic() - start))
        if key:
            self.answers[f"{kind} {key}"] = answer
        return answer

    @property
    def document(self) -> dict[str, str]:
        return {"uri": self.uri}

    def open(self, uri: str, text: str, language: str = "cucumber") -> None:
        self.versions[uri] = 1
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.run.tell("textDocument/didOpen", {"textDocument": item})

    def edit(self, uri: str, line: int, before: str, after: str) -> None:
        """Replace a whole line."""
        place = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": len(before)}}
        self.change(uri, {"range": place, "text": after})

    def change(self, uri: str, change: dict[str, Any]) -> None:
        self.versions[uri] += 1
        document = {"uri": uri, "version": self.versions[uri]}
        self.run.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    async def diagnostics(self, kind: str, uri: str = "", key: str = "") -> list[Any]:
        while True:
            report = await self.ask(kind, "textDocument/diagnostic", key, textDocument={"uri": uri or self.uri})
            if "items" in report:
                return report["items"]  # type: ignore[no-any-return]

    async def type_step(self, line: int, text: str) -> None:
        """One key every 80 ms, with the questions of VS Code; it asks for diagnostics once the last ones are there."""
        asked: list[asyncio.Task[Any]] = []
        shown = self.lines[line]
        pull: asyncio.Task[Any] | None = None
        for character in text:
            self.edit(self.uri, line, shown, shown + character)
            shown += character
            place = {"line": line, "character": len(shown)}
            asking = self.ask("completion", "textDocument/completion", textDocument=self.document, position=place)
            asked.append(asyncio.create_task(asking))
            if pull is None or pull.done():
                pull = asyncio.create_task(
                    self.ask("diagnostics of a key", "textDocument/diagnostic", textDocument=self.document)
                )
                asked.append(pull)
            await asyncio.sleep(KEY_SECONDS)
        self.lines[line] = shown
        await asyncio.gather(*asked)
        asked = [asyncio.create_task(asking) for asking in self.after_a_pause(line)]
        await asyncio.gather(*asked)

    def after_a_pause(self, line: int) -> Iterator[Any]:
        here = {"line": line, "character": len(self.lines[line])}
        yield self.diagnostics("diagnostics after a pause")
        yield self.ask("semantic tokens", "textDocument/semanticTokens/full", textDocument=self.document)
        yield self.ask("symbols", "textDocument/documentSymbol", textDocument=self.document)
        yield self.ask("folding ranges", "textDocument/foldingRange", textDocument=self.document)
        yield self.ask("highlight", "textDocument/documentHighlight", textDocument=self.document, position=here)
        yield self.ask("lenses (waits .8 s)", "textDocument/codeLens", textDocument=self.document)
        yield self.actions("actions of the light bulb", here, here, [], 2)

    async def actions(
        self, kind: str, start: Any, end: Any, diagnostics: list[Any], trigger: int, key: str = ""
    ) -> Any:
        context = {"diagnostics": diagnostics, "triggerKind": trigger}
        place = {"start": start, "end": end}
        return await self.ask(
            kind, "textDocument/codeAction", key, textDocument=self.document, range=place, context=context
        )

    async def read(self) -> None:
        """Look at each finding, and at the lenses."""
        found = await self.diagnostics("diagnostics", key="all")
        step = max(1, len(found) // MOST_DIAGNOSTICS)
        for number, each in enumerate(found[::step][:MOST_DIAGNOSTICS]):
            start, end, key = each["range"]["start"], each["range"]["end"], str(number)
            await self.ask("hover", "textDocument/hover", key, textDocument=self.document, position=start)
            await self.actions("actions of the light bulb", start, end, [each], 2, key)
            offered = await self.actions("actions that are asked for", start, end, [each], 1, key)
            for at, action in enumerate(offered or []):
                if action.get("data") and not action.get("disabled"):
                    await self.ask("action, resolved", "codeAction/resolve", f"{key} {at}", **action)
        steps = [number for number, line in enumerate(self.lines) if line.strip().startswith(KEYWORDS)]
        for line in steps[:: max(1, len(steps) // 40)]:
            place = {"line": line, "character": len(self.lines[line]) - 1}
            await self.ask("hover", "textDocument/hover", f"at {line}", textDocument=self.document, position=place)
            await self.actions("actions that are asked for", place, place, [], 1, f"at {line}")
            await self.ask(
                "completion", "textDocument/completion", f"at {line}", textDocument=self.document, position=place
            )
            await self.ask(
                "definition", "textDocument/definition", f"at {line}", textDocument=self.document, position=place
            )
            await self.ask(
                "references",
                "textDocument/references",
                f"at {line}",
                textDocument=self.document,
                position=place,
                context={"includeDeclaration": True},
            )
            await self.ask("similar", "cukereuse/similar", f"at {line}", textDocument=self.document, position=place)
            await self.ask("cluster", "cukereuse/cluster", f"at {line}", textDocument=self.document, position=place)
        lenses = await self.ask("lenses", "textDocument/codeLens", "all", textDocument=self.document)
        for number, lens in enumerate((lenses or [])[:80]):
            await self.ask("lens, resolved", "codeLens/resolve", str(number), **lens)

    async def preview(self) -> None:
        """Rename clusters in the preview, to each of their wordings."""
        found = await self.diagnostics("diagnostics")
        places = list({each["range"]["start"]["line"]: each["range"]["start"] for each in found}.values())
        for place in places[:: max(1, len(places) // 15)]:
            at = {"textDocument": self.document, "position": place}
            key = f"at {place['line']}"
            answer = await self.ask("rename candidates", "cukereuse/renameCandidates", key, **at)
            for number, each in enumerate((answer.get("candidates") or [])[:3]):
                target = each["phrasing"]
                await self.ask(
                    "rename plan", "cukereuse/renamePlan", f"{key} {number}", **at, target=target, cluster=True
                )

    async def type(self) -> None:
        steps = [number for number, line in enumerate(self.lines) if line.strip().startswith(KEYWORDS)]
        line = steps[len(steps) // 2]
        whole = self.lines[line]
        indentation = whole[: len(whole) - len(whole.lstrip())]
        for number, text in enumerate(TYPED):
            self.edit(self.uri, line, self.lines[line], f"{indentation}And ")
            self.lines[line] = f"{indentation}And "
            for at, word in enumerate(text.split(" ")):
                await self.type_step(line, word if at == 0 else f" {word}")
                place = {"line": line, "character": len(self.lines[line])}
                await self.ask(
                    "completion",
                    "textDocument/completion",
                    f"typed {number} {at}",
                    textDocument=self.document,
                    position=place,
                )
                await self.diagnostics("diagnostics", key=f"typed {number} {at}")
            await self.actions("actions that are asked for", place, place, [], 1, f"typed {number}")
            await self.ask("hover", "textDocument/hover", f"typed {number}", textDocument=self.document, position=place)
        self.edit(self.uri, line, self.lines[line], whole)
        self.lines[line] = whole

    async def glue(self) -> None:
        """Change expressions of step definitions, and lines between them."""
        steps = [number for number, line in enumerate(self.lines) if line.strip().startswith(KEYWORDS)]
        seen: set[tuple[str, int]] = set()
        for line in steps:
            place = {"line": line, "character": len(self.lines[line]) - 1}
            found = await self.ask("definition", "textDocument/definition", textDocument=self.document, position=place)
            target = (found or [None])[0] if isinstance(found, list) else found
            if not target or "uri" not in target:
                continue
            uri, at = target["uri"], target["range"]["start"]["line"]
            if (uri, at) not in seen and len(seen) < 6:
                seen.add((uri, at))
                await self.change_source(uri, at, self.lines[line], len(seen))

    async def change_source(self, uri: str, at: int, step: str, number: int) -> None:
        path = Path(to_fs_path(uri) or "")
        text = path.read_text("utf-8")
        if uri not in self.versions:
            self.open(uri, text, "")
            await self.diagnostics("diagnostics of glue", uri, f"opened {number}")
        before = text.split("\n")[at]
        words = sorted((word for word in step.split()[1:] if word.isalpha() and word in before), key=len)
        for name, shown, after in (
            ("an expression", before, before.replace(words[-1], f"{words[-1]}x", 1) if words else f"{before} "),
            ("an expression", before.replace(words[-1], f"{words[-1]}x", 1) if words else f"{before} ", before),
            ("a line", before, f"\n{before}"),
        ):
            await self.change_line(uri, at, shown, after, name, f"{number} {len(after)}")
        self.change(uri, {"text": text})
        self.run.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
        self.changed([path])
        await self.diagnostics("diagnostics after glue was saved")
        await self.run.quiet(20, 1.0)

    async def change_line(self, uri: str, at: int, before: str, after: str, name: str, key: str) -> None:
        """Change one line of code, and ask for the diagnostics of both files, as VS Code does for visible ones."""
        cpu = self.run.cpu()
        self.edit(uri, at, before, after)
        asked = [
            self.diagnostics(f"diagnostics of glue after {name} of it", uri),
            self.diagnostics(f"diagnostics of a feature after {name} of glue"),
        ]
        hovers = asyncio.create_task(self.hover_until_quiet("hover after glue"))
        await asyncio.gather(*map(asyncio.create_task, asked))
        self.took[f"both of them after {name} of glue, CPU"].append(1000 * (self.run.cpu() - cpu))
        await hovers
        await self.diagnostics("diagnostics", key=f"glue {key}")
        await self.diagnostics("diagnostics of glue", uri, key)

    async def hover_until_quiet(self, kind: str, seconds: float = 60.0, still: float = 1.0) -> None:
        """Hover over a title, which costs nothing, again and again until the server computes nothing else."""
        place = {"line": 0, "character": 0}
        quiet = asyncio.create_task(self.run.quiet(seconds, still))
        while not quiet.done():
            await self.ask(kind, "textDocument/hover", textDocument=self.document, position=place)
            await asyncio.sleep(0.1)

    def changed(self, paths: Sequence[Path]) -> None:
        events = [{"uri": path.as_uri(), "type": 2} for path in paths]
        self.run.tell("workspace/didChangeWatchedFiles", {"changes": events})

    async def switch(self) -> None:
        """300 other feature files have other steps, then their own again."""
        files = sorted(path for path in self.run.folder.rglob("*.feature") if path != self.path)
        chosen = files[:: max(1, len(files) // SWITCHED)][:SWITCHED]
        before = {path: path.read_bytes() for path in chosen}
        try:
            for number, (path, content) in enumerate(before.items()):
                path.write_bytes(_other_branch(content, number))
            await self._take(chosen, "away")
        finally:
            for path, content in before.items():
                path.write_bytes(content)
        await self._take(chosen, "back")

    async def _take(self, paths: Sequence[Path], way: str) -> None:
        began, cpu = monotonic(), self.run.cpu()
        self.changed(paths)
        hovers = asyncio.create_task(self.hover_until_quiet("hover while a branch is switched", 180, 2.0))
        await self.diagnostics("diagnostics after a switch, first")
        await hovers
        self.took["until all is known after a switch, CPU"].append(1000 * (self.run.cpu() - cpu))
        self.took["until all is known after a switch"].append(1000 * (monotonic() - began))
        await self.diagnostics("diagnostics", key=f"switched {way}")


def _other_branch(content: bytes, number: int) -> bytes:
    lines = content.split(b"\n")
    steps = [at for at, line in enumerate(lines) if line.strip().startswith(tuple(word.encode() for word in KEYWORDS))]
    for at in steps[::4]:
        lines[at] += f" of branch {number % 40}".encode()
    return b"\n".join(lines)


def show(took: dict[str, list[float]]) -> None:
    rows = [("request", "n", "median", "p95", "most")]
    for name, values in took.items():
        figures = (at_share(values, 0.5), at_share(values, 0.95), max(values))
        rows.append((name, str(len(values)), *(f"{value:.0f}" for value in figures)))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def show_pieces(trace: Path, phases: Sequence[tuple[str, float, float]]) -> None:
    """The longest pieces of both loops in each phase, in milliseconds of CPU."""
    pieces = [json.loads(line) for line in trace.read_text("utf-8").splitlines()]
    pieces = [each for each in pieces if each["name"] != "stall" and not each["name"].startswith("thread")]
    for name, began, ended in phases:
        for process in ("main", "worker"):
            own = [each for each in pieces if each["process"] == process and began <= each["at"] <= ended]
            longest: dict[str, tuple[float, float]] = {}
            for each in sorted(own, key=lambda each: each["cpu"]):
                longest[" ".join(each["name"].split()[:2])] = each["cpu"], each["wall"]
            most = sorted(longest.items(), key=lambda item: -item[1][0])[:5]
            print(f"{name}, {process}: " + "; ".join(f"{piece} {cpu:.0f} ({wall:.0f})" for piece, (cpu, wall) in most))


async def measure(run: Client, path: Path, answers: Path | None) -> None:
    user = User(run, path)
    await run.start()
    with user.phase("start"):
        user.open(user.uri, "\n".join(user.lines))
        await user.diagnostics("diagnostics, first")
        await run.settled(300)
        await run.quiet(120, CALM_SECONDS)
    for work in (user.read, user.preview, user.type, user.glue, user.switch):
        with user.phase(work.__name__):
            await work()
            await run.quiet(30, 1.0)
    show(user.took)
    show_pieces(run.trace, user.phases)
    print(f"memory: {run.memory():.0f} MB")
    await run.stop()
    if answers is not None:
        text = json.dumps(user.answers, indent=1, sort_keys=True, ensure_ascii=False, default=str)
        answers.write_text(text, "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--file", type=Path, help="the feature file (default: one of about a thousand lines)")
    parser.add_argument("--cache", type=Path, help="the folder of the server's caches (default: an empty one)")
    parser.add_argument("--answers", type=Path, help="write what was answered to this file")
    parser.add_argument("--trace", type=Path, help="keep the trace of the server's loops in this file")
    options: Any = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trace = options.trace or Path(folder) / "trace"
        trace.unlink(missing_ok=True)
        run = Client(options.workspace.resolve(), options.cache or Path(folder) / "cache", trace)
        path = (options.file or thousand_lines(run.folder)).resolve()
        print(path)
        asyncio.run(measure(run, path, options.answers))


if __name__ == "__main__":
    main()
