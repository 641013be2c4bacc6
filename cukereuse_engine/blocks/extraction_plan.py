"""The plan that replaces a block: edits, and the places that they are about."""

from dataclasses import dataclass

from cukereuse_engine.blocks.block import BlockPlace
from cukereuse_engine.blocks.cut_places import LeftOutPlace
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.rename_plan import FileEdits


@dataclass(frozen=True, slots=True)
class ExtractionPlan:
    wording: str
    """The new step, with a slot `{name}` for each parameter; for Karate, the step at the first place."""
    files: tuple[FileEdits, ...]
    """Feature files by path, changed sources of step definitions, and the source with the new definition; for Karate,
    the new feature file is last."""
    places: tuple[BlockPlace, ...]
    left_out: tuple[LeftOutPlace, ...]
    model: StepDefinition | None = None
    """The definition that the new one copies and follows; None for Karate, which has none."""

    @property
    def steps_saved(self) -> int:
        return sum(place.length - 1 for place in self.places)
