"""Wordings that count as one, and what keeps two of them from being a finding however near they are.

Only what bindings, roles and arguments say; how near texts are, the judge said.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cukereuse_engine.detection.canonical import canonical, has_slip
from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.model import Subject, Wording, places_of
from cukereuse_engine.glue.model import StepDefinition
from cukereuse_engine.judging.agreement import plain_wording
from cukereuse_engine.judging.intent import REORDERED
from cukereuse_engine.judging.meaning import meaning_of, one_with_argument
from cukereuse_engine.judging.model import StepText
from cukereuse_engine.text.template import SLOT, SlotType


@dataclass(frozen=True, slots=True)
class Part:
    """Wordings or texts that count as one: they share a step definition's function, or are one."""

    texts: list[StepText]
    definitions: dict[str, StepDefinition]
    occurrences: int
    wordings: frozenset[str]
    """The templates of the texts, without what one definition mostly takes in any form."""
    functions: frozenset[str]

    def is_one_with(self, other: "Part") -> bool:
        """Whether a function serves both; or, where not both are defined, they differ at most in who acts, articles
        and the like: mostly one definition takes them all."""
        if self.functions and other.functions:
            return not self.functions.isdisjoint(other.functions)
        return not self.wordings.isdisjoint(other.wordings)

    def with_(self, other: "Part") -> "Part":
        return Part(
            self.texts + other.texts,
            self.definitions | other.definitions,
            self.occurrences + other.occurrences,
            self.wordings | other.wordings,
            self.functions | other.functions,
        )

    @property
    def argument_types(self) -> list[set[SlotType]]:
        """For each argument, what it is over the texts: a number, a placeholder for any, or a string for the rest."""
        types: list[set[SlotType]] = []
        for text in self.texts:
            for place, argument in enumerate(text.template.arguments):
                if place == len(types):
                    types.append(set())
                known = argument.type in (SlotType.NUMBER, SlotType.PLACEHOLDER)
                types[place].add(argument.type if known else SlotType.STRING)
        return types

    @property
    def masked(self) -> str:
        """The canonical text's mask."""
        return canonical(self.texts).template.masked

    @property
    def slips(self) -> bool:
        return all(has_slip(text) for text in self.texts)


def by_template(texts: Iterable[StepText]) -> list[list[StepText]]:
    groups: dict[str, list[StepText]] = {}
    for text in texts:
        groups.setdefault(text.template.key, []).append(text)
    return list(groups.values())


def parts_of(groups: Iterable[list[StepText]], context: Context) -> list[Part]:
    """Groups that are one become one part; the most used part first, one with a slip of the pen last."""
    parts: list[Part] = []
    for texts in groups:
        placed = [text for text in texts if context.steps.get(text.identity)]
        if not placed:
            continue
        part = _part(placed, context)
        for other in [other for other in parts if other.is_one_with(part)]:
            parts.remove(other)
            part = other.with_(part)
        parts.append(part)
    return sorted(parts, key=lambda part: (part.slips, -part.occurrences, canonical(part.texts).text))


def _part(texts: list[StepText], context: Context) -> Part:
    steps = context.steps_of(texts)
    definitions = context.definitions(steps)
    return Part(
        texts,
        definitions,
        len(steps),
        frozenset(plain_wording(text.template.key, context.detection.languages) for text in texts),
        frozenset(definition.function_id for definition in definitions.values()),
    )


def subject_of(part: Part, context: Context, *, by_text: bool = False) -> Subject:
    """The part's canonical template with all its steps; what other templates of the part add stays out. `by_text`: it
    is known by its text, as its template doesn't tell it from the others."""
    shown = canonical(part.texts)
    texts = [text for text in part.texts if text.template.key == shown.template.key]
    steps = context.steps_of(texts)
    bound = context.definitions(steps) or part.definitions
    definitions = tuple(sorted(bound.values(), key=lambda d: (d.path, d.line, d.id)))
    wording = Wording(shown.text, shown.template, len(steps))
    key = shown.text if by_text else shown.template.key
    return Subject(shown.text, key, len(steps), places_of(steps), definitions, (wording,))


def counts_one_of(one: Part, other: Part) -> bool:
    """Whether an argument is always a number in one and never in the other."""
    types = zip(one.argument_types, other.argument_types, strict=False)
    return any({SlotType.NUMBER} in (mine, theirs) and {SlotType.STRING} in (mine, theirs) for mine, theirs in types)


def is_moved(p_one_intent: float, one: Part, other: Part) -> bool:
    """Whether the judge found nothing but another order, and both have arguments."""
    both = all(SLOT in part.masked for part in (one, other))
    return p_one_intent == REORDERED and both


def leave_it_to_arguments(one: Part, other: Part, languages: tuple[str, ...]) -> bool:
    """Whether both have arguments and differ in synonyms that one step definition mostly takes all ("I go to 'x'" and
    "I visit 'x'"), or say nothing else: "I click 'x'" finds a label, "I click on 'x'" what has that name."""
    mine, theirs = (meaning_of(part.masked, languages) for part in (one, other))
    differ = [{name for _, name in left} for left in (mine.synonyms - theirs.synonyms, theirs.synonyms - mine.synonyms)]
    if SLOT not in mine.words or not differ[0] or differ[0] != differ[1]:
        return False
    return differ[0] <= one_with_argument(languages) or len(set(mine.words) - {SLOT}) == 1


def opens_a_path(one: Part, other: Part) -> bool:
    """Whether the first argument is always a path in one and never in the other: a page by its address, or by name."""
    mine, theirs = (
        {text.template.arguments[0].value.startswith("/") for text in part.texts if text.template.arguments}
        for part in (one, other)
    )
    return {True} in (mine, theirs) and {False} in (mine, theirs)
