"""divergent-wording and divergent-definition: other words for one intent, with a definition each or none known.

One finding a group of units and a degree of certainty: all that should become the preferred one, as surely.
"""

from collections.abc import Iterable

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.grouping import Link, Links, groups_of, judgement_of, links_of, preferred_first
from cukereuse_engine.detection.messages import likeness, message_of
from cukereuse_engine.detection.model import Finding, Reason
from cukereuse_engine.detection.units import Unit
from cukereuse_engine.rules import Severity

WORDING = "divergent-wording"
DEFINITION = "divergent-definition"

_ONE_FUNCTION = 0.9
"""Definitions whose functions are less alike are a hint at most: they mostly act on two pages or objects, or in other
ways, and are kept apart for it. By verdicts of blind judges 29 of 30 above the bar were to be merged, 6 of 10 from .8
to there, 7 of 20 below."""
_ALIKE, _UNLIKE = 8.7, 0.34
"""By how much functions above and below that bar multiply the odds that two definitions are to be merged: by the same
verdicts, of 42 that were and 18 that were not, half a pair added to each count."""


def find(context: Context) -> Iterable[Finding]:
    links = context.made(links_of)
    kept = [pair for pair, link in links.between.items() if not link.is_state_and_action]
    for group in groups_of(links, kept, context.detection.linkage):
        first, *rest = preferred_first(links, group)
        if sum(len(links.units[unit].steps) for unit in group) >= context.detection.min_count:
            yield from _of_group(context, links, first, rest)


def _of_group(context: Context, links: Links, first: int, rest: list[int]) -> Iterable[Finding]:
    bands: dict[tuple[str, Severity, bool], list[_Other]] = {}
    for unit in rest:
        link = links.of(first, unit)
        if link is not None:  # None only where chains are joined
            other = _Other(context, links.units[unit], links.units[first], link)
            bands.setdefault((other.rule, other.severity, other.is_unlike), []).append(other)
    for (rule, severity, _), others in bands.items():
        if severity is not Severity.OFF:
            yield finding_of(context, rule, severity, links.units[first], others)


class _Other:
    """One unit that should become the preferred one."""

    def __init__(self, context: Context, unit: Unit, preferred: Unit, link: Link) -> None:
        self.unit = unit
        self.link = link
        self.rule = DEFINITION if link.pair.apart else WORDING
        self.functions = _functions(context, unit, preferred) if link.pair.apart else None
        self.is_unlike = self.functions is not None and self.functions < _ONE_FUNCTION
        self.confidence = self._confidence() if context.detection.is_judged else None
        doubted = self.is_unlike or bool(link.doubts)
        self.severity = context.options.severity_at(self.rule, self.confidence, doubted=doubted)

    def _confidence(self) -> float:
        """What the texts say, and where two functions are known, what those say."""
        p = self.link.pair.p_one_intent
        if self.functions is None:
            return p
        odds = p * (_UNLIKE if self.is_unlike else _ALIKE)
        return odds / (odds + 1 - p)

    def reasons(self) -> Iterable[Reason]:
        doubts = {doubt.says for doubt in self.link.doubts}
        for text in judgement_of(self.link).reasons:
            if text not in doubts:
                yield Reason("judge", text)
        if self.functions is not None:
            yield likeness(self.functions, against=self.is_unlike)
        for doubt in self.link.doubts:
            yield Reason(doubt.id, doubt.says, against=True)


def finding_of(context: Context, rule: str, severity: Severity, preferred: Unit, others: list[_Other]) -> Finding:
    subject, subjects = preferred.subject(), tuple(other.unit.subject() for other in others)
    confidences = [other.confidence for other in others if other.confidence is not None]
    functions = {definition.function_id for other in others for definition in other.unit.definitions}
    reasons = dict.fromkeys(reason for other in others for reason in other.reasons())
    return Finding(
        rule=rule,
        severity=severity,
        message=message_of(rule, subjects, subject, is_doubtful=others[0].is_unlike),
        others=subjects,
        preferred=subject,
        confidence=min(confidences, default=None),
        worth=sum(subject.occurrences for subject in subjects) + len(functions),
        reasons=tuple(sorted(reasons, key=lambda reason: reason.against)),
        kind=context.detection.kind(others[0].link.nearest),
        cluster_id=context.cluster_of(subject.wordings[0].text),
    )


def _functions(context: Context, less: Unit, more: Unit) -> float | None:
    """How alike the functions of two units are: their least alike pair, as one is to serve all."""
    alike = context.alike
    if alike is None:
        return None
    pairs = (alike(left, right) for left in less.definitions for right in more.definitions)
    return min((likeness for likeness in pairs if likeness is not None), default=None)
