"""Where a step is used, what it binds to, what else says the same."""

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


class FindUses(Request, frozen=True):
    """All steps with the wording of the step on a line, or all that bind to the step definition there."""

    answer: ClassVar = list[Place]
    path: str
    line: int
    column: int = 1
    """On a tag, its uses are meant."""
    declaration: bool = False
    """The step definitions too, first, and those that run the same code or pass on to them."""


class Targets(msgspec.Struct, frozen=True):
    origin: Place
    """What they were asked from."""
    places: list[Place]


class FindWordings(Request, frozen=True):
    """Steps of the other wordings of the intent of the step on a line, a few of each."""

    answer: ClassVar = list[Place]
    path: str
    line: int


class FindDefinitions(Request, frozen=True):
    """The step definitions of the step on a line, or of the steps that the Examples row there fills; of a step
    definition, or of a step's text in code, the steps or the definitions at its other end."""

    answer: ClassVar = Targets | None
    path: str
    line: int
    column: int


class FindHere(Request, frozen=True):
    """The steps of one file with the wording of the step on a line."""

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
