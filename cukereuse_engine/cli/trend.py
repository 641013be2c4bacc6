"""`cukereuse trend`: shows how a suite has changed over its repository's history."""

from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.options import no_cache_option, print_config_option, setting_options
from cukereuse_engine.cli.outputs import (
    check_reports,
    give_back_paths,
    note_incomplete,
    report_option,
    write_json,
    write_report,
)
from cukereuse_engine.prose import percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cukereuse_engine.cli.work import Work
    from cukereuse_engine.embedding_models.embedder import Embedder
    from cukereuse_engine.findings.finding import Finding
    from cukereuse_engine.history.trend import Trend

SHOWN = 12
_BARS = "▁▂▃▄▅▆▇█"
_FEWEST_BARS, _MOST_BARS = 10, 40


@click.command("trend")
@click.argument("paths", nargs=-1, metavar="[PATH]")
@click.option(
    "--every",
    type=click.Choice(["week", "month", "tag", "commit"]),
    default="week",
    show_default=True,
    help="Which commits to use: the last of each week or month, those with a tag, or all.",
)
@click.option("--since", metavar="REF", help="Only commits after this branch, tag, commit or day.")
@click.option("--ref", default="HEAD", show_default=True, metavar="REF", help="The last branch, tag or commit.")
@report_option("html", "HTML page with plots.")
@report_option("json", "JSON for programs.")
@report_option("parquet", "One row per point; needs the extra cukereuse[parquet].")
@setting_options("include", "exclude", "threshold", "baseline", "model", "offline", "jobs")
@no_cache_option
@print_config_option
def command(paths: tuple[str, ...], **options: Any) -> None:
    """Show how a suite has changed over time: steps, wordings, repetition, and findings by rule.

    PATH is a folder in a git repository; the default is the current folder. Follows the first parents of --ref. Each
    version of a file is read once; nothing is checked out and nothing is run. All wordings of these commits are
    compared with each other once, so that all dates are measured in the same way; other commits (--every, --since) can
    therefore give slightly different numbers of divergent wordings. Step definitions are not read, so rules that need
    them are left out, and so are repeated blocks. With --baseline, the last commit is also scanned with its step
    definitions, and the findings that the baseline does not contain are listed, each with the commit since which its
    wordings or scenarios have been there.
    """
    from cukereuse_engine.cli.work import prepare, print_config

    reports, given = give_back_paths({name: options[f"{name}_file"] for name in ("html", "json", "parquet")}, paths)
    if len(given) > 1:
        raise click.UsageError("trend takes only one PATH")
    work = prepare(given or ["."], options)
    if options["print_config"]:
        print_config(work)
        return
    check_reports(reports)
    trend = _trend(given[0] if given else ".", work, options)
    note_incomplete([trend.root])
    _write(trend, reports)
    if "-" not in reports.values():
        _print(trend)


def _trend(path: str, work: "Work", options: dict[str, Any]) -> "Trend":
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.cli.work import embedder_for
    from cukereuse_engine.gherkin.cache import parse_cache
    from cukereuse_engine.history.sampling import Every
    from cukereuse_engine.history.trend import trend
    from cukereuse_engine.scanning.options import strategy_options

    progress = progress_for_terminal()
    use_cache = not options["no_cache"]
    settings = work.settings
    embedder, notes = embedder_for(settings, progress)
    for note in notes:
        click.echo(f"note: {note}", err=True)
    return trend(
        path,
        every=Every(options["every"]),
        ref=options["ref"],
        since=options["since"],
        options=strategy_options(settings),
        embedder=embedder,
        jobs=settings.jobs or None,
        new_at=_new_at(path, work, embedder, use_cache=use_cache) if settings.baseline else None,
        include=settings.include,
        exclude=settings.exclude,
        cache=parse_cache() if use_cache else None,
        progress=progress,
    )


