"""What several findings say of the same functions is told by one of them."""

from collections.abc import Iterable, Set
from itertools import combinations

from cukereuse_engine.findings.finding import Finding


def told_once(findings: Iterable[Finding]) -> list[Finding]:
    """Without what another finding says of the same functions: wordings that claim different things are not also to
    become one, and equal code is told by its wordings where these mean one thing."""
    left = list(findings)
    for telling, silent in _TOLD_BY:
        reported = {pair for finding in left if finding.rule == telling for pair in _functions(finding)}
        left = [finding for finding in left if finding.rule not in silent or not _is_told(finding, reported)]
    return left


_TOLD_BY = (
    ("suspect-definition", ("divergent-definition", "state-and-action", "same-code")),
    ("divergent-definition", ("same-code",)),
)
"""A rule and those that it makes needless, where they are about the same pairs of functions."""


def _is_told(finding: Finding, reported: Set[frozenset[str]]) -> bool:
    pairs = _functions(finding)
    return bool(pairs) and pairs <= reported


def _functions(finding: Finding) -> set[frozenset[str]]:
    """The pairs of functions that a finding compares: each with the preferred one, or where none is, with another."""
    subjects = [[definition.function_id for definition in subject.definitions] for subject in finding.others]
    if finding.preferred is not None:
        preferred = [definition.function_id for definition in finding.preferred.definitions]
        pairs = [(preferred, other) for other in subjects]
    else:
        pairs = list(combinations(subjects, 2))
    return {frozenset((mine, theirs)) for left, right in pairs for mine in left for theirs in right}
