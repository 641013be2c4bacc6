"""From a request to a plan: which steps change, what they say then, and what happens to the step definitions.

If the target binds to a definition already, members move to it. Otherwise the definition with most uses says the target
from now on, and every step that binds to it is renamed along. A plan is checked before it is given out; no file is
written, and the workspace is left as it was.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from cukereuse_engine.gherkin.model import Step
from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.glue.model import StepDefinition
from cukereuse_engine.glue.workspace import Glue, StepBinding
from cukereuse_engine.refactor.arguments import UnmappableError
from cukereuse_engine.refactor.check import Check, ExpectedStep, Finding, binds_to, takes, with_text
from cukereuse_engine.refactor.edits import ChangedFileError, byte_edit, sorted_edits, source_text, step_edit
from cukereuse_engine.refactor.expressions.literals import requote
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.expressions.rewrite import check_order, parameters, rewrite
from cukereuse_engine.refactor.members import Member, SameDefinitions, member_of
from cukereuse_engine.refactor.model import (
    DefinitionChange,
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
from cukereuse_engine.refactor.removal import UnremovableError, removal_edit
from cukereuse_engine.refactor.target import UnrenderableError
from cukereuse_engine.text.guards import GUARDS, differing_guards
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.template import mask

_ROUNDS = 4
"""How often members that would not bind are left out before the plan is refused."""


def plan_rename(request: RenameRequest, workspace: Workspace, *, thorough: bool = True) -> RenamePlan:
    """Plan one rename and check it.

    `thorough` reads every touched feature file again; without it the new lines alone are, which is enough for files
    that the official parser reads. Raises `RefusedPlanError` where the suite would break, `OSError` for a source that
    can't be read.
    """
    planner = _Planner(request, workspace)
    for _ in range(_ROUNDS):
        draft = planner.draft()
        check = Check(workspace, draft.steps, draft.sources, removed=draft.removed, thorough=thorough)
        offenders = check.run() if draft.steps else []
        if not offenders:
            return planner.finished(draft)
        planner.leave_out(offenders, draft)
    raise RefusedPlanError("the members would not bind to the target's step definition", kind="would not bind")


@dataclass(slots=True)
class _Draft:
    """One attempt: what the steps would say, and what the sources would hold."""

    steps: list[ExpectedStep]
    home: StepDefinition | None = None
    """The definition that all members bind to afterwards."""
    new_expression: str = ""
    """Where `home` is rewritten."""
    sources: dict[str, FileEdits] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()
    """Ids of definitions that go."""
    changes: list[DefinitionChange] = field(default_factory=list)


class _Planner:
    def __init__(self, request: RenameRequest, workspace: Workspace) -> None:
        self.request = request
        self.workspace = workspace
        self.target = request.target
        self.glue: Glue | None = workspace.glue if workspace.glue is not None and workspace.glue.definitions else None
        self.left_out: dict[tuple[str, str], list[Step]] = {}
        self.members: list[Member] = []
        self.warnings: list[str] = []
        self.bindings: dict[tuple[str, int], StepBinding] = {}
        self.groups = SameDefinitions(self.glue.definitions if self.glue is not None else ())
        self._collect()

    def bind(self, step: Step) -> StepBinding:
        """What a step binds to before the rename."""
        assert self.glue is not None
        key = (step.path, step.span.start)
        if key not in self.bindings:
            self.bindings[key] = self.glue.bind(step)
        return self.bindings[key]

    @property
    def binder(self) -> Callable[[Step], StepBinding] | None:
        return self.bind if self.glue is not None else None

    def _collect(self) -> None:
        for text in dict.fromkeys(map(normalise, self.request.members)):
            steps = self.workspace.steps.get(identity(text), ())
            guarded = self._guarded(text)
            for step in steps:
                if guarded:
                    self.leave(step, guarded)
                    continue
                try:
                    self.members.append(self.member(step))
                except UnmappableError as error:
                    self.leave(step, str(error))

    def member(self, step: Step) -> Member:
        """With what stands for its definition. Raises `UnmappableError`."""
        member = member_of(step, self.binder)
        if member.definition is None:
            return member
        return replace(member, definition=self.groups.of(member.definition)[0])

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

    def draft(self) -> _Draft:
        moved = self._moved(self.members)
        if self.glue is None or not moved:
            return _Draft(moved)
        home = self._home_of(moved)
        if home is not None:
            draft = _Draft([step for step in moved if self._reaches(step, home)], home)
        elif any(step.member.definition for step in moved):
            draft = self._rewritten()
        else:
            return _Draft(moved)
        self._settle(draft)
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

    def _home_of(self, moved: Sequence[ExpectedStep]) -> StepDefinition | None:
        """The definition that the target binds to already, and that takes the members' arguments as they are."""
        assert self.glue is not None
        found: Counter[str] = Counter()
        by_id: dict[str, StepDefinition] = {}
        for step in moved:
            planned = with_text(step.member.step, step.text)
            binding = self.glue.bind(planned)
            definition = binds_to(binding)
            if definition is not None and takes(planned, binding.texts, step.arguments):
                definition = self.groups.of(definition)[0]
                found[definition.id] += 1
                by_id[definition.id] = definition
        return by_id[found.most_common(1)[0][0]] if found else None

    def _reaches(self, step: ExpectedStep, home: StepDefinition) -> bool:
        assert self.glue is not None
        definition = binds_to(self.glue.bind(with_text(step.member.step, step.text)))
        if definition is not None and self.groups.of(definition)[0].id == home.id:
            return True
        self._drop(step.member, "the target's step definition does not match it")
        return False

    def _drop(self, member: Member, reason: str) -> None:
        self.members = [one for one in self.members if one is not member]
        self.leave(member.step, reason)

    def _rewritten(self) -> _Draft:
        """The definition with most uses, rewritten; every step that binds to it is renamed along.

        Raises `RefusedPlanError` where no definition of the members can say the target.
        """
        uses = Counter(member.definition.id for member in self.members if member.definition is not None)
        by_id = {member.definition.id: member.definition for member in self.members if member.definition is not None}
        failure: UnwritableError | None = None
        for definition_id, _ in sorted(uses.items(), key=lambda item: (-item[1], item[0])):
            definition = by_id[definition_id]
            try:
                places = self._places(definition)
                expression = rewrite(definition, self.target, places)
                literals = [(one, requote(one, expression)) for one in self.groups.of(definition)]
            except UnwritableError as error:
                failure = failure or error
                continue
            draft = _Draft([], definition, expression)
            for one, literal in literals:
                self._add_edit(draft, one.path, self._literal_edit(one, literal))
            draft.steps = self._all_of(definition, places)
            return draft
        message = f"no step definition can be rewritten: {failure}"
        raise RefusedPlanError(message, [member.step for member in self.members], str(failure))

    def _places(self, definition: StepDefinition) -> list[int]:
        """For each slot the parameter that it stands for: by name where all are known, else by number or order."""
        names = [parameter.name for parameter in parameters(definition)]
        slots = [slot.name for slot in self.target.slots]
        named = bool(slots) and len(set(names)) == len(names) and all(slot in names for slot in slots)
        places = [names.index(slot) for slot in slots] if named else list(self.target.order)
        check_order(definition, places)
        return places

    def _literal_edit(self, definition: StepDefinition, literal: str) -> TextEdit:
        source = self._source(definition.path)
        span = definition.literal
        edit = byte_edit(source, span.start_byte, span.end_byte, literal)
        if edit.old != definition.source_literal:
            raise ChangedFileError(f"{definition.path} has changed since it was read", "Plan again.")
        return edit

    def _add_edit(self, draft: _Draft, path: str, edit: TextEdit) -> None:
        known = draft.sources.get(path)
        edits = (*known.edits, edit) if known is not None else (edit,)
        version = known.version if known is not None else content_hash(self.workspace.read(path))
        draft.sources[path] = FileEdits(path, version, sorted_edits(edits), True, "utf-8")

    def _source(self, path: str) -> str:
        """With its byte order mark, so that byte offsets hold."""
        data = self.workspace.read(path)
        return ("\ufeff" if data.startswith(b"\xef\xbb\xbf") else "") + source_text(data)

    def _all_of(self, definition: StepDefinition, places: Sequence[int]) -> list[ExpectedStep]:
        """Members, and every other step of the suite that binds to the definition.

        Raises `RefusedPlanError` naming those that can't say the target.
        """
        chosen = {(member.step.path, member.step.span.start) for member in self.members}
        others = [member for member in self.users_of(definition) if _key(member.step) not in chosen]
        if others:
            texts = len({normalise(member.step.text) for member in others})
            self.warnings = [f"{len(others):,} more steps ({texts:,} texts) of the rewritten definition change too"]
        found: list[ExpectedStep] = []
        failed: list[tuple[Step, str]] = []
        for member in [*self.members, *others]:
            if member.definition is None or member.definition.id != definition.id:
                found += self._moved([member])
                continue
            try:
                text, arguments = member.kept(self.target, places)
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

    def users_of(self, definition: StepDefinition) -> list[Member]:
        """Every step that binds to a definition. Raises `RefusedPlanError` where one binds to others too."""
        found: list[Member] = []
        for step in self._bound_to(definition):
            try:
                found.append(self.member(step))
            except UnmappableError as error:
                message = f"a step of the rewritten definition can't be renamed: {error}"
                raise RefusedPlanError(message, [step], "a step of the definition can't be renamed") from None
        return found

    def _bound_to(self, definition: StepDefinition) -> Iterator[Step]:
        """Every step that binds to a definition or to one that is the same."""
        assert self.glue is not None
        ids = {one.id for one in self.groups.of(definition)}
        texts = frozenset().union(*(self.glue.texts_of(one) for one in ids))
        for step in self.workspace.saying(texts):
            if any(one.id in ids for one in self.bind(step).definitions):
                yield step

    # What becomes of the definitions

    def _settle(self, draft: _Draft) -> None:
        assert draft.home is not None
        old = {step.member.definition.id: step.member.definition for step in draft.steps if step.member.definition}
        involved = {**old, draft.home.id: draft.home}
        uses = {one: sum(1 for _ in self._bound_to(definition)) for one, definition in involved.items()}
        going = Counter(step.member.definition.id for step in draft.steps if step.member.definition is not None)
        removed: set[str] = set()
        for definition_id, definition in involved.items():
            before = uses[definition_id]
            if definition_id == draft.home.id:
                after = before - going[definition_id] + len(draft.steps)
                outcome = Outcome.REWRITTEN if draft.new_expression else Outcome.TARGET
                draft.changes.append(DefinitionChange(definition, outcome, before, after, draft.new_expression))
                continue
            after = before - going[definition_id]
            note = ""
            outcome = Outcome.KEPT if after else Outcome.UNUSED
            if not after and self.request.remove_unused:
                note = self._remove(definition, draft)
                outcome = Outcome.UNUSED if note else Outcome.REMOVED
                removed |= set() if note else {one.id for one in self.groups.of(definition)}
            draft.changes.append(DefinitionChange(definition, outcome, before, after, note=note))
        draft.removed = frozenset(removed)

    def _remove(self, definition: StepDefinition, draft: _Draft) -> str:
        """Add the edit that removes a definition; gives the reason where that is left to the user."""
        assert self.glue is not None
        same = {one.id for one in self.groups.of(definition)[1:]}
        others = [one for one in self.glue.definitions if one.id not in same]
        try:
            edit = removal_edit(definition, self._source(definition.path), others)
        except UnremovableError as error:
            return str(error)
        known = draft.sources.get(definition.path)
        if known is not None and any(one.start < edit.end and edit.start < one.end for one in known.edits):
            return "another change stands in it"
        self._add_edit(draft, definition.path, edit)
        return ""

    # After the check

    def leave_out(self, offenders: Sequence[Finding], draft: _Draft) -> None:
        """Go on without the members that would not bind. Raises `RefusedPlanError` where that does not help."""
        mine = {_key(step.member.step): step for step in draft.steps}
        for offender in offenders:
            step = mine.get(_key(offender.step)) if offender.is_member else None
            stuck = step is None or (
                draft.new_expression
                and draft.home is not None
                and step.member.definition is not None
                and step.member.definition.id == draft.home.id
            )
            if stuck:
                named = [one.step for one in offenders if one.kind == offender.kind]
                raise RefusedPlanError(offender.reason, named, offender.kind)
            assert step is not None
            self._drop(step.member, offender.reason)

    def finished(self, draft: _Draft) -> RenamePlan:
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
        unknown = draft.home is None and bool(rows)
        if unknown:
            known = "no step definitions are known" if self.glue is None else "no step definition matches the members"
            self.warnings.append(f"{known}: whether the suite still runs is for you to check")
        unbound = sum(step.member.definition is None for step in draft.steps) if draft.home is not None else 0
        if unbound:
            self.warnings.append(f"{unbound:,} steps had no step definition before and have one now")
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

    def _left_out(self, draft: _Draft) -> tuple[LeftOut, ...]:
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
