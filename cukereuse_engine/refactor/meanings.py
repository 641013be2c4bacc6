"""Refusals of renames that would change what a step means: the words that keep two steps of one definition apart, or
what a definition captures and a rename leaves, must not get lost.
"""

import re
from collections.abc import Iterator

from cukereuse_engine.refactor.alternatives import word_of_its_own
from cukereuse_engine.refactor.arguments import UnmappableError
from cukereuse_engine.refactor.cast import ExpectedStep
from cukereuse_engine.refactor.definitions import Closure, place_of
from cukereuse_engine.refactor.draft import Draft
from cukereuse_engine.refactor.expressions.endings import shared_endings, without
from cukereuse_engine.refactor.expressions.rewrite import parameters
from cukereuse_engine.refactor.members import RenamedStep, said_around, said_outside
from cukereuse_engine.refactor.rename_plan import Refusal, RenameRequest
from cukereuse_engine.refactor.target import UnrenderableError
from cukereuse_engine.text.guards import GUARDS, differing_guards
from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.template import SLOT, mask

_MOST_READINGS = 20


def is_named(member: RenamedStep, request: RenameRequest) -> bool:
    """True if it has the text of the step that the user named."""
    return bool(request.named) and normalise(member.step.text) == request.named


def another_meaning(draft: Draft, closure: Closure, chosen: set[tuple[str, int]]) -> Refusal | None:
    """A step of another meaning that only the words of an alternative keep apart, `(?:open|close)`: it would lose
    its own."""
    named = {said_around(member) for member in draft.cast.members}
    if len(named) != 1:
        return None
    (words,) = named
    outside = {said_outside(member) for member in draft.cast.members}
    endings = shared_endings([*closure.definitions.values()])  # each step keeps its own meaning
    planned = {place_of(step.member.step): without(mask(step.text), endings) for step in draft.steps}
    asked = {text for place, text in planned.items() if place in chosen}
    readings = {place_of(step.member.step): {without(text, endings) for text in _around(step)} for step in draft.steps}
    read = {text for place, texts in readings.items() if place in chosen for text in texts}
    for member in closure.members:
        around, place = said_around(member), place_of(member.step)
        if place in chosen or around == words:
            continue
        if said_outside(member) not in outside:
            message = (
                f"the step definition matches only a part of “{member.step.text}”, and the rest of the step would be "
                f"lost; put ^ and $ around the regex, and write a step definition for the longer step"
            )
            return Refusal(message, (member.step,), "another meaning")
        languages = draft.suites.languages  # told when they are needed: it takes as long as a whole check
        guards = differing_guards(words, around, languages)
        after = planned.get(place, "")
        merges = after in asked or not read.isdisjoint(readings.get(place, ()))
        if guards and asked and all({*guards} <= {*differing_guards(text, after, languages)} for text in asked):
            continue  # what keeps them apart stays: it is said in a part that may be missing
        own = word_of_its_own(around, words, languages) if merges and not guards else ""
        if guards or own:
            reason = GUARDS[guards[0]] if guards else f"it says “{own}”"
            message = (
                f"the step definition serves “{member.step.text}” too, which would change its meaning "
                f"({reason}); split it into two step definitions first"
            )
            return Refusal(message, (member.step,), "another meaning")
    return None


def _around(step: ExpectedStep) -> frozenset[str]:
    """What it will say around its arguments, each of those one slot: they may differ though its words don't. Several
    where the words say what an argument says too."""
    readings = [("", step.text)]
    for value in (argument.value for argument in step.arguments if argument.value):
        readings = [
            (f"{before}{text[:at]}{SLOT}", text[at + len(value) :])
            for before, text in readings
            for at in (match.start() for match in re.finditer(re.escape(value), text))
        ][:_MOST_READINGS] or readings
    return frozenset(mask(before + text) for before, text in readings)


def kept_denial(draft: Draft, request: RenameRequest) -> Refusal | None:
    """A step that was named and would not say the target: its definition captures what denies, `( not)?`, and that
    stays."""
    for step in draft.steps:
        member = step.member
        if not is_named(member, request):
            continue
        try:
            asked, _ = member.moved(request.target, request)
        except (UnmappableError, UnrenderableError):
            continue
        own = next((word for word in _chosen(member) if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", asked)), "")
        if own:
            message = (
                f"“{member.step.text}” would become “{step.text}”, because its step definition has several wordings "
                f"for “{own}”; keep that in the target, or split the step definition first"
            )
            return Refusal(message, (member.step,), "another meaning")
        wanted, masked = mask(asked), mask(step.text)
        guards = differing_guards(wanted, masked, draft.suites.languages) if wanted != masked else ()
        if guards:
            message = (
                f"“{member.step.text}” would become “{step.text}”, because its step definition captures part of it "
                f"as an argument ({GUARDS[guards[0]]}); split the step definition first"
            )
            return Refusal(message, (member.step,), "another meaning")
    return None


def _chosen(member: RenamedStep) -> Iterator[str]:
    """What a step says of the wordings that parts of its definition have."""
    for definition in member.definitions[:1] if member.pieces is not None else ():
        own = parameters(definition).found
        yield from (
            piece.text.strip() for parameter, piece in zip(own, member.pieces or (), strict=True) if parameter.chooses
        )
