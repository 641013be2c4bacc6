"""From a finding's confidence to its severity: the one place where probabilities become severities.

A severity is a promise: of 100 findings, at least so many are right. One setting, `sensitivity`, moves all thresholds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from cukereuse_engine.judging.intent import shipped_intent
from cukereuse_engine.rules import RULES, Severity


@dataclass(frozen=True, slots=True)
class Bars:
    """The lowest probability for each severity. A finding below the last one is not reported."""

    warning: float
    information: float
    hint: float

    def level(self, confidence: float) -> Severity:
        if confidence >= self.warning:
            return Severity.WARNING
        if confidence >= self.information:
            return Severity.INFORMATION
        return Severity.HINT if confidence >= self.hint else Severity.OFF


PROMISES = {"low": (0.98, 0.90, 0.80), "normal": (0.95, 0.80, 0.50), "high": (0.90, 0.65, 0.30)}
"""Maps the setting `sensitivity` to the shares of warnings, informations and hints that are right."""

BARS = {
    name: Bars(*(min(promise, shipped_intent().bars[promise]) for promise in promises))
    for name, promises in PROMISES.items()
}
"""Maps `sensitivity` to the probabilities from which these promises hold, as training measured them on suites that it
had left out. If no probability from texts alone keeps a promise, the promise itself is the threshold: functions that
are alike can make a finding that certain."""


def bars_of(sensitivity: str, threshold: float | None = None) -> Bars:
    """`threshold`: the lowest probability that is reported at all, if the user has set one."""
    bars = BARS[sensitivity]
    return bars if threshold is None else replace(bars, hint=threshold)


def severity(rule: str, confidence: float, bars: Bars, wanted: Severity, *, doubted: bool = False) -> Severity:
    """The severity of a finding. It is never above the rule's own severity in `RULES`, unless the finding is certain
    enough for that one: then it is what the user `wanted`. `doubted`: something speaks against the finding, so it is at
    most a hint."""
    level = min(bars.level(confidence), RULES[rule].severity, key=_rank)
    if doubted:
        level = min(level, Severity.HINT, key=_rank)
    if level is RULES[rule].severity and level is not Severity.OFF:
        return wanted
    return min(level, wanted, key=_rank)


def _rank(severity: Severity) -> int:
    return severity.rank


@dataclass(frozen=True, slots=True)
class FindingOptions:
    severities: Mapping[str, Severity] = field(default_factory=dict)
    """Rule id to severity, if it differs from the rule's own."""
    karate: bool = False
    """True to read Karate's files too."""
    bars: Bars = BARS["normal"]
    """The lowest probability for each severity."""

    def severity(self, rule: str) -> Severity:
        """The severity that the user has set, or else the rule's own."""
        return self.severities.get(rule, RULES[rule].severity)

    def severity_at(self, rule: str, confidence: float | None, *, doubted: bool = False) -> Severity:
        """Severity of a finding with this `confidence`; None: not measured."""
        if confidence is None:
            confidence = self.bars.information
        return severity(rule, confidence, self.bars, self.severity(rule), doubted=doubted)
