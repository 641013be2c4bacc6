"""The uses of a step, a step definition or a tag."""

from typing import ClassVar

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


class FindUses(Request, frozen=True):
    """All steps with the wording of the step on a line, or all that bind to the step definition there."""

    answer: ClassVar = list[Place]
    path: str
    line: int
    column: int = 1
    """The column; on a tag, the uses of the tag are requested."""
    declaration: bool = False
    """True to list the step definitions first, with those that run the same code or pass on to them."""


class FindHere(Request, frozen=True):
    """The steps of one file with the wording of the step on a line."""

    answer: ClassVar = list[Place]
    path: str
    line: int
