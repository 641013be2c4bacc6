"""`cukereuse merge`: merges step definitions that run the same code, or nearly the same, and removes unused ones."""

from collections import Counter
from functools import partial
from pathlib import Path
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
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cukereuse_engine.cli.work import Work
    from cukereuse_engine.findings.finding import Finding
    from cukereuse_engine.functions.relations import Functions
    from cukereuse_engine.glue.definition import StepDefinition
    from cukereuse_engine.refactor.merging.merge_plan import MergePlan
    from cukereuse_engine.refactor.merging.merger import Merger
    from cukereuse_engine.refactor.rename_plan import FileEdits
    from cukereuse_engine.scanning.repository import Repository

REFUSED = 1
"""Exit code if nothing can be merged."""
_TITLES = 3
"""The number of plans that the title of a written change names."""


@click.command("merge")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--at", metavar="FILE:LINE", help="Merge only the step definition at this place.")
@click.option("--hints", is_flag=True, help="Also merge definitions whose wordings both seem intentional.")
@click.option(
    "--wording", "how", flag_value="wording", help="Keep one wording, and reword the steps of the other definitions."
)
@click.option(
    "--constants", "how", flag_value="constants", help="Turn a constant in which functions differ into a parameter."
)
@click.option(
    "--unused", "how", flag_value="unused", help="Delete definitions that no step uses and no code names or runs."
)
@write_option
@undo_option
@report_option("json", "The plans as JSON for programs.")
@setting_options("glue", "include", "exclude", "jobs")
@no_cache_option
@print_config_option
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """Merge step definitions that run the same code: put both expressions on one function.

    PATH is a folder or a feature file and selects the suites. The function that serves more steps is kept.

    --wording also keeps only one wording: it rewords the steps of the other definitions and removes those definitions.
    --constants merges definitions whose code and wordings differ only in a constant into one definition with a
    parameter; if the other words differ too, it makes one function with a parameter that all definitions call.

    Every plan is checked first: each step must bind to the same expression as before, with the same arguments, and each
    expression must run the same code as before; with --wording, the checks of `rename` apply. If a definition can't be
    merged, the reason is printed. Exit code 0: planned, or written with --write. 1: there is something to merge, but
    nothing can be. 2: could not run.
    """
    from cukereuse_engine.cli.changes import begin_change

    begun = begin_change(paths, options)
    if begun is None:
        return
    ctx.exit(_merge(begun.work, begun.reports, options))


def _merge(work: "Work", reports: "Mapping[str, str]", options: dict[str, Any]) -> int:
    from cukereuse_engine.cli.changes import print_diff, repository_of
    from cukereuse_engine.cli.work import no_features
    from cukereuse_engine.refactor.journal import Journal
    from cukereuse_engine.refactor.merging.merge_plan import combined

    repository = repository_of(work, use_cache=not options["no_cache"])
    if repository.suites is None or not repository.named:
        raise no_features(work)
    _check_place(repository, options["at"])
    plans, refused, left_out = _planned(work, repository, options)
    files = combined(plans)
    if files and options["how"] == "unused":
        _say_unread(repository)
    left_over = [*_left_over(files)]
    if files and options["write"]:
        Journal(repository.root).apply(files, _title(plans, options))
    if "json" in reports:
        write_json(reports["json"], _document(plans, refused, written=options["write"]))
    elif not options["write"]:
        print_diff(files)
    _summarise(plans, refused, len(files), options)
    if options["how"] in (None, "wording"):
        _say_left_out(left_out)
    for note in left_over:
        click.echo(f"note: {note}", err=True)
    return REFUSED if refused and not plans else 0


def _left_over(files: "Sequence[FileEdits]") -> "Iterator[str]":
    """Notes on what has no use once the edits of these sources are made."""
    from cukereuse_engine.refactor.idle_imports import idle_imports
    from cukereuse_engine.refactor.rename_plan import read_from_disk

    emptied = [file for file in files if _is_emptied(file)]
    yield from idle_imports((file for file in files if file not in emptied), read_from_disk)
    yield from (f"nothing is left in {file.path}; delete the file if nothing loads it" for file in emptied)


def _is_emptied(file: "FileEdits") -> bool:
    from cukereuse_engine.refactor.edits import edited_bytes
    from cukereuse_engine.refactor.rename_plan import read_from_disk

    return not edited_bytes(file, read_from_disk(file.path)).strip()


def _check_place(repository: "Repository", place: str | None) -> None:
    """Raises `CukereuseError` if no step definition begins at FILE:LINE."""
    glues = [suites.glue for _, suites in repository.named if suites.glue is not None]
    if place is not None and not any(_is_at(definition, place) for glue in glues for definition in glue.definitions):
        raise CukereuseError(f"no step definition begins at {place}", "`cukereuse steps` lists them with their places.")


