"""The figures at the beginning of every report, computed once.

Counts only: nothing here judges, orders or words anything.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cukereuse_engine.detection.options import StrategyOptions
from cukereuse_engine.rules import REPETITION_RULES, RULES, Severity
from cukereuse_engine.scanning.result import ScanResult, SuiteScan
from cukereuse_engine.strategies.table import STRATEGIES

_UNREAD = RULES["unread"].id


@dataclass(frozen=True, slots=True)
class Summary:
    feature_files: int
    parse_errors: int
    """Number of places that could not be read."""
    steps: int
    """Number of steps with a text."""
    unique_step_texts: int
    """Number of distinct texts, counted suite by suite."""
    clusters: int
    findings_by_rule: dict[str, int]
    """Rules with findings, in the order of `RULES`."""
    findings_by_severity: dict[str, int]
    """Severities with findings, the most severe first."""
    suppressed: int
    """Findings and unread places in the baseline."""
    known_errors: int
    """Unread places in the baseline."""

    @property
    def findings(self) -> int:
        return sum(self.findings_by_rule.values())

    def with_unread(self, severity: Severity) -> tuple[dict[str, int], dict[str, int]]:
        """Findings and unread places by rule and by severity, in the same orders; `severity`: that of unread places,
        which do not count if it is OFF."""
        unread = self.parse_errors if severity is not Severity.OFF else 0
        severities = Counter(self.findings_by_severity) + Counter({severity.value: unread})
        return _by_rule({**self.findings_by_rule, _UNREAD: unread}), _by_severity(severities)

    @property
    def repetition(self) -> int:
        """The number of findings about repeated sequences of steps and scenarios."""
        return sum(self.findings_by_rule.get(rule, 0) for rule in REPETITION_RULES)

    @property
    def eliminable_steps(self) -> int:
        """Steps minus unique texts: the conservative model of the paper's section "Consolidation-savings model"
        (exact duplicates only, at confidence 1.00)."""
        return self.steps - self.unique_step_texts

    @property
    def exact_duplication_rate(self) -> float:
        """1 - unique/total, between 0 and 1; 0 without steps."""
        return self.eliminable_steps / self.steps if self.steps else 0.0


def summarise(suites: Iterable[SuiteScan]) -> Summary:
    """The figures of some suites together."""
    files = errors = steps = unique = clusters = suppressed = known = 0
    rules: Counter[str] = Counter()
    severities: Counter[str] = Counter()
    for suite in suites:
        files += len(suite.files)
        errors += len(suite.errors)
        steps += suite.step_count
        unique += len(suite.texts)
        clusters += len(suite.clusters)
        known += len(suite.known_errors)
        suppressed += suite.suppressed + len(suite.known_errors)
        rules.update(finding.rule for finding in suite.findings)
        severities.update(finding.severity.value for finding in suite.findings)
    return Summary(
        feature_files=files,
        parse_errors=errors,
        steps=steps,
        unique_step_texts=unique,
        clusters=clusters,
        findings_by_rule=_by_rule(rules),
        findings_by_severity=_by_severity(severities),
        suppressed=suppressed,
        known_errors=known,
    )


def _by_rule(rules: Mapping[str, int]) -> dict[str, int]:
    order = {rule: position for position, rule in enumerate(RULES)}
    return {
        rule: rules[rule] for rule in sorted(rules, key=lambda rule: (order.get(rule, len(order)), rule)) if rules[rule]
    }


def _by_severity(severities: Counter[str]) -> dict[str, int]:
    return {severity.value: severities[severity.value] for severity in reversed(Severity) if severities[severity.value]}


def summarise_result(result: ScanResult) -> Summary:
    """The figures of a whole scan."""
    return summarise(result.suites)


def parameter_text(result: ScanResult) -> str:
    """How steps were compared: the strategy, the model, and the settings that differ from the defaults."""
    row = STRATEGIES[result.strategy]
    usual = StrategyOptions(result.strategy)
    defaults = {name: getattr(usual, name) for name in ("linkage", "guards", "lev_min", "lev_max")}
    chosen = [_parameter(name, value) for name, value in result.parameters.items() if defaults.get(name) != value]
    if "threshold" in result.parameters and (row.is_judged or result.parameters["threshold"] == row.threshold):
        chosen.remove(_parameter("threshold", result.parameters["threshold"]))  # of `auto` the sensitivity sets it
    model = result.model or ("none, so only wordings were compared" if row.is_judged else "none")
    return f"Strategy: {', '.join([result.strategy, *chosen])}. Model: {model}."


def _parameter(name: str, value: float | str | bool) -> str:
    plain = name.replace("_", " ")
    if isinstance(value, bool):
        return plain if value else f"no {plain}"
    return f"{plain} {value:g}" if isinstance(value, float) else f"{plain} {value}"
