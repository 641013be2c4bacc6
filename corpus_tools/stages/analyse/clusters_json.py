"""A strategy's clusters with their texts as JSON, for programs that can't read the two Parquet files."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from corpus_tools.support import arrow
from corpus_tools.support.checkpoint import replace_whole
from cukereuse_engine import __version__

SCHEMA_VERSION = 1


def write(clusters: Path, members: Path, output: Path, strategy: str) -> Path:
    """Write one object: `schema_version`, `tool`, `strategy`, and `clusters`, one per line, with the columns of both
    files; members are `texts`, the canonical text first. Streams; holds at most one row group of each file."""
    encode = msgspec.json.Encoder().encode
    head = {"schema_version": SCHEMA_VERSION, "tool": f"cukereuse {__version__}", "strategy": strategy}

    def fill(file: BinaryIO) -> None:
        file.write(encode(head)[:-1] + b',"clusters":[')
        separator = b"\n"
        rows, mixed = _rows(members), False
        for cluster in _rows(clusters):
            cluster["texts"] = list(islice(rows, cluster["n_distinct_variants"]))
            mixed = {row.pop("cluster_id") for row in cluster["texts"]} != {cluster["cluster_id"]}
            if mixed:
                break
            del cluster["member_examples"]
            file.write(separator + encode(cluster))
            separator = b",\n"
        if mixed or next(rows, None) is not None:
            raise ValueError(f"{clusters} and {members} come from different runs")
        file.write(b"\n]}\n")

    def write_file(temporary: Path) -> None:
        with temporary.open("wb") as file:
            fill(file)

    replace_whole(output, write_file)
    return output


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for table in arrow.batches(path):
        for batch in table.to_batches(max_chunksize=10_000):
            yield from batch.to_pylist()
