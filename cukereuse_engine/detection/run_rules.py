"""From clusters to findings: what a person should look at, by the rules of `cukereuse_engine.rules`.

A step used often with one wording is what reuse looks like and is no finding; neither are wordings that already share
a step definition. Runs the searches of `detection.rules`, and decides nothing itself.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from itertools import combinations

from cukereuse_engine.detection.context import Bindings, Context, Defined, FindingOptions, Relate
from cukereuse_engine.detection.finding import Finding
from cukereuse_engine.detection.options import Detection
from cukereuse_engine.detection.rules import SEARCHES, Scope, Search
from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.judging.judge import Judge
from cukereuse_engine.rules import Severity


def find(
    detection: Detection,
    steps: Mapping[str, Sequence[Step]],
    *,
    bindings: Bindings | None = None,
    judge: Judge | None = None,
    relate: Relate | None = None,
    functions: Functions | None = None,
    options: FindingOptions | None = None,
    scopes: Collection[Scope] = tuple(Scope),
    searches: Sequence[Search] = SEARCHES,
    defined: Defined | None = None,
) -> tuple[Finding, ...]:
    """The findings of one suite, by severity, then what they are likely worth.

    `steps` maps a text's identity to its steps, by path and line. `bindings` is None where no glue is known. `judge`
    says kind and reasons of the pair that a finding shows; without one they are the cluster's. `functions`: what the
    functions of the step definitions do; `relate`: how two of them relate, where that is all that is known.
    `searches`: what is run of them, by what they must see (`scopes`). `defined`: what is known of `bindings`, to be
    added to.
    """
    context = Context(detection, steps, bindings, judge, relate, functions, options, defined)
    findings: dict[str, Finding] = {}
    for search in searches:
        if search.scope in scopes and any(context.options.severity(rule) is not Severity.OFF for rule in search.rules):
            for finding in search.find(context):
                if finding.severity is not Severity.OFF:
                    findings.setdefault(finding.fingerprint, finding)
    return tuple(sorted(told_once(findings.values()), key=importance))


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


def importance(finding: Finding) -> tuple[int, float, str, str]:
    """Sort key: severity, then what it is likely worth."""
    return (-finding.severity.rank, -finding.expected_worth, finding.others[0].text, finding.fingerprint)
