"""The scan's report on a terminal, and plain in a pipe.

First what costs maintainers: two wordings for one intent, with the places to change. Then the figures. Repetition of
one wording is reuse and is never listed as a problem.
"""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from cukereuse_engine.findings.finding import Finding, Reason, Subject
from cukereuse_engine.findings.messages import title_of
from cukereuse_engine.gherkin.feature import ReadError
from cukereuse_engine.glue.definition import GlueError, StepDefinition
from cukereuse_engine.prose import counted, percent
from cukereuse_engine.report.headline import headline
from cukereuse_engine.report.summary import Summary, parameter_text, summarise_result
from cukereuse_engine.report.tables import Column, fitted, is_narrow, print_table, shown
from cukereuse_engine.report.visible import shortened, shortened_steps
from cukereuse_engine.rules import RULES, About, Severity
from cukereuse_engine.scanning.result import Comparison, How, ScanResult, SuiteScan
from cukereuse_engine.strategies.table import STRATEGIES

FINDINGS_SHOWN = 50
PLACES_SHOWN = 3
DEFINITIONS_SHOWN = 3
ERRORS_SHOWN = 20
CLUSTERS_SHOWN = 10
TEXT_LIMIT = 200
"""Maximum number of code points of a step text in a pipe; a terminal cuts to its width."""
MESSAGE_LIMIT = 1_000
"""The same of a sentence, which has shortened the texts that it quotes already."""

_STYLES = {
    Severity.HINT: "cyan",
    Severity.INFORMATION: "blue",
    Severity.WARNING: "yellow",
    Severity.ERROR: "red",
}


def print_report(result: ScanResult, console: Console, *, limit: int | None = FINDINGS_SHOWN) -> None:
    """Print the whole report, with at most `limit` findings (None: all)."""
    _Report(console, limit).print(result)


