"""The steps of a rename with their arguments and their new texts."""

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import Anchoring, BoundArgument, ExpressionKind, Match, StepDefinition
from cukereuse_engine.glue.matchers import Matcher, compile_definition
from cukereuse_engine.glue.step_binding import StepBinding
from cukereuse_engine.glue.text_binding import Status, TextBinding
from cukereuse_engine.refactor.arguments import (
    MemberArgument,
    UnmappableError,
    captured_arguments,
    in_order_of,
    masked_arguments,
    raw_span,
)
from cukereuse_engine.refactor.expressions.endings import Ending
from cukereuse_engine.refactor.expressions.parameters import ExpressionParameter, UnwritableError
from cukereuse_engine.refactor.expressions.rewrite import ParameterPart, Word, parameters, with_stays_captured
from cukereuse_engine.refactor.phrasing import phrased_arguments
from cukereuse_engine.refactor.rename_plan import RenameRequest
from cukereuse_engine.refactor.target import Target, UnrenderableError, put
from cukereuse_engine.text.template import SLOT

Arguments = tuple[MemberArgument, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """What one parameter of a definition matches in a step's text."""

    text: str
    start: int
    """Code point offset in the step's text."""
    arguments: Arguments
    """Its arguments: of nested groups only the outer one; none if it takes no part."""

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def argument_start(self) -> int:
        """Offset of its first argument, quotes included."""
        return self.arguments[0].start if self.arguments else self.start

    @property
    def argument_end(self) -> int:
        return self.arguments[-1].end if self.arguments else self.end


@dataclass(frozen=True, slots=True)
class RenamedStep:
    """A step to rename."""

    step: Step
    definitions: tuple[StepDefinition, ...]
    """The definitions that it binds to now: none if there is none, or if they are unknown; several if scopes or runners
    have definitions of their own."""
    captured: Arguments | None
    """The arguments that its definitions capture; None if they are not in the step's own text."""
    sure: Arguments | None = None
    """The arguments that its definitions always capture."""
    pieces: tuple[Piece, ...] | None = None
    """A piece for each parameter of its definitions; None if they are unknown."""

    def sources(self, request: RenameRequest) -> Iterator[Arguments]:
        """The step's arguments according to each source, the most reliable first."""
        phrased = phrased_arguments(request.source, self.step.text) if request.source is not None else None
        yield from (arguments for arguments in (phrased, self.sure, self.captured) if arguments is not None)
        masked = masked_arguments(self.step.text)
        yield masked
        words = "\0".join(part for part in request.target.parts if isinstance(part, str))
        yield tuple(argument for argument in masked if argument.text not in words)

    def moved(self, target: Target, request: RenameRequest) -> tuple[str, Arguments]:
        """The step's text in the target's words, and its arguments in the order of the slots.

        Raises `UnmappableError` or `UnrenderableError` with the reason.
        """
        names = [slot.name for slot in target.slots]
        names = [] if any(name.isdigit() for name in names) else names
        is_told = len(request.numeric) == len(target.order)
        wanted = tuple(request.numeric[index] if is_told else None for index in target.order)
        failure: ValueError | None = None
        for arguments in self.sources(request):
            try:
                chosen = in_order_of(arguments, names, target.order, wanted)
                return checked(target.render(chosen)), chosen
            except (UnmappableError, UnrenderableError) as error:
                failure = failure or error
        raise failure or UnmappableError("its arguments are unknown")

    def kept(self, words: Sequence[Word]) -> tuple[str, Arguments]:
        """As `moved`, with what the step's definition matches."""
        text = ""
        arguments: list[MemberArgument] = []
        for word in words:
            if isinstance(word, str):
                text += word
                continue
            if isinstance(word, Ending):
                text += word.form_in(said_around(self))
                continue
            piece = self._piece(word)
            arguments += piece.arguments
            if word.slot is None:
                text += piece.text
            elif piece.arguments:
                before, after = word.around or ("", "")
                text += before + put(word.slot, piece.arguments[0]) + after
        return checked(text), tuple(arguments)

    def _piece(self, part: ParameterPart) -> Piece:
        """The piece of a part. Raises `UnmappableError` if it is missing."""
        needed = part.slot is not None and part.around is None
        if self.pieces is None or (needed and not self.pieces[part.place].arguments):
            raise UnmappableError("an argument of its definition is missing or can't be located in its text")
        return self.pieces[part.place]


def said_around(member: RenamedStep) -> str:
    """A step's text with a slot for each argument that its definitions capture."""
    pieces, at = [], 0
    for argument in member.captured or ():
        pieces += [member.step.text[at : argument.start], SLOT]
        at = argument.end
    return "".join([*pieces, member.step.text[at:]])


def checked(text: str) -> str:
    """The text itself. Raises `UnrenderableError` if no step can have it."""
    if not text.strip() or text != text.strip():
        raise UnrenderableError(
            "the new text would begin or end with white space because its argument is empty; add a word"
        )
    return text


def saying(definition: StepDefinition) -> tuple[object, ...]:
    """A key, equal for definitions that say the same; a text may bind to several in different scopes or projects."""
    same = definition.expression, definition.kind, definition.language, definition.framework
    return *same, definition.anchoring, definition.flags


def member_of(
    step: Step, bind: Callable[[Step], StepBinding] | None, cache: dict[Hashable, RenamedStep] | None = None
) -> RenamedStep:
    """The step as a member of a rename. `cache`: members of steps with equal bindings. Raises `UnmappableError` if the
    step's definitions say different things."""
    if bind is None:
        return RenamedStep(step, (), None)
    binding = bind(step)
    _refuse_several(binding)
    text = binding.texts[0] if binding.texts else None
    if text is None or not text.matches:
        return RenamedStep(step, (), None)
    key = text.text, *(match.definition.id for match in text.matches)
    if cache is None or text.text != step.text:
        cache = {}
    if key not in cache:
        cache[key] = _of_binding(step, binding)
    return replace(cache[key], step=step)


def _refuse_several(binding: StepBinding) -> None:
    """Raises `UnmappableError` for definitions that say different things."""
    wordings = {frozenset(saying(match.definition) for match in text.matches) for text in binding.texts}
    if any(map(_clashes, binding.texts)):
        raise UnmappableError(f"several step definitions match it ({_listed(binding)}); remove all but one first")
    if binding.status is Status.UNDEFINED and any(wordings):
        raise UnmappableError("in some Examples rows or suites, it has no step definition; define it first")
    if len(wordings) > 1:
        different = f"its Examples rows bind to different step definitions ({_listed(binding)})"
        raise UnmappableError(f"{different}; put them into separate scenarios")


def _of_binding(step: Step, binding: StepBinding) -> RenamedStep:
    text = binding.texts[0]
    matches = {saying(match.definition): match for match in reversed(text.matches)}.values()
    members = [replace(_captured(step, text.text, match), definitions=binding.definitions) for match in matches]
    if len({_places(member) for member in members}) > 1:
        raise UnmappableError(
            f"its step definitions ({_listed(binding)}) capture different arguments; make their expressions "
            f"consistent first"
        )
    return members[0]


def _listed(binding: StepBinding) -> str:
    """The places of a step's definitions."""
    places = [definition.place for definition in binding.definitions]
    return ", ".join([*places[:3], *([f"{len(places) - 3} more"] if len(places) > 3 else [])])


def _clashes(text: TextBinding) -> bool:
    """True if definitions of one runner that say different things match a text, so that it is unknown which one counts.
    Those that say the same can be rewritten together."""
    for matches in text.scopes or (text.matches,):
        readings: dict[str, tuple[object, ...]] = {}
        for match in matches:
            definition = match.definition
            if readings.setdefault(definition.framework, saying(definition)) != saying(definition):
                return True
    return False


def _places(member: RenamedStep) -> object:
    if member.pieces is None:
        return (
            tuple((argument.start, argument.end) for argument in member.captured)
            if member.captured is not None
            else None
        )
    return tuple((piece.argument_start, piece.argument_end) for piece in member.pieces)


def _captured(step: Step, expanded: str, match: Match) -> RenamedStep:
    """The member with what each parameter matches; of nested groups, only the outer one counts."""
    definition = match.definition
    captured = captured_arguments(step, expanded, [argument for argument in match.arguments if argument.start >= 0])
    bare = RenamedStep(step, (definition,), captured)
    try:
        own = parameters(definition).found
    except UnwritableError:
        return bare
    if sum(parameter.captures for parameter in own) != len(match.arguments):
        return replace(bare, captured=None)
    pieces = _pieces(step, expanded, match, own)
    if pieces is None or any(piece.argument_end > after.argument_start for piece, after in pairwise(pieces)):
        return bare
    outer = tuple(argument for piece in pieces for argument in piece.arguments)
    sure = tuple(piece.arguments[0] for parameter, piece in zip(own, pieces, strict=True) if not parameter.stays)
    return replace(bare, captured=outer, sure=sure, pieces=tuple(pieces))


def _pieces(step: Step, expanded: str, match: Match, own: Sequence[ExpressionParameter]) -> list[Piece] | None:
    """What each parameter matches in the step's own text; None if that is unknown."""
    spans = _spans(match.definition, expanded) if any(parameter.stays for parameter in own) else {}
    pieces: list[Piece] = []
    at = 0
    for place, parameter in enumerate(own):
        taken = match.arguments[at : at + (parameter.captures if parameter.stays else 1)]
        at += parameter.captures
        arguments = captured_arguments(step, expanded, _outermost(taken))
        span = raw_span(step, expanded, *spans[place]) if place in spans else None
        if not parameter.stays and arguments:
            span = arguments[0].start, arguments[0].end
        if arguments is None or span is None:
            return None
        pieces.append(Piece(step.text[slice(*span)], span[0], arguments))
    return pieces


def _outermost(arguments: Sequence[BoundArgument]) -> list[BoundArgument]:
    """The arguments that took part, without those inside other arguments."""
    outer: list[BoundArgument] = []
    for argument in arguments:
        if argument.start >= 0 and (not outer or argument.start >= outer[-1].end):
            outer.append(argument)
    return outer


def _spans(definition: StepDefinition, text: str) -> dict[int, tuple[int, int]]:
    """Where `text` contains each parameter of a definition's regex that stays; empty if one took no part."""
    matcher, firsts = _stays_captured(definition)
    match = matcher.match(text) if matcher is not None else None
    if match is None:
        return {}
    return {place: (match.arguments[at].start, match.arguments[at].end) for place, at in enumerate(firsts)}


@lru_cache(maxsize=1024)
def _stays_captured(definition: StepDefinition) -> tuple[Matcher | None, tuple[int, ...]]:
    captured, firsts = with_stays_captured(definition)
    return compile_definition(captured, {}).matcher, firsts


def said_outside(member: RenamedStep) -> tuple[str, str]:
    """The words of a step before and after the match of its regex, without the rest of a word (`s`). Both are empty if
    the regex must match the whole text."""
    definition = next(iter(member.definitions), None)
    matcher = _whole_captured(definition) if definition is not None else None
    match = matcher.match(member.step.text) if matcher is not None else None
    if match is None or not match.arguments:
        return "", ""
    whole = match.arguments[0]
    before, after = member.step.text[: whole.start], member.step.text[whole.end :]
    return re.sub(r"\w+\Z", "", before).strip(), re.sub(r"\A\w+", "", after).strip()


@lru_cache(maxsize=1024)
def _whole_captured(definition: StepDefinition) -> Matcher | None:
    if definition.kind is not ExpressionKind.REGEX or definition.anchoring is Anchoring.FULL:
        return None
    return compile_definition(replace(definition, expression=f"({definition.expression})"), {}).matcher


def takes(step: Step, texts: Sequence[TextBinding], expected: Arguments) -> bool:
    """True if each definition captures exactly the values of the slots, in their order."""
    for text in texts:
        for match in text.matches:
            taken = [argument for argument in match.arguments if argument.start >= 0]
            captured = captured_arguments(step, text.text, taken)
            if captured is None:  # nested groups: the values must be among them
                values = {_bare(argument.value) for argument in taken}
                if any(_bare(argument.value) not in values for argument in expected):
                    return False
            elif [argument.value for argument in captured] != [argument.value for argument in expected]:
                return False
    return True


def _bare(value: str | None) -> str:
    if value is None:
        return ""
    quoted = len(value) > 1 and value[0] in "\"'`" and value[-1] == value[0]
    return value[1:-1] if quoted else value
