"""`cukereuse steps`: step definitions with their uses; unused, ambiguous and undefined ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.options import no_cache_option, print_config_option, setting_options
from cukereuse_engine.cli.outputs import check_writable, give_back_paths, report_option, write_json
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.glue.definition import GlueError, StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.step_binding import DefinitionUsage, StepBinding
from cukereuse_engine.glue.text_binding import Status
from cukereuse_engine.prose import counted, first_of
from cukereuse_engine.rules import Severity
from cukereuse_engine.suppression.limit import ReportedFiles
from cukereuse_engine.text.identity import is_other_form

if TYPE_CHECKING:
    from rich.console import Console

    from cukereuse_engine.cli.work import Work
    from cukereuse_engine.gherkin.feature import ReadError
    from cukereuse_engine.scanning.suite import Suite
    from cukereuse_engine.scanning.undefined_cache import Likeliest

FINDINGS = 1
"""Exit code if anything is at or above `--fail-on`."""
UNUSED_SEVERITY = Severity.INFORMATION
"""Severity of an unused definition, for which there is no rule: other suites or a branch may use it."""
PLACES_SHOWN = 3
ERRORS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class SuiteSteps:
    """The definitions of one suite and what its steps bind to."""

    root: str
    definitions: tuple[StepDefinition, ...]
    """The definitions of the suite, and others that it uses."""
    usage: DefinitionUsage
    errors: tuple[GlueError, ...]
    steps: int
    """Steps with a text."""
    unread: "tuple[ReadError, ...]"
    """Places in feature files that could not be read: a definition may be used there."""
    meant: Mapping[str, "Likeliest"]
    """Maps the text of a step without a definition to the definition that it most likely meant, if any is near."""

    @property
    def undefined(self) -> tuple[StepBinding, ...]:
        """Steps without a definition, except those that a library may define."""
        return tuple(binding for binding in self.usage.undefined if not binding.libraries)

    @property
    def elsewhere(self) -> tuple[StepBinding, ...]:
        """Steps that have no definition here, but that a library from outside may define."""
        return tuple(binding for binding in self.usage.undefined if binding.libraries)


@click.command("steps")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@report_option("json", "JSON for programs.")
@click.option("--unused", "only", flag_value="unused", help="List unused definitions only.")
@click.option("--undefined", "only", flag_value="undefined", help="List steps without a definition only.")
@click.option("--ambiguous", "only", flag_value="ambiguous", help="List steps with several definitions only.")
@setting_options("glue", "severity", "fail_on", "include", "exclude", "jobs")
@no_cache_option
@print_config_option
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """List step definitions with their uses, and unused, ambiguous and undefined ones.

    PATH is a folder or a feature file; the default is the current folder. Nothing is executed: step definitions are
    read from the source, below --glue or in the repository that contains the suite.

    Here, undefined and ambiguous steps count as warnings unless the settings give the rules undefined-step and
    ambiguous-step another severity; unused definitions count as information. Exit code 0: none of those listed is at or
    above --fail-on. 1: some. 2: could not run, or no step definition was found.
    """
    from cukereuse_engine.cli.work import prepare, print_config

    reports, given = give_back_paths({"json": options["json_file"]}, paths)
    work = prepare(given or ["."], options)
    if options["print_config"]:
        print_config(work)
        return
    for destination in reports.values():
        check_writable(destination)
    only = options["only"]
    shows_undefined = "json" in reports or only in (None, "undefined")
    suites = _collect(work, use_cache=not options["no_cache"], shows_undefined=shows_undefined)
    if not any(suite.definitions for suite in suites):
        raise _nothing(suites)
    severities = _severities(work.settings.severity)
    if "json" in reports:
        write_json(reports["json"], document(suites))
    if "-" not in reports.values():
        _print(suites, severities, only)
    _say_what_lacks(suites, only)
    listed = [severities[kind] for kind, count in _counts(suites).items() if count and only in (None, kind)]
    ctx.exit(FINDINGS if _reaches(listed, Severity(work.settings.fail_on)) else 0)


def _say_what_lacks(suites: Sequence[SuiteSteps], only: str | None) -> None:
    from cukereuse_engine.cli.unread import say_unread

    if only in (None, "undefined"):
        _say_libraries(suites)
    if only in (None, "unused"):
        unread = (error for suite in suites for error in suite.unread)
        say_unread(unread, "Definitions that are used only there are shown as unused.")


def _reaches(listed: Iterable[Severity], fail_on: Severity) -> bool:
    return fail_on is not Severity.OFF and any(severity.rank >= fail_on.rank for severity in listed)


def _say_libraries(suites: Sequence[SuiteSteps]) -> None:
    """Print the libraries on standard error, because the counts may be wrong for this reason."""
    elsewhere = [binding for suite in suites for binding in suite.elsewhere]
    if elsewhere:
        names = sorted({name for binding in elsewhere for name in binding.libraries})
        steps = "1 step that matches" if len(elsewhere) == 1 else f"{len(elsewhere):,} steps that match"
        may = f"{steps} no definition here may be defined there"
        click.echo(f"note: step definitions of {first_of(names)} are outside of this repository: {may}.", err=True)


def _nothing(suites: Sequence[SuiteSteps]) -> CukereuseError:
    errors = [error for suite in suites for error in suite.errors]
    if not errors:
        return CukereuseError("no step definitions were found", "Name the folder with the glue code: --glue FOLDER")
    shown = [f"{error.path}:{error.line}: {error.message}" for error in errors[:ERRORS_SHOWN]]
    more = [f"and {len(errors) - ERRORS_SHOWN:,} more"] if len(errors) > ERRORS_SHOWN else []
    return CukereuseError("step definitions were found, but none of them can be read", "\n".join([*shown, *more]))


def _collect(work: "Work", *, use_cache: bool, shows_undefined: bool) -> list[SuiteSteps]:
    from cukereuse_engine.cli.progress import progress_for_terminal
    from cukereuse_engine.cli.unread import unread_of
    from cukereuse_engine.cli.work import read
    from cukereuse_engine.glue.sources import ReadSources
    from cukereuse_engine.scanning.loading import listings, load_glue

    suites = []
    saved = listings(use_cache=use_cache)
    sources = ReadSources(saved)
    for suite in read(work, use_cache=use_cache, listings=saved):
        settings = work.settings_of(suite.root)
        glue = load_glue(suite, settings, use_cache=use_cache, read=sources, progress=progress_for_terminal())
        steps = [step for file in suite.files for step in file.steps if step.text]
        usage = _only_reported(glue.usage(steps), work.targets.reported)
        usage = replace(usage, unused=_unused(glue, usage, settings.jobs or None, use_cache=use_cache))
        own = {definition.id for definition in glue.own_definitions}
        listed = tuple(
            definition for definition in glue.definitions if definition.id in own or usage.counts[definition.id]
        )
        undefined_texts = [binding.step.text for binding in usage.undefined] if shows_undefined else []
        likeliest = _likeliest(suite, glue, undefined_texts, listed, use_cache=use_cache)
        errors = tuple(glue.own_errors)
        suites.append(SuiteSteps(suite.root, listed, usage, errors, len(steps), unread_of([suite]), likeliest))
    return suites


def _only_reported(usage: DefinitionUsage, reported: ReportedFiles | None) -> DefinitionUsage:
    """The usage by steps of these files; a definition's uses are still counted in the whole suite."""
    if reported is None:
        return usage
    undefined, ambiguous = (
        tuple(binding for binding in bindings if binding.step.path in reported)
        for bindings in (usage.undefined, usage.ambiguous)
    )
    return replace(usage, undefined=undefined, ambiguous=ambiguous)


