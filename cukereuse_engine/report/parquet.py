"""The clusters as a table with a row for each place of a member, for data frames and databases.

Needs the extra `cukereuse[parquet]`; pyarrow is loaded when a table is written.
"""

import importlib.util
import io
from collections.abc import Iterator
from typing import Any

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.report.visible import encodable
from cukereuse_engine.scanning.result import ScanResult

_ROWS_PER_GROUP = 100_000
COLUMNS = {
    "suite": "string",
    "cluster_id": "string",
    "strategy": "string",
    "kind": "string",
    "canonical": "string",
    "score": "double",
    "text": "string",
    "template": "string",
    "path": "string",
    "line": "int32",
    "column": "int32",
    "keyword": "string",
    "scenario": "string",
}
"""Maps names to pyarrow's names of types. Lines and columns are 1-based, columns in code points."""


def check_installed() -> None:
    """Raises `CukereuseError` if pyarrow is not installed."""
    if importlib.util.find_spec("pyarrow") is None:
        hint = "Install it with `pip install 'cukereuse[parquet]'`."
        raise CukereuseError("a Parquet table needs pyarrow, which is not installed", hint)


def render(result: ScanResult) -> bytes:
    """The table as a Parquet file. Raises as `check_installed`."""
    check_installed()
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(name, pa.type_for_alias(alias)) for name, alias in COLUMNS.items()])
    buffer = io.BytesIO()
    with pq.ParquetWriter(buffer, schema, compression="zstd") as writer:
        columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
        for row in _rows(result):
            for name, value in zip(COLUMNS, row, strict=True):
                columns[name].append(value)
            if len(columns["line"]) == _ROWS_PER_GROUP:
                writer.write_table(pa.table(columns, schema))
                columns = {name: [] for name in COLUMNS}
        writer.write_table(pa.table(columns, schema))
    return buffer.getvalue()


def _rows(result: ScanResult) -> Iterator[tuple[Any, ...]]:
    for suite in result.suites:
        root = encodable(suite.root)
        for cluster in suite.clusters:
            head = (root, cluster.id, cluster.strategy, cluster.kind.value, encodable(cluster.canonical), cluster.score)
            for text in cluster.texts:
                words = (encodable(text.text), encodable(text.template.masked))
                for step in suite.steps.get(text.identity, ()):
                    place = (encodable(step.path), step.line, step.column)
                    yield *head, *words, *place, encodable(step.keyword.strip()), encodable(step.scenario)
