"""What speaks against joining two units however near the judge finds them: one ordered list.

Each objection has a name, an example that is its test, and what it was measured to do. They know what the judge
doesn't: roles, what steps carry, bindings, places. How near two texts are, the judge said.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.units import Unit
from cukereuse_engine.judging.alignment import alignment_between, form_between
from cukereuse_engine.judging.verbs import differ_in_aspect, differ_in_modality, differ_in_preposition, swap_numbers
from cukereuse_engine.text.bare_values import differ_by_value
from cukereuse_engine.text.template import SlotType


class Effect(StrEnum):
    APART = "apart"
    """They are two things: no finding."""
    DOUBT = "doubt"
    """A hint at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two units that the judge finds to be one intent."""

    one: Unit
    other: Unit
    p_one_intent: float
    context: Context

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
    """On 75 suites that people have read: of the pairs that the judge accepts from a hint up (2,280, of which people
    would merge 1,985), how many it speaks against, and how many of these people would merge. What shows in suites' own
    files only, attachments and scenarios, on 61 of them (1,683 and 1,466). Arguments, order and verbs on 128, by judges
    that never saw the suite, from an information up (1,388 and 1,110); attempts on 55 more, from a hint up (885 and
    530); prepositions and numbers on the same 55 (1,147 and 632). What asks for two definitions: among 27 findings on
    18 suites that two people read, or not measured, (0, 0)."""


def _another_role(pair: Pair) -> bool:
    return not pair.apart and {pair.one.checks, pair.other.checks} == {True, False}


def _another_role_each_defined(pair: Pair) -> bool:
    return pair.apart and {pair.one.checks, pair.other.checks} == {True, False}


def _given_and_when(pair: Pair) -> bool:
    return pair.apart and {pair.one.sets_up, pair.other.sets_up} == {True, False}


def _attached(pair: Pair) -> bool:
    return not pair.one.attached & pair.other.attached


def _counts_one_of(pair: Pair) -> bool:
    """Whether an argument is always a number in one and never in the other."""
    number, text = frozenset({SlotType.NUMBER}), frozenset({SlotType.STRING})
    types = zip(pair.one.argument_types, pair.other.argument_types, strict=False)
    return any(number in both and text in both for both in types)


def _opens_a_path(pair: Pair) -> bool:
    """Whether the first argument is always a path in one and never in the other: a page by its address, or by name."""
    both = (pair.one.opens_paths, pair.other.opens_paths)
    return frozenset({True}) in both and frozenset({False}) in both


def _another_value(pair: Pair) -> bool:
    return differ_by_value(pair.one.masked, pair.other.masked)


def _any_form(pair: Pair) -> bool:
    return not pair.apart and form_between(pair.one.masked, pair.other.masked, pair.one.languages) is not None


def _one_argument_more(pair: Pair) -> bool:
    return not pair.apart and len(pair.one.argument_types) != len(pair.other.argument_types)


def _another_order(pair: Pair) -> bool:
    return not pair.apart and alignment_between(pair.one.masked, pair.other.masked, pair.one.languages).moved


def _another_modality(pair: Pair) -> bool:
    return not pair.apart and differ_in_modality(pair.one.masked, pair.other.masked, pair.one.languages)


def _another_preposition(pair: Pair) -> bool:
    return not pair.apart and differ_in_preposition(pair.one.masked, pair.other.masked, pair.one.languages)


def _number_changes_sides(pair: Pair) -> bool:
    return not pair.apart and swap_numbers(pair.one.masked, pair.other.masked, pair.one.languages)


def _another_aspect(pair: Pair) -> bool:
    return not pair.apart and differ_in_aspect(pair.one.masked, pair.other.masked, pair.one.languages)


def _one_scenario(pair: Pair) -> bool:
    has_arguments = any(unit.shown.template.arguments for unit in (pair.one, pair.other))
    return not pair.apart and not has_arguments and not pair.one.scenarios.isdisjoint(pair.other.scenarios)


OBJECTIONS = (
    Objection(
        "another-role-defined",
        "one is a setup or action step, the other an assertion, with a definition each",
        Effect.APART,
        _another_role_each_defined,
        ("Given the branches", "Then the branches are now"),
        (0, 0),
    ),
    Objection(
        "another-attachment",
        "only one has a table or DocString",
        Effect.APART,
        _attached,
        ("Then it fails", "Then it fails with:/| a |"),
        (23, 11),
    ),
    Objection(
        "number-against-text",
        "an argument is a number in one step and a text in the other",
        Effect.APART,
        _counts_one_of,
        ("When I add 2 books", 'When I add the book "Emma"'),
        (62, 15),
    ),
    Objection(
        "path-against-name",
        "one uses an address, the other a name",
        Effect.APART,
        _opens_a_path,
        ('When I visit "/about"', 'When I visit the "About" page'),
        (3, 1),
    ),
    Objection(
        "another-value",
        "only a value without quotes differs",
        Effect.APART,
        _another_value,
        ("When I open /a?b=1&c=2", "When I open /a?b=1;c=2"),
        (0, 0),
    ),
    Objection(
        "another-modality",
        "only one says that it can be done, is tried or succeeds",
        Effect.APART,
        _another_modality,
        ("When I dig the bed", "When I try to dig the bed"),
        (112, 42),
    ),
    Objection(
        "another-preposition",
        "another preposition",
        Effect.APART,
        _another_preposition,
        ("When the bed is dug by Ann", "When the bed is dug for Ann"),
        (14, 2),
    ),
    Objection(
        "number-changes-sides",
        "one of many against many of one",
        Effect.APART,
        _number_changes_sides,
        ("When I add the bulb to the beds", "When I add the bulbs to the bed"),
        (6, 0),
    ),
    Objection(
        "one-definition-any-form",
        "one definition usually serves both: only the subject, an article before an argument, or the noun after a "
        "number differs",
        Effect.DOUBT,
        _any_form,
        ('When I dig a "x" bed', 'When I dig the "y" bed'),
        (226, 219),
    ),
    Objection(
        "another-role",
        "one is a setup or action step, the other an assertion",
        Effect.DOUBT,
        _another_role,
        ("When the report is downloaded", "Then the report downloads"),
        (25, 21),
    ),
    Objection(
        "given-and-when",
        "one is a setup step, the other an action, with a definition each",
        Effect.DOUBT,
        _given_and_when,
        ("Given I dug the bed", "When I dig the bed"),
        (4, 1),
    ),
    Objection(
        "one-argument-more",
        "one has an argument more",
        Effect.DOUBT,
        _one_argument_more,
        ('When the "blue" bed is dug', "When the bed is dug"),
        (59, 39),
    ),
    Objection(
        "another-order",
        "in another order",
        Effect.DOUBT,
        _another_order,
        ("When I dig the bed beside the lawn", "When I dig the lawn beside the bed"),
        (126, 53),
    ),
    Objection(
        "another-aspect",
        "one does it, the other says that it was done or is the case",
        Effect.DOUBT,
        _another_aspect,
        ("When I weed the bed", "When the bed was weeded"),
        (31, 10),
    ),
    Objection(
        "one-scenario",
        "one scenario contains both",
        Effect.DOUBT,
        _one_scenario,
        ("When I click the button", "When I click on the button"),
        (16, 6),
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
