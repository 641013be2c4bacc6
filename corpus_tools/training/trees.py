"""Trees that are fitted to what people would merge, as the judge asks them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus_tools.training.intent_rows import EvidenceTable
from cukereuse_engine.judging.features import matrix
from cukereuse_engine.judging.forest import WHOLE, Forest

TREES, LEAVES, LEAF_PAIRS, SHARE = 100, 200, 4, 0.3
"""Number of trees; most leaves of each; fewest pairs in a leaf; share of the evidence for choosing a question."""
THINNED = 0.25
"""Share of ungrouped pairs to which the trees are fitted, each also counting for those left out."""
UNSURE = 0.6
"""Weight of a pair that some reader only calls maybe."""
VARIED = 0.1
"""Weight of a pair that nobody wrote."""


def fit(table: EvidenceTable, names: tuple[str, ...]) -> Forest:
    return _forest([tree.tree_ for tree in grow(table, names).estimators_], names)


def grow(table: EvidenceTable, names: tuple[str, ...]) -> Any:
    """A classifier of scikit-learn, fitted to the table."""
    from sklearn.ensemble import ExtraTreesClassifier

    rng = np.random.default_rng(2026)
    kept = table.right | (rng.random(len(table.right)) < THINNED)
    importance = table.weights * np.where(table.right, np.where(table.sure, 1.0, UNSURE), 1.0 / THINNED)
    features, labels, weights = [matrix(table.features, names)[kept]], [table.right[kept]], [importance[kept]]
    for rows in table.suites:
        if len(rows.varied_same):
            features.append(matrix(rows.varied, names))
            labels.append(rows.varied_same)
            weights.append(np.full(len(rows.varied_same), VARIED * rows.weight))
    trees = ExtraTreesClassifier(
        TREES, min_samples_leaf=LEAF_PAIRS, max_leaf_nodes=LEAVES, max_features=SHARE, random_state=2026
    )
    return trees.fit(np.concatenate(features), np.concatenate(labels), np.concatenate(weights))


def _forest(trees: Sequence[Any], names: tuple[str, ...]) -> Forest:
    """scikit-learn's trees in one table."""
    sizes = [tree.node_count for tree in trees]
    roots = np.cumsum([0, *sizes[:-1]], dtype=np.int32)
    return Forest(names, roots, *map(np.concatenate, zip(*map(_table, trees, roots.tolist()), strict=True)))


def _table(tree: Any, root: int) -> tuple[NDArray[Any], ...]:
    """Columns of one tree's nodes, in the order of a walk that goes by the no first."""
    order, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        if tree.children_left[node] >= 0:
            waiting += [tree.children_right[node], tree.children_left[node]]
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    leaf = tree.children_left[order] < 0
    above = np.where(leaf, place[order], place[tree.children_right[order]])
    votes = np.where(leaf, np.rint(WHOLE * tree.value[order, 0, 1]), 0)
    return (
        np.where(leaf, -1, tree.feature[order]).astype(np.int16),
        np.where(leaf, 0.0, tree.threshold[order]).astype(np.float32),
        (root + above).astype(np.int32),
        votes.astype(np.uint16),
    )
