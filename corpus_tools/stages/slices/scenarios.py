"""The number of scenarios in a corpus, their lengths, and how many are equal to others."""

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corpus_tools.stages.slices.steps import NumberedSteps, paired, same_sequences

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class ScenarioFigures:
    """Figures of scenarios with steps; Backgrounds do not count, and an Outline counts once."""

    scenarios: int
    texts: int
    """The number of different ones: the same texts in the same order, with or without table or DocString alike."""
    structures: int
    """The same without values."""
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


def scenario_figures(steps: NumberedSteps, written: "pa.Table") -> ScenarioFigures:
    """The figures of all scenarios. `written`: `text_id` and `wording_id` of each of `steps.texts`, or null."""
    begins = np.ones(len(steps.line), bool)
    begins[1:] = (np.diff(steps.file) != 0) | (np.diff(steps.line) != 0)
    lengths = np.diff(np.flatnonzero(begins), append=len(begins))

    def distinct(column: str) -> int:
        ids = written[column].fill_null(-1).to_numpy().astype(np.int64) + 1
        said = paired(np.concatenate([[0], ids])[steps.text], steps.argument)
        return int(same_sequences(said, lengths).max(initial=-1)) + 1

    counts = dict(zip(*(each.tolist() for each in np.unique(lengths, return_counts=True)), strict=True))
    return ScenarioFigures(len(lengths), distinct("text_id"), distinct("wording_id"), Counter(counts))
