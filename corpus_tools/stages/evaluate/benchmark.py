"""The labelled pairs of the paper's release, as its files contain them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus_tools.support import arrow
from cukereuse_engine.calibration.data import LabelledPairs, read_pairs
from cukereuse_engine.calibration.metrics import Labels, Scores
from cukereuse_engine.errors import CukereuseError

BANDS = ((0.50, 0.70), (0.70, 0.80), (0.80, 0.85), (0.85, 0.90), (0.90, 0.95), (0.95, 1.00))
"""Cosine bands that pairs are drawn from (paper, section "Labelled pairs"): lower bound in, upper bound out."""


@dataclass(frozen=True, slots=True, eq=False)
class Benchmark:
    pairs: LabelledPairs
    recorded_cosine: Scores | None
    """(n,) as in the file, four decimals; None without such a column."""
    recorded_indel: Scores | None
    """(n,) the column `lev`: Indel similarity, whatever its name says."""
    rules: tuple[str, ...]
    """The rule of the labelling rubric for each pair; empty if none is recorded."""

    @property
    def same(self) -> Labels:
        return self.pairs.same


def read_benchmark(path: Path) -> Benchmark:
    """The labelled pairs of a file. Raises `CukereuseError` if it can't be used."""
    rows = read_rows(path)
    return Benchmark(
        pairs=read_pairs(path),
        recorded_cosine=_column(rows, "cos"),
        recorded_indel=_column(rows, "lev"),
        rules=tuple(str(row.get("rule") or "") for row in rows),
    )


def read_ratings(path: Path) -> NDArray[np.int64]:
    """`(pairs, raters)`: the columns `label_…` of a file of pairs that several people labelled.

    Raises `CukereuseError` if there are fewer than two.
    """
    rows = read_rows(path)
    names = sorted({name for row in rows for name in row if name.startswith("label_")})
    if len(names) < 2:
        raise CukereuseError(f"{path} has fewer than two columns label_…")
    try:
        return np.array([[int(row[name]) for name in names] for row in rows], np.int64)
    except (KeyError, TypeError, ValueError) as error:
        raise CukereuseError(f"{path}: a pair lacks a label ({error})") from error


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON-lines or Parquet file. Raises `CukereuseError`."""
    if not path.is_file():
        raise CukereuseError(f"{path}: no such file")
    if path.suffix == ".parquet":
        arrow.require(path, {})
        return [row for table in arrow.batches(path) for row in table.to_pylist()]
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except ValueError as error:
        raise CukereuseError(f"{path}: not JSON lines ({error})") from error


def band(cosine: float) -> str:
    """The band of a cosine, such as "[0.80,0.85)"; "" outside all bands."""
    for low, high in BANDS:
        if low <= cosine < high:
            return f"[{low:.2f},{high:.2f})"
    return ""


def _column(rows: Sequence[dict[str, Any]], name: str) -> Scores | None:
    if any(row.get(name) is None for row in rows):
        return None
    return np.array([float(row[name]) for row in rows], np.float64)
