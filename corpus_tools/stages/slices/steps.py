"""The steps of a corpus in arrays of numbers: a fraction of the memory and time that strings take."""

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
_BITS = 32
_SEQUENCES = 1 << 16
"""Compared at once."""
_GROUPS = 8
"""Row groups that are numbered together."""


@dataclass(frozen=True, slots=True, eq=False)
class NumberedSteps:
    """All steps in order, without those of Backgrounds. Each array is `(steps,)`: equal numbers stand for equal values,
    0 for none or an empty string."""

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


def read_steps(path: Path) -> NumberedSteps:
    """The steps of a `steps.parquet`, by repository, path and line. Raises `CukereuseError` if it is none."""
    import pyarrow as pa

    columns = dict.fromkeys(_STRINGS, "string") | {"scenario_line": "int32", "is_background": "bool"}
    arrow.require(path, columns, "Run `cukereuse corpus parse` first.")
    table = arrow.read(path, {name: columns[name] for name in ("scenario_line", "is_background")})
    kept = table["is_background"].cast(pa.bool_()).fill_null(False).to_numpy() == 0
    line = table["scenario_line"].cast(pa.int32()).fill_null(-1).to_numpy()[kept]
    numbers, texts = [], pa.array([], pa.string())
    for name in _STRINGS:
        number, values = _numbered(path, name)
        numbers.append(number[kept])
        texts = values if name == "text" else texts
    repository, file, scenario, text, argument = numbers
    return NumberedSteps(repository, file, scenario, line, text, argument, texts)


def _numbered(path: Path, name: str) -> "tuple[Numbers, pa.Array]":
    """A column's numbers, and its values from number 1 on. Each part of the file has a dictionary of its own: all of
    them at once would be as large as all values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    numbers, values = [np.arange(0, dtype=np.int32)], pa.array([], pa.string())
    for table in arrow.batches(path, [name], groups=_GROUPS, coded=True):
        strings = table[name].cast(pa.dictionary(pa.int32(), pa.string()))
        before = pa.DictionaryArray.from_arrays(pa.array([], pa.int32()), values)
        _, *parts = pa.chunked_array([before, *strings.chunks]).unify_dictionaries().chunks
        values = parts[0].dictionary if parts else values
        numbers += [part.indices.fill_null(-1).to_numpy() + np.int32(1) for part in parts]
    number = np.concatenate(numbers)
    pa.default_memory_pool().release_unused()
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


def same_sequences(symbols: NDArray[Any], lengths: Integers) -> Numbers:
    """`(sequences,)`: equal numbers, from 0, for equal sequences. They are in `symbols` one after another; none is
    empty. What they say is compared by sums of 64 bits: among two million different ones, two are equal once in ten
    million corpora."""
    starts = np.cumsum(lengths) - lengths
    sums = np.empty(len(lengths), np.uint64)
    for first in range(0, len(lengths), _SEQUENCES):
        own = slice(first, first + _SEQUENCES)
        begins, sizes = starts[own] - starts[first], lengths[own]
        places = np.arange(int(sizes.sum())) - np.repeat(begins, sizes)
        said = symbols[starts[first] : starts[first] + len(places)]
        sums[own] = np.add.reduceat(_mixed(_mixed(said.astype(np.uint64)) + places.astype(np.uint64)), begins)
    return numbered(sums)


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The numbers with each bit changed by all others (SplitMix64)."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        numbers ^= numbers >> np.uint64(shift)
        numbers *= np.uint64(factor)
    return numbers ^ numbers >> np.uint64(31)
