"""The text of the step that replaces a block: its words, with a slot for each argument that varies."""

import itertools
import re
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from cukereuse_engine.blocks.argument_names import At, NamedStep, parameters_read, unique_names
from cukereuse_engine.blocks.cut_places import CutPlace, NoExtractionError
from cukereuse_engine.refactor.call_style import ValueKind, fits
from cukereuse_engine.refactor.target import Slot, TargetError, parse_target
from cukereuse_engine.text import template
from cukereuse_engine.text.words import languages, vocabulary

Target = Sequence[str | Slot]
_WITH = {"en": ", with", "de": ", mit", "es": ", con", "fr": ", avec", "it": ", con", "nl": ", met", "pt": ", com"}
"""The word before parameters that can't be among the words of a step, by dialect; a colon in others."""
_FIRST = {
    **{"en": "first", "de": "zuerst", "es": "primero", "fr": "d’abord", "it": "prima", "nl": "eerst"},
    "pt": "primeiro",
}
"""A word before the first step, by dialect; the English one and a colon in others. No pattern for any text begins with
it."""


@dataclass(frozen=True, slots=True)
class Use:
    """How a block's code uses an argument."""

    kind: ValueKind = ValueKind.TEXT
    type: str = ""
    can_be_said: bool = True
    """True if its value can be in the code, so that it need not be a parameter."""


@dataclass(frozen=True, slots=True)
class BlockParameters:
    names: tuple[str, ...]
    places: Mapping[At, int]
    """Maps a step and an argument to the parameter there."""
    kinds: tuple[ValueKind, ...]
    quotes: tuple[str, ...]
    """The quote around each value, unless the wording has another: a quote that no value contains."""

    @classmethod
    def of(
        cls, cut_places: Sequence[CutPlace], use: Callable[[At], Use], read: Callable[[str], bytes]
    ) -> "BlockParameters":
        """The parameters of a block. `read` gives a source."""
        columns = _columns(cut_places, use)
        firsts = [places[0] for places in columns.values()]
        places = {at: number for number, its in enumerate(columns.values()) for at in its}
        first, parameters = cut_places[0], parameters_read(read)
        steps = [
            NamedStep.of(step.text, match, parameters).in_order()
            for step, match in zip(first.place.steps, first.matches, strict=True)
        ]
        names = unique_names(steps, firsts, places)
        return cls(
            tuple(names[at] for at in firsts),
            places,
            tuple(use(at).kind for at in firsts),
            tuple(_quote([cut_place.values[step][at] for cut_place in cut_places]) for step, at in firsts),
        )

    def values(self, place: CutPlace) -> dict[str, str]:
        return {self.names[number]: place.values[step][argument] for (step, argument), number in self.places.items()}

    def rows(self, place: CutPlace) -> Iterator[tuple[str, ...]]:
        """The values of all parameters in the scenarios that run a place: one row, or one for each row of its Examples.
        Raises `NoExtractionError` for a text where a number is needed."""
        values = [*self.values(place).values()]
        tables = place.place.steps[0].examples if any(_is_filled(place, value) for value in values) else ()
        cells = [dict(zip(table.header, row, strict=False)) for table in tables for row in table.rows]
        for row in cells or [{}]:
            filled = tuple(_filled(value, row) for value in values)
            for kind, value in zip(self.kinds, filled, strict=True):
                if cells and kind in (ValueKind.INT, ValueKind.FLOAT) and not fits(kind, value):
                    raise NoExtractionError(f"{value} is not a number: {place.place.path}:{place.place.line}")
            yield filled

    def target(self, wording: str) -> Target:
        """The new step. Raises `NoExtractionError` for a wording without the parameters."""
        try:
            parts = parse_target(wording).parts
        except TargetError as error:
            raise NoExtractionError(str(error)) from None
        slots = [part.name for part in parts if isinstance(part, Slot)]
        if sorted(slots) != sorted(self.names):
            wanted = ", ".join(f"{{{name}}}" for name in self.names) or "none"
            raise NoExtractionError(f"the new step needs these parameters, each once: {wanted}")
        return parts

    def proposed(self, first: CutPlace, language: str) -> list[str]:
        """Wordings to try, in the features' language: the first and the last step and those between that have a
        parameter, each parameter where it is said first; and the same after a word that no pattern for any text begins
        with."""
        rest = list(range(len(self.names)))
        with_parameters = {at[0] for at in self._firsts()}
        said = sorted({0, first.place.length - 1} | with_parameters)
        clauses = [self._clause(first, step, rest) for step in said]
        conjunction = _conjunction(language)
        usual = _listed(_without_repeated_subject(clauses, language), conjunction)
        if rest:
            slots = [f"{_words_of(self.names[number], language)} {{{self.names[number]}}}" for number in rest]
            usual = f"{usual}{_WITH.get(language, ':')} {_listed(slots, conjunction)}"
        return [usual, f"{_FIRST.get(language, 'first:')} {usual}"]

    def _firsts(self) -> list[At]:
        """The place where each parameter is first."""
        firsts: dict[int, At] = {}
        for at in sorted(self.places):
            firsts.setdefault(self.places[at], at)
        return [*firsts.values()]

    def _clause(self, first: CutPlace, step: int, rest: list[int]) -> str:
        """A step's words, with slots for the parameters that no earlier step had, and the names of the others. Values
        that do not vary become words, without quotes. `rest`: the parameters without a slot so far."""
        around = [words.replace("{", "{{").replace("}", "}}") for words in first.frames[step]]
        inside = []
        for argument, value in enumerate(first.values[step]):
            number = self.places.get((step, argument))
            mark = around[argument][-1:]
            quoted = mark in ("'", '"', "`") and around[argument + 1][:1] == mark
            if is_slot := number in rest and (quoted or _stands_alone(*around[argument : argument + 2])):
                rest.remove(number)
                inside.append(f"{{{self.names[number]}}}")
            else:
                said = value if number is None else _words_of(self.names[number])
                inside.append(said.replace("{", "{{").replace("}", "}}"))
            if quoted and not (is_slot and mark in "\"'"):  # a value is never in backticks
                around[argument], around[argument + 1] = around[argument][:-1], around[argument + 1][1:]
        clause = "".join(f"{words}{value}" for words, value in zip(around, [*inside, ""], strict=True)).rstrip(":")
        return _without_quotes_around_more(clause, [f"{{{name}}}" for name in self.names])

    def say(self, slot: Slot, value: str) -> str:
        """A value as it is written in the step: text in quotes, numbers without."""
        if self.kinds[self.names.index(slot.name)] in (ValueKind.INT, ValueKind.FLOAT):
            return value
        quote = self._quote_of(slot)
        return f"{quote}{value}{quote}"

    def _quote_of(self, slot: Slot) -> str:
        return slot.quote or self.quotes[self.names.index(slot.name)]

    def in_names(self, target: Target) -> str:
        """The step from which its definition is made: `"<name>"` for each slot."""
        return "".join(part if isinstance(part, str) else self.say(part, f"<{part.name}>") for part in target)

    def at(self, place: CutPlace, target: Target) -> str:
        """The step at one place. Raises `NoExtractionError` if a value can't be there."""
        values = self.values(place)
        for part in target:
            if isinstance(part, str):
                continue
            value, kind = values[part.name], self.kinds[self.names.index(part.name)]
            where = f"{place.place.path}:{place.place.line}"
            if kind in (ValueKind.INT, ValueKind.FLOAT):
                if not fits(kind, value) and not _is_filled(place, value):
                    raise NoExtractionError(f"{value} is not a number: {where}")
            elif self._quote_of(part) in value:
                raise NoExtractionError(f"a value contains a quote: {where}")
        return "".join(part if isinstance(part, str) else self.say(part, values[part.name]) for part in target)