def _unused(glue: Glue, usage: DefinitionUsage, jobs: int | None, *, use_cache: bool) -> "tuple[StepDefinition, ...]":
    """Definitions without steps, under any of their keywords, that no code uses either."""
    from cukereuse_engine.refactor.mentions import MayBeUsed
    from cukereuse_engine.scanning.functions import functions_cache, load_functions

    used = {(other.function_id, other.expression) for other in glue.definitions if usage.counts[other.id]}
    unbound = (other for other in usage.unused if (other.function_id, other.expression) not in used)
    may_be_used = MayBeUsed(glue)
    unused = tuple(definition for definition in unbound if not may_be_used(definition))
    if not unused:
        return ()
    called = load_functions(glue, jobs=jobs, cache=functions_cache() if use_cache else None).called
    return tuple(definition for definition in unused if definition.function_id not in called)


def _likeliest(
    suite: "Suite", glue: Glue, undefined: Sequence[str], definitions: Sequence[StepDefinition], *, use_cache: bool
) -> "dict[str, Likeliest]":
    if not undefined:
        return {}
    from cukereuse_engine.scanning.bound import bound_functions
    from cukereuse_engine.scanning.undefined_cache import remembered
    from cukereuse_engine.storage.kept import kept_store

    functions = bound_functions(suite.steps, glue)

    def guess() -> "dict[str, Likeliest]":
        from cukereuse_engine.judging.adapted_judge import AdaptedJudge
        from cukereuse_engine.scanning.undefined import likeliest

        judge = AdaptedJudge.for_bound_suite(suite.texts, functions)
        return likeliest(undefined, suite.texts, functions, definitions, judge)

    return remembered(undefined, suite.texts, functions, definitions, guess, kept_store()) if use_cache else guess()


