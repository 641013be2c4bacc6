"""The steps that take part in a rename, with their arguments, and the steps that are left out, with reasons."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.refactor.arguments import UnmappableError, masked_arguments
from cukereuse_engine.refactor.definitions import Definitions, place_of
from cukereuse_engine.refactor.members import Arguments, RenamedStep
from cukereuse_engine.refactor.rename_plan import LeftOut, ReadSuites, RenameRequest
from cukereuse_engine.refactor.target import UnrenderableError
from cukereuse_engine.text.guards import GUARDS, differing_guards
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.template import mask


@dataclass(frozen=True, slots=True, eq=False)
class ExpectedStep:
    """A step to rename."""

    member: RenamedStep
    text: str
    """Its new text."""
    arguments: Arguments
    """The values of the target's slots, left to right."""


@dataclass(frozen=True, slots=True)
class Cast:
    members: tuple[RenamedStep, ...]
    left_out: tuple[tuple[Step, str], ...] = ()
    """The steps left out, each with the reason."""

    def without(self, dropped: Iterable[tuple[RenamedStep, str]]) -> "Cast":
        gone = list(dropped)
        places = {place_of(member.step) for member, _ in gone}
        members = tuple(member for member in self.members if place_of(member.step) not in places)
        return Cast(members, (*self.left_out, *((member.step, reason) for member, reason in gone)))

    def gathered(self, changed: Iterable[Step]) -> tuple[LeftOut, ...]:
        """What was left out, grouped by text and reason, without the steps that change after all."""
        places = set(map(place_of, changed))
        steps_of: dict[tuple[str, str], list[Step]] = {}
        for step, reason in self.left_out:
            if place_of(step) not in places:
                steps_of.setdefault((normalise(step.text), reason), []).append(step)
        return tuple(LeftOut(text, tuple(steps), reason) for (text, reason), steps in steps_of.items())


def gather(request: RenameRequest, suites: ReadSuites, definitions: Definitions) -> Cast:
    """Collect the members of the request, step by step."""
    members: list[RenamedStep] = []
    left_out: list[tuple[Step, str]] = []
    for text in dict.fromkeys(map(normalise, request.members)):
        guarded = _guarded(text, request, suites)
        for step in suites.steps.get(identity(text), ()):
            if request.within is not None and step.path not in request.within:
                continue
            if not _is_meant(step, text, request, definitions):
                continue
            if guarded:
                left_out.append((step, guarded))
                continue
            try:
                members.append(definitions.member(step))
            except UnmappableError as error:
                left_out.append((step, str(error)))
    return Cast(tuple(members), tuple(left_out))


def _is_meant(step: Step, text: str, request: RenameRequest, definitions: Definitions) -> bool:
    """False if a step that the user pointed at has another text, and binds to none of the requested definitions."""
    if not request.definitions or text == request.named or not is_pointed_at(step, request):
        return True
    return any(definition.id in request.definitions for definition in definitions.bind(step).definitions)


def is_pointed_at(step: Step, request: RenameRequest) -> bool:
    """True if the user named this step, not just a wording that is grouped with it."""
    return not request.reference or mask(step.text).lower() == mask(request.reference).lower()


def _guarded(text: str, request: RenameRequest, suites: ReadSuites) -> str:
    """Why a member does not mean the same as the step that the user pointed at; empty if it does."""
    reference = request.reference
    if not reference or mask(text).lower() == mask(reference).lower():
        return ""
    guards = differing_guards(text, reference, suites.languages)
    return f"kept apart: {GUARDS[guards[0]]}" if guards else ""


def in_target_words(
    members: Iterable[RenamedStep], request: RenameRequest, trade: "Trade | None" = None
) -> tuple[list[ExpectedStep], list[tuple[RenamedStep, str]]]:
    """Each member's new text with its own arguments, and the members that can't have one, each with the reason.

    `trade`: that of the step that the user pointed at, if it is known; otherwise it is found among the members.
    """
    expected: list[ExpectedStep] = []
    dropped: list[tuple[RenamedStep, str]] = []
    for member in members:
        try:
            expected.append(ExpectedStep(member, *member.moved(request.target, request)))
        except (UnmappableError, UnrenderableError) as error:
            dropped.append((member, str(error)))
    usual = trade or trade_of(expected, request)
    kept = []
    for step in expected:
        if usual is None or is_pointed_at(step.member.step, request) or _trade(step) == usual:
            kept.append(step)
        else:
            dropped.append((step.member, _traded(step)))
    return kept, dropped


Trade = tuple[Counter[str], Counter[str]]


def trade_of(steps: Iterable[ExpectedStep], request: RenameRequest) -> Trade | None:
    """The trade of the step that the user pointed at."""
    return next((_trade(step) for step in steps if is_pointed_at(step.member.step, request)), None)


def _trade(expected: ExpectedStep) -> Trade:
    """The values that only the step's text before has, and those that only its text afterwards has. A value that a
    definition spells out is one of its words, so all wordings must lose and win the same values."""
    before = Counter(argument.value for argument in masked_arguments(expected.member.step.text))
    after = Counter(argument.value for argument in masked_arguments(expected.text))
    return before - after, after - before


def _traded(expected: ExpectedStep) -> str:
    lost, won = _trade(expected)
    if lost:
        return f"its text contains {_quoted(lost)}, which is fixed text in its step definition; rename it separately"
    return f"the new text would contain {_quoted(won)}, which it does not contain now; rename it separately"


def _quoted(values: Iterable[str]) -> str:
    """A value may be empty."""
    return ", ".join(f"“{value}”" for value in values)
