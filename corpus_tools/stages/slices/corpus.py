"""A corpus' steps as sequences of clusters."""

from pathlib import Path

import numpy as np

from corpus_tools.stages.parse import STEPS
from corpus_tools.stages.slices.steps import NumberedSteps, read_steps
from corpus_tools.stages.slices.windows import ClusterSequences
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.text.identity import normalise


def read(corpus: Path, strategy: str) -> ClusterSequences:
    """The sequences of a corpus. Raises `CukereuseError` if it is not analysed with this strategy."""
    for path in (_members(corpus, strategy), corpus / STEPS):
        if not path.is_file():
            raise CukereuseError(
                f"{path} does not exist", "Run `cukereuse corpus parse` and `cukereuse corpus analyse`."
            )
    return sequences(corpus, strategy, read_steps(corpus / STEPS))


def sequences(corpus: Path, strategy: str, steps: NumberedSteps) -> ClusterSequences:
    """The sequences that `read` gives, for a caller who has the steps."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pq.read_table(_members(corpus, strategy), columns=["cluster_id", "text"]).combine_chunks()
    normal = pa.array(["", *map(normalise, steps.texts.to_pylist())], pa.string())
    place = pc.index_in(normal, table["text"])
    cluster = table["cluster_id"].take(place).fill_null(-1).to_numpy().astype(np.int64)
    return ClusterSequences.of(steps.repository, steps.path, steps.name, cluster[steps.text])


def _members(corpus: Path, strategy: str) -> Path:
    return corpus / f"cluster_members_{strategy}.parquet"
