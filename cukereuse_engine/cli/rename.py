"""`cukereuse rename`: changes the wording of a step everywhere, in feature files and step definitions."""

import os
from collections.abc import Iterator, Mapping, Sequence
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
from cukereuse_engine.prose import counted

if TYPE_CHECKING:
    from cukereuse_engine.cli.work import Work
    from cukereuse_engine.embedding_models.embedder import Embedder
    from cukereuse_engine.refactor.rename_plan import DefinitionChange, ReadSuites, RenamePlan, RenameRequest
    from cukereuse_engine.scanning.repository import Repository
    from cukereuse_engine.scanning.suite import Suite

REFUSED = 1
"""Exit code if the rename would break the suite, or if every step is left out."""
SHOWN = 10


@click.command("rename")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--from",
    "source",
    metavar="STEP",
    help="The text of a step, the expression of its step definition, or a phrasing with slots: {1} or {name}.",
)
@click.option("--to", "target", metavar="PHRASING", help="The new wording. Slots take the arguments.")
@click.option("--cluster", is_flag=True, help="Rename every wording that a scan finds to mean the same.")
@write_option
@click.option("--move", is_flag=True, help="Allow another step definition to serve the steps, with the same arguments.")
@undo_option
@click.option("--remove-unused", is_flag=True, help="Remove step definitions that are no longer used.")
@report_option("json", "The plan as JSON for programs.")
@setting_options("glue", "include", "exclude", "strategy", "threshold", "model", "offline", "jobs")
@no_cache_option
@print_config_option
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """Change the wording of a step everywhere: in the feature files and in its step definition.

    PATH is a folder or a feature file and selects the steps. --from names a step; all steps of its step definition
    change with it, anywhere in the repository. --to is the new phrasing: {1} stands for the first argument, {name} for
    the argument with that name in the step definition, {{ for a brace. It may also be a step text with its arguments.
    If the arguments change their order, the parameters of the function do too, provided that only steps call it.

    The plan is first checked against all suites and runners of the repository: every renamed step must bind to the same
    step definition as before, with the same arguments, and no other step may change its binding. --move allows steps to
    bind to another step definition that already matches the target. Documents that quote the step are named, and stay
    as they are. Exit code 0: planned, or written with --write. 1: refused because something would break, or no step can
    be renamed. 2: could not run.
    """
    from cukereuse_engine.cli.changes import begin_change

    begun = begin_change(paths, options, "The text of a step follows --from, and the new wording --to.")
    if begun is None:
        return
    if options["source"] is None or options["target"] is None:
        raise click.UsageError("rename needs --from and --to, or --undo to undo the latest rename")
    if not options["source"].strip() or not options["target"].strip():
        raise click.UsageError("the text of a step can't be empty; give one after --from and --to")
    ctx.exit(_rename(begun.work, begun.reports, options))


def _rename(work: "Work", reports: Mapping[str, str], options: dict[str, Any]) -> int:
    from cukereuse_engine.cli.changes import print_diff, repository_of
    from cukereuse_engine.cli.unread import say_unread
    from cukereuse_engine.cli.work import no_features
    from cukereuse_engine.refactor.journal import Journal
    from cukereuse_engine.refactor.plan import plan_rename
    from cukereuse_engine.refactor.rename_plan import RefusedPlanError
    from cukereuse_engine.scanning.suspect_moves import with_cautions

    repository = repository_of(work, use_cache=not options["no_cache"])
    suites = repository.suites
    if suites is None or not repository.named:
        raise no_features(work)
    request = _request(work, repository, suites, options)
    try:
        plan = plan_rename(request, suites, thorough=options["write"])
    except RefusedPlanError as error:
        click.echo(f"refused: {error.message}", err=True)
        if error.hint:
            click.echo(error.hint, err=True)
        return REFUSED
    plan = with_cautions(plan, repository.named, jobs=work.settings.jobs or None, use_cache=not options["no_cache"])
    unread = (error for file in suites.files.values() for error in file.errors)
    say_unread(unread, "A step that cannot be read there keeps its wording.")
    if options["write"] and plan.files:
        Journal(repository.root).apply(plan.files, f"the change of “{options['source']}” to “{plan.target}”")
    if "json" in reports:
        write_json(reports["json"], document([plan], written=options["write"]))
    if not options["write"] and "-" not in reports.values():
        print_diff(plan.files)
    _summary(plan, written=options["write"])
    _say_quoted(plan, repository.root)
    return 0 if plan.files else REFUSED


def _say_quoted(plan: "RenamePlan", root: str) -> None:
    """Print where documents quote a renamed step."""
    from cukereuse_engine.refactor.quotes import quotes
    from cukereuse_engine.refactor.rename_plan import read_from_disk

    places = [*quotes(os.path.relpath(root), (row.before for row in plan.table), read_from_disk)]
    for path, line in places[:SHOWN]:
        click.echo(f"note: {path}:{line} quotes the step in its old words", err=True)
    if len(places) > SHOWN:
        click.echo(f"note: … and {counted(len(places) - SHOWN, 'more place')}", err=True)


def _request(work: "Work", repository: "Repository", suites: "ReadSuites", options: dict[str, Any]) -> "RenameRequest":
    from cukereuse_engine.refactor.request import request_for

    source, use_cache = options["source"], not options["no_cache"]
    reported = work.targets.reported
    within = repository.within
    return request_for(
        suites,
        source,
        options["target"],
        clusters=_clusters(work, repository, source, use_cache=use_cache) if options["cluster"] else [],
        remove_unused=options["remove_unused"],
        move=options["move"],
        within=within if reported is None else frozenset(path for path in within if path in reported),
    )


