"""The features of a pair of templates: the columns that the learned weights apply to.

Every feature is a `(n,)` float64 column; their names are the keys of the parameter file.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.fillers import Fillers
from cukereuse_engine.judging.templates import Pairs

Column = NDArray[np.float64]
Roles = tuple[NDArray[np.int8], NDArray[np.int8]]
"""The bits of `StepText.roles` for each side of each pair."""


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Pairs with the features of their texts, which all questions share."""

    pairs: Pairs
    roles: Roles
    features: Mapping[str, Column]
    """The result of `text_features`."""
    same: Column
    """(n,) log odds that one definition serves both, by these features alone."""

    def take(self, places: NDArray[np.int64]) -> "Measured":
        roles = self.roles[0][places], self.roles[1][places]
        return Measured(self.pairs.take(places), roles, take(self.features, places), self.same[places])


def take(features: Mapping[str, Column], places: NDArray[np.int64]) -> dict[str, Column]:
    """The features of some of the pairs."""
    return {name: column[places] for name, column in features.items()}


def text_features(pairs: Pairs, fillers: Fillers) -> dict[str, Column]:
    """Features that need no step definition. `fillers`: of each pair's frame."""
    templates = pairs.templates
    middle_a = pairs.length_a - pairs.prefix - pairs.suffix
    middle_b = pairs.length_b - pairs.prefix - pairs.suffix
    middle = np.maximum(middle_a + middle_b, 1).astype(np.float64)
    values_a, values_b = pairs.middle_sum(templates.cumulated("argument_like"))
    functions_a, functions_b = pairs.middle_sum(templates.cumulated("functional"))
    slots_a, slots_b = pairs.middle_sum(templates.cumulated("slots"))
    guards = pairs.guards
    barred = np.logical_or.reduce([differs for name, differs in guards.items() if name != "order"])
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
