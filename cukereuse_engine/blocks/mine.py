"""Mines blocks: sequences of steps that recur in a suite and could be replaced, the most worthwhile first, without
overlap."""

from collections.abc import Sequence

from cukereuse_engine.blocks.block import Block, BlockLimits, saved
from cukereuse_engine.blocks.cover import Cover
from cukereuse_engine.blocks.sequences import Sequences
from cukereuse_engine.blocks.symbols import Meaning, Scenario, by_template
from cukereuse_engine.progress import SILENT, Progress


def find_blocks(
    scenarios: Sequence[Scenario],
    *,
    meaning: Meaning = by_template,
    limits: BlockLimits | None = None,
    progress: Progress = SILENT,
) -> list[Block]:
    """The blocks of one suite, by expected worth; a step belongs to at most one of them. Raises `Cancelled` when
    `progress` does."""
    limits = limits or BlockLimits()
    used = [scenario for scenario in scenarios if limits.backgrounds or not scenario.is_background]
    if not used:
        return []
    sequences = Sequences.of(used, meaning)
    with progress.stage("looking for repeated blocks", None, "blocks") as stage:
        windows: set[tuple[int, int]] = set()
        for number, interval in enumerate(sequences.runs.closed(limits.min_steps, limits.min_scenarios)):
            windows.update(sequences.cuts(sequences.runs.one(interval), interval.length, limits))
            if not number % 1000:
                stage.advance(1000)
        candidates = [
            candidate
            for candidate in sequences.runs.everywhere(windows)
            if saved(candidate.occurrences, candidate.length) > 1
        ]
        return Cover(sequences, limits).of(candidates)
