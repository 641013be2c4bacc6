"""Step definitions that can be merged."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.plans import Plan

FUNCTION, WORDING, CONSTANT, DELETE = "function", "wording", "constant", "delete"
"""How definitions are merged: both expressions on one function, one wording for both, a parameter instead of a
constant; or deleted."""


class Merge(msgspec.Struct, frozen=True):
    """A step definition that runs the code of another definition, or that nothing uses."""

    how: str
    """`FUNCTION`, `WORDING`, `CONSTANT` or `DELETE`."""
    definition: str
    """The id of the definition that would be removed."""
    twin: str
    """The id of the definition that would serve both; empty for `DELETE`."""
    expression: str
    """The twin's expression; for an unused definition its own."""
    parameter: str = ""
    """For `CONSTANT`: the name of the parameter."""


class MergesAt(Request, frozen=True):
    """The possible merges at a 1-based line: in a source of the definition there, in a feature file of the step's."""

    answer: ClassVar = list[Merge]
    path: str
    line: int


class PlanMerge(Request, frozen=True):
    """Carry out a `Merge`."""

    answer: ClassVar = Plan
    how: str
    definition: str
    twin: str
