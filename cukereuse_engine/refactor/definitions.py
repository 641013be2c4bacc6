"""The step definitions of a suite as a rename sees them: which say the same, and which steps they serve.

Definitions with one expression are one for a rename, wherever they stand: on one function under several keywords, or on
a function for each scope, runner or project that runs the step. Knows the suite as it is before the rename.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

from cukereuse_engine.gherkin.model import Step
from cukereuse_engine.glue.model import StepDefinition
from cukereuse_engine.glue.workspace import Glue, StepBinding
from cukereuse_engine.refactor.arguments import UnmappableError
from cukereuse_engine.refactor.members import Member, member_of, saying
from cukereuse_engine.refactor.model import RefusedPlanError, Workspace


class Definitions:
    """One workspace. Bindings are kept: a rename asks for the same steps again and again."""

    def __init__(self, workspace: Workspace) -> None:
        self.glue: Glue | None = workspace.glue if workspace.glue is not None and workspace.glue.definitions else None
        self._workspace = workspace
        self._alike: dict[tuple[object, ...], list[StepDefinition]] = {}
        for definition in self.glue.definitions if self.glue is not None else ():
            self._alike.setdefault(saying(definition), []).append(definition)
        self._bindings: dict[tuple[str, int], StepBinding] = {}
        self._members: dict[tuple[str, int], Member] = {}
        self._told: dict[Hashable, Member] = {}
        self._users: dict[str, list[Step]] = {}

    def bind(self, step: Step) -> StepBinding:
        """What a step binds to before the rename."""
        assert self.glue is not None
        key = (step.path, step.span.start)
        if key not in self._bindings:
            self._bindings[key] = self.glue.bind(step)
        return self._bindings[key]

    def first(self, definition: StepDefinition) -> StepDefinition:
        """The definition that stands for all that say the same: the first by place."""
        return self._alike[saying(definition)][0]

    def alike(self, first: StepDefinition) -> Sequence[StepDefinition]:
        """All that say the same, those that serve no step of the suite too."""
        return self._alike[saying(first)]

    def firsts(self, definitions: Iterable[StepDefinition]) -> dict[str, StepDefinition]:
        """What stands for each of them, by id."""
        return {first.id: first for first in map(self.first, definitions)}

    def member(self, step: Step) -> Member:
        """With the definitions that stand for its own. Raises `UnmappableError`."""
        key = (step.path, step.span.start)
        if key not in self._members:
            member = member_of(step, self.bind if self.glue is not None else None, self._told)
            self._members[key] = replace(member, definitions=tuple(self.firsts(member.definitions).values()))
        return self._members[key]

    def users(self, first: StepDefinition) -> Sequence[Step]:
        """Every step that binds to a definition, or to one that says the same."""
        assert self.glue is not None
        if first.id not in self._users:
            ids = {one.id for one in self.alike(first)}
            texts = frozenset[str]().union(*(self.glue.texts_of(one) for one in ids))
            self._users[first.id] = [
                step
                for step in self._workspace.saying(texts)
                if any(one.id in ids for one in self.bind(step).definitions)
            ]
        return self._users[first.id]

    def group(self, first: StepDefinition) -> list[StepDefinition]:
        """The definitions that say the same and serve steps of this suite, each with all keywords of its function.

        Those that serve none are not touched: they may be another suite's.
        """
        serving = {one.function_id for step in self.users(first) for one in self.bind(step).definitions}
        return [one for one in self.alike(first) if one.function_id in serving]

    def joined(self, first: StepDefinition) -> dict[str, tuple[StepDefinition, list[Member]]]:
        """The definition with all that can't be rewritten without each other, as one step binds to both in two scopes
        or runners: by id, each with the steps that bind to it.

        Raises `RefusedPlanError` where one of these steps binds to several definitions that say different things.
        """
        found: dict[str, tuple[StepDefinition, list[Member]]] = {}
        waiting = [first]
        while waiting:
            one = waiting.pop()
            if one.id in found:
                continue
            members: list[Member] = []
            for step in self.users(one):
                try:
                    members.append(self.member(step))
                except UnmappableError as error:
                    message = f"a step of the rewritten definition can't be renamed: {error}"
                    raise RefusedPlanError(message, [step], f"a step of the definition: {error}") from None
                waiting += members[-1].definitions
            found[one.id] = one, members
        return dict(sorted(found.items()))
