"""`cukereuse merge`: step definitions that run the same code become one."""

from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.options import print_config_option, setting_options
from cukereuse_engine.cli.outputs import file_edits, report_option, write_json
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.prose import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cukereuse_engine.cli.work import Work
    from cukereuse_engine.detection.model import Finding
    from cukereuse_engine.refactor.merging import MergePlan, Merger
    from cukereuse_engine.scanning.repository import Repository

REFUSED = 1
"""Exit code where nothing can be merged."""


@click.command("merge")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--at", metavar="FILE:LINE", help="Only the step definition at this place.")
@click.option("--hints", is_flag=True, help="Also definitions whose wordings seem to be kept on purpose.")
@click.option("--unused", is_flag=True, help="Delete step definitions that no step uses and no code calls.")
@click.option("--write", is_flag=True, help="Change the files. Without it, a diff is printed.")
@click.option("--undo", is_flag=True, help="Take the latest change back, from any folder of the repository.")
@report_option("json", "The plans as JSON for programs.")
@setting_options("glue", "include", "exclude", "jobs")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the caches.")
@print_config_option
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """Step definitions that run the same code: both expressions on one function.

    PATH is a folder or a feature file, and says which suites are meant. The function that serves more steps remains. To
    keep one wording instead, use `cukereuse rename --move --remove-unused`.

    Every plan is checked first: each step must bind to the expression that it had, with the arguments that it had, and
    each expression must run the code that it ran. What can't be merged is said with the reason. Exit code 0: planned,
    or written with --write. 1: there is something to merge, but nothing can be. 2: could not run.
    """
    from cukereuse_engine.cli.rename import undo
    from cukereuse_engine.cli.work import begin

    begun = begin(paths, options)
    if begun is None:
        return
    if options["undo"]:
        undo(begun.paths)
        return
    ctx.exit(_merge(begun.work, begun.reports, options))


def _merge(work: "Work", reports: "Mapping[str, str]", options: dict[str, Any]) -> int:
    from cukereuse_engine.cli.rename import print_diff, repository_of
    from cukereuse_engine.refactor.apply import Journal
    from cukereuse_engine.refactor.declarations import UnmergeableError
    from cukereuse_engine.refactor.merging import apart, combined

    repository = repository_of(work, use_cache=not options["no_cache"])
    if repository.workspace is None or not repository.named:
        raise CukereuseError("there are no feature files")
    plans: list[MergePlan] = []
    refused: list[str] = []
    for merger, findings in _suites(work, repository, options):
        for plan in _plans(merger, findings, refused, options):
            try:
                if len(list(apart([*plans, plan]))) > len(plans):
                    merger.check([*plans, plan])
                    plans.append(plan)
            except UnmergeableError as error:
                refused.append(error.message)
    files = combined(plans)
    if options["write"] and files:
        Journal(repository.root).apply(files, "; ".join(plan.title for plan in plans[:3]))
    if "json" in reports:
        write_json(reports["json"], _document(plans, refused, written=options["write"]))
    elif not options["write"]:
        print_diff(files)
    did = "merged" if options["write"] else "would merge"
    did = did.replace("merge", "delete") if options["unused"] else did
    click.echo(f"{did} {counted(len(plans), 'step definition')} in {counted(len(files), 'file')}", err=True)
    for plan in plans:
        click.echo(f"  {plan.title}", err=True)
    if refused:
        click.echo(f"left alone: {counted(len(refused), 'step definition')}", err=True)
        for reason in refused:
            click.echo(f"  {reason}", err=True)
    return REFUSED if refused and not plans else 0


def _suites(
    work: "Work", repository: "Repository", options: dict[str, Any]
) -> "Iterator[tuple[Merger, list[Finding]]]":
    """Of each suite that was named what can be merged, and who plans it."""
    from cukereuse_engine.glue.workspace import Glue
    from cukereuse_engine.refactor.merging import Merger
    from cukereuse_engine.rules import Severity
    from cukereuse_engine.scanning.functions import code_findings, functions_cache, load_functions

    assert repository.workspace is not None
    for suite, workspace in repository.named:
        glue = workspace.glue
        if not isinstance(glue, Glue) or not glue.definitions:
            continue
        cache = None if options["no_cache"] else functions_cache()
        functions = load_functions(glue, jobs=work.settings.jobs or None, cache=cache)
        rule = "unused-definition" if options["unused"] else "same-code"
        found = code_findings(suite, glue, functions, {"unused-definition": Severity.HINT})
        least = Severity.HINT if options["hints"] or options["unused"] else Severity.INFORMATION
        findings = [one for one in found if one.rule == rule and one.severity.rank >= least.rank]
        yield Merger(repository.workspace, functions), [one for one in findings if _is_asked(one, options["at"])]


def _is_asked(finding: "Finding", place: str | None) -> bool:
    """Whether a finding is about the definition at FILE:LINE."""
    if place is None:
        return True
    path, _, line = place.rpartition(":")
    return any(one.path.endswith(path) and str(one.line) == line for one in finding.definitions)


def _plans(
    merger: "Merger", findings: "list[Finding]", refused: list[str], options: dict[str, Any]
) -> "Iterator[MergePlan]":
    from cukereuse_engine.refactor.declarations import UnmergeableError

    for finding in findings:
        for other in finding.others:
            try:
                if options["unused"]:
                    yield merger.delete(other.definitions[0])
                elif finding.preferred is not None:
                    yield merger.merge(finding.preferred.definitions[0], other.definitions[0])
            except UnmergeableError as error:
                refused.append(error.message)
            except OSError as error:
                refused.append(f"{other.definitions[0].path} can't be read: {error.strerror or error}")


def _document(plans: "list[MergePlan]", refused: list[str], *, written: bool) -> dict[str, Any]:
    return {
        "written": written,
        "left_alone": refused,
        "plans": [
            {
                "title": plan.title,
                "keep": None if plan.keep is None else {"path": plan.keep.path, "line": plan.keep.line},
                "others": [{"path": one.path, "line": one.line, "expression": one.expression} for one in plan.others],
                "files": [file_edits(file) for file in plan.files],
            }
            for plan in plans
        ],
    }
