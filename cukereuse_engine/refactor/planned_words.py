"""The new words of rewritten definitions and their steps: the target's words, and what stays of the expressions, namely
arguments without a slot, the quotes of each step, and optional endings."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.arguments import MemberArgument, UnmappableError
from cukereuse_engine.refactor.expressions.endings import shared_endings, split
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.expressions.rewrite import Word, parameters, says_quotes, slots_of
from cukereuse_engine.refactor.frame import framed
from cukereuse_engine.refactor.meanings import is_named
from cukereuse_engine.refactor.members import RenamedStep, said_around
from cukereuse_engine.refactor.phrasing import matches, other_span
from cukereuse_engine.refactor.rename_plan import RenameRequest
from cukereuse_engine.refactor.target import Part, Slot, Target, UnrenderableError, put
from cukereuse_engine.text.identity import normalise


def words_of(
    request: RenameRequest, definitions: Sequence[StepDefinition], members: Sequence[RenamedStep]
) -> tuple[Word, ...]:
    """The new words of the definitions and their steps: the target, and what stays of the expressions.

    Raises `UnwritableError` if one of the definitions can't take its arguments in these words.
    """
    try:
        return _words(request, definitions, members)
    except UnwritableError:
        with suppress(UnwritableError, UnmappableError, UnrenderableError):
            return _words_with_parts_said(request, definitions, members)
        raise


def _words(
    request: RenameRequest, definitions: Sequence[StepDefinition], members: Sequence[RenamedStep]
) -> tuple[Word, ...]:
    places = {tuple(_places(request, definition, members)) for definition in definitions}
    stays = {
        tuple((parameter.stays, parameter.captures > 0) for parameter in parameters(definition).found)
        for definition in definitions
    }
    if len(places) > 1:
        raise UnwritableError("its step definitions name their arguments differently; number the slots: {1}, {2}")
    if len(stays) > 1 and any(stay for own in stays for stay, _ in own):
        raise UnwritableError("not all of its step definitions capture every argument that is optional in the others")
    chosen = places.pop()
    target = _with_bare_slots(request, definitions[0], chosen, members)
    words = framed(target, chosen, parameters(definitions[0]).found, members)
    return _with_endings(request, words, definitions, members)


def _words_with_parts_said(
    request: RenameRequest, definitions: Sequence[StepDefinition], members: Sequence[RenamedStep]
) -> tuple[Word, ...]:
    """The words for a target that has slots for optional parts and keeps their words. The step that the user named must
    become the target. Raises `UnwritableError`, `UnmappableError` or `UnrenderableError`."""
    target = request.target
    named = next((member for member in members if is_named(member, request)), None)
    if named is None or named.captured is None or named.sure is None or len(named.captured) != len(target.order):
        raise UnwritableError("the named step lacks an argument for a slot")
    said = _with_parts_said(target, named.captured, named.sure)
    words = _words(replace(request, target=said), definitions, members)
    if named.kept(words)[0] != target.render([named.captured[at] for at in target.order]):
        raise UnwritableError("the named step would not become the target")
    return words


def _with_parts_said(target: Target, captured: Sequence[MemberArgument], sure: Sequence[MemberArgument]) -> Target:
    """The target with slots only for the `sure` arguments, and the values of the others."""
    numbers = {argument.start: number for number, argument in enumerate(sure)}
    parts: list[Part] = []
    order: list[int] = []
    following = iter(target.order)
    for part in target.parts:
        said = part
        if isinstance(part, Slot):
            argument = captured[next(following)]
            if argument.start in numbers:
                order.append(numbers[argument.start])
            else:
                said = put(part, argument)
        if isinstance(said, str) and parts and isinstance(parts[-1], str):
            parts[-1] += said
        else:
            parts.append(said)
    return Target(tuple(parts), tuple(order))


def _with_endings(
    request: RenameRequest, words: Sequence[Word], definitions: Sequence[StepDefinition], members: Sequence[RenamedStep]
) -> tuple[Word, ...]:
    """The words, in which each step keeps its form of optional endings, `button(s)`."""
    endings = shared_endings(definitions)
    source = request.source
    around = next((said_around(member) for member in members if endings and is_named(member, request)), "")
    if source is not None:
        around = "\0".join(part for part in source.parts if isinstance(part, str))
    if not endings or not around:
        return tuple(words)
    literals = "\0".join(word for word in words if isinstance(word, str))
    split_up = partial(split, literals=literals, said=around, endings=endings)
    return tuple(part for word in words for part in (split_up(word) if isinstance(word, str) else [word]))


def _with_bare_slots(
    request: RenameRequest, definition: StepDefinition, places: Sequence[int], members: Sequence[RenamedStep]
) -> Target:
    """The target without quotes around slots whose parameter also captures quotes (`(.*)`): each step keeps its own."""
    target, following = request.target, iter(places)
    parts: list[Part] = []
    for part in target.parts:
        if isinstance(part, Slot):
            place = next(following)
            parameter = parameters(definition).found[place]
            taken = [member.pieces[place].arguments for member in members if member.pieces is not None]
            whole = any(argument.with_quotes for arguments in taken for argument in arguments)
            bare = whole and not parameter.quote and not says_quotes(parameter, definition)
            parts.append(replace(part, quote="") if bare else part)
        else:
            parts.append(part)
    return replace(target, parts=tuple(parts))


def _places(request: RenameRequest, definition: StepDefinition, members: Sequence[RenamedStep]) -> list[int]:
    """The 0-based parameter of each slot. Raises `UnwritableError`."""
    target = request.target
    read = next((member.pieces for member in members if member.pieces is not None and is_named(member, request)), ())
    taken = slots_of(definition, len(target.order), [at for at, piece in enumerate(read) if piece.arguments])
    if request.source is not None:
        _refuse_other_spans(request.source, taken, members)
    return [taken[number] for number in target.order]


def _refuse_other_spans(source: Target, taken: Sequence[int], members: Sequence[RenamedStep]) -> None:
    """Raises `UnwritableError` if a slot of the source covers another text than the definition's argument."""
    for member in members:
        text = normalise(member.step.text)
        if member.pieces is None or text != member.step.text or not matches(source, text):
            continue
        arguments = [argument for place in taken for argument in member.pieces[place].arguments[:1]]
        slot = other_span(source, text, arguments)
        if slot:
            takes = ", ".join(argument.text for argument in arguments)
            raise UnwritableError(
                f"in “{text}” a slot of the step to rename stands for {slot}, but the step definition takes "
                f"{takes or 'no argument'}; write the words beside its arguments outside the slots"
            )
