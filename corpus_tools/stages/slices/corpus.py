"""A corpus' steps as sequences of clusters."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corpus_tools.stages.parse import STEPS
from corpus_tools.stages.slices.scenarios import ScenarioCount, ScenarioFigures
from corpus_tools.stages.slices.sequences import ClusterSequences
from corpus_tools.stages.slices.steps import NumberedSteps, read_steps
from corpus_tools.stages.slices.windows import SliceFigures
from corpus_tools.stages.slices.windows import figures as window_figures
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

    path = corpus / f"cluster_members_{strategy}.parquet"
    arrow.require(path, MEMBERS, f"Run `cukereuse corpus analyse --strategy {strategy}` first.")
    table = arrow.read(path, MEMBERS).combine_chunks()

    def clusters(texts: "pa.Array") -> "pa.ChunkedArray":
        normal = pa.array(list(map(normalise, texts.to_pylist())), pa.string())
        return table["cluster_id"].take(pc.index_in(normal, table["text"]))

    return ClusterSequences.joined(_sequences(steps, clusters(steps.texts)) for steps in read_steps(corpus / STEPS))


def figures(path: Path, written: "pa.Table") -> tuple[ScenarioFigures, SliceFigures]:
    """The figures of the scenarios and of the windows of a `steps.parquet`. `written`: each `text` as it is in a step,
    with its `text_id`, `wording_id` and `cluster_id`, or null. Holds some steps at a time, and a few bytes of each."""
    count, numbers = ScenarioCount(), written.drop_columns("text")

    def sequences() -> Iterator[ClusterSequences]:
        for steps in read_steps(path):
            of_texts = numbers.take(_rows(steps.texts, written["text"]))
            count.add(steps, of_texts)
            yield _sequences(steps, of_texts["cluster_id"])

    of_windows = window_figures(ClusterSequences.joined(sequences()))
    return count.figures(), of_windows


def _sequences(steps: NumberedSteps, clusters: "pa.ChunkedArray") -> ClusterSequences:
    """`clusters`: of each of `steps.texts`, or null."""
    cluster = np.append(np.int32(-1), clusters.fill_null(-1).to_numpy().astype(np.int32))
    return ClusterSequences.of(steps.repository, steps.path, steps.name, cluster[steps.text])


def _rows(few: "pa.Array", many: "pa.ChunkedArray") -> "pa.Array":
    """The row in `many` of each of `few`, or null; both have each value once. Only a table of the few is built."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = pc.index_in(many, few).combine_chunks()
    rows = np.full(len(few), -1)
    rows[found.drop_null().to_numpy()] = np.flatnonzero(found.is_valid().to_numpy(zero_copy_only=False))
    return pa.array(rows, mask=rows < 0)
