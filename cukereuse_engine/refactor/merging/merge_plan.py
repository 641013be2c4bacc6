"""A merge plan: edits of files, and what becomes of the definitions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.edits import sorted_edits
from cukereuse_engine.refactor.rename_plan import FileEdits


@dataclass(frozen=True, slots=True)
class ExpressionChange:
    """What becomes of a definition whose expression changes, and what its function is handed in addition."""

    definition: StepDefinition
    """The definition before the merge."""
    expression: str
    """The expression that its steps have afterwards."""
    place: int = -1
    """Number of the argument that the expression captures in addition; -1: it captures what it did."""
    value: str = ""
    """The value that its steps have there."""
    parameter: int = -1
    """Number of the function's parameter that takes it."""
    token: str = ""
    """The literal that the parameter stands for in this definition's code, as its normal form has it."""


@dataclass(frozen=True, slots=True)
class MergePlan:
    title: str
    files: tuple[FileEdits, ...]
    keep: StepDefinition | None
    """The definition whose function remains; None where one is deleted."""
    others: tuple[StepDefinition, ...]
    """Those whose function goes, or hands its work over."""
    changes: tuple[ExpressionChange, ...] = ()
    moves: bool = False
    """Steps say another wording afterwards, which another function serves: the check of renames has to hold."""


def apart(plans: Sequence[MergePlan]) -> Iterator[MergePlan]:
    """Of several plans those that touch other places than those before."""
    taken: dict[str, list[tuple[int, int]]] = {}
    for plan in plans:
        spans = [(file.path, edit.start, edit.end) for file in plan.files for edit in file.edits]
        if any(start <= last and first <= end for path, start, end in spans for first, last in taken.get(path, ())):
            continue
        for path, start, end in spans:
            taken.setdefault(path, []).append((start, end))
        yield plan


def combined(plans: Sequence[MergePlan]) -> tuple[FileEdits, ...]:
    """The edits of plans that are `apart`, one entry a file."""
    files: dict[str, FileEdits] = {}
    for file in (file for plan in plans for file in plan.files):
        earlier = files.get(file.path)
        files[file.path] = file if earlier is None else replace(file, edits=sorted_edits((*earlier.edits, *file.edits)))
    return tuple(files[path] for path in sorted(files))
