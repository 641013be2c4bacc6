"""Drops findings that repeat what another finding says about the same functions."""

from collections.abc import Iterable, Set
from itertools import combinations

from cukereuse_engine.findings.finding import Finding


def told_once(findings: Iterable[Finding]) -> list[Finding]:
    """The findings without repetitions: wordings that claim different things are not also to be joined, equal code is
    reported by its wordings if these mean the same, and wordings that differ in an argument by their code if that is
    equal."""
    left = list(findings)
    for telling, silent in _TOLD_BY:
        reported = {pair for finding in left if finding.rule == telling for pair in _functions(finding)}
        left = [finding for finding in left if finding.rule not in silent or not _is_told(finding, reported)]
    return left


_TOLD_BY = (
    ("suspect-definition", ("divergent-definition", "state-and-action", "same-code")),
    ("divergent-definition", ("same-code",)),
    ("same-code", ("parametric-variant",)),
)
"""A rule, and the rules that it makes needless if both are about the same pairs of functions."""
REPEATED = frozenset(silent for _, rules in _TOLD_BY for silent in rules)
"""Rules whose findings others may make needless."""


def _is_told(finding: Finding, reported: Set[frozenset[str]]) -> bool:
    pairs = _functions(finding)
    return bool(pairs) and pairs <= reported


def _functions(finding: Finding) -> set[frozenset[str]]:
    """The pairs of functions that a finding compares: each with the preferred one, or with each other if none is
    preferred."""
    subjects = [[definition.function_id for definition in subject.definitions] for subject in finding.others]
    if finding.preferred is not None:
        preferred = [definition.function_id for definition in finding.preferred.definitions]
        pairs = [(preferred, other) for other in subjects]
    else:
        pairs = list(combinations(subjects, 2))
    return {frozenset((mine, theirs)) for left, right in pairs for mine in left for theirs in right}
