"""Wordings that count as one, and what keeps two of them from being a finding however near they are.

Only what bindings, roles and arguments say; how near texts are, the judge said.
"""

from dataclasses import dataclass

from cukereuse_engine.detection.canonical import canonical, has_slip
from cukereuse_engine.glue.model import StepDefinition
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
