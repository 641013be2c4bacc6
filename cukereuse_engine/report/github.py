"""GitHub Actions: annotations on the changed files, and a page for the run's summary.

A run shows at most ten annotations of a kind, so the gravest are chosen here and the rest is counted. Nothing is sent
anywhere: the runner reads annotations from standard output.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cukereuse_engine.findings.finding import Finding, importance
from cukereuse_engine.findings.messages import title_of, with_place
from cukereuse_engine.gherkin.feature import ReadError
from cukereuse_engine.prose import code_span, percent
from cukereuse_engine.report.headline import headline
from cukereuse_engine.report.summary import parameter_text, summarise_result
from cukereuse_engine.report.visible import encodable, shortened, visible
from cukereuse_engine.rules import RULES, Severity
from cukereuse_engine.scanning.result import Comparison, How, ScanResult
from cukereuse_engine.source_root import name_below

ANNOTATION_LIMIT = 10
"""Maximum number of annotations of one kind that GitHub shows for one step of a job."""
SUMMARY_FINDINGS = 50
SUMMARY_ERRORS = 20

_COMMANDS = {
    Severity.HINT: "notice",
    Severity.INFORMATION: "notice",
    Severity.WARNING: "warning",
    Severity.ERROR: "error",
}


@dataclass(frozen=True, slots=True)
class _Annotation:
    command: str
    path: str
    line: int
    column: int
    end_column: int
    title: str
    message: str

    def seen_from(self, base: str | None) -> "_Annotation":
        return replace(self, path=_seen_from(base, self.path)) if self.path else self

    def __str__(self) -> str:
        place = {"file": self.path, "line": self.line, "col": self.column, "endColumn": self.end_column}
        fields = [f"{name}={_property(str(value))}" for name, value in place.items() if value]
        fields.append(f"title={_property(self.title)}")
        return f"::{self.command} {','.join(fields)}::{_data(self.message)}"


def annotations(result: ScanResult, base: str | None = None) -> str:
    """Workflow commands, one per line, the most severe first; empty if there is nothing to report. One more notice says
    how many annotations are left out. `base`: the absolute folder from which files are named, for GitHub the root of
    the repository; without it they keep their names."""
    items = [(finding.severity, _finding(finding)) for suite in result.suites for finding in suite.findings]
    items += [(result.unread, _unread(error, result.unread)) for error in result.reported_errors]
    items = [item for item in items if item[0] is not Severity.OFF]
    items.sort(key=lambda item: -item[0].rank)  # stable: keeps the order of the findings
    lines = []
    left_out = 0
    for command in ("error", "warning", "notice"):
        mine = [annotation for _, annotation in items if annotation.command == command]
        # One notice is kept free for the count of the rest.
        limit = ANNOTATION_LIMIT - (command == "notice")
        lines += [str(annotation.seen_from(base)) for annotation in mine[:limit]]
        left_out += max(0, len(mine) - limit)
    if left_out:
        more = f"{left_out} more are not shown here. The job's summary and the HTML or JSON report list all of them."
        lines.append(f"::notice title=cukereuse::{_data(more)}")
    return "".join(f"{line}\n" for line in lines)


def step_summary(result: ScanResult, base: str | None = None) -> str:
    """Markdown for `GITHUB_STEP_SUMMARY`; `base` as for `annotations`."""
    figures = summarise_result(result)
    findings = [finding for suite in result.suites for finding in suite.findings]
    findings.sort(key=importance)
    errors = result.reported_errors
    lines = ["## cukereuse", ""]
    summary = headline(result)
    lines += [f"**{_cell(summary.title)}** {_cell(summary.detail)}".strip(), ""]
    lines += _finding_table(findings, base)
    if result.comparison is not None:
        lines += _resolved(result.comparison)
    lines += [
        "| Feature files | Steps | Different texts | Steps that repeat a text | Unread |",
        "| ---: | ---: | ---: | ---: | ---: |",
        f"| {figures.feature_files:,} | {figures.steps:,} | {figures.unique_step_texts:,} "
        f"| {percent(figures.exact_duplication_rate)} | {figures.parse_errors:,} |",
        "",
    ]
    if errors:
        lines += ["### Unread", ""]
        lines += [
            f"- {_code(_place(_seen_from(base, error.path), error.line))} {_cell(error.message)}"
            for error in errors[:SUMMARY_ERRORS]
        ]
        if len(errors) > SUMMARY_ERRORS:
            lines.append(f"- and {len(errors) - SUMMARY_ERRORS:,} more")
        lines.append("")
    lines += [f"- {_cell(note)}" for note in result.notes]
    lines += ["", f"<sub>{_cell(parameter_text(result))}</sub>"]
    return "\n".join(lines) + "\n"


def _resolved(comparison: Comparison) -> Iterable[str]:
    for how in How:
        findings = [gone.finding for gone in comparison.went(how)]
        if not findings:
            continue
        yield f"### {how.told}"
        yield ""
        yield from (f"- {_cell(shortened(finding.message, 300))}" for finding in findings[:SUMMARY_FINDINGS])
        if len(findings) > SUMMARY_FINDINGS:
            yield f"- and {len(findings) - SUMMARY_FINDINGS:,} more"
        yield ""


def _finding_table(findings: list[Finding], base: str | None) -> Iterable[str]:
    if not findings:
        return
    yield "| Severity | Wording | Used | Preferred | Used | First place |"
    yield "| --- | --- | ---: | --- | ---: | --- |"
    for finding in findings[:SUMMARY_FINDINGS]:
        first, preferred = next(iter(finding.others[0].places), None), finding.preferred
        yield (
            f"| {finding.severity} | {'<br>'.join(_code(other.text) for other in finding.others)} "
            f"| {sum(other.occurrences for other in finding.others):,} "
            f"| {_code(preferred.text) if preferred else ''} | {f'{preferred.occurrences:,}' if preferred else ''} "
            f"| {_code(_place(_seen_from(base, first.path), first.line)) if first else ''} |"
        )
    yield ""
    if len(findings) > SUMMARY_FINDINGS:
        yield f"And {len(findings) - SUMMARY_FINDINGS:,} more."
        yield ""


def _finding(finding: Finding) -> _Annotation:
    first = next(iter(finding.others[0].places), None)
    return _Annotation(
        command=_COMMANDS.get(finding.severity, "notice"),
        path=first.path if first else "",
        line=first.line if first else 0,
        column=first.column if first else 0,
        end_column=first.end_column if first and first.end_line == first.line else 0,
        title=f"cukereuse: {title_of(finding)}",
        message=with_place(finding),
    )


def _unread(error: ReadError, severity: Severity) -> _Annotation:
    return _Annotation(
        command=_COMMANDS.get(severity, "notice"),
        path=error.path,
        line=error.line,
        column=error.column,
        end_column=0,
        title=f"cukereuse: {RULES['unread'].title}",
        message=error.message,
    )


def _seen_from(base: str | None, path: str) -> str:
    return path if base is None else name_below(base, path)


def _place(path: str, line: int) -> str:
    return f"{path}:{line}" if line else path


def _data(text: str) -> str:
    """A command's message: the escapes of the runner's command parser. Other controls are made visible."""
    return encodable(_keep_breaks(text)).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _keep_breaks(text: str) -> str:
    return "\n".join(visible(line) for line in text.split("\n"))


def _code(text: str) -> str:
    """A Markdown code span inside a table's cell, whatever the text holds."""
    shown = shortened(visible(text), 160)
    return code_span(shown).replace("|", "\\|") if shown else ""


def _cell(text: str) -> str:
    """Plain text in Markdown, with nothing in it read as markup."""
    return "".join(f"\\{character}" if character in "\\`*_{}[]<>#|~&!" else character for character in visible(text))
