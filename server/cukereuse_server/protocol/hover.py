"""What a hover says of a step or a step definition."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


class Definition(msgspec.Struct, frozen=True, kw_only=True):
    place: Place
    """Of the expression."""
    expression: str
    function: str
    """Empty where it has no name."""
    framework: str


class Twin(msgspec.Struct, frozen=True):
    """A step definition that runs the code of another one, or nearly so."""

    definition: Definition
    relation: str
    """"same", "passes on", "called" (the twin passes on), "constant"."""
    values: list[str] = []
    """"constant": what stands in the definition's code, and in the twin's."""


class Wording(msgspec.Struct, frozen=True):
    text: str
    """Its most used text."""
    occurrences: int


class StepArgument(msgspec.Struct, frozen=True):
    name: str
    """Empty where it has none."""
    text: str
    """As written, delimiters included."""


class Weighed(msgspec.Struct, frozen=True, kw_only=True):
    """A finding with what speaks for and against it."""

    message: str
    """All that is known of it."""
    other: str = ""
    """The wording that is preferred; empty where nothing was compared."""
    sure: float = 0.0
    """Probability that both are one intent."""
    evidence: list[tuple[str, float]] = []
    """What is worth telling, with the log odds that it adds (above 0: for), what weighs most first."""
    known: list[tuple[str, str, bool]] = []
    """The likest pairs of which the step definitions tell whether they are one."""


class StepInfo(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """One step."""

    place: Place
    """Its text."""
    text: str
    occurrences: int
    """Steps of its wording."""
    files: int
    """Files where they stand."""
    others: list[Wording] | None
    """Other wordings of its intent, the most used first; None while that is not known."""
    status: str
    """"bound", "undefined", "ambiguous"; empty where no step definitions are known."""
    definitions: list[Definition]
    arguments: list[StepArgument]
    findings: list[Weighed] = []
    """Those at this step."""
    twins: list[Twin] = []
    """Of its step definition."""
    libraries: list[str] = []
    """From outside of the repository, where a definition may be that none here is."""


class DefinitionInfo(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """One step definition, in its source."""

    definition: Definition
    occurrences: int
    """Steps that bind to it."""
    files: int
    wordings: list[Wording]
    """The wordings of these steps, the most used first."""
    twins: list[Twin] = []


class Describe(Request, frozen=True):
    """What stands on a 1-based line; None where it is neither a step nor a step definition."""

    answer: ClassVar = StepInfo | DefinitionInfo | None
    path: str
    line: int
