"""What a refactoring is: text edits by file, and what a person should know before they are applied.

A plan is data. It names the version of every file that it was made from, so that whoever applies it can tell whether it
still holds. Nothing here reads or writes a file.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.model import FeatureFile, Step
from cukereuse_engine.glue.model import StepDefinition
from cukereuse_engine.glue.workspace import Glue, expanded_texts
from cukereuse_engine.judging.model import StepText
from cukereuse_engine.refactor.target import Target


@dataclass(frozen=True, slots=True)
class TextEdit:
    """One replacement. Lines and columns are 1-based code points; offsets count code points of the decoded text, a byte
    order mark not counted."""

    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class FileEdits:
    path: str
    version: str
    """BLAKE2b (16 bytes, hex) of the bytes that the edits are made for."""
    edits: tuple[TextEdit, ...]
    """By place; they never overlap."""
    is_glue: bool
    encoding: str
    """Codec of the file's bytes. Clients that write UTF-8 only must leave other files to `apply`."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """One row of the before/after table."""

    before: str
    after: str
    occurrences: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A member that keeps its wording."""

    text: str
    steps: tuple[Step, ...]
    reason: str


class Outcome(StrEnum):
    TARGET = "target"
    """Its expression says the target already: members move to it."""
    REWRITTEN = "rewritten"
    """Its expression becomes the target."""
    KEPT = "kept"
    """Some of its steps move away, others stay."""
    UNUSED = "unused"
    """It loses its last use and stays where it is."""
    REMOVED = "removed"
    """It loses its last use and is removed."""


@dataclass(frozen=True, slots=True)
class DefinitionChange:
    definition: StepDefinition
    outcome: Outcome
    uses_before: int
    """Steps of the suite."""
    uses_after: int
    new_expression: str = ""
    """Only where it is rewritten."""
    note: str = ""
    """Why something asked for is not done."""
    also: tuple[StepDefinition, ...] = ()
    """Others that say the same, under another keyword or in another scope: the same becomes of them."""


@dataclass(frozen=True, slots=True)
class RenamePlan:
    target: str
    """As a user writes it, slots included."""
    files: tuple[FileEdits, ...]
    """By path; empty where every member reads so already."""
    table: tuple[Replacement, ...]
    """Most occurrences first. Steps that read so already are not in it."""
    left_out: tuple[LeftOut, ...]
    definitions: tuple[DefinitionChange, ...]
    warnings: tuple[str, ...] = ()
    confirmation_needed: bool = False
    """No step definition is known for the members: nobody but the user can tell whether the suite still binds."""

    @property
    def occurrences(self) -> int:
        """Steps that change."""
        return sum(row.occurrences for row in self.table)


class RefusedPlanError(CukereuseError):
    """The refactoring would break the suite; nothing is planned."""

    def __init__(self, message: str, steps: Sequence[Step] = (), kind: str = "") -> None:
        places = [f"{step.path}:{step.line}: {step.text}" for step in steps[:5]]
        if len(steps) > 5:
            places.append(f"… and {len(steps) - 5:,} more")
        super().__init__(message, "\n".join(places))
        self.steps = tuple(steps)
        """The offending steps."""
        self.kind = kind
        """A short name of the reason, for statistics."""

    def __reduce__(self) -> tuple[type["RefusedPlanError"], tuple[str, tuple[Step, ...], str]]:  # type: ignore[override]
        return type(self), (self.message, self.steps, self.kind)


def read_from_disk(path: str) -> bytes:
    """Raises `OSError`."""
    return Path(path).read_bytes()


@dataclass(frozen=True, slots=True)
class Workspace:
    """One suite as it stands: what was read, what it binds to, and how to get the bytes of a file.

    An editor's `read` gives the contents of open documents; `files`, `steps` and `glue` must be of the same state.
    """

    files: Mapping[str, FeatureFile]
    texts: Sequence[StepText]
    """Distinct texts, each once."""
    steps: Mapping[str, Sequence[Step]]
    """Identity of a text to its steps."""
    glue: Glue | None
    read: Callable[[str], bytes] = read_from_disk
    languages: tuple[str, ...] = ("en",)
    """Natural languages of the suite, for the guards."""

    def saying(self, texts: Collection[str]) -> Iterator[Step]:
        """Every step that says one of `texts`, in an Examples row or as it stands, by text."""
        for steps in self.steps.values():
            for step in steps:
                if (
                    step.text in texts
                    or (step.argument and step.text.endswith(":") and step.text[:-1] in texts)
                    or (step.examples and "<" in step.text and any(text in texts for text in expanded_texts(step)))
                ):
                    yield step


@dataclass(frozen=True, slots=True)
class RenameRequest:
    members: tuple[str, ...]
    """Step texts; each stands for all steps with its identity."""
    target: Target
    source: Target | None = None
    """A phrasing with slots that says what the members' arguments are, where the user wrote one."""
    reference: str = ""
    """The member that the user pointed at: others that a guard keeps apart from it are left out. Empty: no guards."""
    remove_unused: bool = False
    """Remove definitions that lose their last use."""
    numeric: tuple[bool | None, ...] = field(default=())
    """For each argument in order, whether it is a number; empty: not known."""
