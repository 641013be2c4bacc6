"""Measures the judge: adapting to a whole suite, pairs per second, and one changed glue file.

    python tests/benchmarks/bench_judge.py [TEXTS.parquet]

Without a file, the suite is synthetic; with one (`repo`, `text`, `function_id`), all its texts are one suite. Prints
processor time of this process, because other work on the machine does not count. Exit code 1 if a bound is missed: 1 s
for adapting, 50,000 pairs per second with new templates, 20 ms for a changed file.
"""

import argparse
import itertools
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from cukereuse_engine.calibration.data import BoundText, read_texts
from cukereuse_engine.judging.adapted_judge import AdaptedJudge
from cukereuse_engine.text.identity import identity
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template

ADAPTING, PAIRS_A_SECOND, CHANGED_FILE = 1.0, 50_000, 0.020
STEPS = 70_000
DEFINITIONS_A_FILE = 25
_VERBS = ("open", "close", "move", "paint", "lift", "count", "label", "weigh", "fold", "repair", "polish", "send")
_THINGS = (
    "crate",
    "lamp",
    "ladder",
    "drawer",
    "basket",
    "kettle",
    "sail",
    "barrel",
    "curtain",
    "wheel",
    "bell",
    "rope",
)
_PLACES = ("attic", "cellar", "garden", "harbour", "workshop", "market", "tower", "bridge", "stable", "library")
_COLOURS = ("red", "green", "blue", "white", "black", "brown", "yellow", "grey")
_ENDS = ('as "{}"', "{} times", "before noon", "with my hands", "again", 'and see "{}"')


def invented() -> list[BoundText]:
    """Texts with their definitions: colour and value vary within a definition, other words distinguish definitions."""
    words = list(itertools.product(_VERBS, _THINGS, _PLACES, _ENDS))
    bound_texts = []
    for number, (verb, thing, place, end) in enumerate(words):
        for colour in _COLOURS[: 1 + number % 3]:
            for value in range(1 + number % 2):
                text = f"I {verb} the {colour} {thing} in the {place} {end.format(value)}"
                bound_texts.append(BoundText(text, f"{verb} {thing} {end}", 3))
    return list({text.text: text for text in bound_texts}.values())


def timed(call: object) -> float:
    start = time.process_time()
    call()  # type: ignore[operator]
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path, nargs="?")
    parser.add_argument("--pairs", type=int, default=200_000)
    options = parser.parse_args()
    suite = [text for texts in read_texts(options.texts).values() for text in texts] if options.texts else invented()
    texts = [
        StepText(bound_text.text, identity(bound_text.text), template(bound_text.text), bound_text.occurrences)
        for bound_text in suite
    ]
    bound = {text.identity: bound_text.definition for text, bound_text in zip(texts, suite, strict=True)}
    start = time.process_time()
    judge = AdaptedJudge.for_bound_suite(texts, bound)
    adapting = time.process_time() - start
    steps = sum(text.occurrences for text in suite)
    print(
        f"{len(texts):,} texts ({steps:,} steps), {len(judge.templates):,} templates, "
        f"{len(set(bound.values())):,} definitions"
    )
    rng = np.random.default_rng(0)
    order = np.argsort([text.template.key for text in texts], kind="stable").astype(np.int32)
    place = rng.integers(0, len(texts) - 50, options.pairs)
    a, b = order[place], order[place + rng.integers(1, 50, options.pairs)]
    first, rate = (options.pairs / timed(lambda: judge.probabilities(texts, a, b)) for _ in range(2))
    changed = changed_file(judge, texts, suite, (a[:200], b[:200]))
    print(f"adapting     {adapting:6.2f} s   ({adapting * STEPS / max(steps, 1):.2f} s for {STEPS:,} steps)")
    print(f"pairs        {rate:10,.0f} a second  ({first:,.0f} while templates are seen for the first time)")
    print(f"changed file {1000 * changed:6.1f} ms  ({DEFINITIONS_A_FILE} definitions, then 200 pairs judged)")
    missed = adapting * STEPS / max(steps, 1) > ADAPTING or first < PAIRS_A_SECOND or changed > CHANGED_FILE
    raise SystemExit(1 if missed else 0)


def changed_file(
    judge: AdaptedJudge, texts: list[StepText], suite: list[BoundText], pairs: tuple[np.ndarray, np.ndarray]
) -> float:
    """The median of nine times in seconds: the definitions of a file are forgotten, learnt again under other names, and
    pairs are judged."""
    of_definition: dict[str, list[StepText]] = defaultdict(list)
    for text, bound_text in zip(texts, suite, strict=True):
        of_definition[bound_text.definition].append(text)
    names = sorted(of_definition)
    seconds = []
    for turn in range(9):
        file = names[turn * DEFINITIONS_A_FILE :][:DEFINITIONS_A_FILE]
        bindings = [(text, f"{name} {turn}") for name in file for text in of_definition[name]]

        def change(bindings: list[tuple[StepText, str]] = bindings) -> None:
            judge.learn((text, None) for text, _ in bindings)
            judge.learn(bindings)
            judge.probabilities(texts, *pairs)

        seconds.append(timed(change))
    return sorted(seconds)[len(seconds) // 2]


if __name__ == "__main__":
    main()
