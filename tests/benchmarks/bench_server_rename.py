"""Measures a rename in the running server: the time of F2 on a step, in an indexed suite.

    python tests/benchmarks/bench_server_rename.py FOLDER [--number N] [--seed N] [--seconds N]

Steps are chosen by chance, each definition once. Prints milliseconds that the client waits for `prepareRename` and for
`rename`, with the CPU seconds of all processes beside them. Nothing is written.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from bench_server import Run  # type: ignore[import-not-found]
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from cukereuse_engine.scanning.repository import read_repository
from cukereuse_engine.settings import Settings


def chosen(folder: Path, number: int, seed: int) -> list[tuple[Path, int, int, str, int]]:
    """Path, 0-based line and column, text, and the number of steps in the suites."""
    settings = Settings(jobs=1)
    workspace = read_repository([folder], settings, lambda _: settings).suites
    assert workspace is not None
    assert workspace.glue is not None
    steps = [step for file in workspace.files.values() for step in file.steps if step.text]
    random.Random(seed).shuffle(steps)
    places: dict[str, tuple[Path, int, int, str, int]] = {}
    for step in steps:
        definitions = workspace.glue.bind(step).definitions
        if definitions and "<" not in step.text and definitions[0].id not in places:
            column = step.span.column - 1
            places[definitions[0].id] = Path(step.path), step.line - 1, column, step.text, len(steps)
        if len(places) == number:
            break
    return [*places.values()]


async def measure(folder: Path, number: int, seed: int, seconds: float) -> None:
    steps = chosen(folder, number, seed)
    print(f"{folder.name}: {steps[0][-1]:,} steps")
    with tempfile.TemporaryDirectory() as cache:
        server = Run(folder, Path(cache), None)
        await server.start()
        server.open(steps[0][0], steps[0][0].read_text("utf-8"))
        await server.settled(seconds)
        await server.quiet()
        for path, line, column, text, _ in steps:
            uri = path.as_uri()
            at = types.Position(line, column + 1)
            document = types.TextDocumentIdentifier(uri)
            if path != steps[0][0]:
                server.open(path, path.read_text("utf-8"))
            await server.quiet(10)
            before = server.cpu()
            asked = types.PrepareRenameParams(document, at)
            prepared = await server.timed("textDocument/prepareRename", asked)
            middle = server.cpu()
            said = ""
            try:
                wish = types.RenameParams(document, at, f"{text} gladly")
                renamed = await server.timed("textDocument/rename", wish)
            except JsonRpcException as error:
                renamed, said = 0.0, f"  {error}"[:100]
            print(
                f"prepareRename {prepared:7.0f} ms ({middle - before:.2f} CPU s)   rename {renamed:7.0f} ms "
                f"({server.cpu() - middle:.2f} CPU s)   {text[:60]}{said}",
                flush=True,
            )
        await server.stop()


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--number", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=300, help="in which the server settles")
    arguments = parser.parse_args(given)
    asyncio.run(measure(arguments.folder.resolve(), arguments.number, arguments.seed, arguments.seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
