"""Measures the search for repeated blocks in synthetic suites of two sizes: the closed repeats alone, then everything,
from scenarios to blocks by worth. Prints CPU seconds, with the garbage collector as in the command line, and the peak
memory beyond the scenarios themselves.

python tests/benchmarks/bench_blocks.py [STEPS ...]
"""

import gc
import random
import resource
import sys
import time

from cukereuse_engine.blocks.block import STRICT
from cukereuse_engine.blocks.mine import find_blocks
from cukereuse_engine.blocks.repeats import SymbolRuns
from cukereuse_engine.blocks.symbols import Scenario
from cukereuse_engine.cli.main import COLLECTING
from cukereuse_engine.gherkin.feature import KeywordType, Span, Step

_SYMBOLS, _BLOCKS = 20_000, 4_000
_TYPES = (KeywordType.CONTEXT, KeywordType.ACTION, KeywordType.OUTCOME)


def made_up(steps: int, seed: int = 1) -> list[list[int]]:
    """Scenarios, two thirds of which consist of blocks that other scenarios have too."""
    draw = random.Random(seed)
    blocks = [[draw.randrange(_SYMBOLS) for _ in range(draw.randint(2, 8))] for _ in range(_BLOCKS)]
    scenarios, count = [], 0
    while count < steps:
        scenario: list[int] = []
        for _ in range(draw.randint(1, 3)):
            scenario += draw.choice(blocks) if draw.random() < 0.6 else [draw.randrange(_SYMBOLS)]
        scenarios.append(scenario)
        count += len(scenario)
    return scenarios


def said(symbols: list[list[int]], seed: int = 1) -> list[Scenario]:
    """The same as steps with one argument each, ten files for a thousand scenarios; each symbol has its own phase."""
    draw = random.Random(seed)
    texts = [[f'word{symbol} of it says "{value}"' for value in range(4)] for symbol in range(_SYMBOLS)]
    scenarios = []
    for number, sequence in enumerate(symbols):
        path = f"features/{number // 100}.feature"
        steps = tuple(
            _step(path, texts[symbol][draw.randrange(4)], symbol, line) for line, symbol in enumerate(sequence, 2)
        )
        scenarios.append(Scenario(path, 1, str(number), False, False, (), steps))
    return scenarios


def _step(path: str, text: str, symbol: int, line: int) -> Step:
    kind = _TYPES[symbol * 3 // _SYMBOLS]
    return Step(
        path=path,
        text=text,
        span=Span(line, 11, 0, len(text)),
        keyword="Given ",
        keyword_type=kind,
        resolved_type=kind,
        feature="f",
        rule=None,
        scenario="s",
        scenario_line=1,
        tags=(),
        is_background=False,
        is_outline=False,
        examples=(),
        argument=None,
    )


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    gc.set_threshold(*COLLECTING)
    for steps in [int(argument) for argument in sys.argv[1:]] or [71_000, 1_000_000]:
        symbols = made_up(steps)
        begin = time.process_time()
        runs = sum(1 for _ in SymbolRuns(symbols).closed(2, 2))
        seconds = time.process_time() - begin
        print(f"{steps:,} steps: {runs:,} closed repeats, {seconds:.2f} s, {peak():.0f} MB in all", flush=True)
        scenarios = said(symbols)
        before, begin = peak(), time.process_time()
        blocks = len(find_blocks(scenarios, limits=STRICT))
        seconds = time.process_time() - begin
        print(f"{steps:,} steps: {blocks:,} blocks, {seconds:.2f} s, {peak() - before:.0f} MB more", flush=True)


if __name__ == "__main__":
    main()
