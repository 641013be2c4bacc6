"""state-and-action: “I am on the page” sets up what “I go to the page” does, and the suite uses both.

Many suites distinguish the two on purpose, so it is a hint. If both have the same role, or one is an assertion, they
are wordings like any other.
"""

from collections.abc import Iterable

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.grouping import Link, links_of
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.findings.messages import quoted
from cukereuse_engine.prose import counted
from cukereuse_engine.rules import Severity

RULE = "state-and-action"


def find(context: Context) -> Iterable[Finding]:
    for link in context.made(links_of).between.values():
        if link.is_state_and_action:
            finding = _finding(context, link)
            if finding.severity is not Severity.OFF:
                yield finding


def _finding(context: Context, link: Link) -> Finding:
    state, action = sorted((link.one, link.other), key=lambda unit: unit.sets_up is not True)
    preferred, other = sorted((state, action), key=lambda unit: unit.order)
    said = {unit: link.compared(unit) for unit in (state, action)}
    names = [f"{quoted(said[unit].text)} ({counted(len(unit.steps), 'step')})" for unit in (state, action)]
    confidence = link.p_one_intent if context.detection.options.row.is_judged else None
    return Finding(
        rule=RULE,
        severity=context.options.severity_at(RULE, confidence, doubted=bool(link.doubts)),
        message=f"{names[0]} sets up what {names[1]} does.",
        others=(other.subject(said[other]),),
        preferred=preferred.subject(said[preferred]),
        confidence=confidence,
        worth=len(other.steps),
        reasons=tuple(link.reasons()),
        kind=context.detection.kind(link.nearest),
        cluster_id=context.cluster_of(said[preferred].text),
    )
