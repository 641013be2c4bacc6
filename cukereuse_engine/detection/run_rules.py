"""From clusters to findings, by the rules of `cukereuse_engine.rules`.

A step that is used often with one wording is reuse and no finding; neither are wordings that already share a step
definition. This module runs the searches of `detection.rules`, and decides nothing itself.
"""

from collections.abc import Collection, Sequence

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.rules import SEARCHES, RuleSearch, SearchScope
from cukereuse_engine.findings.finding import Finding, importance
from cukereuse_engine.findings.told_once import told_once
from cukereuse_engine.rules import Severity


def find(
    context: Context,
    scopes: Collection[SearchScope] = tuple(SearchScope),
    searches: Sequence[RuleSearch] = SEARCHES,
) -> tuple[Finding, ...]:
    """The findings of one suite, by severity, then what they are likely worth. `searches`: what is run of them, by what
    they must see (`scopes`)."""
    findings: dict[str, Finding] = {}
    for search in searches:
        if search.scope in scopes and any(context.options.severity(rule) is not Severity.OFF for rule in search.rules):
            for finding in search.find(context):
                if finding.severity is not Severity.OFF:
                    findings.setdefault(finding.fingerprint, finding)
    return tuple(sorted(told_once(findings.values()), key=importance))
