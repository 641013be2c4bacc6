"""The step definitions of suites as a rename sees them: which steps they serve, and which can't be distinguished.

Definitions that one step binds to, in two scopes or runners, can't be rewritten without each other. Knows the suites as
they are before the rename.
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.step_binding import StepBinding
from cukereuse_engine.refactor.arguments import UnmappableError
from cukereuse_engine.refactor.members import RenamedStep, member_of, saying
from cukereuse_engine.refactor.rename_plan import Bindings, ReadSuites, Refusal

Place = tuple[str, int]
"""A step's file, and the offset of its text."""


def place_of(step: Step) -> Place:
    return step.path, step.span.start


@dataclass(frozen=True, slots=True)
class Closure:
    """Definitions that can only be rewritten together."""

    definitions: Mapping[str, StepDefinition]
    """By id, in the order of ids."""
    members: tuple[RenamedStep, ...]
    """Every step that binds to one of them."""


class Definitions:
    """The suites' definitions. Bindings are kept, because a rename asks for the same steps repeatedly."""

    def __init__(self, suites: ReadSuites) -> None:
        self.glue: Bindings | None = suites.glue if suites.glue is not None and suites.glue.definitions else None
        self._suites = suites
        self._by_function: dict[tuple[object, ...], list[StepDefinition]] = {}
        for definition in self.glue.definitions if self.glue is not None else ():
            self._by_function.setdefault(_of_function(definition), []).append(definition)
        self._bindings: dict[Place, StepBinding] = {}
        self._members: dict[Place, RenamedStep] = {}
        self._read_members: dict[Hashable, RenamedStep] = {}
        self._users: dict[str, list[Step]] = {}

    def bind(self, step: Step) -> StepBinding:
        """What a step binds to before the rename."""
        assert self.glue is not None
        key = place_of(step)
        if key not in self._bindings:
            self._bindings[key] = self.glue.bind(step)
        return self._bindings[key]

    def member(self, step: Step) -> RenamedStep:
        """The step as a member of the rename. Raises `UnmappableError`."""
        key = place_of(step)
        if key not in self._members:
            self._members[key] = member_of(step, self.bind if self.glue is not None else None, self._read_members)
        return self._members[key]

    def users(self, definition: StepDefinition) -> Sequence[Step]:
        """Every step that binds to a definition."""
        assert self.glue is not None
        if definition.id not in self._users:
            steps = self._suites.saying(self.glue.texts_of(definition.id))
            self._users[definition.id] = [
                step
                for step in steps
                if any(served_by.id == definition.id for served_by in self.bind(step).definitions)
            ]
        return self._users[definition.id]

    def users_of(self, definitions: Iterable[StepDefinition]) -> list[Step]:
        """Every step that binds to one of these definitions, without duplicates."""
        return list({place_of(step): step for definition in definitions for step in self.users(definition)}.values())

    def with_keywords(self, definition: StepDefinition) -> Sequence[StepDefinition]:
        """The definitions with the same expression on the same function, under any keyword."""
        return self._by_function[_of_function(definition)]

    def _overridden(self, definition: StepDefinition) -> Iterator[StepDefinition]:
        """Turnip's definitions with the same expression that match steps but serve none: of methods with one name only
        the last one that is loaded counts, and nothing here tells the order of loading."""
        assert self.glue is not None
        for other in self.glue.definitions if definition.framework == "turnip" else ():
            alike = saying(other) == saying(definition) and other.limits == definition.limits
            if alike and other.id != definition.id and self.glue.texts_of(other.id) and not self.users(other):
                yield other

    def closure(self, definitions: Iterable[StepDefinition]) -> Closure | Refusal:
        """The definitions with all that can't be rewritten without them; a refusal if one of them is a translation, or
        if the definitions of one of their steps say different things."""
        definition_of: dict[str, StepDefinition] = {}
        members: dict[Place, RenamedStep] = {}
        waiting = list(definitions)
        while waiting:
            definition = waiting.pop()
            if definition.id in definition_of:
                continue
            definition_of[definition.id] = definition
            if definition.is_translation:
                message = (
                    f"this step is a translation of the step definition at {definition.place}; "
                    f"reword the translation instead"
                )
                return Refusal(message, tuple(self.users(definition)[:1]), "said by a translation")
            waiting += [*self.with_keywords(definition), *self._overridden(definition)]
            for step in self.users(definition):
                try:
                    members[place_of(step)] = self.member(step)
                except UnmappableError as error:
                    message = f"a step of the rewritten definition can't be renamed: {error}"
                    return Refusal(message, (step,), f"a step of the definition: {error}")
                waiting += self.bind(step).definitions
        return Closure(dict(sorted(definition_of.items())), tuple(members.values()))


def families(definitions: Collection[StepDefinition]) -> list[list[StepDefinition]]:
    """The definitions grouped by what they say, sorted by place; for a text, those of a group count as one."""
    groups: dict[tuple[object, ...], list[StepDefinition]] = {}
    for definition in sorted(definitions, key=lambda definition: (definition.path, definition.literal.start_byte)):
        groups.setdefault(saying(definition), []).append(definition)
    return list(groups.values())


def _of_function(definition: StepDefinition) -> tuple[object, ...]:
    return definition.function_id, *saying(definition)
