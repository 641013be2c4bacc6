"""From labels to `Cluster`s: kind, canonical phrasing, reasons, order."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.detection.canonical import canonical
from cukereuse_engine.detection.judged import KINDS
from cukereuse_engine.detection.options import Cluster, StrategyOptions, cluster_id
from cukereuse_engine.grouped import grouped
from cukereuse_engine.index.disjoint_sets import DisjointSets
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.judging.judge import Kind
from cukereuse_engine.text.step_text import StepText

_HOW = {
    Kind.REWORDED: "similar wording",
    Kind.PARAPHRASE: "similar meaning, different words",
}


def build_clusters(
    texts: Sequence[StepText],
    labels: NDArray[np.int32],
    weakest: NDArray[np.float64],
    accepted: tuple[ScoredPairs, NDArray[np.int8]],
    options: StrategyOptions,
) -> tuple[Cluster, ...]:
    """The clusters with at least `min_count` occurrences: those with several wordings first, then the most costly."""
    members = grouped(zip(labels.tolist(), texts, strict=True))
    kinds = _loosest(texts, labels, *accepted)
    clusters = (
        _cluster(group, kinds.get(label, Kind.EXACT), float(weakest[label]), options)
        for label, group in members.items()
        if sum(text.occurrences for text in group) >= options.min_count
    )
    return tuple(sorted(clusters, key=_cost))


def _loosest(
    texts: Sequence[StepText], labels: NDArray[np.int32], pairs: ScoredPairs, kinds: NDArray[np.int8]
) -> dict[int, Kind]:
    """Label to the loosest kind that joins the cluster's members: the bottleneck of a minimum spanning tree."""
    joined = DisjointSets[int]()
    loosest: dict[int, Kind] = {}

    first_of: dict[tuple[int, str], int] = {}
    for position, (label, text) in enumerate(zip(labels.tolist(), texts, strict=True)):
        first = first_of.setdefault((label, text.template.key), position)
        if joined.join(first, position):
            loosest[label] = Kind.PARAMETRIC
    within = np.flatnonzero(labels[pairs.a] == labels[pairs.b])
    within = within[np.argsort(kinds[within], kind="stable")]
    for a, b, kind in zip(pairs.a[within].tolist(), pairs.b[within].tolist(), kinds[within].tolist(), strict=True):
        if joined.join(b, a):
            loosest[int(labels[b])] = KINDS[kind]
    return loosest


def _cluster(group: list[StepText], kind: Kind, score: float, options: StrategyOptions) -> Cluster:
    first = canonical(group)
    rest = sorted((text for text in group if text is not first), key=lambda text: (-text.occurrences, text.text))
    return Cluster(
        id=cluster_id(text.identity for text in group),
        strategy=options.strategy,
        kind=kind,
        canonical=first.text,
        texts=(first, *rest),
        score=score if len(group) > 1 else 1.0,
        reasons=tuple(_reasons(group, kind, score, options)),
    )


def _reasons(group: list[StepText], kind: Kind, score: float, options: StrategyOptions) -> Iterable[str]:
    if kind is Kind.EXACT:
        yield f"the same text {group[0].occurrences} times"
        return
    wordings = len({text.template.key for text in group})
    if wordings == 1:
        yield f"one template with {len(group)} different arguments"
        return
    if kind is Kind.PARAMETRIC:
        yield f"{wordings} wordings that differ in an argument without quotes"
    else:
        yield f"{wordings} wordings, {_HOW[kind]}"
    which = "every pair" if options.linkage == "complete" else "each with its nearest"
    yield f"{which} at {score:.2f} or more ({options.row.unit})"


def _cost(cluster: Cluster) -> tuple[int, int, int, str, str]:
    """Sort key: the most costly first. Several wordings cost the steps of all but the most used one."""
    by_wording: Counter[str] = Counter()
    for text in cluster.texts:
        by_wording[text.template.key] += text.occurrences
    minority = cluster.occurrences - max(by_wording.values())
    several = cluster.kind in (Kind.REWORDED, Kind.PARAPHRASE)
    return (0 if several else 1, -minority, -cluster.occurrences, cluster.canonical, cluster.id)
