"""`cukereuse drift`: step definitions that have drifted apart, according to a repository's history."""

from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.options import no_cache_option, print_config_option, setting_options
from cukereuse_engine.cli.outputs import (
    check_writable,
    give_back_paths,
    note_incomplete,
    report_option,
    write_json,
    write_report,
)
from cukereuse_engine.prose import counted

if TYPE_CHECKING:
    from rich.console import Console

    from cukereuse_engine.history.survey import DriftFinding, Survey

SHOWN = 20
_CONTEXT = 2


@click.command("drift")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--ref", default="HEAD", show_default=True, metavar="REF", help="The last branch, tag or commit.")
@click.option("--since", metavar="REF", help="Only definitions that drifted after this branch, tag, commit or day.")
@click.option("--fail", is_flag=True, help="Exit with code 1 if something drifted.")
@report_option("html", "HTML page with both sides of each finding.")
@report_option("json", "JSON for programs.")
@setting_options("jobs")
@no_cache_option
@print_config_option
def command(paths: tuple[str, ...], **options: Any) -> int:
    """Find step definitions that no longer do what they did, or no longer do what their copies do.

    Each PATH is a git repository, or a folder in one, which limits the search to its definitions; the default is the
    current folder. The report lists copies of which only one was changed, with the commit; steps that lost something
    that they did or checked; arguments that a step takes and no longer uses; steps that do something other than their
    wording says; and wordings that several suites or repositories define, with nearly the same function. What one
    commit did to several definitions is one finding. Each version of a source is read once from git, along the first
    parents of --ref. Nothing is checked out and nothing is run.
    """
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.cli.work import prepare, print_config
    from cukereuse_engine.history.survey import survey

    reports, given = give_back_paths({name: options[f"{name}_file"] for name in ("html", "json")}, paths)
    given = given or ["."]
    work = prepare(given, options)
    if options["print_config"]:
        print_config(work)
        return 0
    for destination in reports.values():
        check_writable(destination)
    drift = survey(
        given,
        ref=options["ref"],
        since=options["since"],
        settings=work.settings,
        use_cache=not options["no_cache"],
        progress=progress_for_terminal(),
    )
    note_incomplete(given)
    _write(drift, reports)
    if "-" not in reports.values():
        _print(drift)
    return 1 if options["fail"] and drift.findings else 0


def _write(survey: "Survey", reports: dict[str, str]) -> None:
    from cukereuse_engine.report import drift as report

    if "json" in reports:
        write_json(reports["json"], report.document(survey))
    if "html" in reports:
        write_report(reports["html"], report.page(survey))


def _print(survey: "Survey") -> None:
    from cukereuse_engine.report.tables import console_for

    console = console_for()
    for finding in survey.findings[:SHOWN]:
        _print_finding(console, finding, len(survey.repositories))
    count = len(survey.findings)
    if count > SHOWN:
        console.print(f"The first {SHOWN} of {count:,}; --json and --html have all.", style="dim")
    read = f"{counted(survey.definitions, 'step definition')} and {counted(survey.commits, 'commit')} that changed them"
    console.print(f"{counted(count, 'finding')} in {read}", soft_wrap=True)


def _print_finding(console: "Console", finding: "DriftFinding", repositories: int) -> None:
    from difflib import unified_diff

    from cukereuse_engine.report.drift import LABELS, place, sentence
    from cukereuse_engine.report.trend import day
    from cukereuse_engine.report.visible import encodable, visible

    drift = finding.drift
    console.print(f"{sentence(drift)} [{drift.kind.value}]", style="bold", soft_wrap=True)
    if drift.commit is not None:
        subject = visible(encodable(drift.commit.subject))
        console.print(f"  {day(drift.commit)} {drift.commit.id[:10]} {subject}", soft_wrap=True)
    for role, side in zip(LABELS[drift.kind], drift.sides, strict=True):
        steps = "step" if side.uses.steps == 1 else "steps"
        where = visible(place(side, repositories))
        console.print(f"  {role}: {where} ({side.uses.steps:,} {steps})", soft_wrap=True)
    for side in drift.also:
        console.print(f"  also: {visible(place(side, repositories))}", soft_wrap=True)
    before, after = (code.splitlines() for code in finding.code)
    for line in list(unified_diff(before, after, n=_CONTEXT, lineterm=""))[2:]:
        style = {"+": "green", "-": "red", "@": "dim"}.get(line[:1])
        console.print(f"    {visible(encodable(line))}", style=style, soft_wrap=True)
    console.print()