def _say_unread(repository: "Repository") -> None:
    from cukereuse_engine.cli.unread import say_unread

    files = repository.suites.files.values() if repository.suites is not None else ()
    unread = (error for file in files for error in file.errors)
    say_unread(unread, "A step that cannot be read there may need what is deleted.")


def _planned(
    work: "Work", repository: "Repository", options: dict[str, Any]
) -> "tuple[list[MergePlan], list[str], Counter[str | None]]":
    """The plans that hold together; what can't be merged, with reasons; and how many findings need another option."""
    from cukereuse_engine.refactor.merging.merge_plan import apart

    plans: list[MergePlan] = []
    refused: list[str] = []
    left_out: Counter[str | None] = Counter()
    given = _given(options)
    for merger, asked in _suites(work, repository, options):
        left_out.update(option for option, _ in asked if option not in given)
        findings = [finding for option, finding in asked if option in given]
        candidates: list[MergePlan] = []
        for plan in _plans(merger, findings, refused, options["how"]):
            others = [*plans, *candidates]
            if any(plan.files == other.files for other in others):
                continue  # another expression on the same function
            if len(list(apart([*others, plan]))) == len(others):
                advice = "apply the changes above with --write, then run `cukereuse merge` again"
                refused.append(f"{plan.title}: it changes the same lines as one of them; {advice}")
            else:
                candidates.append(plan)
        plans = _holding(merger, plans, candidates, refused)
    return plans, refused, left_out


def _doing(options: "Mapping[str, Any]") -> str:
    return "deleted" if options["how"] == "unused" else "merged"


def _title(plans: "Sequence[MergePlan]", options: "Mapping[str, Any]") -> str:
    """The title of a written change, which `--undo` shows: how many definitions went, and some of the plans."""
    went = sum(len(plan.others) for plan in plans)
    more = [f"and {len(plans) - _TITLES:,} more"] if len(plans) > _TITLES else []
    titles = "; ".join([*(plan.title for plan in plans[:_TITLES]), *more])
    return titles if went == 1 else f"{_doing(options)} {counted(went, 'step definition')}: {titles}"


def _summarise(
    plans: "Sequence[MergePlan]", refused: "Sequence[str]", files: int, options: "Mapping[str, Any]"
) -> None:
    """Print on standard error what was done to so many files, or would be."""
    doing = _doing(options)
    did = doing if options["write"] else f"would {doing.removesuffix('d')}"
    went = sum(len(plan.others) for plan in plans)
    nothing = f"There is nothing to {doing.removesuffix('d')}."
    said = f"{did} {counted(went, 'step definition')} in {counted(files, 'file')}"
    click.echo(said if plans or refused else nothing, err=True)
    for plan in plans:
        click.echo(f"  {plan.title}", err=True)
    if refused:
        click.echo(f"not {doing}: {counted(len(refused), 'step definition')}", err=True)
        for reason in refused:
            click.echo(f"  {reason}", err=True)


def _say_left_out(left_out: "Counter[str | None]") -> None:
    """Print on standard error what another option would merge."""
    hints, constants = left_out["hints"], left_out["constants"]
    if hints:
        click.echo(f"left out: {counted(hints, 'hint')}; use --hints to merge these too", err=True)
    if constants:
        about = f"{counted(constants, 'finding')} about functions that differ in a constant"
        click.echo(f"left out: {about}; use --constants to make it a parameter", err=True)


def _holding(
    merger: "Merger", plans: "list[MergePlan]", candidates: "list[MergePlan]", refused: list[str]
) -> "list[MergePlan]":
    """The plans and the candidates that hold with them. Each holds alone, and nearly always all do."""
    from cukereuse_engine.refactor.unmergeable import UnmergeableError

    try:
        if len(candidates) > (0 if plans else 1):
            merger.check([*plans, *candidates])
    except UnmergeableError as error:
        if len(candidates) < 2:
            refused.append(error.message)
            return plans
        half = len(candidates) // 2
        plans = _holding(merger, plans, candidates[:half], refused)
        return _holding(merger, plans, candidates[half:], refused)
    return [*plans, *candidates]


