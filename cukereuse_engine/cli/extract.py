"""`cukereuse extract`: replaces a recurring block of steps by one step, a Background or a Scenario Outline."""

from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.options import (
    no_cache_option,
    print_config_option,
    setting_options,
    undo_option,
    write_option,
)
from cukereuse_engine.cli.outputs import file_edits, report_option, write_json
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.prose import counted

if TYPE_CHECKING:
    from cukereuse_engine.blocks.block import Block
    from cukereuse_engine.blocks.extraction_plan import ExtractionPlan
    from cukereuse_engine.blocks.short_forms import Shortenable
    from cukereuse_engine.blocks.shorten import ShorteningPlan
    from cukereuse_engine.cli.work import Work
    from cukereuse_engine.refactor.feature_scenarios import FoldSuggestion
    from cukereuse_engine.refactor.rename_plan import ReadSuites

    Plan = ExtractionPlan | ShorteningPlan | FoldSuggestion

REFUSED = 1
"""Exit code if the block can't be replaced."""


@click.command("extract")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--block",
    "wanted",
    metavar="ID",
    help="The id of the block as listed by `cukereuse blocks`, or its first characters.",
)
@click.option(
    "--as", "--to", "wording", metavar="STEP", help="The text of the new step, with a slot {name} for each parameter."
)
@write_option
@undo_option
@report_option("json", "The plan as JSON for programs.")
@setting_options("include", "exclude", "glue", "jobs")
@no_cache_option
@print_config_option
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """Replace a recurring block of steps by one step.

    PATH is a folder or a feature file. Without --block, lists for each block the step that could replace it. The
    definition of the new step is written below the definitions of the block's steps and runs them. Every scenario must
    call the same step definitions with the same arguments as before; otherwise nothing is changed.

    In Karate's features, the block becomes a scenario of a new feature file, which the places call; --as sets its name.

    Exit code 0: planned or done. 1: the block can't be replaced. 2: could not run.
    """
    from cukereuse_engine.cli.changes import begin_change

    begun = begin_change(paths, options, "The id of a block follows --block, and the text of the new step --as.")
    if begun is None:
        return
    work, reports = begun.work, begun.reports
    if options["write"] and not options["wanted"]:
        raise click.UsageError("--write needs a block; add --block ID")
    blocks = _blocks(work, options["wanted"] or "", use_cache=not options["no_cache"])
    plans = [(block, _planned(block, suites, options["wording"])) for block, suites in blocks]
    if "json" in reports:
        write_json(reports["json"], [_entry(*planned) for planned in plans])
    if options["wanted"]:
        ((block, plan),) = plans
        if isinstance(plan, str):
            click.echo(f"{block.id} can't be replaced: {plan}", err=True)
            ctx.exit(REFUSED)
        _finish(work, plan, write=options["write"], quiet=reports.get("json") == "-")
    elif "-" not in reports.values():
        _print(plans)


def _blocks(work: "Work", wanted: str, *, use_cache: bool) -> "list[tuple[Block | Shortenable, ReadSuites]]":
    """The requested block, or all blocks and the short forms that the suite already has, with the suites that contain
    them. Raises `CukereuseError`."""
    from cukereuse_engine.cli.changes import recover
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.cli.work import read_features
    from cukereuse_engine.refactor.rename_plan import ReadSuites
    from cukereuse_engine.scanning.loading import load_glue
    from cukereuse_engine.scanning.repetition import repetition_of
    from cukereuse_engine.scanning.repository import repository_root

    recover(repository_root(work.targets.compared))
    progress = progress_for_terminal()
    wanted_blocks: list[tuple[Block | Shortenable, ReadSuites]] = []
    for suite in read_features(work, use_cache=use_cache):
        settings = work.settings_of(suite.root)
        glue = load_glue(suite, settings, use_cache=use_cache, progress=progress)
        suites = ReadSuites({file.path: file for file in suite.files}, suite.texts, suite.steps, glue)
        repetition = repetition_of(suite, glue, settings, progress=progress)
        wanted_blocks += [(form, suites) for form in repetition.shortenable if form.id.startswith(wanted)]
        wanted_blocks += [(block, suites) for block in repetition.blocks if block.id.startswith(wanted)]
    if wanted and len(wanted_blocks) != 1:
        problem = (
            "several blocks have an id that begins like this" if wanted_blocks else "there is no block with this id"
        )
        raise CukereuseError(f"{problem}: {wanted}", "`cukereuse blocks` lists them.")
    return wanted_blocks


