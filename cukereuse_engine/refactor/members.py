"""Each step of a rename with its arguments, and the text that it gets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cukereuse_engine.gherkin.model import Step
from cukereuse_engine.glue.binding import Status
from cukereuse_engine.glue.model import Match, StepDefinition
from cukereuse_engine.glue.workspace import StepBinding
from cukereuse_engine.refactor.arguments import (
    MemberArgument,
    UnmappableError,
    captured_arguments,
    in_order_of,
    masked_arguments,
)
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.expressions.rewrite import parameters
from cukereuse_engine.refactor.model import RenameRequest
from cukereuse_engine.refactor.phrasing import phrased_arguments
from cukereuse_engine.refactor.target import Target, UnrenderableError

Arguments = tuple[MemberArgument, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """One step that is to be renamed."""

    step: Step
    definitions: tuple[StepDefinition, ...]
    """What it binds to now, one of each that say the same: none where that is nothing, or not known; several where
    scopes or runners know the step by different expressions."""
    captured: Arguments | None
    """What its definitions take from it; None where that can't be told in the step's own text."""

    def sources(self, request: RenameRequest) -> list[Arguments]:
        """Its arguments as each source sees them, the surest first."""
        found: list[Arguments] = []
        if request.source is not None:
            phrased = phrased_arguments(request.source, self.step.text)
            found += [phrased] if phrased is not None else []
        if self.captured is not None:
            found.append(self.captured)
        masked = masked_arguments(self.step.text)
        said = "\0".join(part for part in request.target.parts if isinstance(part, str))
        return [*found, masked, tuple(argument for argument in masked if argument.text not in said)]

    def moved(self, target: Target, request: RenameRequest) -> tuple[str, Arguments]:
        """Its text in the target's words, and the arguments in the order of the slots.

        Raises `UnmappableError` or `UnrenderableError` with the reason.
        """
        names = [slot.name for slot in target.slots]
        names = [] if any(name.isdigit() for name in names) else names
        known = len(request.numeric) == len(target.order)
        wanted = tuple(request.numeric[index] if known else None for index in target.order)
        failure: ValueError | None = None
        for arguments in self.sources(request):
            try:
                chosen = in_order_of(arguments, names, target.order, wanted)
                return checked(target.render(chosen)), chosen
            except (UnmappableError, UnrenderableError) as error:
                failure = failure or error
        raise failure or UnmappableError("its arguments are not known")

    def kept(self, target: Target, places: Sequence[int]) -> tuple[str, Arguments]:
        """The same by what its definition captures: `places` are the parameters that the slots stand for."""
        if self.captured is None:
            raise UnmappableError("what its definition takes from it can't be told apart in its text")
        chosen = tuple(self.captured[place] for place in places)
        return checked(target.render(chosen)), chosen


def checked(text: str) -> str:
    """Raises `UnrenderableError` for a text that can't be a step's."""
    if not text.strip() or text != text.strip():
        raise UnrenderableError("the new text would begin or end with white space")
    return text


def saying(definition: StepDefinition) -> tuple[object, ...]:
    """Equal for definitions that say the same: to one text they are one, whichever of them a scope or project has."""
    one = definition
    return one.expression, one.kind, one.language, one.framework, one.anchoring, one.flags


def member_of(step: Step, bind: Callable[[Step], StepBinding] | None) -> Member:
    """Raises `UnmappableError` for a step whose definitions are not as one."""
    if bind is None:
        return Member(step, (), None)
    binding = bind(step)
    if binding.status is Status.AMBIGUOUS:
        raise UnmappableError("several step definitions match it; remove all but one first")
    said = {frozenset(saying(match.definition) for match in text.matches) for text in binding.texts}
    if binding.status is Status.UNDEFINED and any(said):
        raise UnmappableError("some of its Examples rows, or some suites that run it, have no step definition for it")
    if len(said) > 1:
        raise UnmappableError("its Examples rows bind to different step definitions; give them scenarios of their own")
    if not any(said):
        return Member(step, (), None)
    text = binding.texts[0]
    matches = {saying(match.definition): match for match in reversed(text.matches)}.values()
    captured = [_captured(step, text.text, match) for match in matches]
    if len({_places(one) for one in captured}) > 1:
        raise UnmappableError("its step definitions take different arguments from it; write them alike first")
    return Member(step, tuple(match.definition for match in matches), captured[0])


def _places(arguments: Arguments | None) -> tuple[tuple[int, int], ...] | None:
    return tuple((one.start, one.end) for one in arguments) if arguments is not None else None


def _captured(step: Step, expanded: str, match: Match) -> Arguments | None:
    """One argument for each parameter: of groups inside a group only the outer one."""
    try:
        known = parameters(match.definition)
    except UnwritableError:
        return captured_arguments(step, expanded, match.arguments)
    if sum(parameter.captures for parameter in known) != len(match.arguments):
        return None
    outer, at = [], 0
    for parameter in known:
        outer.append(match.arguments[at])
        at += parameter.captures
    return captured_arguments(step, expanded, outer)
