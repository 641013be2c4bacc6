"""The plan of a refactoring: text edits by file, and notes for the user before they are applied.

A plan is data. It names the version of every file that it was made from, so that it is only applied to these versions.
"""

import os
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_engine.glue.definition import Extraction, GlueError, StepDefinition
from cukereuse_engine.glue.step_binding import StepBinding, expanded_texts
from cukereuse_engine.glue.text_binding import TextBinding
from cukereuse_engine.refactor.target import Target
from cukereuse_engine.storage.kept import Kept
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.step_text import StepText


@dataclass(frozen=True, slots=True)
class TextEdit:
    """One replacement. Lines and columns are 1-based code points; offsets count code points of the decoded text without
    a byte order mark."""

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
    """In order of place; they never overlap."""
    is_glue: bool
    encoding: str
    """Codec of the file's bytes. Clients that write UTF-8 only must leave other files to the `journal`."""
    is_new: bool = False
    """True if the file does not exist yet: one edit inserts all of its text."""


@dataclass(frozen=True, slots=True)
class TextReplacement:
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
    """Its expression already says the target: members move to it."""
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
    """Number of steps of the suite."""
    uses_after: int
    new_expression: str = ""
    """Empty unless it is rewritten."""
    note: str = ""
    """Why a request is not carried out."""
    also: tuple[StepDefinition, ...] = ()
    """Definitions with the same expression under another keyword or in another scope; they change likewise."""


@dataclass(frozen=True, slots=True)
class Move:
    """Steps that another function serves afterwards."""

    before: StepDefinition
    after: StepDefinition
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class RenamePlan:
    target: str
    """As a user writes it, slots included."""
    files: tuple[FileEdits, ...]
    """By path; empty if every member already has the target's words."""
    table: tuple[TextReplacement, ...]
    """Most occurrences first, without steps that already have the target's words."""
    left_out: tuple[LeftOut, ...]
    definitions: tuple[DefinitionChange, ...]
    warnings: tuple[str, ...] = ()
    confirmation_needed: bool = False
    """True if no step definition is known for the members, so that only the user can tell if the suite still binds."""
    moves: tuple[Move, ...] = ()
    """By place; empty unless the request allows them."""

    @property
    def occurrences(self) -> int:
        """Number of steps that change."""
        return sum(row.occurrences for row in self.table)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no plan."""

    message: str
    steps: tuple[Step, ...] = ()
    """The offending steps."""
    kind: str = ""
    """A short name of the reason, for statistics."""


class RefusedPlanError(CukereuseError):
    """The refactoring would break the suite; nothing is planned."""

    def __init__(self, refusal: Refusal) -> None:
        steps = refusal.steps
        places = [f"{step.path}:{step.line}: {step.text}" for step in steps[:5]]
        if len(steps) > 5:
            places.append(f"… and {len(steps) - 5:,} more")
        super().__init__(refusal.message, "\n".join(places))
        self.refusal = refusal
        self.steps = steps
        self.kind = refusal.kind

    def __reduce__(self) -> tuple[type["RefusedPlanError"], tuple[Refusal]]:  # type: ignore[override]
        return type(self), (self.refusal,)


def read_from_disk(path: str) -> bytes:
    """Raises `OSError`."""
    return Path(path).read_bytes()


def stamp_on_disk(path: str) -> Hashable:
    """Raises `OSError`."""
    status = os.stat(path)  # noqa: PTH116
    return status.st_mtime_ns, status.st_size, status.st_ino


class Bindings(Protocol):
    """The known step definitions and the bindings of steps: `Glue` of one suite, `RepositoryGlue` of several."""

    @property
    def definitions(self) -> list[StepDefinition]:
        """By path and place."""

    @property
    def errors(self) -> list[GlueError]:
        """Definitions with an unknown expression, and sources that can't be read."""

    def bind(self, step: Step) -> StepBinding: ...

    def matches_anywhere(self, step: Step) -> tuple[TextBinding, ...]:
        """The matches of each text of a step, including definitions that do not serve the step."""

    def texts_of(self, definition_id: str) -> frozenset[str]:
        """The known texts that a definition matches, by its id."""

    def may_serve(self, definition: StepDefinition) -> bool:
        """True if it matches known texts of another definition that is only assumed to match them."""

    def update_feature(self, path: str, steps: Sequence[Step] | None, *, defines: bool = True) -> set[str] | None: ...

    def extracted(self, path: str, source: bytes) -> Extraction:
        """The definitions in a source."""

    def trying(self, sources: Mapping[str, bytes]) -> AbstractContextManager[None]:
        """A context in which sources have these contents; afterwards the former state is restored."""

    def update_file(self, path: str, source: bytes | None) -> set[str]:
        """Take a source that is new, changed or (None) gone. Returns the known texts whose definitions changed."""


