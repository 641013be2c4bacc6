"""From clusters to findings: what a person should look at, by the rules of `cukereuse_engine.rules`.

A step used often with one wording is what reuse looks like and is no finding; neither are wordings that already share
a step definition. Runs the searches of `detection.rules`, and decides nothing itself.
"""

from collections.abc import Mapping, Sequence

from cukereuse_engine.detection.context import Alike, Bindings, Context, FindingOptions
from cukereuse_engine.detection.folders import Folders
from cukereuse_engine.detection.model import Finding
from cukereuse_engine.detection.options import Detection
from cukereuse_engine.detection.rules import SEARCHES
from cukereuse_engine.gherkin.model import Step
from cukereuse_engine.judging.model import Judge
from cukereuse_engine.rules import Severity


def find(
    detection: Detection,
    steps: Mapping[str, Sequence[Step]],
    *,
    bindings: Bindings | None = None,
    judge: Judge | None = None,
    alike: Alike | None = None,
    folders: Folders | None = None,
    options: FindingOptions | None = None,
) -> tuple[Finding, ...]:
    """The findings of one suite, by severity, then what they are likely worth.

    `steps` maps a text's identity to its steps, by path and line. `bindings` is None where no glue is known. `judge`
    says kind and reasons of the pair that a finding shows; without one they are the cluster's. `alike` compares the
    functions of two step definitions that serve one intent. `folders`: of the whole suite, where `steps` are not all.
    """
    context = Context(detection, steps, bindings, judge, alike, folders, options)
    found: dict[str, Finding] = {}
    for search in SEARCHES:
        if any(context.options.severity(rule) is not Severity.OFF for rule in search.rules):
            for finding in search.find(context):
                if finding.severity is not Severity.OFF:
                    found.setdefault(finding.fingerprint, finding)
    return tuple(sorted(found.values(), key=importance))


def importance(finding: Finding) -> tuple[int, float, str, str]:
    """Sort key: severity, then what it is likely worth."""
    return (-finding.severity.rank, -finding.expected_worth, finding.others[0].text, finding.fingerprint)
