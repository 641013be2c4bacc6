"""How often a step or step definition is used, and in which other wordings: what a code lens shows."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


class FindWordings(Request, frozen=True):
    """Steps of each other wording of the intent of the step on a line."""

    answer: ClassVar = list[Place]
    path: str
    line: int


class Counted(msgspec.Struct, frozen=True):
    place: Place
    has_others: bool
    """True if its intent is known to have other wordings."""


class ListCounted(Request, frozen=True):
    """The lines of an open file that can have a lens: steps that occur elsewhere too or have other wordings (except
    Karate's), and expressions of step definitions."""

    answer: ClassVar = list[Counted]
    path: str


class StepCount(msgspec.Struct, frozen=True):
    occurrences: int
    others: int | None
    """Other wordings; None while they are unknown."""
    called: int = 0
    """Calls of a step definition in code, by a step's text."""


class CountUses(Request, frozen=True):
    """How often the step, or the step definition, on a line is used; None if there is none."""

    answer: ClassVar = StepCount | None
    path: str
    line: int
