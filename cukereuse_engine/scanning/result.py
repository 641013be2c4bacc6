"""The result of a scan: everything that a report may use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from cukereuse_engine.blocks.block import Block
from cukereuse_engine.blocks.short_forms import Shortenable
from cukereuse_engine.detection.options import Cluster
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.gherkin.feature import FeatureFile, ReadError, Step
from cukereuse_engine.glue.definition import GlueError, StepDefinition
from cukereuse_engine.rules import RULES, Severity
from cukereuse_engine.text.step_text import StepText


@dataclass(frozen=True, slots=True)
class SuiteScan:
    """The result of one suite; steps are compared within a suite."""

    root: str
    """The suite's folder, as a path that a user can open."""
    files: tuple[FeatureFile, ...]
    """By path."""
    texts: Sequence[StepText]
    """Distinct, non-empty step texts in order of first appearance."""
    steps: Mapping[str, tuple[Step, ...]]
    """Identity to every step with that text, by path and line."""
    clusters: Sequence[Cluster]
    """Most costly first: several wordings before repetition."""
    findings: tuple[Finding, ...]
    """By severity, then score, without suppressed findings and those in the baseline."""
    suppressed: int
    """The number of findings that a pragma, an `ignore` setting or the baseline removed."""
    definitions: Sequence[StepDefinition]
    glue_errors: tuple[GlueError, ...]
    blocks: Sequence[Block] = ()
    """Sequences of steps that recur, by expected worth, including those in findings."""
    shortenable: Sequence[Shortenable] = ()
    """Short forms of the suite that some places spell out."""
    more: Mapping[str, int] = field(default_factory=dict)
    """Maps a rule to the number of its findings beyond the setting `repetition_limit`."""
    uncompared: int = 0
    """Wordings that were compared with no other, because each has a crowd of near copies that were."""
    silenced: tuple[Finding, ...] = ()
    """The findings that pragmas and patterns removed, completely or for one of its subjects, as they were."""
    known_errors: tuple[ReadError, ...] = ()
    """Unread places that the baseline contains: they are no longer among `errors`."""

    @property
    def errors(self) -> tuple[ReadError, ...]:
        return tuple(error for file in self.files for error in file.errors)

    @property
    def step_count(self) -> int:
        """The number of steps with a text."""
        return sum(text.occurrences for text in self.texts)


class How(StrEnum):
    """How a finding went."""

    RESOLVED = "resolved"
    """Somebody dealt with it: its steps have one wording, say, or its definitions are one."""
    STEPS = "gone_with_steps"
    """Its steps were deleted, and nothing took their place."""
    CHECK = "gone_with_check"
    """A function that it is about lost a check, and got nothing instead."""
    SILENCED = "silenced"
    """It is still there: a comment silences it now."""

    @property
    def told(self) -> str:
        return _HOW[self]


_HOW = {
    How.RESOLVED: "Resolved",
    How.STEPS: "Gone, because steps were deleted",
    How.CHECK: "Gone, because a step definition checks less",
    How.SILENCED: "Silenced by a comment",
}


@dataclass(frozen=True, slots=True)
class GoneFinding:
    """A finding of the other revision that is not reported any more."""

    finding: Finding
    """With paths of the work tree."""
    suite: SuiteScan
    """Its suite at the other revision."""
    how: How


@dataclass(frozen=True, slots=True)
class Comparison:
    """The same suites at another revision. Findings in both are left out of both."""

    ref: str
    """The revision as the user named it."""
    commit: str
    """The merge base with HEAD."""
    before: tuple[SuiteScan, ...]
    """By root; the paths of files and findings are those of the work tree."""
    gone: tuple[GoneFinding, ...]
    """By suite; in the order of its findings."""
    elsewhere: int
    """Findings that came or went without a place in a changed file, and are in neither: the suite's bindings changed
    the judge, which moved findings near a limit."""

    def went(self, how: How) -> list[GoneFinding]:
        return [gone for gone in self.gone if gone.how is how]


@dataclass(frozen=True, slots=True)
class ScanResult:
    suites: tuple[SuiteScan, ...]
    """By root."""
    strategy: str
    """A name of `STRATEGIES`."""
    parameters: Mapping[str, float | str | bool]
    """The parameters of the strategy: threshold, lev_min, lev_max, linkage, guards."""
    model: str | None
    """The embedding model that was used; None: only wordings were compared."""
    notes: tuple[str, ...] = ()
    """Notes on what was left out: a missing model, a missing library."""
    comparison: Comparison | None = None
    """The comparison, if findings and errors are only those that another revision did not have."""
    unread: Severity = RULES["unread"].severity
    """The severity of unread places."""

    @property
    def reported_errors(self) -> tuple[ReadError, ...]:
        """Unread places; empty if the rule is off."""
        return () if self.unread is Severity.OFF else tuple(error for suite in self.suites for error in suite.errors)
