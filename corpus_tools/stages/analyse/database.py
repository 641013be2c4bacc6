"""The steps of a corpus as small integer tables in DuckDB; every rollup starts from these.

Tables: `texts` (text_id, text, occurrences; by text), `repositories` (repo_id, repo, owner, license_class), `files`
(file_id, repo_id, file_path), `wordings` (what `readings` gives for each text_id, and a wording_id for each template),
`placed` (file_id, repo_id, text_id; a row for each step with a text), `counts` (repo_id, text_id, n). Ids count from 0
in the order of the values that they stand for, so that every result is the same on every machine.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from corpus_tools.support import arrow
from corpus_tools.support.workers import Aside
from cukereuse_engine.detection.options import cluster_id
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.karate import SHARE, is_statement, is_unmistakable
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.template import template

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

NEEDED = {
    "repo": "string", "file_path": "string", "text": "string", "license_class": "string", "is_background": "bool",
    "is_outline": "bool", "scenario": "string", "scenario_line": "int32", "argument": "string",
}  # fmt: skip

_TEXTS_AT_ONCE = 1 << 16


@contextmanager
def corpus_database(
    steps: Path, *, threads: int, memory: str, aside: Aside = partial, progress: Progress = SILENT
) -> "Iterator[duckdb.DuckDBPyConnection]":
    """`open_corpus`, closed at the end. Raises `CukereuseError` also if neither `memory` nor the disk for spilling
    suffices."""
    import duckdb

    try:
        connection = open_corpus(steps, threads=threads, memory=memory, aside=aside, progress=progress)
        try:
            yield connection
        finally:
            connection.close()
    except (duckdb.OutOfMemoryException, duckdb.IOException) as error:
        hint = "Give the rollups more memory (--memory), or make room on the disk, to which they spill."
        raise CukereuseError(f"DuckDB has no room, with {memory}: {str(error).splitlines()[0]}", hint) from error


def open_corpus(
    steps: Path, *, threads: int = 2, memory: str = "2GB", aside: Aside = partial, progress: Progress = SILENT
) -> "duckdb.DuckDBPyConnection":
    """A connection to the steps; texts are read by `aside`, some at a time. Raises `CukereuseError` if `steps` is no
    table of steps, or is empty."""
    arrow.require(steps, NEEDED, "Run `cukereuse corpus parse` first.")
    connection = connect(threads=threads, memory=memory, spill=steps.parent)
    connection.execute(f"CREATE VIEW steps AS SELECT * FROM read_parquet('{_quoted(steps)}')")
    with progress.stage("loading", 4, "tables") as stage:
        _texts(connection)
        if not connection.execute("SELECT count(*) FROM texts").fetchall()[0][0]:
            connection.close()
            raise CukereuseError(f"{steps} has no steps", "What could not be read is in errors.parquet.")
        stage.advance()
        read = _readings_by(aside, connection)
        connection.execute(
            """
            CREATE TABLE repositories AS
            SELECT CAST(row_number() OVER (ORDER BY repo) - 1 AS INTEGER) AS repo_id, repo,
                   split_part(repo, '/', 1) AS owner, license_class
            FROM (SELECT repo, min(license_class) AS license_class FROM steps GROUP BY repo)
            """
        )
        stage.advance()
        connection.execute(
            """
            CREATE TABLE files AS
            SELECT CAST(row_number() OVER (ORDER BY repo_id, file_path) - 1 AS INTEGER) AS file_id, repo_id, file_path
            FROM (SELECT DISTINCT repo, file_path FROM steps) JOIN repositories USING (repo)
            """
        )
        stage.advance()
        connection.execute(
            """
            CREATE TABLE placed AS
            SELECT file_id, repo_id, text_id
            FROM (SELECT repo, file_path, text FROM steps)
            JOIN repositories USING (repo) JOIN files USING (repo_id, file_path) JOIN written USING (text)
            """
        )
        connection.execute(
            "CREATE TABLE counts AS SELECT repo_id, text_id, CAST(count(*) AS INTEGER) AS n FROM placed GROUP BY ALL"
        )
        stage.advance()
        _wordings(connection, read())
    return connection


def readings(texts: "pa.RecordBatch") -> "pa.Table":
    """What the engine reads of each `text`: the template's `key` and the `masked` text, the `identity` of the text and
    the id of the cluster that it makes `alone`, and whether it is, or must be, a `statement` of Karate."""
    import pyarrow as pa

    written = texts.column("text").to_pylist()
    templates, identities = list(map(template, written)), list(map(identity, written))
    return pa.table({
        "key": pa.array([parsed.key for parsed in templates], pa.string()).dictionary_encode(),
        "masked": pa.array([parsed.masked for parsed in templates], pa.string()),
        "identity": identities,
        "alone": [cluster_id([its]) for its in identities],
        "statement": list(map(is_statement, written)),
        "certain": list(map(is_unmistakable, written)),
    })  # fmt: skip


def _readings_by(aside: Aside, connection: "duckdb.DuckDBPyConnection") -> "Callable[[], pa.Table]":
    """Has the texts read; gives a function that waits for the `readings` of all, in order."""
    import pyarrow as pa

    texts = connection.sql("SELECT text FROM texts ORDER BY text_id").to_arrow_reader(_TEXTS_AT_ONCE)
    parts = [aside(readings, part) for part in texts]
    return lambda: pa.concat_tables([part() for part in parts])


def _wordings(connection: "duckdb.DuckDBPyConnection", read: "pa.Table") -> None:
    """Create the table of what the engine reads of each text; texts of one key differ only in their arguments."""
    import pyarrow as pa

    keys = read.column("key").unify_dictionaries().combine_chunks()
    given = read.set_column(0, "wording_id", keys.indices.cast(pa.int32()))
    connection.register("given", given.append_column("text_id", pa.array(range(len(given)), pa.int32())))
    connection.execute("CREATE TABLE wordings AS SELECT * FROM given")
    connection.unregister("given")


def connect(*, threads: int, memory: str, spill: Path) -> "duckdb.DuckDBPyConnection":
    """A database in memory that spills into `spill`."""
    import duckdb

    # Insertion order must be kept: without it even a sorted result comes out unsorted as an Arrow table.
    settings: dict[str, str | int] = {
        "threads": threads,
        "memory_limit": memory,
        "temp_directory": str(spill / ".duckdb"),
    }
    return duckdb.connect(config={**settings, "preserve_insertion_order": True})


def texts_as_written(connection: "duckdb.DuckDBPyConnection", members: str) -> "pa.Table":
    """`text` as it is in a step, with its `text_id`, its `wording_id`, and its `cluster_id` in the table `members`."""
    query = f"""
        SELECT text, text_id, wording_id, cluster_id
        FROM written JOIN wordings USING (text_id) LEFT JOIN {members} USING (text_id)
        """
    return arrow_of(connection, query)


def karate_statements(connection: "duckdb.DuckDBPyConnection") -> frozenset[str]:
    """Identities of the texts that occur only in Karate's files (`detection.karate`): code, not language."""
    rows = connection.execute(
        """
        WITH karate AS (
            SELECT file_id, count(*) FILTER (statement) >= ? * count(*) AND bool_or(certain) AS is_karate
            FROM placed JOIN wordings USING (text_id) GROUP BY file_id),
        code AS (
            SELECT text_id FROM placed JOIN karate USING (file_id) GROUP BY text_id HAVING bool_and(is_karate))
        SELECT identity FROM code JOIN wordings USING (text_id)
        """,
        [SHARE],
    ).fetchall()
    return frozenset(identity for (identity,) in rows)