class _Report:
    def __init__(self, console: Console, limit: int | None) -> None:
        self.console = console
        self.limit = limit

    def print(self, result: ScanResult) -> None:
        named = len(result.suites) > 1
        self._findings(result.suites, named)
        if not STRATEGIES[result.strategy].is_judged:
            self._clusters(result)
        self._problems("Not read", result.reported_errors)
        self._problems(
            "Problems with step definitions",
            list(dict.fromkeys(error for suite in result.suites for error in suite.glue_errors)),
        )
        figures = summarise_result(result)
        if result.comparison is not None:
            self._resolved(result.comparison)
        self._headline(result, figures)
        if figures.feature_files:
            self._figures(figures)
        for note in result.notes:
            self._line(Text(f"note: {shown(note)}", style="dim"))
        if figures.feature_files:
            self._line(Text(shown(parameter_text(result)), style="dim"))

    def _line(self, text: Text, indent: int = 0) -> None:
        self.console.print(Text(" " * indent).append_text(text))

    def _room(self, taken: int) -> int:
        return max(20, self.console.width - taken) if is_narrow(self.console) else TEXT_LIMIT

    def _findings(self, suites: Sequence[SuiteScan], named: bool) -> None:
        left = sum(len(suite.findings) for suite in suites)
        budget = left if self.limit is None else self.limit
        for suite in suites:
            chosen = suite.findings[:budget]
            if not chosen:
                continue
            if named:
                self._line(Text(shown(suite.root), style="bold underline"))
                self.console.print()
            for finding in chosen:
                self._finding(finding)
            budget -= len(chosen)
            left -= len(chosen)
        if left:
            self._line(Text(f"and {left:,} more; the HTML and JSON reports list all of them", style="dim"))
            self.console.print()

    def _finding(self, finding: Finding) -> None:
        rule = RULES.get(finding.rule)
        heading = Text(finding.severity.value, style=f"bold {_STYLES.get(finding.severity, '')}")
        heading.append(f"  {title_of(finding)}", style="bold")
        heading.append(f"  {finding.rule}", style="dim")
        self._line(heading)
        blocks = rule is not None and rule.about is About.REPETITION
        for other in finding.others:
            self._subject("  ", other, blocks=blocks)
            self._reasons([reason for reason in finding.reasons if reason.about == other.text], 6)
        if finding.preferred is not None:
            self._subject("→ ", finding.preferred, "green", blocks=blocks)
        self._reasons([reason for reason in finding.reasons if not reason.about], 4)
        for other in finding.others:
            self._places(other)
            self._definitions("defined at", other, finding.definitions)
        if finding.preferred is not None:
            self._preferred(finding.preferred, finding.definitions)
        self.console.print()

    def _subject(self, mark: str, subject: Subject, style: str = "", *, blocks: bool) -> None:
        count = counted(subject.occurrences, "step") if blocks else f"{subject.occurrences:,}×"
        taken = 2 + len(mark) + 2 + len(count)
        text = (
            shortened_steps(shown(subject.text), self._room(taken)) if blocks else shortened(shown(subject.text), 2_000)
        )
        text = fitted(text, self._room(taken)) if is_narrow(self.console) else shortened(text, TEXT_LIMIT)
        self._line(Text(mark, style=style).append(text, style=style).append(f"  {count}", style="dim"), 2)

    def _reasons(self, reasons: Sequence[Reason], indent: int) -> None:
        if reasons:
            self._line(Text(shown("; ".join(reason.text for reason in reasons)), style="dim"), indent)

    def _places(self, subject: Subject) -> None:
        """Those that no line about its definitions names."""
        defined = {(definition.path, definition.line) for definition in subject.definitions}
        places = [place for place in subject.places if (place.path, place.line) not in defined]
        for place in places[:PLACES_SHOWN]:
            self._line(Text(f"{shown(place.path)}:{place.line}:{place.column}"), 4)
        more = len(places) - PLACES_SHOWN
        if more > 0:
            self._line(Text(f"and {more:,} more {'place' if more == 1 else 'places'}", style="dim"), 4)

    def _preferred(self, subject: Subject, among: Sequence[StepDefinition]) -> None:
        """The places of its definitions, or else of the first step or scenario with it."""
        self._definitions("preferred at", subject, among)
        if not subject.definitions:
            for place in subject.places[:1]:
                self._line(Text(f"preferred at {shown(place.path)}:{place.line}:{place.column}"), 4)

    def _definitions(self, label: str, subject: Subject, among: Sequence[StepDefinition]) -> None:
        for definition in subject.definitions[:DEFINITIONS_SHOWN]:
            place = f"{label} {shown(definition.path)}:{definition.line}"
            told = definition.told_apart(shown(definition.shown), among)
            expression = fitted(told, self._room(7 + len(place)))
            self._line(Text(place).append(f"  {expression}", style="dim"), 4)
        more = len(subject.definitions) - DEFINITIONS_SHOWN
        if more > 0:
            self._line(Text(f"and {more:,} more", style="dim"), 4)

    def _resolved(self, comparison: Comparison) -> None:
        for how in How:
            findings = [gone.finding for gone in comparison.went(how)]
            if not findings:
                continue
            style = "bold green" if how is How.RESOLVED else "bold yellow"
            self._line(Text(f"{how.told} ({len(findings):,})", style=style))
            for finding in findings[: self.limit]:
                message = shortened(shown(finding.message), MESSAGE_LIMIT)
                self._line(Text("− ").append(message).append(f"  {finding.rule}", style="dim"), 2)
            more = len(findings) - len(findings[: self.limit])
            if more:
                self._line(Text(f"and {more:,} more; the JSON report lists all of them", style="dim"), 2)
            self.console.print()

    def _clusters(self, result: ScanResult) -> None:
        clusters = [cluster for suite in result.suites for cluster in suite.clusters]
        if not clusters:
            return
        columns = [
            Column("steps", right=True),
            Column("texts", right=True),
            Column("kind"),
            Column("canonical phrasing", flexible=True),
        ]
        rows = [
            (cluster.occurrences, len(cluster.texts), cluster.kind.value, shortened(cluster.canonical, TEXT_LIMIT))
            for cluster in clusters[:CLUSTERS_SHOWN]
        ]
        print_table(
            self.console, columns, rows, title=f"Clusters ({min(len(clusters), CLUSTERS_SHOWN)} of {len(clusters):,})"
        )
        self.console.print()

    def _problems(self, title: str, errors: Sequence[ReadError | GlueError]) -> None:
        if not errors:
            return
        self._line(Text(f"{title} ({len(errors):,})", style="bold yellow"))
        for error in errors[:ERRORS_SHOWN]:
            place = ":".join([shown(error.path), *(str(number) for number in (error.line, error.column) if number)])
            self._line(Text(place).append(f"  {shown(error.message)}", style="dim"), 2)
        more = len(errors) - ERRORS_SHOWN
        if more > 0:
            self._line(Text(f"and {more:,} more", style="dim"), 2)
        self.console.print()

    def _headline(self, result: ScanResult, figures: Summary) -> None:
        summary = headline(result)
        line = Text(summary.title, style="bold green" if summary.is_clean else "bold")
        if figures.suppressed and (figures.findings or result.reported_errors):
            line.append(f" {figures.suppressed:,} suppressed.", style="dim")
        self._line(line)
        if summary.detail:
            self._line(Text(shown(summary.detail)))

    def _figures(self, figures: Summary) -> None:
        line = (
            f"{counted(figures.feature_files, 'feature file')}, {counted(figures.steps, 'step')} with "
            f"{counted(figures.unique_step_texts, 'different text')}"
        )
        if figures.eliminable_steps:
            line += f"; {percent(figures.exact_duplication_rate)} of the steps repeat the text of another step"
        if figures.parse_errors:
            line += f"; {counted(figures.parse_errors, 'place')} not read"
        if figures.known_errors:
            line += f"; {counted(figures.known_errors, 'unread place')} in the baseline"
        self._line(Text(f"{line}."))
