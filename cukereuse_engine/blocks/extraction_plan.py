"""The plan that replaces a block: edits, and the places that they are about."""

from dataclasses import dataclass

from cukereuse_engine.blocks.block import BlockPlace
from cukereuse_engine.blocks.cut_places import LeftOutPlace
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.rename_plan import FileEdits


@dataclass(frozen=True, slots=True)
class ExtractionPlan:
    wording: str
    """Of the new step, with a slot `{name}` for each parameter; of Karate's, as it is at the first place."""
    files: tuple[FileEdits, ...]
    """Feature files by path, sources of step definitions that change along, and the one with the new definition; of
    Karate's, the new feature file last."""
    places: tuple[BlockPlace, ...]
    left_out: tuple[LeftOutPlace, ...]
    model: StepDefinition | None = None
    """The definition that the new one is written like and is below; None: Karate's have none."""

    @property
    def steps_saved(self) -> int:
        return sum(place.length - 1 for place in self.places)
