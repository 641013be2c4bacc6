"""`cukereuse rename`: one wording for a step everywhere, in feature files and step definitions."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.options import print_config_option, setting_options
from cukereuse_engine.cli.outputs import check_writable, give_back_paths, report_option, write_json
from cukereuse_engine.errors import CukereuseError

if TYPE_CHECKING:
    from cukereuse_engine.cli.work import Work
    from cukereuse_engine.glue.sources import ReadSources
    from cukereuse_engine.refactor.model import RenamePlan, Workspace
    from cukereuse_engine.scanning.suite import Suite

REFUSED = 1
"""Exit code where the rename would break the suite, or where every step is left out."""
SHOWN = 10


@click.command("rename")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--from", "source", metavar="STEP", help="A step's text; or a phrasing with slots, {1} or {name}.")
@click.option("--to", "target", metavar="PHRASING", help="What it should read. Slots take the arguments.")
@click.option("--cluster", is_flag=True, help="Rename every wording that a scan finds to say the same.")
@click.option("--write", is_flag=True, help="Change the files. Without it, a diff is printed.")
@click.option("--undo", is_flag=True, help="Take the latest rename of the suite back.")
@click.option("--remove-unused", is_flag=True, help="Remove step definitions that lose their last use.")
@report_option("json", "The plan as JSON for programs.")
@setting_options("glue", "include", "exclude", "strategy", "threshold", "model", "offline", "jobs")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the caches.")
@print_config_option
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """One wording for a step everywhere: in the feature files and in its step definition.

    PATH is a folder or a feature file; the suite around it is renamed whole. --from names a step; all steps that differ
    from it in arguments only change with it. --to is the new phrasing: {1} stands for the first argument, {name} for
    the one that the step definition calls so, {{ for a brace. It may also be a text in which the arguments stand again.

    The plan is checked first: every renamed step must bind to exactly one step definition with the arguments that it
    had, and no other step may change its binding. Exit code 0: planned, or written with --write. 1: refused, as the
    suite would break, or no step can be renamed. 2: could not run.
    """
    from cukereuse_engine.cli.work import prepare, print_config

    reports, given = give_back_paths({"json": options["json_file"]}, paths)
    work = prepare(given or ["."], options)
    if options["print_config"]:
        print_config(work)
        return
    for destination in reports.values():
        check_writable(destination)
    if options["undo"]:
        undo(work)
        return
    if not options["source"] or not options["target"]:
        raise click.UsageError("--from and --to say what is renamed; --undo takes the latest rename back.")
    ctx.exit(_rename(work, reports, options))


def _rename(work: "Work", reports: dict[str, str], options: dict[str, Any]) -> int:
    from cukereuse_engine.refactor.model import RefusedPlanError
    from cukereuse_engine.refactor.plan import plan_rename
    from cukereuse_engine.refactor.request import request_for

    planned: list[tuple[Suite, RenamePlan]] = []
    missing: CukereuseError | None = None
    for suite, workspace in workspaces(work, use_cache=not options["no_cache"]):
        clusters = _clusters(work, suite, workspace, use_cache=not options["no_cache"]) if options["cluster"] else []
        try:
            request = request_for(
                workspace,
                options["source"],
                options["target"],
                clusters=clusters,
                remove_unused=options["remove_unused"],
            )
        except CukereuseError as error:
            missing = error
            continue
        try:
            planned.append((suite, plan_rename(request, workspace)))
        except RefusedPlanError as error:
            click.echo(f"refused: {error.message}", err=True)
            if error.hint:
                click.echo(error.hint, err=True)
            return REFUSED
    if not planned:
        raise missing or CukereuseError("there are no feature files")
    if "json" in reports:
        write_json(reports["json"], document([plan for _, plan in planned], written=options["write"]))
    for suite, plan in planned:
        if options["write"]:
            _write(suite, plan, options["source"])
        elif "-" not in reports.values():
            print_diff(plan.files)
        _summary(plan, written=options["write"])
    stuck = any(plan.left_out for _, plan in planned) and not any(plan.files for _, plan in planned)
    return REFUSED if stuck else 0


def workspaces(work: "Work", *, use_cache: bool) -> "list[tuple[Suite, Workspace]]":
    """The suites of the paths given, bound to their step definitions; what a dead process left is taken back first."""
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.cli.work import read
    from cukereuse_engine.refactor.apply import Journal
    from cukereuse_engine.refactor.model import Workspace
    from cukereuse_engine.scanning.scan import load_glue
    from cukereuse_engine.text.words import detect_languages

    suites = read(work, use_cache=use_cache)
    recovered = [path for suite in suites for path in Journal(suite.root).recover()]
    if recovered:
        click.echo(f"note: a rename that was cut off has been taken back in {len(recovered)} files", err=True)
        suites = read(work, use_cache=use_cache)
    found = []
    sources: ReadSources = {}
    for suite in suites:
        settings = work.settings_of(suite.root)
        glue = load_glue(suite, settings, use_cache=use_cache, read=sources, progress=progress_for_terminal())
        languages = detect_languages(text.template.masked for text in suite.texts)
        files = {file.path: file for file in suite.files}
        found.append((suite, Workspace(files, suite.texts, suite.steps, glue, languages=languages)))
    return found


def _clusters(work: "Work", suite: "Suite", workspace: "Workspace", *, use_cache: bool) -> list[list[str]]:
    """Texts of each cluster of the suite, as a scan finds them."""
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.cli.work import embedder_for
    from cukereuse_engine.scanning.scan import compare, strategy_options

    progress = progress_for_terminal()
    embedder, notes = embedder_for(work.settings, progress)
    for note in notes:
        click.echo(f"note: {note}", err=True)
    strategy = strategy_options(work.settings)
    assert workspace.glue is not None
    detection, _ = compare(suite, workspace.glue, strategy, embedder, use_cache=use_cache, progress=progress)
    return [[text.text for text in cluster.texts] for cluster in detection.clusters]


def print_diff(files: "Sequence[Any]") -> None:
    """The diff of a plan's files, in colours on a terminal."""
    from cukereuse_engine.refactor.diff import unified_diff
    from cukereuse_engine.refactor.model import read_from_disk

    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in unified_diff(files, read_from_disk):
        heading = line.startswith(("+++", "---"))
        click.echo(click.style(line, fg=None if heading else colours.get(line[0]), bold=heading), nl=False)


def _write(suite: "Suite", plan: "RenamePlan", title: str) -> None:
    from cukereuse_engine.refactor.apply import Journal

    if plan.files:
        Journal(suite.root).apply(plan.files, f"{title} -> {plan.target}")


def undo(work: "Work") -> None:
    """Take the latest rename below the paths back."""
    from cukereuse_engine.cli.work import read
    from cukereuse_engine.refactor.apply import Journal

    journals = [Journal(suite.root) for suite in read(work, use_cache=True)]
    latest = max(journals, key=lambda journal: journal.latest, default=None)
    if latest is None:
        raise CukereuseError("there are no feature files")
    title, files = latest.undo()
    click.echo(f"undone in {_counted(len(files), 'file')}: {title}", err=True)


def _summary(plan: "RenamePlan", *, written: bool) -> None:
    """What a person should know, on standard error."""

    def say(text: str) -> None:
        click.echo(text, err=True)

    features = sum(not file.is_glue for file in plan.files)
    did = "renamed" if written else "would rename"
    say(f"{did} {_counted(plan.occurrences, 'step')} in {_counted(features, 'feature file')} to: {plan.target}")
    for change in plan.definitions:
        place = f"{change.definition.path}:{change.definition.line}"
        note = f" ({change.note})" if change.note else ""
        uses = f"{change.uses_before:,} → {change.uses_after:,} uses"
        also = f" and {_counted(len(change.also), 'place')} more" if change.also else ""
        say(f"  {change.outcome}: {place}{also}, {uses}{note}")
        say(f"    {_on_one_line(change.definition.expression)}")
        if change.new_expression:
            say(f"    now: {_on_one_line(change.new_expression)}")
    left_out = sum(len(one.steps) for one in plan.left_out)
    if left_out:
        say(f"left out: {_counted(left_out, 'step')}")
        for one in plan.left_out[:SHOWN]:
            say(f"  {one.text} ({len(one.steps)}×): {one.reason}")
        if len(plan.left_out) > SHOWN:
            say(f"  … and {len(plan.left_out) - SHOWN:,} more texts")
    for warning in plan.warnings:
        say(f"warning: {warning}")


def _on_one_line(expression: str) -> str:
    """An expression as it is written; a regex over several lines on one."""
    return "\\n".join(expression.splitlines())


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


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
                        "text": one.text,
                        "reason": one.reason,
                        "places": [{"path": step.path, "line": step.line} for step in one.steps],
                    }
                    for one in plan.left_out
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
                        "also": [{"path": one.path, "line": one.line} for one in change.also],
                    }
                    for change in plan.definitions
                ],
                "files": [
                    {
                        "path": file.path,
                        "version": file.version,
                        "edits": [
                            {
                                "line": edit.line,
                                "column": edit.column,
                                "end_line": edit.end_line,
                                "end_column": edit.end_column,
                                "old": edit.old,
                                "new": edit.new,
                            }
                            for edit in file.edits
                        ],
                    }
                    for file in plan.files
                ],
            }
            for plan in plans
        ],
    }
