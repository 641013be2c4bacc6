"""A corpus' steps as sequences of clusters."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from corpus_tools.stages.parse import STEPS
from corpus_tools.stages.slices.windows import ClusterSequences
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.text.identity import normalise

_COLUMNS = ["repo", "file_path", "scenario", "text", "is_background"]


def read(corpus: Path, strategy: str) -> ClusterSequences:
    """The sequences of a corpus. Raises `CukereuseError` if it is not analysed with this strategy."""
    import pyarrow.parquet as pq

    members, steps = corpus / f"cluster_members_{strategy}.parquet", corpus / STEPS
    for path in (members, steps):
        if not path.is_file():
            raise CukereuseError(
                f"{path} does not exist", "Run `cukereuse corpus parse` and `cukereuse corpus analyse`."
            )
    table = pq.read_table(members, columns=["cluster_id", "text"])
    cluster_of = dict(zip(table["text"].to_pylist(), table["cluster_id"].to_pylist(), strict=True))

    @lru_cache(1 << 17)
    def cluster(text: str) -> int | None:
        return cluster_of.get(normalise(text))

    def rows() -> Iterator[tuple[str, str, str, int | None]]:
        for batch in pq.ParquetFile(steps).iter_batches(columns=_COLUMNS):
            columns = (batch.column(name).to_pylist() for name in _COLUMNS)
            for repository, file, scenario, text, is_background in zip(*columns, strict=True):
                if not is_background:
                    yield repository, file, scenario, cluster(text)

    return ClusterSequences.of(rows())