def _severities(levels: Mapping[str, str]) -> dict[str, Severity]:
    return {
        "undefined": Severity(levels.get("undefined-step", Severity.WARNING)),
        "ambiguous": Severity(levels.get("ambiguous-step", Severity.WARNING)),
        "unused": UNUSED_SEVERITY,
    }


def _counts(suites: Sequence[SuiteSteps]) -> dict[str, int]:
    return {
        "undefined": sum(len(suite.undefined) for suite in suites),
        "ambiguous": sum(len(suite.usage.ambiguous) for suite in suites),
        "unused": sum(len(suite.usage.unused) for suite in suites),
    }


def document(suites: Sequence[SuiteSteps]) -> dict[str, Any]:
    """The JSON report."""
    counts = _counts(suites)
    return {
        "summary": {
            "definitions": sum(len(suite.definitions) for suite in suites),
            "unused_definitions": counts["unused"],
            "steps": sum(suite.steps for suite in suites),
            "undefined_steps": counts["undefined"],
            "library_steps": sum(len(suite.elsewhere) for suite in suites),
            "ambiguous_steps": counts["ambiguous"],
            "unread": sum(len(suite.unread) for suite in suites),
        },
        "suites": [
            {
                "root": suite.root,
                "definitions": [
                    {**_definition(definition), "uses": suite.usage.counts[definition.id]}
                    for definition in suite.definitions
                ],
                "unused": [_definition(definition) for definition in suite.usage.unused],
                "undefined": [
                    {
                        **_binding(binding),
                        "libraries": list(binding.libraries),
                        "nearest": _definition(near.definition)
                        if (near := suite.meant.get(binding.step.text))
                        else None,
                        "nearest_step": near.step if near else None,
                    }
                    for binding in suite.usage.undefined
                ],
                "ambiguous": [
                    {**_binding(binding), "definitions": [_definition(each) for each in binding.definitions]}
                    for binding in suite.usage.ambiguous
                ],
                "errors": [_error(error) for error in suite.errors],
                "unread": [_error(error) for error in suite.unread],
            }
            for suite in suites
        ],
    }


def _error(error: "GlueError | ReadError") -> dict[str, Any]:
    return {"path": error.path, "line": error.line, "column": error.column, "message": error.message}


def _definition(definition: StepDefinition) -> dict[str, Any]:
    return {
        "path": definition.path,
        "line": definition.line,
        "column": definition.literal.column,
        "keyword": definition.keyword,
        "expression": definition.expression,
        "kind": definition.kind.value,
        "function": definition.function_name,
        "framework": definition.framework,
    }


