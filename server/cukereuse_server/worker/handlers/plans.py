"""Plans and edits as a client can apply them."""

from collections.abc import Sequence
from pathlib import Path

from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.prose import counted
from cukereuse_engine.refactor.edits import ChangedFileError
from cukereuse_engine.refactor.rename_plan import FileEdits, Move, RenamePlan
from cukereuse_engine.scanning.suspect_moves import suspect_moves
from cukereuse_server.protocol.plans import Edit, FileChange, LeftOutText, Plan
from cukereuse_server.worker.handlers.places import PlaceMaker
from cukereuse_server.workspace.view import View


def to_plan(workspace: View, renaming: RenamePlan) -> Plan:
    """A plan's edits as a client can apply them: files that are closed and not UTF-8 are left out, and that is said.
    Raises `ChangedFileError`."""
    places = PlaceMaker(workspace)
    warnings = list(renaming.warnings)
    changes = []
    for file in renaming.files:
        buffer = workspace.buffers.get(file.path)
        if buffer is None and not _is_utf8(file):
            warnings.append(
                f"{file.path} is left out: its encoding is {file.encoding}, and an editor would write UTF-8"
            )
            continue
        if buffer is None:
            check_on_disk(file.path, file.version)
        changes.append(change_of(file, buffer.version if buffer is not None else None, places))
    moves = [*map(_moved, renaming.moves), *_suspect(workspace, renaming.moves)]
    warnings += moves
    notes = [f"“{member.text}” keeps its wording: {member.reason}" for member in renaming.left_out]
    return Plan(
        changes=changes,
        notes=notes + warnings,
        target=renaming.target,
        steps=renaming.occurrences,
        left_out=[LeftOutText(member.text, len(member.steps), member.reason) for member in renaming.left_out],
        warnings=warnings,
        unsure=renaming.confirmation_needed,
        moves=moves,
    )


def _suspect(workspace: View, moves: Sequence[Move]) -> list[str]:
    """Cautions about moves between functions that a finding calls suspect."""
    suites = {id(suite): suite for move in moves if (suite := workspace.suite_of(move.steps[0].path)) is not None}
    return [caution for suite in suites.values() for caution in suspect_moves(moves, suite.findings.of_code())]


def check_on_disk(path: str, version: str) -> None:
    """Raises `ChangedFileError` if a file has another content than the one with this hash: the client's news of that
    may come later than a question."""
    try:
        is_same = content_hash(Path(path).read_bytes()) == version
    except OSError:
        is_same = False
    if not is_same:
        raise ChangedFileError(f"{path} has changed on disk; try again in a moment")


def _moved(move: Move) -> str:
    names = [
        f"{definition.function_name or 'the function'} ({definition.place})" for definition in (move.before, move.after)
    ]
    steps = counted(len(move.steps), "step")
    return f"{names[1]} would serve {steps} instead of {names[0]}"


def change_of(file: FileEdits, version: int | None, places: PlaceMaker) -> FileChange:
    """The edits of one file in a form that a client applies."""
    edits = []
    for edit in file.edits:
        if edit.line == edit.end_line:
            edits.append(Edit(places.at(file.path, edit.line, edit.column, edit.end_column), edit.new))
        else:
            start = places.at(file.path, edit.line, edit.column, edit.column)
            end = places.at(file.path, edit.end_line, edit.end_column, edit.end_column)
            edits.append(Edit(start, edit.new, end))
    return FileChange(path=file.path, version=version, edits=edits, is_new=file.is_new)


def _is_utf8(file: FileEdits) -> bool:
    return file.encoding.lower().replace("_", "-").startswith("utf-8")