def _clusters(work: "Work", repository: "Repository", source: str, *, use_cache: bool) -> list[list[str]]:
    """The texts of each cluster of the suites that contain a step with the text `source`."""
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.cli.work import embedder_for
    from cukereuse_engine.refactor.request import reads

    progress = progress_for_terminal()
    embedder, notes = embedder_for(work.settings, progress)
    for note in notes:
        click.echo(f"note: {note}", err=True)
    reading = [(suite, suites) for suite, suites in repository.named if reads(suites, source)]
    return [cluster for pair in reading for cluster in _clusters_of(work, *pair, embedder, use_cache=use_cache)]


def _clusters_of(
    work: "Work", suite: "Suite", suites: "ReadSuites", embedder: "Embedder | None", *, use_cache: bool
) -> list[list[str]]:
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.glue.glue import Glue
    from cukereuse_engine.scanning.options import strategy_options
    from cukereuse_engine.scanning.scan import compare

    assert isinstance(suites.glue, Glue)
    progress = progress_for_terminal()
    strategy = strategy_options(work.settings)
    detection, _ = compare(suite, suites.glue, strategy, embedder, use_cache=use_cache, progress=progress)
    return [[text.text for text in cluster.texts] for cluster in detection.clusters]


def _summary(plan: "RenamePlan", *, written: bool) -> None:
    """Print notes on standard error."""
    if not plan.files and not plan.left_out:
        click.echo(f"nothing to rename: the steps already say “{plan.target}”", err=True)
        return
    for line in _notes(plan, written=written):
        click.echo(line, err=True)


def _notes(plan: "RenamePlan", *, written: bool) -> Iterator[str]:
    from cukereuse_engine.refactor.differences import named
    from cukereuse_engine.refactor.rename_plan import Outcome

    features = sum(not file.is_glue for file in plan.files)
    did = "renamed" if written else "would rename"
    yield f"{did} {counted(plan.occurrences, 'step')} in {counted(features, 'feature file')} to: {plan.target}"
    for change in plan.definitions:
        yield from _change_notes(change)
    for move in plan.moves:
        yield f"  moves: {counted(len(move.steps), 'step')} from {named(move.before)} to {named(move.after)}"
    if any(change.outcome is Outcome.UNUSED and not change.note for change in plan.definitions):
        command = "`cukereuse merge --unused` removes" if written else "--remove-unused also removes"
        yield f"  {command} step definitions that no step uses then"
    if plan.left_out:
        yield f"left out: {counted(sum(len(wording.steps) for wording in plan.left_out), 'step')}"
    for wording in plan.left_out[:SHOWN]:
        step = wording.steps[0]
        yield f"  {wording.text} ({step.path}:{step.line}, {len(wording.steps)}×): {wording.reason}"
    if len(plan.left_out) > SHOWN:
        yield f"  … and {len(plan.left_out) - SHOWN:,} more texts"
    yield from (f"warning: {warning}" for warning in plan.warnings)


def _change_notes(change: "DefinitionChange") -> Iterator[str]:
    """What becomes of a definition."""
    note = f" ({change.note})" if change.note else ""
    uses = counted(change.uses_before, "use")
    if change.uses_after != change.uses_before:
        uses = f"{change.uses_before:,} → {counted(change.uses_after, 'use')}"
    also = f" and {counted(len(change.also), 'place')} more" if change.also else ""
    yield f"  {change.outcome}: {change.definition.place}{also}, {uses}{note}"
    yield f"    {_on_one_line(change.definition.expression)}"
    if change.new_expression:
        yield f"    now: {_on_one_line(change.new_expression)}"
        if _says_old_words(change):
            yield f"    its function is still named {change.definition.function_name}"


def _says_old_words(change: "DefinitionChange") -> bool:
    """True if the name of a function has a word of its definition's old expression that the new one lacks."""
    from cukereuse_engine.functions.tokens import words

    old, new = set(words(change.definition.expression)), set(words(change.new_expression))
    return not (old - new).isdisjoint(words(change.definition.function_name))


def _on_one_line(expression: str) -> str:
    """An expression as it is written; a regex of several lines on one line."""
    return "\\n".join(expression.splitlines())


def document(plans: "Sequence[RenamePlan]", *, written: bool) -> dict[str, Any]:
    """The JSON report: edits with 1-based lines and columns in code points."""
    return {
        "written": written,
        "plans": [
            {
                "target": plan.target,
                "confirmation_needed": plan.confirmation_needed,
                "warnings": list(plan.warnings),
                "replacements": [
                    {"before": row.before, "after": row.after, "occurrences": row.occurrences} for row in plan.table
                ],
                "left_out": [
                    {
                        "text": wording.text,
                        "reason": wording.reason,
                        "places": [{"path": step.path, "line": step.line} for step in wording.steps],
                    }
                    for wording in plan.left_out
                ],
                "definitions": [
                    {
                        "path": change.definition.path,
                        "line": change.definition.line,
                        "expression": change.definition.expression,
                        "outcome": change.outcome.value,
                        "new_expression": change.new_expression or None,
                        "uses_before": change.uses_before,
                        "uses_after": change.uses_after,
                        "note": change.note,
                        "also": [{"path": definition.path, "line": definition.line} for definition in change.also],
                    }
                    for change in plan.definitions
                ],
                "moves": [
                    {
                        "from": {"path": move.before.path, "line": move.before.line},
                        "to": {"path": move.after.path, "line": move.after.line},
                        "steps": [{"path": step.path, "line": step.line} for step in move.steps],
                    }
                    for move in plan.moves
                ],
                "files": [file_edits(file) for file in plan.files],
            }
            for plan in plans
        ],
    }
