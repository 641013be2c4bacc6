"""The steps of a corpus in arrays of numbers: a fraction of the memory and time that strings take."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corpus_tools.support import arrow

if TYPE_CHECKING:
    import pyarrow as pa

Integers = NDArray[np.int64]
Numbers = NDArray[np.int32]

_STRINGS = ("repo", "file_path", "scenario", "text", "argument")
_COLUMNS = dict.fromkeys(_STRINGS, "string") | {"scenario_line": "int32", "is_background": "bool"}
_BITS = 32
_SEQUENCES = 1 << 16
"""Compared at once."""
_GROUPS = 4
"""Row groups that are read together."""


@dataclass(frozen=True, slots=True, eq=False)
class NumberedSteps:
    """The steps of some whole files in order, without those of Backgrounds. Each array is `(steps,)`: equal numbers
    stand for equal values, 0 for none or an empty string. Those of repositories and arguments hold for the
    whole corpus, the others for these steps alone."""

    repository: Numbers
    path: Numbers
    name: Numbers
    """Of the scenario."""
    line: Numbers
    """The first line of the scenario, itself."""
    text: Numbers
    argument: Numbers
    """The step's table or DocString."""
    texts: "pa.Array"
    """As written, that of number 1 first."""

    @property
    def file(self) -> Integers:
        """Repository and path as one number."""
        return paired(self.repository, self.path)


def read_steps(path: Path, groups: int = _GROUPS) -> Iterator[NumberedSteps]:
    """The steps of a `steps.parquet`, in which those of a file are next to each other; so many row groups at a time.
    Raises `CukereuseError` if it is none."""
    import pyarrow as pa

    arrow.require(path, _COLUMNS, "Run `cukereuse corpus parse` first.")
    seen: dict[str, dict[str, int]] = {"repo": {}, "argument": {}}
    rest: pa.Table | None = None
    for table in arrow.batches(path, [*_COLUMNS], groups=groups, coded=True):
        both = table if rest is None else pa.concat_tables([rest, table])
        last = _last_file(both)
        rest = both.slice(last)
        if last:
            yield _steps(both.slice(0, last), seen)
        del table, both
        pa.default_memory_pool().release_unused()
    if rest is not None:
        yield _steps(rest, seen)


def _last_file(table: "pa.Table") -> int:
    """The row with which the last file begins."""
    changes = np.zeros(max(len(table) - 1, 0), bool)
    for name in ("repo", "file_path"):
        changes |= np.diff(_numbered(table[name])[0]) != 0
    return int(np.flatnonzero(changes)[-1]) + 1 if changes.any() else 0


def _steps(table: "pa.Table", seen: dict[str, dict[str, int]]) -> NumberedSteps:
    """`seen`: the numbers of values in the whole corpus, by column; new ones are added."""
    import pyarrow as pa

    kept = table["is_background"].cast(pa.bool_()).fill_null(False).to_numpy() == 0
    line = table["scenario_line"].cast(pa.int32()).fill_null(-1).to_numpy()[kept]
    columns, texts = [], pa.array([], pa.string())
    for name in _STRINGS:
        number, values = _numbered(table[name])
        if name in seen:
            known = seen[name]
            everywhere = [known.setdefault(value, len(known) + 1) if value else 0 for value in values.to_pylist()]
            number = np.array([0, *everywhere], np.int32)[number]
        columns.append(number[kept])
        texts = values if name == "text" else texts
    repository, file, scenario, text, argument = columns
    return NumberedSteps(repository, file, scenario, line, text, argument, texts)


def _numbered(column: "pa.ChunkedArray") -> "tuple[Numbers, pa.Array]":
    """A column's numbers, and its values from number 1 on."""
    import pyarrow as pa
    import pyarrow.compute as pc

    strings = column.cast(pa.dictionary(pa.int32(), pa.string())).unify_dictionaries()
    values = strings.chunk(0).dictionary if strings.num_chunks else pa.array([], pa.string())
    number: Numbers = strings.combine_chunks().indices.fill_null(-1).to_numpy() + np.int32(1)
    number[number == pc.index(values, "").as_py() + 1] = 0  # that of no value, where none is empty
    return number, values


def paired(left: NDArray[Any], right: NDArray[Any]) -> Integers:
    """One number for each pair of numbers below `1 << 32`; sorting these is ten times as fast as sorting pairs."""
    key: Integers = left.astype(np.int64, copy=False) << _BITS | right
    return key


def split(keys: Integers) -> tuple[Integers, Integers]:
    """The pairs of `paired`."""
    return keys >> _BITS, keys & ((1 << _BITS) - 1)


def numbered(keys: NDArray[Any]) -> Numbers:
    """Equal numbers for equal keys, from 0, ascending: `np.unique`'s inverse, in half of its memory."""
    order = np.argsort(keys)
    ranked = keys[order]
    is_new = np.append(np.zeros(min(len(keys), 1), np.bool_), ranked[1:] != ranked[:-1])
    del ranked
    numbers = np.empty(len(keys), np.int32)
    numbers[order] = np.cumsum(is_new, dtype=np.int32)
    return numbers


def sums_of(symbols: NDArray[Any], lengths: NDArray[Any]) -> NDArray[np.uint64]:
    """`(sequences,)`: equal sums for equal sequences. They are in `symbols` one after another; none is empty. Among the
    sums of two million different ones, two are equal once in ten million corpora."""
    starts = np.cumsum(lengths, dtype=np.int64) - lengths
    sums = np.empty(len(lengths), np.uint64)
    for first in range(0, len(lengths), _SEQUENCES):
        own = slice(first, first + _SEQUENCES)
        begins, sizes = starts[own] - starts[first], lengths[own]
        places = np.arange(int(sizes.sum())) - np.repeat(begins, sizes)
        said = symbols[starts[first] : starts[first] + len(places)]
        sums[own] = np.add.reduceat(mixed(mixed(said.astype(np.uint64)) + places.astype(np.uint64)), begins)
    return sums


def mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The numbers with each bit changed by all others (SplitMix64)."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        numbers ^= numbers >> np.uint64(shift)
        numbers *= np.uint64(factor)
    return numbers ^ numbers >> np.uint64(31)