def _new_at(
    path: str, work: "Work", embedder: "Embedder | None", *, use_cache: bool
) -> "Callable[[str], Iterator[Finding]]":
    """Gives the findings of a scan of a commit that the baseline does not contain."""
    from pathlib import Path

    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.cli.work import scan_elsewhere
    from cukereuse_engine.git import GitRepository
    from cukereuse_engine.history.compare import suites_at
    from cukereuse_engine.suppression.baseline import read_baseline

    baseline = read_baseline(Path(work.settings.baseline or ""))
    scan = scan_elsewhere(work, embedder, show_shared=False, use_cache=use_cache)

    def new_at(commit: str) -> "Iterator[Finding]":
        progress = progress_for_terminal()
        place = Path(path)
        suites = suites_at(
            GitRepository(place), commit, [place], scan, work.settings_of, baseline=baseline, progress=progress
        )
        return (finding for suite in suites for finding in suite.findings)

    return new_at


def _write(trend: "Trend", reports: dict[str, str]) -> None:
    from cukereuse_engine.report import trend as report

    if "json" in reports:
        write_json(reports["json"], report.document(trend))
    if "html" in reports:
        write_report(reports["html"], report.page(trend))
    if "parquet" in reports:
        write_report(reports["parquet"], report.parquet(trend))


def _print(trend: "Trend") -> None:
    from cukereuse_engine.history.trend import TREND_RULES
    from cukereuse_engine.report.tables import Column, console_for, print_table
    from cukereuse_engine.report.trend import WITHOUT_DEFINITIONS, day
    from cukereuse_engine.rules import RULES

    console = console_for()
    points = trend.points
    if not points:
        console.print("There are no commits in this range.")
        return
    if not any(point.files for point in points):
        console.print("No commit in this range has feature files here.")
        return
    by_rule = [(RULES[rule].title, [len(point.findings[rule]) for point in points]) for rule in TREND_RULES]
    by_figure = [
        ("distinct wordings", [point.wordings for point in points]),
        ("steps", [point.steps for point in points]),
    ]
    for line in _lines([*by_rule, *by_figure], console.width):
        console.print(line, soft_wrap=True)
    console.print()
    number = [Column(name, right=True) for name in ("files", "steps", "wordings", "repeated", "findings", "+", "−")]
    rows = [
        (
            f"{day(point.commit)} {point.commit.id[:10]}",
            point.files,
            point.steps,
            point.wordings,
            percent(point.repetition),
            sum(map(len, point.findings.values())),
            sum(len(point.came(rule)) for rule in TREND_RULES),
            sum(len(point.resolved(rule)) for rule in TREND_RULES),
        )
        for point in points[-SHOWN:]
    ]
    print_table(console, [Column("commit"), *number], rows)
    if len(points) > SHOWN:
        console.print(f"The last {SHOWN} of {len(points):,} points; --json and --html have all.", style="dim")
    console.print(WITHOUT_DEFINITIONS, style="dim")
    _print_ahead(trend, console)


def _print_ahead(trend: "Trend", console: Any) -> None:
    from cukereuse_engine.prose import counted
    from cukereuse_engine.report.trend import day
    from cukereuse_engine.report.visible import encodable, visible

    if trend.ahead is None:
        return
    console.print()
    if not trend.ahead:
        console.print("The baseline contains all current findings.", highlight=False)
        return
    console.print(f"{counted(len(trend.ahead), 'finding')} that the baseline does not contain:", highlight=False)
    for finding in trend.ahead[:SHOWN]:
        since = f"since {day(finding.since)}  " if finding.since is not None else ""
        says = visible(encodable(finding.says))
        console.print(f"  {since}{finding.rule}: {says}", markup=False, highlight=False, soft_wrap=True)
    if len(trend.ahead) > SHOWN:
        console.print(f"  … and {len(trend.ahead) - SHOWN:,} more; --json and --html have all.", style="dim")


def _lines(figures: list[tuple[str, list[int]]], columns: int) -> list[str]:
    """A line of bars for each figure, with its name; where it fits, no longer than `columns`."""
    names = [f"  {name}: {values[0]:,} to {values[-1]:,}" for name, values in figures]
    width = max(_FEWEST_BARS, min(_MOST_BARS, columns - max(map(len, names))))
    return [_spark(values, width) + name for name, (_, values) in zip(names, figures, strict=True)]


def _spark(values: list[int], width: int) -> str:
    """A line of bars; each bar is the last value of its section."""
    parts = [values[len(values) * (i + 1) // width - 1] for i in range(width)] if len(values) > width else values
    top = max(parts) or 1
    return "".join(_BARS[round(value / top * (len(_BARS) - 1))] for value in parts)