def arrow_of(connection: "duckdb.DuckDBPyConnection", query: str) -> "pa.Table":
    table: pa.Table = connection.sql(query).to_arrow_table()
    return table


def _texts(connection: "duckdb.DuckDBPyConnection") -> None:
    """`written`: each text as it is in a step to its id. The engine normalises, so that identities are its own."""
    import pyarrow as pa
    import pyarrow.compute as pc

    written = arrow_of(
        connection, "SELECT text, count(*) AS n FROM steps WHERE text IS NOT NULL GROUP BY text ORDER BY text"
    )
    normal = pa.array(list(map(normalise, written.column("text").to_pylist())), pa.string())
    written = written.append_column("normal", normal)
    written = written.filter(pc.not_equal(written.column("normal"), ""))
    summed = written.group_by("normal").aggregate([("n", "sum")]).sort_by("normal")
    ids = pc.index_in(written.column("normal"), value_set=summed.column("normal").combine_chunks())
    mapping = pa.table({"text": written.column("text"), "text_id": ids.cast(pa.int32())})
    texts = pa.table(
        {
            "text_id": pa.array(range(len(summed)), pa.int32()),
            "text": summed.column("normal"),
            "occurrences": summed.column("n_sum").cast(pa.int64()),
        }
    )
    for name, table in (("written", mapping), ("texts", texts)):
        connection.register("given", table)
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given")
        connection.unregister("given")


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")
