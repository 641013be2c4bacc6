"""From a request to a plan: which steps change, what they say then, and what happens to the step definitions.

The stages: who takes part (`cast`); the ways to do it, each a draft (`draft`) of words (`planned_words`); what a draft
would break (`check`), and the draft without those that would; the first one that holds, as a plan. No file is written,
and the suites are left as they were.

The definitions of the steps that the user named get the target's wording, and every step that binds to one of them is
renamed too. Steps move to another function only if the request allows it: to the definition that the target already
binds to, or to the most used of their own.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from msgspec.structs import replace as replace_step

from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.text_binding import Status
from cukereuse_engine.prose import counted
from cukereuse_engine.refactor.arguments import UnmappableError
from cukereuse_engine.refactor.calls import SuiteCalls
from cukereuse_engine.refactor.cast import Cast, ExpectedStep, gather, in_target_words, is_pointed_at, trade_of
from cukereuse_engine.refactor.check import Breakage, Checked, check, with_text
from cukereuse_engine.refactor.definitions import Closure, Definitions, families, place_of
from cukereuse_engine.refactor.differences import BindingProblem
from cukereuse_engine.refactor.draft import Draft, follow, settle
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.expressions.rewrite import (
    Word,
    order_for_function,
    rewrite,
)
from cukereuse_engine.refactor.hidden import perhaps_defined, users_of, why_unread
from cukereuse_engine.refactor.idle_imports import idle_imports
from cukereuse_engine.refactor.meanings import another_meaning, kept_denial
from cukereuse_engine.refactor.members import RenamedStep, takes
from cukereuse_engine.refactor.planned_words import words_of
from cukereuse_engine.refactor.rename_plan import (
    Outcome,
    ReadSuites,
    Refusal,
    RefusedPlanError,
    RenamePlan,
    RenameRequest,
    TextReplacement,
)
from cukereuse_engine.refactor.reordering import refuse_callers, reordered
from cukereuse_engine.refactor.target import UnrenderableError
from cukereuse_engine.refactor.writing import writing_of
from cukereuse_engine.text.identity import normalise

if TYPE_CHECKING:
    from cukereuse_engine.refactor.constants import Constants

_ROUNDS = 6
"""Number of times that members that would not bind are left out before the plan is refused."""


def plan_rename(request: RenameRequest, suites: ReadSuites, *, thorough: bool = True) -> RenamePlan:
    """Plan one rename and check it.

    `suites`: everything that the step definitions may serve. `thorough`: every touched feature file is read again,
    otherwise only its new lines, which is enough for files that the official parser reads. Raises `RefusedPlanError` if
    something would break, `OSError` for a source that can't be read.
    """
    planner = _Planner(request, suites, Definitions(suites), SuiteCalls(suites), thorough)
    cast = gather(request, suites, planner.definitions)
    refusal: Refusal | None = None
    for way in planner.ways(cast):
        outcome = planner.attempt(way, cast)
        if isinstance(outcome, RenamePlan):
            return outcome
        refusal = refusal or outcome
    assert refusal is not None
    raise RefusedPlanError(refusal)


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to carry out the rename."""

    rewritten: tuple[StepDefinition, ...] = ()
    """Definitions that get the target's wording, with all that can't be distinguished from them."""
    onto: bool = False
    """True if members move to the definition that the target already binds to."""


