"""Scenarios of one file that run the same steps with the same arguments under two names, or twice under one name.

The steps of the feature's and the rule's Background are part of a scenario. Two files that run the same mostly have a
reason (each feature by itself, samples, another runner): of 30 such groups in 19 suites, two people would have acted on
a quarter; of 28 groups within one file, on .86. A scenario without a Given depends on what ran before it: of four such
groups, they acted on none.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from cukereuse_engine.blocks.symbols import Meaning, Scenario, by_template, remembering
from cukereuse_engine.gherkin.feature import KeywordType, Step

Attached = Callable[[Step], str | None]
"""The table or DocString of a step in a form that equal ones share; None if it is unknown."""

_LEAST_STEPS = 2


@dataclass(frozen=True, slots=True)
class Duplicates:
    scenarios: tuple[Scenario, ...]
    """Two or more, by path and line."""
    same_tags: bool
    same_words: bool
    """True if the texts are equal, and not only their bindings."""

    @property
    def steps(self) -> int:
        return len(self.scenarios[0].steps)


def duplicates(scenarios: Sequence[Scenario], attached: Attached, meaning: Meaning = by_template) -> list[Duplicates]:
    """Groups of equal scenarios, those that save the most steps first."""
    backgrounds = Backgrounds(scenarios)
    groups: dict[Hashable, list[Scenario]] = {}
    for scenario, its_said in said_by(scenarios, backgrounds, meaning):
        groups.setdefault(its_said, []).append(scenario)
    same_scenarios = [
        _duplicates(same)
        for group in groups.values()
        if len(group) > 1
        for same in _by_attachments(group, backgrounds, attached)
        if len(same) > 1
    ]
    return sorted(
        same_scenarios,
        key=lambda duplicate: (-duplicate.steps * (len(duplicate.scenarios) - 1), _place(duplicate.scenarios[0])),
    )


def said_by(
    scenarios: Iterable[Scenario], backgrounds: "Backgrounds", meaning: Meaning = by_template
) -> Iterator[tuple[Scenario, Hashable]]:
    """Yields each scenario that may be a duplicate, with a key that is equal for duplicates, except for attachments."""
    meant = remembering(meaning)
    for scenario in scenarios:
        if scenario.is_background or len(scenario.steps) < _LEAST_STEPS:
            continue
        steps = (*backgrounds.of(scenario), *scenario.steps)
        if not any(step.resolved_type is KeywordType.CONTEXT for step in steps):
            continue
        meanings = tuple(
            (its_said.meaning, its_said.arguments, step.argument) for step in steps for its_said in (meant(step),)
        )
        rows = tuple((table.header, table.rows) for table in scenario.steps[0].examples)
        yield scenario, (meanings, rows, scenario.path)


def contents_of(scenario: Scenario, backgrounds: "Backgrounds", attached: Attached) -> tuple[str, ...] | None:
    """The tables and DocStrings of its steps; None if they are unknown."""
    steps = (*backgrounds.of(scenario), *scenario.steps)
    contents = [attached(step) for step in steps if step.argument is not None]
    readable = [content for content in contents if content is not None]
    return tuple(readable) if len(readable) == len(contents) else None


def _duplicates(scenarios: Sequence[Scenario]) -> Duplicates:
    texts = {tuple(step.text for step in scenario.steps) for scenario in scenarios}
    tags = {frozenset(scenario.tags) for scenario in scenarios}
    return Duplicates(tuple(sorted(scenarios, key=_place)), len(tags) == 1, len(texts) == 1)


def _place(scenario: Scenario) -> tuple[str, int]:
    return scenario.path, scenario.line


def _by_attachments(
    group: Sequence[Scenario], backgrounds: "Backgrounds", attached: Attached
) -> Iterable[list[Scenario]]:
    by_content: dict[tuple[str, ...], list[Scenario]] = {}
    for scenario in group:
        contents = contents_of(scenario, backgrounds, attached)
        if contents is not None:
            by_content.setdefault(contents, []).append(scenario)
    return by_content.values()


class Backgrounds:
    """The Backgrounds of each scenario: the nearest one of the feature and of its rule above it."""

    def __init__(self, scenarios: Iterable[Scenario]) -> None:
        self._steps: dict[tuple[str, str | None], tuple[Step, ...]] = {}
        for scenario in scenarios:
            if scenario.is_background:
                self._steps.setdefault((scenario.path, scenario.steps[0].rule), scenario.steps)

    def of(self, scenario: Scenario) -> tuple[Step, ...]:
        rule = scenario.steps[0].rule
        feature = self._steps.get((scenario.path, None), ())
        return (*feature, *(self._steps.get((scenario.path, rule), ()) if rule is not None else ()))
