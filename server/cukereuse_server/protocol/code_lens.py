"""How often a step or step definition is used, and in which other wordings: what a code lens shows."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


class FindWordings(Request, frozen=True):
    """Steps of the other wordings of the intent of the step on a line, a few of each."""

    answer: ClassVar = list[Place]
    path: str
    line: int


class Counted(msgspec.Struct, frozen=True):
    place: Place
    has_others: bool
    """Whether its intent is known to have other wordings."""


class ListCounted(Request, frozen=True):
    """What a lens may stand above in an open file: steps that stand elsewhere too, or have other wordings (Karate's are
    none); expressions of step definitions."""

    answer: ClassVar = list[Counted]
    path: str


class StepCount(msgspec.Struct, frozen=True):
    occurrences: int
    others: int | None
    """Other wordings; None while they are not known."""
    called: int = 0
    """Calls of a step definition in code, by a step's text."""


class CountUses(Request, frozen=True):
    """How often the step, or the step definition, on a line is used; None where there is none."""

    answer: ClassVar = StepCount | None
    path: str
    line: int