def _binding(binding: StepBinding) -> dict[str, Any]:
    """A step, and the texts that it takes from Examples."""
    step = binding.step
    place = {"path": step.path, "line": step.line, "column": step.column, "keyword": step.keyword.strip()}
    texts = [text.text for text in binding.texts if text.status is binding.status]
    return {**place, "text": step.text, **({"expanded": texts} if texts != [step.text] else {})}


def _print(suites: Sequence[SuiteSteps], severities: Mapping[str, Severity], only: str | None) -> None:
    from cukereuse_engine.report.tables import Column, console_for, print_table

    console = console_for()
    for suite in suites:
        if len(suites) > 1:
            console.print(suite.root, style="bold", soft_wrap=True)
        alike: dict[str, list[StepDefinition]] = {}
        for definition in suite.definitions:
            alike.setdefault(definition.shown, []).append(definition)
        if only is None:
            columns = [Column("uses", right=True), Column("definition", flexible=True), Column("place")]
            rows = [
                (suite.usage.counts[each.id], each.told_apart(each.shown, alike[each.shown]), each.place)
                for each in suite.definitions
            ]
            print_table(console, columns, rows)
        if only in (None, "unused"):
            rows_unused = [
                (each.told_apart(each.shown, alike.get(each.shown, ())), each.place) for each in suite.usage.unused
            ]
            _section(console, "Unused definitions", ("definition", "place"), rows_unused)
        for kind, bindings, title in (
            ("undefined", suite.undefined, "Steps without a definition"),
            ("undefined", suite.elsewhere, "Steps that a library may define"),
            ("ambiguous", suite.usage.ambiguous, "Steps with several definitions"),
        ):
            if only in (None, kind) and severities[kind] is not Severity.OFF:
                _section(console, title, ("step", "places"), _by_text(bindings, suite.meant))
        if only is None:
            errors = [(error.message, f"{error.path}:{error.line}") for error in suite.errors]
            _section(console, "Definitions that can't be read", ("problem", "place"), errors)
    counts = _counts(suites)
    total = sum(len(suite.definitions) for suite in suites)
    steps = sum(suite.steps for suite in suites)
    console.print()
    console.print(
        f"{counted(total, 'definition')}, {counts['unused']:,} unused; {counted(steps, 'step')}, "
        f"{counts['undefined']:,} undefined, {counts['ambiguous']:,} ambiguous",
        soft_wrap=True,
    )


def _section(console: "Console", title: str, headings: tuple[str, str], rows: Sequence[tuple[str, str]]) -> None:
    from cukereuse_engine.report.tables import Column, print_table

    if rows:
        console.print()
        columns = [Column(headings[0], flexible=True), Column(headings[1], flexible=True)]
        print_table(console, columns, rows, title=f"{title} ({len(rows):,})")


def _by_text(bindings: Iterable[StepBinding], likeliest: "Mapping[str, Likeliest]") -> list[tuple[str, str]]:
    """Each text once, with its places; with its definitions if there are several, or the definition that it might have
    meant."""
    places: dict[str, list[StepBinding]] = {}
    for binding in bindings:
        places.setdefault(binding.step.text, []).append(binding)
    rows = []
    for text, bound in places.items():
        shown = [f"{binding.step.path}:{binding.step.line}" for binding in bound[:PLACES_SHOWN]]
        more = f" and {len(bound) - PLACES_SHOWN:,} more" if len(bound) > PLACES_SHOWN else ""
        several = bound[0].definitions if bound[0].status is Status.AMBIGUOUS else ()
        matches = f" → {', '.join(f'{each.path}:{each.line}' for each in several)}" if several else ""
        near = likeliest.get(text) if bound[0].status is Status.UNDEFINED else None
        hint = f" · nearest: {_suggestion(near, text)}" if near is not None else ""
        rows.append((text, ", ".join(shown) + more + matches + hint))
    return rows


def _suggestion(near: "Likeliest", text: str) -> str:
    definition = near.definition
    step = f", as in “{near.step}”" if near.step not in (None, definition.shown) else ""
    form = "; only the Unicode normal form differs" if is_other_form(text, near.step or definition.shown) else ""
    return f"{definition.shown} ({definition.place}){step}{form}"
