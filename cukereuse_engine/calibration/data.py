"""Reads labelled pairs and bound texts from files.

`.jsonl` or `.parquet`. Pairs: `text_a`, `text_b`, and `label` or `same_def`; optionally `repo` (the suite) and `group`
(related repositories: folds never split it). Texts: `repo`, `text`, and what each binds to: `function_id`, else
`glue_file` and `expression`; optionally `occurrences`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPairs:
    text_a: tuple[str, ...]
    """Normalised."""
    text_b: tuple[str, ...]
    same: NDArray[np.bool_]
    """(n,) whether the two are one."""
    suite: tuple[str, ...]
    """The suite whose bindings the judge adapts to; "" if the file names none."""
    group: tuple[str, ...] | None
    """Pairs of one group are in one fold; None if the file has no such column."""

    def __len__(self) -> int:
        return len(self.text_a)


@dataclass(frozen=True, slots=True)
class BoundText:
    """A step text and the definition that it binds to."""

    text: str
    """Normalised."""
    definition: str
    """Any name that is unique within the suite."""
    occurrences: int = 1


def read_pairs(path: Path) -> LabelledPairs:
    """The pairs of a file. Raises `CukereuseError` if it can't be read or lacks a column."""
    rows = list(_rows(path))
    if not rows:
        raise CukereuseError(f"{path} has no pairs")
    label = _column(rows[0], path, "label", "same_def")
    _column(rows[0], path, "text_a")
    _column(rows[0], path, "text_b")
    try:
        same = np.array([bool(int(row[label])) for row in rows], np.bool_)
        text_a = tuple(normalise(row["text_a"]) for row in rows)
        text_b = tuple(normalise(row["text_b"]) for row in rows)
    except (KeyError, TypeError, ValueError) as error:
        raise CukereuseError(f"{path}: a pair lacks a text or has a label other than 0 and 1 ({error})") from error
    group = tuple(str(row.get("group")) for row in rows) if rows[0].get("group") is not None else None
    return LabelledPairs(text_a, text_b, same, tuple(str(row.get("repo") or "") for row in rows), group)


def read_texts(path: Path) -> dict[str, tuple[BoundText, ...]]:
    """Maps each suite to its bound texts, in the order of the file. Raises `CukereuseError` as `read_pairs` does."""
    suites: dict[str, list[BoundText]] = {}
    for row in _rows(path):
        _column(row, path, "text")
        definition = row.get("function_id")
        if definition is None:
            _column(row, path, "expression")
            definition = f"{row.get('glue_file', '')}:{row['expression']}"
        bound = BoundText(normalise(row["text"]), str(definition), int(row.get("occurrences") or 1))
        suites.setdefault(str(row.get("repo") or ""), []).append(bound)
    return {suite: tuple(texts) for suite, texts in suites.items()}


def rows_by_suite(pairs: LabelledPairs) -> dict[str, NDArray[np.int64]]:
    """Maps each suite to the `(m,)` rows of its pairs, by name."""
    rows: dict[str, list[int]] = {}
    for row, suite in enumerate(pairs.suite):
        rows.setdefault(suite, []).append(row)
    return {suite: np.array(rows[suite], np.int64) for suite in sorted(rows)}


def suite_texts(
    pairs: LabelledPairs, rows: NDArray[np.int64], bound: Sequence[BoundText]
) -> tuple[list[StepText], NDArray[np.int32], NDArray[np.int32]]:
    """The suite's distinct texts, including those of the pairs, and the two sides of each pair as positions in them."""
    occurrences: dict[str, int] = {}
    for item in bound:
        occurrences[item.text] = occurrences.get(item.text, 0) + item.occurrences
    for row in rows.tolist():
        occurrences.setdefault(pairs.text_a[row], 1)
        occurrences.setdefault(pairs.text_b[row], 1)
    position = {text: i for i, text in enumerate(occurrences)}
    texts = [StepText(text, identity(text), template(text), count) for text, count in occurrences.items()]
    a = np.array([position[pairs.text_a[row]] for row in rows.tolist()], np.int32)
    b = np.array([position[pairs.text_b[row]] for row in rows.tolist()], np.int32)
    return texts, a, b


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    if not path.is_file():
        raise CukereuseError(f"{path} is not a file")
    if path.suffix == ".jsonl":
        yield from _json_lines(path)
    elif path.suffix == ".parquet":
        yield from _parquet(path)
    else:
        raise CukereuseError(f"{path} is neither .jsonl nor .parquet")


def _json_lines(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as error:
                raise CukereuseError(f"{path}:{number}: not JSON ({error})") from error
            if not isinstance(row, dict):
                raise CukereuseError(f"{path}:{number}: not a JSON object")
            yield row


def _parquet(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise CukereuseError(f"reading {path.name} needs pyarrow", "pip install 'cukereuse[parquet]'") from error
    wanted = {
        "text_a",
        "text_b",
        "label",
        "same_def",
        "repo",
        "group",
        "text",
        "function_id",
        "expression",
        "glue_file",
    }
    try:
        file = pyarrow.parquet.ParquetFile(path)
        names = [name for name in file.schema_arrow.names if name in wanted | {"occurrences"}]
        for batch in file.iter_batches(columns=names):
            yield from batch.to_pylist()
    except pyarrow.ArrowException as error:
        raise CukereuseError(f"{path} can't be read as Parquet ({error})") from error


def _column(row: Mapping[str, Any], path: Path, *names: str) -> str:
    for name in names:
        if row.get(name) is not None:
            return name
    raise CukereuseError(f"{path} has no column {' or '.join(names)}")
