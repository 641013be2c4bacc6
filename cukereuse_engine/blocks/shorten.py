"""Plans the replacement of steps by their short form.

The plan is valid only if every scenario of the files calls the same functions with the same arguments before and after.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from cukereuse_engine.blocks.block import BlockPlace
from cukereuse_engine.blocks.cut_places import LeftOutPlace, NoExtractionError
from cukereuse_engine.blocks.replacing import replaced
from cukereuse_engine.blocks.short_forms import Shortenable, ShortForm, SpelledOut
from cukereuse_engine.blocks.unfolded import Unfolding, difference
from cukereuse_engine.gherkin.decode import decode
from cukereuse_engine.gherkin.read import read_bytes
from cukereuse_engine.refactor.edits import edited_bytes, whole_source
from cukereuse_engine.refactor.rename_plan import FileEdits, ReadSuites


@dataclass(frozen=True, slots=True)
class ShorteningPlan:
    form: ShortForm
    files: tuple[FileEdits, ...]
    """Feature files by path."""
    places: tuple[BlockPlace, ...]
    left_out: tuple[LeftOutPlace, ...]

    @property
    def wording(self) -> str:
        return self.form.definition.shown


def plan_shortening(shortenable: Shortenable, suites: ReadSuites) -> ShorteningPlan:
    """Places that can't have the step are left out. Raises `NoExtractionError` if none remains, `ChangedFileError`,
    `OSError`."""
    kept, left_out = [], []
    for spelled in shortenable.spelled:
        reason = _reason(spelled, suites)
        if reason:
            left_out.append(LeftOutPlace(spelled.place, reason))
        else:
            kept.append(spelled)
    if not kept:
        raise NoExtractionError(
            left_out[0].reason if left_out else "no scenario contains the steps that this step runs"
        )
    files = _files(kept, suites)
    return ShorteningPlan(shortenable.form, files, tuple(spelled.place for spelled in kept), tuple(left_out))


def _reason(spelled: SpelledOut, suites: ReadSuites) -> str:
    """Why a place can't have the step; empty if it can."""
    place, file = spelled.place, suites.files[spelled.place.path]
    if place.steps[0].recovered:
        return "its file is not valid Gherkin"
    own = {step.line for step in place.steps}
    if any(place.line < comment.line < place.last_line and comment.line not in own for comment in file.comments):
        return "there is a comment between its steps"
    (edits,) = _files([spelled], suites)
    return _difference(edits, suites)


def _files(spelled: Sequence[SpelledOut], suites: ReadSuites) -> tuple[FileEdits, ...]:
    by_path: dict[str, list[SpelledOut]] = {}
    for place in spelled:
        by_path.setdefault(place.place.path, []).append(place)
    files = []
    for path, group in sorted(by_path.items()):
        file = suites.files[path]
        text = decode(suites.read(path)).text
        edits = [edit for place in group for edit in replaced(place.place, place.text, text, file)]
        ordered = tuple(sorted(edits, key=lambda edit: edit.start))
        files.append(FileEdits(path, file.content_hash, ordered, False, file.encoding))
    return tuple(files)


def _difference(edits: FileEdits, suites: ReadSuites) -> str:
    """What would be run differently; empty if nothing."""
    glue, file = suites.glue, suites.files[edits.path]
    if glue is None:
        return "no step definitions are known"
    unfolding = Unfolding(glue, lambda path: whole_source(suites.read(path)))
    read = read_bytes(file.path, edited_bytes(edits, suites.read(file.path)))
    was = unfolding.scenarios(file)
    with ExitStack() as undo:
        undo.callback(glue.update_feature, file.path, file.steps)
        glue.update_feature(file.path, read.steps)
        if len(read.errors) != len(file.errors):
            return "its file would not be recognised"
        return difference(was, unfolding.scenarios(read))
