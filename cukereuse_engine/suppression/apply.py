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
    remaining, count = [], 0
    for finding in findings:
        paths = {place.path for subject in finding.subjects for place in subject.places}
        silenced = [
            subject for subject in finding.subjects if sources is not None and _in_code(sources, subject, finding)
        ]
        spoken_of = bool(silenced) or any(map(pragmas.speak_of, paths))
        whole = bool(finding.others) and all(subject.places for subject in finding.subjects)
        if whole and not patterns and not spoken_of:  # the usual case; some have thousands of places
            remaining.append(finding)
            continue

        def heard(
            place: Place, subject: Subject, finding: Finding = finding, silenced: list[Subject] = silenced
        ) -> bool:
            text = place.step.text if place.step is not None else subject.text
            if any(subject is each for each in silenced):
                return False
            return not (pragmas.ignored(place.path, place.line, finding.rule, finding.kind) or patterns.ignored(text))

        preferred = finding.preferred
        left = finding.within(heard)
        alone = left is not None and finding.rule == SUSPECT and len(left.others) < min(len(finding.others), 2)
        if (
            left is None
            or alone
            or (preferred is not None and not any(heard(place, preferred) for place in preferred.places))
        ):
            count += 1
        else:
            remaining.append(left)
    return Suppressed(tuple(remaining), count)


def _in_code(sources: SourcePragmas, subject: Subject, finding: Finding) -> bool:
    """True if glue code silences `finding` at a step definition of one of its subjects."""
    places = (definition.literal for definition in subject.definitions)
    return any(sources.ignored(place.path, place.line, finding.rule) for place in places)
