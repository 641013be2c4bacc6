"""A suite's scenarios as sequences of symbols: what each step means here, its arguments left out."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cukereuse_engine.gherkin.model import Step
from cukereuse_engine.text.identity import normalise
from cukereuse_engine.text.template import template

Meaning = Callable[[Step], str]
"""What a step means in its suite: the id of its definition where it is bound, or else a wording. Two steps of one
meaning differ in arguments alone."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario, outline or background with steps, as it stands in its file."""

    path: str
    line: int
    """1-based: its title."""
    name: str
    is_background: bool
    is_outline: bool
    tags: tuple[str, ...]
    steps: tuple[Step, ...]


def scenarios_of(steps: Iterable[Step]) -> list[Scenario]:
    """The scenarios of these steps, by path and line. Two of one name stay two."""
    grouped: dict[tuple[str, int], list[Step]] = {}
    for step in steps:
        grouped.setdefault((step.path, step.scenario_line), []).append(step)
    scenarios = []
    for (path, line), group in sorted(grouped.items()):
        ordered = tuple(sorted(group, key=lambda step: step.line))
        first = ordered[0]
        scenarios.append(
            Scenario(path, line, first.scenario, first.is_background, first.is_outline, first.tags, ordered)
        )
    return scenarios


def by_template(step: Step) -> str:
    """The meaning of a step where nothing more is known: its template."""
    return template(normalise(step.text)).key


class Symbols:
    """Numbers for what steps mean. A table or DocString makes another symbol, its content does not."""

    def __init__(self, meaning: Meaning = by_template) -> None:
        self._meaning = meaning
        self._numbers: dict[tuple[str, str | None], int] = {}

    def of(self, scenario: Scenario) -> list[int]:
        """One symbol a step."""
        return [
            self._numbers.setdefault((self._meaning(step), step.argument), len(self._numbers))
            for step in scenario.steps
        ]
