"""A merge plan: edits of files, and what becomes of the definitions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.edits import sorted_edits
from cukereuse_engine.refactor.rename_plan import FileEdits, TextEdit


@dataclass(frozen=True, slots=True)
class ExpressionChange:
    """What becomes of a definition whose expression changes, and the additional argument of its function."""

    definition: StepDefinition
    """The definition before the merge."""
    expression: str
    """The expression that its steps have afterwards."""
    place: int = -1
    """Number of the argument that the expression captures in addition; -1: there is none."""
    value: str = ""
    """The value that its steps have there."""
    parameter: int = -1
    """Number of the function's parameter that takes it."""
    token: str = ""
    """The literal that the parameter replaces in the normal form of this definition's code."""


@dataclass(frozen=True, slots=True)
class MergePlan:
    title: str
    files: tuple[FileEdits, ...]
    keep: StepDefinition | None
    """The definition whose function remains; None if one is deleted."""
    others: tuple[StepDefinition, ...]
    """The definitions whose function is removed, or calls another function."""
    changes: tuple[ExpressionChange, ...] = ()
    moves: bool = False
    """True if steps get another wording, which another function serves: the check of renames must hold."""


def apart(plans: Sequence[MergePlan]) -> Iterator[MergePlan]:
    """The plans that touch other places than the plans before them. Deletions may be adjacent."""
    taken: dict[str, list[TextEdit]] = {}
    for plan in plans:
        edits = [(file.path, edit) for file in plan.files for edit in file.edits]
        if not any(_collide(edit, other) for path, edit in edits for other in taken.get(path, ())):
            for path, edit in edits:
                taken.setdefault(path, []).append(edit)
            yield plan


def _collide(edit: TextEdit, other: TextEdit) -> bool:
    touch = edit.start <= other.end and other.start <= edit.end
    side_by_side = edit.start == other.end or other.start == edit.end
    return touch and not (side_by_side and edit.start != other.start and not (edit.new or other.new))


def combined(plans: Sequence[MergePlan]) -> tuple[FileEdits, ...]:
    """The edits of plans that are `apart`, with one entry for each file."""
    files: dict[str, FileEdits] = {}
    for file in (file for plan in plans for file in plan.files):
        earlier = files.get(file.path)
        files[file.path] = file if earlier is None else replace(file, edits=sorted_edits((*earlier.edits, *file.edits)))
    return tuple(files[path] for path in sorted(files))
