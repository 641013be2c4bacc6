"""A suite's scenarios as sequences of symbols: the meaning of each step, without its arguments."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import Match
from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.template import template


@dataclass(frozen=True, slots=True)
class StepMeaning:
    """The meaning of a step in its suite, with its arguments."""

    meaning: str
    """The id of the bound definition's function, or else a wording. Two steps of one meaning differ only in
    arguments."""
    arguments: tuple[str, ...]
    match: Match | None = field(default=None, compare=False)
    """Where the arguments are, if a step definition captures them."""


Meaning = Callable[[Step], StepMeaning]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario, outline or background with steps, as it is in its file."""

    path: str
    line: int
    """The 1-based line of its title."""
    name: str
    is_background: bool
    is_outline: bool
    tags: tuple[str, ...]
    steps: tuple[Step, ...]
    is_karate: bool = False
    """True if its steps are statements of Karate's language."""


def scenarios_of(steps: Iterable[Step], karate: Collection[str] = ()) -> list[Scenario]:
    """The scenarios of these steps, by path and line; those of one name stay apart. `karate`: Karate's files."""
    grouped: dict[tuple[str, int], list[Step]] = {}
    for step in steps:
        grouped.setdefault((step.path, step.scenario_line), []).append(step)
    scenarios = []
    for (path, line), group in sorted(grouped.items()):
        ordered = tuple(sorted(group, key=lambda step: step.line))
        first = ordered[0]
        scenarios.append(
            Scenario(
                path, line, first.scenario, first.is_background, first.is_outline, first.tags, ordered, path in karate
            )
        )
    return scenarios


def by_template(step: Step) -> StepMeaning:
    """The meaning of a step if nothing but its text is known: its template."""
    parsed = template(normalise(step.text))
    return StepMeaning(parsed.key, tuple(argument.value for argument in parsed.arguments))


def remembering(meaning: Meaning) -> Meaning:
    """The same function, called once for each text."""
    said_of: dict[str, StepMeaning] = {}

    def said(step: Step) -> StepMeaning:
        its_said = said_of.get(step.text)
        if its_said is None:
            its_said = said_of[step.text] = meaning(step)
        return its_said

    return said


class Symbols:
    """Numbers for the meanings of steps. A table or DocString makes another symbol; its content does not."""

    def __init__(self, meaning: Meaning = by_template) -> None:
        self._meaning = meaning
        self._symbols: dict[tuple[str, str | None], int] = {}
        self._values: dict[tuple[int, tuple[str, ...]], int] = {}
        self._said: dict[tuple[str, str | None], tuple[int, int]] = {}
        """The symbol and value by text and kind of attachment."""
        self.arguments: list[tuple[str, ...]] = []
        """The arguments of each value."""
        self.meanings: list[str] = []
        """The meaning of each symbol, including the kind of attachment."""

    def of(self, scenario: Scenario) -> tuple[list[int], list[int]]:
        """A symbol for each step, and a value for each step that is equal if symbol and arguments are."""
        symbols, values = [], []
        for step in scenario.steps:
            key = step.text, step.argument
            numbers = self._said.get(key)
            if numbers is None:
                numbers = self._said[key] = self._numbers(self._meaning(step), step.argument)
            symbols.append(numbers[0])
            values.append(numbers[1])
        return symbols, values

    def _numbers(self, said: StepMeaning, attachment: str | None) -> tuple[int, int]:
        symbol = self._symbols.setdefault((said.meaning, attachment), len(self._symbols))
        if symbol == len(self.meanings):
            self.meanings.append(f"{said.meaning}\0{attachment or ''}")
        value = self._values.setdefault((symbol, said.arguments), len(self._values))
        if value == len(self.arguments):
            self.arguments.append(said.arguments)
        return symbol, value
