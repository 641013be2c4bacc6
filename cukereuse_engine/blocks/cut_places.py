"""The places of a block as they are written: words, and the arguments that step definitions capture."""

import itertools
from collections import Counter
from dataclasses import dataclass

from msgspec import structs

from cukereuse_engine.blocks.block import Block, BlockPlace
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.glue.definition import Match, StepDefinition
from cukereuse_engine.refactor.rename_plan import Bindings, ReadSuites


class NoExtractionError(CukereuseError):
    """The block can't be taken out; the message says why."""


class UnfitWordingError(NoExtractionError):
    """It can be with another wording."""


@dataclass(frozen=True, slots=True)
class LeftOutPlace:
    place: BlockPlace
    reason: str


@dataclass(frozen=True, slots=True)
class CutPlace:
    """A place whose steps are cut at the arguments that their definitions capture."""

    place: BlockPlace
    frames: tuple[tuple[str, ...], ...]
    """For each step, the text around its arguments, including quotes."""
    values: tuple[tuple[str, ...], ...]
    """For each step, its arguments."""
    matches: tuple[Match, ...]
    """For each step, its match."""

    @property
    def definitions(self) -> tuple[StepDefinition, ...]:
        return tuple(match.definition for match in self.matches)

    @property
    def key(self) -> tuple[object, ...]:
        functions = tuple(definition.function_id for definition in self.definitions)
        return self.frames, functions, self.place.steps[0].resolved_type


def usable(block: Block, suites: ReadSuites, glue: Bindings) -> tuple[list[CutPlace], list[LeftOutPlace]]:
    """The places with the same words apart from their arguments; if there are several sets, the largest."""
    places: list[CutPlace] = []
    left_out: list[LeftOutPlace] = []
    for place in block.places:
        place_or_reason = _cut_place(place, suites, glue)
        if isinstance(place_or_reason, str):
            left_out.append(LeftOutPlace(place, place_or_reason))
        else:
            places.append(place_or_reason)
    if not places:
        raise NoExtractionError(left_out[0].reason)
    usual, _ = Counter(cut_place.key for cut_place in places).most_common(1)[0]
    reason = "its words, step definitions or keyword differ from those of most places"
    left_out += [LeftOutPlace(cut_place.place, reason) for cut_place in places if cut_place.key != usual]
    kept = [cut_place for cut_place in places if cut_place.key == usual]
    if len(kept) < 2:
        raise NoExtractionError("the new step could be used in only one place")
    return kept, left_out


def _cut_place(place: BlockPlace, suites: ReadSuites, glue: Bindings) -> CutPlace | str:
    """The place; or why it can't be used."""
    if suites.files[place.path].steps and place.steps[0].recovered:
        return "its file is not valid Gherkin"
    cuts = []
    for step in place.steps:
        if step.argument is not None:
            return f"a {step.argument} is attached to “{step.text}”"
        matches = [match for bound in glue.bind(structs.replace(step, examples=())).texts for match in bound.matches]
        if len(matches) != 1:
            return f"“{step.text}” binds to {len(matches) or 'no'} step definitions"
        cut = _cut_step(step.text, matches[0])
        if cut is None:
            return f"the arguments of “{step.text}” overlap"
        cuts.append((*cut, matches[0]))
    lines = {step.line for step in place.steps}
    comments = {comment.line for comment in suites.files[place.path].comments}
    if any(place.line < line < place.last_line for line in comments - lines):
        return "there is a comment between its steps"
    frames, values, matches_found = zip(*cuts, strict=True)
    return CutPlace(place, frames, values, matches_found)


def _cut_step(text: str, match: Match) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """A text's words around its arguments, and these without their quotes; None if arguments overlap."""
    spans = sorted((argument.start, argument.end) for argument in match.arguments if argument.start >= 0)
    if any(end > start for (_, end), (start, _) in itertools.pairwise(spans)):
        return None
    around, inside, at = [], [], 0
    for start, end in spans:
        written = text[start:end]
        quoted = len(written) > 1 and written[0] in "\"'" and written[-1] == written[0]
        begin, stop = (start + 1, end - 1) if quoted else (start, end)
        around.append(text[at:begin])
        inside.append(text[begin:stop])
        at = stop
    return (*around, text[at:]), tuple(inside)
