"""From accepted pairs of templates to groups of units that should be one.

Units are grouped by complete linkage, so that two siblings that are both near a third are never joined through it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.objections import Effect, Objection, Pair, objections
from cukereuse_engine.detection.units import Unit, by_template, units_of
from cukereuse_engine.findings.finding import Reason
from cukereuse_engine.grouped import grouped
from cukereuse_engine.index.linkage import link
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.judging.alignment import align_together, alignment_between
from cukereuse_engine.judging.judge import Difference
from cukereuse_engine.judging.reasons import HAVE_ONE_EACH
from cukereuse_engine.text.step_text import StepText


@dataclass(frozen=True, eq=False)
class Link(Pair):
    """Two units that the judge accepts as one intent, and that no objection keeps apart."""

    context: Context
    nearest: int
    """Position in `Detection.pairs` of their nearest texts."""

    @cached_property
    def doubts(self) -> tuple[Objection, ...]:
        return objections(self)

    @property
    def texts(self) -> tuple[StepText, StepText]:
        """The nearest pair of texts: the one that was judged."""
        detection = self.context.detection
        left, right = (int(side[self.nearest]) for side in (detection.pairs.a, detection.pairs.b))
        return detection.texts[left], detection.texts[right]

    @property
    def p_one_intent(self) -> float:
        return float(self.context.detection.pairs.score[self.nearest])

    def compared(self, unit: Unit) -> StepText:
        """For one of the two units: its wording that is nearest to the other unit."""
        return unit.wording(self.texts)

    @property
    def is_state_and_action(self) -> bool:
        """True if one sets up what the other does (“I am on the page”, “I go to the page”), by their roles and by their
        words, and neither is an assertion."""
        if {self.one.sets_up, self.other.sets_up} != {True, False} or self.one.checks or self.other.checks:
            return False
        left, right = (text.template.masked for text in self.texts)
        return alignment_between(left, right, self.one.languages).difference is Difference.STATE_AND_ACTION

    def reasons(self) -> list[Reason]:
        """The judge's reasons for the nearest texts, if there is a judge, and the doubts; not that they are `apart`."""
        cosine, judge = self.context.detection.cosine, self.context.judge
        near = None if cosine is None else float(cosine[self.nearest])
        said = judge.explain(*self.texts, near).reasons if judge is not None else ()
        doubts = {text: Reason(doubt.id, text, against=True) for doubt in self.doubts for text in doubt.reasons(self)}
        told = (text for text in said if text not in doubts and text != HAVE_ONE_EACH)
        return [*(Reason("judge", text) for text in told), *doubts.values()]


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """All links of a suite."""

    units: tuple[Unit, ...]
    between: dict[tuple[int, int], Link]
    """Links by positions `a < b` of two units."""

    def of(self, left: int, right: int) -> Link | None:
        return self.between.get((min(left, right), max(left, right)))

    def groups(self, kept: Iterable[tuple[int, int]], method: str = "complete") -> list[list[int]]:
        """Groups of units, by position, that the links `kept` join by `method`; in each the preferred unit comes first.
        No group of one."""
        joined = sorted(kept)
        scores = np.array([self.between[units].p_one_intent for units in joined], np.float64)
        units = np.array(joined, np.int32).reshape(-1, 2)
        labels = link(len(self.units), ScoredPairs(units[:, 0], units[:, 1], scores), method).labels
        members = grouped((label, unit) for unit, label in enumerate(labels.tolist()))
        groups = (group for group in members.values() if len(group) > 1)
        return [sorted(group, key=lambda unit: self.units[unit].order) for group in groups]


def links_of(context: Context) -> Links:
    """The links between the units of the strategy's pairs."""
    pairs, texts = context.detection.pairs, context.detection.texts
    touched = {texts[position].template.key for position in {*pairs.a.tolist(), *pairs.b.tolist()}}
    groups = by_template(texts)
    if context.bindings is None:
        groups = {key: group for key, group in groups.items() if key in touched}
    units = units_of(groups.values(), context)
    nearest = _nearest(context, units)
    compared = ((units[left].masked, units[right].masked) for left, right in nearest)
    align_together(compared, context.detection.options.languages)
    between = {}
    for (left, right), index in nearest.items():
        possible = Link(units[left], units[right], context, index)
        if not any(objection.effect is Effect.APART for objection in possible.doubts):
            between[left, right] = possible
    return Links(tuple(units), between)


def _nearest(context: Context, units: Sequence[Unit]) -> dict[tuple[int, int], int]:
    """Maps positions `a < b` of two units to the position of their nearest texts in `Detection.pairs`."""
    pairs, texts = context.detection.pairs, context.detection.texts
    unit_of = {texts[0].template.key: number for number, unit in enumerate(units) for texts in unit.templates}
    nearest: dict[tuple[int, int], int] = {}
    for index in np.lexsort((np.arange(len(pairs)), pairs.score)).tolist():
        sides = [unit_of.get(texts[side[index]].template.key) for side in (pairs.a, pairs.b)]
        if sides[0] is not None and sides[1] is not None and sides[0] != sides[1]:
            nearest[min(sides[0], sides[1]), max(sides[0], sides[1])] = index
    return nearest
