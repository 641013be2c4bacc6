"""Objections: reasons against joining two units, however similar the judge finds them. They form one ordered list.

Each objection has a name, an example that is its test, and what it was measured to do. Objections know what the judge
does not: what steps carry, bindings, places, and what maintainers do on purpose.
"""

from collections.abc import Callable, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from cukereuse_engine.detection.units import Unit
from cukereuse_engine.judging.alignment import Variation, alignment_between, variation_between
from cukereuse_engine.judging.lexicon import Tag
from cukereuse_engine.judging.reasons import of_words
from cukereuse_engine.judging.verbs import differ_in_preposition, words_of_modality
from cukereuse_engine.text.bare_values import differ_by_value
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import SlotType


class Effect(StrEnum):
    APART = "apart"
    """The units are two things: there is no finding."""
    DOUBT = "doubt"
    """A hint at most."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Two units that the judge accepts as one intent."""

    one: Unit
    other: Unit

    @property
    def texts(self) -> tuple[StepText, StepText]:
        """A text of each: those that were compared, if that is known, else the most used ones."""
        return self.one.shown, self.other.shown

    @property
    def apart(self) -> bool:
        """True if both have definitions of their own."""
        return bool(self.one.definitions and self.other.definitions)


@dataclass(frozen=True, slots=True)
class Objection:
    id: str
    says: str
    effect: Effect
    holds: Callable[[Pair], bool | Set[str]]
    """True, or the words that it is about."""
    example: tuple[str, str]
    """Two steps that it speaks against, as Gherkin; `/` before a table or an `And` begins a line."""
    measured: tuple[int, int]
    """Measured on 68 suites that people have labelled: how many pairs a scan would report without it, and how many of
    them people would merge; for objections that make a hint, pairs reported as information. (0, 0) for objections that
    need two definitions, which these scans do not read."""

    def reasons(self, pair: Pair) -> list[str]:
        """The reasons that are shown if it makes a hint: what the judge says of its words, if it names any."""
        words, masked = self.holds(pair), [text.template.masked for text in pair.texts]
        if isinstance(words, bool):
            return [self.says]
        told = of_words(alignment_between(masked[0], masked[1], pair.one.languages), masked, pair.one.languages)
        return [reason for reason, about in told if not words.isdisjoint(about)] or [self.says]


def _where_none_is_known(differ: Callable[..., bool | Set[str]]) -> Callable[[Pair], bool | Set[str]]:
    """Objections about texts, for units without definitions."""
    return lambda pair: not pair.apart and differ(pair.one.masked, pair.other.masked, pair.one.languages)


def _said_by_one(pair: Pair) -> Set[str]:
    """What only one of the texts that a finding shows says; a definition may serve others that do not."""
    one, other = (text.template.masked for text in pair.texts)
    alignment = alignment_between(one, other, pair.one.languages)
    return {*alignment.missing, *(unit.surface for unit in alignment.little if unit.tag is Tag.EXISTENCE)}


def _has_any_form(pair: Pair) -> bool:
    """True if they differ only in a form that a definition usually takes; a count must be a number in both."""
    varies = variation_between(pair.one.masked, pair.other.masked, pair.one.languages)
    if varies is not Variation.NUMBER:
        return varies is not None
    return all(any(SlotType.NUMBER in types for types in unit.argument_types) for unit in (pair.one, pair.other))


def _counts_one_of(pair: Pair) -> bool:
    """True if an argument is always a number in one unit and always another text in the other."""
    number, text = frozenset({SlotType.NUMBER}), frozenset({SlotType.STRING})
    types = zip(pair.one.argument_types, pair.other.argument_types, strict=False)
    return any(number in both and text in both for both in types)


OBJECTIONS = (
    Objection(
        "another-role",
        "by their keywords, only one is an assertion, and each has a definition of its own",
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
        "an-attempt",
        "only one says that it is tried",
        Effect.APART,
        _where_none_is_known(partial(words_of_modality, tables=("attempts",))),
        ("When I dig the bed", "When I try to dig the bed"),
        (64, 9),
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
        "side-by-side",
        "only one has an additional word or argument, and a scenario has both",
        Effect.APART,
        lambda pair: not (pair.apart or pair.one.scenarios.isdisjoint(pair.other.scenarios)) and _said_by_one(pair),
        ("When I dig the bed/And I dig the wide bed", "When I dig the wide bed"),
        (58, 24),
    ),
    Objection(
        "one-definition-any-form",
        "one definition usually serves both",
        Effect.DOUBT,
        lambda pair: not pair.apart and _has_any_form(pair),
        ('When I dig a "x" bed', 'When I dig the "y" bed'),
        (228, 221),
    ),
    Objection(
        "one-says-more",
        "only one has an additional word or argument",
        Effect.DOUBT,
        _said_by_one,
        ("When I dig the wide bed", "When I dig the bed"),
        (175, 110),  # one suite aside, of which 414 such pairs are one template with other dates
    ),
    Objection(
        "another-modality",
        "only one says that it can be done or succeeds",
        Effect.DOUBT,
        _where_none_is_known(words_of_modality),
        ("When I dig the bed", "When I can dig the bed"),
        (47, 26),
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
        "one is a setup step, the other an action",
        Effect.DOUBT,
        lambda pair: pair.apart and {pair.one.sets_up, pair.other.sets_up} == {True, False},
        ("Given I dug the bed", "When I dig the bed"),
        (0, 0),
    ),
)
"""In this order; the first objection that keeps two units apart decides."""


def objections(pair: Pair) -> tuple[Objection, ...]:
    """The objections that hold: only the one that keeps the units apart, or else all that make a hint."""
    held = []
    for objection in OBJECTIONS:
        if objection.holds(pair):
            if objection.effect is Effect.APART:
                return (objection,)
            held.append(objection)
    return tuple(held)
