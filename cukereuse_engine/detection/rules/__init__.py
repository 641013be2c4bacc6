"""The rules about texts, one module for each kind of finding. A module knows nothing of the others.

A new rule: its row in `cukereuse_engine.rules`, a module here, and a row in `SEARCHES`; rules about step definitions
are in `cukereuse_engine.definitions`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.rules import divergent, one_text, parametric, repeated_step, state_and_action
from cukereuse_engine.findings.finding import Finding


class SearchScope(Enum):
    """How much of a suite a rule must see. The server, which keeps findings up to date edit by edit, runs rules scope
    by scope."""

    CLUSTERS = auto()
    """The texts that the judge joins, directly or through others."""
    SUITE = auto()
    """The whole suite."""
    TEXT = auto()
    """The steps of one text."""
    FILE = auto()
    """One feature file."""


@dataclass(frozen=True, slots=True)
class RuleSearch:
    rules: tuple[str, ...]
    """Ids of the rules that it may find."""
    scope: SearchScope
    find: Callable[[Context], Iterable[Finding]]


SEARCHES = (
    RuleSearch((divergent.DEFINITION, divergent.WORDING), SearchScope.CLUSTERS, divergent.find),
    RuleSearch((state_and_action.RULE,), SearchScope.CLUSTERS, state_and_action.find),
    RuleSearch(("parametric-variant",), SearchScope.CLUSTERS, parametric.find),
    RuleSearch(("repeated-step",), SearchScope.FILE, repeated_step.find),
    RuleSearch(("exact-duplicate",), SearchScope.TEXT, one_text.duplicates),
    RuleSearch(("undefined-step",), SearchScope.TEXT, one_text.undefined),
    RuleSearch(("ambiguous-step",), SearchScope.TEXT, one_text.ambiguous),
)


def rules_of(scope: SearchScope) -> tuple[str, ...]:
    """Ids of the rules that need to see no more than `scope`."""
    return tuple(dict.fromkeys(rule for search in SEARCHES if search.scope is scope for rule in search.rules))
