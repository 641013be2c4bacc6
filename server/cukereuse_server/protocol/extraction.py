"""Repeated steps that can become one step."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.plans import Plan


class Extractable(msgspec.Struct, frozen=True):
    """A block of steps that one step could replace."""

    id: str
    steps: int
    places: int
    saved: int
    """The number of lines that would disappear."""
    says: str = ""
    """The step of the suite that already does the same; empty if a new one would be written."""


class ExtractsAt(Request, frozen=True):
    """The blocks around a 1-based line, most worthwhile first; None for a file that is not open, or in no suite."""

    answer: ClassVar = list[Extractable] | None
    path: str
    line: int


class PlanExtraction(Request, frozen=True):
    """Replace a block around a 1-based line by one step. `Plan.target` is its wording, `Plan.steps` the number of
    places that get it."""

    answer: ClassVar = Plan
    path: str
    line: int
    block: str = ""
    """The block's id; empty: the most worthwhile block."""
    wording: str = ""
    """The wording, with a slot `{name}` for each parameter; empty: one is proposed."""
