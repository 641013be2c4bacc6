"""Writes reports to files and to standard output.

A file is written completely or not at all, and at most one report goes to standard output.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.report.formats import FORMATS
from cukereuse_engine.storage import write_atomically

if TYPE_CHECKING:
    from cukereuse_engine.refactor.rename_plan import FileEdits

STANDARD_OUTPUT = "-"
Command = TypeVar("Command", bound=Callable[..., Any])


def report_option(name: str, help_: str) -> Callable[[Command], Command]:
    """The option `--NAME [FILE]`: the file, or `-` for standard output; None if the option is not given."""
    return click.option(
        f"--{name}",
        f"{name}_file",
        is_flag=False,
        flag_value=STANDARD_OUTPUT,
        default=None,
        metavar="[FILE]",
        help=f"{help_} Without FILE or with -: standard output.",
    )


def format_options(command: Command) -> Command:
    """An option for each format of a scan's report, in the order of the table."""
    for row in reversed(FORMATS.values()):
        command = report_option(row.name, row.help)(command)
    return command


def give_back_paths(files: Mapping[str, str | None], paths: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """Report files by name, and the paths to scan.

    In `scan --json features/`, the folder is to be scanned, although it is in the place of a file name. In `scan
    features --html out/`, it is not: the path to scan is given, and a folder can't be a report.
    """
    reports, given = {}, list(paths)
    is_named = bool(given)
    for name, file in files.items():
        if file is None:
            continue
        if file != STANDARD_OUTPUT and (file.lower().endswith((".feature", ".feature.md")) or Path(file).is_dir()):
            if is_named:
                kind = "a folder" if Path(file).is_dir() else "a feature file"
                raise click.UsageError(
                    f"--{name} {file}: {kind}, so no report can be written there; name another file, or put {file} "
                    f"before --{name} if it should be read too"
                )
            given.append(file)
            file = STANDARD_OUTPUT
        reports[name] = file
    if sum(file == STANDARD_OUTPUT for file in reports.values()) > 1:
        names = " and ".join(f"--{name}" for name, file in reports.items() if file == STANDARD_OUTPUT)
        raise click.UsageError(f"{names} can't both write to standard output; give one of them a file")
    return reports, given


def write_report(destination: str, content: bytes | Iterable[bytes]) -> None:
    """Write a report, given whole or in pieces. Raises `CukereuseError` if the file can't be written."""
    pieces = (content,) if isinstance(content, bytes) else content
    if destination == STANDARD_OUTPUT:
        sys.stdout.flush()
        sys.stdout.buffer.writelines(pieces)
        sys.stdout.buffer.flush()
        return
    check_writable(destination)
    path = Path(destination).resolve()  # keeps a symbolic link
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:  # a pipe or a device: replacing it would remove it
                file.writelines(pieces)
        else:
            write_atomically(path, pieces)
    except OSError as error:
        raise CukereuseError(f"{destination} can't be written: {error.strerror or error}") from None


def check_writable(destination: str) -> None:
    """Check before the work that the file can be written. Raises `CukereuseError`."""
    path = Path(destination)
    if destination == STANDARD_OUTPUT:
        return
    if path.is_dir():
        raise CukereuseError(f"{destination} can't be written: it is a folder", "Give the name of a file in it.")
    if not path.parent.is_dir():
        raise CukereuseError(f"{destination} can't be written: there is no folder {path.parent}")


def check_reports(reports: Mapping[str, str]) -> None:
    """Check before the work that each report, by its format, can be made and written. Raises `CukereuseError`."""
    for name, destination in reports.items():
        FORMATS[name].check()
        check_writable(destination)


def note_incomplete(folders: Iterable[str]) -> None:
    """Notes on standard error each folder whose repository lacks a part of its history, as clones in CI do."""
    from cukereuse_engine.git import GitRepository

    for folder in folders:
        repository = GitRepository(folder)
        if repository.is_shallow:
            hint = "`git fetch --unshallow` gets the rest"
            click.echo(f"note: {folder} is a shallow clone, whose history is not complete; {hint}", err=True)
        if repository.is_partial:
            hint = "what it did not fetch is left out; make a full clone to have everything"
            click.echo(f"note: {folder} is a partial clone; {hint}", err=True)


def write_json(destination: str, document: Any) -> None:
    """A small report as indented JSON. Raises `CukereuseError` when the file can't be written."""
    import json

    # Lone surrogates, which a file name may contain, have no UTF-8.
    text = json.dumps(document, ensure_ascii=False, indent=2)
    write_report(destination, text.encode("utf-8", "backslashreplace") + b"\n")


def file_edits(file: "FileEdits") -> dict[str, Any]:
    """One file's edits, as all JSON reports of plans have them: 1-based lines and columns, columns in code points."""
    return {
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
        **({"is_new": True} if file.is_new else {}),
    }
