"""Units: what findings about wordings consist of. A unit is all templates that one function serves, or one template if
no function is known."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from cukereuse_engine.detection.canonical import canonical, has_slip
from cukereuse_engine.detection.context import Context
from cukereuse_engine.findings.finding import Subject, Wording, places_of
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.grouped import grouped
from cukereuse_engine.index.disjoint_sets import DisjointSets
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import SlotType

_OTHER_ROLE = 0.1
"""Share of a unit's steps that may have another role before the unit counts as used in both."""


@dataclass(frozen=True, eq=False)
class Unit:
    """The steps of a suite with one function or template. Immutable; compared by identity."""

    templates: tuple[tuple[StepText, ...], ...]
    """The texts of each template, the most used template first."""
    wordings: tuple[StepText, ...]
    """The text that a person knows each template by."""
    steps: tuple[Step, ...]
    definitions: tuple[StepDefinition, ...]
    """Definitions by path and line; empty if none is known."""
    is_defined: bool
    """True if it has a definition, or if an outside library may have one for all its steps."""
    languages: tuple[str, ...]

    @property
    def shown(self) -> StepText:
        """The text that a person knows it by."""
        return self.wordings[0]

    @property
    def masked(self) -> str:
        return self.shown.template.masked

    @cached_property
    def order(self) -> tuple[bool, bool, int, str]:
        """Sort key: the unit that should remain comes first: one without a slip, then one that is defined, then the
        most used."""
        slip = all(has_slip(text) for text in self.templates[0])
        return (slip, not self.is_defined, -len(self.steps), self.shown.text)

    @cached_property
    def attached(self) -> frozenset[str | None]:
        """Kinds of attachments of its steps: "docstring", "table", or None for nothing."""
        return frozenset(step.argument for step in self.steps)

    @cached_property
    def scenarios(self) -> frozenset[tuple[str, int]]:
        """Path and line of each scenario that has its steps."""
        return frozenset((step.path, step.scenario_line) for step in self.steps)

    @cached_property
    def argument_types(self) -> tuple[frozenset[SlotType], ...]:
        """The type of each argument over all texts: a number, a placeholder for any type, or a string otherwise."""
        types: list[set[SlotType]] = []
        for text in (text for texts in self.templates for text in texts):
            for place, argument in enumerate(text.template.arguments):
                if place == len(types):
                    types.append(set())
                is_typed = argument.type in (SlotType.NUMBER, SlotType.PLACEHOLDER)
                types[place].add(argument.type if is_typed else SlotType.STRING)
        return tuple(map(frozenset, types))

    @cached_property
    def _roles(self) -> Counter[KeywordType]:
        return Counter(step.resolved_type for step in self.steps)

    @property
    def checks(self) -> bool | None:
        """True if its steps are outcomes, False if they are contexts and actions; None if they are both."""
        return self._mostly(KeywordType.OUTCOME, (KeywordType.CONTEXT, KeywordType.ACTION))

    @property
    def sets_up(self) -> bool | None:
        """True if its steps are contexts, False if they are not; None if they are both."""
        return self._mostly(KeywordType.CONTEXT, (KeywordType.ACTION, KeywordType.OUTCOME))

    def _mostly(self, role: KeywordType, others: tuple[KeywordType, ...]) -> bool | None:
        roles = self._roles
        total = roles[role] + sum(roles[other] for other in others)
        if total < (1 - _OTHER_ROLE) * roles.total() or not total:
            return None
        share = roles[role] / total
        return True if share >= 1 - _OTHER_ROLE else False if share <= _OTHER_ROLE else None

    def wording(self, texts: Iterable[StepText]) -> StepText:
        """The text that represents the template of one of `texts`."""
        keys = {text.template.key for text in texts}
        return next(wording for wording in self.wordings if wording.template.key in keys)

    def subject(self, said: StepText | None = None) -> Subject:
        """The unit as the subject of a finding, named by its function's expression if there is one, otherwise by its
        template. `said`: the text that the finding is about; by default the most used one."""
        counts = [sum(text.occurrences for text in texts) for texts in self.templates]
        expressions = (definition.expression for definition in self.definitions if definition.expression)
        return Subject(
            text=(said or self.shown).text,
            identity=min(expressions, default=self.shown.template.key),
            occurrences=len(self.steps),
            places=places_of(self.steps),
            definitions=self.definitions,
            wordings=tuple(Wording(text.text, text.template, n) for text, n in zip(self.wordings, counts, strict=True)),
        )


def by_template(texts: Iterable[StepText]) -> dict[str, list[StepText]]:
    return grouped((text.template.key, text) for text in texts)


def units_of(groups: Iterable[Sequence[StepText]], context: Context) -> list[Unit]:
    """The units of these groups of texts, each of one template: those that share a function, directly or through
    others, are one unit. Groups without steps are left out."""
    placed = [[text for text in texts if context.steps.get(text.identity)] for texts in groups]
    bound = [context.defined_for(texts) for texts in placed]
    units = DisjointSets[int]()
    first_with: dict[str, int] = {}
    for number, definitions in enumerate(bound):
        for definition in definitions.values():
            units.join(first_with.setdefault(definition.function_id, number), number)
    members = grouped((units.root(number), number) for number, texts in enumerate(placed) if texts)
    return [
        _unit([placed[number] for number in numbers], [bound[number] for number in numbers], context)
        for numbers in members.values()
    ]


def _unit(templates: list[list[StepText]], definitions: Iterable[dict[str, StepDefinition]], context: Context) -> Unit:
    wording_of = {texts[0].template.key: canonical(texts) for texts in templates}

    def uses(texts: list[StepText]) -> tuple[int, str]:
        return (-len(context.steps_of(texts)), wording_of[texts[0].template.key].text)

    ordered = tuple(tuple(texts) for texts in sorted(templates, key=uses))
    definition_of = {definition.id: definition for group in definitions for definition in group.values()}
    steps = context.steps_of(text for texts in ordered for text in texts)
    bind = context.bindings
    return Unit(
        ordered,
        tuple(wording_of[texts[0].template.key] for texts in ordered),
        tuple(steps),
        tuple(sorted(definition_of.values(), key=lambda definition: (definition.path, definition.line, definition.id))),
        bool(definition_of) or (bind is not None and all(bind(step).libraries for step in steps)),
        context.detection.options.languages,
    )
