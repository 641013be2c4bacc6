"""Each step of a rename with its arguments, and the text that it gets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from cukereuse_engine.gherkin.model import Step
from cukereuse_engine.glue.binding import Status
from cukereuse_engine.glue.matchers import Matcher, compile_definition
from cukereuse_engine.glue.model import BoundArgument, Match, StepDefinition
from cukereuse_engine.glue.workspace import StepBinding
from cukereuse_engine.refactor.arguments import (
    MemberArgument,
    UnmappableError,
    captured_arguments,
    in_order_of,
    masked_arguments,
)
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.expressions.rewrite import parameters, with_tail_captured
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
    tail: Arguments = ()
    """Of these the last, which its definitions may miss, where they stand at the end: they stay there."""
    tail_start: int | None = None
    """Code point offset in the step's text from which on it stays; None where its definitions know no such end."""

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
            raise UnmappableError(
                "an argument of its definition is missing from it, or can't be told apart in its text"
            )
        chosen = tuple(self.captured[place] for place in places)
        rest = self.step.text[self.tail_start :] if self.tail_start is not None else ""
        return checked(target.render(chosen) + rest), (*chosen, *self.tail)


def checked(text: str) -> str:
    """Raises `UnrenderableError` for a text that can't be a step's."""
    if not text.strip() or text != text.strip():
        raise UnrenderableError(
            "the new text would begin or end with white space, as its argument is empty; add a word"
        )
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
        raise UnmappableError(
            "some of its Examples rows, or suites that run it, have no step definition for it; define it first"
        )
    if len(said) > 1:
        raise UnmappableError("its Examples rows bind to different step definitions; give them scenarios of their own")
    if not any(said):
        return Member(step, (), None)
    text = binding.texts[0]
    matches = {saying(match.definition): match for match in reversed(text.matches)}.values()
    definitions = tuple(match.definition for match in matches)
    members = [replace(_captured(step, text.text, match), definitions=definitions) for match in matches]
    if len({_places(one) for one in members}) > 1:
        raise UnmappableError("its step definitions take different arguments from it; write them alike first")
    return members[0]


def _places(member: Member) -> object:
    places = tuple((one.start, one.end) for one in member.captured) if member.captured is not None else None
    return member.tail_start, places


def _captured(step: Step, expanded: str, match: Match) -> Member:
    """With one argument for each parameter: of groups inside a group only the outer one."""
    definition = match.definition
    try:
        known = parameters(definition)
    except UnwritableError:
        return Member(step, (definition,), captured_arguments(step, expanded, match.arguments))
    if sum(parameter.captures for parameter in known.found) + known.tail_captures != len(match.arguments):
        return Member(step, (definition,), None)
    outer, at = [], 0
    for parameter in known.found:
        outer.append(match.arguments[at])
        at += parameter.captures
    if not known.tail:
        return Member(step, (definition,), captured_arguments(step, expanded, outer))
    there = [one for one in match.arguments[at:] if one.start >= 0]
    captured = captured_arguments(step, expanded, [*outer, *there])
    ending = _ending(definition, at, expanded)
    end = captured_arguments(step, expanded, [ending]) if ending is not None else None
    if captured is None or end is None:
        return Member(step, (definition,), None)
    return Member(step, (definition,), captured, captured[len(outer) :], end[0].start)


def _ending(definition: StepDefinition, group: int, text: str) -> BoundArgument | None:
    """What the tail of a definition's regex matches: the group that stands after `group` others."""
    matcher = _tail_matcher(definition)
    match = matcher.match(text) if matcher is not None else None
    return match.arguments[group] if match is not None else None


@lru_cache(maxsize=1024)
def _tail_matcher(definition: StepDefinition) -> Matcher | None:
    captured = with_tail_captured(definition)
    return compile_definition(captured, {}).matcher if captured is not None else None
