"""Refuses renames that would change what a step means: words that keep two steps of one definition apart, or that a
definition captures and the rename leaves alone, must not get lost.
"""

import re
from collections.abc import Iterator, Sequence

from cukereuse_engine.gherkin.feature import Step
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
    """True if a member has the text of the step that the user named."""
    return bool(request.named) and normalise(member.step.text) == request.named


def another_meaning(draft: Draft, closure: Closure, chosen: set[tuple[str, int]]) -> Refusal | None:
    """A refusal if a step would lose its own meaning, which only an alternative, as in `(?:open|close)`, keeps
    apart."""
    named = {said_around(member) for member in draft.cast.members}
    if len(named) != 1:
        return None
    (words,) = named
    outside = {said_outside(member) for member in draft.cast.members}
    merging = _Merging(draft, shared_endings([*closure.definitions.values()]), chosen)
    for member in closure.members:
        around = said_around(member)
        if place_of(member.step) in chosen or around == words:
            continue
        if said_outside(member) not in outside:
            message = (
                f"the step definition matches only a part of “{member.step.text}”, and the rest of the step would be "
                f"lost; put ^ and $ around the regex, and write a step definition for the longer step"
            )
            return Refusal(message, (member.step,), "another meaning")
        reason = merging.lost_meaning(member.step, words, around)
        if reason:
            message = (
                f"the step definition serves “{member.step.text}” too, which would change its meaning "
                f"({reason}); split it into two step definitions first"
            )
            return Refusal(message, (member.step,), "another meaning")
    return None


class _Merging:
    """The texts that a rename makes equal."""

    def __init__(self, draft: Draft, endings: Sequence[tuple[str, str]], chosen: set[tuple[str, int]]) -> None:
        """`endings`: in spite of them, each step keeps its meaning."""
        self._suites = draft.suites
        self._planned = {place_of(step.member.step): without(mask(step.text), endings) for step in draft.steps}
        self._asked = {text for place, text in self._planned.items() if place in chosen}
        self._readings = {
            place_of(step.member.step): {without(text, endings) for text in _around(step)} for step in draft.steps
        }
        self._read = {text for place, texts in self._readings.items() if place in chosen for text in texts}

    def lost_meaning(self, step: Step, words: str, around: str) -> str:
        """The difference between a step and the renamed ones that would get lost; empty if none would. `words`: text of
        the renamed ones around their arguments; `around`: the step's."""
        languages = self._suites.languages  # only computed when needed: it takes as long as a whole check
        guards = differing_guards(words, around, languages)
        after = self._planned.get(place_of(step), "")
        if guards:
            keeping = [{*guards} <= {*differing_guards(text, after, languages)} for text in self._asked]
            # what keeps them apart may remain, in a part that may be missing
            return "" if keeping and all(keeping) else GUARDS[guards[0]]
        merges = after in self._asked or not self._read.isdisjoint(self._readings.get(place_of(step), ()))
        own = word_of_its_own(around, words, languages) if merges else ""
        return f"it says “{own}”" if own else ""


def _around(step: ExpectedStep) -> frozenset[str]:
    """Its new text with a slot for each argument, as the words may be equal where the arguments differ. There are
    several if an argument's value occurs among the words, too."""
    readings = [("", step.text)]
    for value in (argument.value for argument in step.arguments if argument.value):
        readings = [
            (f"{before}{text[:at]}{SLOT}", text[at + len(value) :])
            for before, text in readings
            for at in (match.start() for match in re.finditer(re.escape(value), text))
        ][:_MOST_READINGS] or readings
    return frozenset(mask(before + text) for before, text in readings)


def kept_denial(draft: Draft, request: RenameRequest) -> Refusal | None:
    """A refusal if a named step would not get the target's text, because its definition captures a denial, `( not)?`,
    which stays."""
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
    """The step's words in those parts of its definition that offer several."""
    for definition in member.definitions[:1] if member.pieces is not None else ():
        own = parameters(definition).found
        yield from (
            piece.text.strip() for parameter, piece in zip(own, member.pieces or (), strict=True) if parameter.chooses
        )
