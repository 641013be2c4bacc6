"""Linkage compared with its definition."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cukereuse_engine.index.linkage import Linkage, link
from cukereuse_engine.index.pairs import ScoredPairs

EDGES = st.dictionaries(
    st.tuples(st.integers(0, 11), st.integers(0, 11)).filter(lambda e: e[0] < e[1]),
    st.sampled_from([0.5, 0.6, 0.7, 0.7, 0.9, 1.0]),
    max_size=60,
)


def pairs_of(edges: dict[tuple[int, int], float]) -> ScoredPairs:
    return ScoredPairs.of(
        np.array([a for a, _ in edges], np.int32),
        np.array([b for _, b in edges], np.int32),
        np.array(list(edges.values()), np.float64),
    )


def as_sets(linkage: Linkage) -> set[frozenset[int]]:
    groups: dict[int, set[int]] = {}
    for node, label in enumerate(linkage.labels.tolist()):
        groups.setdefault(label, set()).add(node)
    assert all(label == min(group) for label, group in groups.items())
    return {frozenset(group) for group in groups.values()}


def naive(n: int, edges: dict[tuple[int, int], float], complete: bool) -> dict[frozenset[int], float]:
    """Merge the two clusters whose furthest (or nearest) pair comes first in the ranking, until none is left.

    Returns each cluster with its weakest merge.
    """
    ranking = sorted(edges, key=lambda e: (-edges[e], e))
    rank = {edge: place for place, edge in enumerate(ranking)}
    clusters = dict.fromkeys((frozenset([node]) for node in range(n)), 1.0)
    while True:
        best: tuple[int, frozenset[int], frozenset[int]] | None = None
        for one, other in itertools.combinations(clusters, 2):
            places = [rank.get((min(e), max(e))) for e in itertools.product(one, other)]
            known = [place for place in places if place is not None]
            if not known or (complete and len(known) < len(places)):
                continue
            place = max(known) if complete else min(known)
            if best is None or place < best[0]:
                best = (place, one, other)
        if best is None:
            return clusters
        place, one, other = best
        del clusters[one], clusters[other]
        clusters[one | other] = edges[ranking[place]]


@settings(deadline=None)
@given(EDGES, st.booleans())
def test_equals_the_naive_twin(edges: dict[tuple[int, int], float], complete: bool) -> None:
    linkage = link(12, pairs_of(edges), "complete" if complete else "single")
    expected = naive(12, edges, complete)
    assert as_sets(linkage) == set(expected)
    assert {min(group): linkage.weakest[min(group)] for group in expected} == {
        min(group): weakest for group, weakest in expected.items()
    }


@settings(deadline=None)
@given(EDGES)
def test_complete_linkage_joins_accepted_pairs_only_and_all_it_can(
    edges: dict[tuple[int, int], float],
) -> None:
    linkage = link(12, pairs_of(edges), "complete")
    groups = as_sets(linkage)
    for group in groups:
        scores = [edges.get(pair, 0.0) for pair in itertools.combinations(sorted(group), 2)]
        assert min(scores, default=1.0) == linkage.weakest[min(group)]
    for one, other in itertools.combinations(groups, 2):
        assert any((min(e), max(e)) not in edges for e in itertools.product(one, other))


def test_chains_are_joined_by_single_linkage_only() -> None:
    edges = {(0, 1): 0.9, (1, 2): 0.8}
    assert as_sets(link(3, pairs_of(edges), "single")) == {frozenset({0, 1, 2})}
    assert as_sets(link(3, pairs_of(edges), "complete")) == {frozenset({0, 1}), frozenset({2})}


def test_unknown_method() -> None:
    with pytest.raises(ValueError, match="average"):
        link(1, ScoredPairs.empty(), "average")
