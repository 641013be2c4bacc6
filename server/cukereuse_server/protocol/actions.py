"""The actions at a step, and their edits."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


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


class Edit(msgspec.Struct, frozen=True):
    place: Place
    new_text: str
    end: Place | None = None
    """The place whose end is the edit's, if the edit spans lines."""


class FileChange(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    version: int | None
    """The version of the editor's text for which the edits are; None for a file that is not open."""
    edits: list[Edit]
    is_new: bool = False
    """True if the file does not exist yet."""


class LeftOutText(msgspec.Struct, frozen=True):
    """A group of steps of the cluster that keep their wording."""

    text: str
    occurrences: int
    reason: str


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A checked refactoring; nothing has been written."""

    changes: list[FileChange]
    notes: list[str]
    """Notes for the user: members that were left out, files that are not UTF-8."""
    target: str = ""
    """The new phrasing, with slots."""
    steps: int = 0
    """Number of steps that change."""
    left_out: list[LeftOutText] = []
    warnings: list[str] = []
    """The notes without the members left out."""
    refused: str = ""
    """Why there is no plan; empty if there is one."""
    unsure: bool = False
    """True if no step definition is known, so that only the user can tell whether the steps still bind."""
    moves: list[str] = []
    """A sentence for each pair of functions if another function serves the steps afterwards; they are warnings too."""


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


class PlanCreation(Request, frozen=True):
    """Write a definition for the undefined step on a line, or for all undefined steps of the file, where
    `StepActions.creates_in` or `creates_new` says."""

    answer: ClassVar = Plan
    path: str
    line: int
    new: bool = False
    all: bool = False


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
