"""Scenarios of one file that can be folded, and the plan of it."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.plans import Plan

OUTLINE, BACKGROUND = "outline", "background"
"""The results of folding scenarios and their steps."""


class Fold(msgspec.Struct, frozen=True):
    """Scenarios of one file that can be written with fewer steps."""

    kind: str
    """`OUTLINE` or `BACKGROUND`."""
    scenarios: int
    steps: int
    """Number of steps that each scenario shares with the others."""


class Folds(msgspec.Struct, frozen=True):
    version: int
    """Version of the text in the editor that was read."""
    found: list[Fold]
    """At most one fold of each kind."""


class FoldsAt(Request, frozen=True):
    """The foldings around a 1-based line; None for a file that is not open, or belongs to no suite."""

    answer: ClassVar = Folds | None
    path: str
    line: int


class PlanFold(Request, frozen=True):
    """Carry out a `Fold` around a 1-based line."""

    answer: ClassVar = Plan
    path: str
    line: int
    kind: str
