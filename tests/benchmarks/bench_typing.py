"""Measures typing in a file of 15,000 lines, and in a small one: from a key to its findings, and completion.

    python tests/benchmarks/bench_typing.py [--lines N ...]

The suite is `tests/suites/webshop` with one file more, whose scenarios say what the suite says with other values, and
something of their own in every tenth. Prints the time that the client waits, and the CPU of all the server's processes.
"""

import argparse
import asyncio
import shutil
import tempfile
from pathlib import Path
from time import monotonic

from bench_server import CALM_SECONDS, DEBOUNCE, OTHER_WORDING, Run, Table, at_share, completions, edits, spread
from lsprotocol import types

WEBSHOP = Path(__file__).parents[1] / "suites" / "webshop"
HOVERS = 20


def long_feature(lines: int) -> str:
    """A feature file of about so many lines."""
    parts = ["Feature: Many orders", ""]
    number = 0
    while len(parts) < lines:
        number += 1
        parts += [
            f"  Scenario: Order {number}",
            f'    Given I am logged in as "user{number}"',
            f'    And I add "tea {number % 97}" to the basket',
            "    When I pay by card",
            "    Then the order is confirmed",
            f'    And I should see the message "Thank you, {number}"',
            *([f"    And the warehouse of district {number} sends parcel number {number}"] if number % 10 == 0 else []),
            "",
        ]
    return "\n".join(parts) + OTHER_WORDING


async def measure(lines: int, table: Table, trace: Path | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(shutil.copytree(WEBSHOP, Path(folder) / "webshop"))
        path = root / "features" / "many.feature"
        text = long_feature(lines)
        path.write_text(text, encoding="utf-8")
        run = Run(root, Path(folder) / "cache", trace)
        await run.start()
        uri = run.open(path, text)
        end = monotonic() + 180
        while monotonic() < end and not {"index", "vectors"} <= run.ended.keys():
            await asyncio.sleep(0.1)
        await run.settled(180)
        await run.quiet(60, CALM_SECONDS)
        label = f"{lines:,} lines"
        await edits(run, uri, text, label, table)
        await completions(run, uri, text, label, table)
        place = types.Position(text.count("\n") // 2, 12)
        position = types.HoverParams(types.TextDocumentIdentifier(uri), place)
        took = [await run.timed("textDocument/hover", position) for _ in range(HOVERS)]
        table.add(f"{label}: hover, p95", at_share(took, 0.95), None, "ms", spread(took))
        await run.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, nargs="+", default=[150, 15_000])
    parser.add_argument("--trace", type=Path, help="keep the trace of the server's loops in this file")
    options = parser.parse_args()
    table = Table()
    print(f"debounce: {DEBOUNCE} ms")
    for lines in options.lines:
        asyncio.run(measure(lines, table, options.trace))
    table.show()


if __name__ == "__main__":
    main()
