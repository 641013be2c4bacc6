"""How many scenarios a corpus has, how long they are, and how many are equal to others."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.template import template

if TYPE_CHECKING:
    import pyarrow as pa

_COLUMNS = ["repo", "file_path", "scenario_line", "text", "argument", "is_background"]


@dataclass(frozen=True, slots=True)
class ScenarioFigures:
    """Of scenarios with steps; Backgrounds are none, and an outline is one."""

    scenarios: int
    texts: int
    """Different ones: the same texts in the same order, with or without table or DocString alike."""
    structures: int
    """The same, values left out."""
    lengths: Counter[int]
    """Steps to scenarios."""

    def overview(self) -> "pa.Table":
        import pyarrow as pa

        rows = {
            "distinct scenario texts": self.texts,
            "distinct scenario structures": self.structures,
        }
        return pa.table({"figure": list(rows), "value": pa.array(rows.values(), pa.int64())})

    def table(self) -> "pa.Table":
        import pyarrow as pa

        ordered = sorted(self.lengths.items())
        return pa.table({
            "steps": pa.array([steps for steps, _ in ordered], pa.int64()),
            "scenarios": pa.array([count for _, count in ordered], pa.int64()),
        })  # fmt: skip


def scenario_figures(steps: Path) -> ScenarioFigures:
    """`steps`: `steps.parquet`, by repository, path and line. Memory grows with the number of different texts."""
    lengths: Counter[int] = Counter()
    texts: set[bytes] = set()
    structures: set[bytes] = set()
    number = 0
    structure_of: dict[str, str] = {}
    for rows in _scenarios(steps):
        number += 1
        lengths[len(rows)] += 1
        content, shaped = blake2b(digest_size=12), blake2b(digest_size=12)
        for text, argument in rows:
            if text not in structure_of:
                structure_of[text] = template(normalise(text)).key
            end = f"\0{argument or ''}\n"
            content.update(f"{normalise(text)}{end}".encode("utf-8", "surrogatepass"))
            shaped.update(f"{structure_of[text]}{end}".encode("utf-8", "surrogatepass"))
        texts.add(content.digest())
        structures.add(shaped.digest())
    return ScenarioFigures(number, len(texts), len(structures), lengths)


def _scenarios(steps: Path) -> Iterator[list[tuple[str, str | None]]]:
    import pyarrow.parquet as pq

    before: tuple[str, str, int] | None = None
    rows: list[tuple[str, str | None]] = []
    for batch in pq.ParquetFile(steps).iter_batches(columns=_COLUMNS):
        columns = (batch.column(name).to_pylist() for name in _COLUMNS)
        for repository, file, line, text, argument, is_background in zip(*columns, strict=True):
            if is_background:
                continue
            if (repository, file, line) != before:
                if rows:
                    yield rows
                before, rows = (repository, file, line), []
            rows.append((text, argument))
    if rows:
        yield rows
