"""Fillers: what the templates of a suite contain in the place where two of them differ."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.index.arrays import Remembered, counts
from cukereuse_engine.judging.templates import Frames, Pairs, Templates

Column = NDArray[np.float64]


class Fillers(NamedTuple):
    """Statistics of the templates that fit a frame, in the place where they differ; `(n,)` each, 0 if none fits."""

    support: Column
    """Number of templates that fit."""
    slots: Column
    """Share of templates with an argument there."""
    values: Column
    """Share of the words there that look like values."""
    variety: Column
    """Distinct first words over all templates that fit."""
    single: Column
    """Share of templates with one word there."""


class FrameFillers:
    """The fillers of each frame of a suite, cached until the suite changes."""

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self._remembered = Remembered(len(Fillers._fields))
        self._member_count = len(templates.members)

    def of(self, pairs: Pairs) -> Fillers:
        """The fillers of each pair's frame."""
        if self._member_count != len(self._templates.members):
            self._remembered.clear()
            self._member_count = len(self._templates.members)
        frames, where = pairs.frames
        figures = self._remembered.of(frames.numbers, lambda missing: self._of(frames.take(missing)))
        return Fillers(*(column[where] for column in figures.T))

    def keep(self, most: int) -> None:
        """Forget all if it is of more frames than `most`."""
        if len(self._remembered) > most:
            self._remembered.clear()

    def _of(self, frames: Frames) -> NDArray[np.float64]:
        templates = self._templates
        lengths, offsets, numbers = (templates.array(name) for name in ("lengths", "offsets", "numbers"))
        cumulated = [templates.cumulated(name) for name in ("slots", "argument_like")]
        result = np.zeros((len(frames.prefix), len(Fillers._fields)))
        for places, owners, rows in templates.fitting(frames):
            prefix, suffix = frames.prefix[places][owners], frames.suffix[places][owners]
            start = offsets[rows] + prefix
            length = lengths[rows] - prefix - suffix
            slots, values = (sums[start + length] - sums[start] for sums in cumulated)
            columns = (np.ones(len(rows)), slots > 0, values, length, length == 1)
            support, with_slot, value_words, words, single = (
                np.bincount(owners, column, len(places)) for column in columns
            )
            variety = np.bincount(counts(owners, numbers[start] + 1)[0], minlength=len(places))
            fitting = np.maximum(support, 1)
            result[places] = np.column_stack(
                (support, with_slot / fitting, value_words / np.maximum(words, 1), variety / fitting, single / fitting)
            )
        return result
