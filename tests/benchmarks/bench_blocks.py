"""How long it takes to find repeated blocks, in made-up suites of two sizes: seconds and peak memory.

python tests/benchmarks/bench_blocks.py
"""

import random
import resource
import time

from cukereuse_engine.blocks.repeats import closed_repeats

_SYMBOLS, _BLOCKS = 20_000, 4_000


def made_up(steps: int, seed: int = 1) -> list[list[int]]:
    """Scenarios of which two thirds consist of blocks that others have too."""
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


def main() -> None:
    for steps in (71_000, 1_000_000):
        scenarios = made_up(steps)
        begin = time.perf_counter()
        found = sum(1 for _ in closed_repeats(scenarios))
        seconds = time.perf_counter() - begin
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{steps:,} steps: {found:,} closed repeats, {seconds:.2f} s, {peak:.0f} MB at the most")


if __name__ == "__main__":
    main()
