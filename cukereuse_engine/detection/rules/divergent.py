"""divergent-wording and divergent-definition: different wordings of one intent, with a definition each or with none
known.

A finding contains all units of a group that should become the preferred one with the same certainty. Of a definition
with many wordings, it shows those that were compared.
"""

from collections.abc import Iterable
from enum import Enum

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.grouping import Link, Links, links_of
from cukereuse_engine.detection.units import Unit
from cukereuse_engine.findings.finding import FUNCTIONS, Finding, Reason, together
from cukereuse_engine.findings.messages import message_of
from cukereuse_engine.functions.comparing import Relation
from cukereuse_engine.rules import Severity

WORDING = "divergent-wording"
DEFINITION = "divergent-definition"


class Code(Enum):
    """What the functions of two units say about joining them. Measured on 198 pairs of definitions from 27 held-out
    suites, each read with its code: of 16 pairs that do the same, all were to be merged; of 140 that do different
    things, 11, and of 18 more only the wordings mean the same; of 42 that differ only in a value, or where one does
    all that the other does and more, none."""

    SAME = 23.0
    """Factor for the odds: a logistic regression over these pairs, with the judge's odds as the other variable."""
    OTHER = 0.1
    """Reported as a hint at most, from the probability at which half of the wordings mean the same (.69 of the
    judge)."""
    MORE = 0.0
    """No finding."""

    @property
    def says(self) -> str:
        return "their functions do the same" if self is Code.SAME else "their functions do different things"


def find(context: Context) -> Iterable[Finding]:
    links = context.made(links_of)
    kept = [pair for pair, link in links.between.items() if not link.is_state_and_action]
    for group in links.groups(kept, context.detection.options.linkage):
        first, *rest = group
        if sum(len(links.units[unit].steps) for unit in group) >= context.detection.options.min_count:
            yield from _of_group(context, links, first, rest)


def _of_group(context: Context, links: Links, first: int, rest: list[int]) -> Iterable[Finding]:
    bands: dict[tuple[str, Severity, bool, str], list[_Other]] = {}
    for unit in rest:
        link = links.of(first, unit)
        if link is not None:  # None only if chains are joined
            other = _Other(context, links.units[unit], links.units[first], link)
            wording = link.compared(links.units[first]).text
            bands.setdefault((other.rule, other.severity, other.is_unlike, wording), []).append(other)
    for (rule, severity, _, _), others in bands.items():
        if severity is not Severity.OFF:
            yield finding_of(context, rule, severity, links.units[first], others)


class _Other:
    """A unit that should become the preferred one."""

    def __init__(self, context: Context, unit: Unit, preferred: Unit, link: Link) -> None:
        self.unit = unit
        self.link = link
        self.rule = DEFINITION if link.apart else WORDING
        self.code = _code(context, unit, preferred) if link.apart else None
        self.is_unlike = self.code is not None and self.code is not Code.SAME
        self.confidence = self._confidence() if context.detection.options.row.is_judged else None
        doubted = self.is_unlike or bool(link.doubts)
        self.severity = context.options.severity_at(self.rule, self.confidence, doubted=doubted)
        if link.apart and self.code is None:  # a function is not written, or can't be read
            self.severity = min(self.severity, Severity.INFORMATION, key=lambda severity: severity.rank)
        if self.code is Code.MORE:
            self.severity = Severity.OFF

    def _confidence(self) -> float:
        """The probability from the texts and, if both functions are known, from the functions."""
        p = self.link.p_one_intent
        if self.code is None:
            return p
        odds = p * self.code.value
        return odds / (odds + 1 - p) if odds else 0.0

    def reasons(self) -> Iterable[Reason]:
        yield from self.link.reasons()
        if self.code is not None:
            yield Reason(FUNCTIONS, self.code.says, against=self.is_unlike)


def finding_of(context: Context, rule: str, severity: Severity, preferred: Unit, others: list[_Other]) -> Finding:
    subject = preferred.subject(others[0].link.compared(preferred))
    subjects = tuple(other.unit.subject(other.link.compared(other.unit)) for other in others)
    confidence = min((other.confidence for other in others if other.confidence is not None), default=None)
    functions = {definition.function_id for other in others for definition in other.unit.definitions}
    return Finding(
        rule=rule,
        severity=severity,
        message=message_of(rule, subjects, subject, confidence=confidence, is_doubtful=others[0].is_unlike),
        others=subjects,
        preferred=subject,
        confidence=confidence,
        worth=sum(subject.occurrences for subject in subjects) + len(functions),
        reasons=together({about.text: other.reasons() for about, other in zip(subjects, others, strict=True)}),
        kind=context.detection.kind(others[0].link.nearest),
        cluster_id=context.cluster_of(subject.text),
    )


def _code(context: Context, less: Unit, more: Unit) -> Code | None:
    """The known relation of two units' functions, if one function is to serve all steps; None if nothing is known."""
    if context.functions is None:
        return None
    pairs = [context.functions.relation(left, right) for left in less.definitions for right in more.definitions]
    pairs = [related for related in pairs if related.relation is not Relation.UNKNOWN]
    if not pairs:
        return None
    if all(related.is_same for related in pairs):
        return Code.SAME
    return Code.MORE if all(related.relation in _MORE for related in pairs) else Code.OTHER


_MORE = (Relation.CONSTANT, Relation.CONTAINS, Relation.PASSES_ON)
"""One function does what the other does, with another value or with something added."""