def _listed(clauses: Sequence[str], conjunction: str) -> str:
    *others, last = clauses
    return f"{', '.join(others)}{conjunction}{last}" if others else last


def _without_repeated_subject(clauses: Sequence[str], language: str) -> list[str]:
    """The clauses without the pronoun that the one before begins with: `I open the shop`, `pay`."""
    subjects = vocabulary(language).subjects if language in languages() else frozenset[str]()
    said = [(clause.partition(" "), clause) for clause in clauses]
    return [
        words[2] if words[2] and words[0] == before[0] and words[0].lower() in subjects else clause
        for (before, _), (words, clause) in itertools.pairwise([(("", "", ""), ""), *said])
    ]


def _stands_alone(before: str, after: str) -> bool:
    """True if an argument between these words is neither part of a word nor of a path or the like."""
    return (
        re.search(r"(?:\A|[\s(])[\"'`]?\Z", before) is not None
        and re.match(r"[.,;:!?)]*[\"'`]?(?:\s|\Z)", after) is not None
    )


def _without_quotes_around_more(clause: str, slots: Collection[str]) -> str:
    """A clause without quotes that contain a slot and other words: a slot in quotes is a text of its own."""
    for argument in reversed(template.arguments(clause)):
        if argument.delimiter and argument.value not in slots and any(slot in argument.value for slot in slots):
            clause = f"{clause[: argument.start]}{argument.value}{clause[argument.end :]}"
    return clause


def _words_of(name: str, language: str = "") -> str:
    """The words in a parameter's name. A number at its end is a word, for English an ordinal."""
    words, number = re.fullmatch(r"(.*?)(\d*)", name.replace("_", " "), re.DOTALL).groups()  # type: ignore[union-attr]
    if language == "en" and number in _ORDINALS:
        return f"{_ORDINALS[number]} {words}"
    return f"{words} {number}".rstrip()


_ORDINALS = {"2": "second", "3": "third", "4": "fourth", "5": "fifth", "6": "sixth"}


def _conjunction(language: str) -> str:
    """The shortest keyword for “and”, as it is between two clauses."""
    from gherkin.dialect import DIALECTS

    words = cast("Mapping[str, list[str]]", DIALECTS[language])["and"]
    word = min((word for word in words if word.strip() != "*"), key=len).lower()
    return f" {word}" if word.endswith(" ") else word


def _quote(values: Sequence[str]) -> str:
    return "'" if any('"' in value for value in values) and not any("'" in value for value in values) else '"'


def _filled(value: str, row: Mapping[str, str]) -> str:
    """A value with what a row of Examples inserts."""
    return re.sub(r"<([^<>]*)>", lambda name: row.get(name[1], name[0]), value)


def _is_filled(place: CutPlace, value: str) -> bool:
    """True if the Examples of its Outline insert something into a value."""
    return any(f"<{name}>" in value for table in place.place.steps[0].examples for name in table.header)


def _columns(cut_places: Sequence[CutPlace], use: Callable[[At], Use]) -> dict[Hashable, list[At]]:
    """The arguments that need a parameter, those that can share one together."""
    columns: dict[Hashable, list[At]] = {}
    for step, row in enumerate(cut_places[0].values):
        for argument in range(len(row)):
            column = tuple(cut_place.values[step][argument] for cut_place in cut_places)
            its = use((step, argument))
            if len(set(column)) > 1 or not its.can_be_said or any(map(_is_filled, cut_places, column)):
                columns.setdefault((column, its.kind, its.type), []).append((step, argument))
    return columns