def _suites(
    work: "Work", repository: "Repository", options: dict[str, Any]
) -> "Iterator[tuple[Merger, list[tuple[str | None, Finding]]]]":
    """For each named suite: its planner, and the findings with the option that each needs."""
    from cukereuse_engine.glue.glue import Glue
    from cukereuse_engine.refactor.merging.merger import Merger
    from cukereuse_engine.rules import Severity
    from cukereuse_engine.scanning.code_findings import code_findings
    from cukereuse_engine.scanning.functions import functions_cache, load_functions

    assert repository.suites is not None
    used = _used(repository) if options["how"] == "unused" else set()
    for suite, suites in repository.named:
        glue = suites.glue
        if not isinstance(glue, Glue) or not glue.definitions:
            continue
        cache = None if options["no_cache"] else functions_cache()
        functions = load_functions(glue, jobs=work.settings.jobs or None, cache=cache)
        findings = code_findings(suite, glue, functions, {"unused-definition": Severity.HINT})
        asked = [
            (_needed(finding, functions), finding)
            for finding in findings
            if _is_asked(finding, options["at"])
            and not all(definition.id in used for definition in finding.definitions)
        ]
        yield Merger(repository.suites, functions), asked


def _used(repository: "Repository") -> set[str]:
    """Ids of the definitions that some suite uses: several suites may share them."""
    from cukereuse_engine.glue.glue import Glue

    usages = (
        suites.glue.usage(step for file in suites.files.values() for step in file.steps)
        for _, suites in repository.named
        if isinstance(suites.glue, Glue)
    )
    return {name for usage in usages for name, count in usage.counts.items() if count}


def _needed(finding: "Finding", functions: "Functions") -> str | None:
    """The option without which a finding is left out; "": none; None: nothing merges it."""
    from cukereuse_engine.functions.relations import Relation
    from cukereuse_engine.rules import Severity

    if finding.rule == "unused-definition":
        return "unused"
    if finding.rule != "same-code" or len(finding.subjects) < 2:
        return None
    pair = [subject.definitions[0] for subject in finding.subjects[:2]]
    if functions.relation(*pair).relation is Relation.CONSTANT:
        return "constants"
    if finding.preferred is None:
        return None
    return "hints" if finding.severity.rank < Severity.INFORMATION.rank else ""


def _given(options: "Mapping[str, Any]") -> set[str | None]:
    """What `_needed` may return for a finding that the options ask to merge."""
    if options["how"] in ("constants", "unused"):
        return {options["how"]}
    return {"", "hints"} if options["hints"] else {""}


def _is_asked(finding: "Finding", place: str | None) -> bool:
    """True if a finding is about the definition at FILE:LINE."""
    if place is None:
        return True
    return any(_is_at(definition, place) for definition in finding.definitions)


def _is_at(definition: "StepDefinition", place: str) -> bool:
    """True if a definition begins at FILE:LINE. FILE may leave out the folders that its path begins with."""
    path, _, line = place.rpartition(":")
    parts = Path(path).parts
    return Path(definition.path).absolute().parts[-len(parts) :] == parts and str(definition.line) == line


def _plans(merger: "Merger", findings: "list[Finding]", refused: list[str], how: str | None) -> "Iterator[MergePlan]":
    from cukereuse_engine.refactor.unmergeable import UnmergeableError

    for finding in findings:
        for attempt in _attempts(merger, finding, how):
            try:
                yield attempt()
            except UnmergeableError as error:
                refused.append(error.message)
            except OSError as error:
                refused.append(f"{error.filename} can't be read: {error.strerror or error}")


def _attempts(merger: "Merger", finding: "Finding", how: str | None) -> "Iterator[Callable[[], MergePlan]]":
    """The possible plans for a finding."""
    keep, *others = (subject.definitions[0] for subject in finding.subjects)
    if how == "unused":
        yield from (partial(merger.delete, each) for each in (keep, *others))
        return
    if how == "constants":
        yield partial(merger.extract_constant, keep, *others)
        return
    if finding.preferred is None:
        return
    do = merger.keep_wording if how == "wording" else merger.merge
    yield from (partial(do, keep, other) for other in others)


def _document(plans: "list[MergePlan]", refused: list[str], *, written: bool) -> dict[str, Any]:
    return {
        "written": written,
        "left_alone": refused,
        "plans": [
            {
                "title": plan.title,
                "moves": plan.moves,
                "keep": None if plan.keep is None else _definition(plan.keep),
                "others": [_definition(definition) for definition in plan.others],
                "changes": [
                    {
                        **_definition(change.definition),
                        "new_expression": change.expression,
                        "new_argument": None if change.place < 0 else change.place,
                        "value": None if change.place < 0 else change.value,
                    }
                    for change in plan.changes
                ],
                "files": [file_edits(file) for file in plan.files],
            }
            for plan in plans
        ],
    }


def _definition(definition: "StepDefinition") -> dict[str, Any]:
    return {"path": definition.path, "line": definition.line, "expression": definition.expression}
