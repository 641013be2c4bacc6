"""What stays unmatched when two templates are laid side by side, and how far it is from its counterpart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz.fuzz import ratio

from cukereuse_engine.judging.lexicon import Lexicon, Tag, Unit

_SPELLED_ALIKE = 0.8
"""Indel similarity from which two words count as one that is spelled or inflected differently."""

Nearness = Callable[[str, str], float]
"""Cosine of two words' vectors, or of stems where none are at hand; 0 where unknown."""


class Relation(StrEnum):
    """How a unit of one template stands to its counterpart in the other."""

    INFLECTED = "another form"
    SYNONYM = "mean the same"
    SPELLED = "spelled alike"
    OPPOSITE = "opposites"
    SIBLING = "two of a kind"
    NEAR = "stand where the other has"
    MISSING = "only in one"


@dataclass(frozen=True, slots=True)
class Match:
    relation: Relation
    one: Unit
    other: Unit | None
    """None for what has no counterpart."""
    nearness: float
    """Cosine of the two words; 0 where unknown, or where there is no counterpart."""


@dataclass(frozen=True, slots=True)
class Alignment:
    matches: tuple[Match, ...]
    """All but what is the same in both, what carries meaning."""
    little: tuple[Unit, ...]
    """Function words, subjects and light words that only one has."""
    shared: int
    """Units with meaning that both have."""
    moved: bool
    """Whether what both have stands in another order."""


def align(one: Sequence[Unit], other: Sequence[Unit], known: Lexicon, near: Nearness) -> Alignment:
    """Lay two templates side by side: the same units first, then synonyms, spellings, and what is nearest."""
    mine, theirs, little = _meaningful(one), _meaningful(other), _little(one, other)
    shared_mine, shared_theirs, matches = _same(mine, theirs)
    left = [unit for place, unit in enumerate(mine) if place not in shared_mine]
    right = [unit for place, unit in enumerate(theirs) if place not in shared_theirs]
    for relation, fits in ((Relation.SYNONYM, _synonyms), (Relation.SPELLED, _spelled_alike)):
        matches += _matched(left, right, relation, fits)
    matches += _nearest(left, right, known, near)
    matches += [Match(Relation.MISSING, unit, None, 0.0) for unit in (*left, *right)]
    order = [shared_mine[place] for place in sorted(shared_mine)]
    return Alignment(tuple(matches), tuple(little), len(order), order != sorted(order))


def _meaningful(units: Sequence[Unit]) -> list[Unit]:
    return [unit for unit in units if unit.tag >= Tag.SLOT]


def _little(one: Sequence[Unit], other: Sequence[Unit]) -> list[Unit]:
    """The small words that only one has, a subject against a subject being none."""
    found: list[Unit] = []
    for units, others in ((one, other), (other, one)):
        there = [unit.stem for unit in others]
        for unit in units:
            if unit.tag < Tag.SLOT:
                if unit.stem in there:
                    there.remove(unit.stem)
                else:
                    found.append(unit)
    return found


def _same(mine: list[Unit], theirs: list[Unit]) -> tuple[dict[int, int], set[int], list[Match]]:
    """Places of what both have, in `mine` to in `theirs`, those in `theirs`; and what is inflected among it."""
    free: dict[str, list[int]] = {}
    for place, unit in enumerate(theirs):
        free.setdefault(unit.stem, []).append(place)
    found: dict[int, int] = {}
    inflected = []
    for place, unit in enumerate(mine):
        if free.get(unit.stem):
            found[place] = free[unit.stem].pop(0)
            counterpart = theirs[found[place]]
            if counterpart.surface != unit.surface:
                inflected.append(Match(Relation.INFLECTED, unit, counterpart, 1.0))
    return found, set(found.values()), inflected


def _synonyms(one: Unit, other: Unit) -> bool:
    return not one.senses.isdisjoint(other.senses)


def _spelled_alike(one: Unit, other: Unit) -> bool:
    words = one.tag != Tag.SLOT != other.tag and min(len(one.stem), len(other.stem)) > 3
    joined = one.stem.replace(" ", "") == other.stem.replace(" ", "")
    return joined or (words and ratio(one.stem, other.stem) / 100 >= _SPELLED_ALIKE and one.stem[0] == other.stem[0])


def _matched(
    left: list[Unit], right: list[Unit], relation: Relation, fits: Callable[[Unit, Unit], bool]
) -> list[Match]:
    """Pairs that fit, taken out of both."""
    found = []
    for unit in list(left):
        counterpart = next((other for other in right if fits(unit, other)), None)
        if counterpart is not None:
            left.remove(unit)
            right.remove(counterpart)
            found.append(Match(relation, unit, counterpart, 1.0))
    return found


def _nearest(left: list[Unit], right: list[Unit], known: Lexicon, near: Nearness) -> list[Match]:
    """What stands for what, the nearest first, taken out of both."""
    scored = sorted(
        ((near(mine.surface, theirs.surface), i, j) for i, mine in enumerate(left) for j, theirs in enumerate(right)),
        key=lambda item: (-item[0], item[1], item[2]),
    )
    taken_left: set[int] = set()
    taken_right: set[int] = set()
    found = []
    for nearness, i, j in scored:
        if i in taken_left or j in taken_right:
            continue
        taken_left.add(i)
        taken_right.add(j)
        found.append(Match(_kind(left[i], right[j], known), left[i], right[j], nearness))
    left[:] = [unit for place, unit in enumerate(left) if place not in taken_left]
    right[:] = [unit for place, unit in enumerate(right) if place not in taken_right]
    return found


def _kind(one: Unit, other: Unit, known: Lexicon) -> Relation:
    if known.are_opposites(one.stem, other.stem):
        return Relation.OPPOSITE
    return Relation.NEAR if one.families.isdisjoint(other.families) else Relation.SIBLING
