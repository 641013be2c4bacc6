"""Blocks of steps that several owners have: a catalogue across repositories.

A step counts by its template, with or without table and DocString. Blocks are closed repeats: no longer block has as
many places. Of two blocks that cover each other's places, only the first one stays.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corpus_tools.pages.shared_blocks_page import SharedBlock
from corpus_tools.support import arrow
from cukereuse_engine.blocks.repeats import SymbolRuns
from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.template import template

if TYPE_CHECKING:
    import pyarrow as pa

SHARED = "shared_blocks.parquet"
LEAST_STEPS, LEAST_OWNERS = 3, 2
_COLUMNS = {
    **dict.fromkeys(("repo", "file_path"), "string"), **dict.fromkeys(("scenario_line", "line"), "int32"),
    **dict.fromkeys(("text", "argument"), "string"), "is_background": "bool",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Row:
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class _Scenario:
    repository: str
    path: str
    rows: Sequence[_Row]

    @property
    def owner(self) -> str:
        return self.repository.partition("/")[0]


def shared_blocks(steps: Path) -> list[SharedBlock]:
    """The blocks in `steps` (`steps.parquet`), those of most owners first, then the longest."""
    scenarios: list[_Scenario] = []
    sequences: list[list[int]] = []
    symbols: dict[tuple[str, str], int] = {}
    key_of: dict[str, str] = {}
    for scenario, arguments in _scenarios(steps):
        sequence = []
        for row, argument in zip(scenario.rows, arguments, strict=True):
            if row.text not in key_of:
                key_of[row.text] = template(normalise(row.text)).key
            sequence.append(symbols.setdefault((key_of[row.text], argument), len(symbols)))
        scenarios.append(scenario)
        sequences.append(sequence)
    if not sequences:
        return []
    runs = SymbolRuns(sequences)
    numbers: dict[str, int] = {}
    owner_of = np.array([numbers.setdefault(scenario.owner, len(numbers)) for scenario in scenarios])
    intervals = []
    for interval in runs.closed(LEAST_STEPS, LEAST_OWNERS):
        places = runs.occurrences(interval)
        owners = len(np.unique(owner_of[runs.text.owner[places]]))
        if owners >= LEAST_OWNERS:
            intervals.append((-owners, -interval.length, int(places[0]), places))
    taken = np.zeros(len(runs.text.symbols), bool)
    blocks = []
    for _, negative_length, _, places in sorted(intervals, key=lambda entry: entry[:3]):
        length = -negative_length
        covered = taken[places[:, None] + np.arange(length)].all(axis=1)
        if len(np.unique(owner_of[runs.text.owner[places[~covered]]])) < LEAST_OWNERS:
            continue
        taken[places[:, None] + np.arange(length)] = True
        at = [(scenarios[runs.text.owner[place]], int(place - runs.text.offset[place])) for place in places.tolist()]
        blocks.append(_block(at, length))
    return blocks


def _block(places: Sequence[tuple[_Scenario, int]], length: int) -> SharedBlock:
    wordings = Counter(tuple(row.text for row in scenario.rows[at : at + length]) for scenario, at in places)
    by_owner: dict[str, tuple[str, str, int]] = {}
    for scenario, at in places:
        by_owner.setdefault(scenario.owner, (scenario.repository, scenario.path, scenario.rows[at].line))
    return SharedBlock(
        steps=min(wordings, key=lambda texts: (-wordings[texts], texts)),
        owners=tuple(sorted(by_owner)),
        repositories=len({scenario.repository for scenario, _ in places}),
        scenarios=len({(scenario.repository, scenario.path, scenario.rows[0].line) for scenario, _ in places}),
        places=tuple(by_owner[owner] for owner in sorted(by_owner)),
    )


def shared_table(blocks: Sequence[SharedBlock]) -> "pa.Table":
    import pyarrow as pa

    place = pa.struct([("repo", pa.string()), ("path", pa.string()), ("line", pa.int64())])
    return pa.table({
        "steps": pa.array([block.steps for block in blocks], pa.list_(pa.string())),
        "owners": pa.array([block.owners for block in blocks], pa.list_(pa.string())),
        "repositories": pa.array([block.repositories for block in blocks], pa.int64()),
        "scenarios": pa.array([block.scenarios for block in blocks], pa.int64()),
        "places": pa.array(
            [[dict(zip(("repo", "path", "line"), place, strict=True)) for place in block.places] for block in blocks],
            pa.list_(place),
        ),
    })  # fmt: skip


def _scenarios(steps: Path) -> Iterator[tuple[_Scenario, list[str]]]:
    """Yields scenarios, with the kind of attachment of each step, or an empty text."""
    arrow.require(steps, _COLUMNS)
    before: tuple[str, str, int] | None = None
    rows: list[_Row] = []
    arguments: list[str] = []
    for batch in arrow.batches(steps, [*_COLUMNS]):
        columns = (batch.column(name).to_pylist() for name in _COLUMNS)
        for repository, file, scenario, line, text, argument, is_background in zip(*columns, strict=True):
            if is_background or not text:
                continue
            if (repository, file, scenario) != before:
                if rows and before is not None:
                    yield _Scenario(before[0], before[1], rows), arguments
                before, rows, arguments = (repository, file, scenario), [], []
            rows.append(_Row(text, line))
            arguments.append(argument or "")
    if rows and before is not None:
        yield _Scenario(before[0], before[1], rows), arguments
