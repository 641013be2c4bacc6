"""Drops the findings that pragmas and `ignore` patterns silence.

Never changes a finding's fingerprint or id; only which places of a wording are shown, or whether the finding is shown.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cukereuse_engine.definitions.code import SUSPECT
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.findings.finding import Finding, Place, Subject
from cukereuse_engine.suppression.code_pragmas import SourcePragmas
from cukereuse_engine.suppression.pragmas import Pragmas


@dataclass(frozen=True, slots=True)
class Suppressed:
    findings: tuple[Finding, ...]
    """The findings that remain, in their order."""
    count: int
    """How many were removed."""
    silenced: tuple[Finding, ...] = ()
    """Those that were removed or lost one of their `others`, as they were."""


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

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def ignored(self, text: str) -> bool:
        return any(pattern.search(text) for pattern in self._patterns)


def suppress(
    findings: Iterable[Finding], pragmas: Pragmas, patterns: IgnorePatterns, sources: SourcePragmas | None = None
) -> Suppressed:
    """What remains of `findings`. `sources`: pragmas in glue code, which speak of all places of a definition: where it
    is, and the steps that a finding ascribes to it.

    A place that is silenced is left out, and one of `others` with its last place. The finding goes when none of them is
    left, or when every place of the preferred one is silenced: then its steps are declared different on purpose. So
    does one about several step definitions, none of them preferred, when only one is left.
    """
    remaining, whole, count = [], [], 0
    for finding in findings:
        silenced = [
            subject for subject in finding.subjects if sources is not None and _in_code(sources, subject, finding)
        ]
        left: Finding | None = finding
        # in the usual case nothing speaks of it; some have thousands of places
        if patterns or silenced or _is_spoken_of(finding, pragmas) or not _is_whole(finding):
            left = _heard(finding, _Hearing(finding, silenced, pragmas, patterns))
        if left is None or len(left.others) < len(finding.others):
            whole.append(finding)
        if left is None:
            count += 1
        else:
            remaining.append(left)
    return Suppressed(tuple(remaining), count, tuple(whole))


def _is_spoken_of(finding: Finding, pragmas: Pragmas) -> bool:
    return any(map(pragmas.speak_of, {place.path for subject in finding.subjects for place in subject.places}))


def _is_whole(finding: Finding) -> bool:
    return bool(finding.others) and all(subject.places for subject in finding.subjects)


@dataclass(frozen=True, slots=True)
class _Hearing:
    """Which places of a finding nobody silences."""

    finding: Finding
    silenced: Sequence[Subject]
    """By pragmas in code."""
    pragmas: Pragmas
    patterns: IgnorePatterns

    def __call__(self, place: Place, subject: Subject) -> bool:
        if any(subject is each for each in self.silenced):
            return False
        text = place.step.text if place.step is not None else subject.text
        ignored = self.pragmas.ignored(place.path, place.line, self.finding.rule, self.finding.kind)
        return not (ignored or self.patterns.ignored(text))


def _heard(finding: Finding, hearing: _Hearing) -> Finding | None:
    """The finding with the places that are left; None where it goes."""
    left = finding.within(hearing)
    preferred = finding.preferred
    if left is None or (finding.rule == SUSPECT and len(left.others) < min(len(finding.others), 2)):
        return None
    if preferred is not None and not any(hearing(place, preferred) for place in preferred.places):
        return None
    return left


def _in_code(sources: SourcePragmas, subject: Subject, finding: Finding) -> bool:
    """True if glue code silences `finding` at a step definition of one of its subjects."""
    places = (definition.literal for definition in subject.definitions)
    return any(sources.ignored(place.path, place.line, finding.rule) for place in places)
