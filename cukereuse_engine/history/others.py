"""Steps that do something other than they say: the wording still contains a name that the function no longer
contains."""

import re
from collections.abc import Iterator
from itertools import pairwise

from cukereuse_engine.functions.tokens import TEXT, words
from cukereuse_engine.history.definitions import SEPARATOR
from cukereuse_engine.history.drift import Drift, DriftKind, DriftSides, by_function, much
from cukereuse_engine.history.likeness import TELLING, telling, told_by
from cukereuse_engine.history.lineages import DefinitionVersion, Lineage, Past

_SELECTOR = re.compile(r"""(?:^|[\s"'(,>])(?:[\w-]*[#.][A-Za-z][\w-]*(?=$|[\s"'),>:\[])|\[|[<>]|//)""")
"""Text that tells where something is in a page, not what it is."""
_NAME = re.compile(r"(?:\b[A-Z]\w*\s+)+[A-Z]\w*|\b[a-z]+[A-Z]\w*")
"""A proper name in a wording: `Case Details`, `nonPayment`."""


def others(past: Past, side: DriftSides) -> Iterator[Drift]:
    for group in by_function(past.lineages):
        lineage = group[0]
        versions = _renamed(lineage)
        if versions is None:
            continue
        before, after = versions
        now = side(lineage)
        if not now.uses.steps:
            continue
        also = tuple(side(member) for member in group[1:])
        yield Drift(DriftKind.OTHER, (side(lineage, before), now), after, also, 0.5 + much(now.uses.steps))


def _renamed(lineage: Lineage) -> tuple[DefinitionVersion, DefinitionVersion] | None:
    """The versions between which something that the wording names was replaced."""
    for before, after in reversed(list(pairwise(lineage.versions))):
        if before.state.form == after.state.form or before.state.wording.lower() != after.state.wording.lower():
            continue
        mine, theirs = before.state.form.split(SEPARATOR), after.state.form.split(SEPARATOR)
        if len(mine) != len(theirs):
            return None
        differing = {pair for pair in zip(mine, theirs, strict=True) if pair[0] != pair[1]}
        if len(differing) != 1:
            return None
        old, new = differing.pop()
        if old[:1] != new[:1] or old[:1] not in TELLING or any(_SELECTOR.search(text[1:]) for text in (old, new)):
            return None
        is_other = _names_another(before.state.wording, old, new, told_by(theirs))
        return (before, after) if is_other else None
    return None


def _names_another(wording: str, old: str, new: str, told: set[str]) -> bool:
    """True if the wording contains a proper name that `old` contains too, and nothing in the function (`told`) contains
    it any more. Other words describe something, which may have another label now."""
    before, after = telling(old[1:]), telling(new[1:])
    if "".join(words(old[1:])) == "".join(words(new[1:])):
        return False  # the spelling
    if old[:1] != TEXT and 2 * len(before & after) < len(before):
        return False  # another function, which may do the same
    lost = before - after - told
    names = {pair for name in _NAME.findall(wording) for pair in pairwise(words(name))} & set(pairwise(words(old[1:])))
    return any(lost.issuperset(name) for name in names) and bool(after - telling(wording))
