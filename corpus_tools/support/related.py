"""Which repositories are related, so that no split of the data separates them.

Repositories are related if they have one owner, or share step definitions: forks, or users of one step library. In
doubt, they count as related.
"""

from collections.abc import Mapping, Set
from itertools import combinations

from cukereuse_engine.index.disjoint_sets import DisjointSets

SHARE = 0.05
FEWEST = 3
"""The least share of the smaller repository's expressions, and their least number, to relate two repositories."""

Expressions = Set[tuple[str, str]]
"""Language and expression of each step definition to which a repository's steps bind."""


def groups(repositories: Mapping[str, Expressions]) -> dict[str, str]:
    """Maps each repository to the name of its group: its own if it is alone, the owner if all have the same one, else
    the first repository's."""
    related = DisjointSets[str]()
    for first, second in combinations(sorted(repositories), 2):
        if related.root(first) != related.root(second) and (
            _owner(first) == _owner(second) or _share(repositories[first], repositories[second])
        ):
            related.join(first, second)
    members: dict[str, list[str]] = {}
    for name in sorted(repositories):
        members.setdefault(related.root(name), []).append(name)
    return {name: _name(group) for group in members.values() for name in group}


def _share(mine: Expressions, theirs: Expressions) -> bool:
    common = len(mine & theirs)
    return common >= FEWEST and common >= SHARE * min(len(mine), len(theirs))


def _name(group: list[str]) -> str:
    owners = {_owner(name) for name in group}
    return group[0].partition("/")[0] if len(group) > 1 and len(owners) == 1 else group[0]


def _owner(name: str) -> str:
    return name.partition("/")[0].lower()
