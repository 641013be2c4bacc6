"""A corpus' steps as sequences of clusters."""

from pathlib import Path

import numpy as np

from corpus_tools.stages.parse import STEPS
from corpus_tools.stages.slices.steps import NumberedSteps, read_steps
from corpus_tools.stages.slices.windows import ClusterSequences
from corpus_tools.support import arrow
from cukereuse_engine.text.identity import normalise

MEMBERS = {"cluster_id": "int64", "text": "string"}
"""The columns of a strategy's clusters that are needed."""


def read(corpus: Path, strategy: str) -> ClusterSequences:
    """The sequences of a corpus. Raises `CukereuseError` if it is not analysed with this strategy."""
    arrow.require(_members(corpus, strategy), MEMBERS, f"Run `cukereuse corpus analyse --strategy {strategy}` first.")
    return sequences(corpus, strategy, read_steps(corpus / STEPS))


def sequences(corpus: Path, strategy: str, steps: NumberedSteps) -> ClusterSequences:
    """The sequences that `read` gives, for a caller who has the steps."""
    import pyarrow as pa
    import pyarrow.compute as pc

    table = arrow.read(_members(corpus, strategy), MEMBERS).combine_chunks()
    normal = pa.array(["", *map(normalise, steps.texts.to_pylist())], pa.string())
    place = pc.index_in(normal, table["text"])
    cluster = table["cluster_id"].take(place).fill_null(-1).to_numpy().astype(np.int64)
    return ClusterSequences.of(steps.repository, steps.path, steps.name, cluster[steps.text])


def _members(corpus: Path, strategy: str) -> Path:
    return corpus / f"cluster_members_{strategy}.parquet"
