"""What speaks against joining two units however near the judge finds them: one ordered list.

Each objection has a name, an example that is its test, and what it was measured to do. They know what the judge
doesn't: what steps carry, bindings, places, what a maintainer does on purpose. How near two texts are, the judge said.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from cukereuse_engine.detection.units import Unit
from cukereuse_engine.judging.alignment import alignment_between, form_between
from cukereuse_engine.judging.verbs import differ_in_modality, differ_in_preposition
from cukereuse_engine.text.bare_values import differ_by_value
from cukereuse_engine.text.template import SlotType


class Effect(StrEnum):
    APART = "apart"
    """They are two things: no finding."""
    DOUBT = "doubt"
    """A hint at most."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Two units that the judge finds to be one intent."""

    one: Unit
    other: Unit

    @property
    def apart(self) -> bool:
        """Whether both have definitions of their own."""
        return bool(self.one.definitions and self.other.definitions)


@dataclass(frozen=True, slots=True)
class Objection:
    id: str
    says: str
    """What a person is told where it makes a hint."""
    effect: Effect
    holds: Callable[[Pair], bool]
    example: tuple[str, str]
    """Two scenarios' worth of steps that it speaks against, as Gherkin lines; `/` parts lines."""
    measured: tuple[int, int]
    """Pairs that a scan of 68 suites that people have read would report without it, and how many of these people would
    merge: as hints, or where it makes a hint as information. (0, 0) of what asks for two definitions, which these scans
    don't read."""


def _where_none_is_known(differ: Callable[[str, str, tuple[str, ...]], object]) -> Callable[[Pair], bool]:
    """Of texts, as long as no definitions tell."""
    return lambda pair: not pair.apart and bool(differ(pair.one.masked, pair.other.masked, pair.one.languages))


def _counts_one_of(pair: Pair) -> bool:
    """Whether an argument is always a number in one and never in the other."""
    number, text = frozenset({SlotType.NUMBER}), frozenset({SlotType.STRING})
    types = zip(pair.one.argument_types, pair.other.argument_types, strict=False)
    return any(number in both and text in both for both in types)


OBJECTIONS = (
    Objection(
        "another-role",
        "one is a setup or action step, the other an assertion, with a definition each",
        Effect.APART,
        lambda pair: pair.apart and {pair.one.checks, pair.other.checks} == {True, False},
        ("Given the branches", "Then the branches are now"),
        (0, 0),
    ),
    Objection(
        "another-attachment",
        "only one has a table or DocString",
        Effect.APART,
        lambda pair: not pair.one.attached & pair.other.attached,
        ("Then it fails", "Then it fails with:/| a |"),
        (10, 4),
    ),
    Objection(
        "number-against-text",
        "an argument is a number in one step and a text in the other",
        Effect.APART,
        _counts_one_of,
        ("When I add 2 books", 'When I add the book "Emma"'),
        (37, 8),
    ),
    Objection(
        "another-value",
        "only a value without quotes differs",
        Effect.APART,
        lambda pair: differ_by_value(pair.one.masked, pair.other.masked),
        ("When I open /a?b=1&c=2", "When I open /a?b=1;c=2"),
        (120, 70),
    ),
    Objection(
        "another-modality",
        "only one says that it can be done, is tried or succeeds",
        Effect.APART,
        _where_none_is_known(differ_in_modality),
        ("When I dig the bed", "When I try to dig the bed"),
        (98, 29),
    ),
    Objection(
        "another-preposition",
        "another preposition",
        Effect.APART,
        _where_none_is_known(differ_in_preposition),
        ("When the bed is dug by Ann", "When the bed is dug for Ann"),
        (20, 8),
    ),
    Objection(
        "one-definition-any-form",
        "one definition usually serves both: only the subject, an article before an argument, or the noun after a "
        "number differs",
        Effect.DOUBT,
        _where_none_is_known(form_between),
        ('When I dig a "x" bed', 'When I dig the "y" bed'),
        (242, 230),
    ),
    Objection(
        "another-order",
        "in another order",
        Effect.DOUBT,
        _where_none_is_known(lambda *texts: alignment_between(*texts).moved),
        ("When I dig the bed beside the lawn", "When I dig the lawn beside the bed"),
        (35, 15),
    ),
    Objection(
        "given-and-when",
        "one is a setup step, the other an action, with a definition each",
        Effect.DOUBT,
        lambda pair: pair.apart and {pair.one.sets_up, pair.other.sets_up} == {True, False},
        ("Given I dug the bed", "When I dig the bed"),
        (0, 0),
    ),
)
"""Asked in this order; the first that keeps two units apart ends it."""


def objections(pair: Pair) -> tuple[Objection, ...]:
    """Those that hold: one that keeps the units apart alone, else all that make a hint."""
    held = []
    for objection in OBJECTIONS:
        if objection.holds(pair):
            if objection.effect is Effect.APART:
                return (objection,)
            held.append(objection)
    return tuple(held)
