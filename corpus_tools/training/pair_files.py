"""Joins several sets of pairs and bound texts. Does not decide what is related: the files say it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cukereuse_engine.calibration.data import BoundText, LabelledPairs, read_pairs, read_texts
from cukereuse_engine.errors import CukereuseError

_SUFFIXES = (".parquet", ".jsonl")


@dataclass(frozen=True, slots=True, eq=False)
class LabelledBindings:
    """Labelled pairs with their groups, and the bound texts of each suite."""

    pairs: LabelledPairs
    suites: Mapping[str, Sequence[BoundText]]

    @property
    def groups(self) -> tuple[str, ...]:
        """The group of each pair: as in the file, or else its suite."""
        return self.pairs.group or self.pairs.suite


def read(folders: Sequence[Path], but: LabelledBindings | None = None) -> LabelledBindings:
    """All that the folders' `pairs` and `texts` hold (`.parquet` or `.jsonl`). A suite that is in several sets
    counts once: that of the first; what shares a suite or a group with `but` is left out.

    Raises `CukereuseError` for files that can't be used, and where nothing is left.
    """
    suites: dict[str, Sequence[BoundText]] = {}
    rows: list[tuple[str, str, bool, str, str]] = []
    barred = set(but.groups) if but is not None else set()
    seen = {*but.suites, *but.pairs.suite} if but is not None else set()
    for folder in folders:
        bindings = LabelledBindings(read_pairs(_table(folder, "pairs")), read_texts(_table(folder, "texts")))
        columns = (
            bindings.pairs.text_a,
            bindings.pairs.text_b,
            bindings.pairs.same.tolist(),
            bindings.pairs.suite,
            bindings.groups,
        )
        rows += [row for row in zip(*columns, strict=True) if row[3] not in seen and row[4] not in barred]
        suites |= {suite: texts for suite, texts in bindings.suites.items() if suite not in seen}
        seen |= {*bindings.suites, *bindings.pairs.suite}
    if not rows:
        raise CukereuseError(f"no pairs in {', '.join(map(str, folders))} that are not in other folders too")
    left, right, same, suite, group = zip(*rows, strict=True)
    return LabelledBindings(LabelledPairs(left, right, np.array(same, np.bool_), suite, group), suites)


def _table(folder: Path, name: str) -> Path:
    for suffix in _SUFFIXES:
        if (folder / name).with_suffix(suffix).is_file():
            return (folder / name).with_suffix(suffix)
    raise CukereuseError(f"{folder} has neither {name}.parquet nor {name}.jsonl", "`cukereuse corpus bindings` does.")