@dataclass(frozen=True)
class ReadSuites:
    """Suites as read: their files, steps and bindings, and access to the bytes of a file.

    An editor's `read` returns the contents of open documents; `files`, `steps` and `glue` must be of the same state.
    """

    files: Mapping[str, FeatureFile]
    texts: Sequence[StepText]
    """Distinct texts, each once."""
    steps: Mapping[str, Sequence[Step]]
    """Identity of a text to its steps."""
    glue: Bindings | None
    read: Callable[[str], bytes] = read_from_disk
    spoken: Callable[[], tuple[str, ...]] = lambda: ("en",)
    """Returns the natural languages of the suite, for the guards."""
    sources: Callable[[], Sequence[str]] | None = None
    """Lists every source in a glue language, with or without step definitions. None: those with step definitions."""

    hidden: Callable[[], Sequence[str]] | None = None
    """Lists the files that are not read although a runner may load them (`hidden`). None: there are none."""

    stamp: Callable[[str], Hashable] | None = None
    """Returns a value that differs if the contents of a file do, faster than reading them; None if there is none."""

    keep: Callable[..., Kept[Any]] | None = None
    """Returns the store for a result from its files, by its type and dependencies, that keeps it between runs; None if
    the files are not those on disk, or if nothing is to be kept."""

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Natural languages of the suite, computed once."""
        return self.spoken()

    @cached_property
    def source_paths(self) -> Sequence[str]:
        """Every known source in a glue language, listed once."""
        if self.sources is not None:
            return self.sources()
        return (
            list(dict.fromkeys(definition.path for definition in self.glue.definitions))
            if self.glue is not None
            else []
        )

    @cached_property
    def hidden_paths(self) -> Sequence[str]:
        """The files of `hidden`, listed once."""
        return self.hidden() if self.hidden is not None else ()

    @property
    def code_paths(self) -> list[str]:
        """The code among `source_paths` and `hidden_paths`."""
        return [
            *self.source_paths,
            *(path for path in self.hidden_paths if not path.lower().endswith(FEATURE_SUFFIXES)),
        ]

    @cached_property
    def _outlined(self) -> list[Step]:
        return [step for steps in self.steps.values() for step in steps if step.examples and "<" in step.text]

    def saying(self, texts: Collection[str]) -> Iterator[Step]:
        """Every step with one of `texts`, as written (by text), then in an Examples row."""
        names = sorted({normalise(text) for text in texts})
        for name in (*names, *(f"{name}:" for name in names)):  # behave drops a colon before a table or DocString
            for step in self.steps.get(identity(name), ()) if name else ():
                if step.text in texts or (step.argument and step.text.endswith(":") and step.text[:-1] in texts):
                    yield step
        for step in self._outlined:
            if step.text not in texts and any(text in texts for text in expanded_texts(step)):
                yield step


@dataclass(frozen=True, slots=True)
class RenameRequest:
    members: tuple[str, ...]
    """Step texts; each stands for all steps with its identity."""
    target: Target
    source: Target | None = None
    """A phrasing with slots for the members' arguments, if the user wrote one."""
    reference: str = ""
    """The member at which the user asked: members that a guard keeps apart from it are left out. Empty: no guards."""
    remove_unused: bool = False
    """True to remove definitions that lose their last use."""
    move: bool = False
    """True if another function may serve the members, with the same arguments."""
    named: str = ""
    """The text that the user named, or empty: every step with this text is renamed."""
    definitions: frozenset[str] = frozenset()
    """Ids of these steps' definitions: steps that differ only in arguments are renamed if they share one."""
    within: frozenset[str] | None = None
    """Feature files whose steps are renamed; None: all. Steps of shared definitions change in other files too."""
    numeric: tuple[bool | None, ...] = field(default=())
    """For each argument in order: True for a number, False for a text, None for either; empty if not known."""
