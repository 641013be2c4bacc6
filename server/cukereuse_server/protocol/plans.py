"""Edits of files, and the plan of a refactoring."""

import msgspec

from cukereuse_server.protocol.places import Place


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
