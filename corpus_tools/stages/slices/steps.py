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
    table = arrow.read(path, columns, "Run `cukereuse corpus parse` first.", read_dictionary=_STRINGS)
    kept = table["is_background"].cast(pa.bool_()).fill_null(False).to_numpy() == 0
    line = table["scenario_line"].cast(pa.int32()).fill_null(-1).to_numpy()[kept]
    numbers, texts = [], pa.array([], pa.string())
    for name in _STRINGS:
        number, values = _numbered(table[name])
        numbers.append(number[kept])
        texts = values if name == "text" else texts
        table = table.drop_columns(name)
    repository, file, scenario, text, argument = numbers
    return NumberedSteps(repository, file, scenario, line, text, argument, texts)


def _numbered(column: "pa.ChunkedArray") -> "tuple[Numbers, pa.Array]":
    """A column's numbers, and its values from number 1 on."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not len(column):
        return np.arange(0, dtype=np.int32), pa.array([], pa.string())
    coded = column if pa.types.is_dictionary(column.type) else column.cast(pa.string()).dictionary_encode()
    whole = coded.unify_dictionaries().combine_chunks()
    values = whole.dictionary.cast(pa.string())
    numbers = whole.indices.fill_null(-1).to_numpy().astype(np.int32) + np.int32(1)
    numbers[numbers == pc.index(values, "").as_py() + 1] = 0  # that of no value, where none is empty
    return numbers, values


def paired(left: NDArray[Any], right: NDArray[Any]) -> Integers:
    """One number for each pair of numbers below `1 << 32`; sorting these is ten times as fast as sorting pairs."""
    key: Integers = left.astype(np.int64, copy=False) << _BITS | right
    return key


def split(keys: Integers) -> tuple[Integers, Integers]:
    """The pairs of `paired`."""
    return keys >> _BITS, keys & ((1 << _BITS) - 1)


def same_sequences(symbols: Integers, lengths: Integers) -> Integers:
    """`(sequences,)`: equal numbers, from 0, for equal sequences. They are in `symbols` one after another; no symbol is
    below 0 or above `1 << 32`."""
    order = np.argsort(-lengths, kind="stable")
    starts = (np.cumsum(lengths) - lengths)[order]
    same, shorter = np.zeros(len(order), np.int64), -lengths[order]
    for place in range(int(lengths.max(initial=0))):
        rest = int(np.searchsorted(shorter, -place))  # the longer ones
        same[:rest] = np.unique(paired(same[:rest], symbols[starts[:rest] + place]), return_inverse=True)[1]
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.unique(paired(lengths[order], same), return_inverse=True)[1]
    return numbers