@dataclass(frozen=True, slots=True)
class _Planner:
    request: RenameRequest
    suites: ReadSuites
    definitions: Definitions
    calls: SuiteCalls
    thorough: bool
    constants: "dict[tuple[str, str], Constants]" = field(default_factory=dict)
    """The constants that were searched."""

    def ways(self, cast: Cast) -> Iterator[_Way]:
        """The ways to try, the best first; at least one."""
        steps, _ = in_target_words(cast.members, self.request)
        bound = [member for member in cast.members if member.definitions]
        if self.definitions.glue is None or not bound or not steps:
            yield _Way()
        elif self._is_reached(steps):
            yield _Way(onto=True)
        elif not self.request.move:
            named = [member for member in bound if is_pointed_at(member.step, self.request)] or bound
            yield _Way(_definitions_of(named))
        else:
            yield from (_Way(tuple(family)) for family in _families_by_use(bound))

    def attempt(self, way: _Way, cast: Cast) -> RenamePlan | Refusal:
        for _ in range(_ROUNDS):
            draft = self.draft(way, cast)
            if isinstance(draft, Refusal):
                return draft
            files = draft.files
            move = self.request.move
            checked = check(self.suites, files, calls=self.calls, move=move, gain=move, thorough=self.thorough)
            if not checked.breakages:
                return self._not_known(draft) or self._without_the_named(draft) or self.plan(draft, checked)
            following = self._without(checked.breakages, way, draft)
            if isinstance(following, Refusal):
                return following
            way, cast = following
        return Refusal(
            "no step definition would match the new step texts; choose another wording",
            tuple(member.step for member in cast.members[:1]),
            "would not bind",
        )

    def _not_known(self, draft: Draft) -> Refusal | None:
        """A refusal if a file that a runner may load, but that is not read here, uses what changes; or if a definition
        whose expression is unknown may define a step that has none."""
        changing = [step.member for step in draft.steps if step.text != step.member.step.text]
        texts = {member.step.text for member in changing}
        paths = self.suites.hidden_paths if texts else ()
        rewritten = [definition for id_, definition in draft.home.items() if id_ in draft.new_expressions]
        for path, line in users_of(texts, rewritten, paths, self.suites.read) if paths else ():
            message = f"{path}:{line} uses or defines a renamed step, but is not read, because {why_unread(path)}"
            return Refusal(message, kind="a file that is not read uses it")
        return self._perhaps_defined([member.step for member in changing if not member.definitions])

    def _perhaps_defined(self, lone: Sequence[Step]) -> Refusal | None:
        """A refusal if a definition whose expression is unknown may define one of these steps, which have no other."""
        glue = self.suites.glue
        if glue is None or not lone:
            return None
        perhaps = perhaps_defined({step.text for step in lone}, glue, self.suites.code_paths, self.suites.read)
        if perhaps is None:
            return None
        error, path = perhaps
        message = f"{error.path}:{error.line} may define the step, but its text is not known here ({error.message})"
        message += f", and {path} contains the step's words" if path != error.path else ""
        return Refusal(f"{message}; rename it by hand, or write its text as one string first", (lone[0],), "computed")

    def _without_the_named(self, draft: Draft) -> Refusal | None:
        """A refusal if the draft changes other steps, but none that the user named."""
        if not draft.files or any(self._is_named(step.member.step) for step in draft.steps):
            return None
        left = next(((step, reason) for step, reason in draft.cast.left_out if self._is_named(step)), None)
        if left is None:
            return None
        step, reason = left
        return Refusal(f"“{step.text}” would keep its wording: {reason}", (step,), "the named step is left out")

    def _is_named(self, step: Step) -> bool:
        named = self.request.named
        return normalise(step.text) == named if named else is_pointed_at(step, self.request)

    def _without(self, breakages: Sequence[Breakage], way: _Way, draft: Draft) -> tuple[_Way, Cast] | Refusal:
        """How to go on without the members that would not bind; a refusal if that does not help."""
        mine = {place_of(step.member.step): step.member for step in draft.steps}
        dropped: list[tuple[RenamedStep, str]] = []
        rewritten = {definition.id: definition for definition in way.rewritten}
        for breakage in breakages:
            member = mine.get(place_of(breakage.step))
            if member is None or self._must_stay(member, breakage, draft):
                named = tuple(other.step for other in breakages if other.problem is breakage.problem)
                return Refusal(breakage.reason, named, breakage.problem)
            if breakage.problem is BindingProblem.OUT_OF_REACH and rewritten and member.definitions:
                rewritten |= {definition.id: definition for definition in member.definitions}  # renamed too
            else:
                dropped.append((member, breakage.reason))
        kept = [(member, reason) for member, reason in dropped if rewritten.keys().isdisjoint(_ids_of(member))]
        return replace(way, rewritten=tuple(rewritten.values())), draft.cast.without(kept)

    def _must_stay(self, member: RenamedStep, breakage: Breakage, draft: Draft) -> bool:
        """True if leaving a member as it is would not help."""
        if not draft.new_expressions.keys().isdisjoint(_ids_of(member)):
            return True
        return breakage.problem is BindingProblem.MOVED and self._named(member)

    def _named(self, member: RenamedStep) -> bool:
        return is_pointed_at(member.step, self.request)

    # One draft

    def draft(self, way: _Way, cast: Cast) -> Draft | Refusal:
        if way.rewritten:
            draft = self._rewritten(way, cast)
        else:
            steps, dropped = in_target_words(cast.members, self.request)
            draft = Draft(self.suites, cast.without(dropped), steps)
            if way.onto:
                draft = self._onto(draft)
        if isinstance(draft, Draft) and self.definitions.glue is not None:
            settle(draft, self.definitions, self.calls, remove_unused=self.request.remove_unused)
        return draft

    def _reached(self, step: ExpectedStep) -> tuple[StepDefinition, ...]:
        """The definitions that the target already binds to and that take the step's arguments as they are."""
        assert self.definitions.glue is not None
        planned = with_text(step.member.step, step.text)
        binding = self.definitions.glue.bind(planned)
        is_guess = binding.guessed and not self.definitions.bind(step.member.step).guessed
        bound = binding.status is Status.BOUND and not is_guess
        fits = bound and takes(planned, binding.texts, step.arguments)
        return binding.definitions if fits else ()

    def _is_reached(self, steps: Sequence[ExpectedStep]) -> bool:
        """True if a definition takes one of them already. A text that nothing matches anywhere is looked at once."""
        assert self.definitions.glue is not None
        unmatched: set[str] = set()
        for step in steps:
            if step.text in unmatched:
                continue
            if self._reached(step):
                return True
            planned = with_text(step.member.step, step.text)
            drops_colon = planned.argument is not None and step.text.endswith(":")  # as behave does
            is_told = not planned.examples and not drops_colon
            anyhow = replace_step(planned, resolved_type=KeywordType.UNKNOWN)
            if is_told and not any(text.matches for text in self.definitions.glue.matches_anywhere(anyhow)):
                unmatched.add(step.text)
        return False

    def _onto(self, draft: Draft) -> Draft:
        steps = [(step, self._reached(step)) for step in draft.steps]
        reason = "the target's step definition does not match it; rename it separately"
        draft.cast = draft.cast.without((step.member, reason) for step, reached in steps if not reached)
        draft.steps = [step for step, reached in steps if reached]
        draft.home = {definition.id: definition for _, reached in steps for definition in reached}
        return draft

    def _rewritten(self, way: _Way, cast: Cast) -> Draft | Refusal:
        """The definitions with the target's words; every step that binds to one of them changes, too."""
        closure = self.definitions.closure(way.rewritten)
        if isinstance(closure, Refusal):
            return closure
        draft = Draft(self.suites, cast, [], dict(closure.definitions), constants=self.constants)
        families_of_words = families([*closure.definitions.values()])
        at = families_of_words[0][0]
        try:
            words = words_of(self.request, [family[0] for family in families_of_words], closure.members)
            for family in families_of_words:
                at = family[0]
                expression = rewrite(at, words)
                for definition in family:
                    draft.rewrite(definition, expression, closure.definitions.values())
                    draft.new_expressions[definition.id] = expression
            self._reorder(draft, closure, words)
        except UnwritableError as error:
            message = f"the step definition at {at.path}:{at.line} can't be rewritten: {error}"
            return Refusal(message, tuple(member.step for member in cast.members), str(error))
        return self._with_all(draft, closure, words)

    def _reorder(self, draft: Draft, closure: Closure, words: Sequence[Word]) -> None:
        """Functions that take arguments by position take them in the order of the target. Raises `UnwritableError`."""
        assert self.definitions.glue is not None
        rewritten = [*closure.definitions.values()]
        for definition in {definition.function_id: definition for definition in reversed(rewritten)}.values():
            order = order_for_function(definition, words)
            if order is None:
                continue
            edits = reordered(definition, draft.source(definition.path), order)
            definitions, paths = self.definitions.glue.definitions, self.suites.code_paths
            refuse_callers(definition, rewritten, definitions, paths, self.suites.read)
            for edit in edits:
                draft.add(definition.path, edit)
            name = definition.function_name or "the function"
            draft.notes.append(f"{name} ({definition.place}) takes its parameters in a different order")

    def _with_all(self, draft: Draft, closure: Closure, words: Sequence[Word]) -> Draft | Refusal:
        """The draft with the members and all other steps that bind to the rewritten definitions."""
        failed: list[tuple[Step, str]] = []
        for member in closure.members:
            try:
                draft.steps.append(ExpectedStep(member, *member.kept(words)))
            except (UnmappableError, UnrenderableError) as error:
                failed.append((member.step, str(error)))
        if failed:
            message = f"steps of the rewritten definition can't take the new wording: {failed[0][1]}"
            return Refusal(message, tuple(step for step, _ in failed), "a step of the definition can't be renamed")
        users = {place_of(member.step) for member in closure.members}
        chosen = {place_of(member.step) for member in draft.cast.members}
        other = another_meaning(draft, closure, chosen) or kept_denial(draft, self.request)
        if other is not None:
            return other
        changing = (step.member.step for step in draft.steps if step.text != step.member.step.text)
        draft.notes += _changing_too([step for step in changing if place_of(step) not in chosen])
        moving = [member for member in draft.cast.members if place_of(member.step) not in users]
        moved, dropped = in_target_words(moving, self.request, trade_of(draft.steps, self.request))
        draft.steps += moved
        draft.cast = draft.cast.without(dropped)
        follow(draft, self.calls, words)
        return draft

    # What holds

    def plan(self, draft: Draft, checked: Checked) -> RenamePlan:
        rows: Counter[tuple[str, str]] = Counter()
        for step in draft.steps:
            if step.text != step.member.step.text:
                rows[step.member.step.text, step.text] += 1
        unknown = bool(rows) and not any(step.member.definitions for step in draft.steps)
        return RenamePlan(
            target=self.request.target.text,
            files=draft.files,
            table=tuple(
                TextReplacement(before, after, count)
                for (before, after), count in sorted(rows.items(), key=lambda item: (-item[1], item[0]))
            ),
            left_out=draft.cast.gathered(step.member.step for step in draft.steps),
            definitions=tuple(draft.changes),
            warnings=tuple(self._warnings(draft, unknown=unknown)),
            confirmation_needed=unknown,
            moves=checked.moves,
        )

    def _warnings(self, draft: Draft, *, unknown: bool) -> Iterator[str]:
        yield from draft.notes
        if unknown:
            none = self.definitions.glue is None
            reason = "no step definitions are known" if none else "no step definition matches these steps"
            yield f"{reason}: check that the suite still runs"
        yield from self._about_code(draft)
        unbound = sum(not step.member.definitions for step in draft.steps) if draft.home else 0
        if unbound and self.request.move:
            yield f"{counted(unbound, 'step')} had no step definition before and will have one"
        unread = sorted(path for path, file in self.suites.files.items() if file.errors and not file.steps)
        if unread and any(step.text != step.member.step.text for step in draft.steps):
            more = f" and {len(unread) - 1:,} more files" if len(unread) > 1 else ""
            yield f"no step can be read in {unread[0]}{more}: that part is not renamed"

    def _about_code(self, draft: Draft) -> Iterator[str]:
        """Notes on rewritten definitions whose functions read the text of their step, and on imports whose last use
        goes."""
        if any(change.outcome is Outcome.REMOVED for change in draft.changes):
            yield from idle_imports(draft.files, self.suites.read)
        for definition in (change.definition for change in draft.changes if change.outcome is Outcome.REWRITTEN):
            function, own_step = definition.function, writing_of(definition.language).own_step
            if function is None or own_step is None:
                continue
            code = self.suites.read(definition.path)[function.start_byte : function.end_byte]
            if own_step.search(code.decode("utf-8", "replace")):
                yield f"the function at {definition.place} reads the text of its step: check what it looks for"


def _definitions_of(members: Iterable[RenamedStep]) -> tuple[StepDefinition, ...]:
    """The definitions that the members bind to, without duplicates."""
    return tuple({definition.id: definition for member in members for definition in member.definitions}.values())


def _ids_of(member: RenamedStep) -> set[str]:
    return {definition.id for definition in member.definitions}


def _families_by_use(members: Sequence[RenamedStep]) -> list[list[StepDefinition]]:
    """The definitions of members that say the same, those that serve most of them first."""
    uses = Counter(definition.id for member in members for definition in member.definitions)

    def rank(family: Sequence[StepDefinition]) -> tuple[int, str]:
        return -sum(uses[definition.id] for definition in family), min(definition.id for definition in family)

    return sorted(families(_definitions_of(members)), key=rank)


def _changing_too(steps: Sequence[Step]) -> Iterator[str]:
    """Notes on steps that change although nobody named them."""
    if steps:
        texts = len({normalise(step.text) for step in steps})
        several = f"{counted(len(steps), 'more step')} ({counted(texts, 'text')})"
        yield f"{several} of the rewritten definition {'change' if len(steps) > 1 else 'changes'} too"
