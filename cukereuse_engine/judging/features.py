"""What is measured of a pair of templates: the columns that the learned weights apply to.

Every feature is a `(n,)` float64 column; their names are the keys of the parameter file.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.judging.templates import Pairs, Templates

Column = NDArray[np.float64]


def text_features(pairs: Pairs, support: Column) -> dict[str, Column]:
    """Features that need no step definition. `support` is the number of templates that fit each pair's frame."""
    templates = pairs.templates
    middle_a = pairs.length_a - pairs.prefix - pairs.suffix
    middle_b = pairs.length_b - pairs.prefix - pairs.suffix
    middle = np.maximum(middle_a + middle_b, 1).astype(np.float64)
    values_a, values_b = pairs.middle_sum(templates.cumulated("argument_like"))
    functions_a, functions_b = pairs.middle_sum(templates.cumulated("functional"))
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
        "support": np.log(np.maximum(support, 2.0)),
    }


def matrix(features: Mapping[str, Column], names: tuple[str, ...]) -> NDArray[np.float64]:
    """`(n, len(names))`, the features in the order of `names`."""
    return np.column_stack([features[name] for name in names])


class FrameSupport:
    """How many templates of the suite fit a frame; remembered as long as the suite is the same."""

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self._known: dict[tuple[int, int], int] = {}
        self._member_count = templates.member_count

    def of(self, pairs: Pairs) -> Column:
        if self._member_count != self._templates.member_count:
            self._known.clear()
            self._member_count = self._templates.member_count
        left, right = pairs.frames()
        known = self._known
        result = np.empty(len(pairs))
        rows = zip(left.tolist(), right.tolist(), pairs.prefix.tolist(), pairs.suffix.tolist(), strict=True)
        for i, (prefix_node, suffix_node, prefix, suffix) in enumerate(rows):
            frame = (prefix_node, suffix_node)
            count = known.get(frame)
            if count is None:
                count = len(self._templates.fitting(prefix_node, prefix, suffix_node, suffix))
                known[frame] = count
            result[i] = count
        return result
