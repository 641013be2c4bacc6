from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.index.disjoint_sets import DisjointSets

PAIRS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)))


@given(PAIRS)
def test_elements_share_a_root_if_and_only_if_a_chain_of_pairs_leads_from_one_to_the_other(
    pairs: list[tuple[int, int]],
) -> None:
    sets, reached = DisjointSets[int](), {element: {element} for element in range(13)}
    for left, right in pairs:
        were_apart = right not in reached[left]
        root = sets.root(left)
        assert sets.join(left, right) is were_apart
        assert sets.root(right) == root
        union = reached[left] | reached[right]
        reached.update(dict.fromkeys(union, union))
    for left in range(13):
        assert {right for right in range(13) if sets.root(right) == sets.root(left)} == reached[left]
