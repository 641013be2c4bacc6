"""Parquet files, written completely or not at all, with row groups of a fixed size: the same rows give the same
bytes."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus_tools.support.checkpoint import replace_whole
from cukereuse_engine.errors import CukereuseError

if TYPE_CHECKING:
    import pyarrow as pa

ROW_GROUP = 100_000


def schema(columns: dict[str, str]) -> "pa.Schema":
    """The schema of a table. `columns` maps a name to pyarrow's name of the type; `[string]` is a list of strings."""
    import pyarrow as pa

    def of(alias: str) -> "pa.DataType":
        return pa.list_(pa.type_for_alias(alias[1:-1])) if alias.startswith("[") else pa.type_for_alias(alias)

    return pa.schema([(name, of(alias)) for name, alias in columns.items()])


def write(path: Path, columns: dict[str, str], tables: "Iterable[pa.Table]") -> int:
    """Write the rows of `tables` in order; returns their number."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    wanted = schema(columns)
    total = 0

    def fill(temporary: Path) -> None:
        nonlocal total
        with pq.ParquetWriter(temporary, wanted, compression="zstd") as writer:
            waiting: list[pa.Table] = []
            rows = 0
            for table in tables:
                waiting.append(table.select(wanted.names).cast(wanted))
                rows += len(table)
                total += len(table)
                while rows >= ROW_GROUP:
                    joined = pa.concat_tables(waiting)
                    writer.write_table(joined.slice(0, ROW_GROUP).combine_chunks(), ROW_GROUP)
                    waiting, rows = [joined.slice(ROW_GROUP)], rows - ROW_GROUP
            if rows or not total:
                writer.write_table(pa.concat_tables([wanted.empty_table(), *waiting]).combine_chunks(), ROW_GROUP)

    replace_whole(path, fill)
    return total


def table(columns: dict[str, str], rows: Sequence[Sequence[Any]]) -> "pa.Table":
    """A table from rows in the order of `columns`."""
    import pyarrow as pa

    wanted = schema(columns)
    arrays = [pa.array([row[i] for row in rows], field.type) for i, field in enumerate(wanted)]
    return pa.Table.from_arrays(arrays, schema=wanted)


def require(path: Path, columns: dict[str, str], hint: str = "") -> None:
    """Raises `CukereuseError`, with `hint` if the file is missing, unless `path` is a Parquet file with `columns`, each
    of its type or an equivalent one (any string, any integer); "any" stands for all types."""
    schema = _schema(path, hint)
    missing = [name for name in columns if name not in schema.names]
    if missing:
        named = "no column" if len(missing) == 1 else "none of the columns"
        raise CukereuseError(f"{path} has {named} {', '.join(missing)}")
    for name, wanted in columns.items():
        given = schema.field(name).type
        if not _means(given, wanted):
            raise CukereuseError(f"{path}: the column {name} is of type {given}, and {wanted} is needed")


def names(path: Path) -> list[str]:
    """The names of a file's columns. Raises `CukereuseError` if it can't be read."""
    names: list[str] = _schema(path).names
    return names


def _schema(path: Path, hint: str = "") -> "pa.Schema":
    import pyarrow.parquet as pq

    if not path.is_file():
        raise CukereuseError(f"{path} does not exist", hint)
    with _readable(path):
        return pq.read_schema(path)


def read(path: Path, columns: dict[str, str], hint: str = "", **options: Any) -> "pa.Table":
    """Those columns of a file; `options` are pyarrow's. Raises `CukereuseError` as `require`, and if the content can't
    be read."""
    import pyarrow.parquet as pq

    require(path, columns, hint)
    with _readable(path):
        return pq.read_table(path, columns=[*columns], **options)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Raises `CukereuseError` with the first line of pyarrow's reason."""
    import pyarrow as pa

    try:
        yield
    except (OSError, pa.ArrowException) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise CukereuseError(f"{path} can't be read as Parquet: {reason}") from None


def _means(given: "pa.DataType", wanted: str) -> bool:
    import pyarrow.types as types

    if types.is_dictionary(given):
        given = given.value_type
    if wanted == "string":
        return bool(types.is_string(given) or types.is_large_string(given) or types.is_null(given))
    if wanted == "any":
        return True
    if wanted == "bool":
        return bool(types.is_boolean(given) or types.is_null(given))
    return bool(types.is_integer(given) if wanted.startswith("int") else types.is_floating(given))


def batches(
    path: Path, columns: Sequence[str] | None = None, *, groups: int = 1, coded: bool = False
) -> "Iterable[pa.Table]":
    """The row groups of a file, so many at a time. `columns` None: all; `coded`: as dictionaries. Raises
    `CukereuseError` if it can't be read."""
    import pyarrow.parquet as pq

    with _readable(path), pq.ParquetFile(path, read_dictionary=list(columns or ()) if coded else None) as file:
        for first in range(0, file.num_row_groups, groups):
            yield file.read_row_groups(range(first, min(first + groups, file.num_row_groups)), columns)
