"""From clusters to findings, by the rules of `cukereuse_engine.rules`.

A step that is used often with one wording is reuse and no finding; neither are wordings that already share a step
definition. This module runs the searches of `detection.rules`, and decides nothing itself.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from cukereuse_engine.detection.context import Bindings, Context, Defined, MayServe, Relate
from cukereuse_engine.detection.options import Detection
from cukereuse_engine.detection.rules import SEARCHES, RuleSearch, SearchScope
from cukereuse_engine.findings.confidence import FindingOptions
from cukereuse_engine.findings.finding import Finding, importance
from cukereuse_engine.findings.told_once import told_once
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.judging.judge import Judge
from cukereuse_engine.rules import Severity

if TYPE_CHECKING:
    from cukereuse_engine.functions.relations import Functions


def find(
    detection: Detection,
    steps: Mapping[str, Sequence[Step]],
    *,
    bindings: Bindings | None = None,
    judge: Judge | None = None,
    relate: Relate | None = None,
    functions: "Functions | None" = None,
    options: FindingOptions | None = None,
    scopes: Collection[SearchScope] = tuple(SearchScope),
    searches: Sequence[RuleSearch] = SEARCHES,
    defined: Defined | None = None,
    may_serve: MayServe = lambda _: False,
) -> tuple[Finding, ...]:
    """The findings of one suite, by severity, then what they are likely worth.

    `steps` maps a text's identity to its steps, by path and line. `bindings` is None where no glue is known. `judge`
    says kind and reasons of the pair that a finding shows; without one they are the cluster's. `functions`: what the
    functions of the step definitions do; `relate`: how two of them relate, where that is all that is known.
    `searches`: what is run of them, by what they must see (`scopes`). `defined`: what is known of `bindings`, to be
    added to. `may_serve`: which unused definitions may serve steps after all, as another one
    is only assumed to match them.
    """
    context = Context(detection, steps, bindings, judge, relate, functions, options, defined, may_serve)
    findings: dict[str, Finding] = {}
    for search in searches:
        if search.scope in scopes and any(context.options.severity(rule) is not Severity.OFF for rule in search.rules):
            for finding in search.find(context):
                if finding.severity is not Severity.OFF:
                    findings.setdefault(finding.fingerprint, finding)
    return tuple(sorted(told_once(findings.values()), key=importance))
