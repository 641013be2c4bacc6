"""The actions at a step, and the definition that one of them creates."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place
from cukereuse_server.protocol.plans import Plan


class Replacement(msgspec.Struct, frozen=True):
    """A wording in use that the step could have, with the step's own arguments."""

    text: str
    """The step's text with this wording."""
    wording: str
    """The wording's own most used text."""
    occurrences: int
    preferred: bool
    """True if a finding at this step asks for it."""
    undefined: bool = False
    """True if it has no step definition, like the step itself."""


class Phrasing(msgspec.Struct, frozen=True):
    """A wording of a step's cluster, as a target for all of them."""

    text: str
    """The text with a slot for each argument: `{1}`; literal braces doubled."""
    shown: str
    """The step's text with this wording; the same as `text` if its arguments do not fit."""


class MeantStep(msgspec.Struct, frozen=True):
    """The wording that a step without a definition most likely meant."""

    text: str
    """The step's text with this wording and its own arguments; it would bind."""
    occurrences: int
    """0 if no step has it yet, although a definition serves it."""


class StepActions(msgspec.Struct, frozen=True, kw_only=True):
    version: int | None
    """Version of the text in the editor that was read."""
    place: Place
    """The step's text."""
    meant: list[MeantStep]
    """The most likely first; empty if the step is bound, no definition is known, or a finding prefers a wording."""
    replacements: list[Replacement]
    """Wordings that findings prefer first, then the most similar ones."""
    phrasings: list["Phrasing"]
    """Each wording of the step's cluster, the canonical one first; empty if there is only one."""
    rules: list[str]
    """Rules of the findings at this step."""
    creates_in: str = ""
    """The source in which a definition of the step could be written; empty if it has one, or if none is known."""
    creates_new: str = ""
    """A new file in which it could be written instead; empty if there is none."""
    creates_more: bool = False
    """True if other steps of the file lack a definition, too."""


class ActionsAt(Request, frozen=True):
    """The actions at the step on a 1-based line; None if there is no step."""

    answer: ClassVar = StepActions | None
    path: str
    line: int


class PlanCreation(Request, frozen=True):
    """Write a definition for the undefined step on a line, or for all undefined steps of the file, where
    `StepActions.creates_in` or `creates_new` says."""

    answer: ClassVar = Plan
    path: str
    line: int
    new: bool = False
    all: bool = False
