"""Where a definition applies: compares the limits in its source with the place of a step.

Examples are Reqnroll's `[Scope]`, the `tags` of playwright-bdd and cucumber-tsflow, and definitions in the block of one
feature or scenario (jest-cucumber, vitest-cucumber). Nothing here reads a file.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.definition import Limit, StepDefinition

PLAYWRIGHT_BDD = "playwright-bdd"
VITEST = "vitest-cucumber"
AS_WRITTEN = frozenset({VITEST, "pytest-bdd"})
"""Bind the steps of an outline as they are written, placeholders and all (src/parser/models/Stepable.ts; pytest-bdd
before 5)."""


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a step runs. A background's step runs once with each scenario, under that scenario's title and tags."""

    path: str
    feature: str
    rule: str | None
    scenario: str
    tags: tuple[str, ...]
    is_background: bool = False
    number: int = 0
    """Number of steps with the same text before this one in the scenario."""


def situation_of(step: Step, number: int = 0) -> Situation:
    examples = tuple(dict.fromkeys(tag for table in step.examples for tag in table.tags))
    tags = tuple(dict.fromkeys((*step.tags, *examples)))
    return Situation(step.path, step.feature, step.rule, step.scenario, tags, step.is_background, number)


def is_limited(definition: StepDefinition) -> bool:
    return bool(definition.limits) or (definition.framework == PLAYWRIGHT_BDD and bool(_path_tags(definition.path)))


def degree(definition: StepDefinition, situation: Situation) -> int:
    """How many criteria of a definition's limits a situation meets: 0 if it has no limits, -1 if it does not apply.
    Limits are alternatives; all criteria of one limit must be met (Reqnroll, BindingScope.cs)."""
    own = 0
    if definition.framework == PLAYWRIGHT_BDD and (tags := _path_tags(definition.path)):
        if not {*tags} <= {*situation.tags, *_path_tags(situation.path)}:
            return -1
        own = 1
    if not definition.limits:
        return own
    best = max(_criteria(limit, situation, definition.path) for limit in definition.limits)
    return best + own if best >= 0 else -1


def _criteria(limit: Limit, situation: Situation, source: str) -> int:
    tags = (*situation.tags, *_path_tags(situation.path))
    met = [
        has_tags(limit.tags, tags) if limit.tags else None,
        same_title(limit.feature, situation.feature) if limit.feature else None,
        same_title(limit.rule, situation.rule or "") if limit.rule else None,
        same_title(limit.scenario, situation.scenario) if limit.scenario else None,
        is_path(limit.path, situation.path, source) if limit.path else None,
        situation.is_background if limit.background else None,
    ]
    return -1 if False in met else met.count(True)


def same_title(a: str, b: str) -> bool:
    return a.casefold().split() == b.casefold().split()


@lru_cache(maxsize=50_000)
def is_path(named: str, path: str, source: str) -> bool:
    """True if a source means this feature file by a relative path: from its own folder, or from a folder around it, in
    which its runner is started."""
    wanted = [part for part in re.split(r"[\\/]", named) if part not in ("", ".", "..")]
    parts = _parts(path)
    if not wanted or parts[-len(wanted) :] != wanted:
        return not wanted
    around = parts[: -len(wanted)]
    return _parts(source)[:-1][: len(around)] == around


def _parts(path: str) -> list[str]:
    return re.split(r"[\\/]", os.path.abspath(path))  # noqa: PTH100


@lru_cache(maxsize=50_000)
def has_tags(expression: str, tags: tuple[str, ...]) -> bool:
    """True if tags, each with its @, meet a tag expression. True for an expression that is not valid."""
    return _tag_expression(expression)(tags)


@lru_cache(maxsize=1_000)
def _tag_expression(expression: str) -> Callable[[tuple[str, ...]], bool]:
    from cucumber_tag_expressions import parse  # type: ignore[import-untyped]

    try:
        parsed = parse(expression)
    except Exception:  # a broken expression limits nothing here; its runner reports it
        return lambda _: True
    return lambda tags: bool(parsed.evaluate(list(tags)))


@lru_cache(maxsize=50_000)
def _path_tags(path: str) -> tuple[str, ...]:
    """`features/@web/login.feature` has the tag @web (playwright-bdd, src/utils/tagsFromPath.ts)."""
    if "@" not in path:
        return ()
    pure = PurePath(path)
    parts = (*pure.parent.parts, pure.name.split(".")[0])
    return tuple(tag for part in parts for tag in re.findall(r"@[^@\s]+", part))
