"""What can be renamed at a place, and the plan of it."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place
from cukereuse_server.protocol.plans import Plan


class PlanRename(Request, frozen=True):
    """Rename the step on a line, and all steps of its definition, to a target phrasing."""

    answer: ClassVar = Plan
    path: str
    line: int
    target: str
    cluster: bool = False
    """True to rename the other wordings of the step's cluster too."""
    column: int = 0
    """If it is on a tag, the tag is renamed; 0: no tag is meant."""
    move: bool = False
    """True if another function may serve steps, with equal arguments; the user must confirm this."""


class Nameable(msgspec.Struct, frozen=True):
    """Something at a place that can be renamed."""

    place: Place
    text: str
    """The text that the user edits: a step's text, or a step definition's phrasing with slots."""


class FindNameable(Request, frozen=True):
    """The step on a 1-based line, or the expression of a step definition there that some step binds to, or a tag."""

    answer: ClassVar = Nameable | None
    path: str
    line: int
    column: int = 1


class RenameCandidate(msgspec.Struct, frozen=True):
    """A wording of a step's cluster, as a target for all of them."""

    text: str
    """Its most used text."""
    phrasing: str
    """The text with a slot for each argument: `{1}`; literal braces doubled."""
    occurrences: int


class RenameCandidates(Request, frozen=True):
    """The wordings of the cluster of the step on a 1-based line, including its own; empty if there is no step."""

    answer: ClassVar = list[RenameCandidate]
    path: str
    line: int
