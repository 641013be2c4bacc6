"""What a suite's bindings say about a pair of templates. All are 0 where nothing is known that touches the pair."""

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.index.arrays import cumulate
from cukereuse_engine.judging.bound_neighbours import BoundNeighbours
from cukereuse_engine.judging.features import Column
from cukereuse_engine.judging.knowledge import Knowledge, rate_logit
from cukereuse_engine.judging.templates import Pairs

_SHARPNESS = 25.0
"""How fast the weight of a definition falls with the distance of its nearest template."""
_NONE_OF_THEM = 0.75
"""Similarity that stands for "none of the known definitions"."""
_FLOOR = 1e-4
_BY_COVERAGE = (
    *("frame_rate", "word_rate", "begin_rate", "end_rate"),
    *("neighbours_agree", "neighbours_differ", "neighbours_shared"),
)
"""What counts for more, or less, the more of the suite is bound."""


def adapted_features(pairs: Pairs, knowledge: Knowledge, neighbours: BoundNeighbours) -> dict[str, Column]:
    """Columns of the adapted judge, beside those of the text judge."""
    same, total = knowledge.frame_counts(pairs)
    begin_rate, end_rate = knowledge.end_rates(pairs)
    per_definition, multiple = knowledge.merging()
    rates = np.append(knowledge.word_rates(), 0.0)[pairs.templates.array("numbers")]
    sum_a, sum_b = pairs.middle_sum(cumulate(rates))
    middle = np.maximum(pairs.length_a + pairs.length_b - 2 * (pairs.prefix + pairs.suffix), 1)
    coverage = np.sqrt(len(knowledge) / max(len(pairs.templates.members), 1))
    features = {
        "frame_rate": rate_logit(same, total),
        "frame_pairs": np.log1p(total),
        "begin_rate": begin_rate,
        "end_rate": end_rate,
        "templates_per_definition": np.full(len(pairs), np.log(per_definition)),
        "multiple_share": np.full(len(pairs), multiple),
        "word_rate": (sum_a + sum_b) / middle,
        "word_rate_least": pairs.middle_min(rates),
        "coverage": np.full(len(pairs), coverage),
        **_neighbour_features(pairs, neighbours),
    }
    return features | {f"{name}_by_coverage": features[name] * coverage for name in _BY_COVERAGE}


def _neighbour_features(pairs: Pairs, neighbours: BoundNeighbours) -> dict[str, Column]:
    codes_a, near_a = neighbours.of(pairs.a)
    codes_b, near_b = neighbours.of(pairs.b)
    nearness = np.minimum(near_a[:, 0], near_b[:, 0])
    agree = (codes_a[:, 0] == codes_b[:, 0]) & (codes_a[:, 0] >= 0)
    weights_a, weights_b = _weights(codes_a, near_a), _weights(codes_b, near_b)
    equal = (codes_a[:, :, None] == codes_b[:, None, :]) & (codes_a[:, :, None] >= 0)
    shared = np.einsum("nij,ni,nj->n", equal.astype(np.float64), weights_a, weights_b)
    return {
        "neighbours_agree": agree * nearness,
        "neighbours_differ": ~agree * nearness,
        "neighbours_shared": np.log(shared + _FLOOR) - np.log(_FLOOR),
    }


def _weights(codes: NDArray[np.int64], nearness: Column) -> Column:
    """(n, 3) share of each of the nearest definitions, the rest being for none of them."""
    weights = np.where(codes >= 0, np.exp((nearness - 1.0) * _SHARPNESS), 0.0)
    rest = np.exp((_NONE_OF_THEM - 1.0) * _SHARPNESS)
    return np.asarray(weights / (weights.sum(axis=1, keepdims=True) + rest), np.float64)
