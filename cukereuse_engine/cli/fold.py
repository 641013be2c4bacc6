"""`cukereuse fold`: scenarios that could be one Scenario Outline, steps that could be a Background."""

import os
from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.options import print_config_option, setting_options, undo_option, write_option
from cukereuse_engine.cli.outputs import file_edits, report_option, write_json
from cukereuse_engine.prose import counted

if TYPE_CHECKING:
    from cukereuse_engine.cli.work import Work
    from cukereuse_engine.refactor.feature_scenarios import FoldSuggestion
    from cukereuse_engine.refactor.lookups import Lookup


@click.command("fold")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--outline", "kinds", flag_value="outline", help="Only Scenario Outlines.")
@click.option("--background", "kinds", flag_value="background", help="Only Backgrounds.")
@click.option("--all", "small", is_flag=True, help="Also what a scan does not report: of two scenarios, or few lines.")
@write_option
@undo_option
@report_option("json", "The suggestions as JSON for programs.")
@setting_options("include", "exclude", "jobs")
@print_config_option
def command(paths: tuple[str, ...], **options: Any) -> None:
    """Turn scenarios that differ only in their arguments into a Scenario Outline, and common first steps into a
    Background.

    PATH is a folder or a feature file. Prints a diff for each suggestion. The names, tags and expanded steps of all
    scenarios stay the same. What a scan does not report, because it saves little, is left out without --all. --write
    applies one kind of suggestion to each file at a time, outlines first; run it again for the rest. If a test, a
    script or a CI configuration refers to a name or line that would disappear, the suggestion is refused and the place
    is shown.
    """
    from cukereuse_engine.cli.changes import begin_change

    begun = begin_change(paths, options)
    if begun is None:
        return
    work, reports = begun.work, begun.reports
    suggestions, small = _collect(work, options["kinds"]), 0
    if not options["small"]:
        worthwhile = [each for each in suggestions if _is_reported(each)]
        suggestions, small = worthwhile, len(suggestions) - len(worthwhile)
    suggestions, refused = _split_by_lookup(work, suggestions)
    nothing = "There is nothing to fold that a scan reports." if small else "There is nothing to fold."
    said = counted(len(suggestions), "suggestion") if suggestions else nothing
    if options["write"] and suggestions:
        said = _write(work, suggestions)
    if "json" in reports:
        entries = [*((suggestion, None) for suggestion in suggestions), *refused]
        write_json(reports["json"], [_entry(suggestion, lookup) for suggestion, lookup in entries])
    elif not options["write"]:
        _print(suggestions)
    for suggestion, lookup in refused:
        click.echo(f"refused: {suggestion.path}:{suggestion.line}: {suggestion.message}: {lookup.refusal}", err=True)
    click.echo(said, err=True)
    if small:
        click.echo(f"left out: {counted(small, 'smaller suggestion')}; use --all to fold these too", err=True)


def _collect(work: "Work", kinds: str | None) -> "list[FoldSuggestion]":
    """The suggestions, by suite and file."""
    from cukereuse_engine.cli.changes import recover
    from cukereuse_engine.cli.unread import say_unread
    from cukereuse_engine.cli.work import read_features
    from cukereuse_engine.refactor.background import backgrounds
    from cukereuse_engine.refactor.outline import outlines
    from cukereuse_engine.refactor.rename_plan import read_from_disk
    from cukereuse_engine.scanning.repository import repository_root

    recover(repository_root(work.targets.compared))
    suggestions: list[FoldSuggestion] = []
    files = [file for suite in read_features(work, use_cache=True) for file in suite.files]
    if work.targets.reported is not None:
        files = [file for file in files if file.path in work.targets.reported]
    say_unread((error for file in files for error in file.errors), "What cannot be read there is not folded.")
    for file in files:
        try:
            data = read_from_disk(file.path)
        except OSError as error:
            click.echo(f"note: {file.path} can't be read: {error.strerror or error}", err=True)
            continue
        suggestions += outlines(file.path, data) if kinds != "background" else []
        suggestions += backgrounds(file.path, data) if kinds != "outline" else []
    return suggestions


def _split_by_lookup(
    work: "Work", suggestions: "list[FoldSuggestion]"
) -> "tuple[list[FoldSuggestion], list[tuple[FoldSuggestion, Lookup]]]":
    """The suggestions that can be folded, and those that would break a lookup, each with that lookup."""
    from cukereuse_engine.refactor.lookups import Lookups
    from cukereuse_engine.refactor.rename_plan import read_from_disk
    from cukereuse_engine.scanning.repository import repository_root

    if not suggestions:
        return [], []
    lookups = Lookups.below(os.path.relpath(repository_root(work.targets.compared)), read_from_disk)
    pairs = [(suggestion, lookups.of(suggestion)) for suggestion in suggestions]
    return [suggestion for suggestion, lookup in pairs if lookup is None], [
        (suggestion, lookup) for suggestion, lookup in pairs if lookup
    ]


def _is_reported(suggestion: "FoldSuggestion") -> bool:
    from cukereuse_engine.blocks.findings import LEAST

    return LEAST[suggestion.kind].allows(suggestion.scenarios, suggestion.lines_saved)


def _print(suggestions: "list[FoldSuggestion]") -> None:
    from cukereuse_engine.cli.changes import print_diff, told_root

    root = told_root([suggestion.file for suggestion in suggestions])
    for suggestion in suggestions:
        click.echo(f"{suggestion.path}:{suggestion.line}: {suggestion.message}")
        print_diff([suggestion.file], root)


def _write(work: "Work", suggestions: "list[FoldSuggestion]") -> str:
    """Apply all suggestions of one kind for each file; if both kinds apply to a file, those of the first kind. Writes
    all files or none. Returns what was done."""
    from dataclasses import replace

    from cukereuse_engine.refactor.edits import sorted_edits
    from cukereuse_engine.refactor.journal import Journal
    from cukereuse_engine.refactor.rename_plan import FileEdits
    from cukereuse_engine.scanning.repository import repository_root

    files: dict[str, FileEdits] = {}
    kinds = {suggestion.path: suggestion.kind for suggestion in reversed(suggestions)}
    applied = [suggestion for suggestion in suggestions if suggestion.kind is kinds[suggestion.path]]
    for suggestion in applied:
        earlier = files.get(suggestion.path)
        edits = (*earlier.edits, *suggestion.file.edits) if earlier is not None else suggestion.file.edits
        files[suggestion.path] = replace(suggestion.file, edits=sorted_edits(edits))
    Journal(repository_root(work.targets.compared)).apply(list(files.values()), "fold")
    left = len(suggestions) - len(applied)
    again = f"; run it again for {counted(left, 'more suggestion')}" if left else ""
    return f"applied {counted(len(applied), 'suggestion')} in {counted(len(files), 'file')}{again}"


def _entry(suggestion: "FoldSuggestion", lookup: "Lookup | None") -> dict[str, Any]:
    return {
        "refused_for": {"path": lookup.path, "line": lookup.line} if lookup is not None else None,
        "kind": suggestion.kind.value,
        "line": suggestion.line,
        "message": suggestion.message,
        **file_edits(suggestion.file),
    }
