"""The contents of a hover on a step or a step definition."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


class ShownDefinition(msgspec.Struct, frozen=True, kw_only=True):
    place: Place
    """The place of the expression."""
    expression: str
    function: str
    """Empty if it has no name."""
    framework: str


class DefinitionTwin(msgspec.Struct, frozen=True):
    """A step definition that runs the code of another definition, or nearly the same code."""

    definition: ShownDefinition
    relation: str
    """"same", "passes on", "called" (the twin passes on), "constant"."""
    values: list[str] = []
    """For "constant": the values in the definition's code, and in the twin's."""


class CountedWording(msgspec.Struct, frozen=True):
    text: str
    """Its most used text."""
    occurrences: int


class StepArgument(msgspec.Struct, frozen=True):
    name: str
    """Empty if it has no name."""
    text: str
    """The text as written, including its quotes."""


class Weighed(msgspec.Struct, frozen=True, kw_only=True):
    """A finding with the evidence for and against it."""

    message: str
    """The whole message."""
    other: str = ""
    """The preferred wording; empty if no wordings were compared."""
    sure: float = 0.0
    """Probability that both are one intent."""
    evidence: list[tuple[str, float]] = []
    """The evidence worth showing, with its log odds (above 0: for), which add up to those of `sure`."""
    known: list[tuple[str, str, bool]] = []
    """The most similar pairs for which the step definitions show whether they are one."""


class StepInfo(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """One step."""

    place: Place
    """The place of its text."""
    text: str
    occurrences: int
    """The number of steps with its wording."""
    files: int
    """The number of files that contain them."""
    others: list[CountedWording] | None
    """Other wordings of its intent, most used first; None while they are unknown."""
    status: str
    """"bound", "undefined", "ambiguous"; empty if no step definitions are known."""
    definitions: list[ShownDefinition]
    arguments: list[StepArgument]
    findings: list[Weighed] = []
    """The findings at this step."""
    twins: list[DefinitionTwin] = []
    """The twins of its step definition."""
    libraries: list[str] = []
    """Libraries from outside the repository that may define the step."""


class DefinitionInfo(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """One step definition, in its source."""

    definition: ShownDefinition
    occurrences: int
    """The number of steps that bind to it."""
    files: int
    wordings: list[CountedWording]
    """The wordings of these steps, most used first."""
    twins: list[DefinitionTwin] = []


class Describe(Request, frozen=True):
    """The step or step definition on a 1-based line; None if there is neither."""

    answer: ClassVar = StepInfo | DefinitionInfo | None
    path: str
    line: int
