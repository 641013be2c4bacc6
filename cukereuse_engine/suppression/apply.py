"""Findings less those that pragmas and `ignore` patterns silence.

Never changes a finding's fingerprint or id: only which places of a wording are shown, or that it is not shown.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cukereuse_engine.detection.model import Finding
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.model import Step
from cukereuse_engine.suppression.pragmas import Pragmas


@dataclass(frozen=True, slots=True)
class Suppressed:
    findings: tuple[Finding, ...]
    """Those that remain, in their order."""
    count: int
    """How many were removed."""


class IgnorePatterns:
    """The setting `ignore`: regular expressions that are searched for in a step's text."""

    def __init__(self, patterns: Sequence[str]) -> None:
        """Raises `CukereuseError` for a text that is not a regular expression."""
        self._patterns = []
        for pattern in patterns:
            try:
                self._patterns.append(re.compile(pattern))
            except re.error as error:
                raise CukereuseError(f"ignore pattern {pattern!r} is not a regular expression: {error}") from None

    def ignored(self, text: str) -> bool:
        return any(pattern.search(text) for pattern in self._patterns)


def suppress(findings: Iterable[Finding], pragmas: Pragmas, patterns: IgnorePatterns) -> Suppressed:
    """What remains of `findings`.

    A place of the lesser wording that is silenced is left out of `wording.steps`. The finding goes when no place is
    left, or when every place of the preferred wording is silenced: then its steps are declared different on purpose.
    """
    kept, count = [], 0
    for finding in findings:
        remaining = tuple(step for step in finding.wording.steps if not _silenced(step, finding, pragmas, patterns))
        preferred = finding.preferred.steps
        if not remaining or (preferred and all(_silenced(step, finding, pragmas, patterns) for step in preferred)):
            count += 1
        elif len(remaining) < len(finding.wording.steps):
            kept.append(replace(finding, wording=replace(finding.wording, steps=remaining)))
        else:
            kept.append(finding)
    return Suppressed(tuple(kept), count)


def _silenced(step: Step, finding: Finding, pragmas: Pragmas, patterns: IgnorePatterns) -> bool:
    return pragmas.ignored(step.path, step.line, finding.rule, finding.kind) or patterns.ignored(step.text)
