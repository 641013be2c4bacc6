"""What can be done at a step, and the edits that do it."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


class Replacement(msgspec.Struct, frozen=True):
    """A wording in use that the step could say, its own arguments carried over."""

    text: str
    """What the step would say."""
    wording: str
    """The wording's own most used text."""
    occurrences: int
    preferred: bool
    """A finding at this step asks for it."""


class Phrasing(msgspec.Struct, frozen=True):
    """A wording of a step's cluster, as a target for all of them."""

    text: str
    """With a slot for each argument: `{1}`; literal braces doubled."""
    shown: str
    """What the step would say; the same as `text` where its arguments do not fit."""


class MeantStep(msgspec.Struct, frozen=True):
    """What a step without a definition most likely meant."""

    text: str
    """What the step would say, its own arguments carried over; it would bind."""
    occurrences: int
    """0 where no step says it yet, though a definition waits for it."""


class StepActions(msgspec.Struct, frozen=True, kw_only=True):
    version: int | None
    """Of the editor's text that was read."""
    place: Place
    """The step's text."""
    meant: list[MeantStep]
    """The likeliest first; empty where the step is bound, no definition is known, or a finding prefers a wording."""
    replacements: list[Replacement]
    """What findings ask for first, then the most similar."""
    phrasings: list["Phrasing"]
    """Each wording of the step's cluster, the canonical first; empty where there is only one."""
    rules: list[str]
    """Rules of the findings at this step."""
    creates_in: str = ""
    """The source in which a definition of the step could be written; empty where it has one, or none is known."""
    creates_new: str = ""
    """One that is not there, in which it could be written too; empty where there can be none."""
    creates_more: bool = False
    """Whether other steps of the file lack a definition too."""


class ActionsAt(Request, frozen=True):
    """What can be done at the step on a 1-based line; None where there is no step."""

    answer: ClassVar = StepActions | None
    path: str
    line: int


class Edit(msgspec.Struct, frozen=True):
    place: Place
    new_text: str
    end: Place | None = None
    """The place whose end is the edit's, for one that spans lines."""


class FileChange(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    version: int | None
    """Of the editor's text that the edits are for; None for a file that is not open."""
    edits: list[Edit]
    is_new: bool = False
    """There is no such file yet."""


class LeftOutText(msgspec.Struct, frozen=True):
    """A member of the cluster that keeps its wording."""

    text: str
    occurrences: int
    reason: str


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A refactoring, checked; nothing is written."""

    changes: list[FileChange]
    notes: list[str]
    """What a person should know: members left out, files that are not UTF-8."""
    target: str = ""
    """The phrasing that it leads to, with slots."""
    steps: int = 0
    """Steps that change."""
    left_out: list[LeftOutText] = []
    warnings: list[str] = []
    """The notes without the members left out."""
    refused: str = ""
    """Why there is no plan; empty where there is one."""
    unsure: bool = False
    """No step definition is known, so nobody but the user can tell whether the steps still bind."""
    moves: list[str] = []
    """Which steps another function serves afterwards, a sentence for each pair of functions; warnings too."""


class PlanRename(Request, frozen=True):
    """Rename the step at a line, and all of its step definition, to a target phrasing."""

    answer: ClassVar = Plan
    path: str
    line: int
    target: str
    cluster: bool = False
    """Take the other wordings of the step's cluster along."""
    column: int = 0
    """On a tag, that is renamed; 0: no tag is meant."""
    move: bool = False
    """Let another function serve steps, with equal arguments; only where the user confirms what it says."""


class Nameable(msgspec.Struct, frozen=True):
    """What can be renamed at a place."""

    place: Place
    text: str
    """What a person changes: a step's text; of a step definition its phrasing, with slots."""


class FindNameable(Request, frozen=True):
    """The step on a 1-based line, or the expression of a step definition there that some step binds to; or a tag."""

    answer: ClassVar = Nameable | None
    path: str
    line: int
    column: int = 1


OUTLINE, BACKGROUND = "outline", "background"
"""What scenarios and their steps can be folded into."""


class Fold(msgspec.Struct, frozen=True):
    """Scenarios of one file that can say the same with fewer steps."""

    kind: str
    """`OUTLINE` or `BACKGROUND`."""
    scenarios: int
    steps: int
    """How many each scenario has in common with the others."""


class Folds(msgspec.Struct, frozen=True):
    version: int
    """Of the editor's text that was read."""
    found: list[Fold]
    """At most one of a kind."""


class FoldsAt(Request, frozen=True):
    """What can be folded around a 1-based line; None for a file that is not open, or belongs to no suite."""

    answer: ClassVar = Folds | None
    path: str
    line: int


class PlanFold(Request, frozen=True):
    """Fold what is around a 1-based line."""

    answer: ClassVar = Plan
    path: str
    line: int
    kind: str


class Extractable(msgspec.Struct, frozen=True):
    """A block of steps in place of which one step could stand."""

    id: str
    steps: int
    places: int
    saved: int
    """Lines that would go."""
    says: str = ""
    """The step of the suite that says them already; empty: one would be written."""


class ExtractsAt(Request, frozen=True):
    """The blocks around a 1-based line, the most worthwhile first; None for a file that is not open, or of no suite."""

    answer: ClassVar = list[Extractable] | None
    path: str
    line: int


class PlanExtraction(Request, frozen=True):
    """One step in place of a block around a 1-based line. `Plan.target` is its wording, `Plan.steps` how many places
    say it."""

    answer: ClassVar = Plan
    path: str
    line: int
    block: str = ""
    """Its id; empty: the most worthwhile."""
    wording: str = ""
    """With a slot `{name}` for each parameter; empty: one is proposed."""


class PlanCreation(Request, frozen=True):
    """Write a definition for the undefined step on a line, as `StepActions.creates_in` says, or `creates_new`; or for
    all undefined steps of the file."""

    answer: ClassVar = Plan
    path: str
    line: int
    new: bool = False
    all: bool = False


class Candidate(msgspec.Struct, frozen=True):
    """A wording of a step's cluster, as a target for all of them."""

    text: str
    """Its most used text."""
    phrasing: str
    """The text with a slot for each argument: `{1}`; literal braces doubled."""
    occurrences: int


class RenameCandidates(Request, frozen=True):
    """The wordings of the cluster of the step on a 1-based line, its own among them; empty where there is no step."""

    answer: ClassVar = list[Candidate]
    path: str
    line: int


FUNCTION, WORDING, CONSTANT, DELETE = "function", "wording", "constant", "delete"
"""What can become of definitions: both expressions on one function, one wording for both, one parameter in place of a
constant, nothing."""


class Merge(msgspec.Struct, frozen=True):
    """A step definition that runs the code of another one, or that nothing uses."""

    how: str
    """`FUNCTION`, `WORDING`, `CONSTANT` or `DELETE`."""
    definition: str
    """Id of the one that would go."""
    twin: str
    """Id of the one that would serve both; empty for `DELETE`."""
    expression: str
    """The twin's; of an unused one its own."""
    parameter: str = ""
    """`CONSTANT`: what the constant is called."""


class MergesAt(Request, frozen=True):
    """What can be merged at a 1-based line: of a source the definition there, of a feature file those of the step."""

    answer: ClassVar = list[Merge]
    path: str
    line: int


class PlanMerge(Request, frozen=True):
    """Do what `Merge` says."""

    answer: ClassVar = Plan
    how: str
    definition: str
    twin: str
