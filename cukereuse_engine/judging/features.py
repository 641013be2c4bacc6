"""What is measured of a pair of templates: the columns that the learned weights apply to.

Every feature is a `(n,)` float64 column; their names are the keys of the parameter file.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.templates import Frame, Pairs, Templates

Column = NDArray[np.float64]


def text_features(pairs: Pairs, fillers: "Fillers") -> dict[str, Column]:
    """Features that need no step definition. `fillers` is what the suite has between each pair's beginning and end."""
    templates = pairs.templates
    middle_a = pairs.length_a - pairs.prefix - pairs.suffix
    middle_b = pairs.length_b - pairs.prefix - pairs.suffix
    middle = np.maximum(middle_a + middle_b, 1).astype(np.float64)
    values_a, values_b = pairs.middle_sum(templates.cumulated("argument_like"))
    functions_a, functions_b = pairs.middle_sum(templates.cumulated("functional"))
    slots_a, slots_b = pairs.middle_sum(templates.cumulated("slots"))
    guards = pairs.guards()
    barred = np.zeros(len(pairs), np.bool_)
    for name, differs in guards.items():
        if name != "order":
            barred |= differs
    return {
        "indel": pairs.indel(),
        "jaccard": pairs.jaccard(),
        "same_stems": pairs.same_stems().astype(np.float64),
        "value_share": (values_a + values_b) / middle,
        "value_both": np.minimum(values_a / np.maximum(middle_a, 1), values_b / np.maximum(middle_b, 1)),
        "function_share": (functions_a + functions_b) / middle,
        "middle": np.log1p(middle),
        "one_sided": (np.minimum(middle_a, middle_b) == 0).astype(np.float64),
        "guards": barred.astype(np.float64),
        "order": guards["order"].astype(np.float64),
        "support": np.log(np.maximum(fillers.support, 2.0)),
        "filler_slots": fillers.slots,
        "filler_values": fillers.values,
        "filler_variety": fillers.variety,
        "filler_single": fillers.single,
        "both_single": ((middle_a == 1) & (middle_b == 1)).astype(np.float64),
        "slots_differ": np.abs(slots_a - slots_b).astype(np.float64),
        "frame_length": np.log1p(pairs.prefix + pairs.suffix),
    }


def matrix(features: Mapping[str, Column], names: tuple[str, ...]) -> NDArray[np.float64]:
    """`(n, len(names))`, the features in the order of `names`."""
    return np.column_stack([features[name] for name in names])


class Fillers(NamedTuple):
    """What the templates of the suite that fit a frame have in the place where they differ; `(n,)` each, 0 where none
    fits."""

    support: Column
    """How many fit."""
    slots: Column
    """Share with an argument there."""
    values: Column
    """Share of the words there that look like values."""
    variety: Column
    """Distinct first words, over all that fit."""
    single: Column
    """Share with one word there."""


class FrameFillers:
    """The fillers of each frame of a suite; remembered as long as the suite is the same."""

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self._known: dict[Frame, tuple[float, ...]] = {}
        self._member_count = templates.member_count

    def of(self, pairs: Pairs) -> Fillers:
        if self._member_count != self._templates.member_count:
            self._known.clear()
            self._member_count = self._templates.member_count
        frames, where = pairs.distinct_frames()
        found = np.empty((len(frames), len(Fillers._fields)))
        for i, frame in enumerate(frames):
            if frame not in self._known:
                self._known[frame] = self._of_frame(frame)
            found[i] = self._known[frame]
        return Fillers(*found[where].T)

    def _of_frame(self, frame: Frame) -> tuple[float, ...]:
        templates = self._templates
        rows = templates.fitting(frame)
        if not len(rows):
            return (0.0,) * len(Fillers._fields)
        start = templates.array("offsets")[rows] + frame.prefix
        length = templates.array("lengths")[rows] - frame.prefix - frame.suffix
        slots, values = (
            cumulated[start + length] - cumulated[start]
            for cumulated in map(templates.cumulated, ("slots", "argument_like"))
        )
        first = np.unique(templates.array("numbers")[start])
        return (
            float(len(rows)),
            float((slots > 0).mean()),
            float(values.sum() / max(length.sum(), 1)),
            len(first) / len(rows),
            float((length == 1).mean()),
        )
