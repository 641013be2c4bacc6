"""The number of scenarios in a corpus, their lengths, and how many are equal to others."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING

from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.template import template

if TYPE_CHECKING:
    import pyarrow as pa

_KEPT = 1 << 17
"""The number of steps that are kept: most occur again soon."""
_COLUMNS = ["repo", "file_path", "scenario_line", "text", "argument", "is_background"]


@dataclass(frozen=True, slots=True)
class ScenarioFigures:
    """Figures of scenarios with steps; Backgrounds do not count, and an Outline counts once."""

    scenarios: int
    texts: int
    """The number of different ones: the same texts in the same order, with or without table or DocString alike."""
    structures: int
    """The same number without values."""
    lengths: Counter[int]
    """Maps numbers of steps to numbers of scenarios."""

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
    """`steps`: `steps.parquet`, by repository, path and line. Memory grows with the number of different scenarios."""
    lengths: Counter[int] = Counter()
    texts: set[bytes] = set()
    structures: set[bytes] = set()
    number = 0
    for rows in _scenarios(steps):
        number += 1
        lengths[len(rows)] += 1
        content, shaped = zip(*starmap(_said, rows), strict=True)
        texts.add(_digest(content))
        structures.add(_digest(shaped))
    return ScenarioFigures(number, len(texts), len(structures), lengths)


@lru_cache(_KEPT)
def _said(text: str, argument: str | None) -> tuple[bytes, bytes]:
    """The contributions of a step to a scenario's text, and to its structure."""
    normal = normalise(text)
    content, shaped = (f"{words}\0{argument or ''}\n" for words in (normal, template(normal).key))
    return content.encode("utf-8", "surrogatepass"), shaped.encode("utf-8", "surrogatepass")


def _digest(parts: Iterable[bytes]) -> bytes:
    return blake2b(b"".join(parts), digest_size=12).digest()


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
