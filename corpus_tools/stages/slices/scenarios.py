"""The number of scenarios in a corpus, their lengths, and how many are equal to others."""

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from corpus_tools.stages.slices.steps import NumberedSteps, paired, sums_of

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


class ScenarioCount:
    """Counts scenarios, those of some files at a time."""

    def __init__(self) -> None:
        self._lengths = Counter[int]()
        self._said: dict[str, list[NDArray[np.uint64]]] = {"text_id": [], "wording_id": []}
        """The sums of what each scenario says."""

    def add(self, steps: NumberedSteps, written: "pa.Table") -> None:
        """`written`: `text_id` and `wording_id` of each of `steps.texts`, or null."""
        begins = np.ones(len(steps.line), bool)
        begins[1:] = (np.diff(steps.file) != 0) | (np.diff(steps.line) != 0)
        lengths = np.diff(np.flatnonzero(begins), append=len(begins))
        for length, count in zip(*(each.tolist() for each in np.unique(lengths, return_counts=True)), strict=True):
            self._lengths[length] += count
        for column, sums in self._said.items():
            ids = written[column].fill_null(-1).to_numpy().astype(np.int64) + 1
            said = paired(np.concatenate([[0], ids])[steps.text], steps.argument)
            sums.append(sums_of(said, lengths))

    def figures(self) -> ScenarioFigures:
        texts, wordings = (len(np.unique(np.concatenate(sums))) if sums else 0 for sums in self._said.values())
        return ScenarioFigures(self._lengths.total(), texts, wordings, self._lengths)
