"""The type of definition that a step's keyword requires, and which definitions have it."""

from collections.abc import Mapping
from functools import lru_cache

from cukereuse_engine.gherkin.feature import KeywordType
from cukereuse_engine.glue import choice
from cukereuse_engine.glue.definition import StepDefinition

GHERKIN_TYPES = {KeywordType.CONTEXT: "given", KeywordType.ACTION: "when", KeywordType.OUTCOME: "then"}
_STAR_IS_ANY = frozenset({"godog"})
"""Runners that consider keywords and let `*` be any of them (godog, suite.go)."""
_RUNS_ON = choice.DOTNET
"""Runners in which a conjunction continues the step that ran before it, even a step of a background."""


@lru_cache
def asked_types(
    resolved: KeywordType, carried: KeywordType, run_on: KeywordType
) -> tuple[str | None, Mapping[str, str | None]]:
    """The type of definition that a step's keyword requires (None: any), with the frameworks that differ."""
    other: dict[str, str | None] = dict.fromkeys(_STAR_IS_ANY, GHERKIN_TYPES.get(resolved))
    other.update(dict.fromkeys(_RUNS_ON, GHERKIN_TYPES.get(run_on)))
    return GHERKIN_TYPES.get(carried), other


def answers(definition: StepDefinition, keyword_type: str | None) -> bool:
    """True if a definition serves steps of this type (None: any)."""
    return keyword_type is None or not definition.keyword_types or keyword_type in definition.keyword_types
