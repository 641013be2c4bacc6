"""From accepted pairs of templates to units that should be one: the pairs of units with what speaks against them, and
groups by complete linkage, so that two siblings that are both near a third are never joined through it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.linkage import link
from cukereuse_engine.detection.objections import Effect, Objection, Pair, objections
from cukereuse_engine.detection.units import Unit, by_template, units_of
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.judging.alignment import difference_between
from cukereuse_engine.judging.judge import Difference, Judgement
from cukereuse_engine.text.step_text import StepText

_OF_ANY_ROLE = (Difference.GRAMMAR, Difference.ORDER)
"""The same words: one may be a context and the other an action."""


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """Two units that the judge finds to be one intent, and nothing keeps apart."""

    pair: Pair
    nearest: int
    """Position in `Detection.pairs` of their nearest texts."""
    doubts: tuple[Objection, ...]

    def compared(self, unit: Unit) -> StepText:
        """The wording of one of the two units that is nearest to the other: what was judged."""
        detection = self.pair.context.detection
        return unit.wording(detection.texts[side[self.nearest]] for side in (detection.pairs.a, detection.pairs.b))

    @property
    def is_state_and_action(self) -> bool:
        """Whether one sets up what the other brings about: "I am on the page", "I go to the page"."""
        left, right = self.pair.one, self.pair.other
        if {left.sets_up, right.sets_up} != {True, False}:
            return False
        return difference_between(left.masked, right.masked, left.languages) not in _OF_ANY_ROLE


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """All links of a suite."""

    units: tuple[Unit, ...]
    between: dict[tuple[int, int], Link]
    """By positions `a < b` of two units."""

    def of(self, left: int, right: int) -> Link | None:
        return self.between.get((min(left, right), max(left, right)))


def links_of(context: Context) -> Links:
    """Links between the units that the strategy's pairs touch."""
    pairs, texts = context.detection.pairs, context.detection.texts
    touched = {texts[position].template.key for position in {*pairs.a.tolist(), *pairs.b.tolist()}}
    groups = by_template(texts)
    if context.bindings is None:
        groups = {key: group for key, group in groups.items() if key in touched}
    units = units_of(groups.values(), context)
    unit_of = {texts[0].template.key: number for number, unit in enumerate(units) for texts in unit.templates}
    nearest: dict[tuple[int, int], int] = {}
    for index in np.lexsort((np.arange(len(pairs)), pairs.score)).tolist():
        sides = [unit_of.get(texts[side[index]].template.key) for side in (pairs.a, pairs.b)]
        if sides[0] is not None and sides[1] is not None and sides[0] != sides[1]:
            nearest[min(sides[0], sides[1]), max(sides[0], sides[1])] = index
    between = {}
    for (left, right), index in nearest.items():
        pair = Pair(units[left], units[right], float(pairs.score[index]), context)
        held = objections(pair)
        if not any(objection.effect is Effect.APART for objection in held):
            between[left, right] = Link(pair, index, held)
    return Links(tuple(units), between)


def groups_of(links: Links, kept: Iterable[tuple[int, int]], method: str = "complete") -> list[list[int]]:
    """Units, by position, that the links `kept` join by `method`; those of one unit are left out."""
    joined = sorted(kept)
    scores = np.array([links.between[units].pair.p_one_intent for units in joined], np.float64)
    units = np.array(joined, np.int32).reshape(-1, 2)
    labels = link(len(links.units), ScoredPairs(units[:, 0], units[:, 1], scores), method).labels
    members: dict[int, list[int]] = {}
    for unit, label in enumerate(labels.tolist()):
        members.setdefault(label, []).append(unit)
    return [group for group in members.values() if len(group) > 1]


def preferred_first(links: Links, group: Sequence[int]) -> list[int]:
    return sorted(group, key=lambda unit: links.units[unit].order)


def judgement_of(link: Link) -> Judgement:
    """The judge's words on the nearest texts of two units; the strategy's where there is no judge."""
    context = link.pair.context
    detection, judge = context.detection, context.judge
    index, score = link.nearest, link.pair.p_one_intent
    kind = detection.kind(index)
    if judge is None:
        return Judgement(score, score, kind, ())
    left, right = (detection.texts[side[index]] for side in (detection.pairs.a, detection.pairs.b))
    near = None if detection.cosine is None else float(detection.cosine[index])
    explained = judge.explain(left, right, near)
    return Judgement(explained.p_same_definition, score, kind, explained.reasons)
