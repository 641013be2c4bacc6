"""What a person should look at in texts, one module a kind of finding. A module knows nothing of the others.

A new rule: its row in `cukereuse_engine.rules`, a module here, a row in `SEARCHES`; one about step definitions in
`cukereuse_engine.definitions`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.rules import divergent, one_text, parametric, repeated_step, state_and_action
from cukereuse_engine.findings.finding import Finding


class Scope(Enum):
    """How much of a suite must be seen to tell; who keeps findings up to date edit by edit asks scope by scope."""

    CLUSTERS = auto()
    """Texts that the judge joins, directly or through others."""
    SUITE = auto()
    """All of it."""
    TEXT = auto()
    """The steps of one text."""
    FILE = auto()
    """One feature file."""


@dataclass(frozen=True, slots=True)
class Search:
    rules: tuple[str, ...]
    """Ids of the rules that it may find."""
    scope: Scope
    find: Callable[[Context], Iterable[Finding]]


SEARCHES = (
    Search((divergent.DEFINITION, divergent.WORDING), Scope.CLUSTERS, divergent.find),
    Search((state_and_action.RULE,), Scope.CLUSTERS, state_and_action.find),
    Search(("parametric-variant",), Scope.CLUSTERS, parametric.find),
    Search(("repeated-step",), Scope.FILE, repeated_step.find),
    Search(("exact-duplicate",), Scope.TEXT, one_text.duplicates),
    Search(("undefined-step",), Scope.TEXT, one_text.undefined),
    Search(("ambiguous-step",), Scope.TEXT, one_text.ambiguous),
)


def rules_of(scope: Scope) -> tuple[str, ...]:
    """Ids of the rules that need to see no more than `scope`, each once."""
    return tuple(dict.fromkeys(rule for search in SEARCHES if search.scope is scope for rule in search.rules))
