"""`cukereuse blocks`: sequences of steps that recur, and what replacing each of them by one step would save."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.options import no_cache_option, print_config_option, setting_options
from cukereuse_engine.cli.outputs import check_writable, give_back_paths, report_option, write_json, write_report
from cukereuse_engine.prose import counted, percent
from cukereuse_engine.strategies.table import EXACT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cukereuse_engine.blocks.block import Block, BlockLimits, BlockPlace
    from cukereuse_engine.cli.work import Work
    from cukereuse_engine.gherkin.feature import Step
    from cukereuse_engine.scanning.result import ScanResult, SuiteScan

PLACES_SHOWN = 5


@click.command("blocks")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--min-steps", type=click.IntRange(min=2), default=3, show_default=True, help="Minimum number of steps in a block."
)
@click.option(
    "--min-scenarios",
    type=click.IntRange(min=2),
    default=3,
    show_default=True,
    help="Minimum number of scenarios that contain it.",
)
@click.option(
    "--max-parameters",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help="Maximum number of arguments that may vary.",
)
@click.option("--attachments", is_flag=True, help="Also list blocks with tables and DocStrings.")
@click.option(
    "--top", type=click.IntRange(min=0), default=0, help="How many blocks to list, the most worthwhile first."
)
@report_option("html", "HTML report in one file.")
@report_option("json", "The blocks as JSON for programs.")
@setting_options("include", "exclude", "glue", "jobs")
@no_cache_option
@print_config_option
def command(paths: tuple[str, ...], **options: Any) -> None:
    """List sequences of steps that recur, the most worthwhile first.

    PATH is a folder or a feature file. A file is compared with the whole suite that it belongs to. Steps with the same
    step definition count as the same step, whatever their words and arguments. Arguments that vary would become
    parameters of the step that replaces the block. No step belongs to two blocks, so the savings add up.

    Blocks for which the suite already has a step, because its definition only runs them, come first.
    """
    from cukereuse_engine.cli.work import prepare, print_config

    files = {name: options.pop(f"{name}_file") for name in ("html", "json")}
    reports, given = give_back_paths(files, paths)
    work = prepare(given or ["."], options)
    if options["print_config"]:
        print_config(work)
        return
    for destination in reports.values():
        check_writable(destination)
    result = _collect(work, options)
    if "json" in reports:
        write_json(reports["json"], [entry for suite in result.suites for entry in _entries(suite)])
    if "html" in reports:
        _write_html(result, reports["html"])
    if "-" not in reports.values():
        _print(result)
    number = sum(len(suite.shortenable) + len(suite.blocks) for suite in result.suites)
    saved = sum(form.steps_saved for suite in result.suites for form in suite.shortenable)
    saved += sum(block.steps_saved for suite in result.suites for block in suite.blocks)
    click.echo(f"{counted(number, 'block')}, {saved:,} lines could be saved", err=True)


def _limits(options: dict[str, Any]) -> "BlockLimits":
    from cukereuse_engine.blocks.block import BlockLimits

    return BlockLimits(
        min_steps=options["min_steps"],
        min_scenarios=options["min_scenarios"],
        max_parameters=options["max_parameters"],
        attachments=options["attachments"],
    )


def _collect(work: "Work", options: dict[str, Any]) -> "ScanResult":
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.cli.work import read_features
    from cukereuse_engine.scanning.loading import load_glue
    from cukereuse_engine.scanning.repetition import repetition_scan
    from cukereuse_engine.scanning.result import ScanResult

    use_cache = not options["no_cache"]
    progress = progress_for_terminal()
    suites = []
    for suite in read_features(work, use_cache=use_cache):
        settings = replace(work.settings_of(suite.root), repetition_limit=0)
        glue = load_glue(suite, settings, use_cache=use_cache, progress=progress)
        repetition = repetition_scan(suite, glue, settings, limits=_limits(options), progress=progress)
        reported = work.targets.reported
        blocks = [
            block
            for block in repetition.blocks
            if reported is None or any(place.path in reported for place in block.places)
        ]
        shortenable = [
            form
            for form in repetition.shortenable
            if reported is None or any(spelled.place.path in reported for spelled in form.spelled)
        ]
        top = options["top"] or None
        suites.append(replace(repetition, blocks=tuple(blocks[:top]), shortenable=tuple(shortenable[:top])))
    return ScanResult(tuple(suites), EXACT.name, {}, None)


def _write_html(result: "ScanResult", destination: str) -> None:
    from pathlib import Path

    from cukereuse_engine.report import html

    folder = str(Path(destination).parent)
    write_report(destination, html.render(result, links=html.PlaceLinks(folder, "")))


def _entries(suite: "SuiteScan") -> "Iterator[dict[str, Any]]":
    for form in suite.shortenable:
        yield {
            "id": form.id,
            "suite": suite.root,
            "says": form.spelled[0].text,
            "steps": _steps(form.spelled[0].place.steps),
            "steps_saved": form.steps_saved,
            "places": [_place(spelled.place) for spelled in form.spelled],
        }
    yield from (_entry(suite, block) for block in suite.blocks)


def _steps(steps: "Iterable[Step]") -> list[dict[str, str]]:
    return [{"keyword": step.keyword.strip(), "text": step.text} for step in steps]


def _place(place: "BlockPlace") -> dict[str, Any]:
    return {
        "path": place.path,
        "line": place.line,
        "last_line": place.last_line,
        "scenario": place.scenario.name,
        "background": place.scenario.is_background,
    }


def _entry(suite: "SuiteScan", block: "Block") -> dict[str, Any]:
    return {
        "id": block.id,
        "suite": suite.root,
        "says": None,
        "steps": _steps(block.steps),
        "parameters": [
            {
                "name": parameter.name,
                "step": parameter.step,
                "argument": parameter.argument,
                "values": list(parameter.values),
            }
            for parameter in block.parameters
        ],
        "scenarios": block.scenarios,
        "files": len(block.files),
        "steps_saved": block.steps_saved,
        "worth": round(block.worth, 3),
        "confidence": round(block.confidence, 6),
        "places": [_place(place) for place in block.places],
    }


def _print(result: "ScanResult") -> None:
    from cukereuse_engine.blocks.findings import shown_values
    from cukereuse_engine.report.tables import shown

    for suite in result.suites:
        if len(result.suites) > 1 and (suite.blocks or suite.shortenable):
            click.secho(shown(suite.root), bold=True)
        for form in suite.shortenable:
            first, steps = form.spelled[0], form.spelled[0].place.steps
            click.secho(
                f"{form.id}  {len(steps)} steps in {counted(len(form.spelled), 'place')} for which the suite has "
                f"a step: saves {counted(form.steps_saved, 'line')}",
                bold=True,
            )
            for step in steps:
                click.echo(f"    {shown(step.keyword + step.text)}")
            click.echo(f"  the step: {shown(first.text)}")
            _print_places([spelled.place for spelled in form.spelled])
        for block in suite.blocks:
            files = counted(len(block.files), "file")
            click.secho(
                f"{block.id}  {block.length} steps in {block.scenarios:,} scenarios of {files}: "
                f"saves {block.steps_saved:,} lines, {percent(block.confidence)} likely to be worth a step",
                bold=True,
            )
            for step in block.steps:
                click.echo(f"    {shown(step.keyword + step.text)}")
            for parameter in block.parameters:
                click.echo(f"  varies: {shown(parameter.name)}: {shown(shown_values(parameter.values))}")
            _print_places(block.places)


def _print_places(places: "Sequence[BlockPlace]") -> None:
    from cukereuse_engine.report.tables import shown

    for place in places[:PLACES_SHOWN]:
        click.echo(f"  {shown(place.path)}:{place.line}")
    if len(places) > PLACES_SHOWN:
        click.echo(f"  and {counted(len(places) - PLACES_SHOWN, 'more place')}")
    click.echo()
