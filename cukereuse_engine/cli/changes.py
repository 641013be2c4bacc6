"""What the commands that change files share: how they begin, what they print, and how a change is undone."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cukereuse_engine.cli.progress import progress_for_terminal
from cukereuse_engine.cli.targets import MissingPathError
from cukereuse_engine.cli.work import PreparedWork, Work, begin
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.prose import counted

if TYPE_CHECKING:
    from cukereuse_engine.refactor.journal import Recovered
    from cukereuse_engine.refactor.rename_plan import FileEdits
    from cukereuse_engine.scanning.repository import Repository


def begin_change(paths: Sequence[str], options: Mapping[str, Any], instead: str = "") -> PreparedWork | None:
    """As `begin`; if the latest change is to be undone, undoes it and returns None. `instead`: more advice if a path
    does not exist, since it may be meant as the value of an option."""
    try:
        begun = begin(paths, options)
    except MissingPathError as error:
        raise MissingPathError(error.message, f"{error.hint} {instead}".strip()) from None
    if begun is not None and options["undo"]:
        _undo(begun.paths)
        return None
    return begun


def repository_of(work: Work, *, use_cache: bool) -> "Repository":
    """Read everything that shares step definitions with the given paths. Changes that an interrupted process left
    behind are undone first."""
    from cukereuse_engine.scanning.repository import read_repository, repository_root

    recover(repository_root(work.targets.compared))
    return read_repository(
        work.targets.compared,
        work.settings,
        work.settings_of,
        use_cache=use_cache,
        progress=progress_for_terminal(),
    )


def recover(place: str) -> "Recovered":
    """Undo an interrupted change around a folder, and report it."""
    from cukereuse_engine.refactor.journal import Journal, Recovered

    recovered = sum((journal.recover() for journal in Journal.around(place)), Recovered())
    if recovered.files:
        note = f"note: an interrupted change has been undone in {counted(len(recovered.files), 'file')}"
        click.echo(note, err=True)
    for path, old in recovered.stuck:
        note = f"warning: {path} has changed since an interrupted change; its previous contents are in {old}"
        click.echo(note, err=True)
    return recovered


def print_diff(files: "Sequence[FileEdits]", root: str | None = None) -> None:
    """Print the diff of a plan's files, in colours on a terminal. `root`: that of a larger diff with these files."""
    from cukereuse_engine.refactor.diff import unified_diff
    from cukereuse_engine.refactor.rename_plan import read_from_disk

    root = told_root(files) if root is None else root
    colours = {"+": "green", "-": "red", "@": "cyan"}
    is_terminal = sys.stdout.isatty()
    for file in files:
        lines = list(unified_diff([file], read_from_disk, root))
        for number, line in enumerate(lines if is_terminal else ()):
            heading = line.startswith(("+++", "---"))
            lines[number] = click.style(line, fg=None if heading else colours.get(line[0]), bold=heading)
        click.echo("".join(lines), nl=False)


def told_root(files: "Sequence[FileEdits]") -> str:
    """`diff_root` of a plan's files; tells the user if a diff does not apply in the working folder."""
    from cukereuse_engine.source_root import diff_root

    root = diff_root(file.path for file in files)
    if root != str(Path.cwd()):
        click.echo(f"note: the diff changes files outside this folder; apply it in {root}", err=True)
    return root


def _undo(paths: Sequence[str]) -> None:
    """Undo the latest change around the paths: an interrupted one, or else the last one that was written."""
    from cukereuse_engine.refactor.journal import Journal

    places = [path if Path(path).is_dir() else str(Path(path).parent) for path in paths]
    recovered = [recover(place) for place in places]
    if any(recovered):
        return
    for journals in (Journal.around, Journal.below):
        used = [journal for place in places for journal in journals(place) if journal.latest]
        latest = max(used, key=lambda journal: journal.latest, default=None)
        if latest is not None:
            break
    if latest is None:
        raise CukereuseError("there is no change to undo here")
    title, files = latest.undo()
    click.echo(f"undone in {counted(len(files), 'file')}: {title}", err=True)
