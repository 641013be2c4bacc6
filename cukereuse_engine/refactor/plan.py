"""From a request to a plan: which steps change, what they say then, and what happens to the step definitions.

If the target binds to a definition already, members move to it. Otherwise the definition with most uses says the target
from now on, and every step that binds to it is renamed along. A plan is checked before it is given out; no file is
written, and the workspace is left as it was.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from cukereuse_engine.gherkin.model import Step
from cukereuse_engine.glue.binding import Status
from cukereuse_engine.glue.model import StepDefinition
from cukereuse_engine.refactor.arguments import UnmappableError
from cukereuse_engine.refactor.called import calls
from cukereuse_engine.refactor.check import OUT_OF_REACH, Check, ExpectedStep, Finding, takes, with_text
from cukereuse_engine.refactor.definitions import Definitions
from cukereuse_engine.refactor.draft import Draft, settle
from cukereuse_engine.refactor.edits import sorted_edits, step_edit
from cukereuse_engine.refactor.expressions.literals import requote
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.expressions.rewrite import Word, check_order, parameters, rewrite, slots_of
from cukereuse_engine.refactor.frame import framed
from cukereuse_engine.refactor.members import Member
from cukereuse_engine.refactor.model import (
    FileEdits,
    LeftOut,
    Outcome,
    RefusedPlanError,
    RenamePlan,
    RenameRequest,
    Replacement,
    TextEdit,
    Workspace,
)
from cukereuse_engine.refactor.target import UnrenderableError
from cukereuse_engine.text.guards import GUARDS, differing_guards
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.template import mask

_ROUNDS = 6
"""How often members that would not bind are left out before the plan is refused."""


def plan_rename(request: RenameRequest, workspace: Workspace, *, thorough: bool = True) -> RenamePlan:
    """Plan one rename and check it.

    `thorough` reads every touched feature file again; without it the new lines alone are, which is enough for files
    that the official parser reads. Raises `RefusedPlanError` where the suite would break, `OSError` for a source that
    can't be read.
    """
    definitions = Definitions(workspace)
    refused: RefusedPlanError | None = None
    unfit: set[str] = set()
    while True:
        planner = _Planner(request, workspace, definitions, unfit)
        try:
            return planner.plan(thorough=thorough)
        except RefusedPlanError as error:
            refused = refused or error
            if planner.rewriting is None:
                raise refused from None
            unfit |= planner.along or {planner.rewriting}


class _Planner:
    """One way to do it: with the definition of most uses, or with the next one where that can't be."""

    def __init__(self, request: RenameRequest, workspace: Workspace, definitions: Definitions, unfit: set[str]) -> None:
        """`unfit`: ids of definitions that can't be rewritten without breaking the suite."""
        self.request = request
        self.workspace = workspace
        self.target = request.target
        self.definitions = definitions
        self.glue = definitions.glue
        self.unfit = unfit
        self.rewriting: str | None = None
        """Id of the definition that was chosen to be rewritten."""
        self.along: set[str] = set()
        """Ids of others that are rewritten with it: it does not serve their steps, in another scope or keyword."""
        self.left_out: dict[tuple[str, str], list[Step]] = {}
        self.members: list[Member] = []
        self.warnings: list[str] = []
        self._collect()

    def plan(self, *, thorough: bool) -> RenamePlan:
        """Raises `RefusedPlanError`."""
        for _ in range(_ROUNDS):
            draft = self.draft()
            check = Check(
                self.workspace,
                draft.steps,
                draft.sources,
                home=[one for first in draft.home.values() for one in self.definitions.alike(first)],
                removed=draft.removed,
                thorough=thorough,
            )
            offenders = check.run() if draft.steps else []
            if not offenders:
                return self.finished(draft)
            self.leave_out(offenders, draft)
        raise RefusedPlanError("the members would not bind to the target's step definition", kind="would not bind")

    def _collect(self) -> None:
        for text in dict.fromkeys(map(normalise, self.request.members)):
            steps = self.workspace.steps.get(identity(text), ())
            guarded = self._guarded(text)
            for step in steps:
                if guarded:
                    self.leave(step, guarded)
                    continue
                try:
                    self.members.append(self.definitions.member(step))
                except UnmappableError as error:
                    self.leave(step, str(error))

    def _guarded(self, text: str) -> str:
        """Why a member's meaning is not that of the one the user pointed at."""
        reference = self.request.reference
        if not reference or mask(text).lower() == mask(reference).lower():
            return ""
        found = differing_guards(text, reference, self.workspace.languages)
        return f"kept apart: {GUARDS[found[0]]}" if found else ""

    def leave(self, step: Step, reason: str) -> None:
        self.left_out.setdefault((normalise(step.text), reason), []).append(step)

    # One attempt

    def draft(self) -> Draft:
        moved = self._moved(self.members)
        if self.glue is None or not moved:
            return Draft(moved, self.workspace)
        home = self._home_of(moved)
        if home:
            draft = Draft([step for step in moved if self._reaches(step, home)], self.workspace, home)
        elif any(step.member.definitions for step in moved):
            draft = self._rewritten()
        else:
            return Draft(moved, self.workspace)
        settle(draft, self.definitions, remove_unused=self.request.remove_unused)
        return draft

    def _moved(self, members: Sequence[Member]) -> list[ExpectedStep]:
        """What each would say by its own arguments; those that can't are left out."""
        found = []
        for member in members:
            try:
                found.append(ExpectedStep(member, *member.moved(self.target, self.request)))
            except (UnmappableError, UnrenderableError) as error:
                self._drop(member, str(error))
        return found

    def _home_of(self, moved: Sequence[ExpectedStep]) -> dict[str, StepDefinition]:
        """The definitions that the target binds to already, and that take the members' arguments as they are: what most
        members would bind to, with what serves the same members in other scopes."""
        assert self.glue is not None
        found: Counter[frozenset[str]] = Counter()
        by_id: dict[str, StepDefinition] = {}
        for step in moved:
            planned = with_text(step.member.step, step.text)
            binding = self.glue.bind(planned)
            if binding.status is Status.BOUND and takes(planned, binding.texts, step.arguments):
                firsts = self.definitions.firsts(binding.definitions)
                found[frozenset(firsts)] += 1
                by_id |= firsts
        home: set[str] = set(found.most_common(1)[0][0]) if found else set()
        while joined := {one for ids in found if ids & home for one in ids - home}:
            home |= joined
        return {one: by_id[one] for one in sorted(home)}

    def _reaches(self, step: ExpectedStep, home: Mapping[str, StepDefinition]) -> bool:
        assert self.glue is not None
        binding = self.glue.bind(with_text(step.member.step, step.text))
        if binding.status is Status.BOUND and self.definitions.firsts(binding.definitions).keys() <= home.keys():
            return True
        self._drop(step.member, "the target's step definition does not match it; rename it by itself")
        return False

    def _drop(self, member: Member, reason: str) -> None:
        self.members = [one for one in self.members if one is not member]
        self.leave(member.step, reason)

    def _rewritten(self) -> Draft:
        """The definition with most uses, rewritten; every step that binds to it is renamed along.

        Raises `RefusedPlanError` where no definition of the members can say the target.
        """
        uses = Counter(one.id for member in self.members for one in member.definitions)
        by_id = {one.id: one for member in self.members for one in member.definitions}
        failure: UnwritableError | None = None
        self.rewriting = None
        for definition_id in sorted(uses.keys() - self.unfit, key=lambda one: (-uses[one], one)):
            self.rewriting = definition_id
            joined = self.definitions.joined(by_id[definition_id])
            for other in sorted(self.along & by_id.keys()):
                joined |= self.definitions.joined(by_id[other])
            draft = Draft([], self.workspace, {one: first for one, (first, _) in joined.items()})
            try:
                words = self._words(list(draft.home.values()))
                literals = self._literals(draft, words)
            except UnwritableError as error:
                failure = failure or error
                continue
            for one, literal in literals:
                draft.rewrite_literal(one, literal)
            users = {_key(member.step): member for _, members in joined.values() for member in members}
            draft.steps = self._all_of(draft.home, users, words)
            return draft
        self.rewriting = None
        message = f"no step definition can be rewritten: {failure}"
        raise RefusedPlanError(message, [member.step for member in self.members], str(failure))

    def _literals(self, draft: Draft, words: Sequence[Word]) -> list[tuple[StepDefinition, str]]:
        """What each definition is to read. Raises `UnwritableError`."""
        found = []
        for first in draft.home.values():
            draft.new_expressions[first.id] = expression = rewrite(first, words)
            found += [(one, requote(one, expression)) for one in self.definitions.group(first)]
        return found

    def _words(self, definitions: Sequence[StepDefinition]) -> tuple[Word, ...]:
        """What the definitions and their steps are to say: the target, and what stays of the expressions.

        Raises `UnwritableError` where one of the definitions can't take its arguments so.
        """
        places = {tuple(self._places(definition)) for definition in definitions}
        stays = {tuple((one.stays, one.captures > 0) for one in parameters(one).found) for one in definitions}
        if len(places) > 1:
            raise UnwritableError("its step definitions name their arguments differently; number the slots: {1}, {2}")
        if len(stays) > 1 and any(stay for found in stays for stay, _ in found):
            raise UnwritableError("of its step definitions not all take every argument that others may miss")
        ids = {one.id for one in definitions}
        members = [one for one in self.members if any(known.id in ids for known in one.definitions)]
        return framed(self.target, places.pop(), parameters(definitions[0]).found, members)

    def _places(self, definition: StepDefinition) -> list[int]:
        """For each slot the parameter that it stands for: by name where all are known, else by number or order.

        Raises `UnwritableError`.
        """
        slots = [slot.name for slot in self.target.slots]
        found = parameters(definition).found
        taken = slots_of(definition, len(slots))
        names = [found[place].name for place in taken]
        named = all(names.count(slot) == 1 for slot in slots)
        places = [
            taken[names.index(slot) if named else number] for number, slot in zip(self.target.order, slots, strict=True)
        ]
        check_order(definition, places)
        return places

    def _all_of(
        self,
        home: Mapping[str, StepDefinition],
        users: Mapping[tuple[str, int], Member],
        words: Sequence[Word],
    ) -> list[ExpectedStep]:
        """Members, and every other step of the suite that binds to the rewritten definitions (`users`).

        Raises `RefusedPlanError` naming those that can't say the target.
        """
        chosen = {_key(member.step) for member in self.members}
        others = [member for key, member in users.items() if key not in chosen]
        if others:
            texts = len({normalise(member.step.text) for member in others})
            self.warnings = [f"{len(others):,} more steps ({texts:,} texts) of the rewritten definition change too"]
        found: list[ExpectedStep] = []
        failed: list[tuple[Step, str]] = []
        for member in [*self.members, *others]:
            if not any(one.id in home for one in member.definitions):
                found += self._moved([member])
                continue
            try:
                text, arguments = member.kept(words)
            except (UnmappableError, UnrenderableError) as error:
                failed.append((member.step, str(error)))
            else:
                found.append(ExpectedStep(member, text, arguments))
        if failed:
            message = f"steps of the rewritten definition can't say the target: {failed[0][1]}"
            raise RefusedPlanError(message, [step for step, _ in failed], "a step of the definition can't be renamed")
        kept = {id(step.member) for step in found}
        self.members = [member for member in self.members if id(member) in kept]
        return found

    # After the check

    def leave_out(self, offenders: Sequence[Finding], draft: Draft) -> None:
        """Go on without the members that would not bind. Raises `RefusedPlanError` where that does not help."""
        mine = {_key(step.member.step): step for step in draft.steps}
        for offender in offenders:
            step = mine.get(_key(offender.step)) if offender.is_member else None
            stuck = step is None or (
                draft.new_expressions and any(one.id in draft.home for one in step.member.definitions)
            )
            if stuck:
                named = [one.step for one in offenders if one.kind == offender.kind]
                raise RefusedPlanError(offender.reason, named, offender.kind)
            assert step is not None
            own = {one.id for one in step.member.definitions}
            if offender.kind == OUT_OF_REACH and own and not own & (self.unfit | self.along):
                self.along |= own
            elif not own & self.along:
                self._drop(step.member, offender.reason)

    def finished(self, draft: Draft) -> RenamePlan:
        by_file: dict[str, list[TextEdit]] = {}
        rows: Counter[tuple[str, str]] = Counter()
        for step in draft.steps:
            if step.text != step.member.step.text:
                by_file.setdefault(step.member.step.path, []).append(step_edit(step.member.step, step.text))
                rows[step.member.step.text, step.text] += 1
        files = [
            FileEdits(path, known.content_hash, sorted_edits(edits), False, known.encoding)
            for path, edits in by_file.items()
            for known in (self.workspace.files[path],)
        ]
        sources = [file for file in draft.sources.values() if any(edit.old != edit.new for edit in file.edits)]
        unknown = not draft.home and bool(rows)
        if unknown:
            known = "no step definitions are known" if self.glue is None else "no step definition matches the members"
            self.warnings.append(f"{known}: whether the suite still runs is for you to check")
        unbound = sum(not step.member.definitions for step in draft.steps) if draft.home else 0
        if unbound:
            self.warnings.append(f"{unbound:,} steps had no step definition before and have one now")
        gone = [one for one in draft.changes if one.outcome in (Outcome.REWRITTEN, Outcome.REMOVED)]
        called = calls(self.workspace, [one for change in gone for one in (change.definition, *change.also)])
        if called:
            more = f" and {len(called) - 5:,} more" if len(called) > 5 else ""
            places = ", ".join(called[:5]) + more
            self.warnings.append(f"glue code runs these steps by their old words, which is for you to change: {places}")
        unread = sorted(path for path, file in self.workspace.files.items() if file.errors and not file.steps)
        if unread and rows:
            more = f" and {len(unread) - 1:,} more files" if len(unread) > 1 else ""
            self.warnings.append(f"no step can be read in {unread[0]}{more}: what stands there is not renamed")
        left_out = self._left_out(draft)
        return RenamePlan(
            target=self.target.text,
            files=tuple(sorted([*files, *sources], key=lambda file: file.path)),
            table=tuple(
                Replacement(before, after, count)
                for (before, after), count in sorted(rows.items(), key=lambda item: (-item[1], item[0]))
            ),
            left_out=left_out,
            definitions=tuple(draft.changes),
            warnings=tuple(self.warnings),
            confirmation_needed=unknown,
        )

    def _left_out(self, draft: Draft) -> tuple[LeftOut, ...]:
        """Members that stay as they are; not those that the rewritten definition takes along after all."""
        changed = {_key(step.member.step) for step in draft.steps}
        found = []
        for (text, reason), steps in self.left_out.items():
            remaining = tuple(step for step in steps if _key(step) not in changed)
            if remaining:
                found.append(LeftOut(text, remaining, reason))
        return tuple(found)


def _key(step: Step) -> tuple[str, int]:
    return step.path, step.span.start