def _planned(block: "Block | Shortenable", suites: "ReadSuites", wording: str | None) -> "Plan | str":
    """If no wording is requested and a Background or Scenario Outline can replace the block, that; otherwise one step,
    which the suite may already have. A text says why there is neither."""
    from cukereuse_engine.blocks.cut_places import UnfitWordingError
    from cukereuse_engine.blocks.extract import plan_extraction
    from cukereuse_engine.blocks.folding import FeatureSources, folding_of
    from cukereuse_engine.blocks.short_forms import Shortenable
    from cukereuse_engine.blocks.shorten import plan_shortening
    from cukereuse_engine.blocks.symbols import scenarios_of

    if isinstance(block, Shortenable):
        if wording is not None:
            return f"“{block.form.definition.shown}” already does what these steps do; leave --as out"
        try:
            return plan_shortening(block, suites)
        except CukereuseError as error:
            return str(error)
    if wording is None and len(block.files) == 1:
        scenarios = scenarios_of(suites.files[block.files[0]].steps)
        folding = folding_of(block, scenarios, FeatureSources(suites.read))
        if folding is not None:
            return folding
    try:
        return plan_extraction(block, suites, wording)
    except UnfitWordingError as error:
        return f"{error}" if wording is not None else f"{error}: --as STEP"
    except CukereuseError as error:
        return str(error)
    except OSError as error:
        return f"{error.filename} can't be read: {error.strerror or error}"


def _finish(work: "Work", plan: "Plan", *, write: bool, quiet: bool) -> None:
    from cukereuse_engine.cli.changes import print_diff
    from cukereuse_engine.refactor.feature_scenarios import FoldSuggestion
    from cukereuse_engine.refactor.journal import Journal
    from cukereuse_engine.scanning.repository import repository_root

    files = [plan.file] if isinstance(plan, FoldSuggestion) else list(plan.files)
    title = plan.message if isinstance(plan, FoldSuggestion) else f"a block of steps as “{plan.wording}”"
    if write:
        Journal(repository_root(work.targets.compared)).apply(files, title)
    elif not quiet:
        print_diff(files)
    if isinstance(plan, FoldSuggestion):
        click.echo(title, err=True)
        return
    for left_out in plan.left_out:
        click.echo(f"left out: {left_out.place.path}:{left_out.place.line}: {left_out.reason}", err=True)
    places = counted(len(plan.places), "place")
    click.echo(f"{places} {'say' if write else 'would say'} “{plan.wording}”", err=True)


def _print(plans: "list[tuple[Block | Shortenable, Plan | str]]") -> None:
    from cukereuse_engine.refactor.feature_scenarios import FoldSuggestion
    from cukereuse_engine.report.tables import shown

    if not plans:
        click.echo("No sequence of steps recurs.", err=True)
    for block, plan in plans:
        head = f"{block.id}  {_size(block)}"
        if isinstance(plan, str):
            click.echo(f"{head}: not possible: {shown(plan)}")
        else:
            click.echo(f"{head}: {shown(plan.message if isinstance(plan, FoldSuggestion) else plan.wording)}")
    if any(not isinstance(plan, str) for _, plan in plans):
        click.echo("What a line ends with could replace the block; --block ID shows the change.", err=True)


def _size(block: "Block | Shortenable") -> str:
    from cukereuse_engine.blocks.short_forms import Shortenable

    if isinstance(block, Shortenable):
        return f"{block.spelled[0].place.length} steps in {counted(len(block.spelled), 'place')}"
    return f"{block.length} steps in {block.scenarios:,} scenarios"


def _entry(block: "Block | Shortenable", plan: "Plan | str") -> dict[str, Any]:
    from cukereuse_engine.blocks.short_forms import Shortenable
    from cukereuse_engine.blocks.shorten import ShorteningPlan
    from cukereuse_engine.refactor.feature_scenarios import FoldSuggestion

    steps = block.spelled[0].place.steps if isinstance(block, Shortenable) else block.steps
    entry: dict[str, Any] = {"block": block.id, "steps": [step.text for step in steps]}
    if isinstance(plan, str):
        return {**entry, "refused": plan}
    if isinstance(plan, FoldSuggestion):
        return {**entry, "kind": plan.kind.value, "message": plan.message, "files": [file_edits(plan.file)]}
    is_shortening = isinstance(plan, ShorteningPlan)
    definition = plan.form.definition if isinstance(plan, ShorteningPlan) else plan.model
    return {
        **entry,
        "kind": "known step" if is_shortening else "step",
        "wording": plan.wording,
        "definition": {"path": definition.path, "framework": definition.framework} if definition is not None else None,
        "places": [{"path": place.path, "line": place.line, "last_line": place.last_line} for place in plan.places],
        "left_out": [
            {"path": left_out.place.path, "line": left_out.place.line, "reason": left_out.reason}
            for left_out in plan.left_out
        ],
        "files": [file_edits(file) for file in plan.files],
    }
