"""A corpus' steps as sequences of clusters."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corpus_tools.stages.parse import STEPS
from corpus_tools.stages.slices.steps import NumberedSteps, read_steps
from corpus_tools.stages.slices.windows import ClusterSequences
from corpus_tools.support import arrow
from cukereuse_engine.text.identity import normalise

if TYPE_CHECKING:
    import pyarrow as pa

MEMBERS = {"cluster_id": "int64", "text": "string"}
"""The columns of a strategy's clusters that are needed."""


def read(corpus: Path, strategy: str) -> ClusterSequences:
    """The sequences of a corpus. Raises `CukereuseError` if it is not analysed with this strategy."""
    import pyarrow as pa
    import pyarrow.compute as pc

    arrow.require(_members(corpus, strategy), MEMBERS, f"Run `cukereuse corpus analyse --strategy {strategy}` first.")
    steps, table = read_steps(corpus / STEPS), arrow.read(_members(corpus, strategy), MEMBERS).combine_chunks()
    normal = pa.array(list(map(normalise, steps.texts.to_pylist())), pa.string())
    return sequences(steps, table["cluster_id"].take(pc.index_in(normal, table["text"])))


def sequences(steps: NumberedSteps, clusters: "pa.ChunkedArray") -> ClusterSequences:
    """`clusters`: of each of `steps.texts`, or null."""
    cluster = np.append(np.int32(-1), clusters.fill_null(-1).to_numpy().astype(np.int32))
    return ClusterSequences.of(steps.repository, steps.path, steps.name, cluster[steps.text])


def _members(corpus: Path, strategy: str) -> Path:
    return corpus / f"cluster_members_{strategy}.parquet"
