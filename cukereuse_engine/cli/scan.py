"""`cukereuse scan`: read, compare, report."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.grouped import headings
from cukereuse_engine.cli.options import first_under, no_cache_option, options_under, print_config_option
from cukereuse_engine.cli.outputs import check_reports, check_writable, format_options, give_back_paths, write_report
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.prose import counted
from cukereuse_engine.report.formats import FORMATS
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.result import ScanResult
from cukereuse_engine.settings import Settings
from cukereuse_engine.settings.table import Heading

if TYPE_CHECKING:
    from cukereuse_engine.cli.work import Work
    from cukereuse_engine.report.html import PlaceLinks
    from cukereuse_engine.suppression.baseline import Baseline

FINDINGS = 1
"""Exit code if there is a finding at or above `--fail-on`."""
SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"
GROUPS = (
    (first_under(Heading.COMPARED), Heading.COMPARED),
    ("html_file", "Reports"),
    (first_under(Heading.REPORTED), Heading.REPORTED),
    (first_under(Heading.READ), Heading.READ),
    (first_under(Heading.NEW), Heading.NEW),
    ("show_shared", Heading.OTHER),
)
"""The first parameter of each heading of the help."""


@click.command("scan", cls=headings(GROUPS))
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@options_under(Heading.COMPARED)
@format_options
@click.option(
    "--html-links",
    metavar="TEMPLATE",
    default="",
    help="URL template for the links of the HTML report, with {path}, {absolute}, {line} and {column}.",
)
@click.option("--github", is_flag=True, help="Annotations and a step summary for GitHub Actions.")
@click.option("--all", "everything", is_flag=True, help="Show every finding in the terminal's report.")
@options_under(Heading.REPORTED, Heading.READ, Heading.NEW)
@click.option("--write-baseline", is_flag=True, help="Write all current findings to the baseline file.")
@click.option(
    "--update-baseline", is_flag=True, help="Remove findings that no longer occur from the baseline; add none."
)
@click.option("--since", metavar="REF", help="Report only files that changed since this git revision.")
@click.option(
    "--compare",
    metavar="REF",
    help="Report only the findings that this branch adds or resolves, compared with this git revision.",
)
@click.option("--show-shared", is_flag=True, help="Also report wordings that share a step definition.")
@options_under(Heading.OTHER)
@no_cache_option
@print_config_option
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """Report steps that say the same thing in different words.

    PATH is a folder, a feature file or a source of step definitions; the default is the current folder. A file is
    compared with the whole suite that it belongs to, and only findings in that file are reported.

    Exit code 0: no findings at or above --fail-on. 1: such findings. 2: could not run, or no feature file was found.
    """
    from cukereuse_engine.cli.work import prepare, print_config

    reports, given = give_back_paths({name: options.pop(f"{name}_file") for name in FORMATS}, paths)
    _refuse_together(reports, options)
    work = prepare(given or ["."], options, since=options["since"])
    if options["print_config"]:
        print_config(work)
        return
    check_reports(reports)
    links = _links(reports, options["html_links"])
    result = _result(work, options)
    for name, destination in reports.items():
        write_report(destination, FORMATS[name].render(result, links))
    if "-" not in reports.values():
        from cukereuse_engine.report.console import FINDINGS_SHOWN, print_report
        from cukereuse_engine.report.tables import console_for

        print_report(result, console_for(), limit=None if options["everything"] else FINDINGS_SHOWN)
    if options["github"]:
        _write_github(result)
    ctx.exit(FINDINGS if fails(result, Severity(work.settings.fail_on)) else 0)


def _refuse_together(reports: Mapping[str, str], options: Mapping[str, Any]) -> None:
    """Raises `UsageError` for options that exclude each other."""
    if options["github"] and "-" in reports.values():
        raise click.UsageError("--github writes to standard output; give the other report a file")
    if options["compare"] and (options["since"] or options["write_baseline"] or options["update_baseline"]):
        raise click.UsageError("--compare can't be combined with --since, --write-baseline or --update-baseline")


def _result(work: "Work", options: Mapping[str, Any]) -> "ScanResult":
    """The scan without what the baseline has, compared with another revision, of the reported files."""
    from cukereuse_engine.cli.work import compare_with, no_features, run_scan, uncapped

    compare = options["compare"]
    baseline = _BaselineFile(work.settings, write=options["write_baseline"], update=options["update_baseline"])
    how = {"show_shared": options["show_shared"], "use_cache": not options["no_cache"]}
    work = uncapped(work) if compare else work
    scanned = run_scan(work, **how)
    if not any(suite.files for suite in scanned.suites):
        raise no_features(work)
    result = baseline.apply(scanned)
    if compare:
        result = compare_with(work, result, compare, known=baseline.known, **how)
    if work.targets.reported is not None:
        from cukereuse_engine.cli.narrow import only_files

        result = only_files(result, work.targets.reported)
    return result


def fails(result: ScanResult, fail_on: Severity) -> bool:
    """True if a finding, or a place that could not be read, is at or above `fail_on`; never for OFF."""
    if fail_on is Severity.OFF:
        return False
    severities = [finding.severity for suite in result.suites for finding in suite.findings]
    if result.reported_errors:
        severities.append(result.unread)
    return any(severity.rank >= fail_on.rank for severity in severities)


class _BaselineFile:
    """The baseline of one run, checked before the work begins."""

    def __init__(self, settings: Settings, *, write: bool, update: bool) -> None:
        from cukereuse_engine.suppression.baseline import read_baseline

        if write and update:
            raise click.UsageError("--write-baseline and --update-baseline can't be combined")
        if (write or update) and settings.baseline is None:
            option = "--write-baseline" if write else "--update-baseline"
            raise click.UsageError(f"{option} needs a file; add --baseline FILE or the setting `baseline`")
        self._path = Path(settings.baseline) if settings.baseline is not None else None
        self._write = write
        self._update = update
        self._baseline = read_baseline(self._path) if self._path is not None and not write else None
        if write and self._path is not None:
            check_writable(str(self._path))

    @property
    def known(self) -> "Baseline | None":
        return self._baseline

    def apply(self, result: ScanResult) -> ScanResult:
        """`result` without the findings in the baseline, which is written or pruned first if the options say so."""
        from cukereuse_engine.cli.narrow import without_known
        from cukereuse_engine.report.headline import findings_and_places
        from cukereuse_engine.suppression.baseline import Baseline, write_baseline

        if self._path is None:
            return result
        findings = [finding for suite in result.suites for finding in suite.findings]
        errors = [error for suite in result.suites for error in suite.errors]
        baseline = self._baseline
        if baseline is None:
            baseline = Baseline.of(findings, errors, self._path.parent)
            write_baseline(self._path, baseline)
            things = findings_and_places(len(findings), len(errors))
            purpose = f" for {things}" if things else ""
            each = "" if len(baseline.entries) == len(findings) + len(errors) else "; each wording has its own"
            click.echo(f"{self._path}: {counted(len(baseline.entries), 'entry')} written{purpose}{each}", err=True)
        elif self._update:
            before, baseline = baseline, baseline.pruned(findings, errors)
            write_baseline(self._path, baseline)
            gone = len(before.entries) - len(baseline.entries)
            left = f"{len(baseline.entries):,} left"
            each = "; each wording has its own" if len(baseline.entries) > len(findings) + len(errors) else ""
            click.echo(f"{self._path}: {counted(gone, 'entry')} removed, {left}{each}", err=True)
        return without_known(result, baseline)


def _links(reports: dict[str, str], template: str) -> "PlaceLinks | None":
    """Checked before the work begins; None if there is no HTML report."""
    if "html" not in reports:
        if template:
            raise click.UsageError("--html-links needs --html")
        return None
    from cukereuse_engine.report.html import PlaceLinks

    return PlaceLinks(str(Path(reports["html"]).parent), template)


def _write_github(result: ScanResult) -> None:
    from cukereuse_engine.report.github import annotations, step_summary
    from cukereuse_engine.source_root import source_root

    base = source_root(suite.root for suite in result.suites)
    click.echo(annotations(result, base), nl=False)
    summary = os.environ.get(SUMMARY_VARIABLE)
    if summary:
        try:
            with Path(summary).open("a", encoding="utf-8") as file:
                file.write(step_summary(result, base))
        except OSError as error:
            raise CukereuseError(f"{summary} ({SUMMARY_VARIABLE}) can't be written: {error.strerror}") from None
