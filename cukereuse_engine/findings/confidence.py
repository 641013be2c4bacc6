"""From how sure a finding is to how loudly it is said: the one place where probabilities become severities.

A severity is a promise: of 100 findings at least so many are right. One setting, `sensitivity`, moves all bars.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from cukereuse_engine.judging.intent import shipped_intent
from cukereuse_engine.rules import RULES, Severity


@dataclass(frozen=True, slots=True)
class Bars:
    """The least probability for each severity; what is below the last is not said."""

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
"""By the setting `sensitivity`: how many of 100 are right, of warnings, with information, with hints."""

BARS = {
    name: Bars(*(min(promise, shipped_intent().bars[promise]) for promise in promises))
    for name, promises in PROMISES.items()
}
"""By `sensitivity`: where these promises hold, as training measured it on suites that it left out. A promise that no
probability of texts alone holds is its own bar: functions that are alike can make a finding as sure as that."""


def bars_of(sensitivity: str, threshold: float | None = None) -> Bars:
    """`threshold`: the least probability that is said at all, where a person set one."""
    bars = BARS[sensitivity]
    return bars if threshold is None else replace(bars, hint=threshold)


def severity(rule: str, confidence: float, bars: Bars, wanted: Severity, *, doubted: bool = False) -> Severity:
    """How loudly a finding is said.

    A rule says nothing louder than its own severity in `RULES`; where it is as sure as that, it is said as a person
    `wanted`, else never louder than that. `doubted`: something speaks against it; a hint at most.
    """
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
    """Rule id to severity, where it is not the rule's own."""
    karate: bool = False
    """Look at Karate's files too."""
    bars: Bars = BARS["normal"]
    """From which probability on which severity."""

    def severity(self, rule: str) -> Severity:
        """As a person set it, else the rule's own."""
        return self.severities.get(rule, RULES[rule].severity)

    def severity_at(self, rule: str, confidence: float | None, *, doubted: bool = False) -> Severity:
        """Of a finding that is as sure as `confidence`; None: not measured."""
        if confidence is None:
            confidence = self.bars.information
        return severity(rule, confidence, self.bars, self.severity(rule), doubted=doubted)
