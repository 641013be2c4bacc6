"""Vanessa Automation's exported scenarios: a scenario under @ExportScenarios is a step definition for all others.

Its title is the expression; text in quotes or angle brackets is an argument. The steps are read already; the title is
never rewritten here.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import ExpressionKind, Extraction, SourceSpan, StepDefinition

FRAMEWORK, LANGUAGE = "vanessa-automation", "gherkin"
_TAG = "@exportscenarios"
_ARGUMENT = re.compile(r"\"[^\"]*\"|'[^']*'|<[^<>]+>")
_TAKES = r"(\"[^\"]*\"|'[^']*'|\S+)"


def exports(step: Step) -> bool:
    """True if a step is in an exported scenario."""
    return not step.is_background and bool(step.tags) and _are_marked(step.tags)


@lru_cache(maxsize=10_000)
def _are_marked(tags: tuple[str, ...]) -> bool:
    return any(tag.casefold() == _TAG for tag in tags)


def exported(path: str, steps: Sequence[Step]) -> Extraction:
    """The definitions that the exported scenarios of a feature file are; empty for most files."""
    titles: dict[int, Step] = {}
    for step in steps:
        if step.scenario and exports(step):
            titles.setdefault(step.scenario_line, step)
    return Extraction(tuple(_definition(path, line, step.scenario) for line, step in sorted(titles.items())))


def _definition(path: str, line: int, title: str) -> StepDefinition:
    pieces = [re.escape(piece) for piece in _ARGUMENT.split(title)]
    span = SourceSpan(path, line, line, line, 1, line, len(title) + 1)
    return StepDefinition(
        expression=_TAKES.join(pieces),
        kind=ExpressionKind.REGEX,
        keyword_types=frozenset(),
        keyword="@ExportScenarios",
        language=LANGUAGE,
        framework=FRAMEWORK,
        literal=span,
        source_literal=title,
        function=None,
        function_name=title,
        flags="i",
        rewritable=False,
        sentence=title,
    )
